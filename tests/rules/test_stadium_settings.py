"""Stadium Blackjack: what each setting of the house and each open reading changes."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules.refusal import Refused
from pitboss.rules.stadium.selected import OPEN_READINGS, stadium_rules
from tests.rules.community import RULES, refused_codes, result, settled

# Settings


@pytest.mark.parametrize(
    ("keep", "insurance_cents", "expected"),
    [
        ("disabled", 0, ("push", 0)),
        ("always", 0, ("standoff_kept", -1_000)),
        ("when_not_insured", 0, ("standoff_kept", -1_000)),
        ("always_but_push_insurance", 0, ("standoff_kept", -1_000)),
        ("disabled", 500, ("push", -500)),
        ("always", 500, ("standoff_kept", -1_500)),
        ("when_not_insured", 500, ("push", -500)),
        ("always_but_push_insurance", 500, ("standoff_kept", -1_500)),
    ],
)
def test_a_tied_hand(keep: str, insurance_cents: int, expected: tuple[str, int]) -> None:
    settlement = settled(
        "Th 8d", "Ac", "7d", "stand", insurance_cents=insurance_cents, keep_standoff_bet=keep
    )
    assert result(settlement) == expected


@pytest.mark.parametrize(
    ("keep", "insurance_cents", "expected"),
    [
        ("disabled", 0, ("blackjack_push", 0)),
        ("always", 0, ("blackjack_standoff_kept", -1_000)),
        ("when_not_insured", 0, ("blackjack_standoff_kept", -1_000)),
        ("always_but_push_insurance", 0, ("blackjack_standoff_kept", -1_000)),
        ("disabled", 200, ("blackjack_insured", 1_000)),
        ("always", 200, ("blackjack_standoff_kept", -600)),
        ("when_not_insured", 200, ("blackjack_insured", 1_000)),
        ("always_but_push_insurance", 200, ("blackjack_standoff_kept", -1_000)),
    ],
)
def test_two_blackjacks(keep: str, insurance_cents: int, expected: tuple[str, int]) -> None:
    settlement = settled(
        "As Kd", "Ac", "Qd", insurance_cents=insurance_cents, keep_standoff_bet=keep
    )
    assert result(settlement) == expected


def test_even_money_is_paid_at_once_whatever_the_standoff_setting() -> None:
    for keep in ("disabled", "always"):
        settlement = settled("As Kd", "Ac", "", "even_money", keep_standoff_bet=keep)
        assert result(settlement) == ("even_money", 1_000)
        assert settlement.detail["dealer_hand"] == ["Ac"]


def test_surrender_against_a_blackjack_by_setting() -> None:
    assert result(settled("Th 6d", "Kc", "", "surrender")) == ("surrender", -500)
    conditional: dict[str, Any] = {"surrender": "not_against_blackjack"}
    assert result(settled("Th 6d", "Kc", "Ad", "surrender", **conditional)) == (
        "surrender_refused",
        -1_000,
    )
    assert result(settled("Th 6d", "Kc", "9d", "surrender", **conditional)) == ("surrender", -500)
    assert result(settled("Th 6d", "7c", "", "surrender", **conditional)) == ("surrender", -500)
    assert refused_codes("Th 6d", "7c", "", "surrender", surrender="disabled") == (
        "surrender_disabled",
    )


def test_a_doubled_hand_loses_only_its_first_wager_to_a_blackjack() -> None:
    settlement = settled("5h 6d", "Ac", "9d Td", "double", insurance_cents=500)
    assert result(settlement) == ("dealer_blackjack", 0)
    assert settlement.detail["per_hand"] == [
        {"outcome": "dealer_blackjack", "wager_cents": 2_000, "payout_cents": -1_000}
    ]
    assert settlement.working == (
        "Player 20 against a dealer blackjack: $10 is lost. Insurance pays 2 to 1: $10."
    )


def test_split_hands_lose_one_wager_to_a_blackjack() -> None:
    settlement = settled("8h 8d", "Ac", "9c 9d Td", "split stand stand")
    assert result(settlement) == ("split", -1_000)
    outcomes = [part["outcome"] for part in settlement.detail["per_hand"]]
    assert outcomes == ["dealer_blackjack", "returned"]
    assert settlement.readings == ()
    assert settlement.working == (
        "Hand 1: 17 against a dealer blackjack: $10 is lost."
        " Hand 2: the dealer has blackjack: the wager goes back."
    )


def test_who_deals_changes_nothing() -> None:
    live = settled("Th 9d", "7c", "Td", "stand", dealer="live", decks=6)
    assert live == settled("Th 9d", "7c", "Td", "stand", dealer="automated")


# Open readings, each way


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("one_to_one", ("blackjack_insured", 1_000)),
        ("push_and_insurance", ("blackjack_insured", 400)),
    ],
)
def test_st01_two_blackjacks_insured(choice: str, expected: tuple[str, int]) -> None:
    settlement = settled("As Kd", "Ac", "Qd", insurance_cents=200, insured_double_blackjack=choice)
    assert result(settlement) == expected
    assert settlement.readings == ("ST01",)


@pytest.mark.parametrize(
    ("choice", "expected"),
    [("kept", ("blackjack_standoff_kept", -600)), ("one_to_one", ("blackjack_insured", 1_000))],
)
def test_st02_two_blackjacks_insured_and_kept(choice: str, expected: tuple[str, int]) -> None:
    settlement = settled(
        "As Kd",
        "Ac",
        "Qd",
        insurance_cents=200,
        keep_standoff_bet="always",
        insured_double_blackjack_kept=choice,
    )
    assert result(settlement) == expected
    assert settlement.readings == ("ST02",)


@pytest.mark.parametrize(("choice", "payout"), [("double_blackjack", -1_500), ("any_tie", -1_000)])
def test_st03_insurance_given_back_on_a_tie(choice: str, payout: int) -> None:
    settlement = settled(
        "Th 8d",
        "Ac",
        "7d",
        "stand",
        insurance_cents=500,
        keep_standoff_bet="always_but_push_insurance",
        push_insurance_on=choice,
    )
    assert settlement.payout_cents == payout
    assert settlement.readings == ("ST03",)


@pytest.mark.parametrize(
    ("choice", "left_bust", "right_bust", "none_bust"),
    [
        ("left_and_bust", -1_000, -2_000, -1_000),
        ("bust_and_one", -2_000, -2_000, -1_000),
        ("larger", -1_000, -1_000, -1_000),
    ],
)
def test_st04_split_hands_against_a_blackjack(
    choice: str, left_bust: int, right_bust: int, none_bust: int
) -> None:
    how: dict[str, Any] = {"split_v_dealer_blackjack": choice}
    left = settled("8h 8d", "Ac", "7c Kc 9d Td", "split hit stand", **how)
    right = settled("8h 8d", "Ac", "9c 7d Kd Td", "split stand hit", **how)
    neither = settled("8h 8d", "Ac", "9c 9d Td", "split stand stand", **how)
    assert [left.payout_cents, right.payout_cents, neither.payout_cents] == [
        left_bust,
        right_bust,
        none_bust,
    ]
    assert (left.readings, neither.readings) == (("ST04",), ())
    assert [part["outcome"] for part in neither.detail["per_hand"]] == [
        "dealer_blackjack",
        "returned",
    ]


def test_st04_a_busted_double_is_lost_whole() -> None:
    settlement = settled("8h 8d", "Ac", "4c Kc 9d Td", "split double stand")
    assert result(settlement) == ("split", -2_000)


@pytest.mark.parametrize(("choice", "payout"), [("lost", -1_500), ("next_card", 0)])
def test_st05_insurance_when_every_hand_has_bust(choice: str, payout: int) -> None:
    settlement = settled(
        "Th 6d", "Ac", "Kd Td", "hit", insurance_cents=500, insurance_after_all_bust=choice
    )
    assert settlement.payout_cents == payout
    assert settlement.readings == ("ST05",)


@pytest.mark.parametrize(("choice", "payout"), [("whole", -2_000), ("initial", -1_000)])
def test_st12_a_tied_double_that_is_kept(choice: str, payout: int) -> None:
    settlement = settled(
        "5h 6d", "9c", "8d Td", "double", keep_standoff_bet="always", kept_double=choice
    )
    assert result(settlement) == ("standoff_kept", payout)
    assert settlement.readings == ("ST12",)


@pytest.mark.parametrize(
    ("choice", "blackjack", "none"),
    [("next_card", 500, -1_000), ("lost", -1_000, -1_000), ("returned", -500, -500)],
)
def test_st15_insurance_on_a_surrendered_hand(choice: str, blackjack: int, none: int) -> None:
    for second, payout in (("Td", blackjack), ("9d", none)):
        settlement = settled(
            "Th 6d", "Ac", second, "surrender", insurance_cents=500, surrender_insurance=choice
        )
        assert result(settlement) == ("surrender", payout)
        assert settlement.readings == ("ST15",)


@pytest.mark.parametrize(
    ("choice", "expected"), [("push", ("push", -500)), ("kept", ("standoff_kept", -1_500))]
)
def test_st21_an_insured_tie(choice: str, expected: tuple[str, int]) -> None:
    settlement = settled(
        "Th 8d",
        "Ac",
        "7d",
        "stand",
        insurance_cents=500,
        keep_standoff_bet="when_not_insured",
        insured_tie=choice,
    )
    assert result(settlement) == expected
    assert settlement.readings == ("ST21",)


def test_every_open_reading_is_said_in_the_working() -> None:
    settlement = settled("As Kd", "Ac", "Qd", insurance_cents=500)
    assert settlement.working == (
        "Player and dealer both have blackjack. Reading ST01:"
        " the bet is paid 1 to 1 and the insurance goes back."
    )
    assert [setting.reading for setting in OPEN_READINGS] == [
        "ST01", "ST02", "ST03", "ST04", "ST05", "ST12", "ST15", "ST21",
    ]  # fmt: skip


def test_a_setting_left_out_or_wrong_is_named_with_its_choices() -> None:
    stated = {name: value for name, value in RULES.items() if name != "surrender"}
    with pytest.raises(Refused) as refused:
        stadium_rules(stated | {"auto_stand": {"soft": 16, "hard": 17}})
    assert [refusal.message for refusal in refused.value.refusals] == [
        'rule surrender is missing. Use one of: "disabled", "enabled", "not_against_blackjack".',
        'rule auto_stand cannot be an object. Use one of: {"soft": 17, "hard": 12}, '
        '{"soft": 17, "hard": 17}, {"soft": 18, "hard": 17}, {"soft": 18, "hard": 12}.',
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dealer_soft_17", None),
        ("double_totals", [9, 11]),
        ("double_totals", [2.0, 20]),
        ("double_totals", [2, 20, 21]),
        ("double_totals", {"soft": 2, "hard": 20}),
        ("double_after_split", 1),
        ("max_split_hands", 4),
        ("max_split_hands", True),
        ("auto_stand", {"soft": 17}),
        ("auto_stand", [17, 17]),
        ("auto_stand", {"soft": 16, "hard": 17}),
        ("decks", 2),
        ("keep_standoff_bet", ["always"]),
        ("colour", "blue"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(name: str, value: object) -> None:
    assert refused_codes("Th 9d", "7c", "Td", "stand", **{name: value}) == ("bad_rules",)


def test_an_operator_must_state_every_selection() -> None:
    for name in RULES:
        with pytest.raises(Refused, match=name):
            stadium_rules({key: value for key, value in RULES.items() if key != name})
