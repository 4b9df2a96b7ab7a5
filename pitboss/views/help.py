"""Help in the product: the manual by job, and the floor's terms by letter."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.rules.book.glossary import by_letter
from pitboss.rules.book.manual_places import job_of
from pitboss.selectors.manual import found_in_manual, manual
from pitboss.selectors.search import SOUGHT_MAX


@require_GET
@page("own")
def glossary(request: PitRequest) -> HttpResponse:
    """Show every term of the floor, under the letter that it begins with."""
    context = {"heading": "Floor terms", "letters": by_letter()}
    return render(request, "pitboss/glossary.html", context)


@require_GET
@page("own")
def manual_first(request: PitRequest) -> HttpResponse:
    """Show the jobs, the reader's own first; or the parts that have the words looked for."""
    sought = request.GET.get("q", "").strip()[:SOUGHT_MAX]
    words = sought.casefold().split()
    jobs = manual()
    own = job_of(request.role)
    context = {
        "heading": "Manual",
        "sought": sought,
        "found": [
            {
                "title": part.title,
                "job": jobs[part.job].title,
                "url": part.url,
                "words": part.snippet(words),
            }
            for part in found_in_manual(sought)
        ],
        "jobs": sorted(jobs.values(), key=lambda job: job.name != own),
        "own": own,
    }
    return render(request, "pitboss/manual.html", context)


@require_GET
@page("own")
def manual_job(request: PitRequest, job: str) -> HttpResponse:
    """Show one job's page of the manual."""
    found = manual().get(job)
    if found is None:
        raise Http404
    context = {
        "heading": found.title,
        "back": {"url": reverse("manual"), "label": "Manual"},
        "job": found,
    }
    return render(request, "pitboss/manual_job.html", context)
