"""A stay by the hour: what it was worth, shared out over the hours it was played in.

Shares are whole cents that add up to the whole, so that a year of hours comes to what its ratings
come to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from pitboss.rules.ratings.reckoning import Span, half_up, seconds_within

HOUR: Final = 3_600


def shared_out(total: int, parts: Sequence[int]) -> list[int]:
    """Return an amount shared out in proportion to parts, in whole numbers that add up to it.

    >>> shared_out(100, [1, 1, 1]), shared_out(-5, [3_600, 1_800]), shared_out(7, [0, 0])
    ([33, 34, 33], [-3, -2], [7, 0])
    """
    whole = sum(parts)
    if not whole:
        return [total, *[0] * (len(parts) - 1)] if parts else []
    shares, so_far, given = [], 0, 0
    for part in parts:
        so_far += part
        upto = half_up(Fraction(total * so_far, whole))
        shares.append(upto - given)
        given = upto
    return shares


def whole_cents(amounts: Mapping[str, Fraction], total: int | None = None) -> dict[str, int]:
    """Return amounts in whole cents that add up to their sum, rounded; or to a total that is known.

    >>> whole_cents({"main": Fraction(1, 3), "side": Fraction(1, 3)})
    {'main': 0, 'side': 1}
    """
    cents, so_far, given = {}, Fraction(0), 0
    for place, (name, amount) in enumerate(amounts.items(), start=1):
        so_far += amount
        upto = half_up(so_far)
        if place == len(amounts) and total is not None:
            upto = total
        cents[name] = upto - given
        given = upto
    return cents


@dataclass(frozen=True, slots=True)
class StayPlayed:
    """An ended stay as it is shared out: when, how long of it was played, and what it was worth."""

    span: Span
    seconds: int
    action: Mapping[str, int] = field(default_factory=dict)
    theo: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class HourOf:
    """One hour of a table. Seconds, cents and counts; no labor where the house has not said."""

    open: int = 0
    seats: int = 0
    rated: int = 0
    rounds: int = 0
    action: int = 0
    theo: dict[str, int] = field(default_factory=dict)
    labor: int | None = None

    @property
    def is_empty(self) -> bool:
        seen = (self.open, self.seats, self.rated, self.rounds, self.action, *self.theo.values())
        return not any(seen)


def hours_within(span: Span) -> list[int]:
    """Return the beginnings of the hours that a span touches; one of no time has the one it is in.

    >>> hours_within((3_000, 8_000)), hours_within((3_600, 7_200)), hours_within((5, 5))
    ([0, 3600, 7200], [3600], [0])
    """
    first = span[0] - span[0] % HOUR
    return list(range(first, max(span[1], span[0] + 1), HOUR))


def hours_of(
    *,
    opened: Sequence[Span],
    held: Sequence[Span],
    rounds: Sequence[int],
    stays: Sequence[StayPlayed],
) -> dict[int, HourOf]:
    """Return the hours of a table in which something was, by their beginnings in seconds."""
    hours: dict[int, HourOf] = {}

    def at(begins: int) -> HourOf:
        return hours.setdefault(begins, HourOf())

    for span in opened:
        for begins in hours_within(span):
            at(begins).open += seconds_within([span], begins, begins + HOUR)
    for span in held:
        for begins in hours_within(span):
            at(begins).seats += seconds_within([span], begins, begins + HOUR)
    for second in rounds:
        at(second - second % HOUR).rounds += 1
    for stay in stays:
        _share(stay, at)
    return {begins: hours[begins] for begins in sorted(hours) if not hours[begins].is_empty}


def _share(stay: StayPlayed, at: Any) -> None:
    begins = hours_within(stay.span)
    parts = [seconds_within([stay.span], item, item + HOUR) for item in begins]
    for item, seconds in zip(begins, shared_out(stay.seconds, parts), strict=True):
        at(item).rated += seconds
    for cents in stay.action.values():
        for entry, share in zip(begins, shared_out(cents, parts), strict=True):
            at(entry).action += share
    for wager, cents in stay.theo.items():
        for one, share in zip(begins, shared_out(cents, parts), strict=True):
            theo = at(one).theo
            theo[wager] = theo.get(wager, 0) + share
