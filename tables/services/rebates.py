"""What a loss rebate costs before it is signed, and what a trip under one comes to."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from fractions import Fraction
from math import floor

from inventory.models import Patron
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.ratings.comps import (
    RatedResult,
    Rebate,
    RebateTerms,
    rebate,
    rebate_cost,
)
from pitboss.rules.ratings.reckoning import MILLION, half_up
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.services import house
from tables.models import MainEdge, PlayRating, RatingFigures, RebateAgreement
from tables.services.comps import play_of, value_by_day

SENTENCES = {
    "no_play": "There was no play since the agreement. Settle it after the trip.",
    "agreed_too_late": "Play of this trip began before the agreement. No rebate is due.",
    "result_not_known": "The result of a rating isn’t known. Correct or void that rating first.",
    "too_little_play": "The patron played fewer hands than agreed. No rebate is due.",
}


def is_on_a_trip(patron: Patron, now: datetime) -> bool:
    """Tell whether a patron's trip has begun: a rebate is agreed before that."""
    gap = house.settings_at(now)["trip.gap"]
    since = house.period_at(now).gaming_day - timedelta(days=gap + 1)
    return play_of(patron, said=True).filter(gaming_day__gte=since).exists()


def lowest_edge() -> Fraction:
    """Return the lowest edge of the main games here: what a rebate costs most against."""
    ppm = MainEdge.objects.order_by("ppm").values_list("ppm", flat=True).first()
    return Fraction(ppm or 0, MILLION)


def cost_words(rounds: int, bet_cents: int, rate_bp: int) -> str:
    """Say what a rebate costs on average, against the theo of the same rounds."""
    found = rebate_cost(rounds, bet_cents, lowest_edge(), rate_bp)
    return (
        f"{format_money(half_up(found.cost))} of {format_money(half_up(found.theo))} theo, over "
        f"{rounds} rounds of {format_money(bet_cents)}"
    )


def trip_under(agreement: RebateAgreement) -> list[PlayRating]:
    """Return the ratings of the first trip with play after an agreement, earlier ones too."""
    patron = agreement.patron
    first = play_of(patron).filter(began_at__gte=agreement.signed_at).order_by("began_at").first()
    if first is None:
        return []
    gap = int(value_by_day("trip.gap")(first.gaming_day))
    play = play_of(patron).order_by("began_at", "id")
    days = sorted({*play.values_list("gaming_day", flat=True)})
    trip = _trip_with(days, first.gaming_day, gap)
    return list(play.filter(gaming_day__in=trip))


def _trip_with(days: list[date], day: date, gap: int) -> list[date]:
    """Return the days of the trip that a day belongs to.

    >>> _trip_with([date(2026, 5, 1), date(2026, 5, 3), date(2026, 5, 9)], date(2026, 5, 3), 1)
    [datetime.date(2026, 5, 1), datetime.date(2026, 5, 3)]
    """
    trips: list[list[date]] = []
    for item in days:
        if trips and (item - trips[-1][-1]).days - 1 <= gap:
            trips[-1].append(item)
        else:
            trips.append([item])
    return next(trip for trip in trips if day in trip)


def rebate_owed(agreement: RebateAgreement) -> Rebate:
    """Return what a patron lost and gets back, or why nothing is due."""
    ratings = trip_under(agreement)
    figures = {
        rating_figures.rating_id: rating_figures
        for rating_figures in RatingFigures.objects.filter(rating__in=ratings).order_by(
            "rating", "revision"
        )
    }
    results = [_result(rating, figures.get(rating.pk)) for rating in ratings]
    terms = RebateTerms(
        signed_at=int(agreement.signed_at.timestamp()),
        rate_bp=agreement.rate_bp,
        least_loss_cents=agreement.least_loss_cents,
        most_cents=agreement.most_cents,
        least_decisions=agreement.least_decisions,
    )
    return rebate(terms, results)


def _result(rating: PlayRating, figures: RatingFigures | None) -> RatedResult:
    known = figures is not None and not figures.is_void
    return RatedResult(
        began=int(rating.began_at.timestamp()),
        house_win_cents=figures.result_cents if known and figures else None,
        decisions=floor(Fraction(figures.decisions or 0)) if known and figures else 0,
        void=figures is not None and figures.is_void,
    )


def settlement_refusals(found: Rebate) -> list[Refusal]:
    """Return why a rebate is not settled."""
    return [Refusal(code, SENTENCES[code], CONFLICT) for code in found.refusals]
