"""Comps in tests: a patron who has earned something, and people who give it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from inventory.models import Patron
from pitboss.models import Person, Slip
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import PlayRating, RatingFigures
from tests.floor.cast import Cast


def earn(patron: Patron, cast: Cast, theo_cents: int, *, days_ago: int = 0) -> PlayRating:
    """Let a patron have played for a theo, on a table of the cast, by an ended rating."""
    at = house.now() - timedelta(days=days_ago)
    when = house.period_at(at)
    rating = PlayRating.objects.create(
        table=cast.table,
        patron=patron,
        began_at=at,
        began_by=cast.bob,
        gaming_day=when.gaming_day,
        shift=when.shift,
    )
    rating.ended_at, rating.end, rating.ended_by = at, "left", cast.bob
    rating.save(update_fields=["ended_at", "end", "ended_by"])
    RatingFigures.objects.create(
        rating=rating,
        revision=0,
        made_at=at,
        seconds=3_600,
        basis="looked",
        pace_basis="table",
        looks=4,
        average="5000",
        decisions="60",
        action={"blackjack": "300000"},
        edges={"blackjack": {"edge": "1/100", "from": "set"}},
        theo=f"{theo_cents}",
        theo_cents=theo_cents,
        low_cents=theo_cents,
        high_cents=theo_cents,
    )
    return rating


def give(
    cast: Cast,
    patron: Patron,
    cents: int,
    *,
    by: Person | None = None,
    over: bool = False,
    **said: Any,
) -> Slip:
    """Issue a meal to a patron."""
    by = by or cast.alice
    given = {"comp": "meal", "value_cents": cents, "valued_by": "retail", "over": over, **said}
    return raise_about(cast, "comp", patron, by=by, **given)


def raise_about(
    cast: Cast, kind: str, patron: Patron, *, by: Person, reason: str = "As agreed.", **given: Any
) -> Slip:
    raising = replace(the_kind(kind).at(patron=patron, **given), badge=by.badge)
    return raise_kind(raising, pen=cast.pen(by), shown=shown_before(raising), reason=reason)


def assign_host(cast: Cast, patron: Patron, host: Person | None) -> Slip:
    badge = {"badge": host.badge} if host else {}
    return raise_about(cast, "patron_host", patron, by=cast.hanna, **badge)


def relate(cast: Cast, patron: Patron, person: Person, state: str = "related") -> None:
    slip = raise_about(
        cast, "relation", patron, by=person, badge=person.badge, state=state, reason="Cousins."
    )
    cast.sign(slip, "confirmed", cast.petra, Place.OFFICE)


def after(cast: Cast, kind: str, slip: Slip, by: Person, place: Place, **given: Any) -> Slip:
    """Redeem or void a comp."""
    raising = replace(the_kind(kind).at(original=slip, **given), badge=by.badge)
    return raise_kind(
        raising, pen=cast.pen(by, place), shown=shown_before(raising), reason="Not used."
    )
