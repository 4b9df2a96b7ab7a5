"""One shift manager, with every form of the site and the database, tries to be two people.

Mike knows his own badge, PIN and password, every code that a screen shows him, and the database as
the site's role. Each step is an attack that once worked; each must be refused, and be seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import (
    Device,
    DeviceEnrolment,
    FloorException,
    JournalEntry,
    Passkey,
    Person,
    SettingValue,
    Signature,
    Slip,
)
from pitboss.rules.canonical import digest
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services.pins import prove_pin
from pitboss.services.shown import slip_shown
from pitboss.services.verification import Wrong, verify
from pitboss.slips.addresses import new_url
from tests.floor.cast import LOCKOUT, PASSWORD, Cast, pin_of
from tests.pitboss.test_passkeys import enroll
from tests.pitboss.test_signed_by_the_book import end_rehearsal
from tests.tampering import found

pytestmark = pytest.mark.django_db(transaction=True)
WATCHERS = ("olga", "ivan", "vera", "ruth", "petra", "judy")


class Mike:
    """What a shift manager sends from the tablet in the office."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.client = Client()
        self.client.cookies[DEVICE_COOKIE] = cast.devices[Place.OFFICE].name
        self.client.post(reverse("login"), {"badge": cast.mike.badge, "password": PASSWORD})

    def send(self, route: str, *args: Any, **fields: Any) -> Any:
        """Send a form with the own badge and PIN and whatever its page held."""
        return self.send_to(reverse(route, args=args), **fields)

    def send_to(self, address: str, **fields: Any) -> Any:
        page = self.client.get(address)
        pad = (page.context or {}).get("pad") or {} if page.status_code == 200 else {}
        form = {
            "badge": self.cast.mike.badge,
            "pin": pin_of(self.cast.mike.badge),
            "request_id": str(pad.get("request_id", "")),
            "shown": pad.get("shown", ""),
            **pad.get("fields", {}),
            **fields,
        }
        return self.client.post(address, form)


def codes(answer: Any) -> list[str]:
    return [item.code for item in (answer.context or {}).get("refusals", ())]


@pytest.fixture
def mike(cast: Cast) -> Iterator[Mike]:
    cast.deliver(cast.ask())
    before = set(Signature.objects.values_list("pk", flat=True))
    yield Mike(cast)
    # Whatever he tried, no signature of another person came to be.
    made = Signature.objects.exclude(pk__in=before)
    assert set(made.values_list("person_id", flat=True)) <= {cast.mike.pk}


def test_he_gives_nobody_a_pin_alone(cast: Cast, mike: Mike) -> None:
    shown = mike.send("pin-offer", cast.dan.pk)
    assert shown.status_code == 200
    half = shown.context["code"]
    assert codes(mike.send("pin-witness", cast.dan.pk)) == ["wrong_witness"]
    tried = mike.client.post(
        reverse("pin-enrol"),
        {
            "person_badge": cast.dan.badge,
            "code": half,
            "witness_code": half,
            "new_pin": "902746",
            "new_pin_again": "902746",
            "badge": cast.mike.badge,
            "pin": pin_of(cast.mike.badge),
        },
    )
    assert "not_proven" in codes(tried)
    prove_pin(
        badge=cast.dan.badge,
        pin=pin_of(cast.dan.badge),
        device=cast.devices[Place.OFFICE],
        policy=LOCKOUT,
    )
    assert FloorException.objects.filter(code="pin_offered").exists()


def test_he_reaches_no_one_who_watches(cast: Cast, mike: Mike) -> None:
    for name in WATCHERS:
        person = getattr(cast, name)
        assert codes(mike.send("pin-offer", person.pk)) == ["wrong_role"], name
        assert "wrong_role" in codes(
            mike.send_to(new_url("person_leaves", person=person.pk), reason="Gone.")
        ), name
        assert codes(mike.send("acting-role", person.pk, role="dealer")) != [], name
        assert codes(mike.send("badge-unlock", person.pk)) == ["wrong_role"], name


