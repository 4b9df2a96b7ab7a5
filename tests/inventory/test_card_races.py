"""Cards under two hands at once, each held between its reading and its writing."""

from __future__ import annotations

import pytest

from inventory.kinds import card_batches, card_cancellation, card_to_table
from inventory.kinds.card_batches import CARD_ISSUE as ISSUE
from inventory.models import CardMove, CardPlace
from pitboss.rules.refusal import Refused
from pitboss.services.verification import verify
from tests.floor.cards import (
    IN_PLAY,
    begin,
    begin_bagging,
    bring,
    in_pit,
    put_on,
    receive_cards,
    vault,
)
from tests.floor.cast import make_cast
from tests.races import at_once, hold_before, refusals

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_tablets_that_scan_one_set_have_one_winner_and_the_other_reads_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cast = make_cast()
    (number,) = in_pit(cast)
    hold_before(monkeypatch, card_to_table, "bringing_refusals")
    results = at_once(
        lambda: bring(cast, number),
        lambda: bring(cast, number, table=cast.other_table, by=cast.bob),
    )
    assert refusals(results) == [("card_elsewhere",)]
    place = CardPlace.objects.select_related("table").get(card_set__number=number)
    assert CardMove.objects.filter(card_set__number=number, act="to_table").count() == 1
    loser = cast.other_table if place.table == cast.table else cast.table
    with pytest.raises(
        Refused, match=f"is in the shuffler of {place.table}. It cannot go to {loser}"
    ):
        bring(cast, number, table=loser)
    assert verify().is_sound


def test_two_slips_cannot_take_one_set_out_of_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    cast = make_cast()
    numbers = receive_cards(cast)
    vault(cast, numbers)
    hold_before(monkeypatch, card_batches, "facts_of")
    results = at_once(
        lambda: begin(cast, ISSUE, numbers, pit=cast.pit),
        lambda: begin(cast, ISSUE, numbers, pit=cast.pit, by=cast.alice),
    )
    ((codes,)) = refusals(results)
    assert codes[0] in ("card_slip_open", "stale_screen")


def test_two_bags_with_one_number_are_one_bag(monkeypatch: pytest.MonkeyPatch) -> None:
    """At two tables, whose locks do not keep them apart: the desk's lock and the index do."""
    cast = make_cast()
    one, two = in_pit(cast, sets=2)
    put_on(cast, one, IN_PLAY)
    slip = bring(cast, two, IN_PLAY, table=cast.other_table)
    cast.sign(slip, "inspected", cast.dora)
    hold_before(monkeypatch, card_cancellation, "cancelling_refusals")
    results = at_once(
        lambda: begin_bagging(cast, one, "B-0001", counted=312),
        lambda: begin_bagging(
            cast, two, "B-0001", counted=312, table=cast.other_table, by=cast.dora
        ),
    )
    assert refusals(results) == [("bag_used",)]
