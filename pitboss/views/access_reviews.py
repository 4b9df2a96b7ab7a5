"""How far the departments are with their access reviews."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.people.access_review import DEPARTMENTS, Department, Quarter, quarter_of
from pitboss.rules.roles import Role
from pitboss.selectors.access_reviews import KIND, review_of
from pitboss.selectors.accounts import begun_at
from pitboss.services import house
from pitboss.slips.addresses import new_url


@require_GET
@page("access_reviews")
def access_reviews(request: PitRequest) -> HttpResponse:
    """Show the reviews of this quarter and of the last, with what is overdue in red."""
    today, begun = request.period.gaming_day, begun_at()
    now = quarter_of(today)
    quarters = [now]
    if begun is not None and house.period_at(begun).gaming_day <= now.before.last_day:
        quarters.append(now.before)
    context = {
        "heading": "Access reviews",
        "back": {"url": reverse("people"), "label": "People"},
        "quarters": [
            {
                "label": quarter.label,
                "due": quarter.last_day,
                "rows": [
                    _row(department, quarter, today, request.role)
                    for department in DEPARTMENTS.values()
                ],
            }
            for quarter in quarters
        ],
    }
    return render(request, "pitboss/access_reviews.html", context)


def _row(department: Department, quarter: Quarter, today: date, role: Role) -> dict[str, Any]:
    slip = review_of(department.name, quarter)
    is_done = slip is not None and slip.status == SlipStatus.DONE.value
    if is_done:
        state, tone = "Done", "good"
    elif quarter.is_overdue(today):
        state, tone = "Overdue", "bad"
    else:
        state, tone = ("Waiting for compliance", "wait") if slip else ("Not reviewed", "")
    may = slip is None and role in department.heads
    url = new_url(KIND, department=department.name, quarter=str(quarter)) if may else ""
    return {"title": department.title, "slip": slip, "state": state, "tone": tone, "url": url}
