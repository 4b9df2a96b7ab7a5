"""The dealer's terminal: a shell for a client of the terminals' API, and nothing of the floor."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from pitboss.models import Property


@require_GET
def terminal(request: Any) -> HttpResponse:
    """Show the empty terminal; its token, which this page never sees, opens the rest."""
    here = Property.objects.filter(pk=1).first()
    return render(request, "tables/terminal.html", {"zone": here.time_zone if here else ""})


# Who is signed in on this browser, and whether its screen is locked, is no matter here.
terminal.answers_for_itself = True  # type: ignore[attr-defined]
