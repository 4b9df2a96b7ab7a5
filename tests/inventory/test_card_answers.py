"""What the cards answer: stock, par, passport, a table at a minute, and whether they come out."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from inventory.kinds.card_inventory import CARD_INVENTORY
from inventory.models import CardSet
from inventory.selectors.card_stock import is_due, reckoning_of, stock_against_par
from inventory.selectors.cards import (
    change_guide,
    needs_somebody,
    passport_of,
    sets_at,
    stock,
    too_long_in_use,
)
from pitboss.models import FloorException, Slip, Waiting
from pitboss.rules.cards.stock import Back
from pitboss.services import house
from pitboss.slips.raising import raise_kind, shown_before
from tables.services.open_items import open_items
from tests.floor.cards import (
    IN_PLAY,
    SHUFFLER,
    TEN_RED,
    bag,
    bring,
    collect,
    destroy,
    hold,
    in_pit,
    put_on,
    receive_cards,
    uses_cards,
    vault,
)
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change

pytestmark = pytest.mark.django_db


def count(cast: Cast, found: dict[Back, int]) -> Slip:
    counted = CARD_INVENTORY.at(found=found)
    slip = raise_kind(counted, pen=cast.pen(cast.alice), shown=shown_before(counted))
    cast.sign(slip, "verified", cast.ruth)
    slip.refresh_from_db()
    return slip


def reckoned() -> dict[Back, tuple[int, ...]]:
    now = house.now()
    return {
        (row.colour, row.decks): (
            row.opening,
            row.received,
            row.cancelled,
            row.destroyed,
            row.on_hand,
        )
        for row in reckoning_of(house.period_at(now).gaming_day, now)
    }


def test_a39_cards_that_do_not_come_out_open_an_exception_that_the_close_of_the_day_shows(
    cast: Cast, server_clock: ServerClock
) -> None:
    one, _ = in_pit(cast, sets=2)
    server_clock.move(days=1)
    in_pit(cast, sets=3)
    put_on(cast, one, IN_PLAY)
    bag(cast, one, "B-0001")
    assert reckoned() == {("red", 6): (2, 3, 1, 0, 4)}
    server_clock.move(minutes=5)
    assert count(cast, {("red", 6): 4}).status == "done"
    assert not FloorException.objects.filter(code="card_stock").exists()
    server_clock.move(minutes=5)
    count(cast, {("red", 6): 3})
    trouble = FloorException.objects.get(code="card_stock")
    assert "2 + 3 − 1 − 0 = 4 expected, 3 on hand" in trouble.sentence
    assert set(Waiting.objects.get(exception=trouble).by) == {"shift_manager", "accounting"}
    day = house.period_at(house.now()).gaming_day
    assert f"exception:{trouble.pk}" in {item.key for item in open_items(day)}
    assert reckoned() == {("red", 6): (2, 3, 1, 0, 3)}


def test_a39_a_back_that_nobody_found_or_that_nobody_knows_is_told_too(
    cast: Cast, server_clock: ServerClock
) -> None:
    in_pit(cast, sets=2)
    server_clock.move(minutes=5)
    count(cast, {("blue", 8): 1})
    lines = FloorException.objects.get(code="card_stock").details["lines"]
    assert lines == [["blue", 8, 0, 1], ["red", 6, 2, 0]]


def test_one_inventory_at_a_time_by_two_departments(cast: Cast) -> None:
    counted = CARD_INVENTORY.at(found={("red", 6): 2})
    slip = raise_kind(counted, pen=cast.pen(cast.alice), shown=shown_before(counted))
    with refused("count_under_way"):
        count(cast, {("red", 6): 3})
    with refused("wrong_role"):
        cast.sign(slip, "verified", cast.bob)
    cast.sign(slip, "verified", cast.frank)
    with refused("sets_out_of_range"):
        count(cast, {})
    with refused("sets_out_of_range"):
        count(cast, {("red", 6): -1})


def test_all_cards_are_counted_each_quarter(cast: Cast, server_clock: ServerClock) -> None:
    assert not is_due(house.now()), "there is nothing to count"
    receive_cards(cast)
    assert is_due(house.now())
    server_clock.move(minutes=1)
    count(cast, {("red", 6): 2})
    server_clock.move(days=90)
    assert not is_due(house.now())
    server_clock.move(days=1)
    assert is_due(house.now())
    assert "Count all cards." in {trouble.bold for trouble in needs_somebody(house.now())}


def test_the_stock_says_how_many_lie_where(cast: Cast, server_clock: ServerClock) -> None:
    red = in_pit(cast, sets=5)
    receive_cards(cast, replace(TEN_RED, colour="blue", decks=8, invoiced=1, found=1))
    for index, number in enumerate(red[:3]):
        put_on(cast, number, IN_PLAY)
        if index < 2:
            bag(cast, number, f"B-000{index}")
        else:
            hold(cast, number)
    collect(cast, red[:1])
    rows = {(row.colour, row.decks): row.counts for row in stock()}
    assert rows == {("blue", 8): (1, 0, 0, 0, 0, 0), ("red", 6): (0, 2, 0, 1, 1, 1)}
    server_clock.move(days=7)
    destroy(cast, red[:1])
    assert {row.total for row in stock()} == {1, 4}
    assert any("is on hold as evidence" in trouble.bold for trouble in needs_somebody(house.now()))


def test_pits_below_par_are_told_what_to_bring_and_nothing_is_promised_twice(cast: Cast) -> None:
    change(cast, "cards.par", "Pit 1: 3 red of 6\nPit 2: 2 red of 6\nPit 1: 1 blue of 6")
    in_pit(cast, sets=1)
    vault(cast, receive_cards(cast, replace(TEN_RED, invoiced=3, found=3)))
    lines = stock_against_par(house.now())
    assert [(line.pit, line.held, line.short, line.can_bring) for line in lines] == [
        ("Pit 1", 1, 2, 2),
        ("Pit 2", 0, 2, 1),
        ("Pit 1", 0, 1, 0),
    ]


def test_a_passport_tells_every_step_with_the_hands_that_did_it(cast: Cast) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number, IN_PLAY)
    bag(cast, number, "B-0091")
    lines = passport_of(CardSet.objects.get(number=number))
    assert [line.title for line in lines] == [
        "Received",
        "Vaulted and sealed",
        "To the pit",
        "To the table",
        "Inspected",
        "Off the game",
        "Canceled",
        "Bagged",
    ]
    assert "A. Aliceson TG-101 + F. Frankson TG-106" in lines[0].words
    assert "BJ-11, in play, seal 77-R-0001" in lines[3].words
    assert "bag B-0091" in lines[-1].words


def test_which_sets_were_on_a_table_at_a_minute(cast: Cast, server_clock: ServerClock) -> None:
    (red,) = in_pit(cast)
    (blue,) = in_pit(cast, "blue")
    began = house.now()
    server_clock.move(minutes=10)
    put_on(cast, red)
    server_clock.move(minutes=10)
    put_on(cast, blue, IN_PLAY)
    server_clock.move(minutes=10)
    bag(cast, red, "B-0001", SHUFFLER, shuffler_shows=312)

    def at(minutes: int) -> dict[str, str]:
        moves = sets_at(cast.table, began + timedelta(minutes=minutes))
        return {move.card_set.number: move.target for move in moves}

    assert at(9) == {}
    assert at(10) == {red: "shuffler"}
    assert at(29) == {red: "shuffler", blue: "in_play"}
    assert at(30) == {blue: "in_play"}
    assert sets_at(cast.other_table, house.now()) == []


def test_sets_in_use_for_longer_than_the_house_allows_are_listed(
    cast: Cast, server_clock: ServerClock
) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number)
    server_clock.move(hours=24)
    assert too_long_in_use(house.now()) == []
    server_clock.move(seconds=1)
    assert [place.card_set.number for place in too_long_in_use(house.now())] == [number]
    assert any("is in use for 24 h" in trouble.bold for trouble in needs_somebody(house.now()))
    bag(cast, number, "B-0001", SHUFFLER, shuffler_shows=312)
    assert too_long_in_use(house.now()) == []


def test_a_change_of_day_is_followed_step_by_step(cast: Cast, server_clock: ServerClock) -> None:
    uses_cards(cast.table)
    old_red, new_red = in_pit(cast, sets=2)
    old_blue, new_blue = in_pit(cast, "blue", sets=2)
    put_on(cast, old_red)
    put_on(cast, old_blue, IN_PLAY)

    def states() -> str:
        return "".join(step.state[0] for step in change_guide(cast.table).steps)

    # n is now or next, d is done.
    assert [step.state for step in change_guide(cast.table).steps] == ["now"] + ["next"] * 3
    slip = bring(cast, new_red, takes_out=old_red, taken_from=SHUFFLER)
    waiting = change_guide(cast.table).now
    assert waiting is not None
    assert waiting.slip == slip.serial
    cast.sign(slip, "inspected", cast.dan)
    assert states() == "dnnn"
    bag(cast, old_red, "B-0001", None, shuffler_shows=312)
    assert states() == "ddnn"
    put_on(cast, new_blue, takes_out=old_blue, taken_from=IN_PLAY, brings_out=new_red)
    assert states() == "dddn"
    bag(cast, old_blue, "B-0002", None, counted=312)
    guide = change_guide(cast.table)
    assert states() == "dddd"
    assert guide.now is None
    assert {m.card_set.number: m.target for m in sets_at(cast.table, house.now())} == {
        new_red: "in_play",
        new_blue: "shuffler",
    }
