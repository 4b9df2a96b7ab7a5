"""The dealer's terminal: a shell for a client of the terminals' API, and nothing of the floor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from pitboss.catalogs import catalogs_of_scripts
from pitboss.models import Property
from pitboss.rules.people.languages import LANGUAGES


@require_GET
def terminal(request: Any) -> HttpResponse:
    """Show the empty terminal; its token, which this page never sees, opens the rest."""
    here = Property.objects.filter(pk=1).first()
    return render(
        request,
        "tables/terminal.html",
        {
            "zone": here.time_zone if here else "",
            "has_events": bool(settings.EVENTS_ADDRESS),
            "languages": dict(LANGUAGES),
            "catalogs": catalogs_of_scripts(),
        },
    )


# Who is signed in on this browser, and whether its screen is locked, is no matter here.
terminal.answers_for_itself = True  # type: ignore[attr-defined]


@require_GET
def terminal_worker(request: Any) -> HttpResponse:
    """Send the script that keeps the terminal's shell, from the path that it may keep."""
    found = finders.find("pitboss/terminal/worker.js")
    assert isinstance(found, str), "the script is one of the site's own"
    return HttpResponse(Path(found).read_bytes(), content_type="text/javascript")


terminal_worker.answers_for_itself = True  # type: ignore[attr-defined]
