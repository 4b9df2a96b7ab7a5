"""The blind audit: which ratings are drawn, how far one differs from video, how a rater leans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pitboss.rules.ratings.reckoning import BASIS_POINTS, in_basis_points
from pitboss.rules.refusal import Refusal

MINUTES_MAX: Final = 1_440
AVERAGE_MAX_CENTS: Final = 100_000_000
_DRAW_BITS: Final = 32


def is_picked(digest: str, share_bp: int) -> bool:
    """Tell whether a rating is drawn, by the first 32 bits of its digest.

    The digest is keyed over the rating and the first seal after its end, so that which are drawn
    cannot be known before and can be proved afterwards.

    >>> is_picked("07ae147a" + "0" * 56, 300), is_picked("07ae147b" + "0" * 56, 300)
    (True, False)
    """
    return int(digest[: _DRAW_BITS // 4], 16) * BASIS_POINTS < share_bp << _DRAW_BITS


@dataclass(frozen=True, slots=True)
class Watched:
    """A stay as it was rated, or as surveillance saw it on video."""

    seconds: int
    average_cents: int

    @property
    def play(self) -> int:
        return self.seconds * self.average_cents


@dataclass(frozen=True, slots=True)
class SeenOnVideo:
    """What an officer saw of a stay; nothing of either where the player was not there."""

    minutes: int | None
    average_cents: int | None
    not_there: bool = False

    @property
    def watched(self) -> Watched:
        return Watched((self.minutes or 0) * 60, self.average_cents or 0)


def seen_refusals(seen: SeenOnVideo) -> list[Refusal]:
    """Return why what was seen cannot be kept so."""
    if seen.not_there:
        if seen.minutes or seen.average_cents:
            words = "Enter what you saw, or “Not there”, not both."
            return [Refusal("seen_both", words)]
        return []
    refusals = []
    if seen.minutes is None or not 1 <= seen.minutes <= MINUTES_MAX:
        words = f"Enter the minutes played, 1 to {MINUTES_MAX:,}."
        refusals.append(Refusal("minutes_malformed", words))
    if seen.average_cents is None or not 1 <= seen.average_cents <= AVERAGE_MAX_CENTS:
        refusals.append(Refusal("amount_malformed", "Enter the average bet in dollars, like 25."))
    return refusals


@dataclass(frozen=True, slots=True)
class Comparison:
    """How far a rating lies above what was seen, and what that makes of it."""

    differs_bp: int | None
    state: str


def compare(rated: Watched, seen: Watched, tolerance_bp: int) -> Comparison:
    """Return how a rating compares with what was seen."""
    if not seen.play:
        return Comparison(None, "not_there")
    differs_bp = in_basis_points(rated.play - seen.play, seen.play)
    return Comparison(differs_bp, "differs" if abs(differs_bp) > tolerance_bp else "agrees")


@dataclass(frozen=True, slots=True)
class RaterBias:
    """How a rater's looks lean against told rounds."""

    ratings: int
    bias_bp: int | None
    state: str


def rater_bias(
    pairs: Sequence[tuple[Fraction | int, Fraction | int]], *, least: int, most_bp: int
) -> RaterBias:
    """Return how looked theo compares with told theo, over ratings that have both."""
    looked = sum((Fraction(pair[0]) for pair in pairs), Fraction(0))
    fraction = sum((Fraction(pair[1]) for pair in pairs), Fraction(0))
    bias_bp = in_basis_points(looked - fraction, fraction) if fraction else None
    if len(pairs) < least or bias_bp is None:
        return RaterBias(len(pairs), bias_bp, "too_few")
    return RaterBias(len(pairs), bias_bp, "in_line" if abs(bias_bp) <= most_bp else "out_of_line")
