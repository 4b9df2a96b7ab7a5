"""Change what an ended rating came to: a new revision on a slip of two, never above told rounds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from inventory.services.patrons import lock_patron
from pitboss.models import Person, Signature, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.ratings.reckoning import half_up
from pitboss.rules.ratings.theo import (
    BetBasis,
    MainAction,
    PaceBasis,
    SideAction,
    theo,
    theo_range,
)
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import WATCHING, Role
from pitboss.services import house
from tables.models import PlayRating, RatingDraw, RatingFigures
from tables.selectors.rating_figures import main_of
from tables.services.comps import given_to, is_related
from tables.services.rating_worth import Worth, figures_of

# Older than this many gaming days, and a shift manager approves.
LATE_DAYS = 3
# The step of a void that a shift manager signs, where comps rest on the rating.
SENIOR = "senior_signed"


def newest_figures(rating: PlayRating) -> RatingFigures | None:
    """Return what a rating comes to now."""
    return RatingFigures.objects.filter(rating=rating).order_by("-revision").first()


def corrected(figures: RatingFigures, average_cents: int, minutes: int) -> Worth:
    """Return what a stay comes to with another average and time, by the same edges and pace."""
    main = main_of(figures)
    seconds = minutes * 60
    # So many rounds a second as before.
    share = Fraction(seconds, figures.seconds)
    decisions = Fraction(figures.decisions) * share
    sides = [wager for wager in figures.action if wager != main]
    action = {
        main: average_cents * decisions,
        **{wager: Fraction(figures.action[wager]) * share for wager in sides},
    }
    # Bets vary as they did before, each of them so much larger.
    larger = Fraction(average_cents) / Fraction(figures.average)
    strays = {wager: share * (larger**2 if wager == main else 1) for wager in figures.action}
    basis = BetBasis(figures.basis)
    found = theo(
        MainAction(action[main], _edge(figures.edges[main]), figures.skill_bp),
        [SideAction(wager, action[wager], _edge(figures.edges[wager])) for wager in sides],
    )
    return Worth(
        seconds=seconds,
        basis=basis,
        pace_basis=PaceBasis(figures.pace_basis),
        looks=figures.looks,
        average=Fraction(average_cents),
        decisions=decisions,
        action=action,
        squares={
            wager: half_up(int(squares) * strays[wager])
            for wager, squares in figures.squares.items()
        },
        crosses={
            wager: half_up(int(both) * strays[wager]) for wager, both in figures.crosses.items()
        },
        edges={wager: _one_edge(row) for wager, row in figures.edges.items()},
        skill_bp=figures.skill_bp,
        theo=found,
        range=theo_range(found.total, basis, PaceBasis(figures.pace_basis), figures.looks),
        result_cents=figures.result_cents,
    )


def _one_edge(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the edge of a wager alone: a correction is spread over all of its rules alike."""
    return {name: value for name, value in row.items() if name != "parts"}


def _edge(row: Mapping[str, Any]) -> Fraction:
    return Fraction(row["edge"]) if row["edge"] else Fraction(0)


def change_refusals(figures: RatingFigures | None) -> list[Refusal]:
    """Return why what a rating came to cannot be changed."""
    if figures is None:
        words = "This rating has no figures yet. Wait until it has ended and they are calculated."
        return [Refusal("no_figures", words, CONFLICT)]
    if figures.is_void:
        return [Refusal("already_void", "This rating is already void. Choose another.", CONFLICT)]
    return []


def correction_refusals(
    figures: RatingFigures | None, average_cents: int, minutes: int
) -> list[Refusal]:
    """Return why a rating cannot be corrected so, no matter who signs."""
    refusals = change_refusals(figures)
    if refusals or figures is None:
        return refusals
    if not figures.theo or not figures.seconds or not figures.basis:
        words = "This rating has no average to correct. Void it instead."
        return [Refusal("nothing_to_correct", words, CONFLICT)]
    rating_figures = RatingFigures.objects.get(rating=figures.rating_id, revision=0)
    new = corrected(figures, average_cents, minutes)
    if (
        rating_figures.basis == BetBasis.TOLD
        and new.theo is not None
        and new.theo.total > Fraction(rating_figures.theo)
    ):
        refusals.append(
            Refusal(
                "over_told",
                f"The reported rounds give {format_money(rating_figures.theo_cents or 0)}. No "
                "correction goes above that.",
            )
        )
    return refusals


