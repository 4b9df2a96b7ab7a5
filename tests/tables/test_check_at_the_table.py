"""A check at a terminal says right only where its table's own rules say so, hand by hand."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.models import Table
from tests.floor.cast import Cast
from tests.floor.meters import play
from tests.floor.payouts import open_with_terminal

pytestmark = pytest.mark.django_db

EIGHTS = {
    "wager": "blackjack",
    "stake_cents": 2_500,
    "player_cards": ["8c", "8d"],
    "dealer_cards": ["9s", "8h"],
}
NINETEEN = {**EIGHTS, "player_cards": ["Tc", "9d"]}


def split(*hands: str) -> dict[str, Any]:
    return {**EIGHTS, "extra": {"split_hands": [{"cards": hand.split()} for hand in hands]}}


def asked(cast: Cast, game: str, claim: dict[str, Any], **table: int) -> dict[str, Any]:
    """Check a payout at a table that deals a game, within limits of its own."""
    play(game, cast.table)
    decks = 2 if game == "double_deck" else 6
    Table.objects.filter(pk=cast.table.pk).update(decks=decks, **table)
    answer = open_with_terminal(cast).post("checks", claim)
    assert answer.status_code == 201, answer.content
    body: dict[str, Any] = answer.json()
    return body


@pytest.mark.parametrize(
    ("game", "limits", "claim", "code"),
    [
        ("double_deck", {}, {**split("8c Th", "8d Td", "8h Tc"), "paid_cents": 7_500},
         "split_too_many"),
        ("classic", {"minimum_cents": 1_500},
         {**EIGHTS, "player_cards": ["6c", "5d", "Th"], "stake_cents": 2_000,
          "extra": {"double_cents": 1_000}, "paid_cents": 3_000}, "double_under_minimum"),
        ("double_deck", {}, {**EIGHTS, "player_cards": ["Kd", "Kd"],
                             "dealer_cards": ["Kd", "8h"], "paid_cents": 2_500},
         "too_many_of_a_card"),
        ("classic", {}, {**EIGHTS, "player_cards": ["2h"] * 6,
                         "dealer_cards": ["2h", "Tc", "5d"], "paid_cents": 0},
         "too_many_of_a_card"),
    ],
)  # fmt: skip
def test_a_hand_that_a_round_refuses_cannot_be_verified_by_a_check(
    cast: Cast, game: str, limits: dict[str, int], claim: dict[str, Any], code: str
) -> None:
    told = asked(cast, game, claim, **limits)
    assert (told["verdict"], told["payable_cents"]) == ("cannot_verify", None)
    assert [reason["code"] for reason in told["reasons"]] == [code]


@pytest.mark.parametrize(
    ("stake_cents", "code"),
    [(1_000, "under_minimum"), (400_000, "over_maximum"), (2_500, None)],
)
def test_a_stake_outside_the_limits_is_paid_and_warned_of(
    cast: Cast, stake_cents: int, code: str | None
) -> None:
    told = asked(
        cast, "classic", {**NINETEEN, "stake_cents": stake_cents, "paid_cents": stake_cents}
    )
    assert told["verdict"] == "right"
    assert [warning["code"] for warning in told["warnings"]] == ([code] if code else [])


@pytest.mark.parametrize(
    ("change", "verdict", "owed_cents"),
    [
        ({"paid_cents": 2_500}, "right", 2_500),
        ({"paid_cents": 0}, "underpaid", 2_500),
        ({"paid_cents": 2_500, "hand": 1}, "right", 2_500),
        ({"paid_cents": 2_500, "hand": 2}, "overpaid", 0),
        ({"paid_cents": 0, "hand": 2}, "right", 0),
    ],
)
def test_of_two_eights_the_one_that_wins_is_paid_whatever_the_other_lost(
    cast: Cast, change: dict[str, int], verdict: str, owed_cents: int
) -> None:
    told = asked(cast, "classic", {**split("8c Th", "8d 4c 4h"), **change})
    assert (told["verdict"], told["payable_cents"]) == (verdict, owed_cents)


@pytest.mark.parametrize(("paid_cents", "verdict"), [(2_400, "right"), (0, "underpaid")])
def test_insurance_is_paid_beside_a_bet_that_lost(
    cast: Cast, paid_cents: int, verdict: str
) -> None:
    insured = {
        **NINETEEN,
        "dealer_cards": ["As", "Kh"],
        "extra": {"insurance_cents": 1_200},
        "paid_cents": paid_cents,
    }
    assert asked(cast, "classic", insured)["verdict"] == verdict


DOUBLED = {
    **EIGHTS,
    "stake_cents": 10_000,
    "player_cards": ["6c", "5d", "Th"],
    "extra": {"double_cents": 5_000},
    "paid_cents": 15_000,
}


@pytest.mark.parametrize(
    ("change", "verdict", "owed_cents"),
    [
        ({}, "right", 15_000),
        ({"paid_cents": 20_000}, "overpaid", 15_000),
        ({"extra": {"double_cents": 10_100}}, "cannot_verify", None),
        ({"extra": {"double_cents": 1_000}, "paid_cents": 11_000}, "cannot_verify", None),
    ],
)
def test_a90_a_double_for_less_is_paid_on_what_lies_there(
    cast: Cast, change: dict[str, Any], verdict: str, owed_cents: int | None
) -> None:
    told = asked(cast, "classic", {**DOUBLED, **change}, minimum_cents=1_500)
    assert (told["verdict"], told["payable_cents"]) == (verdict, owed_cents)
