"""Everyone changes their own PIN and password, and proves the old one first."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.models import Device, JournalEntry, Person
from pitboss.rules.roles import Place, Role
from pitboss.services.own_secrets import change_own_password, change_own_pin
from tests.floor.cast import PASSWORD, Cast, pin_of, refused
from tests.floor.tablets import words
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db

NEW_PIN = "902746"
NEW_PASSWORD = "green felt and brass"


@pytest.mark.parametrize("role", Role)
def test_everyone_changes_their_own_pin_and_password_on_their_page(cast: Cast, role: Role) -> None:
    person = next(item for item in cast.people if item.role == role)
    client = signed_in(person, cast.devices[Place.OFFICE])
    assert "Change PIN" in words(client.get("/me/"))
    pins = {"new_pin": NEW_PIN, "new_pin_again": NEW_PIN}
    changed = client.post("/me/", {"old_pin": pin_of(person.badge), **pins})
    assert changed.status_code == 302
    passwords = {"new_password": NEW_PASSWORD, "new_password_again": NEW_PASSWORD}
    changed = client.post("/me/", {"old_password": PASSWORD, **passwords})
    assert changed.status_code == 302
    assert client.get("/me/").status_code == 200, "still signed in"
    person.refresh_from_db()
    assert person.check_password(NEW_PASSWORD)
    assert person.pin_by_others_at is None
    change_own_pin(
        badge=person.badge, old_pin=NEW_PIN, new_pin="481602", device=cast.devices[Place.OFFICE]
    )
    kinds = JournalEntry.objects.filter(person=person).order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["own_pin_changed", "own_password_changed", "own_pin_changed"]


@pytest.mark.parametrize(
    ("changed", "code", "journal"),
    [
        ({"old_pin": "000000"}, "wrong_pin", ["pin_wrong", "act_refused"]),
        ({"old_pin": ""}, "wrong_pin", ["pin_wrong", "act_refused"]),
        ({"new_pin": "12"}, "pin_malformed", ["act_refused"]),
        ({"new_pin": "111111"}, "pin_guessable", ["act_refused"]),
        ({"device": None}, "unknown_device", ["act_refused"]),
    ],
)
def test_a_pin_is_not_changed_otherwise(
    cast: Cast, changed: dict[str, Any], code: str, journal: list[str]
) -> None:
    call: dict[str, Any] = {
        "badge": "104",
        "old_pin": "104104",
        "new_pin": NEW_PIN,
        "device": cast.devices[Place.OFFICE],
    }
    with refused(code, journal=journal):
        change_own_pin(**(call | changed))


def test_the_same_pin_is_no_new_one(cast: Cast) -> None:
    device = cast.devices[Place.OFFICE]
    change_own_pin(badge="104", old_pin="104104", new_pin=NEW_PIN, device=device)
    with refused("pin_unchanged", journal=["act_refused"]):
        change_own_pin(badge="104", old_pin=NEW_PIN, new_pin=NEW_PIN, device=device)


@pytest.mark.parametrize(
    ("changed", "code", "journal"),
    [
        ({"old_password": "a guess"}, "wrong_password", ["password_wrong"]),
        ({"new_password": ""}, "password_missing", ["act_refused"]),
        ({"new_password": "short"}, "password_weak", ["act_refused"]),
        ({"new_password": PASSWORD}, "password_unchanged", ["act_refused"]),
    ],
)
def test_a_password_is_not_changed_otherwise(
    cast: Cast, changed: dict[str, Any], code: str, journal: list[str]
) -> None:
    device: Device = cast.devices[Place.OFFICE]
    call = {"badge": "104", "old_password": PASSWORD, "new_password": NEW_PASSWORD}
    with refused(code, journal=journal):
        change_own_password(**(call | changed), device=device)


def test_two_that_do_not_match_and_a_wrong_one_are_said_on_the_page(cast: Cast) -> None:
    client = signed_in(cast.dan, cast.devices[Place.PIT])
    form = {"old_pin": "104104", "new_pin": NEW_PIN, "new_pin_again": "000000"}
    answer = client.post("/me/", form)
    assert answer.status_code == 422
    assert "don’t match" in words(answer)
    form = {"old_password": "x", "new_password": NEW_PASSWORD, "new_password_again": NEW_PASSWORD}
    assert client.post("/me/", form).status_code == 422
    assert Person.objects.get(pk=cast.dan.pk).check_password(PASSWORD)


def test_nobody_changes_the_pin_of_another_from_their_own_page(cast: Cast) -> None:
    client = signed_in(cast.heidi, cast.devices[Place.OFFICE])
    before = Person.objects.get(pk=cast.dan.pk).pin_hash
    form = {"badge": "104", "old_pin": "108108", "new_pin": NEW_PIN, "new_pin_again": NEW_PIN}
    client.post("/me/", {**form, "person_badge": "104", "person_id": str(cast.dan.pk)})
    assert Person.objects.get(pk=cast.dan.pk).pin_hash == before
