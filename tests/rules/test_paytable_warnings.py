"""Pay tables that look wrong: rows that no hand is paid by, and better hands that lose."""

from __future__ import annotations

import pytest

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.games.table_setup import edges_as_keyed
from pitboss.rules.paytables.paytables import PAY_TABLES, ROWS
from pitboss.rules.paytables.warnings import table_warnings

Rows = tuple[tuple[str, str], ...]


def warned(wager: str, rows: str | Rows, decks: int = 6) -> list[str]:
    return [warning.message for warning in table_warnings(wager, rows, decks, HouseOptions())]


@pytest.mark.parametrize(
    ("wager", "rows", "says"),
    [
        # A pair pays and three of a kind, which no row of the table names, takes nothing.
        (
            "trilux",
            (("straight_flush", "30:1"), ("straight", "6:1"), ("flush", "4:1"), ("pair", "1:1")),
            ["Three of a kind loses, but Pair pays 1 to 1."],
        ),
        ("perfect_pair", (("suited_pair", "25:1"), ("non_suited_pair", "10:1")), []),
        ("royal_match_21", (("suited", "3:1"),), []),
        (
            "two_card_bonus",
            (("suited_pair", "1:1"), ("pair", "5:1")),
            [
                "Suited blackjack loses, but Pair pays 5 to 1.",
                "Blackjack loses, but Pair pays 5 to 1.",
                "Suited pair is never paid: every such hand is paid by another row.",
            ],
        ),
        ("raise_the_roof", "H17_6_8_B", []),
    ],
)
def test_a_pay_table_warns_of_what_every_hand_of_the_shoe_shows(
    wager: str, rows: str | Rows, says: list[str]
) -> None:
    assert warned(wager, rows) == says


def test_a_hand_that_the_shoe_cannot_deal_is_never_paid() -> None:
    rows = (("four_identical", "500:1"), ("four_of_a_kind", "100:1"))
    assert warned("four_card_bonus", rows, decks=1) == [
        "Four identical is never paid: 1 deck can’t deal it."
    ]
    assert warned("four_card_bonus", rows, decks=2) == [
        "Four identical is never paid: 2 decks can’t deal it."
    ]
    assert warned("four_card_bonus", rows, decks=6) == []


def test_no_printed_table_warns_in_a_shoe_of_six() -> None:
    for wager in ROWS:
        for pay_table in PAY_TABLES.get(wager, {}):
            assert warned(wager, pay_table) == [], (wager, pay_table)


def test_the_editor_says_it_while_the_rows_are_entered() -> None:
    keyed = {
        "game": "classic",
        "decks": "6",
        "soft_17": "stand",
        "bet_trilux": "house",
        "bet_trilux_rows": "straight flush 30:1\npair 1:1",
    }
    found = edges_as_keyed(keyed, HouseOptions(), (0, 10_000))["trilux"]
    assert [item.code for item in getattr(found, "warnings", ())][:1] == ["better_hand_loses"]
