"""A round that is undone, put right, sent whole, called off, or ended with what was told of it."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules.cards.playing_cards import cards
from pitboss.rules.games.eligibility import Bet
from pitboss.rules.games.games import table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.ending import Abort, read_abort, sensed_only, settle_told
from pitboss.rules.rounds.log import RoundPart, add_part, as_round, has_bets, new_log, side_wagers
from pitboss.rules.rounds.parts import (
    EARLIER,
    Entry,
    in_force,
    played,
    replaced,
    undone,
    was_dealt,
    with_part,
)
from pitboss.rules.rounds.reading import read_round
from pitboss.rules.rounds.round import DealtRound, Hand, Seat, settle_round
from pitboss.rules.rounds.told import Outcome
from pitboss.rules.rounds.whole import read_whole

CLASSIC = table_rules(GAMES["classic"], minimum_cents=500, maximum_cents=100_000)
BLAZING = table_rules(GAMES["blazing_7s"], minimum_cents=500, maximum_cents=100_000)
MAIN = {"wager": "blackjack", "stake_cents": 5_000}
AT = "2026-05-01T21:47:00+00:00"


def codes(refused: Any) -> tuple[str, ...]:
    found: tuple[str, ...] = refused.value.codes
    return found


def told(*parts: tuple[RoundPart, dict[str, Any]]) -> list[Entry]:
    entries: list[Entry] = []
    for part, what in parts:
        entries = with_part(entries, part, what, AT)
    return entries


SEATED = (
    (RoundPart.SEATS, {"seats": [{"seat": 5}]}),
    (RoundPart.WAGERS, {"seat": 5, "bets": [MAIN]}),
)
FALLEN = {
    "cards": [
        {"seat": 5, "card": "Tc"},
        {"to": "dealer", "card": "9s"},
        {"seat": 5, "card": "9c"},
    ]
}
PAID = (RoundPart.PAYOUTS, {"payouts": [{"seat": 5, "wager": "blackjack", "paid_cents": 5_000}]})


def undo(parts: list[Entry], is_supervisor: bool = False) -> list[Entry]:
    return undone(parts, at=AT, by="", is_supervisor=is_supervisor)


def replace(parts: list[Entry], is_supervisor: bool = False, **told: Any) -> list[Entry]:
    return replaced(parts, told, at=AT, by="", is_supervisor=is_supervisor)


def test_the_last_part_is_undone_and_stays_struck() -> None:
    parts = told(*SEATED, (RoundPart.CARDS, FALLEN))
    assert was_dealt(parts)
    once = undo(parts)
    assert played(CLASSIC, once)["dealer_cards"] == []
    assert [("struck_at" in item) for item in once] == [False, False, True]
    with pytest.raises(Refused) as refused:
        undo(once)
    assert codes(refused) == ("bets_counted",), "the meters have counted them"
    fresh = undo(undo(told(*SEATED)))
    assert in_force(fresh) == []
    with pytest.raises(Refused) as refused:
        undo(fresh)
    assert codes(refused) == ("nothing_to_undo",)


def test_a_replaced_card_lies_where_the_wrong_one_lay_and_may_be_replaced_again() -> None:
    parts = told(
        *SEATED,
        (RoundPart.CARDS, FALLEN),
        (RoundPart.CARDS, {"cards": [{"seat": 5, "card": "2h"}]}),
    )
    once = replace(parts, part=3, place=3, card="6c")
    assert played(CLASSIC, once)["seats"][0]["hands"] == [{"cards": ["Tc", "6c", "2h"]}]
    twice = replace(once, part=5, place=1, card="5c")
    assert played(CLASSIC, twice)["seats"][0]["cards"] == ["5c", "6c"]
    assert [item["number"] for item in in_force(twice)] == [1, 2, 6, 4]
    # What was told before is still there to be read.
    assert twice[2]["told"]["cards"][2]["card"] == "9c"


@pytest.mark.parametrize(
    ("told_so", "code"),
    [
        ({"part": 9, "place": 1, "card": "6c"}, "no_such_part"),
        ({"part": 2, "place": 1, "card": "6c"}, "no_such_part"),
        ({"part": 3, "place": 4, "card": "6c"}, "no_such_card"),
        ({"part": 3, "place": "1", "card": "6c"}, "no_such_card"),
        ({"part": 3, "place": 1, "card": "1c"}, "bad_card"),
    ],
)
def test_a_card_is_replaced_that_is_there_by_one_that_exists(
    told_so: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        replace(told(*SEATED, (RoundPart.CARDS, FALLEN)), **told_so)
    assert codes(refused) == (code,)


def test_a_card_that_a_later_decision_rests_on_is_not_replaced_without_it() -> None:
    eights = {"cards": [{"seat": 5, "card": "8c"}, {"to": "dealer", "card": "9s"},
                        {"seat": 5, "card": "8d"}]}  # fmt: skip
    split = (RoundPart.DECISIONS, {"seat": 5, "decision": "split", "amount_cents": 5_000})
    parts = told(*SEATED, (RoundPart.CARDS, eights), split)
    with pytest.raises(Refused):
        played(CLASSIC, replace(parts, part=3, place=3, card="7d"))


def test_once_payouts_are_told_a_supervisor_changes_a_round() -> None:
    parts = told(*SEATED, (RoundPart.CARDS, FALLEN), PAID)
    for act in (undo, lambda item: replace(item, part=3, place=1, card="6c")):
        with pytest.raises(Refused) as refused:
            act(parts)
        assert codes(refused) == ("payouts_told",)
    assert len(in_force(undo(parts, is_supervisor=True))) == 3
    assert replace(parts, is_supervisor=True, part=3, place=1, card="6c")


def test_a_round_told_before_parts_were_kept_goes_on() -> None:
    log = played(CLASSIC, told(*SEATED))
    parts = [{"number": 1, "part": EARLIER, "told": log, "at": AT}]
    assert not was_dealt(parts)
    assert not was_dealt([])
    parts = with_part(parts, RoundPart.CARDS, FALLEN, AT)
    assert played(CLASSIC, parts)["dealer_cards"] == ["9s"]
    dealt = [{"number": 1, "part": EARLIER, "told": played(CLASSIC, parts), "at": AT}]
    assert was_dealt(dealt)
    with pytest.raises(Refused) as refused:
        undo(dealt)
    assert codes(refused) == ("nothing_to_undo",)


def seat(number: int, held: str, *hands: Hand) -> Seat:
    return Seat(number, (Bet("blackjack", 5_000),), cards(held.split()), hands)


def test_a112_seats_told_completely_are_judged_and_the_others_are_unverified() -> None:
    seats = [seat(number, "Tc 9d") for number in range(1, 6)]
    half = seat(7, "8c 8d", Hand(cards(["8c", "Th"])), Hand(cards(["8d"])))
    ending = settle_told(CLASSIC, DealtRound((*seats, seat(6, "Tc"), half), cards(["9s", "8h"])))
    assert ending.outcome is Outcome.PARTLY_SETTLED
    answer = ending.as_answer()
    assert [line["seat"] for line in answer["lines"]] == [5, 4, 3, 2, 1]
    assert [item["seat"] for item in answer["unverified"]] == [6, 7]
    assert {item["code"] for item in answer["unverified"]} == {"cards_not_told"}


@pytest.mark.parametrize(
    ("dealer", "code"),
    [
        ("", "missing_dealer_cards"),
        ("9s", "missing_dealer_cards"),
        ("9s 5h", "dealer_not_finished"),
    ],
)
def test_a_round_without_the_dealers_whole_hand_is_unverified(dealer: str, code: str) -> None:
    ending = settle_told(CLASSIC, DealtRound((seat(5, "Tc 9d"),), cards(dealer.split())))
    assert ending.outcome is Outcome.UNVERIFIED
    assert [flag.reason.code for flag in ending.unverified] == [code]


def test_a_round_of_which_nothing_was_told_is_unverified() -> None:
    for seats in ((), (seat(5, ""),)):
        assert settle_told(CLASSIC, DealtRound(seats, ())).outcome is Outcome.UNVERIFIED
    ending = settle_told(CLASSIC, DealtRound((seat(5, "Tc 9d"),), cards(["9s", "8h"])))
    assert ending.outcome is Outcome.SETTLED


def test_a110_a_dealer_who_drew_on_17_is_put_right_or_accepted_as_unverified() -> None:
    round_ = DealtRound((seat(5, "Tc 9d"),), cards(["9s", "8h", "2c"]))
    with pytest.raises(Refused) as refused:
        settle_told(CLASSIC, round_)
    assert codes(refused) == ("dealer_drew_too_far",)
    assert settle_told(CLASSIC, round_, is_accepted=True).outcome is Outcome.UNVERIFIED


def test_a_dealer_may_have_drawn_for_a_seat_that_was_not_told() -> None:
    bust = seat(5, "Tc 6d", Hand(cards(["Tc", "6d", "9h"])))
    dealer = cards(["9s", "5h", "7c"])
    with pytest.raises(Refused) as refused:
        settle_round(CLASSIC, DealtRound((bust,), dealer))
    assert codes(refused) == ("dealer_drew_needlessly",)
    ending = settle_told(CLASSIC, DealtRound((bust, seat(6, "")), dealer))
    assert ending.outcome is Outcome.PARTLY_SETTLED


def test_a_lit_sensor_is_a_wager_for_the_meter_and_no_more() -> None:
    lit = {"seats": [{"seat": 2, "lit": ["blazing_7s"]}, {"seat": 5, "lit": ["blazing_7s"]}]}
    log = add_part(BLAZING, new_log(), RoundPart.SEATS, lit)
    assert has_bets(log)
    assert side_wagers(log) == {"blazing_7s": 2}
    assert [flag.seat for flag in sensed_only(log)] == [2, 5]
    bets = [MAIN, {"wager": "blazing_7s", "stake_cents": 500}]
    log = add_part(BLAZING, log, RoundPart.WAGERS, {"seat": 5, "bets": bets})
    assert side_wagers(log) == {"blackjack": 1, "blazing_7s": 2}, "lit and told is one wager"
    assert [flag.seat for flag in sensed_only(log)] == [2]
    assert "lit" not in as_round(log)["seats"][0]


@pytest.mark.parametrize("wager", ["trilux", "lucky_ladies", 7])
def test_only_a_bet_with_a_sensor_is_lit(wager: object) -> None:
    with pytest.raises(Refused) as refused:
        add_part(BLAZING, new_log(), RoundPart.SEATS, {"seats": [{"seat": 2, "lit": [wager]}]})
    assert codes(refused) == ("no_sensor_bet",)


def test_a_round_is_called_off_for_a_reason_by_who_may() -> None:
    for reason in ("", "boredom", None):
        with pytest.raises(Refused) as refused:
            read_abort(reason, was_dealt=False, is_supervisor=False)
        assert codes(refused) == ("bad_reason",)
    with pytest.raises(Refused) as refused:
        read_abort("misdeal", was_dealt=True, is_supervisor=False)
    assert codes(refused) == ("abort_needs_supervisor",)
    for dealt, supervisor in ((False, False), (True, True)):
        found = read_abort("misdeal", was_dealt=dealt, is_supervisor=supervisor)
        assert found is Abort.MISDEAL
    assert Abort.CARD_EXPOSED.words == "Card exposed"


WHOLE = {
    "seats": [
        {"seat": 5, "bets": [MAIN], "cards": ["Tc", "9c"]},
        {
            "seat": 6,
            "bets": [MAIN],
            "cards": ["8c", "3d"],
            "hands": [{"cards": ["8c", "3d", "Th"]}],
        },
        {"seat": 7, "bets": [MAIN]},
    ],
    "dealer_cards": ["9s", "8h"],
    "payouts": [{"seat": 5, "wager": "blackjack", "paid_cents": 5_000}],
}


def test_a_round_sent_whole_is_the_log_of_one_told_bit_by_bit() -> None:
    log, _ = read_whole(CLASSIC, WHOLE)
    assert [item["hands"] for item in log["seats"]] == [
        [{"cards": ["Tc", "9c"]}],
        [{"cards": ["8c", "3d", "Th"]}],
        [],
    ]
    assert log["payouts"][0]["paid_cents"] == 5_000
    ending = settle_told(CLASSIC, read_round(as_round(log)))
    assert [line.seat for line in ending.verdict.lines] == [6, 5]
    assert read_whole(CLASSIC, {"seats": []}).log["payouts"] == []
    with pytest.raises(Refused) as refused:
        read_whole(CLASSIC, {**WHOLE, "shuffles": 7})
    assert codes(refused) == ("unknown_field",)
