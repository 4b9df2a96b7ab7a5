"""The compliance desk: reports that are due, and notes that nobody else reads."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from inventory.models import CurrencyReport, SuspicionNote
from inventory.selectors.cash_log import (
    cash_of,
    closed_reports,
    day_sum,
    known_and_missing,
    notes_of_desk,
    open_reports,
    person_of,
    whose,
)
from inventory.selectors.exclusion import open_cases
from inventory.services.compliance import read_note, write_note
from inventory.services.currency_reports import Closing, close_report, is_due
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.patrons.cash_log import CashKind, Direction
from pitboss.rules.patrons.compliance import NOTE_MAX, Outcome
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Role
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of


@require_GET
@page("compliance")
def desk(request: PitRequest) -> HttpResponse:
    """Show the currency reports that wait, what is due first on top, and the notes."""
    today = request.period.gaming_day
    context = {
        "heading": "Compliance",
        "reports": [_card(report, today) for report in open_reports()],
        "closed": [_card(report, today) for report in closed_reports()[:20]],
        "notes": notes_of_desk()[:50],
        "case_count": open_cases().count(),
        "multiple_url": reverse("cash-multiple", args=[today.isoformat()]),
    }
    return render(request, "inventory/compliance.html", context)


@require_http_methods(["GET", "POST"])
@page("currency_report")
def currency_report(request: PitRequest, report_id: int) -> HttpResponse:
    """Show a currency report: the day behind it, what is known and missing, and how it ends."""
    report = get_object_or_404(
        CurrencyReport.objects.select_related(
            "patron", "stranger", "closing__closed_by", "amends", "amended_by"
        ),
        pk=report_id,
    )
    outcome = Outcome.NOT_DUE if "not_due" in (_ends(request)) else Outcome.FILED
    refused: Refused | None = None
    if request.method == "POST":
        try:
            close_report(
                report_id=report.pk, closing=_closing(request, outcome), pen=pen_of(request)
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, "The report is closed.")
            return redirect("compliance")
    today = request.period.gaming_day
    person = whose(report.patron, report.stranger)
    direction = Direction(report.direction)
    known, missing = known_and_missing(person)
    closing = getattr(report, "closing", None)
    may_close = closing is None and request.role == Role.COMPLIANCE
    is_over = today > report.gaming_day
    own = reverse("currency-report", args=[report.pk])
    context = {
        "heading": "Currency report",
        "back": {"url": reverse("compliance"), "label": "Compliance"}
        if may_open(request.role, "compliance")
        else {
            "url": reverse("cash-multiple", args=[report.gaming_day.isoformat()]),
            "label": "Log",
        },
        **_card(report, today),
        "known": known,
        "missing": missing,
        "entries": [
            {"entry": each, "kind": CashKind(each.kind).label.capitalize()}
            for each in cash_of(person, report.gaming_day)
            .filter(direction=direction.value)
            .select_related("table", "slip")
        ],
        "closing": closing,
        "waits_for_day": may_close and not is_over,
        "ends": [
            {"label": "Filed", "url": own, "is_current": outcome == Outcome.FILED},
            {
                "label": "Not due",
                "url": f"{own}?ends=not_due",
                "is_current": outcome == Outcome.NOT_DUE,
            },
        ]
        if may_close and is_over
        else [],
        "pad": pad_of(
            request,
            url=f"{own}?ends=not_due" if outcome == Outcome.NOT_DUE else own,
            sentence="I filed this report, or saw that it was filed."
            if outcome == Outcome.FILED
            else "I looked into this day, and no report is due.",
            button="Close as filed" if outcome == Outcome.FILED else "Close as not due",
            refused=refused,
            badge=request.user.badge,
            inputs=_inputs(outcome, today),
        )
        if may_close and is_over
        else None,
        "is_due": is_due(report, person),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "inventory/currency_report.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def _ends(request: PitRequest) -> tuple[str, str]:
    return request.GET.get("ends", ""), request.POST.get("ends", "")


def _inputs(outcome: Outcome, today: date) -> tuple[dict[str, str], ...]:
    if outcome == Outcome.NOT_DUE:
        return ({"name": "reason", "label": "Why no report is due"},)
    return (
        {"name": "filer", "label": "Filed by", "type": "text"},
        {"name": "filed_on", "label": "Filed on", "type": "date", "max": today.isoformat()},
        {"name": "reference", "label": "Reference of the filing", "type": "text"},
    )


def _closing(request: PitRequest, outcome: Outcome) -> Closing:
    try:
        filed_on = date.fromisoformat(text(request.POST, "filed_on"))
    except ValueError:
        filed_on = None
    return Closing(
        outcome,
        filer=text(request.POST, "filer"),
        filed_on=filed_on,
        reference=text(request.POST, "reference"),
        reason=text(request.POST, "reason"),
    )


def _card(report: CurrencyReport, today: date) -> dict[str, Any]:
    person = whose(report.patron, report.stranger)
    direction = Direction(report.direction)
    days_left = (report.due_on - today).days
    return {
        "report": report,
        "name": person.name,
        "is_known": person.is_known,
        "direction": direction.label,
        "sum_cents": day_sum(person, report.gaming_day, direction),
        "missing": known_and_missing(person)[1],
        "days_left": days_left,
        "tone": "bad" if days_left < 0 else "wait",
        "url": reverse("currency-report", args=[report.pk]),
        "person_url": reverse("cash-person", args=[report.gaming_day.isoformat(), person.key]),
    }


@require_http_methods(["GET", "POST"])
@page("note_new")
def note_new(request: PitRequest) -> HttpResponse:
    """Write to compliance what somebody saw. Whoever's badge it is signs, the dealer too."""
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
            messages.success(request, "Kept for compliance.")
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
            sentence=(
                "I witnessed this myself. I understand that only compliance can read "
                "it and that I am not permitted to disclose it to anyone."
            ),
            button="Send to compliance",
            refused=refused,
            inputs=(
                {"name": "reason", "label": "What you saw", "most": str(NOTE_MAX), "rows": "5"},
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
