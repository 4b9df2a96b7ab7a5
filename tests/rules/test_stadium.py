"""Stadium Blackjack: rounds of community cards, what becomes of the stake, refusals, properties."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.cards.playing_cards import DECK
from pitboss.rules.refusal import Refused
from pitboss.rules.stadium import stadium
from pitboss.rules.stadium.selected import SETTINGS
from pitboss.rules.wagers.settlement import Settlement
from tests.rules.community import RULES, refused_codes, result, settled

ROUNDS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "stadium_rounds.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize(
    "case", [case for case in ROUNDS if "category" in case], ids=lambda case: case["id"]
)
def test_a_recorded_round_settles_to_the_cent(case: dict[str, Any]) -> None:
    settlement = stadium.settle(case)
    assert result(settlement) == (case["category"], case["payout_cents"])
    parts = sum(part["payout_cents"] for part in settlement.detail["per_hand"])
    assert parts + settlement.detail["insurance_payout_cents"] == case["payout_cents"]
    assert settlement.rule.removeprefix("stadium.") in stadium.RULES
    assert settlement.working.endswith(".")


@pytest.mark.parametrize(
    "case", [case for case in ROUNDS if "refused" in case], ids=lambda case: case["id"]
)
def test_a_round_that_cannot_be_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        stadium.settle(case)
    assert case["refused"] in refused.value.codes


# Play


def test_the_players_cards_come_before_the_dealers() -> None:
    """A hit can take the ten that would have made the dealer's blackjack."""
    settlement = settled("5h 6d", "Ac", "Td 9c", "hit stand")
    assert settlement.detail["player_hands"] == [["5h", "6d", "Td"]]
    assert settlement.detail["dealer_hand"] == ["Ac", "9c"]
    assert result(settlement) == ("win", 1_000)


def test_the_left_split_hand_is_finished_before_the_next_gets_a_card() -> None:
    settlement = settled("8h 8d", "6c", "3c Tc 2d Ts Th 9h", "split double hit stand")
    assert settlement.detail["player_hands"] == [["8h", "3c", "Tc"], ["8d", "2d", "Ts"]]
    assert [part["wager_cents"] for part in settlement.detail["per_hand"]] == [2_000, 1_000]


def test_a_resplit_hand_lies_right_of_the_hand_it_came_from() -> None:
    settlement = settled("8h 8d", "6c", "8c 2c 3c Tc Td Kd", "split split stand stand stand")
    hands = settlement.detail["player_hands"]
    assert hands == [["8h", "2c"], ["8c", "3c"], ["8d", "Tc"]]


def test_tens_of_different_rank_split_and_aces_take_one_card_each() -> None:
    assert settled("Kh Qd", "6c", "2c 3c Tc Td", "split stand stand").category == "split"
    aces = settled("Ah Ad", "6c", "2c Td Td 9d", "split")
    assert aces.detail["player_hands"] == [["Ah", "2c"], ["Ad", "Td"]]
    # Ace and ten after a split is a plain 21, paid 1 to 1; the other ace stands on soft 13.
    assert result(aces) == ("split", 2_000)


def test_cards_nobody_needs_are_ignored() -> None:
    assert settled("Th 9d", "7c", "Td 2c 3c 4c", "stand").detail["dealer_hand"] == ["7c", "Td"]


def test_the_dealer_draws_one_card_where_only_a_blackjack_is_left_to_beat() -> None:
    assert settled("Ah Kd", "Tc", "9d Td").detail["dealer_hand"] == ["Tc", "9d"]
    assert settled("Ah Kd", "Ac", "9d Td").detail["dealer_hand"] == ["Ac", "9d"]
    assert settled("Ah Kd", "7c", "9d Td").detail["dealer_hand"] == ["7c"]


