"""The record is verified by itself: all of it each night, what is new each hour."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.test import Client
from django.urls import reverse

from pitboss.models import FloorException, JournalAudit, SealingState, Waiting
from pitboss.rules.roles import Place
from pitboss.selectors.record_health import VERIFIED_SECONDS_MAX, WHOLE_SECONDS_MAX, record_parts
from pitboss.services import audits, house, seals
from pitboss.services.explaining import resolve_exception
from pitboss.services.verification import verify
from pitboss.tasks import find_audits, watch_record
from tests.floor.cast import Cast, ServerClock, pin_of
from tests.floor.tablets import words
from tests.tampering import tamper
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)

Owner = psycopg.Connection[tuple[object, ...]]


def runs() -> list[tuple[str, int]]:
    return list(JournalAudit.objects.order_by("pk").values_list("kind", "findings_total"))


def act_and_seal(cast: Cast) -> None:
    cast.ask()
    seals.write_seal(now=house.now())


def healthz() -> int:
    return Client().get("/healthz?parts=verification").status_code


def alter_a_slip(owner: Owner, slip: Any) -> None:
    tamper(
        owner, "pitboss_slip", "UPDATE pitboss_slip SET total_cents = 1 WHERE id = %s", [slip.pk]
    )


def test_the_whole_record_each_night_and_what_is_new_each_hour(
    cast: Cast, server_clock: ServerClock
) -> None:
    act_and_seal(cast)
    find_audits()
    find_audits()
    assert runs() == [("nightly", 0)], "a house begins with a whole one"
    server_clock.move(minutes=59)
    find_audits()
    assert len(runs()) == 1
    server_clock.move(minutes=1)
    act_and_seal(cast)
    find_audits()
    assert runs()[1:] == [("hourly", 0)]
    # The clock stands at ten in the morning in New York; five at night is nineteen hours away.
    server_clock.move(hours=19)
    find_audits()
    assert runs()[2:] == [("nightly", 0)]


def test_an_hour_looks_at_what_is_new_alone(cast: Cast, server_clock: ServerClock) -> None:
    for _ in range(3):
        act_and_seal(cast)
    find_audits()
    whole = JournalAudit.objects.get().looked_at
    server_clock.move(hours=1)
    act_and_seal(cast)
    find_audits()
    new = JournalAudit.objects.get(kind="hourly").looked_at
    assert int(whole.split()[0]) > int(new.split()[0])
    since = audits.last_position()
    assert since is not None
    assert since.seal == 4
    report = verify(since=since)
    assert report.is_sound
    # The entry that told of the run before, and no seal since.
    assert (report.entries, report.seals) == (1, 0)


def test_what_is_new_and_wrong_is_found_within_the_hour(
    cast: Cast, server_clock: ServerClock, owner_connection: Owner
) -> None:
    act_and_seal(cast)
    find_audits()
    server_clock.move(hours=1)
    slip = cast.ask()
    alter_a_slip(owner_connection, slip)
    find_audits()
    assert runs()[-1] == ("hourly", 1)


def test_an_entry_before_the_position_that_was_changed_is_found_within_the_hour(
    cast: Cast, server_clock: ServerClock, owner_connection: Owner
) -> None:
    act_and_seal(cast)
    find_audits()
    server_clock.move(hours=1)
    tamper(
        owner_connection,
        "pitboss_journalentry",
        "UPDATE pitboss_journalentry SET link = %s",
        ["0" * 64],
    )
    find_audits()
    assert runs()[-1][1] > 0


def test_a_position_that_was_moved_by_hand_is_void(
    cast: Cast, server_clock: ServerClock, owner_connection: Owner
) -> None:
    slip = cast.ask()
    find_audits()
    first = JournalAudit.objects.get()
    alter_a_slip(owner_connection, slip)
    moved = json.loads(first.position)
    moved["chains"]["people"] = [99, "0" * 64]
    JournalAudit.objects.update(position=json.dumps(moved))
    assert audits.last_position() is None
    server_clock.move(hours=1)
    find_audits()
    # Without a position the hour looks at everything.
    assert runs()[-1] == ("hourly", 1)


def test_what_is_found_is_one_exception_and_turns_health_red_until_it_is_answered_for(
    cast: Cast, owner_connection: Owner
) -> None:
    slips = [cast.ask(), cast.ask()]
    find_audits()
    assert healthz() == 200
    for slip in slips:
        alter_a_slip(owner_connection, slip)
    desk = signed_in(cast.olga, cast.devices[Place.OFFICE])
    desk.post(reverse("audit-verify"))
    desk.post(reverse("audit-verify"))

    exception = FloorException.objects.get(code="record_wrong")
    assert "Faults found in the record: 2." in exception.sentence
    assert Waiting.objects.get(exception=exception).by == ["auditor", "surveillance"]
    assert record_parts()["verification"]["why"] == "found"
    assert healthz() == 503
    assert "Verification found something wrong" in words(desk.get(reverse("audit")))
    # An hour that looks at what is new alone is clean, and takes nothing back.
    hourly = JournalAudit.objects.create(kind="hourly", asked_at=house.now())
    audits.run_audit(hourly.pk)
    assert runs()[-1] == ("hourly", 0)
    assert healthz() == 503

    answer(cast, exception)
    assert healthz() == 200
    # The same again is answered for; something new is told anew.
    desk.post(reverse("audit-verify"))
    assert FloorException.objects.filter(code="record_wrong", resolved_at=None).count() == 0
    third = cast.ask(by=cast.bob)
    alter_a_slip(owner_connection, third)
    desk.post(reverse("audit-verify"))
    assert FloorException.objects.filter(code="record_wrong", resolved_at=None).count() == 1


def answer(cast: Cast, exception: FloorException) -> None:
    resolve_exception(
        exception_id=exception.pk,
        resolution="The disk was repaired by hand; the slips are on paper.",
        badge=cast.olga.badge,
        pin=pin_of(cast.olga.badge),
        request_id=uuid4(),
        device=cast.devices[Place.OFFICE],
    )


def test_a_clean_run_of_everything_turns_health_green_again(
    cast: Cast, owner_connection: Owner
) -> None:
    slip = cast.ask()
    before = slip.total_cents
    alter_a_slip(owner_connection, slip)
    find_audits()
    assert healthz() == 503
    sql = "UPDATE pitboss_slip SET total_cents = %s WHERE id = %s"
    tamper(owner_connection, "pitboss_slip", sql, [before, slip.pk])
    signed_in(cast.olga, cast.devices[Place.OFFICE]).post(reverse("audit-verify"))
    assert healthz() == 200


@pytest.mark.parametrize(
    ("kind", "seconds"),
    [("nightly", WHOLE_SECONDS_MAX), ("hourly", VERIFIED_SECONDS_MAX)],
)
def test_a_run_that_did_not_come_in_time_is_told(cast: Cast, kind: str, seconds: int) -> None:
    act_and_seal(cast)
    find_audits()
    watch_record.delay()
    assert not FloorException.objects.filter(code="verification_late").exists()
    long_ago = house.now() - timedelta(seconds=seconds + 1)
    SealingState.objects.update(since=long_ago)
    JournalAudit.objects.update(ended_at=long_ago)
    if kind == "nightly":
        JournalAudit.objects.create(
            kind="hourly", asked_at=house.now(), began_at=house.now(), ended_at=house.now()
        )
    watch_record.delay()
    watch_record.delay()
    assert FloorException.objects.get(code="verification_late").sentence in words(
        signed_in(cast.olga, cast.devices[Place.OFFICE]).get(reverse("audit"))
    )
    assert healthz() == 503