def test_he_signs_no_second_part_of_what_he_began(cast: Cast, mike: Mike) -> None:
    mike.send("devices", name="His own tablet", place="cage")
    offer = DeviceEnrolment.objects.get(name="His own tablet")
    assert codes(mike.send("device-let-in", offer.pk)) == ["signed_before"]
    address = new_url("setting_change", key="people.idle_lock")
    page = mike.client.post(address, {"value": "3600"})
    pad = page.context["pad"]
    proposed = mike.client.post(
        address,
        {
            **pad["fields"],
            "shown": pad["shown"],
            "request_id": pad["request_id"],
            "reason": "Mine.",
            "badge": cast.mike.badge,
            "pin": pin_of(cast.mike.badge),
        },
    )
    assert proposed.status_code == 302, codes(proposed)
    slip = Slip.objects.get(kind="setting_change")
    signed = mike.client.post(
        reverse("slip-sign", args=[slip.serial, "main", "approved"]),
        {
            "shown": slip_shown(slip),
            "request_id": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
            "badge": cast.mike.badge,
            "pin": pin_of(cast.mike.badge),
        },
    )
    assert "signed_before" in codes(signed)
    assert not SettingValue.objects.filter(slip=slip).exists()
    enroll(cast, cast.dan)
    revoked = mike.send(
        "passkey-revoke",
        cast.dan.pk,
        witness_badge=cast.mike.badge,
        witness_pin=pin_of(cast.mike.badge),
    )
    assert codes(revoked) == ["two_people"]
    assert Passkey.objects.get(person=cast.dan).removed_at is None


def by_sql(statement: str, *values: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount, "the attack changed nothing"


def is_nobody(cast: Cast, person: Person, pin: str) -> bool:
    try:
        prove_pin(badge=person.badge, pin=pin, device=cast.devices[Place.OFFICE], policy=LOCKOUT)
    except Refused:
        return True
    return False


def test_his_sql_makes_him_nobody_else_and_is_seen(cast: Cast, mike: Mike) -> None:
    end_rehearsal()
    own = Person.objects.get(pk=cast.mike.pk)
    # His own PIN under another's name.
    by_sql(
        "UPDATE pitboss_person SET pin_hash = %s, version = version + 1 WHERE id = %s",
        own.pin_hash,
        cast.erin.pk,
    )
    assert is_nobody(cast, cast.erin, pin_of(cast.mike.badge))
    # A role, a provider sign-in and a setting without their slips.
    for statement in (
        "UPDATE pitboss_person SET role = 'auditor', version = version + 1 WHERE id = %s",
        "UPDATE pitboss_person SET identity = 'https://id u-1', version = version + 1"
        " WHERE id = %s",
    ):
        with pytest.raises(DatabaseError, match="no done slip"):
            by_sql(statement, own.pk)
    # A device of his own, which opens nothing.
    by_sql(
        "INSERT INTO pitboss_device (name, place, token_hash, token_ends_at, enrolled_at, version,"
        " seal, next_token_hash, old_token_hash)"
        " SELECT 'thief', 'cage', %s, token_ends_at, enrolled_at, 1, seal, NULL, ''"
        " FROM pitboss_device WHERE id = %s",
        digest("stolen"),
        cast.devices[Place.CAGE].pk,
    )
    thief = Client()
    thief.cookies[DEVICE_COOKIE] = "stolen"
    assert thief.get(reverse("pin-enrol")).status_code == 403
    # An exception closed in another's name.
    mike.send("pin-offer", cast.dan.pk)
    trouble = FloorException.objects.get(code="pin_offered")
    by_sql(
        "UPDATE pitboss_floorexception SET resolved_at = now(), resolved_by_id = %s,"
        " resolution = 'Looked into.', version = version + 1 WHERE id = %s",
        cast.ivan.pk,
        trouble.pk,
    )
    # A table opened, and a journal entry taken back.
    by_sql("UPDATE pitboss_table SET is_open = true WHERE id = %s", cast.other_table.pk)
    for statement in (
        "DELETE FROM pitboss_journalentry",
        "UPDATE pitboss_journalentry SET text = ''",
        "UPDATE pitboss_signature SET person_id = 1",
        "ALTER TABLE pitboss_person DISABLE TRIGGER ALL",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert found(verify()) >= {
        (Wrong.ROW_ALTERED, "person", cast.erin.pk),
        (Wrong.ROW_ALTERED, "device", Device.objects.get(name="thief").pk),
        (Wrong.ROW_ALTERED, "floor exception", trouble.pk),
        (Wrong.DERIVED_DIFFERS, "table", cast.other_table.pk),
    }


def test_a_machine_that_is_not_enrolled_learns_nothing(cast: Cast, mike: Mike) -> None:
    stranger = Client()
    for pin in (pin_of(cast.mike.badge), "000000"):
        answer = stranger.post(reverse("pin-enrol"), {"badge": cast.mike.badge, "pin": pin})
        assert answer.status_code == 403
    assert JournalEntry.objects.filter(kind="logged_in", person=cast.dan).count() == 0