def test_the_dealer_draws_nothing_when_every_hand_has_bust() -> None:
    settlement = settled("Th 6d", "Ac", "Kd Td", "hit")
    assert settlement.detail["dealer_hand"] == ["Ac"]
    assert result(settlement) == ("bust", -1_000)


@pytest.mark.parametrize(
    ("soft_17", "dealer_hand", "payout_cents"),
    [("stand", ["6c", "Ad"], 1_000), ("hit", ["6c", "Ad", "4c"], -1_000)],
)
def test_soft_17_is_played_as_configured(
    soft_17: str, dealer_hand: list[str], payout_cents: int
) -> None:
    settlement = settled("Th 8d", "6c", "Ad 4c", "stand", dealer_soft_17=soft_17)
    assert settlement.detail["dealer_hand"] == dealer_hand
    assert settlement.payout_cents == payout_cents


@pytest.mark.parametrize(
    ("soft", "hard", "soft_17_stands", "hard_12_stands"),
    [(17, 12, True, True), (17, 17, True, False), (18, 17, False, False), (18, 12, False, True)],
)
def test_an_expired_timer_stands_by_the_four_configurations(
    soft: int, hard: int, soft_17_stands: bool, hard_12_stands: bool
) -> None:
    limits = {"soft": soft, "hard": hard}
    # A hit makes 21, which stands by itself, so one expired timer is enough either way.
    for player, hit, stands in (
        ("Ah 6d", "4h", soft_17_stands),
        ("Th 2d", "9h", hard_12_stands),
    ):
        settlement = settled(player, "9c", f"{hit} 8d 8c", "auto", auto_stand=limits)
        assert len(settlement.detail["player_hands"][0]) == (2 if stands else 3)
    assert settled("Th 7d", "9c", "8h", "auto", auto_stand=limits).category == "push"


def test_a_record_may_answer_at_every_21_or_at_none() -> None:
    for decisions in ("hit", "hit stand", "hit auto"):
        assert settled("5h 6d", "7c", "Td Tc", decisions).payout_cents == 1_000
    # The first split hand makes 21; the stand can only belong to the second.
    two_hands = settled("8h 8d", "7c", "3c Tc 2d Ts", "split hit stand")
    assert two_hands.detail["player_hands"] == [["8h", "3c", "Tc"], ["8d", "2d"]]
    both = settled("8h 8d", "7c", "3c Tc 2d Ts 5s 9h", "split hit stand hit stand")
    assert both.detail["player_hands"] == [["8h", "3c", "Tc"], ["8d", "2d", "Ts"]]


def test_odd_stakes_round_down_for_the_player() -> None:
    assert settled("Ah Kd", "7c", stake_cents=25).payout_cents == 37
    assert settled("Ah Kd", "7c", stake_cents=7, paytable="6:5").payout_cents == 8
    assert settled("Th 6d", "7c", decisions="surrender", stake_cents=25).payout_cents == -13


# What the stake does


@pytest.mark.parametrize(
    ("args", "options", "returned"),
    [
        (("Th 9d", "7c", "Td", "stand"), {}, True),
        (("Th 7d", "7c", "Td", "stand"), {}, True),
        (("Ah Kd", "7c"), {}, True),
        (("Th 6d", "7c", "Td", "stand"), {}, False),
        (("Th 6d", "7c", "Td", "hit"), {}, False),
        (("Th 6d", "7c", "", "surrender"), {}, None),
        (("5h 6d", "Ac", "9d Td", "double"), {}, None),
        (("8h 8d", "Ac", "9c 9d Td", "split stand stand"), {}, None),
        (("Th 9d", "Ac", "7d", "stand"), {"insurance_cents": 500}, None),
    ],
)
def test_whether_the_wager_goes_back(
    args: tuple[str, ...], options: dict[str, Any], returned: bool | None
) -> None:
    assert settled(*args, **options).stake_returned is returned


# Refusals


