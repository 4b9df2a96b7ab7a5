"""Cards that were vaulted, brought to a table, or canceled on paper in an outage."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from inventory.models import CardMove, CardPlace
from inventory.services.cards import move_set, place_of
from pitboss.models import FloorException, PaperFormEnd, Slip, Table
from pitboss.rules.cards.sets import CardAct, CardState
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.services.verification import verify
from pitboss.slips.kind import Kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.late_cards import (
    LATE_CARD_CANCELLATION,
    LATE_CARD_VAULTING,
    LATE_CARDS_TO_TABLE,
)
from tests.floor.cards import in_pit, put_on, receive_cards, seal_of, state_of, uses_cards
from tests.floor.cast import Cast, refused
from tests.floor.outages import ready

pytestmark = pytest.mark.django_db(transaction=True)


def late(cast: Cast, kind: Kind, at: datetime, *, number: str = "", **given: Any) -> Slip:
    """Enter a form about cards as Alice."""
    assert kind.on_paper is not None
    table = Table.objects.get(pk=cast.table.pk) if kind.at_a_table else None
    paper = kind.at(
        table,
        {},
        paper_number=number or ready(cast, kind.on_paper.code, at),
        true_time=at.isoformat(),
        signers="A. Aliceson, D. Danson",
        **given,
    )
    return raise_kind(paper, pen=cast.pen(cast.alice), shown=shown_before(paper))


def compared(cast: Cast, slip: Slip) -> Slip:
    cast.sign(slip, "approved", cast.carol)
    slip.refresh_from_db()
    return slip


def bring(cast: Cast, one: str, slot: str = "shuffler", **given: Any) -> Slip:
    fields = {"set": one, "seal": seal_of(one), "slot": slot, **given}
    return late(cast, LATE_CARDS_TO_TABLE, house.now(), **fields)


def cancel(cast: Cast, one: str, **given: Any) -> Slip:
    fields = {"set": one, "bag": "B-1001", "taken_from": "shuffler", "counted": 312, **given}
    return late(cast, LATE_CARD_CANCELLATION, house.now(), **fields)


def test_sets_that_were_vaulted_on_paper_are_in_the_store_under_their_seals(cast: Cast) -> None:
    first, second = receive_cards(cast)
    slip = late(cast, LATE_CARD_VAULTING, house.now(), seals=f"{first} 88-1, {second.lower()} 88-2")
    assert state_of(first) == "received", "nothing moves before it is compared"
    compared(cast, slip)
    found = CardPlace.objects.filter(card_set__number__in=[first, second]).order_by("card_set")
    assert [(card_place.state, card_place.seal) for card_place in found] == [
        ("vaulted", "88-1"),
        ("vaulted", "88-2"),
    ]
    assert PaperFormEnd.objects.get(slip=slip).how == "entered"
    assert verify().is_sound


def test_cards_that_came_and_went_on_paper_are_bagged_in_that_order(cast: Cast) -> None:
    uses_cards(cast.table)
    (number,) = in_pit(cast)
    form = ready(cast, "CX", house.now())
    with refused("card_elsewhere"):
        cancel(cast, number, number=form)
    compared(cast, bring(cast, number))
    place = place_of(number)
    assert (place.state, place.table, place.is_inspected) == ("shuffler", cast.table, True)
    compared(cast, cancel(cast, number))
    acts = list(CardMove.objects.filter(card_set=place.card_set).values_list("act", flat=True))
    assert acts[-5:] == ["to_table", "inspected", "removed", "cancelled", "bagged"]
    assert (state_of(number), place_of(number).bag) == ("bagged", "B-1001")
    assert verify().is_sound


def test_a_set_that_was_counted_short_on_paper_is_held(cast: Cast) -> None:
    uses_cards(cast.table)
    (number,) = in_pit(cast)
    put_on(cast, number)
    slip = compared(cast, cancel(cast, number, counted=311))
    assert state_of(number) == "held"
    assert FloorException.objects.get(slip=slip, code="card_count").details["counted"] == 311


def test_a_set_that_was_counted_short_as_it_came_is_held_and_not_on_the_game(cast: Cast) -> None:
    uses_cards(cast.table)
    (number,) = in_pit(cast)
    slip = compared(cast, bring(cast, number, counted=311))
    assert (state_of(number), place_of(number).table) == ("held", None)
    assert FloorException.objects.get(slip=slip, code="card_count").details["counted"] == 311
    assert PaperFormEnd.objects.get(slip=slip).how == "entered"


def test_what_does_not_fit_is_refused_with_every_reason(cast: Cast) -> None:
    uses_cards(cast.table)
    (number,) = in_pit(cast)
    at = house.now()
    numbers = {code: ready(cast, code, at) for code in ("CD", "CX", "CV")}
    with refused("seal_differs"):
        bring(cast, number, seal="99-99", number=numbers["CD"])
    with refused("card_elsewhere"):
        late(cast, LATE_CARD_VAULTING, at, seals=f"{number} 88-3", number=numbers["CV"])
    put_on(cast, number)
    with refused("bag_malformed"):
        cancel(cast, number, bag="!", number=numbers["CX"])
    with pytest.raises(Refused, match="followed by its seal"):
        late(cast, LATE_CARD_VAULTING, at, seals=number, number=numbers["CV"])
    with pytest.raises(Refused, match="not found"):
        cancel(cast, "06-R-9999", number=numbers["CX"])


def test_past_the_service_no_card_moves_on_a_late_slip_that_nobody_compared(cast: Cast) -> None:
    uses_cards(cast.table)
    (number,) = in_pit(cast)
    slip = bring(cast, number)
    with pytest.raises(DatabaseError, match="nobody signed"), transaction.atomic():
        move_set(place_of(number), CardAct.PUT_BACK, CardState.VAULTED, slip=slip, at=house.now())
