"""The pace of dealers against the manual's standards: for coaching, and for their own eyes."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.models import Person
from pitboss.rules.floor.standards import Rating
from pitboss.rules.roles import Role
from pitboss.services import house
from tables.selectors.pace import WEEK, DealersPace, pace_of_dealers, weeks_of


@require_GET
@page("pace")
def pace(request: PitRequest) -> HttpResponse:
    """Show the last four weeks of every dealer who was timed."""
    now = house.now()
    dealers = Person.objects.filter(role=Role.DEALER.value, is_active=True).order_by("last_name")
    rows = [
        {**_row(dealer), "url": f"{reverse('payouts')}?dealer={dealer.dealer.badge}"}
        for dealer in pace_of_dealers(dealers, now - 4 * WEEK, now)
    ]
    context = {
        "heading": "Dealer pace",
        "back": {"url": reverse("board"), "label": "Board"},
        "rows": rows,
        "ratings": list(Rating),
    }
    return render(request, "tables/pace.html", context)


def weeks_shown(dealer: Person) -> dict[str, Any]:
    """Return one dealer's weeks as `_pace_weeks.html` shows them."""
    weeks = weeks_of(dealer, house.now())
    return {
        "rows": [_row(week) for week in weeks],
        "ratings": list(Rating),
        "trend": _trend(weeks),
    }


def _row(each: DealersPace) -> dict[str, Any]:
    rated = each.pace.ratings
    return {
        "dealer": each.dealer,
        "since": each.since,
        "pace": each.pace,
        "ratings": [{"code": rating.value, "count": rated[rating]} for rating in Rating],
        "rounds": each.rounds,
        "rounds_an_hour": each.rounds_an_hour,
        "counted_an_hour": each.counted_an_hour,
    }


def _trend(weeks: list[DealersPace]) -> dict[str, int | None]:
    """Return by how much the newest week differs from the one before it, in seconds and rounds."""
    if len(weeks) < 2:
        return {}
    new, old = weeks[0], weeks[1]
    return {
        "shuffle": _change(new.pace.shuffle_seconds, old.pace.shuffle_seconds),
        "shoe": _change(new.pace.shoe_seconds, old.pace.shoe_seconds),
        "rounds": _change(_rounds(new), _rounds(old)),
    }


def _rounds(week: DealersPace) -> int | None:
    return week.counted_an_hour if week.rounds_an_hour is None else week.rounds_an_hour


def _change(new: int | None, old: int | None) -> int | None:
    return None if new is None or old is None else new - old
