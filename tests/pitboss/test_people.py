"""Acting roles, devices let in, exceptions explained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from pitboss.models import (
    ActingRole,
    Device,
    DeviceEnrolment,
    FloorException,
    JournalEntry,
    Person,
)
from pitboss.rules.roles import Place, Role
from pitboss.services import exceptions, house
from pitboss.services.devices import (
    NewDevice,
    device_by_token,
    enrol_device,
    offer_device,
    revoke_device,
)
from pitboss.services.exceptions import open_exception
from pitboss.services.explaining import resolve_exception
from pitboss.services.people import grant_acting_role
from tests.floor.cast import Cast, ServerClock, add_person, let_device_in, pin_of, refused

pytestmark = pytest.mark.django_db


def let_go(person: Person) -> None:
    Person.objects.filter(pk=person.pk).update(is_active=False)
    person.refresh_from_db()


# ------------------------------------------------------------------ acting roles


def grant(cast: Cast, to: str, role: Role, by: str = "heidi") -> ActingRole:
    granter = getattr(cast, by)
    return grant_acting_role(
        person_id=getattr(cast, to).pk,
        role=role,
        badge=granter.badge,
        pin=pin_of(granter.badge),
        device=cast.devices[Place.OFFICE],
    )


def test_a_shift_manager_grants_one_acting_role_at_a_time(
    cast: Cast, server_clock: ServerClock
) -> None:
    assert grant(cast, "dan", Role.SUPERVISOR).shift == "Day"
    with refused("already_acting", journal=["act_refused"]):
        grant(cast, "dan", Role.PIT_MANAGER)
    server_clock.move(hours=6)
    assert grant(cast, "dan", Role.PIT_MANAGER).shift == "Swing"


@pytest.mark.parametrize(
    ("to", "role", "by", "code"),
    [
        ("dan", Role.SUPERVISOR, "alice", "wrong_role"),
        ("dan", Role.PIT_MANAGER, "carol", "wrong_role"),
        ("carol", Role.SUPERVISOR, "carol", "wrong_role"),
        ("dan", Role.SUPERVISOR, "sybil", "wrong_role"),
        ("dan", Role.SUPERVISOR, "judy", "wrong_role"),
        ("heidi", Role.PIT_MANAGER, "heidi", "signed_before"),
        ("alice", Role.SHIFT_MANAGER, "heidi", "role_out_of_reach"),
        ("alice", Role.SUPERVISOR, "heidi", "role_out_of_reach"),
        ("alice", Role.CASHIER, "heidi", "role_out_of_reach"),
        ("judy", Role.DEALER, "heidi", "wrong_role"),
        ("ivan", Role.SURVEILLANCE_MANAGER, "heidi", "wrong_role"),
        ("dan", Role.SUPERVISOR, "vera", "wrong_role"),
    ],
)
def test_a52_nobody_else_grants_rank_and_the_attempt_is_journalled(
    cast: Cast, to: str, role: Role, by: str, code: str
) -> None:
    with refused(code, journal=["act_refused"]):
        grant(cast, to, role, by)
    assert JournalEntry.objects.get(kind="act_refused").person == getattr(cast, by)


def test_surveillance_is_granted_rank_by_its_own_manager(cast: Cast) -> None:
    assert grant(cast, "ivan", Role.SURVEILLANCE_MANAGER, "vera").granted_by == cast.vera


def test_whoever_left_is_granted_nothing_and_grants_nothing(cast: Cast) -> None:
    let_go(cast.dan)
    with refused("not_employed", journal=["act_refused"]):
        grant(cast, "dan", Role.SUPERVISOR)
    add_person("nina", "130", Role.SHIFT_MANAGER)
    let_go(cast.heidi)
    with refused("not_employed", journal=["act_refused"]):
        grant(cast, "dora", Role.SUPERVISOR)


def test_an_act_with_a_wrong_pin_is_journalled_as_such(cast: Cast) -> None:
    with refused("wrong_pin", journal=["pin_wrong", "act_refused"]):
        grant_acting_role(
            person_id=cast.dan.pk,
            role=Role.SUPERVISOR,
            badge="108",
            pin="1",
            device=cast.devices[Place.OFFICE],
        )


# ------------------------------------------------------------------ devices


def ask_for(cast: Cast, person: Person, new: NewDevice) -> DeviceEnrolment:
    office = cast.devices[Place.OFFICE]
    return offer_device(new=new, badge=person.badge, pin=pin_of(person.badge), device=office)


def test_a_device_enrols_itself_once_with_a_managers_code(cast: Cast) -> None:
    new = NewDevice(" Tablet 9 ", Place.PIT, cast.pit)
    code = let_device_in(cast, new, by=cast.carol, second=cast.alice)
    device, token = enrol_device(code=f"{code[:4]}-{code[4:].lower()} ")
    assert (device.name, device.place, device.pit) == ("Tablet 9", "pit", cast.pit)
    assert device_by_token(token) == device
    with refused("code_unknown", journal=[]):
        enrol_device(code=code)
    revoke_device(device_id=device.pk, actor=cast.judy)
    revoke_device(device_id=device.pk, actor=cast.judy)
    assert device_by_token(token) is None
    assert JournalEntry.objects.filter(kind="device_revoked").count() == 1


@pytest.mark.parametrize("token", ["", "guess", "\x00", "\ud800"])
def test_a_token_that_is_none_names_no_device(cast: Cast, token: str) -> None:
    assert device_by_token(token) is None


@pytest.mark.parametrize("code", ["", "AAAAAAAA", "\x00", "\ud800", None])
def test_a_code_that_is_none_enrols_nothing(cast: Cast, code: Any) -> None:
    with refused("code_unknown", journal=[]):
        enrol_device(code=code)


def test_a_code_holds_fifteen_minutes(cast: Cast, server_clock: ServerClock) -> None:
    new = NewDevice("Tablet 9", Place.CAGE)
    code = let_device_in(cast, new, by=cast.trent, second=cast.erin)
    server_clock.move(minutes=15, seconds=1)
    with refused("code_unknown", journal=[]):
        enrol_device(code=code)


def test_a_name_that_was_taken_in_the_meantime_is_refused(cast: Cast) -> None:
    codes = [
        let_device_in(cast, NewDevice("Tablet 9", Place.CAGE), by=cast.sybil, second=cast.erin)
        for _ in range(2)
    ]
    enrol_device(code=codes[0])
    with refused("name_taken", journal=[]):
        enrol_device(code=codes[1])


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"name": ""}, "name_malformed"),
        ({"name": "x" * 41}, "name_malformed"),
        ({"name": "a\x00"}, "name_malformed"),
        ({"name": "cage"}, "name_taken"),
        ({"place": Place.CAGE}, "pit_not_wanted"),
    ],
)
def test_a_device_is_not_offered_otherwise(cast: Cast, changed: dict[str, Any], code: str) -> None:
    call: dict[str, Any] = {"name": "Tablet 9", "place": Place.PIT, "pit": cast.pit}
    with refused(code, journal=["act_refused"]):
        ask_for(cast, cast.heidi, NewDevice(**(call | changed)))


@pytest.mark.parametrize("name", ["alice", "dan", "erin", "frank", "ivan", "olga"])
def test_only_a_manager_lets_devices_in_and_out(cast: Cast, name: str) -> None:
    actor = getattr(cast, name)
    with refused("wrong_role", journal=["act_refused"]):
        ask_for(cast, actor, NewDevice("Tablet 9", Place.PIT))
    with refused("wrong_role", journal=[]):
        revoke_device(device_id=cast.devices[Place.PIT].pk, actor=actor)


def test_a_manager_who_left_and_a_device_that_is_not_are_refused(cast: Cast) -> None:
    with refused("unknown_device", journal=[]):
        revoke_device(device_id=10**9, actor=cast.heidi)
    add_person("nina", "130", Role.SHIFT_MANAGER)
    let_go(cast.heidi)
    with refused("not_employed", journal=[]):
        revoke_device(device_id=cast.devices[Place.PIT].pk, actor=cast.heidi)


# ------------------------------------------------------------------ exceptions


@pytest.fixture
def trouble(cast: Cast) -> FloorException:
    return open_exception(
        code="count_differs",
        sentence="A count differs.",
        details={},
        at=house.now(),
        person=cast.dan,
        table=cast.table,
    )


def resolve(cast: Cast, trouble: FloorException, **changed: Any) -> FloorException:
    call: dict[str, Any] = {
        "exception_id": trouble.pk,
        "resolution": " Miscounted. ",
        "badge": "103",
        "pin": pin_of("103"),
        "request_id": uuid4(),
        "device": cast.devices[Place.OFFICE],
    }
    return resolve_exception(**(call | changed))


def test_an_exception_is_explained_once_by_whoever_answers_for_it(
    cast: Cast, trouble: FloorException
) -> None:
    resolved = resolve(cast, trouble)
    assert (resolved.resolved_by, resolved.resolution) == (cast.carol, "Miscounted.")
    assert not trouble.waits.filter(until=None).exists()
    assert resolve(cast, trouble) == trouble, "a second tap gets the first answer"
    with refused("already_resolved", journal=["act_refused"]):
        resolve(cast, trouble, resolution="Something else.")
    assert JournalEntry.objects.filter(kind="exception_resolved").count() == 1


def _outranked(cast: Cast, trouble: FloorException) -> None:
    FloorException.objects.filter(pk=trouble.pk).update(opened_by=cast.carol)


def _left(cast: Cast, trouble: FloorException) -> None:
    let_go(cast.carol)


def _put_out(cast: Cast, trouble: FloorException) -> None:
    Device.objects.filter(name="office").update(revoked_at="2020-01-01T00:00Z")


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"exception_id": 10**9}, "unknown_exception"),
        ({"badge": "101", "pin": "101101"}, "wrong_role"),
        ({"badge": "110", "pin": "110110"}, "wrong_role"),
        ({"resolution": "  "}, "reason_missing"),
        ({"resolution": "x" * 501}, "reason_too_long"),
        ({"resolution": "a\x00"}, "text_malformed"),
        ({"resolution": None}, "text_malformed"),
        ({"device": None}, "unknown_device"),
        (_outranked, "signed_before"),
        (_left, "not_employed"),
        (_put_out, "unknown_device"),
    ],
)
def test_an_exception_is_not_explained_otherwise(
    cast: Cast,
    trouble: FloorException,
    changed: dict[str, Any] | Callable[[Cast, FloorException], None],
    code: str,
) -> None:
    if not isinstance(changed, dict):
        changed(cast, trouble)
        changed = {}
    with refused(code, journal=["act_refused"]):
        resolve(cast, trouble, **changed)


def test_an_exception_is_answered_for_by_somebody_and_never_by_an_administrator() -> None:
    for roles in exceptions.ANSWERED_BY.values():
        assert roles
        assert Role.ADMINISTRATOR not in roles
