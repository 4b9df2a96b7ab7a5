"""Which hands are jackpots, what the hits of one round are owed, and how a jackpot is signed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jackpots.kinds.jackpot import JACKPOT_KIND
from pitboss.rules.book.options import HouseOptions
from pitboss.rules.flows.asks import ANSWER_MAX, answer_refusals
from pitboss.rules.flows.flows import PlanFacts, SlipStatus, track_steps
from pitboss.rules.games.games import TableRules, table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.payouts.jackpot_flows import (
    BY_PHONE,
    TAKES_METER,
    is_held,
    is_pending,
    is_released,
)
from pitboss.rules.payouts.jackpots import (
    AwardOwed,
    Found,
    Hit,
    awards_of,
    can_hit,
    fixed_award,
    judge_hit,
    read_hit,
    worked_example,
)
from pitboss.rules.paytables.paytables import pay_table
from pitboss.rules.refusal import Refused

DEFAULTS = HouseOptions()
SUITED, COLOURED, MIXED = ("7h", "7h"), ("7h", "7d"), ("7h", "7s")
METER = 2_431_055


def sevens() -> TableRules:
    return table_rules(GAMES["blazing_7s"], minimum_cents=2_500, maximum_cents=300_000)


def sevens_hit(cards: tuple[str, ...] = SUITED, seat: int = 3) -> Hit:
    return Hit(seat, "blazing_7s", 500, cards, ("7h",), "A")


def ladies_hit(seat: int = 4, stake_cents: int = 1_000) -> Hit:
    return Hit(seat, "lucky_ladies", stake_cents, ("Qh", "Qh"), ("Qh",), "A")


def judged(hit: Hit, options: HouseOptions = DEFAULTS) -> Found:
    return judge_hit(hit, pay_table(hit.wager, hit.paytable), options)


def codes(**change: Any) -> list[str]:
    keyed: dict[str, Any] = {
        "seat": 3,
        "wager": "blazing_7s",
        "stake_cents": None,
        "player_cards": SUITED,
        "dealer_cards": ("7h",),
    }
    try:
        read_hit(sevens(), **keyed | change)
    except Refused as refused:
        return list(refused.codes)
    return []


def test_a_hit_is_read_with_the_one_stake_that_its_bet_takes() -> None:
    assert codes() == []
    assert codes(seat=0) == ["unknown_seat"]
    # The manual seats one to seven players.
    assert [codes(seat=seat) for seat in (1, 7, 8)] == [[], [], ["unknown_seat"]]
    assert codes(seat=12, wager="lucky_ladies") == ["unknown_seat", "bet_not_offered"]
    ladies = table_rules(GAMES["bet_bigger"], minimum_cents=500, maximum_cents=1_000)
    with pytest.raises(Refused, match="Enter the bet"):
        read_hit(
            ladies,
            seat=1,
            wager="lucky_ladies",
            stake_cents=None,
            player_cards=("Qh", "Qh"),
            dealer_cards=("Qh",),
        )


@pytest.mark.parametrize(
    ("cards", "percent", "envy"), [(SUITED, 100, 10_000), (COLOURED, 10, 2_500), (MIXED, 0, 500)]
)
def test_three_sevens_are_entered_whatever_they_pay(
    cards: tuple[str, str], percent: int, envy: int
) -> None:
    found = judged(sevens_hit(cards))
    assert (found.percent, found.envy_cents) == (percent, envy)
    assert (found.level is None) == (percent == 0)


@pytest.mark.parametrize("cards", [("7h", "8h"), ("8h", "9c")])
def test_a_smaller_win_or_a_loss_is_no_jackpot(cards: tuple[str, str]) -> None:
    with pytest.raises(Refused) as caught:
        judged(sevens_hit(cards))
    assert caught.value.codes == ("no_jackpot",)


def test_the_mixed_hand_pays_its_dollars_and_no_meter_is_asked_for() -> None:
    award = fixed_award(sevens_hit(MIXED), DEFAULTS)
    assert award.award_cents == 100_000
    assert "$1,000" in award.working


def owed(*hits: Hit, options: HouseOptions = DEFAULTS, meter: int = METER) -> list[int]:
    found = [judged(hit, options) for hit in hits]
    return [award.award_cents for award in awards_of(hits, found, meter, options)]


def test_the_same_hand_is_shared_or_paid_in_turn_or_each_in_full() -> None:
    both = (sevens_hit(seat=2), sevens_hit(seat=5))
    assert owed(*both) == [METER // 2, METER // 2]
    in_turn = replace(DEFAULTS, same_jackpot_hand="in_turn")
    # From the dealer's right: seat 5 comes before seat 2, whichever was entered first.
    assert owed(*both, options=in_turn) == [0, METER]
    in_full = replace(DEFAULTS, same_jackpot_hand="each_in_full")
    assert owed(*both, options=in_full) == [METER, METER]


def test_another_hand_is_paid_on_the_frozen_meter_or_on_what_is_left_of_it() -> None:
    tenth_first = (sevens_hit(COLOURED, seat=5), sevens_hit(SUITED, seat=2))
    assert owed(*tenth_first) == [243_105, METER]
    reduced = replace(DEFAULTS, meter_in_one_round="reduced")
    assert owed(*tenth_first, options=reduced) == [243_105, METER - 243_105]
    whole_first = (sevens_hit(COLOURED, seat=1), sevens_hit(SUITED, seat=2))
    assert owed(*whole_first, options=reduced) == [0, METER]


def test_two_ladies_divide_the_posted_jackpot() -> None:
    assert owed(ladies_hit(), meter=5_000_000) == [5_000_000]
    assert owed(ladies_hit(), ladies_hit(2, 500), meter=5_000_000) == [2_500_000, 1_250_000]


def test_a_side_bet_without_a_meter_is_no_jackpot_whatever_its_odds() -> None:
    rows = {"suited_blackjack": "500:1", "blackjack": "299:1"}
    big = Hit(3, "two_card_bonus", 500, ("Ah", "Kh"), (), rows)
    assert not can_hit(pay_table("two_card_bonus", rows))
    assert fixed_award(big, DEFAULTS) == AwardOwed(250_000, fixed_award(big, DEFAULTS).working)
    for cards, odds in ((("Ah", "Kh"), 500), (("Ah", "Ks"), 299)):
        with pytest.raises(Refused, match=f"{odds} to 1, which isn’t a jackpot. Check the payout"):
            judged(replace(big, player_cards=cards))


def test_the_worked_example_follows_the_house() -> None:
    same, mixed = worked_example(1_000_000, replace(DEFAULTS, same_jackpot_hand="each_in_full"))
    assert same.excess_cents == 1_000_000
    assert [words for words, _ in mixed.lines] == [
        "Seat 5: 10% of $10,000",
        "Seat 2: 100% of $10,000",
    ]


def names(*marks: str) -> list[str]:
    plan = JACKPOT_KIND.plan(PlanFacts({}, marks=frozenset(marks)))
    return [step["name"] for step in track_steps(plan, "main")]


def test_a_part_of_a_meter_is_released_by_a_shift_manager_and_an_award_by_a_supervisor() -> None:
    first, last = ["entered", "verified"], ["paid"]
    assert names(TAKES_METER) == [*first, "confirmed", "jackpot_released", *last]
    assert names() == [*first, "confirmed", "pending_cleared", *last]
    assert names(TAKES_METER, BY_PHONE) == [*first, "phone_confirmed", "jackpot_released", *last]


def test_a_jackpot_is_pending_until_it_is_paid_rejected_or_held() -> None:
    released = {("main", "jackpot_released"): 8}
    cleared = {("main", "pending_cleared"): 8}
    held = {("relief", "held_witnessed"): 6}
    assert is_released(released)
    assert is_released(cleared)
    assert not is_released({("main", "verified"): 1})
    assert is_held(held)
    assert is_pending(SlipStatus.OPEN, {}, "released")
    assert not is_pending(SlipStatus.OPEN, held, "paid")
    assert not is_pending(SlipStatus.VOIDED, {}, "paid")
    assert not is_pending(SlipStatus.DONE, released, "paid")


def test_a_question_is_answered_with_words_or_with_one_of_its_choices() -> None:
    assert answer_refusals([], {}) == []
    assert answer_refusals(["source"], {"source": "tray"}) == []
    long = answer_refusals(["review"], {"review": "x" * (ANSWER_MAX + 1)})
    assert [refusal.code for refusal in long] == ["answer_too_long"]
