"""The page that says which program runs here, and whether two managers approved it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.build import this_build
from pitboss.middleware import PitRequest
from pitboss.selectors.builds import KIND, approved_build, build_pending
from pitboss.slips.addresses import new_url


@require_GET
@page("house")
def build(request: PitRequest) -> HttpResponse:
    """Show version and hash of the program, next to what two managers approved."""
    running, approved, pending = this_build(), approved_build(), build_pending()
    is_same = approved is not None and approved.details["sha256"] == running.sha256
    may = not is_same and pending is None and may_open(request.role, KIND)
    context = {
        "heading": "Program",
        "back": {"url": reverse("house"), "label": "House"},
        "build": running,
        "approved": approved,
        "signatures": approved.signatures.order_by("id") if approved else (),
        "pending": pending,
        "is_same": is_same,
        "approve_url": new_url(KIND) if may else "",
    }
    return render(request, "pitboss/build.html", context)
