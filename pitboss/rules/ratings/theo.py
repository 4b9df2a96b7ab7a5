"""Theoretical win: action times edge, how far it may be off, and how far chance may stray."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isqrt
from typing import Final

from pitboss.rules.ratings.reckoning import MILLION, Unreckoned, half_up, of_basis_points

# 1.96 squared: of a hundred results of chance alone, ninety-five lie within.
_BAND_SQUARED: Final = Fraction(196, 100) ** 2


@unique
class BetBasis(StrEnum):
    """Where a bet is known from; always printed beside the figure. The values are stored."""

    TOLD = "told"
    LOOKED = "looked"
    GUESSED = "guessed"


@unique
class PaceBasis(StrEnum):
    """Where the number of rounds is known from. The values are stored."""

    COUNTED = "counted"
    OWN = "own"
    TABLE = "table"


@unique
class Skill(StrEnum):
    """How someone plays against the chart, as a supervisor sees it. The values are stored."""

    CHART = "chart"
    USUAL = "usual"
    WEAK = "weak"

    @property
    def label(self) -> str:
        return {"chart": "By the chart", "usual": "Usual", "weak": "Weak"}[self.value]


_GUESS_PERCENT: Final = 40
_PACE_PERCENT: Final = {PaceBasis.COUNTED: 0, PaceBasis.OWN: 5, PaceBasis.TABLE: 15}


@dataclass(frozen=True, slots=True)
class MainAction:
    """What was bet on the main game, and what the house keeps of it."""

    action: Fraction
    edge: Fraction
    skill_bp: int = 0


@dataclass(frozen=True, slots=True)
class SideAction:
    """What was bet on a side bet, and what the house keeps of it."""

    wager: str
    action: Fraction
    edge: Fraction


@dataclass(frozen=True, slots=True)
class Theo:
    """The theoretical win in cents, whole and by wager. It may be below zero, and stays so."""

    lines: Mapping[str, Fraction]

    @property
    def total(self) -> Fraction:
        # The first line as it is: to add nothing to a fraction takes as long as to add something.
        lines = iter(self.lines.values())
        return sum(lines, next(lines, Fraction(0)))

    @property
    def cents(self) -> int:
        return half_up(self.total)


def theo(main: MainAction | None, side: Sequence[SideAction] = ()) -> Theo:
    """Return what the house expects of a stay.

    >>> theo(MainAction(Fraction(700_000), Fraction(4059, 1_000_000))).cents
    2841
    """
    lines: dict[str, Fraction] = {}
    if main is not None:
        edge = main.edge
        lines["main"] = main.action * _with_skill(edge.numerator, edge.denominator, main.skill_bp)
    for bet in side:
        worth = bet.action * bet.edge
        lines[bet.wager] = lines[bet.wager] + worth if bet.wager in lines else worth
    return Theo(lines)


@lru_cache(maxsize=256)
def _with_skill(numerator: int, denominator: int, skill_bp: int) -> Fraction:
    """Return an edge and what a player gives up beyond it: of a house, a few."""
    return Fraction(numerator, denominator) + of_basis_points(skill_bp)


@dataclass(frozen=True, slots=True)
class TheoRange:
    """How far a theo may be off for want of data."""

    bet_percent: int
    pace_percent: int
    low_cents: int
    high_cents: int


def theo_range(value: Fraction, basis: BetBasis, pace: PaceBasis, looks: int = 0) -> TheoRange:
    """Return between which amounts a theo lies, by how its bet and rounds are known.

    Raises Unreckoned.
    """
    bet_percent, pace_percent = _bet_percent(basis, looks), _PACE_PERCENT[pace]
    near, far = (
        value * (100 + sign * bet_percent) * (100 + sign * pace_percent) / 10_000
        for sign in (-1, 1)
    )
    return TheoRange(bet_percent, pace_percent, floor(min(near, far)), ceil(max(near, far)))


def _bet_percent(basis: BetBasis, looks: int) -> int:
    """Return by how many percent a bet may be off: of four looks, half as far as of one."""
    if basis is BetBasis.TOLD:
        return 0
    if basis is BetBasis.GUESSED:
        return _GUESS_PERCENT
    if looks < 1:
        raise Unreckoned("no_look")
    return ceil_root(Fraction(_GUESS_PERCENT**2, looks))


def ceil_root(value: Fraction) -> int:
    """Return the least whole number whose square is at least a value.

    >>> ceil_root(Fraction(400)), ceil_root(Fraction(1600, 3))
    (20, 24)
    """
    root = isqrt(floor(value))
    return root if root * root >= value else root + 1


@dataclass(frozen=True, slots=True)
class Chance:
    """A wager's share in how far a result may stray: variance a unit, and stakes squared."""

    variance: Fraction
    squares: int
    covariance: Fraction = Fraction(0)
    crosses: int = 0


