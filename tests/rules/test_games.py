"""The seven games as data: every fact against its document, and what a table may choose."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from pitboss.rules.games.games import (
    Doubling,
    Game,
    PairBy,
    SideBetRules,
    Surrender,
    TableRules,
    default_side_bets,
    longest_odds,
    spoken,
    stadium_settings,
    table_rules,
)
from pitboss.rules.games.printed import GAMES
from pitboss.rules.paytables.paytables import PAY_TABLES, pay_table
from pitboss.rules.refusal import Refused

STADIUM = {"keep_standoff_bet": "disabled", "auto_stand": {"soft": 17, "hard": 17}}
# What is neither a fact of a document nor worth one.
# What a house may add is its own choice, no fact of a document.
NOT_FACTS = {"id", "name", "main_wager", "sources", "added"}


def table(game: str, **choices: Any) -> TableRules:
    most = 1_000 if game == "bet_bigger" else 100_000
    limits: dict[str, Any] = {"minimum_cents": 500, "maximum_cents": most}
    if game == "stadium":
        limits["stadium"] = STADIUM
    return table_rules(GAMES[game], **{**limits, **choices})


def refused_codes(game: str, **choices: Any) -> list[str]:
    with pytest.raises(Refused) as refused:
        table(game, **choices)
    return list(refused.value.codes)


def test_there_are_the_seven_games_of_the_documents() -> None:
    assert list(GAMES) == [
        "classic",
        "double_deck",
        "blazing_7s",
        "raise_the_roof",
        "stadium",
        "face_up",
        "bet_bigger",
    ]
    assert all(id == game.id for id, game in GAMES.items())


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_fact_of_a_game_names_its_paragraph(game: Game) -> None:
    facts = {field.name for field in fields(Game)} - NOT_FACTS
    assert set(game.sources) == facts
    assert all(source.document and source.paragraph for source in game.sources.values())


@pytest.mark.parametrize(
    ("game", "decks", "soft_17", "pays"),
    [
        # Manual: the standard shoe is six or eight decks, 17 or more stands, blackjack pays 3:2.
        ("classic", (6, 8), ("stand",), ("3:2",)),
        ("double_deck", (2,), ("stand",), ("3:2",)),
        ("blazing_7s", (6, 8), ("stand",), ("3:2",)),
        # Raise the Roof, Summary 2 and the headings of its pay tables.
        ("raise_the_roof", (6, 8, 2), ("hit", "stand"), ("3:2", "6:5")),
        # Stadium, introduction, 9.b and 2.a.
        ("stadium", (6, 8), ("stand", "hit"), ("3:2", "6:5")),
        # Face Up 1, 5 and 6.
        ("face_up", (6,), ("hit",), ("face_up", "face_up_3:2")),
        # Bet Bigger, opening, dealer's hand, blackjack.
        ("bet_bigger", (6, 8, 2), ("hit",), ("3:2",)),
    ],
)
def test_decks_soft_17_and_blackjack_odds(
    game: str, decks: tuple[int, ...], soft_17: tuple[str, ...], pays: tuple[str, ...]
) -> None:
    assert (GAMES[game].decks, GAMES[game].soft_17, GAMES[game].blackjack_pays) == (
        decks,
        soft_17,
        pays,
    )


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        ("classic", [((2, 20), True, True, True, False, True)]),
        ("double_deck", [((2, 20), True, True, True, False, True)]),
        ("blazing_7s", [((2, 20), True, True, True, False, True)]),
        ("raise_the_roof", [((2, 20), True, True, True, False, True)]),
        (
            "stadium",
            [
                ((2, 20), False, True, False, False, False),
                ((2, 20), False, False, False, False, False),
                ((10, 11), False, False, False, False, False),
                ((10, 11), False, True, False, False, False),
            ],
        ),
        ("face_up", [((9, 11), True, True, True, True, False)]),
        ("bet_bigger", [((2, 20), True, True, True, False, False)]),
    ],
)
def test_doubling_totals_for_less_after_split_with_ace_split_aces_and_minimum(
    game: str, expected: list[tuple[Any, ...]]
) -> None:
    names = [field.name for field in fields(Doubling)]
    assert names == [
        "totals",
        "for_less",
        "after_split",
        "with_ace",
        "split_aces",
        "meets_minimum",
    ]
    assert [
        tuple(getattr(rule, name) for name in names) for rule in GAMES[game].doubling
    ] == expected


@pytest.mark.parametrize(
    ("game", "by", "hands", "aces_one_card"),
    [
        ("classic", "value", [4], True),
        ("double_deck", "value", [2], True),
        ("blazing_7s", "value", [4], True),
        ("raise_the_roof", "value", [4], True),
        ("stadium", "value", [3, 2], True),
        ("face_up", "value", [2], False),
        ("bet_bigger", "rank", [4], True),
    ],
)
def test_splitting_by_how_often_and_aces_once(
    game: str, by: str, hands: list[int], aces_one_card: bool
) -> None:
    rules = GAMES[game].splitting
    assert [rule.hands_max for rule in rules] == hands
    assert {rule.by for rule in rules} == {PairBy(by)}
    assert {rule.aces_hands_max for rule in rules} == {2}
    assert {rule.aces_one_card for rule in rules} == {aces_one_card}


@pytest.mark.parametrize(
    ("game", "insurance", "even_money", "equally"),
    [
        ("classic", True, True, False),
        ("double_deck", True, True, False),
        ("blazing_7s", True, True, False),
        ("raise_the_roof", True, True, False),
        ("stadium", True, True, False),
        ("face_up", False, False, False),
        ("bet_bigger", True, True, True),
    ],
)
def test_insurance_and_even_money(
    game: str, insurance: bool, even_money: bool, equally: bool
) -> None:
    rule = GAMES[game].insurance
    assert (rule.offered, rule.even_money, rule.covers_each_bet_equally) == (
        insurance,
        even_money,
        equally,
    )


@pytest.mark.parametrize(
    ("game", "surrender"),
    [
        ("classic", ["disabled"]),
        ("double_deck", ["disabled"]),
        ("blazing_7s", ["disabled"]),
        ("raise_the_roof", ["disabled"]),
        ("stadium", ["disabled", "enabled", "not_against_blackjack"]),
        ("face_up", ["disabled"]),
        ("bet_bigger", ["not_against_blackjack", "enabled"]),
    ],
)
def test_surrender(game: str, surrender: list[str]) -> None:
    assert [item.value for item in GAMES[game].surrender] == surrender


@pytest.mark.parametrize(
    ("game", "hands_max", "minimums"),
    [
        ("classic", 3, {2: 2, 3: 5}),
        ("double_deck", 2, {2: 2}),
        ("blazing_7s", 3, {2: 2, 3: 5}),
        ("raise_the_roof", 3, {2: 2, 3: 5}),
        ("stadium", 1, {}),
        ("face_up", 3, {2: 2, 3: 5}),
        ("bet_bigger", 7, {}),
    ],
)
def test_hands_a_player_may_play(game: str, hands_max: int, minimums: dict[int, int]) -> None:
    assert GAMES[game].hands.hands_max == hands_max
    assert GAMES[game].hands.minimums == minimums
    assert GAMES[game].hands.adjacent == (game == "bet_bigger")


def test_minimum_and_maximum_wagers_6_several_hands_cost_more_but_not_in_the_vip_room() -> None:
    floor = table("classic", minimum_cents=2_500)
    vip = table("classic", minimum_cents=2_500, is_vip=True)
    assert [floor.hand_minimum_cents(hands) for hands in (1, 2, 3)] == [2_500, 5_000, 12_500]
    assert [vip.hand_minimum_cents(hands) for hands in (1, 2, 3)] == [2_500] * 3


SIDE_BETS = {
    "classic": {
        "trilux": (("MANUAL-9",), 500, 50_000, None, ("blackjack",)),
        "super_3": (("1",), 500, 5_000, 20_000, ("blackjack", "trilux")),
    },
    "double_deck": {"trilux": (("DD-5:2",), 500, 50_000, None, ("blackjack",))},
    "blazing_7s": {
        "blazing_7s": (("A",), 500, 500, None, ("blackjack",)),
        "trilux": (("MANUAL-9",), 500, 50_000, None, ("blackjack",)),
        "super_3": (("1",), 500, 5_000, 20_000, ("blackjack", "trilux")),
    },
    "raise_the_roof": {
        "raise_the_roof": (
            ("H17_6_8_A", "H17_6_8_B", "S17_6_8_A", "S17_6_8_B", "H17_2_A", "H17_2_B"),
            None,
            None,
            None,
            ("blackjack",),
        )
    },
    "stadium": {
        "bet_the_set_21": (("A",), None, None, None, ("stadium_blackjack",)),
        "royal_match_21": (("A",), None, None, None, ("stadium_blackjack",)),
        "trilux": (("TRI-01", "TRI-02", "TRI-03"), None, None, None, ("stadium_blackjack",)),
        "super_3": (("1",), None, None, None, ("stadium_blackjack", "trilux")),
    },
    "face_up": {
        "two_card_bonus": ((), None, None, None, ("blackjack",)),
        "four_card_bonus": ((), None, None, None, ("blackjack",)),
    },
    "bet_bigger": {
        "match_the_dealer": (("A",), None, 1_000, None, ("bet_bigger",)),
        "perfect_pair": (("A",), None, 1_000, None, ("bet_bigger",)),
        "lucky_ladies": (("A",), 500, 1_000, None, ("bet_bigger",)),
    },
}


@pytest.mark.parametrize("game", GAMES)
def test_side_bets_their_pay_tables_limits_and_needs(game: str) -> None:
    offered = {
        bet.wager: (
            bet.paytables,
            bet.minimum_cents,
            bet.maximum_cents,
            bet.vip_maximum_cents,
            bet.needs,
        )
        for bet in GAMES[game].side_bets
    }
    assert offered == SIDE_BETS[game]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_pay_table_a_game_names_is_printed(game: Game) -> None:
    assert set(game.blackjack_pays) <= set(PAY_TABLES[game.main_wager])
    for bet in game.side_bets:
        assert set(bet.paytables) <= set(PAY_TABLES.get(bet.wager, {}))
        for id in bet.paytables:
            assert PAY_TABLES[bet.wager][id].stakes_cents == bet.stakes_cents


def test_blazing_7s_2_takes_five_dollars_no_dealer_bet_and_nobody_rides_on_it() -> None:
    blazing = table("blazing_7s").offers["blazing_7s"]
    assert (blazing.stakes_cents, blazing.dealer_bets, blazing.piggyback) == ((500,), False, False)


def test_bet_bigger_has_three_further_spots_ten_dollars_and_a_flat_bet_order() -> None:
    game = GAMES["bet_bigger"]
    assert (game.spots, game.maximum_cents, game.flat_bet) == (("2x", "3x", "4x"), 1_000, True)
    assert [item.id for item in GAMES.values() if item.spots or item.flat_bet] == ["bet_bigger"]


def test_bet_bigger_side_bets_start_at_half_the_table_minimum() -> None:
    bets = table("bet_bigger", minimum_cents=500).side_bets
    assert (bets["match_the_dealer"].minimum_cents, bets["match_the_dealer"].maximum_cents) == (
        250,
        1_000,
    )
    assert bets["perfect_pair"].minimum_cents == 250
    assert bets["lucky_ladies"].minimum_cents == 500
    assert table("bet_bigger", minimum_cents=501).side_bets["perfect_pair"].minimum_cents == 251


@pytest.mark.parametrize(
    ("game", "tokes", "piggyback", "coupons", "peek"),
    [
        ("classic", 10, True, True, True),
        ("double_deck", 10, True, True, True),
        ("blazing_7s", 10, True, True, True),
        ("raise_the_roof", 10, True, True, True),
        ("stadium", 10, False, False, False),
        ("face_up", 10, True, False, False),
        ("bet_bigger", None, False, False, True),
    ],
)
def test_tokes_piggybacks_coupons_and_the_peek(
    game: str, tokes: int | None, piggyback: bool, coupons: bool, peek: bool
) -> None:
    data = GAMES[game]
    assert (data.tokes.percent_at_maximum if data.tokes else None) == tokes
    assert (data.piggyback, data.coupons, data.peek) == (piggyback, coupons, peek)


# --- Tables


def test_super_3_goes_to_50_on_the_main_floor_and_200_in_the_vip_room() -> None:
    floor, vip = table("classic"), table("classic", is_vip=True)
    assert floor.side_bets["super_3"].maximum_cents == 5_000
    assert vip.side_bets["super_3"].maximum_cents == 20_000
    assert vip.side_bets["trilux"].maximum_cents == 50_000


def test_double_deck_goes_to_ten_thousand_and_no_further() -> None:
    assert table("double_deck", maximum_cents=1_000_000).maximum_cents == 1_000_000
    assert refused_codes("double_deck", maximum_cents=1_000_100) == ["over_game_maximum"]


def test_a_table_may_set_its_own_limits_for_a_side_bet() -> None:
    own = {"trilux": SideBetRules("MANUAL-9", 1_000, 10_000)}
    assert table("classic", side_bets=own).side_bets == own


def test_raise_the_roof_takes_the_table_of_its_shoe() -> None:
    assert table("raise_the_roof").side_bets["raise_the_roof"].paytable == "H17_6_8_A"
    stands = table("raise_the_roof", decks=8, soft_17="stand")
    assert stands.side_bets["raise_the_roof"].paytable == "S17_6_8_A"
    two = table("raise_the_roof", decks=2)
    assert two.side_bets["raise_the_roof"].paytable == "H17_2_A"


def test_no_raise_the_roof_table_is_printed_for_two_decks_that_stand() -> None:
    assert table("raise_the_roof", decks=2, soft_17="stand").side_bets == {}
    bets = {"raise_the_roof": SideBetRules("H17_2_A", 500, 5_000)}
    assert refused_codes("raise_the_roof", decks=2, soft_17="stand", side_bets=bets) == [
        "no_pay_table"
    ]


def test_face_up_bonuses_need_a_house_pay_table() -> None:
    assert table("face_up").side_bets == {}
    bets = {"two_card_bonus": SideBetRules({"pair": "8:1"}, 500, 5_000)}
    bonus = table("face_up", side_bets=bets).side_bets["two_card_bonus"]
    assert bonus.table("two_card_bonus").is_house_defined


def test_a_stadium_must_state_its_settings() -> None:
    rules = table("stadium", soft_17="hit", surrender=Surrender.ENABLED, decks=8)
    assert stadium_settings(rules) == {
        "dealer_soft_17": "hit",
        "surrender": "enabled",
        "double_totals": [2, 20],
        "double_after_split": True,
        "max_split_hands": 3,
        "decks": 8,
        **STADIUM,
    }
    assert refused_codes("stadium", stadium=None) == ["bad_rules", "bad_rules"]
    assert refused_codes("classic", stadium=STADIUM) == ["not_a_stadium"]


@pytest.mark.parametrize(
    ("game", "choices", "codes"),
    [
        ("classic", {"decks": 7}, ["bad_decks"]),
        ("classic", {"soft_17": "hit"}, ["bad_soft_17"]),
        ("classic", {"blackjack_pays": "6:5"}, ["bad_blackjack_pays"]),
        ("classic", {"surrender": Surrender.ENABLED}, ["bad_surrender"]),
        ("classic", {"splitting": GAMES["bet_bigger"].splitting[0]}, ["bad_splitting"]),
        ("classic", {"doubling": GAMES["face_up"].doubling[0]}, ["bad_doubling"]),
        ("bet_bigger", {"takes_dealer_bets": True}, ["dealer_bets_not_taken"]),
        ("classic", {"minimum_cents": 0}, ["bad_limits"]),
        ("classic", {"minimum_cents": 200_000}, ["bad_limits"]),
        (
            "classic",
            {"side_bets": {"lucky_ladies": SideBetRules("A", 500, 1_000)}},
            ["wager_not_offered"],
        ),
        (
            "classic",
            {"side_bets": {"super_3": SideBetRules("1", 500, 5_000)}},
            ["wager_needs_another"],
        ),
        ("classic", {"side_bets": {"trilux": SideBetRules("X", 500, 5_000)}}, ["unknown_paytable"]),
        (
            "classic",
            {"side_bets": {"trilux": SideBetRules("DD-5:2", 5_000, 500)}},
            ["bad_limits", "bad_paytable"],
        ),
        ("classic", {"decks": 1, "soft_17": "hit"}, ["bad_decks", "bad_soft_17"]),
    ],
)
def test_what_a_game_does_not_allow_is_refused_with_every_reason(
    game: str, choices: dict[str, Any], codes: list[str]
) -> None:
    assert refused_codes(game, **choices) == codes


def test_a_house_table_of_a_printed_wager_is_taken() -> None:
    bets = {"trilux": SideBetRules({"flush": "9:1", "straight": "12:1"}, 500, 5_000)}
    assert table("classic", side_bets=bets).side_bets == bets


def test_longest_odds_know_meters_awards_and_halves() -> None:
    assert longest_odds(pay_table("super_3", "1")) == 270
    assert longest_odds(pay_table("trilux", "DD-5:2")) == 3
    assert longest_odds(pay_table("blazing_7s", "A")) is None
    blazing = pay_table("blazing_7s", "A")
    fixed = {row: pay for row, pay in blazing.pays.items() if "sevens_same" not in row}
    assert longest_odds(replace(blazing, pays=fixed)) == 200


def test_default_side_bets_follow_the_table_where_no_limit_is_printed() -> None:
    bets = default_side_bets(
        GAMES["stadium"], decks=6, soft_17="stand", minimum_cents=300, maximum_cents=9_000
    )
    assert {(bet.minimum_cents, bet.maximum_cents) for bet in bets.values()} == {(300, 9_000)}


def test_wagers_are_spoken_as_on_the_floor() -> None:
    assert {spoken(bet.wager) for game in GAMES.values() for bet in game.side_bets} >= {
        "TriLux",
        "Super 3",
        "Blazing 7's",
        "Lucky Ladies",
        "Bust Ante",
    }
