"""Passkeys: one act each, by its own person, on this site, once."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.utils import Error

from pitboss.models import FloorException, JournalEntry, Passkey, PasskeyChallenge, Person, Slip
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services.devices import (
    NewDevice,
    let_in,
    offer_device,
    offer_token,
    unlock_device,
)
from pitboss.services.passkeys import (
    Presented,
    act_hash,
    add_passkey,
    options_to_add,
    options_to_prove,
    passkeys_of,
    presenting,
    remove_passkey,
)
from pitboss.services.people import unlock_badge
from pitboss.services.pins import signed_act
from pitboss.services.verification import verify
from tests.authenticators import HOST, ORIGIN, SoftKey
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.house import change, propose

pytestmark = pytest.mark.django_db(transaction=True)

ACT = act_hash("/house/", {"request_id": ["1"], "shown": ["Wrong PINs: 4"]})
OTHER_ACT = act_hash("/house/", {"request_id": ["2"], "shown": ["Wrong PINs: 9"]})
SETTING = ("people.wrong_on_device", "4")
LEFT_BEHIND = {"pitboss.PasskeyChallenge"}


def presented(answer: str, act: str = ACT, origin: str = ORIGIN) -> Presented:
    return Presented(answer=answer, act_hash=act, host=HOST, origin=origin)


def challenge_for(person: Person, act: str = ACT) -> str:
    return str(json.loads(options_to_prove(person, covers=act, host=HOST))["challenge"])


def enroll(cast: Cast, person: Person, key: SoftKey | None = None) -> SoftKey:
    """Let a person add a passkey, signed with their own PIN."""
    key = key or SoftKey()
    challenge = json.loads(options_to_add(person, covers=ACT, host=HOST))["challenge"]
    device = cast.devices[Place.OFFICE]
    with (
        presenting(presented(key.made(challenge))),
        signed_act(
            act="add_passkey", badge=person.badge, pin=pin_of(person.badge), device=device
        ) as signer,
    ):
        add_passkey(signer, name="Key on my ring", device=device)
    return key


def propose_with(cast: Cast, answer: str, **more: str) -> Slip:
    with presenting(presented(answer, **more)):
        return propose(cast, *SETTING)


def test_a_setting_is_changed_with_a_passkey_by_a_person_who_has_one(cast: Cast) -> None:
    key = enroll(cast, cast.carol)
    with refused("passkey_needed"):
        propose(cast, *SETTING)
    slip = propose_with(cast, key.proof(challenge_for(cast.carol)))
    assert slip.pk
    used = JournalEntry.objects.get(kind="passkey_used")
    assert '"for":"settings"' in used.text
    assert FloorException.objects.filter(code="passkey_added").exists()
    assert verify().is_sound


def test_who_has_none_signs_as_before_until_the_house_says_otherwise(cast: Cast) -> None:
    change(cast, "passkey.having_none", "refuse")
    with refused("passkey_missing"):
        propose(cast, *SETTING)
    enroll(cast, cast.carol)


def test_a_house_may_ask_for_none(cast: Cast) -> None:
    change(cast, "passkey.settings", "no")
    enroll(cast, cast.carol)
    assert propose(cast, *SETTING).pk


def test_an_act_on_people_is_proven_too(cast: Cast) -> None:
    key = enroll(cast, cast.heidi)
    arguments: dict[str, Any] = {
        "badge": cast.dan.badge,
        "actor_badge": cast.heidi.badge,
        "actor_pin": pin_of(cast.heidi.badge),
        "device": cast.devices[Place.OFFICE],
    }
    with refused("passkey_needed", journal=["act_refused"]):
        unlock_badge(**arguments)
    with presenting(presented(key.proof(challenge_for(cast.heidi)))):
        unlock_badge(**arguments)


def test_an_act_on_devices_is_proven_too_as_the_house_says(cast: Cast) -> None:
    key = enroll(cast, cast.carol)
    second = enroll(cast, cast.alice)
    new = NewDevice("Pit 1 second tablet", Place.PIT, cast.pit)
    office = cast.devices[Place.OFFICE]

    def asked_by(person: Person) -> dict[str, Any]:
        return {"badge": person.badge, "pin": pin_of(person.badge), "device": office}

    with refused("passkey_needed", journal=["act_refused"]):
        offer_device(new=new, **asked_by(cast.carol))
    with presenting(presented(key.proof(challenge_for(cast.carol)))):
        offer = offer_device(new=new, **asked_by(cast.carol))
    with refused("passkey_needed", journal=["act_refused"]):
        let_in(offer_id=offer.pk, **asked_by(cast.alice))
    with presenting(presented(second.proof(challenge_for(cast.alice)))):
        assert let_in(offer_id=offer.pk, **asked_by(cast.alice))
    tablet = cast.devices[Place.PIT]
    with refused("passkey_needed", journal=["act_refused"]):
        offer_token(device_id=tablet.pk, **asked_by(cast.carol))
    enroll(cast, cast.heidi)
    with refused("passkey_needed", journal=["act_refused"]):
        unlock_device(device_id=tablet.pk, **asked_by(cast.heidi))


def test_a_house_may_ask_for_none_at_devices(cast: Cast) -> None:
    change(cast, "passkey.devices", "no")
    enroll(cast, cast.carol)
    device = cast.devices[Place.OFFICE]
    pin = pin_of(cast.carol.badge)
    tablet = cast.devices[Place.PIT]
    assert offer_token(device_id=tablet.pk, badge=cast.carol.badge, pin=pin, device=device).pk


REFUSED: dict[str, Callable[[Cast, SoftKey], tuple[str, dict[str, str]]]] = {
    "passkey_other_act": lambda cast, key: (
        key.proof(challenge_for(cast.carol)),
        {"act": OTHER_ACT},
    ),
    "passkey_wrong": lambda cast, key: (
        key.proof(challenge_for(cast.carol), origin="https://pit.example.net"),
        {},
    ),
    "passkey_of_another": lambda cast, key: (
        enroll(cast, cast.heidi).proof(challenge_for(cast.carol)),
        {},
    ),
    "passkey_malformed": lambda cast, key: ("{}", {}),
}


@pytest.mark.parametrize("code", REFUSED)
def test_an_answer_for_another_act_site_or_person_proves_nothing(cast: Cast, code: str) -> None:
    answer, more = REFUSED[code](cast, enroll(cast, cast.carol))
    with refused(code, ignoring=LEFT_BEHIND):
        propose_with(cast, answer, **more)


def test_another_persons_challenge_is_refused(cast: Cast) -> None:
    key = enroll(cast, cast.carol)
    answer = key.proof(challenge_for(cast.heidi))
    with refused("passkey_other_act", ignoring=LEFT_BEHIND):
        propose_with(cast, answer)


def test_another_site_with_the_right_name_is_refused(cast: Cast) -> None:
    key = enroll(cast, cast.carol)
    answer = key.proof(challenge_for(cast.carol), host="example.net")
    with refused("passkey_wrong", ignoring=LEFT_BEHIND):
        propose_with(cast, answer)


def test_an_answer_is_used_once_and_not_for_long(cast: Cast, server_clock: ServerClock) -> None:
    key = enroll(cast, cast.carol)
    answer = key.proof(challenge_for(cast.carol))
    propose_with(cast, answer)
    with refused("passkey_other_act"):
        propose_with(cast, answer)
    late = key.proof(challenge_for(cast.carol))
    server_clock.move(minutes=3)
    with refused("passkey_other_act"):
        propose_with(cast, late)


def test_a_key_whose_count_goes_back_is_a_copy(cast: Cast) -> None:
    key = enroll(cast, cast.carol)
    key.count = 7
    propose_with(cast, key.proof(challenge_for(cast.carol)))
    key.count = 3
    with refused("passkey_wrong", ignoring=LEFT_BEHIND):
        propose_with(cast, key.proof(challenge_for(cast.carol)))


def test_a_refused_act_has_used_its_answer_up(cast: Cast) -> None:
    key = enroll(cast, cast.carol)
    answer = key.proof(challenge_for(cast.carol), origin="https://pit.example.net")
    for code in ("passkey_wrong", "passkey_other_act"):
        with pytest.raises(Refused) as caught:
            propose_with(cast, answer)
        assert caught.value.codes == (code,) or list(caught.value.codes) == [code]


def remove(cast: Cast, of: Person, by: Person, witness: Person | None = None) -> None:
    device = cast.devices[Place.OFFICE]
    [key] = passkeys_of(of)
    with signed_act(
        act="remove_own_passkey", badge=by.badge, pin=pin_of(by.badge), device=device
    ) as signer:
        remove_passkey(key.pk, by=signer, witness=witness, device=device)


def test_a_passkey_is_removed_by_its_person_and_proves_nothing_then(cast: Cast) -> None:
    key = enroll(cast, cast.carol)
    answer = key.proof(challenge_for(cast.carol))
    remove(cast, cast.carol, cast.carol)
    assert passkeys_of(cast.carol) == []
    assert Passkey.objects.filter(person=cast.carol).exists(), "its record stays"
    enroll(cast, cast.carol)
    with refused("passkey_of_another", ignoring=LEFT_BEHIND):
        propose_with(cast, answer)
    assert FloorException.objects.filter(code="passkey_removed").exists()


def test_two_others_who_outrank_its_person_remove_a_passkey(cast: Cast) -> None:
    enroll(cast, cast.carol)
    with refused("two_people", journal=["act_refused"]):
        remove(cast, cast.carol, cast.heidi)
    with refused("two_people", journal=["act_refused"]):
        remove(cast, cast.carol, cast.heidi, witness=cast.heidi)
    with refused("two_people", journal=["act_refused"]):
        remove(cast, cast.carol, cast.heidi, witness=cast.carol)
    with refused("wrong_role", journal=["act_refused"]):
        remove(cast, cast.carol, cast.heidi, witness=cast.alice)
    remove(cast, cast.carol, cast.heidi, witness=cast.mike)
    assert passkeys_of(cast.carol) == []


def test_a_passkey_that_sql_removed_or_changed_is_found_out(cast: Cast) -> None:
    enroll(cast, cast.carol)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE pitboss_passkey SET removed_at = added_at, version = version + 1")
    with pytest.raises(Refused) as caught:
        propose(cast, *SETTING)
    assert "record_altered" in caught.value.codes


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM pitboss_passkey",
        "UPDATE pitboss_passkey SET sign_count = 0, version = 1",
        "UPDATE pitboss_passkey SET seal = ''",
    ],
)
def test_the_database_keeps_passkeys_as_they_were_written(cast: Cast, statement: str) -> None:
    key = enroll(cast, cast.carol)
    propose_with(cast, key.proof(challenge_for(cast.carol)))
    with pytest.raises(Error), connection.cursor() as cursor:
        cursor.execute(statement)


def test_secrets_are_no_part_of_what_is_covered() -> None:
    plain = {"request_id": ["1"], "witness_badge": ["2001"]}
    secret = {"pin": ["1"], "witness_pin": ["2"], "new_password": ["3"], "passkey": ["4"]}
    assert act_hash("/x", plain) == act_hash("/x", {**plain, **secret})
    assert act_hash("/x", plain) != act_hash("/x", {**plain, "shown": ["other"]})
    assert act_hash("/x", plain) != act_hash("/y", plain)


def test_challenges_that_nobody_answered_go(cast: Cast, server_clock: ServerClock) -> None:
    enroll(cast, cast.carol)
    challenge_for(cast.carol)
    server_clock.move(minutes=3)
    challenge_for(cast.carol)
    assert PasskeyChallenge.objects.filter(person=cast.carol, used_at=None).count() == 1
