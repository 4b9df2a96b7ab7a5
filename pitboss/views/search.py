"""Search everywhere: one field, results by kind, and only what this role may open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.context import places_for
from pitboss.middleware import PitRequest
from pitboss.reports.book import readable_by
from pitboss.rules.roles import Role
from pitboss.selectors.search import ASKED_MAX, FOUND_MAX, GROUPS, SOUGHT_MAX, FoundThing


@require_GET
@page("own")
def search(request: PitRequest) -> HttpResponse:
    """Find what someone types or scans. One thing that can only be meant opens by itself."""
    sought = " ".join(request.GET.get("q", "").replace("\x00", "").split())[:SOUGHT_MAX]
    groups = _found(sought, request.role) if sought else []
    exact = [hit for group in groups for hit in group["hits"] if hit.is_exact]
    if len(exact) == 1 and not request.htmx.target:
        return redirect(exact[0].url)
    context = {
        "heading": "Search",
        "sought": sought,
        "groups": groups,
        "count": sum(len(group["hits"]) for group in groups),
        "search_url": reverse("search"),
    }
    # As one types, only the results are sent.
    is_part = request.htmx.target == "found"
    return render(request, "pitboss/_found.html" if is_part else "pitboss/search.html", context)


def _found(sought: str, role: Role) -> list[dict[str, Any]]:
    found = [
        (group.title, group.icon, list(group.find(sought, role)))
        for group in GROUPS
        if may_open(role, group.page)
    ]
    found.append(("Pages", "audit", list(_pages(sought, role))))
    return [
        {
            "title": title,
            "icon": icon,
            "hits": hits[:FOUND_MAX],
            "has_more": len(hits) > FOUND_MAX,
        }
        for title, icon, hits in found
        if hits
    ]


def _pages(sought: str, role: Role) -> Iterable[FoundThing]:
    """Find places of the rail and reports by their titles."""
    words = sought.casefold().split()
    places = [FoundThing(label, "Page", url) for label, url in places_for(role)]
    if may_open(role, "reports"):
        places += [
            FoundThing(entry.title, "Report", reverse("report", args=[entry.key]))
            for entries in readable_by(role).values()
            for entry in entries
        ]
    fitting = [hit for hit in places if all(word in hit.title.casefold() for word in words)]
    return fitting[:ASKED_MAX]
