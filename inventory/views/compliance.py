"""The compliance desk: reports that are due, and notes that no one else reads."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from inventory.models import SuspicionNote
from inventory.selectors.cash_log import (
    closed_reports,
    notes_of_desk,
    open_reports,
    person_of,
)
from inventory.selectors.ctr import forms_to_export
from inventory.selectors.exclusion import newest_versions, oldest_list, open_cases
from inventory.selectors.sar import open_sar_cases, reviews_due
from inventory.services.compliance import read_note, write_note
from inventory.views.currency_reports import card_of
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.patrons.compliance import NOTE_MAX
from pitboss.rules.patrons.ctr import FilingDue
from pitboss.rules.patrons.sar import SarClock
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.services.pads import attested_by
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of


@require_GET
@page("compliance")
def desk(request: PitRequest) -> HttpResponse:
    """Show the currency reports that wait, what is due first on top, and the notes."""
    today = request.period.gaming_day
    context = {
        "heading": "Compliance",
        "reports": [card_of(report, today) for report in open_reports()],
        "closed": [card_of(report, today) for report in closed_reports()[:20]],
        "notes": notes_of_desk()[:50],
        "clocks": _clocks(request, today),
        "export_count": forms_to_export().count(),
        "binder_url": reverse("report", args=["compliance-binder"]),
        "multiple_url": reverse("cash-multiple", args=[today.isoformat()]),
    }
    return render(request, "inventory/compliance.html", context)


def _clocks(request: PitRequest, today: date) -> list[dict[str, Any]]:
    """Return what runs against compliance, each with what is due first of it."""
    now = house.now()
    calendar = now.astimezone(house.the_property().zone).date()
    reports, sars = list(open_reports()), list(open_sar_cases())
    reviews, cases = list(reviews_due(calendar)), list(open_cases())
    oldest = oldest_list()
    sar_tone = SarClock(sars[0].due_on, calendar).tone if sars else "half"
    return [
        _clock(
            "Currency reports",
            len(reports),
            f"due {reports[0].due_on:%b %-d}" if reports else "",
            FilingDue(reports[0].due_on, today).tone if reports else "half",
            f"{reverse('compliance')}#reports-heading",
        ),
        _clock(
            "SAR cases",
            len(sars) + len(reviews),
            f"due {sars[0].due_on:%b %-d}" if sars else "review due" if reviews else "",
            "bad" if sar_tone == "bad" else "wait" if reviews else sar_tone,
            reverse("sar-cases"),
        ),
        _clock(
            "Exclusion cases",
            len(cases),
            f"since {cases[0].gaming_day:%b %-d}" if cases else "",
            "wait",
            reverse("exclusion-cases"),
        ),
        _clock(
            "Exclusion lists",
            len(newest_versions()),
            f"oldest {oldest.imported_on:%b %-d}" if oldest else "",
            "bad" if oldest and oldest.is_stale else "half",
            reverse("exclusion-lists"),
        ),
    ]


def _clock(what: str, count: int, says: str, tone: str, url: str) -> dict[str, Any]:
    return {"what": what, "count": count, "says": says, "tone": tone, "url": url}


@require_http_methods(["GET", "POST"])
@page("note_new")
def note_new(request: PitRequest) -> HttpResponse:
    """Write to compliance what someone saw. The person whose badge it is signs, the dealer too."""
    given = request.POST if request.method == "POST" else request.GET
    table = Table.objects.filter(name=given.get("table", "")[:12].replace("\x00", "")).first()
    about = person_of(given.get("who", ""))
    refused: Refused | None = None
    if request.method == "POST":
        try:
            write_note(
                text=text(request.POST, "reason"),
                pen=pen_of(request),
                table=table,
                patron=about.patron if about else None,
                stranger=about.stranger if about and about.patron is None else None,
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, "Saved. Only compliance can read it.")
            return redirect("table", name=table.name) if table else redirect("home")
    back = (
        {"url": reverse("table", args=[table.name]), "label": table.name}
        if table and may_open(request.role, "table")
        else {"url": reverse("home"), "label": "Back"}
    )
    context = {
        "heading": "Note to compliance",
        "back": back,
        "table": table,
        "about": about,
        "pad": pad_of(
            request,
            url=reverse("note-new"),
            attested=attested_by("compliance_note"),
            button="Send to compliance",
            refused=refused,
            badge=request.user.badge,
            inputs=(
                {
                    "name": "reason",
                    "label": "What you saw",
                    "most": str(NOTE_MAX),
                    "rows": "5",
                    "private": "yes",
                },
            ),
            fields=({"table": table.name} if table else {}) | ({"who": about.key} if about else {}),
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "inventory/note_new.html", context, status=http_status(refused) if refused else 200
    )


@require_GET
@never_cache
@page("compliance")
def note(request: PitRequest, note_id: int) -> HttpResponse:
    """Show what a note says. Each look is kept."""
    kept = get_object_or_404(
        SuspicionNote.objects.select_related("patron", "stranger", "table__pit", "written_by"),
        pk=note_id,
    )
    words = read_note(note=kept, reader=request.user, device=request.device)
    context = {
        "heading": f"Note {kept.pk}",
        "back": {"url": reverse("compliance"), "label": "Compliance"},
        "note": kept,
        "words": words,
        "readings": kept.readings.select_related("read_by").order_by("-id"),
    }
    return render(request, "inventory/note.html", context)
