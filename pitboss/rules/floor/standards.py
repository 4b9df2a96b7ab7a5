"""How long a shuffle and a shoe take, against the manual's times, and how a dealer's pace moves.

A cycle has two words that the dealer calls anyway: "shuffle", which ends the shoe, and the first
card of the next one. A time is rated only where one dealer did the whole of it without a stop;
otherwise it would coach someone for what another did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.paytables.pays import Source
from pitboss.rules.paytables.printed import MANUAL
from pitboss.rules.refusal import CONFLICT, Refusal

SHUFFLING: Final = Source(MANUAL, "Shuffling, rating scale")
DEALING: Final = Source(MANUAL, "Dealing")
# What takes longer was no shuffle or shoe: someone forgot to mark its end.
SHUFFLE_MAX: Final = timedelta(minutes=15)
SHOE_MAX: Final = timedelta(minutes=90)


@unique
class Mark(StrEnum):
    """What is marked at a table with a shoe."""

    SHUFFLE = "shuffle"
    DEAL = "deal"
    STOP = "stop"

    @property
    def label(self) -> str:
        return {"shuffle": "Shuffle", "deal": "First card", "stop": "Shoe broken down"}[self.value]


@unique
class Rating(StrEnum):
    """The manual's four ratings of a shuffle, the best first."""

    OUTSTANDING = "OP"
    STRONG = "SP"
    MEETS = "ME"
    NEEDS_IMPROVEMENT = "NI"

    @property
    def label(self) -> str:
        return _RATING_WORDS[self]


_RATING_WORDS: Final = {
    Rating.OUTSTANDING: "Outstanding performer",
    Rating.STRONG: "Strong performer",
    Rating.MEETS: "Meets expectations",
    Rating.NEEDS_IMPROVEMENT: "Needs improvement",
}
# The longest time, in seconds, that still earns a rating; slower needs improvement.
SHUFFLE_SECONDS: Final[Mapping[int, tuple[tuple[int, Rating], ...]]] = {
    6: ((90, Rating.OUTSTANDING), (105, Rating.STRONG), (120, Rating.MEETS)),
    8: ((110, Rating.OUTSTANDING), (130, Rating.STRONG), (145, Rating.MEETS)),
}
SHOE_SECONDS: Final[Mapping[int, int]] = {6: 580, 8: 690}


def rate_shuffle(decks: int, seconds: int) -> Rating | None:
    """Rate a shuffle; the manual has no scale but for six and eight decks.

    >>> rate_shuffle(6, 90), rate_shuffle(6, 91), rate_shuffle(8, 146)
    (<Rating.OUTSTANDING: 'OP'>, <Rating.STRONG: 'SP'>, <Rating.NEEDS_IMPROVEMENT: 'NI'>)
    """
    scale = SHUFFLE_SECONDS.get(decks)
    if scale is None:
        return None
    return next((rating for most, rating in scale if seconds <= most), Rating.NEEDS_IMPROVEMENT)


def shoe_over_seconds(decks: int, seconds: int) -> int | None:
    """Return how far a shoe went past its standard time; below zero when it was faster.

    >>> shoe_over_seconds(6, 600), shoe_over_seconds(8, 660), shoe_over_seconds(2, 600)
    (20, -30, None)
    """
    standard = SHOE_SECONDS.get(decks)
    return None if standard is None else seconds - standard


def clock_words(seconds: int) -> str:
    """Say a length of time as a stopwatch does.

    >>> clock_words(580), clock_words(59)
    ('9:40', '0:59')
    """
    return f"{seconds // 60}:{seconds % 60:02d}"


@dataclass(frozen=True, slots=True)
class Marked:
    """One mark at a table: what, when, and who dealt."""

    mark: Mark
    at: datetime
    dealer_id: int | None
    decks: int


@dataclass(frozen=True, slots=True)
class Timed:
    """How long one shuffle or one shoe took that a dealer did from beginning to end."""

    decks: int
    seconds: int
    is_shuffle: bool

    @property
    def rating(self) -> Rating | None:
        return rate_shuffle(self.decks, self.seconds) if self.is_shuffle else None

    @property
    def over_seconds(self) -> int | None:
        return None if self.is_shuffle else shoe_over_seconds(self.decks, self.seconds)


def mark_refusals(mark: Mark, before: Mark | None, *, is_open: bool) -> list[Refusal]:
    """Return why something cannot be marked now."""
    refusals = []
    if not is_open:
        refusals.append(
            Refusal("table_closed", "The table is closed. No one shuffles or deals.", CONFLICT)
        )
    if mark == before:
        refusals.append(
            Refusal("marked_already", f"{mark.label} is already marked. Mark what came after it.")
        )
    if mark is Mark.STOP and before is None:
        refusals.append(Refusal("nothing_runs", "No shoe and no shuffle runs. Mark one first."))
    return refusals


def ended_by(began: Marked | None, ended: Marked) -> Timed | None:
    """Return the shuffle or shoe that a mark ends, if one dealer did the whole of it."""
    if began is None or began.dealer_id is None or began.dealer_id != ended.dealer_id:
        return None
    is_shuffle = (began.mark, ended.mark) == (Mark.SHUFFLE, Mark.DEAL)
    is_shoe = (began.mark, ended.mark) == (Mark.DEAL, Mark.SHUFFLE)
    took = ended.at - began.at
    if not (is_shuffle or is_shoe) or took > (SHUFFLE_MAX if is_shuffle else SHOE_MAX):
        return None
    return Timed(began.decks, int(took.total_seconds()), is_shuffle)


@dataclass(frozen=True, slots=True)
class Pace:
    """How a dealer shuffled and dealt in one stretch of time."""

    shuffles: int
    shuffle_seconds: int | None
    ratings: Mapping[Rating, int]
    shoes: int
    shoe_seconds: int | None
    shoes_in_time: int
    # Of those that the manual has a standard for.
    shoes_rated: int


def pace_of(times: Iterable[Timed]) -> Pace:
    """Sum up times; averages are of whole seconds, rounded down, and none where there are none."""
    times = list(times)
    shuffles = [time for time in times if time.is_shuffle]
    shoes = [time for time in times if not time.is_shuffle]
    ratings = Counter(shuffle.rating for shuffle in shuffles)
    over = [shoe.over_seconds for shoe in shoes if shoe.over_seconds is not None]
    return Pace(
        shuffles=len(shuffles),
        shuffle_seconds=_average([shuffle.seconds for shuffle in shuffles]),
        ratings={rating: ratings[rating] for rating in Rating},
        shoes=len(shoes),
        shoe_seconds=_average([shoe.seconds for shoe in shoes]),
        shoes_in_time=sum(seconds <= 0 for seconds in over),
        shoes_rated=len(over),
    )


def _average(seconds: Sequence[int]) -> int | None:
    return sum(seconds) // len(seconds) if seconds else None


def per_hour(rounds: int, dealt: timedelta) -> int | None:
    """Return rounds an hour over the time that was dealt; none for less than five minutes.

    >>> per_hour(35, timedelta(minutes=30)), per_hour(3, timedelta(minutes=4))
    (70, None)
    """
    seconds = int(dealt.total_seconds())
    return rounds * 3600 // seconds if seconds >= 300 else None