@pytest.mark.parametrize(
    ("args", "rules", "codes"),
    [
        (("5h 6d", "7c", "2d Td", "hit double"), {}, ("double_too_late",)),
        (("5h 4d", "7c", "Td", "double"), {"double_totals": [10, 11]}, ("double_total",)),
        (
            ("Ah 2d", "7c", "Td", "double"),
            {"double_totals": [10, 11]},
            ("double_with_ace", "double_total"),
        ),
        (
            ("8h 8d", "7c", "3d Td 9c Tc", "split double stand"),
            {"double_after_split": False},
            ("double_after_split",),
        ),
        (("2h 2d", "7c", "2c Td", "hit split"), {}, ("split_too_late",)),
        (
            ("8h 8d", "7c", "8c Td", "split split"),
            {"max_split_hands": 2},
            ("split_too_many",),
        ),
        (("8h 8d", "7c", "8c Td", "split surrender"), {}, ("surrender_after_split",)),
        (("8h 2d", "7c", "4c Td", "hit surrender"), {}, ("surrender_too_late",)),
        (("Th 6d", "7c", "4c Td", ""), {}, ("decision_missing",)),
        (("Th 6d", "7c", "4c Td", "even_money"), {}, ("even_money_without_blackjack",)),
        (("Th 6d", "7c", "5c Td 4d", "hit hit"), {}, ("surplus_decision",)),
        (("Ah Ad", "7c", "5c Td 4d 2c", "split stand stand"), {}, ("surplus_decision",)),
        (("8h 8d", "7c", "", "split"), {}, ("community_short",)),
        (("Ah Kd", "Kc", ""), {}, ("community_short",)),
        (("Ah Kd", "7c", "", "hit"), {}, ("blackjack_complete",)),
        (("Ah Kd", "7c", "9d", "double"), {}, ("blackjack_complete",)),
        (("Ah Kd", "Ac", "2c", "even_money stand"), {}, ("surplus_decision",)),
        (("Th 9d", "7c", "Td", "wait"), {}, ("bad_decision",)),
        (("Th 9d 2c", "7c", "Td", "stand"), {}, ("bad_cards",)),
        (("Th 9x", "7c", "Td", "stand"), {}, ("bad_card",)),
    ],
)
def test_a_decision_that_cannot_be(
    args: tuple[str, ...], rules: dict[str, Any], codes: tuple[str, ...]
) -> None:
    assert refused_codes(*args, **rules) == codes


def test_insurance_needs_an_ace_and_at_most_half() -> None:
    assert refused_codes("Th 9d", "Kc", "Td", "stand", insurance_cents=501) == (
        "insurance_without_ace",
        "insurance_over_half",
    )
    assert refused_codes("Ah Kd", "Ac", "Td", "even_money", insurance_cents=500) == (
        "even_money_insured",
    )


def test_no_card_lies_on_the_table_more_often_than_the_shoe_holds() -> None:
    nine_fives = "5c " * 7
    assert refused_codes("5c 5c", "2c", nine_fives, "hit stand") == ("too_many_of_a_card",)
    six = "5c " * 5
    assert refused_codes("5c 5c", "2c", six, "hit stand", decks=6) == ("too_many_of_a_card",)
    assert settled("5c 5c", "2c", six, "hit stand").category == "lose"


def test_every_fault_of_a_case_is_named() -> None:
    with pytest.raises(Refused) as refused:
        stadium.settle({"extra": {"insurance_cents": -1}})
    assert refused.value.codes == (
        "unknown_paytable",
        "bad_stake",
        "bad_cards",
        "missing_dealer_cards",
        "bad_cards",
        "bad_decision",
        "bad_insurance",
        "bad_rules",
    )
    for extra, code in (([], "bad_extra"), ({"raise_cents": 5}, "unknown_field")):
        with pytest.raises(Refused) as refused:
            stadium.settle({"extra": extra})
        assert refused.value.codes == (code,)


