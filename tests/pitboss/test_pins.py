"""PINs and passwords: proven, counted, locked and unlocked."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.contrib.auth.hashers import check_password

from pitboss.models import Attempt, Device, FloorException, JournalEntry, Person
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services.people import begin_visit, end_visit, unlock_badge
from pitboss.services.pins import BOUND, hash_pin, pin_refusals, prove_password, prove_pin, quoted
from tests.floor.cast import LOCKOUT, PASSWORD, Cast, ServerClock, pin_of, refused

pytestmark = pytest.mark.django_db

DAN = "104"


def guess(cast: Cast, times: int = 1, device: Device | None = None, badge: str = DAN) -> list[str]:
    """Key a wrong PIN some times; return how each was refused."""
    codes: list[str] = []
    for _ in range(times):
        with pytest.raises(Refused) as caught:
            prove_pin(
                badge=badge, pin="000000", device=device or cast.devices[Place.PIT], policy=LOCKOUT
            )
        codes.extend(caught.value.codes)
    return codes


def test_a_right_pin_gives_the_person(cast: Cast) -> None:
    device = cast.devices[Place.PIT]
    assert prove_pin(badge=DAN, pin=pin_of(DAN), device=device, policy=LOCKOUT) == cast.dan
    assert Attempt.objects.get().outcome == "right"


def test_a55_five_wrong_pins_lock_badge_and_device_with_a_security_entry(
    cast: Cast, server_clock: ServerClock
) -> None:
    assert guess(cast, 6) == ["wrong_pin"] * 5 + ["locked"]
    with refused("locked", journal=[]):
        prove_pin(badge=DAN, pin=pin_of(DAN), device=cast.devices[Place.PIT], policy=LOCKOUT)
    trouble = FloorException.objects.get()
    assert (trouble.code, trouble.details["badge"]) == ("badge_locked", DAN)
    assert trouble.waits.get().by == ["security_manager", "shift_manager"]
    wrong = JournalEntry.objects.filter(kind="pin_wrong").order_by("number")
    assert [json.loads(e.text)["body"]["tries_left"] for e in wrong] == [4, 3, 2, 1, 0]
    # Elsewhere Dan may still sign, and others here.
    assert (
        prove_pin(badge=DAN, pin=pin_of(DAN), device=cast.devices[Place.CAGE], policy=LOCKOUT)
        == cast.dan
    )
    assert (
        prove_pin(badge="105", pin=pin_of("105"), device=cast.devices[Place.PIT], policy=LOCKOUT)
        == cast.erin
    )


def test_a55_the_lock_ends_fifteen_minutes_after_the_last_wrong_pin(
    cast: Cast, server_clock: ServerClock
) -> None:
    for _ in range(5):
        guess(cast)
        server_clock.move(minutes=2)
    # Thirteen minutes to go by the last attempt; the first is now ten minutes old.
    server_clock.move(minutes=12, seconds=59)
    assert guess(cast) == ["locked"]
    server_clock.move(seconds=1)
    assert (
        prove_pin(badge=DAN, pin=pin_of(DAN), device=cast.devices[Place.PIT], policy=LOCKOUT)
        == cast.dan
    )


def test_a55_ten_wrong_pins_anywhere_lock_the_badge_everywhere(
    cast: Cast, server_clock: ServerClock
) -> None:
    for place in (Place.PIT, Place.CAGE, Place.OFFICE):
        guess(cast, 4 if place != Place.OFFICE else 2, cast.devices[place])
    with refused("locked", journal=[]):
        prove_pin(
            badge=DAN, pin=pin_of(DAN), device=cast.devices[Place.SURVEILLANCE], policy=LOCKOUT
        )


def test_a55_a_right_pin_forgives_on_its_own_device_only(
    cast: Cast, server_clock: ServerClock
) -> None:
    guess(cast, 4)
    prove_pin(badge=DAN, pin=pin_of(DAN), device=cast.devices[Place.CAGE], policy=LOCKOUT)
    assert guess(cast, 2) == ["wrong_pin", "locked"]
    server_clock.move(minutes=15)
    guess(cast, 4)
    prove_pin(badge=DAN, pin=pin_of(DAN), device=cast.devices[Place.PIT], policy=LOCKOUT)
    assert guess(cast, 5) == ["wrong_pin"] * 5


def test_a55_whoever_knows_the_password_cannot_guess_the_pin(
    cast: Cast, server_clock: ServerClock
) -> None:
    device = cast.devices[Place.PIT]
    guess(cast, 4)
    assert prove_password(badge=DAN, password=PASSWORD, device=device, policy=LOCKOUT) == cast.dan
    assert guess(cast, 2) == ["wrong_pin", "locked"]


def test_a55_wrong_passwords_lock_like_wrong_pins(cast: Cast, server_clock: ServerClock) -> None:
    device = cast.devices[Place.PIT]
    codes: list[str] = []
    for password in ("x", "\x00", "\ud800", "", "y", PASSWORD):
        with pytest.raises(Refused) as caught:
            prove_password(badge=DAN, password=password, device=device, policy=LOCKOUT)
        codes.extend(caught.value.codes)
    assert codes == ["wrong_password"] * 5 + ["locked"]


def test_an_unknown_badge_is_counted_and_locked_too(cast: Cast, server_clock: ServerClock) -> None:
    assert guess(cast, 6, badge="999") == ["unknown_badge"] * 5 + ["locked"]


@pytest.mark.parametrize("name", ["frank", "sybil", "heidi"])
def test_a55_security_or_a_shift_manager_unlocks(
    cast: Cast, server_clock: ServerClock, name: str
) -> None:
    guess(cast, 5)
    actor = getattr(cast, name)
    unlock_badge(
        badge=f" {DAN} ",
        actor_badge=actor.badge,
        actor_pin=pin_of(actor.badge),
        device=cast.devices[Place.SECURITY],
    )
    assert (
        prove_pin(badge=DAN, pin=pin_of(DAN), device=cast.devices[Place.PIT], policy=LOCKOUT)
        == cast.dan
    )
    assert JournalEntry.objects.get(kind="badge_unlocked").person == actor


def _put_out(cast: Cast) -> None:
    Device.objects.filter(name="security").update(revoked_at="2020-01-01T00:00Z")


def _let_go(cast: Cast) -> None:
    Person.objects.filter(pk=cast.frank.pk).update(is_active=False)


@pytest.mark.parametrize(
    ("name", "badge", "change", "code"),
    [
        ("alice", DAN, None, "wrong_role"),
        ("carol", DAN, None, "wrong_role"),
        ("judy", DAN, None, "wrong_role"),
        ("frank", "106", None, "signed_before"),
        ("frank", "1\x00", None, "badge_malformed"),
        ("frank", DAN, _let_go, "not_employed"),
        ("frank", DAN, _put_out, "unknown_device"),
    ],
)
def test_a52_others_unlock_nothing_and_the_attempt_is_journalled(
    cast: Cast,
    server_clock: ServerClock,
    name: str,
    badge: str,
    change: Callable[[Cast], None] | None,
    code: str,
) -> None:
    guess(cast, 5)
    if change:
        change(cast)
    actor = getattr(cast, name)
    with refused(code, journal=["act_refused"]):
        unlock_badge(
            badge=badge,
            actor_badge=actor.badge,
            actor_pin=pin_of(actor.badge),
            device=cast.devices[Place.SECURITY],
        )
    assert guess(cast) == ["locked"]


def test_a55_one_badge_on_two_devices_is_flagged_once(cast: Cast) -> None:
    pit, cage = cast.devices[Place.PIT], cast.devices[Place.CAGE]
    begin_visit(person=cast.alice, device=pit)
    begin_visit(person=cast.alice, device=pit)
    assert not FloorException.objects.exists()
    begin_visit(person=cast.alice, device=cage)
    trouble = FloorException.objects.get(code="badge_on_two_devices")
    assert trouble.details == {"badge": "101", "devices": ["Pit 1 tablet", "cage"]}
    begin_visit(person=cast.alice, device=cage)
    assert FloorException.objects.count() == 1


def test_a55_a_badge_that_left_one_device_may_come_to_another(cast: Cast) -> None:
    begin_visit(person=cast.alice, device=cast.devices[Place.PIT])
    end_visit(person=cast.alice, device=cast.devices[Place.PIT])
    end_visit(person=cast.alice, device=cast.devices[Place.PIT])
    begin_visit(person=cast.alice, device=cast.devices[Place.CAGE])
    # Somebody else takes the tablet at the cage, which ends Alice's visit there.
    begin_visit(person=cast.erin, device=cast.devices[Place.CAGE])
    begin_visit(person=cast.alice, device=cast.devices[Place.PIT])
    assert not FloorException.objects.exists()
    assert JournalEntry.objects.filter(kind="logged_out").count() == 1


def test_a55_devices_that_nobody_knows_are_not_one_device(cast: Cast) -> None:
    begin_visit(person=cast.alice, device=None)
    begin_visit(person=cast.bob, device=None)
    begin_visit(person=cast.alice, device=cast.devices[Place.PIT])
    assert FloorException.objects.get().details["devices"] == ["Pit 1 tablet", "unknown"]


@pytest.mark.parametrize(
    ("pin", "code"),
    [
        ("12345", "pin_malformed"),
        ("1234567", "pin_malformed"),
        ("12345a", "pin_malformed"),
        ("١٢٣٤٥٧", "pin_malformed"),
        ("12345\n", "pin_malformed"),
        ("\x00" * 6, "pin_malformed"),
        (None, "pin_malformed"),
        ("111111", "pin_guessable"),
        ("123456", "pin_guessable"),
        ("654321", "pin_guessable"),
        ("246802", "pin_guessable"),
        ("901234", "pin_guessable"),
        ("121212", "pin_guessable"),
        ("000104", "pin_guessable"),
    ],
)
def test_a_pin_that_is_none_or_easily_guessed_may_not_be_chosen(
    cast: Cast, pin: str, code: str
) -> None:
    assert [refusal.code for refusal in pin_refusals(pin, cast.dan)] == [code]


def test_a_pin_is_stored_so_that_the_hash_alone_is_no_use(cast: Cast) -> None:
    assert pin_refusals("481602", cast.dan) == []
    stored = hash_pin("481602", cast.dan)
    assert not check_password("481602", stored.removeprefix(BOUND))


def test_what_was_keyed_is_quoted_as_the_journal_can_keep_it() -> None:
    assert quoted("a\x00b\ud800" + "x" * 50) == "ab?" + "x" * 21
    assert quoted(None) == "None"
