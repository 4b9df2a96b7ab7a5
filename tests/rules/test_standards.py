"""The manual's times of a shuffle and a shoe, and a hand proved from the discard rack."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from pitboss.rules.floor.standards import (
    Mark,
    Marked,
    Rating,
    Timed,
    ended_by,
    mark_refusals,
    pace_of,
    rate_shuffle,
    shoe_over_seconds,
)
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.hand_proof import proof_of

NINE = datetime(2026, 5, 1, 13, tzinfo=UTC)


@pytest.mark.parametrize(
    ("decks", "seconds", "rating"),
    [
        (6, 90, "OP"), (6, 91, "SP"), (6, 105, "SP"), (6, 106, "ME"), (6, 120, "ME"),
        (6, 121, "NI"), (8, 110, "OP"), (8, 111, "SP"), (8, 130, "SP"), (8, 131, "ME"),
        (8, 145, "ME"), (8, 146, "NI"),
    ],
)  # fmt: skip
def test_the_rating_scale_of_the_manual(decks: int, seconds: int, rating: str) -> None:
    assert rate_shuffle(decks, seconds) == rating


def test_the_manual_rates_no_shuffle_of_two_decks() -> None:
    assert rate_shuffle(2, 60) is None
    assert shoe_over_seconds(2, 60) is None
    assert [rating.label for rating in Rating][:2] == [
        "Outstanding performer",
        "Strong performer",
    ]


def marks(*told: tuple[str, int, int | None]) -> list[Marked]:
    return [
        Marked(Mark(mark), NINE + timedelta(seconds=second), dealer, 6)
        for mark, second, dealer in told
    ]


def timed(told: list[Marked]) -> list[Timed]:
    return [time for pair in pairwise(told) if (time := ended_by(*pair)) is not None]


def test_a_shuffle_and_a_shoe_are_timed_between_their_marks() -> None:
    times = timed(marks(("shuffle", 0, 1), ("deal", 100, 1), ("shuffle", 680, 1), ("deal", 801, 1)))
    assert [(time.is_shuffle, time.seconds) for time in times] == [
        (True, 100),
        (False, 580),
        (True, 121),
    ]
    assert [time.rating for time in times] == [Rating.STRONG, None, Rating.NEEDS_IMPROVEMENT]
    assert [time.over_seconds for time in times] == [None, 0, None]
    pace = pace_of(times)
    assert (pace.shuffles, pace.shuffle_seconds, pace.shoes, pace.shoe_seconds) == (2, 110, 1, 580)
    assert (pace.shoes_in_time, pace.shoes_rated) == (1, 1)
    assert [Timed(8, seconds, False).over_seconds for seconds in (690, 691)] == [0, 1]
    slow, double_deck = Timed(6, 581, False), Timed(2, 60, False)
    pace = pace_of([*times, slow, double_deck])
    assert (pace.shoes, pace.shoes_in_time, pace.shoes_rated) == (3, 1, 2)
    assert pace.ratings == {
        Rating.OUTSTANDING: 0,
        Rating.STRONG: 1,
        Rating.MEETS: 0,
        Rating.NEEDS_IMPROVEMENT: 1,
    }


@pytest.mark.parametrize(
    "told",
    [
        [("shuffle", 0, 1), ("deal", 100, 2)],
        [("shuffle", 0, None), ("deal", 100, None)],
        [("deal", 0, 1), ("stop", 100, 1)],
        [("stop", 0, 1), ("deal", 100, 1)],
        [("shuffle", 0, 1), ("deal", 901, 1)],
        [("deal", 0, 1), ("shuffle", 5_401, 1)],
        [("shuffle", 0, 1)],
    ],
)
def test_nobody_is_rated_for_what_another_did_or_for_what_was_stopped(
    told: list[tuple[str, int, int | None]],
) -> None:
    assert timed(marks(*told)) == []


def test_a_shuffle_and_a_shoe_may_take_as_long_as_their_limit() -> None:
    assert [mark.seconds for mark in timed(marks(("shuffle", 0, 1), ("deal", 900, 1)))] == [900]
    assert [mark.seconds for mark in timed(marks(("deal", 0, 1), ("shuffle", 5_400, 1)))] == [5_400]


def test_nothing_timed_has_no_average() -> None:
    assert ended_by(None, *marks(("deal", 0, 1))) is None
    pace = pace_of([])
    assert (pace.shuffle_seconds, pace.shoe_seconds, pace.shoes_in_time) == (None, None, 0)


@pytest.mark.parametrize(
    ("mark", "before", "is_open", "codes"),
    [
        (Mark.SHUFFLE, None, True, []),
        (Mark.DEAL, Mark.SHUFFLE, True, []),
        (Mark.STOP, Mark.DEAL, True, []),
        (Mark.DEAL, Mark.DEAL, True, ["marked_already"]),
        (Mark.STOP, None, True, ["nothing_runs"]),
        (Mark.SHUFFLE, Mark.DEAL, False, ["table_closed"]),
    ],
)
def test_marks_come_in_turn_at_an_open_table(
    mark: Mark, before: Mark | None, is_open: bool, codes: list[str]
) -> None:
    found = [refusal.code for refusal in mark_refusals(mark, before, is_open=is_open)]
    assert found == codes


def seat(number: int, *hands: str, **more: Any) -> dict[str, Any]:
    return {
        "seat": number,
        "bets": [{}],
        "hands": [{"cards": cards.split()} for cards in hands],
        **more,
    }


LOG: dict[str, Any] = {
    "dealer_cards": ["9s", "8h"],
    "community": [],
    "seats": [
        seat(6, "Ah Kd"),
        seat(1, "Tc 6d 9h"),
        seat(3, "8c Td", "8d 5c 9h"),
        seat(4, "Td 9d"),
        seat(7),
    ],
}


def test_a_hand_is_proved_from_the_top_of_the_rack_dealer_first_then_right_to_left() -> None:
    verdict = {
        "lines": [
            {"seat": 6, "phase": "player_action"},
            {"seat": 4, "phase": "after_dealer"},
        ]
    }
    proof = proof_of(LOG, verdict)
    assert [
        (picked_up.place, picked_up.whose, picked_up.total, picked_up.ended_early)
        for picked_up in proof
    ] == [
        (1, "Dealer", "17", False),
        (2, "Seat 4", "19", False),
        (3, "Seat 3, hand 1", "18", False),
        (4, "Seat 6", "blackjack", True),
        (5, "Seat 3, hand 2", "22", True),
        (6, "Seat 1", "25", True),
    ]


def test_in_a_round_that_is_on_a_hand_given_up_lies_deeper() -> None:
    log = {**LOG, "seats": [seat(2, "Td 6d", surrender=True), seat(1, "Td 9c")]}
    assert [picked_up.whose for picked_up in proof_of(log, None)] == ["Dealer", "Seat 1", "Seat 2"]


@pytest.mark.parametrize(
    ("change", "code"), [({"dealer_cards": []}, "not_dealt"), ({"community": ["9c"]}, "no_rack")]
)
def test_there_is_nothing_to_prove_without_cards_or_in_a_stadium(
    change: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as caught:
        proof_of({**LOG, **change}, None)
    assert caught.value.codes == (code,)
