"""What tables have won so far, hour by hour, before their boxes are counted.

Between two counts of a tray all is known but the cash: what the tray has more or less, less what
slips moved, plus what was paid into the box. Where a supervisor estimated the cash, the sum of a
stretch is as sure as that; how it lay within the stretch is told by rounds or payouts, and the
rest is spread evenly. Where no one did, only some buy-ins are logged, and a table that sold cheques
would look as if it had lost them. Then reported rounds say what was won; without them the game is
expected to hold what it held before.

After the last count the tray is not known. Reported rounds say what was won; without them the game
is expected to hold what it held before of what was bought in since, and strays by as much as it
did.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import Final

from pitboss.rules.day.hold import DEVIATIONS_HUNDREDTHS, Experience

_TICK: Final = timedelta(microseconds=1)


@unique
class What(StrEnum):
    """What a fact about a table is. Its cents are worth the tray, or what moved."""

    OPENED = "opened"
    COUNTED = "counted"
    CLOSED = "closed"
    # Of a locked tray: no one has played at it.
    RECOUNTED = "recounted"
    # Into the tray, or below zero out of it, on a slip that is no marker.
    MOVED = "moved"
    # Out of the tray against a signature, or below zero back into it.
    MARKER = "marker"
    # Out of the tray beyond the game: a jackpot, envy.
    PAID = "paid"
    # A payout of the game large enough for a slip: reported rounds have it in them.
    BIG_WIN = "big_win"
    BUY_IN = "buy_in"
    # What a supervisor thinks was bought in from `since` on.
    GUESS = "guess"
    # What the house won of a round that was reported, and what one payout took from the tray.
    ROUND = "round"
    PAYOUT = "payout"


_COUNTS = frozenset({What.OPENED, What.COUNTED, What.CLOSED, What.RECOUNTED})
_ENDS = frozenset({What.COUNTED, What.CLOSED})
_BEGINS = frozenset({What.OPENED, What.COUNTED})


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing known of a table."""

    what: What
    at: datetime
    cents: int
    since: datetime | None = None


@unique
class EstimateBasis(StrEnum):
    """What an estimate rests on, the surest first."""

    COUNTED = "counted"
    REPORTED = "reported"
    EXPECTED = "expected"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Past:
    """What a game did before: how it strayed, and how far estimates of its cash were off."""

    experience: Experience | None = None
    # Squared distance of estimates from counted boxes, over the squared drop.
    missed: Fraction | None = None


NO_PAST: Final = Past()


