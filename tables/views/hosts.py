"""A host's patrons on one page: who plays now, what is left to give, birthdays."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.rules.roles import Role
from pitboss.services import house
from tables.selectors.hosts import host_view


@require_GET
@page("hosts")
def hosts(request: PitRequest) -> HttpResponse:
    """Show whom a host looks after; a host manager finds every patron here."""
    asked = request.GET.get("q", "").replace("\x00", "")[:80]
    now = house.now()
    today = house.period_at(now).gaming_day
    context = {
        "heading": "Patrons",
        "asked": asked,
        "is_manager": request.role is Role.HOST_MANAGER,
        **host_view(request.user, request.role, asked, now, today),
    }
    return render(request, "tables/hosts.html", context)
