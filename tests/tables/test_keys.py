"""Sensitive keys: drawn by custodian and takers, kept apart, back in time (A150)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from pitboss.models import FloorException, Person, Slip
from pitboss.rules.floor.keys import KEYS
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.key_draw import KEY_DRAW
from tables.kinds.key_inventory import KEY_INVENTORY
from tables.models import KeyTaken
from tables.services.keys import find_late_keys
from tables.services.open_items import open_items
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.count_sessions import open_session
from tests.floor.tablets import signed_in, words
from tests.races import at_once
from tests.tables.test_count_sessions import pulled

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("server_clock")]


def hand_out(cast: Cast, key: str, by: Person, back_by: str = "") -> Slip:
    given: dict[str, Any] = {"key": KEYS[key], **({"back_by": back_by} if back_by else {})}
    draw = KEY_DRAW.at(**given)
    return raise_kind(draw, pen=cast.pen(by, Place.OFFICE), shown=shown_before(draw))


def take(cast: Cast, slip: Slip, *people: Person) -> None:
    for step, person in zip(("taken", "taken_too"), people, strict=False):
        cast.sign(slip, step, person, Place.OFFICE)


def session_of(cast: Cast) -> Slip:
    pulled(cast)
    return open_session(cast)


def test_a150_a_key_is_drawn_by_custodian_and_takers_and_comes_back(cast: Cast) -> None:
    slip = hand_out(cast, "release", cast.frank)
    take(cast, slip, cast.grace, cast.alice)
    assert {row.person for row in KeyTaken.objects.all()} == {cast.grace, cast.alice}
    with refused("key_out"):
        hand_out(cast, "release", cast.frank)
    assert any(slip.serial in item.sentence for item in open_items(slip.gaming_day))
    cast.sign(slip, "returned", cast.frank, Place.OFFICE)
    assert Slip.objects.get(pk=slip.pk).status == "done"
    hand_out(cast, "release", cast.frank)
    assert verify().is_sound


def test_a150_who_had_the_release_key_does_not_get_the_contents(cast: Cast) -> None:
    session_of(cast)
    slip = hand_out(cast, "release", cast.frank)
    take(cast, slip, cast.grace, cast.alice)
    cast.sign(slip, "returned", cast.frank, Place.OFFICE)
    contents = hand_out(cast, "contents", cast.erin)
    with refused("not_a_taker", "had_other_key"):
        take(cast, contents, cast.grace)
    row = KeyTaken(
        slip=contents,
        key="contents",
        person=cast.grace,
        gaming_day=slip.gaming_day,
        at=house.now(),
    )
    with pytest.raises(DatabaseError, match="had its counterpart"), transaction.atomic():
        row.save()
    take(cast, contents, cast.paul, cast.quinn)


def test_a150_the_next_gaming_day_forgets(cast: Cast, server_clock: ServerClock) -> None:
    slip = hand_out(cast, "release", cast.frank)
    take(cast, slip, cast.grace, cast.alice)
    server_clock.move(days=1)
    day = house.period_at(house.now()).gaming_day
    assert not KeyTaken.objects.filter(gaming_day=day).exists()
    cast.sign(slip, "returned", cast.frank, Place.OFFICE)
    take(cast, hand_out(cast, "release", cast.frank), cast.grace, cast.alice)


def test_a150_contents_only_with_a_session(cast: Cast) -> None:
    with refused("no_count_session"):
        hand_out(cast, "contents", cast.erin)
    row = KeyTaken(
        slip=hand_out(cast, "lids", cast.carol),
        key="contents",
        person=cast.paul,
        gaming_day=house.period_at(house.now()).gaming_day,
        at=house.now(),
    )
    with pytest.raises(DatabaseError, match="no count session"), transaction.atomic():
        row.save()


@pytest.mark.parametrize(
    ("key", "by", "takers", "code"),
    [
        ("release", "carol", (), "not_the_custodian"),
        ("contents", "frank", (), "not_the_custodian"),
        ("release", "frank", ("dan",), "wrong_role"),
        ("release", "frank", ("grace", "frank"), "signed_before"),
        ("lids", "carol", ("grace",), "not_a_taker"),
    ],
)
def test_a150_the_wrong_hands_are_refused(
    cast: Cast, key: str, by: str, takers: tuple[str, ...], code: str
) -> None:
    session_of(cast)
    if not takers:
        with refused(code):
            hand_out(cast, key, getattr(cast, by))
        return
    slip = hand_out(cast, key, getattr(cast, by))
    people = [getattr(cast, name) for name in takers]
    for step, person in zip(("taken", "taken_too"), people[:-1], strict=False):
        cast.sign(slip, step, person, Place.OFFICE)
    with refused(code):
        cast.sign(slip, ("taken", "taken_too")[len(people) - 1], people[-1], Place.OFFICE)


def test_a150_two_custodians_hand_a_key_out_once(cast: Cast) -> None:
    results = at_once(
        lambda: hand_out(cast, "trolley", cast.frank),
        lambda: hand_out(cast, "trolley", cast.grace),
    )
    assert sorted(isinstance(result, Slip) for result in results) == [False, True]


def test_a150_a_key_due_at_six_alarms_three_people_at_16_past(
    cast: Cast, server_clock: ServerClock
) -> None:
    server_clock.move(hours=-4)  # 05:00 in New York.
    slip = hand_out(cast, "release", cast.frank, back_by="06:00")
    take(cast, slip, cast.grace, cast.alice)
    server_clock.move(minutes=75)
    find_late_keys(now=house.now())
    assert not FloorException.objects.filter(slip=slip).exists()
    server_clock.move(minutes=1)
    find_late_keys(now=house.now())
    find_late_keys(now=house.now())
    alarms = {
        floor_exception.code: floor_exception.waits.get().by
        for floor_exception in FloorException.objects.filter(slip=slip)
    }
    assert alarms == {
        "key_late": ["shift_manager"],
        "key_late_custodian": ["security"],
        "key_late_security": ["security"],
    }
    page = words(signed_in(cast.heidi, cast).get(reverse("keys")))
    assert "Late" in page
    assert str(cast.grace) in page


def test_the_custodian_of_contents_is_the_cage(cast: Cast, server_clock: ServerClock) -> None:
    session_of(cast)
    slip = hand_out(cast, "contents", cast.erin, back_by="10:00")
    take(cast, slip, cast.paul, cast.quinn)
    server_clock.move(minutes=76)
    find_late_keys(now=house.now())
    told = FloorException.objects.get(code="key_late_custodian")
    assert told.waits.get().by == ["cashier", "cage_manager", "accounting"]


def test_a_slip_is_voided_while_the_key_hangs(cast: Cast) -> None:
    slip = hand_out(cast, "lids", cast.carol)
    entry = Entry(reason="Not needed.")
    cast.sign(slip, "voided", cast.carol, Place.OFFICE, entry=entry, track=Track.VOID)
    hand_out(cast, "lids", cast.carol)


def test_two_departments_count_the_keys_every_three_months(
    cast: Cast, server_clock: ServerClock
) -> None:
    found = dict.fromkeys(KEYS, "here")
    with refused("key_not_counted"):
        count_keys(cast, {**found, "lids": "gone"})
    slip = count_keys(cast, {**found, "stand": "missing"})
    with refused("count_under_way"):
        count_keys(cast, found)
    cast.sign(slip, "verified", cast.trent, Place.OFFICE)
    missing = FloorException.objects.get(code="key_missing")
    assert "Pit stand" in missing.sentence
    find_late_keys(now=house.now())
    server_clock.move(days=92)
    find_late_keys(now=house.now())
    assert FloorException.objects.filter(code="key_inventory_due").count() == 1
    assert verify().is_sound


def count_keys(cast: Cast, found: dict[str, str]) -> Slip:
    count = KEY_INVENTORY.at(key=found)
    return raise_kind(count, pen=cast.pen(cast.frank, Place.OFFICE), shown=shown_before(count))


def test_the_board_of_hooks(cast: Cast) -> None:
    slip = hand_out(cast, "lids", cast.carol)
    take(cast, slip, cast.alice)
    client = signed_in(cast.frank, cast)
    page = words(client.get(reverse("keys")))
    assert all(key.title in page for key in KEYS.values())
    assert str(cast.alice) in page
    html = client.get(reverse("keys")).content.decode()
    assert new_url("key_draw", key="release") in html
    assert new_url("key_draw", key="contents") not in html, "security is not its custodian"
    assert "Back by" in words(client.get(new_url("key_draw", key="release")))
    assert client.get(new_url("key_draw", key="moon")).status_code == 404
    counting = client.get(new_url("key_inventory")).content.decode()
    assert counting.count('type="radio"') == 3 * len(KEYS)
