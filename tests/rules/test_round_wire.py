"""A posted round: everything it can carry is read, and what cannot be read is named."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules.games.eligibility import Bet, Whose
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.reading import read_round, write_verdict
from pitboss.rules.rounds.round import DealtRound, Hand, Seat, settle_round
from tests.rules.rounds import CLASSIC, c, play, seat

POSTED: dict[str, Any] = {
    "dealer_cards": ["9s", "8h"],
    "seats": [
        {
            "seat": 5,
            "player": "A. Moreau",
            "cards": ["5h", "6d"],
            "hands": [{"cards": ["5h", "6d", "9c"], "doubles": {"main": 5000, "2x": 0}}],
            "bets": [
                {"wager": "blackjack", "stake_cents": 5000},
                {"wager": "trilux", "stake_cents": 500, "for": "dealer"},
            ],
        }
    ],
}


def test_a_posted_round_is_read_settled_and_written() -> None:
    written = write_verdict(settle_round(CLASSIC, read_round(POSTED)))
    assert [(line["wager"], line["for"], line["payout_cents"]) for line in written["lines"]] == [
        ("trilux", "dealer", -500),
        ("blackjack", "player", 10_000),
    ]
    assert written["lines"][1]["phase"] == "after_dealer"
    assert written["lines"][1]["staked_cents"] == 10_000
    assert (written["house_cents"], written["envy_cents"], written["flags"]) == (-9_500, 0, [])


def test_flags_are_written_with_their_seat() -> None:
    low = seat(3, "Tc 9c", Bet("blackjack", 100))
    written = write_verdict(play(CLASSIC, "Ts 8h", low))
    assert [(flag["seat"], flag["code"]) for flag in written["flags"]] == [(3, "under_minimum")]


def test_everything_a_round_can_carry_is_read() -> None:
    posted = {
        "dealer_cards": ["6c"],
        "community": ["5c"] * 30,
        "meters": {"JACKPOT": 100},
        "limit_called": True,
        "hole_card_shown": True,
        "blackjack_found_late": True,
        "coupons_approved": True,
        "seats": [
            {
                "seat": 1,
                "cards": ["Th", "4d"],
                "bets": [
                    {
                        "wager": "bet_bigger",
                        "stake_cents": 500,
                        "coupon": True,
                        "raise_cents": 5,
                        "spots": {"2x": 500},
                    }
                ],
                "hands": [{"cards": ["Th"], "toke_cents": 1, "toke_double_cents": 2}],
                "insurance_cents": 3,
                "even_money": True,
                "surrender": True,
                "decisions": ["hit"],
                "toke_decisions": ["stand"],
                "toke_insurance_cents": 4,
                "toke_even_money": True,
                "first_bets": [{"wager": "trilux", "stake_cents": 5, "for": "piggyback"}],
            }
        ],
    }
    bet = Bet("bet_bigger", 500, is_coupon=True, raise_cents=5, spots={"2x": 500})
    assert read_round(posted) == DealtRound(
        seats=(
            Seat(
                1,
                (bet,),
                c("Th 4d"),
                hands=(Hand(c("Th"), toke_cents=1, toke_double_cents=2),),
                insurance_cents=3,
                takes_even_money=True,
                surrenders=True,
                decisions=("hit",),
                toke_decisions=("stand",),
                toke_insurance_cents=4,
                toke_takes_even_money=True,
                first_bets=(Bet("trilux", 5, whose=Whose.PIGGYBACK),),
            ),
        ),
        dealer=c("6c"),
        community=c("5c " * 30),
        meters={"JACKPOT": 100},
        limit_called=True,
        hole_card_shown=True,
        blackjack_found_late=True,
        coupons_approved=True,
    )


@pytest.mark.parametrize(
    ("posted", "code"),
    [
        (None, "bad_round"),
        ([], "bad_round"),
        ({"bank": 1}, "unknown_field"),
        ({"seats": {}}, "bad_round"),
        ({"seats": [{}] * 501}, "bad_round"),
        ({"seats": [3]}, "bad_round"),
        ({"seats": [{"seat": 0}]}, "bad_seat"),
        ({"seats": [{"seat": True}]}, "bad_seat"),
        ({"seats": [{"seat": 1, "player": 3}]}, "bad_player"),
        ({"seats": [{"seat": 1, "bets": [{"wager": 3}]}]}, "unknown_wager"),
        ({"seats": [{"seat": 1, "bets": [{"wager": "trilux"}]}]}, "bad_amount"),
        (
            {"seats": [{"seat": 1, "bets": [{"wager": "x", "stake_cents": 1, "for": "me"}]}]},
            "bad_for",
        ),
        ({"seats": [{"seat": 1, "cards": ["1x"]}]}, "bad_card"),
        ({"seats": [{"seat": 1, "hands": [{"doubles": 3}]}]}, "bad_round"),
        ({"seats": [{"seat": 1, "decisions": [3]}]}, "bad_decision"),
        ({"seats": [{"seat": 1, "even_money": 1}]}, "bad_flag"),
        ({"dealer_cards": "Qh"}, "bad_cards"),
        ({"meters": {"JACKPOT": -1}}, "bad_amount"),
        ({"community": 3}, "bad_round"),
    ],
)
def test_a_posted_round_that_cannot_be_read_is_refused(posted: Any, code: str) -> None:
    with pytest.raises(Refused) as caught:
        read_round(posted)
    assert caught.value.codes[0] == code


def test_every_unreadable_seat_is_named() -> None:
    with pytest.raises(Refused) as caught:
        read_round({"seats": [{"seat": 1}, {"seat": "x"}, {"seat": 3, "cards": 3}]})
    assert caught.value.codes == ("bad_seat", "bad_cards")
    assert "Seat entry 2" in str(caught.value)