def test_the_dealers_one_card_may_be_given_as_a_hand() -> None:
    case = {
        "paytable": "3:2",
        "stake_cents": 500,
        "player_cards": ["Th", "9d"],
        "dealer_cards": ["7c"],
        "extra": {"community": ["Td"], "decisions": ["stand"], "rules": RULES},
    }
    assert stadium.settle(case).payout_cents == 500
    with pytest.raises(Refused) as refused:
        stadium.settle(case | {"dealer_cards": ["7c", "Td"]})
    assert refused.value.codes == ("bad_cards",)


def test_a_dealer_bet_settles_like_the_players_and_says_what_becomes_of_it() -> None:
    case = {
        "paytable": "3:2",
        "stake_cents": 500,
        "player_cards": ["Th", "9d"],
        "dealer_up": "7c",
        "extra": {"community": ["Td"], "decisions": ["stand"], "rules": RULES, "dealer_bet": True},
    }
    settlement = stadium.settle(case)
    assert settlement.payout_cents == 500
    assert settlement.working.endswith("Dealer bet: the toke and its payoff come down.")


# Properties


names = st.sampled_from([card.name for card in DECK])
any_rules = st.fixed_dictionaries(
    {setting.name: st.sampled_from(list(setting.choices)) for setting in SETTINGS}
)


def as_json(rules: dict[str, Any]) -> dict[str, Any]:
    soft, hard = rules["auto_stand"]
    totals = list(rules["double_totals"])
    return rules | {"auto_stand": {"soft": soft, "hard": hard}, "double_totals": totals}


@st.composite
def rounds(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a round whose decisions mostly fit, so that many settle."""
    up = draw(names)
    insurance = draw(st.integers(0, 500)) if up[0] == "A" and draw(st.booleans()) else 0
    decision = st.sampled_from(["auto", "auto", "stand", "hit", "double", "split", "surrender"])
    return {
        "paytable": draw(st.sampled_from(["3:2", "6:5"])),
        "stake_cents": 1_000,
        "player_cards": draw(st.lists(names, min_size=2, max_size=2)),
        "dealer_up": up,
        "extra": {
            "community": draw(st.lists(names, min_size=6, max_size=14)),
            "decisions": draw(st.lists(decision, max_size=6)),
            "insurance_cents": insurance,
            "rules": as_json(draw(any_rules)),
        },
    }


def try_to_settle(case: dict[str, Any]) -> Settlement | tuple[str, ...]:
    try:
        return stadium.settle(case)
    except Refused as refused:
        return refused.codes


@given(rounds())
def test_a_round_settles_within_its_wagers_or_is_refused(case: dict[str, Any]) -> None:
    settlement = try_to_settle(case)
    if isinstance(settlement, Settlement):
        wagered = sum(part["wager_cents"] for part in settlement.detail["per_hand"])
        insurance = case["extra"]["insurance_cents"]
        assert -wagered - insurance <= settlement.payout_cents <= wagered * 3 // 2 + 2 * insurance


@given(rounds())
def test_twice_the_stakes_is_twice_the_money(case: dict[str, Any]) -> None:
    doubled = case | {
        "stake_cents": 2_000,
        "extra": case["extra"] | {"insurance_cents": 2 * case["extra"]["insurance_cents"]},
    }
    once, twice = try_to_settle(case), try_to_settle(doubled)
    if isinstance(once, Settlement):
        assert isinstance(twice, Settlement)
        assert (twice.category, twice.payout_cents) == (once.category, 2 * once.payout_cents)
    else:
        assert once == twice


@given(rounds())
def test_the_order_of_the_first_two_cards_matters_only_to_a_split(case: dict[str, Any]) -> None:
    turned = case | {"player_cards": case["player_cards"][::-1]}
    one, other = try_to_settle(case), try_to_settle(turned)
    if isinstance(one, Settlement) and one.category != "split":
        assert isinstance(other, Settlement)
        assert one.payout_cents == other.payout_cents
