"""A seal or a bag that was written down wrong is corrected by two who did not sign the slip."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from inventory.models import CardMove, CardPlace
from pitboss.rules.roles import Place, Role
from pitboss.services.verification import verify
from tests.floor.cards import IN_PLAY, bag, in_pit, put_on, receive_cards, seal_of, vault
from tests.floor.cast import Cast, ServerClock, add_person, refused
from tests.floor.corrections import approve, propose
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db(transaction=True)
KIND = "card_correction"


def test_a_seal_is_corrected_where_the_set_lies_and_corrected_again(
    cast: Cast, server_clock: ServerClock
) -> None:
    first, second = receive_cards(cast)
    slip = vault(cast, [first, second])
    slip.refresh_from_db()
    server_clock.move(hours=1)
    sup, pit = add_person("sue", "961", Role.SUPERVISOR), add_person("pam", "962", Role.PIT_MANAGER)
    since = CardPlace.objects.get(card_set__number=first).since
    with refused("signed_original"):
        propose(cast, KIND, slip, seal={first: "77-9001"})
    for code, seal in (
        ("nothing_changes", seal_of(first)),
        ("bad_mark", "?"),
        ("mark_used", seal_of(second)),
    ):
        with refused(code):
            propose(cast, KIND, slip, by=sup, seal={first: seal})
    tablet = signed_in(sup, cast, Place.PIT)
    address = f"/slips/new/{KIND}/?of={slip.serial}"
    assert address in words(tablet.get(f"/slips/{slip.serial}/"))
    assert f"Seal of {first}" in words(tablet.get(address))
    assert "77-9001" in words(tablet.post(address, {f"seal_{first}": "77-9001"}))
    correction = propose(cast, KIND, slip, by=sup, seal={first: "77-9001"})
    with refused("already_corrected", "card_slip_open"):
        propose(cast, KIND, slip, by=sup, seal={first: "77-9002"})
    approve(cast, correction, pit)
    place = CardPlace.objects.get(card_set__number=first)
    assert (place.state, place.seal, place.since) == ("vaulted", "77-9001", since)
    others = (
        add_person("sal", "963", Role.SUPERVISOR),
        add_person("pia", "964", Role.PIT_MANAGER),
    )
    # The other set was wrong too: the chain says both as they are now.
    again = propose(cast, KIND, correction, by=others[0], seal={second: "77-9003"})
    assert again.details["lines"] == [
        [f"Seal of {first}", "77-9001", "77-9001"],
        [f"Seal of {second}", seal_of(second), "77-9003"],
    ]
    approve(cast, again, others[1])
    assert CardPlace.objects.get(card_set__number=second).seal == "77-9003"
    newest = CardMove.objects.filter(card_set__number=first).latest("sequence")
    newest.pk, newest.sequence, newest.seal = None, newest.sequence + 1, "77-9003"
    newest.slip = again
    with pytest.raises(DatabaseError, match="of another set"), transaction.atomic():
        newest.save(force_insert=True)
    assert verify().is_sound


def test_a_bag_of_cancelled_cards_is_corrected_and_they_stay_cancelled(cast: Cast) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number, IN_PLAY)
    slip = bag(cast, number, "B-0001")
    slip.refresh_from_db()
    sup, pit = add_person("sue", "961", Role.SUPERVISOR), add_person("pam", "962", Role.PIT_MANAGER)
    approve(cast, propose(cast, KIND, slip, by=sup, bag={number: "B-0010"}), pit)
    place = CardPlace.objects.get(card_set__number=number)
    assert (place.state, place.bag) == ("bagged", "B-0010")
    assert verify().is_sound