@dataclass(frozen=True, slots=True)
class Span:
    """An amount that came evenly over a time, or in one instant."""

    began: datetime
    ended: datetime
    cents: int

    def by(self, at: datetime) -> int:
        """Return how much of it had come by an instant; parts of it always add up to the whole.

        >>> noon = datetime(2026, 5, 1, 12)
        >>> span = Span(noon, noon + timedelta(hours=3), 1_000)
        >>> [span.by(noon + timedelta(hours=hour)) for hour in range(4)]
        [0, 333, 666, 1000]
        """
        if at >= self.ended:
            return self.cents
        if at <= self.began:
            return 0
        return self.cents * ((at - self.began) // _TICK) // ((self.ended - self.began) // _TICK)


def within(spans: Iterable[Span], after: datetime, until: datetime) -> int:
    """Return what came after one instant and until another."""
    return sum(span.by(until) - span.by(after) for span in spans)


@dataclass(frozen=True, slots=True)
class PlayStretch:
    """A stretch of play: between two counts, or from the last one on."""

    began: datetime
    ended: datetime
    basis: EstimateBasis
    win: tuple[Span, ...]
    # By how much the win may be off, squared; none where no one can say.
    variance: Fraction | None = None
    # Cash that no one logged, as the counts and the game's past imply it.
    implied: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one table has won so far, and was bought in for."""

    parts: tuple[PlayStretch, ...]
    cash: tuple[Span, ...]
    markers: tuple[Span, ...]

    def win_cents(self, after: datetime, until: datetime) -> int:
        return sum(within(part.win, after, until) for part in self.parts)

    def drop_cents(self, after: datetime, until: datetime) -> int:
        return within((*self.cash, *self.markers), after, until)

    def during(self, after: datetime, until: datetime) -> list[PlayStretch]:
        """Return the stretches of play that reach into a time."""
        return [part for part in self.parts if part.began < until and part.ended > after]


def estimate(facts: Iterable[Fact], now: datetime, past: Past = NO_PAST) -> Estimate:
    """Return what a table has won by now, as far as the facts go.

    Opened on $5,000, filled with $1,000, the cash estimated at $2,500, counted later at $4,500:
    the tray has $1,500 less than it was given, and the box $2,500 more.

    >>> noon = datetime(2026, 5, 1, 12)
    >>> one, two = noon + timedelta(hours=1), noon + timedelta(hours=2)
    >>> table = estimate([
    ...     Fact(What.OPENED, noon, 500_000), Fact(What.MOVED, one, 100_000),
    ...     Fact(What.GUESS, two, 250_000, since=noon), Fact(What.COUNTED, two, 450_000)], two)
    >>> table.win_cents(noon, two), table.parts[0].basis.value
    (100000, 'counted')
    """
    known = sorted(facts, key=lambda fact: fact.at)
    cash = _cash(known)
    markers = tuple(_instants(known, What.MARKER))
    counts = [fact for fact in known if fact.what in _COUNTS]
    parts = [
        _counted(began, ended, known, cash, past)
        for began, ended in pairwise(counts)
        if ended.what in _ENDS
    ]
    if counts and counts[-1].what in _BEGINS:
        parts.append(_not_counted(counts[-1].at, now, known, (*cash, *markers), past))
    implied = (span for part in parts for span in part.implied)
    return Estimate(tuple(parts), (*cash, *implied), markers)


def _instants(facts: Iterable[Fact], what: What, sign: int = 1) -> list[Span]:
    return [Span(fact.at, fact.at, sign * fact.cents) for fact in facts if fact.what is what]


def _cash(facts: Sequence[Fact]) -> tuple[Span, ...]:
    """Return what was bought in: as logged, and spread evenly what was estimated beyond that.

    Of several estimates from one time on, the newest counts. Logged cash is never taken back by an
    estimate that is less.
    """
    logged = _instants(facts, What.BUY_IN)
    newest = {fact.since: fact for fact in facts if fact.what is What.GUESS}
    spans = list(logged)
    for since, guess in newest.items():
        assert since is not None, "an estimate says from when on it counts"
        more = guess.cents - sum(span.cents for span in logged if since <= span.ended <= guess.at)
        if more > 0:
            spans.append(Span(*_open_within(facts, since, guess.at), more))
    return tuple(spans)


def _open_within(
    facts: Iterable[Fact], since: datetime, until: datetime
) -> tuple[datetime, datetime]:
    """Return from when to when a table was open within a time: no one buys in at a closed one."""
    counts = [fact for fact in facts if fact.what in _COUNTS and fact.at <= until]
    opened = [fact.at for fact in counts if fact.what is What.OPENED and fact.at > since]
    before = [fact.what for fact in counts if fact.at <= since]
    is_open = bool(before) and before[-1] in _BEGINS
    began = opened[0] if opened and not is_open else since
    closed = [fact for fact in counts if fact.at > began]
    ended = closed[-1].at if closed and closed[-1].what is What.CLOSED else until
    return began, ended


def _counted(
    began: Fact, ended: Fact, facts: Sequence[Fact], cash: Sequence[Span], past: Past
) -> PlayStretch:
    """Return a stretch between two counts.

    Its sum is that of the counts where a supervisor estimated the cash. Else reported rounds say
    it; else the cash is taken to be what the game would need to hold as before.
    """
    between = [fact for fact in facts if began.at < fact.at <= ended.at]
    marked = sum(fact.cents for fact in between if fact.what is What.MARKER)
    moved = sum(fact.cents for fact in between if fact.what is What.MOVED) - marked
    bought = within(cash, began.at, ended.at)
    # What the tray gained beyond its slips: below zero where cheques were sold for cash.
    gained = ended.cents - began.cents - moved
    rounds, paid = _instants(between, What.ROUND), _instants(between, What.PAID, -1)
    instants = rounds or _instants(between, What.PAYOUT, -1) or _instants(between, What.BIG_WIN, -1)
    instants += paid

    def by_the_counts(basis: EstimateBasis, more: int, variance: Fraction | None) -> PlayStretch:
        rest = gained + bought + more - sum(span.cents for span in instants)
        spans = (*instants, Span(began.at, ended.at, rest))
        extra = (Span(began.at, ended.at, more),) if more else ()
        return PlayStretch(began.at, ended.at, basis, spans, variance, extra)

    if _is_guessed(began.at, ended.at, facts):
        missed = None if past.missed is None else bought**2 * past.missed
        return by_the_counts(EstimateBasis.COUNTED, 0, missed)
    if rounds:
        return PlayStretch(began.at, ended.at, EstimateBasis.REPORTED, tuple(instants), Fraction(0))
    if past.experience is None or past.experience.expected >= 1:
        return PlayStretch(began.at, ended.at, EstimateBasis.UNKNOWN, tuple(paid))
    held = past.experience.expected
    needed = int((held * marked - gained) / (1 - held))
    dropped = max(0, max(needed, bought) + marked)
    variance = past.experience.variance_cents * dropped / (1 - held) ** 2
    return by_the_counts(EstimateBasis.EXPECTED, max(0, needed - bought), variance)


def _is_guessed(began: datetime, ended: datetime, facts: Iterable[Fact]) -> bool:
    """Tell whether a supervisor estimated the cash of some of a stretch."""
    return any(
        fact.what is What.GUESS
        and fact.at > began
        and fact.since is not None
        and fact.since < ended
        for fact in facts
    )


def _not_counted(
    began: datetime, now: datetime, facts: Iterable[Fact], drop: Iterable[Span], past: Past
) -> PlayStretch:
    """Return the stretch since the last count: as reported, else as the game held before."""
    since = [fact for fact in facts if fact.at > began]
    paid = _instants(since, What.PAID, -1)
    rounds = _instants(since, What.ROUND)
    if rounds:
        return PlayStretch(began, now, EstimateBasis.REPORTED, (*rounds, *paid), Fraction(0))
    paid += _instants(since, What.BIG_WIN, -1)
    if past.experience is None:
        return PlayStretch(began, now, EstimateBasis.UNKNOWN, tuple(paid))
    bought = [
        Span(max(span.began, began), span.ended, span.cents - span.by(began))
        for span in drop
        if span.ended > began
    ]
    held = [
        Span(span.began, span.ended, int(span.cents * past.experience.expected)) for span in bought
    ]
    dropped = max(0, within(bought, began, now))
    variance = past.experience.variance_cents * dropped
    return PlayStretch(began, now, EstimateBasis.EXPECTED, (*held, *paid), variance)


@dataclass(frozen=True, slots=True)
class EstimateHour:
    """What some tables won together in one hour, and were bought in for."""

    began: datetime
    ended: datetime
    win_cents: int
    drop_cents: int


def by_hour(tables: Sequence[Estimate], edges: Sequence[datetime]) -> list[EstimateHour]:
    """Return what tables won from each edge to the next. The hours add up to the whole."""
    return [
        EstimateHour(
            began,
            ended,
            sum(table.win_cents(began, ended) for table in tables),
            sum(table.drop_cents(began, ended) for table in tables),
        )
        for began, ended in pairwise(edges)
    ]


def edges_of(began: datetime, until: datetime) -> list[datetime]:
    """Return where the hours of a time begin and end; the last ends with the time.

    >>> six = datetime(2026, 5, 1, 6)
    >>> [f"{edge:%H:%M}" for edge in edges_of(six, six + timedelta(minutes=150))]
    ['06:00', '07:00', '08:00', '08:30']
    """
    edges = [began]
    while edges[-1] < until:
        edges.append(min(edges[-1] + timedelta(hours=1), until))
    return edges


@dataclass(frozen=True, slots=True)
class Error:
    """By how much an estimate may be off, 19 times in 20, and how many tables that leaves out."""

    cents: int
    known: int
    unknown: int


def error_of(tables: Iterable[Estimate], after: datetime, until: datetime) -> Error:
    """Return the error of tables together. A stretch that reaches into the time counts whole."""
    variance, known, unknown = Fraction(0), 0, 0
    for table in tables:
        parts = table.during(after, until)
        found = [part.variance for part in parts if part.variance is not None]
        if not parts:
            continue
        known += len(found) == len(parts)
        unknown += len(found) < len(parts)
        variance += sum(found, Fraction(0)) if len(found) == len(parts) else 0
    return Error(isqrt(int(variance * DEVIATIONS_HUNDREDTHS**2 / 100**2)), known, unknown)


def bases_of(
    tables: Iterable[Estimate], after: datetime, until: datetime
) -> dict[EstimateBasis, int]:
    """Return how many tables rest on what now: by their last stretch in the time, surest first."""
    last = [parts[-1].basis for table in tables if (parts := table.during(after, until))]
    return {basis: last.count(basis) for basis in EstimateBasis if basis in last}
