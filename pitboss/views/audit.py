"""The auditor's desk: find anything, take a day away with its proof, verify the record."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from pitboss.access import page
from pitboss.middleware import PitRequest
from pitboss.models import JournalAudit, JournalSeal
from pitboss.patience import patient_view
from pitboss.selectors.finding import SHOWN_MAX, Sought, find_entries, find_slips
from pitboss.selectors.record_health import in_words, record_parts
from pitboss.services.audits import ask_audit, unproven_entries
from pitboss.services.exports import export_day
from pitboss.tasks import run_audit
from pitboss.views.forms import day_of, text


@require_GET
@page("audit")
@patient_view
def audit(request: PitRequest) -> HttpResponse:
    """Show what was sought and found, the newest seal, and the last verification."""
    sought = _sought(request)
    # A day is taken away once it is over.
    taken_day = sought.day or request.period.gaming_day - timedelta(days=1)
    context: dict[str, Any] = {"sought": sought, "export_day": taken_day, **_audits()}
    if sought:
        context["slips"] = find_slips(sought, request.role)[:SHOWN_MAX]
        context["entries"] = find_entries(sought)[:SHOWN_MAX]
        context["shown_max"] = SHOWN_MAX
    return render(request, "pitboss/audit.html", context)


@require_GET
@page("audit")
def audit_state(request: PitRequest) -> HttpResponse:
    """Send how far the verification is; the page asks while one is under way."""
    return render(request, "pitboss/_audit_state.html", _audits())


# The page asks it by itself, which keeps no tablet open.
audit_state.is_automatic = True  # type: ignore[attr-defined]


def _audits() -> dict[str, Any]:
    audit = JournalAudit.objects.select_related("asked_by").first()
    return {
        "audit": audit,
        "whole": JournalAudit.objects.exclude(kind=JournalAudit.Kind.HOURLY)
        .exclude(ended_at=None)
        .first(),
        "unproven": unproven_entries(audit) if audit else 0,
        "seal": JournalSeal.objects.order_by("-number").first(),
        "troubles": in_words(record_parts()),
    }


def _sought(request: PitRequest) -> Sought:
    return Sought(
        number=text(request.GET, "number").strip(),
        person=text(request.GET, "person").strip(),
        table=text(request.GET, "table").strip(),
        day=day_of(request.GET, "day"),
    )


@require_POST
@page("audit")
def audit_verify(request: PitRequest) -> HttpResponse:
    """Have the whole record verified in the background."""
    journal_audit = ask_audit(person=request.user)
    # It is asked for, whether or not the broker hears of it now: a sweep finds it.
    transaction.on_commit(lambda: run_audit.delay(journal_audit.pk), robust=True)
    return redirect("audit")


@require_POST
@page("audit")
def audit_export(request: PitRequest) -> HttpResponse:
    """Hand a gaming day over as one archive."""
    day = day_of(request.POST, "day")
    if day is None:
        return redirect("audit")
    file = BytesIO()
    export_day(day=day, person=request.user, device=request.device, to=file)
    return HttpResponse(
        file.getvalue(),
        content_type="application/zip",
        headers={
            "Content-Disposition": f'attachment; filename="pitboss-{day.isoformat()}.zip"',
            "Cache-Control": "no-store",
        },
    )
