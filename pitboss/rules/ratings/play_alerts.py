"""What a patron's time and cash call for: breaks, long days, the day's cash by person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pitboss.rules.patrons.cash_log import CashPolicy
from pitboss.rules.ratings.reckoning import Span, merged_spans, seconds_within

_DAY: Final = 86_400
_WEEK: Final = 7 * _DAY


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """From how many seconds on play is an alert, and how long a break ends a run."""

    continuous: int
    pause: int
    day: int
    week: int
    loss_cents: int | None = None


def is_stricter(asked_cents: int | None, standing_cents: int | None) -> bool:
    """Tell whether a loss limit stops someone earlier than the one they have; None is no limit.

    >>> is_stricter(50_000, None), is_stricter(50_000, 60_000)
    (True, True)
    >>> is_stricter(60_000, 50_000), is_stricter(None, 50_000)
    (False, False)
    """
    if asked_cents is None:
        return False
    return standing_cents is None or asked_cents < standing_cents


def stricter(*limits_cents: int | None) -> int | None:
    """Return the limit that is reached first, of the house's and someone's own.

    >>> stricter(None, 50_000), stricter(20_000, 50_000), stricter(None, None)
    (50000, 20000, None)
    """
    return min((item for item in limits_cents if item is not None), default=None)


@dataclass(frozen=True, slots=True)
class PlayTime:
    """How long someone has played, and what that calls for."""

    continuous: int
    day: int
    week: int
    alerts: tuple[str, ...]


def play_time(spans: Sequence[Span], now: int, limits: PlayLimits, loss_cents: int = 0) -> PlayTime:
    """Return a person's play over all tables and cards; seconds at two tables count once."""
    played = merged_spans(spans)
    runs = merged_spans(spans, gap=limits.pause)
    last = runs[-1] if runs else (now, now)
    continuous = last[1] - last[0] if now - last[1] < limits.pause else 0
    day = seconds_within(played, now - _DAY, now)
    week = seconds_within(played, now - _WEEK, now)
    reasons = {
        "play_continuous": continuous >= limits.continuous,
        "play_day": day >= limits.day,
        "play_week": week >= limits.week,
        "play_loss": limits.loss_cents is not None and loss_cents >= limits.loss_cents,
    }
    return PlayTime(continuous, day, week, tuple(code for code, holds in reasons.items() if holds))


@dataclass(frozen=True, slots=True)
class CashMoved:
    """Cash in or out, of a patron or of someone described."""

    who: str
    direction: str
    cents: int


@dataclass(frozen=True, slots=True)
class CashDay:
    """A gaming day's cash by person and direction, and what is logged and reported of it."""

    sums: Mapping[str, int]
    logged: tuple[str, ...]
    reported: tuple[str, ...]


def cash_day(
    entries: Sequence[CashMoved], matches: Mapping[str, str], policy: CashPolicy
) -> CashDay:
    """Return the day's sums; what a stranger moved counts for the patron they are matched to."""
    sums: Counter[str] = Counter()
    for entry in entries:
        sums[f"{_matched(entry.who, matches)} {entry.direction}"] += entry.cents
    names = sorted(sums)
    return CashDay(
        {name: sums[name] for name in names},
        tuple(name for name in names if policy.is_logged(sums[name])),
        tuple(name for name in names if policy.is_reported(sums[name])),
    )


def _matched(who: str, matches: Mapping[str, str]) -> str:
    """Follow matches to whom they lead; a circle ends where it began."""
    seen = {who}
    while who in matches and matches[who] not in seen:
        who = matches[who]
        seen.add(who)
    return who
