"""What a patron has earned and may be given, points, trips, loss rebates and what those cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import comb, floor

from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.ratings.reckoning import half_up, of_basis_points


@dataclass(frozen=True, slots=True)
class CompAsked:
    """A comp that someone wants to issue, and what it is drawn on. Amounts are cents."""

    earned_cents: int
    given_cents: int
    asked_cents: int
    issuer_limit_cents: int
    # What the issuer has given this patron on this gaming day.
    issuer_today_cents: int
    standing: str
    related: bool


@dataclass(frozen=True, slots=True)
class CompAnswer:
    """What a trip has earned, what is left, and whose authority a comp needs besides."""

    earned_cents: int = 0
    left_cents: int = 0
    needs: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()


def earned(theo_cents: Iterable[tuple[int, int]]) -> int:
    """Return what a trip has earned: each day's theo by the share in force on it, in hundredths.

    >>> earned([(10_500, 3_000), (14_207, 3_000)]), earned([(-500, 3_000)])
    (7412, 0)
    """
    shares = (cents * of_basis_points(share_bp) for cents, share_bp in theo_cents)
    return max(floor(sum(shares, Fraction(0))), 0)


def comp(asked: CompAsked) -> CompAnswer:
    """Return whether a comp may be issued, and by whose authority."""
    reasons = {
        "amount_malformed": asked.asked_cents < 1,
        "self_excluded": asked.standing == Standing.SELF_EXCLUDED.value,
        "related_to_patron": asked.related,
    }
    refusals = tuple(code for code, holds in reasons.items() if holds)
    if refusals:
        return CompAnswer(refusals=refusals)
    left = asked.earned_cents - asked.given_cents
    today = asked.issuer_today_cents + asked.asked_cents
    needs = {
        "over_earned": asked.asked_cents > left,
        "over_own_limit": today > asked.issuer_limit_cents,
    }
    return CompAnswer(
        asked.earned_cents, left, tuple(code for code, holds in needs.items() if holds)
    )


def points_of_day(theo_cents: Sequence[int], cents_per_point: int) -> int:
    """Return the points of a day: of the sum, so that splitting a stay gains nothing.

    >>> points_of_day([10_500, 14_207, 99], 100), points_of_day([-500], 100)
    (248, 0)
    """
    return max(sum(theo_cents), 0) // cents_per_point


@dataclass(frozen=True, slots=True)
class Trip:
    """Gaming days of one patron that belong together."""

    days: int
    theo_cents: int

    @property
    def a_day_cents(self) -> int:
        return half_up(Fraction(self.theo_cents, self.days))


def trips(theo_cents: Mapping[date, int], gap_days: int) -> list[Trip]:
    """Return trips in order: a new one begins after more idle days than the gap."""
    found: list[Trip] = []
    last: date | None = None
    for day in sorted(theo_cents):
        if last is None or (day - last).days - 1 > gap_days:
            found.append(Trip(1, theo_cents[day]))
        else:
            found[-1] = Trip(found[-1].days + 1, found[-1].theo_cents + theo_cents[day])
        last = day
    return found


@dataclass(frozen=True, slots=True)
class RatedResult:
    """One rating of a trip as a rebate counts it."""

    began: int
    house_win_cents: int | None
    decisions: int
    void: bool = False


@dataclass(frozen=True, slots=True)
class RebateTerms:
    """What was agreed before play: a share of a loss, from the least loss on, up to the most."""

    signed_at: int
    rate_bp: int
    least_loss_cents: int
    most_cents: int | None
    least_decisions: int


@dataclass(frozen=True, slots=True)
class Rebate:
    """What a patron lost and gets back, or why nothing is reckoned."""

    loss_cents: int = 0
    rebate_cents: int = 0
    refusals: tuple[str, ...] = ()


def rebate(terms: RebateTerms, results: Sequence[RatedResult]) -> Rebate:
    """Return what a loss rebate pays; ratings that are void count nothing."""
    counted = [result for result in results if not result.void]
    if not counted:
        return Rebate(refusals=("no_play",))
    known = [
        rated_result.house_win_cents
        for rated_result in counted
        if rated_result.house_win_cents is not None
    ]
    reasons = {
        "agreed_too_late": any(terms.signed_at > rated_result.began for rated_result in counted),
        "result_not_known": len(known) < len(counted),
        "too_little_play": sum(rated_result.decisions for rated_result in counted)
        < terms.least_decisions,
    }
    refusals = tuple(code for code, holds in reasons.items() if holds)
    if refusals:
        return Rebate(refusals=refusals)
    loss = sum(known)
    if loss < max(terms.least_loss_cents, 1):
        return Rebate(loss, 0)
    back = floor(loss * of_basis_points(terms.rate_bp))
    return Rebate(loss, back if terms.most_cents is None else min(back, terms.most_cents))


@dataclass(frozen=True, slots=True)
class RebateCost:
    """What a rebate costs on average over even-money rounds, beside their theo."""

    cost: Fraction
    theo: Fraction


def rebate_cost(rounds: int, bet_cents: int, edge: Fraction, rate_bp: int) -> RebateCost:
    """Return what a loss rebate costs before anyone signs it."""
    win = (1 - edge) / 2
    won, of = win.numerator, win.denominator
    lost = of - won
    # The chances of so many wins have one denominator: their numerators are added up whole.
    weighed = sum(
        comb(rounds, wins) * won**wins * lost ** (rounds - wins) * (rounds - 2 * wins)
        for wins in range((rounds + 1) // 2)
    )
    average_loss = Fraction(weighed, of**rounds)
    return RebateCost(
        of_basis_points(rate_bp) * bet_cents * average_loss, rounds * bet_cents * edge
    )
