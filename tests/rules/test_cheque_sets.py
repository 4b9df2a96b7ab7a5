"""The cheques of a house as data: what may come into play, what may leave it, and change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.cheques import cheques as cheques_module
from pitboss.rules.cheques.change import make_change
from pitboss.rules.cheques.cheques import BY_CENTS, Denomination, learn, parse_cheques, total_cents
from pitboss.rules.cheques.cut import CutOptions, cut_buy_in, cut_payout
from pitboss.rules.cheques.cutting import PRINTED, ladder, payable
from pitboss.rules.cheques.set_changes import adding_refusals, retiring_refusals
from pitboss.rules.cheques.sets import (
    MANUAL,
    HouseCheques,
    described,
    house_cheques,
    key_of,
    words_of,
)
from pitboss.rules.floor.log import Ground
from pitboss.rules.floor.nods import COLOUR_UP
from pitboss.rules.refusal import Refusal
from pitboss.rules.settings.in_force import SettingsInForce

BROWN = Denomination(1_000, "brown", "N", 5)
WITH_BROWN = house_cheques([(key_of(1_000), described(BROWN, in_play=True))])
WITHOUT_PINK = house_cheques([(key_of(250), described(BY_CENTS[250], in_play=False))])


@pytest.fixture
def brown() -> Iterator[Denomination]:
    """Know a $10 cheque for one test."""
    learn(BROWN)
    yield BROWN
    del cheques_module._known[1_000]


def codes(refusals: list[Refusal]) -> list[str]:
    return [refusal.code for refusal in refusals]


def test_a_house_that_changed_nothing_has_the_ten_of_the_manual() -> None:
    assert house_cheques([]) == MANUAL
    assert MANUAL.in_play == MANUAL.begun == PRINTED
    assert MANUAL.refusals(PRINTED, ships=True, table="BJ-1") == []


def test_what_comes_later_is_in_no_tray_and_what_is_out_of_play_is_not_shipped(
    brown: Denomination,
) -> None:
    assert codes(MANUAL.refusals([1_000, 500], ships=False, table="BJ-1")) == ["not_yet_in_play"]
    assert WITH_BROWN.refusals([1_000, 500], ships=True, table="BJ-1") == []
    assert WITHOUT_PINK.refusals([250], ships=False, table="BJ-1") == []
    assert codes(WITHOUT_PINK.refusals([1_000, 250], ships=True, table="BJ-1")) == [
        "not_yet_in_play",
        "out_of_play",
    ]


def test_what_was_signed_in_once_keeps_its_look(brown: Denomination) -> None:
    learn(replace(brown, colour="gold"))
    assert BY_CENTS[1_000] == brown
    assert parse_cheques({"1000": 3}) == {1_000: 3}
    assert [name for name, _ in words_of(brown)] == ["Denomination", "Color", "Letter", "Cut"]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"cents": 1_010}, "bad_denomination"),
        ({"cents": 50_000_025}, "bad_denomination"),
        ({"colour": "plaid"}, "bad_colour"),
        ({"letter": "nn"}, "bad_letter"),
        ({"unit": 6}, "bad_unit"),
        ({"proof": (3, 2)}, "bad_proof"),
        ({"colour": "red"}, "colour_taken"),
        ({"letter": "R"}, "letter_taken"),
    ],
)
def test_a_cheque_that_no_house_can_have(changed: dict[str, Any], code: str) -> None:
    assert adding_refusals(BROWN, MANUAL, secondary_from_cents=0) == []
    assert codes(adding_refusals(replace(BROWN, **changed), MANUAL, secondary_from_cents=0)) == [
        code
    ]


def test_a_cheque_comes_back_as_it_was() -> None:
    pink = BY_CENTS[250]
    assert adding_refusals(pink, WITHOUT_PINK, secondary_from_cents=0) == []
    assert codes(adding_refusals(pink, MANUAL, secondary_from_cents=0)) == ["nothing_changes"]
    assert codes(
        adding_refusals(replace(pink, colour="coral"), WITHOUT_PINK, secondary_from_cents=0)
    ) == ["look_differs"]


def test_a100_a_cheque_that_somebody_holds_is_not_retired() -> None:
    assert retiring_refusals(250, MANUAL, {}) == []
    assert codes(retiring_refusals(250, MANUAL, {"BJ-24": 3})) == ["denomination_held"]
    assert codes(retiring_refusals(250, WITHOUT_PINK, {})) == ["nothing_changes"]
    few = HouseCheques((500, 100), (500, 100))
    assert codes(retiring_refusals(500, few, {})) == ["last_denomination"]
    assert retiring_refusals(100, few, {}) == []


def test_nothing_is_colored_up_to_a_cheque_that_is_out_of_play() -> None:
    without_black = house_cheques([(key_of(10_000), described(BY_CENTS[10_000], in_play=False))])
    settings = SettingsInForce({}, without_black)
    ground = Ground("BJ-1", True, 500, date(2026, 5, 1), settings, {10_000: 4, 2_500: 40})
    facts = {"taken": {"2500": 4}, "colour": "10000"}
    assert "out_of_play" in codes(list(COLOUR_UP.judge(facts, ground)))
    facts_of_green = {"taken": {"500": 5}, "colour": "2500"}
    assert "out_of_play" not in codes(list(COLOUR_UP.judge(facts_of_green, ground)))


def test_payouts_are_cut_in_what_is_in_play(brown: Denomination) -> None:
    options = CutOptions(denominations=WITH_BROWN.in_play)
    tray = {2_500: 40, 1_000: 40, 500: 40, 100: 40}
    assert cut_payout(amount_cents=2_000, tray=tray, options=options).cheques == {1_000: 2}
    assert cut_payout(amount_cents=3_000, tray=tray, bet={1_000: 3}, options=options).cheques == {
        1_000: 3
    }
    assert 1_000 in ladder(WITH_BROWN.in_play)
    without = CutOptions(denominations=WITHOUT_PINK.in_play)
    assert payable(750, {100: 9}, without) == 700
    assert payable(750, {100: 9}, CutOptions()) == 750
    bought = cut_buy_in(
        amount_cents=12_000, tray=tray, table_minimum_cents=500, options=options
    ).cheques
    assert total_cents(bought) == 12_000


def test_a_player_is_raised_to_a_colour_of_the_house(brown: Denomination) -> None:
    choices = next(field for field in COLOUR_UP.asks if field.name == "colour").choices  # type: ignore[attr-defined]
    assert choices["1000"] == "$10 brown"
    assert list(choices)[:3] == ["500", "1000", "2500"]
    assert len(choices) == len(list(choices))
    with pytest.raises(KeyError):
        choices["100"]


SUPPLIES = st.dictionaries(
    st.sampled_from([25, 100, 200, 250, 300, 500, 1_000, 2_000, 2_500, 5_000]),
    st.integers(-1, 3),
    max_size=6,
)


@given(SUPPLIES, st.integers(0, 600))
def test_change_of_any_denominations_is_exact_and_has_the_fewest_cheques(
    supply: dict[int, int], quarters: int
) -> None:
    amount_cents = quarters * 25
    # With $20 known the search is used, whatever else is there.
    supply = {**supply, 2_000: supply.get(2_000, 0)}
    way = make_change(amount_cents, supply)
    counts = product(*(range(max(held, 0) + 1) for held in supply.values()))
    exact = [
        sum(taken)
        for taken in counts
        if sum(cents * count for cents, count in zip(supply, taken, strict=True)) == amount_cents
    ]
    assert (way is None) == (not exact)
    if way is not None:
        assert total_cents(way) == amount_cents
        assert sum(way.values()) == min(exact)
        assert all(0 < count <= supply[cents] for cents, count in way.items())


def test_a_large_amount_in_odd_denominations_is_quickly_made() -> None:
    plenty = dict.fromkeys(
        [25, 100, 200, 250, 300, 500, 1_000, 2_000, 2_500, 5_000, 10_000, 2_000_000], 10**9
    )
    way = make_change(99_999_999_975, plenty)
    assert way is not None
    assert total_cents(way) == 99_999_999_975
