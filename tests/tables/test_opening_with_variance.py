"""Open a table whose tray does not match: notices and reports that are due, instead of a wall."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from inventory.models import Holder
from inventory.selectors.cheques import holding_of, tray_holding
from pitboss.models import FloorException, Slip, Table, Waiting
from pitboss.paper.content import Issue
from pitboss.rules.roles import Place
from pitboss.selectors.slip_papers import slip_paper
from pitboss.services.acknowledging import acknowledge
from pitboss.services.explaining import resolve_exception
from pitboss.services.signing import Entry
from tables.selectors.variances import pairs_between
from tables.services.open_items import open_items
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.house import change
from tests.floor.tablets import period_now, signed_in, words

pytestmark = pytest.mark.django_db
BECAUSE = Entry(reason="Counted twice.")


def opened(cast: Cast, counted: dict[int, int], kind: str = "opener") -> Slip:
    """Count a tray that should hold a hundred red, both of them."""
    cast.deliver(cast.ask({500: 100}))
    slip = cast.count(kind, counted)
    cast.sign(slip, "verified", cast.alice, entry=Entry(counted=counted))
    slip.refresh_from_db()
    return slip


def is_open(cast: Cast) -> bool:
    return Table.objects.get(pk=cast.table.pk).is_open


def asked() -> dict[str, list[str]]:
    """Return who is asked after what, as the inboxes have it."""
    waits = Waiting.objects.filter(until=None).exclude(exception=None)
    return {wait.exception.code: wait.by for wait in waits if wait.exception}


def report(cast: Cast, code: str, badge: str, place: Place) -> None:
    resolve_exception(
        exception_id=FloorException.objects.get(code=code).pk,
        resolution="The tape shows nobody at the tray.",
        badge=badge,
        pin=pin_of(badge),
        request_id=uuid4(),
        device=cast.devices[place],
    )


def test_a105_five_dollars_short_opens_and_three_are_notified(cast: Cast) -> None:
    opener = opened(cast, {500: 99})
    assert (opener.status, is_open(cast)) == ("done", True)
    assert tray_holding(cast.table) == {500: 99}
    assert holding_of(Holder.PUBLIC) == {}, "a variance is never win or loss"
    assert asked() == {
        "tray_variance": ["shift_manager"],
        "variance_security": ["security"],
        "variance_surveillance": ["surveillance"],
    }
    notice = FloorException.objects.get(code="tray_variance")
    assert notice.sentence == f"BJ-11: {opener.serial} is $5 short of the expected count."
    wait = Waiting.objects.get(exception=notice)
    acknowledge(wait_ids=[wait.pk], pen=cast.pen(cast.heidi, Place.OFFICE))
    notice.refresh_from_db()
    assert notice.resolved_by == cast.heidi
    page = words(signed_in(cast.heidi, cast).get(reverse("slip", args=[opener.serial])))
    assert "The table opens. The shift manager is notified." in page
    assert "Surveillance not answered" in page


def test_a105_colors_alone_open_as_well(cast: Cast) -> None:
    opener = opened(cast, {500: 95, 2_500: 1})
    assert is_open(cast)
    assert "doesn’t have the same colors" in FloorException.objects.all()[0].sentence
    assert {move.source for move in opener.transfers.all()} == {"tray", "variance"}


def test_a105_a_tray_that_agrees_notifies_no_one(cast: Cast) -> None:
    opened(cast, {500: 100})
    assert is_open(cast)
    assert not FloorException.objects.exists()


@pytest.mark.parametrize("kind", ["opener", "recount"])
def test_a105_thirty_dollars_short_waits_for_one_signature_and_owes_two_reports(
    cast: Cast, server_clock: ServerClock, kind: str
) -> None:
    slip = opened(cast, {500: 94}, kind)
    assert not is_open(cast)
    assert asked() == {}
    cast.sign(slip, "accepted", cast.heidi, Place.OFFICE, entry=BECAUSE)
    slip.refresh_from_db()
    assert (slip.status, is_open(cast)) == ("done", kind == "opener")
    assert asked() == {
        "variance_security": ["security"],
        "variance_surveillance": ["surveillance"],
    }
    due = server_clock.now + timedelta(hours=2)
    for code in asked():
        owed = FloorException.objects.get(code=code)
        assert datetime.fromisoformat(owed.details["due_at"]) == due
        assert Waiting.objects.get(exception=owed).limit_seconds == 7_200
    day = period_now().gaming_day
    assert len(open_items(day)) >= 2, "each report is an open item of its day"
    (pair, *_) = pairs_between(day, day)
    assert pair.is_open
    assert [called.role for called in pair.called] == [
        "shift manager",
        "security officer",
        "surveillance officer",
    ]
    report(cast, "variance_security", cast.frank.badge, Place.SECURITY)
    report(cast, "variance_surveillance", cast.ivan.badge, Place.SURVEILLANCE)
    (pair, *_) = pairs_between(day, day)
    assert not pair.is_open
    assert pair.called[1].words == "The tape shows nobody at the tray."


def test_a105_a_report_is_written_by_who_owes_it_and_never_ticked_off(cast: Cast) -> None:
    slip = opened(cast, {500: 94})
    cast.sign(slip, "accepted", cast.heidi, entry=BECAUSE)
    with refused("wrong_role", journal=["act_refused"]):
        report(cast, "variance_security", cast.ivan.badge, Place.SURVEILLANCE)
    wait = Waiting.objects.get(exception__code="variance_security")
    with refused("explained_alone", journal=["act_refused"]):
        acknowledge(wait_ids=[wait.pk], pen=cast.pen(cast.frank, Place.SECURITY))


def test_a105_a_hundred_and_twenty_dollars_short_starts_the_regulators_clock_too(
    cast: Cast,
) -> None:
    slip = opened(cast, {500: 76})
    assert asked() == {"regulator_notice": ["shift_manager"]}
    cast.sign(slip, "accepted", cast.heidi, entry=BECAUSE)
    assert is_open(cast)
    assert set(asked()) == {"regulator_notice", "variance_security", "variance_surveillance"}


def test_a105_the_house_says_how_much_opens_alone_and_when_reports_are_due(cast: Cast) -> None:
    change(cast, "count.open_alone_to", "50")
    change(cast, "count.report_due", "4")
    opened(cast, {500: 94})
    assert is_open(cast)
    wait = Waiting.objects.get(exception__code="variance_security")
    assert wait.limit_seconds == 4 * 3_600
    assert not FloorException.objects.get(code="variance_security").details["is_notice"]


def test_a105_in_kansas_no_one_but_the_shift_manager_is_notified(cast: Cast) -> None:
    change(cast, "count.tolerance", "KS")
    opened(cast, {500: 99})
    assert asked() == {"tray_variance": ["shift_manager"]}


def test_a105_the_paper_of_the_opener_shows_the_variance(cast: Cast) -> None:
    opener = Slip.objects.get(pk=opened(cast, {500: 99}).pk)
    paper = slip_paper(opener, Issue("S. Scott", opener.raised_at, copy=None))
    assert paper.expected == {500: 100}
