"""How much one person may sign for: their own limits, and the form for a change."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.kinds.limit import limits_shown
from pitboss.middleware import PitRequest
from pitboss.models import Person


@require_GET
@page("people")
def person_limits(request: PitRequest, person_id: int) -> HttpResponse:
    """Show someone's limits."""
    person = get_object_or_404(Person, pk=person_id)
    return render(request, "pitboss/limits.html", limits_shown(request, person, request.GET))