@dataclass(frozen=True, slots=True)
class ChanceBand:
    """Between which results chance alone leaves nineteen of twenty, and where this one lies."""

    low_cents: int
    high_cents: int
    state: str


def band(value: Fraction, house_win_cents: int | None, parts: Sequence[Chance]) -> ChanceBand:
    """Return how far a result may stray by chance from a theo."""
    spread = sum(
        (part.variance * part.squares + part.covariance * part.crosses for part in parts),
        Fraction(0),
    )
    reach = isqrt(floor(_BAND_SQUARED * spread))
    low, high = half_up(value) - reach, half_up(value) + reach
    if house_win_cents is None:
        return ChanceBand(low, high, "not_known")
    return ChanceBand(low, high, "within" if low <= house_win_cents <= high else "outside")


def metered_edge(
    edge_empty: Fraction, rate_ppm: int, whole_meter: Fraction, seed_cents: int, stake_cents: int
) -> Fraction:
    """Return the long-run edge of a bet with a meter: what lies above the seed is the players'."""
    return edge_empty - Fraction(rate_ppm, MILLION) - whole_meter * seed_cents / stake_cents


@dataclass(frozen=True, slots=True)
class OddsOutcome:
    """One row of a bet's odds: how likely, and what it pays a unit."""

    probability: Fraction
    pays: Fraction


@dataclass(frozen=True, slots=True)
class Spread:
    """What the house keeps of a unit on average, and the variance of what it keeps."""

    edge: Fraction
    variance: Fraction


def variance(outcomes: Sequence[OddsOutcome], *, stake_collected: bool = False) -> Spread:
    """Return edge and variance of a bet. Of a stake collected first, a win's net is one less."""
    mean = square = Fraction(0)
    for outcome in outcomes:
        net = outcome.pays
        if stake_collected and net >= 0:
            net -= 1
        mean += outcome.probability * net
        square += outcome.probability * net**2
    return Spread(-mean, square - mean**2)


_HI_LO: Final = {
    **dict.fromkeys("23456", 1),
    **dict.fromkeys("789", 0),
    **dict.fromkeys("TJQKA", -1),
}


@dataclass(frozen=True, slots=True)
class TrueCount:
    """A shoe's running Hi-Lo count, and the same for each deck that is left."""

    running: int
    true: Fraction


def true_count(decks: int, ranks: Sequence[str]) -> TrueCount:
    """Return the count of a shoe after these ranks. Raises Unreckoned when no card is left.

    >>> true_count(6, "23456T923K")
    TrueCount(running=5, true=Fraction(130, 151))
    """
    left = 52 * decks - len(ranks)
    if left <= 0:
        raise Unreckoned("no_cards_left")
    running = sum(_HI_LO[rank] for rank in ranks)
    return TrueCount(running, Fraction(running * 52, left))


@dataclass(frozen=True, slots=True)
class CountedBet:
    """A first stake, and the true count before the round."""

    bet_cents: int
    true_count: Fraction


@dataclass(frozen=True, slots=True)
class CountTheo:
    """Theo by the count of a told shoe, beside the flat one. For surveillance."""

    theo: Fraction
    flat: Fraction


def count_theo(edge: Fraction, per_count_bp: int, rounds: Sequence[CountedBet]) -> CountTheo:
    """Return what rounds are worth to the house, each at the edge that its count left."""
    step = of_basis_points(per_count_bp)
    return CountTheo(
        sum((r.bet_cents * (edge - r.true_count * step) for r in rounds), Fraction(0)),
        sum(r.bet_cents for r in rounds) * edge,
    )
