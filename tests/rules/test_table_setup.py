"""A table is set up within its game's document, and never with a bet that favours the player."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitboss.rules.book.options import DEFAULT_OPTIONS
from pitboss.rules.games.printed import GAMES
from pitboss.rules.games.table_setup import (
    CardProfile,
    Edge,
    edges_as_keyed,
    edges_of,
    read_setup,
    stored_setup,
)
from pitboss.rules.refusal import Refused

BJ_50 = {
    "name": "bj-50",
    "pit": "Pit 3",
    "game": "classic",
    "decks": "6",
    "soft_17": "stand",
    "blackjack_pays": "3:2",
    "minimum": "25",
    "maximum": "3,000",
    "cards": "continuous",
    "par_2500": "200",
    "par_500": "100",
    "bet_trilux": "MANUAL-9",
    "bet_super_3": "",
}
STADIUM = {
    **BJ_50,
    "game": "stadium",
    "decks": "8",
    "maximum": "500",
    "bet_trilux": "",
    "keep_standoff_bet": "disabled",
    "auto_stand": "17/12",
}


def codes(change: dict[str, str]) -> list[str]:
    with pytest.raises(Refused) as refused:
        read_setup({**BJ_50, **change})
    return list(refused.value.codes)


def test_a_setup_is_read_stored_and_said() -> None:
    setup = read_setup(BJ_50)
    assert (setup.name, setup.cards, setup.par) == (
        "BJ-50", CardProfile.CONTINUOUS, {2_500: 200, 500: 100},
    )  # fmt: skip
    assert setup.side_bets["trilux"].maximum_cents == 50_000
    assert stored_setup(setup.stored()) == setup
    assert setup.rules().decks == 6
    words = setup.words()
    assert words["Game"].startswith("Classic blackjack, 6 decks, dealer stands soft 17")
    assert words["TriLux"] == "pay table MANUAL-9, $5 to $500"
    assert read_setup({**BJ_50, "par_2500": "", "par_500": ""}).words()["Par"] == "no cheques"
    assert read_setup({**BJ_50, "is_vip": "yes"}).words()["Limits"].endswith("VIP")
    assert not words["Limits"].endswith("VIP")


def test_a_vip_room_takes_more_on_the_bets_that_have_a_limit_of_their_own_there() -> None:
    keyed = {**BJ_50, "bet_super_3": "1"}
    for is_vip, most_cents in (("", 5_000), ("yes", 20_000)):
        bets = read_setup({**keyed, "is_vip": is_vip}).side_bets
        assert (bets["super_3"].maximum_cents, bets["trilux"].maximum_cents) == (most_cents, 50_000)


def test_every_game_can_be_set_up_on_its_printed_tables() -> None:
    for game in GAMES.values():
        keyed = {
            **STADIUM,
            "game": game.id,
            "decks": str(game.decks[0]),
            "soft_17": game.soft_17[0],
            "blackjack_pays": game.blackjack_pays[0],
            "minimum": "10",
            "maximum": "10",
        }
        keyed |= {f"bet_{bet.wager}": bet.paytables[0] for bet in game.side_bets if bet.paytables}
        setup = read_setup(keyed)
        assert stored_setup(setup.stored()).rules() == setup.rules()


def test_a_stadium_says_what_its_document_leaves_open() -> None:
    setup = read_setup(STADIUM)
    assert setup.stadium == {
        "keep_standoff_bet": "disabled", "auto_stand": {"soft": 17, "hard": 12},
    }  # fmt: skip
    assert setup.words()["Expired timer"] == "stands on soft 17, hard 12"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"game": "keno"}, ["game_unknown"]),
        ({"name": ""}, ["name_malformed"]),
        ({"name": "BJ 11"}, ["name_malformed"]),
        ({"pit": " "}, ["pit_malformed"]),
        ({"pit": "x" * 41}, ["pit_malformed"]),
        ({"decks": "9"}, ["choice_unknown"]),
        ({"soft_17": "sometimes"}, ["choice_unknown"]),
        ({"blackjack_pays": "2:1"}, ["choice_unknown"]),
        ({"surrender": "sometimes"}, ["choice_unknown"]),
        ({"game": "blazing_7s", "cards": "hand"}, ["machine_only"]),
        (
            {"game": "double_deck", "decks": "2", "cards": "hand", "bet_trilux": ""},
            ["machine_only"],
        ),
        ({"cards": "dog"}, ["choice_unknown"]),
        ({"minimum": ""}, ["amount_malformed"]),
        ({"maximum": "lots"}, ["amount_malformed"]),
        ({"minimum": "5000"}, ["bad_limits"]),
        ({"par_2500": "many"}, ["bad_count"]),
        ({"bet_trilux": "TRI-99"}, ["unknown_paytable"]),
        ({"bet_trilux": "", "bet_super_3": "1"}, ["wager_needs_another"]),
        ({"bet_trilux_minimum": "600"}, ["bad_limits"]),
        ({"bet_trilux": "house", "bet_trilux_rows": ""}, ["empty_pay_table"]),
        ({"bet_trilux": "house", "bet_trilux_rows": "flush"}, ["row_malformed"]),
        ({"bet_trilux": "house", "bet_trilux_rows": "flush 5:1\nflush 6:1"}, ["row_malformed"]),
        ({"bet_trilux": "house", "bet_trilux_rows": "four aces 5:1"}, ["unknown_row"]),
    ],
)
def test_each_wrong_choice_is_refused(change: dict[str, str], expected: list[str]) -> None:
    assert codes(change) == expected


def test_the_exact_edge_is_told_and_the_band_questioned() -> None:
    edges, refusals = edges_of(read_setup(BJ_50), DEFAULT_OPTIONS, 100, 2_500)
    assert edges == [Edge("trilux", Fraction(4059, 125333), True)]
    assert refusals == []
    assert not edges_of(read_setup(BJ_50), DEFAULT_OPTIONS, 400, 2_500)[0][0].is_in_band
    roof = {
        **BJ_50, "game": "raise_the_roof", "decks": "2", "soft_17": "hit", "maximum": "1000",
        "bet_trilux": "", "bet_raise_the_roof": GAMES["raise_the_roof"].side_bets[0].paytables[0],
    }  # fmt: skip
    game = GAMES["raise_the_roof"]
    roof |= {"decks": str(game.decks[0]), "soft_17": game.soft_17[0]}
    assert edges_of(read_setup(roof), DEFAULT_OPTIONS, 100, 2_500)[0][0].edge > 0


def test_a_pay_table_that_favours_the_player_is_stopped() -> None:
    rows = "pair 5:1\n\nflush 9:1\nthree of a kind 30:1"
    generous = read_setup({**BJ_50, "bet_trilux": "house", "bet_trilux_rows": rows})
    assert "the house's own table: pair 5:1" in generous.words()["TriLux"]
    edges, refusals = edges_of(generous, DEFAULT_OPTIONS, 100, 2_500)
    assert edges[0].edge < 0
    assert edges[0].words.startswith("−")
    assert [refusal.code for refusal in refusals] == ["favours_the_player"]


def as_keyed(**changes: str) -> dict[str, Edge | Refused]:
    return edges_as_keyed({**BJ_50, **changes}, DEFAULT_OPTIONS, (100, 2_500))


def test_the_edge_is_known_while_a_form_is_still_being_keyed() -> None:
    assert as_keyed(name="", minimum="", maximum="") == {
        "trilux": Edge("trilux", Fraction(4059, 125333), is_in_band=True)
    }
    assert as_keyed(bet_trilux="") == {}
    assert as_keyed(game="") == {}
    own = as_keyed(bet_trilux="house", bet_trilux_rows="pair 5:1\nflush 9:1")["trilux"]
    assert isinstance(own, Edge)
    assert own.favours_the_player


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"bet_trilux": "house", "bet_trilux_rows": "pair"}, "row_malformed"),
        ({"bet_trilux": "house", "bet_trilux_rows": ""}, "empty_pay_table"),
        ({"decks": "9"}, "choice_unknown"),
        ({"bet_trilux": "NO-SUCH"}, "unknown_paytable"),
    ],
)
def test_what_is_half_keyed_has_a_reason_in_place_of_an_edge(
    changes: dict[str, str], code: str
) -> None:
    found = as_keyed(**changes)["trilux"]
    assert isinstance(found, Refused)
    assert code in found.codes
