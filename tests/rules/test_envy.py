"""Envy: what a row adds to the dealers' tokes, printed or set by the house, and how it is read."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.games.games import SideBetRules, table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.games.table_setup import read_setup, stored_setup
from pitboss.rules.payouts.envy import (
    add_envy,
    envy_lines,
    envy_of_round,
    envy_refusals,
    read_envy,
    tap_refusals,
    with_envy,
)
from pitboss.rules.paytables.paytables import house_pay_table, pay_table, read_by
from pitboss.rules.refusal import Refused
from pitboss.rules.wagers.settle import settle

TRI = pay_table("trilux", "TRI-01")
NINES = {
    "wager": "trilux",
    "stake_cents": 500,
    "player_cards": ["9c", "9d"],
    "dealer_up": "9s",
}
KEYED = {
    "game": "classic",
    "name": "BJ-11",
    "pit": "Main",
    "decks": "6",
    "soft_17": "stand",
    "blackjack_pays": "3:2",
    "minimum": "25",
    "maximum": "2000",
    "cards": "shuffler",
    "bet_trilux": "MANUAL-9",
}


def settled(envy: dict[str, int], **extra: Any) -> Any:
    case = {**NINES, "paytable": with_envy(TRI, envy)}
    return settle(case | ({"extra": extra} if extra else {}))


def test_a91_any_printed_row_carries_the_envy_that_the_house_sets() -> None:
    plain = settled({})
    assert plain.envy_cents is None
    won = settled({"three_of_a_kind": 500, "pair": 100})
    assert won.envy_cents == 500
    assert won.payout_cents == plain.payout_cents
    assert won.working == f"{plain.working} Add $5 envy to the dealers' tokes."
    assert settled({"pair": 100}).envy_cents is None
    assert settled({"three_of_a_kind": 500}, dealer_bet=True).envy_cents is None
    assert settled({"three_of_a_kind": 500}, dealer_bet=False).envy_cents == 500


def test_a91_a_house_table_of_blazing_7s_pays_the_envy_it_was_given() -> None:
    rows = house_pay_table("blazing_7s", {"two_sevens": "20:1", "one_seven": "2:1"})
    case = {
        "wager": "blazing_7s",
        "stake_cents": 500,
        "player_cards": ["7s", "7d"],
        "dealer_up": "8c",
    }
    assert settle({**case, "paytable": with_envy(rows, {"two_sevens": 300})}).envy_cents == 300
    assert settle({**case, "paytable": "A"}).envy_cents == 200
    printed = pay_table("blazing_7s", "A")
    assert settle({**case, "paytable": with_envy(printed, {"two_sevens": 0})}).envy_cents == 0


def test_a_bet_that_names_no_pay_table_gets_no_envy() -> None:
    plain = settled({})
    assert add_envy({**NINES, "paytable": "TRI-01"}, plain) is plain


def test_the_reading_of_the_double_deck_keeps_the_envy_of_its_rows() -> None:
    options = HouseOptions(double_deck_pair="pair_pays_5:2")
    printed = pay_table("trilux", "DD-5:2")
    assert read_by(printed, options).envy_cents == {}
    read = read_by(with_envy(printed, {"straight": 200}), options)
    assert "pair" in read.pays
    assert read.envy_cents == {"straight": 200}


@pytest.mark.parametrize(
    ("envy", "codes"),
    [
        ({"straight": 100, "three_of_a_kind": 0}, []),
        ({"four_of_a_kind": 100}, ["envy_without_row"]),
        ({"straight": -1, "flush": 100_001}, ["bad_envy", "bad_envy"]),
        ({"flush": True}, ["bad_envy"]),
    ],
)
def test_envy_goes_with_a_row_that_pays(envy: dict[str, int], codes: list[str]) -> None:
    assert [refusal.code for refusal in envy_refusals(TRI, envy)] == codes


def test_a_table_is_not_set_up_with_envy_on_no_row() -> None:
    bets = {"trilux": SideBetRules("TRI-01", 100, 5_000, {"royal": 100})}
    with pytest.raises(Refused) as refused:
        table_rules(GAMES["classic"], minimum_cents=2_500, maximum_cents=200_000, side_bets=bets)
    assert "envy_without_row" in [refusal.code for refusal in refused.value.refusals]


def test_envy_is_read_one_row_a_line_and_written_the_same() -> None:
    assert read_envy("") == {}
    envy = {"two_sevens": 200, "three_sevens_mixed": 250}
    assert read_envy(envy_lines(envy)) == envy
    for wrong in ("two sevens", "two sevens $2\ntwo sevens $3", "$2", "pair -2", "pair 2.5"):
        with pytest.raises(Refused, match="isn’t a row and its dollars"):
            read_envy(wrong)


def test_a_set_up_keeps_its_envy_and_says_it() -> None:
    setup = read_setup({**KEYED, "bet_trilux_envy": "straight flush $25\nflush $1"})
    assert setup.side_bets["trilux"].envy_cents == {"straight_flush": 2_500, "flush": 100}
    assert setup.words()["TriLux envy"] == "straight flush $25, flush $1"
    assert stored_setup(setup.stored()) == setup
    assert "envy_cents" not in read_setup(KEYED).stored()["side_bets"]["trilux"]
    with pytest.raises(Refused, match=r"TriLux: .* isn’t a row and its dollars"):
        read_setup({**KEYED, "bet_trilux_envy": "pair"})


def test_the_envy_of_a_round_is_that_of_its_lines() -> None:
    won = {"seat": 3, "wager": "trilux", "category": "pair", "envy_cents": 100}
    lines: list[dict[str, Any]] = [
        won,
        {"seat": 4, "wager": "blackjack", "category": "push"},
        {"seat": 5},
    ]
    [found] = envy_of_round(lines)
    assert (found.seat, found.wager, found.row, found.amount_cents) == (3, "trilux", "pair", 100)


def test_a_dealer_taps_only_what_the_table_adds() -> None:
    tables = {"trilux": with_envy(TRI, {"pair": 100})}
    assert tap_refusals(tables, "trilux", "pair") == []
    for wager, row in (("trilux", "flush"), ("super_3", "pair")):
        assert [refusal.code for refusal in tap_refusals(tables, wager, row)] == ["no_envy_there"]