def raters_of(rating: PlayRating) -> set[int]:
    """Return who rated a stay: who began or ended it, and who looked."""
    looked = rating.looks.values_list("by", flat=True)
    everyone = (*looked, rating.began_by_id, rating.ended_by_id)
    return {item for item in everyone if item is not None}


def relation_refusals(rating: PlayRating, person: Person) -> list[Refusal]:
    """Return that someone may not change the rating of a relative."""
    if rating.patron is None or not is_related(person, rating.patron):
        return []
    words = f"You are related to {rating.patron}. Someone else must change this rating."
    return [Refusal("related_to_patron", words, NOT_YOURS)]


def approver_refusals(rating: PlayRating, person: Person, role: Role, day: date) -> list[Refusal]:
    """Return why someone may not approve a change of a rating."""
    refusals = []
    if person.pk in raters_of(rating):
        words = f"{person} rated this player. Someone else must approve."
        refusals.append(Refusal("rated_it", words, NOT_YOURS))
    refusals += relation_refusals(rating, person)
    if role in WATCHING and RatingDraw.objects.filter(rating=rating, seen=None).exists():
        words = "This rating is drawn for the audit. Watch it on video first."
        refusals.append(Refusal("drawn_for_audit", words, CONFLICT))
    if (day - rating.gaming_day).days > LATE_DAYS and role is not Role.SHIFT_MANAGER:
        words = f"This rating is over {LATE_DAYS} gaming days old. A shift manager must approve it."
        refusals.append(Refusal("needs_shift_manager", words, NOT_YOURS))
    return refusals


def write_correction(slip: Slip, signature: Signature, at: datetime) -> RatingFigures:
    """Write the next revision of a rating as its slip says. Raises Refused."""
    rating, figures = _changed(slip, signature, at)
    average, minutes = slip.details["average_cents"], slip.details["minutes"]
    refusals = correction_refusals(figures, average, minutes)
    if refusals:
        raise Refused(refusals)
    worth = corrected(figures, average, minutes)
    revised = figures_of(rating, worth, at, revision=figures.revision + 1, slip=slip)
    revised.save()
    return revised


def has_comps(rating: PlayRating) -> bool:
    """Tell whether comps rest on a rating: given on the trip that it belongs to."""
    patron = rating.patron
    if patron is None:
        return False
    given = given_to(patron).filter(gaming_day__gte=rating.gaming_day)
    return given.filter(trip_began__lte=rating.gaming_day).exists()


def write_void(slip: Slip, signature: Signature, at: datetime) -> RatingFigures:
    """Write that a rating counts nothing. It is kept. Raises Refused.

    Where comps rest on it a shift manager has signed too; what is left may go below zero.
    """
    rating, figures = _changed(slip, signature, at)
    if rating.patron_id is not None:
        lock_patron(rating.patron_id)
    is_senior = any(step["name"] == SENIOR for step in slip.plan)
    if has_comps(rating) and not is_senior:
        words = "A comp was given on this play since. Decline this, and propose it again."
        raise refuse("comps_rest_on_it", words, CONFLICT)
    void = RatingFigures(
        rating=rating,
        revision=figures.revision + 1,
        made_at=at,
        seconds=0,
        is_void=True,
        slip=slip,
    )
    void.save()
    return void


def demand_uninvolved(slip: Slip, signature: Signature, at: datetime) -> None:
    """Refuse a signature of someone who may not change the rating of a slip. Raises Refused."""
    _changed(slip, signature, at)


def _changed(slip: Slip, signature: Signature, at: datetime) -> tuple[PlayRating, RatingFigures]:
    """Return the rating of a slip, locked, and what it comes to now. Raises Refused."""
    rating = PlayRating.objects.select_for_update(no_key=True).get(pk=slip.details["rating"])
    rating.require_seal()
    figures = newest_figures(rating)
    refusals = [
        *change_refusals(figures),
        *approver_refusals(
            rating, signature.person, Role(signature.role), house.period_at(at).gaming_day
        ),
    ]
    if refusals or figures is None:
        raise Refused(refusals)
    return rating, figures
