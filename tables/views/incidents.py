"""Incidents: three taps at a table, and the list of them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.floor.incident_reports import INCIDENT_KINDS
from pitboss.rules.floor.irregularities import SEATS_AT_A_TABLE
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import Refused
from pitboss.slips.addresses import new_url, row_id
from pitboss.views.forms import pen_of, request_id_after, text
from pitboss.views.raising import table_named
from tables.models import Incident
from tables.services.incident_reports import save_incident

_SHOWN_MAX = 100


@require_http_methods(["GET", "POST"])
@page("incident")
def incident_new(request: PitRequest, name: str) -> HttpResponse:
    """Save an incident: kind, seat, Save. The page it leads back to says no more than that."""
    table = table_named(name)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            save_incident(
                table_id=table.pk,
                kind=text(request.POST, "kind"),
                seat=row_id(text(request.POST, "seat")),
                by=request.user,
                device=request.device,
                request_id=pen_of(request).request_id,
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, "Saved.")
            return redirect("table", name=name)
    context = {
        "heading": f"Note at {table}",
        "back": {"url": reverse("table", args=[name]), "label": name},
        "url": request.path,
        "request_id": request_id_after(refused, request.POST),
        "kinds": INCIDENT_KINDS.items(),
        "seats": range(1, SEATS_AT_A_TABLE + 1),
        "chosen": request.POST,
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "tables/incident_new.html", context, status=status)


@require_GET
@page("incidents")
def incidents(request: PitRequest) -> HttpResponse:
    """List the last incidents with their reports."""
    rows = Incident.objects.select_related("table", "by", "report__slip").order_by("-at")
    may_write = may_open(request.role, "incident_report")
    may_add = may_open(request.role, "incident_supplement")
    context = {
        "heading": "Incidents",
        "rows": [
            {
                "incident": row,
                "slip": row.report.slip if hasattr(row, "report") else None,
                "url": new_url("incident_report", incident=row.pk)
                if may_write and not hasattr(row, "report")
                else "",
                "more_url": new_url("incident_supplement", of=row.report.slip.serial)
                if may_add and _is_written(row)
                else "",
            }
            for row in rows[:_SHOWN_MAX]
        ],
    }
    return render(request, "tables/incidents.html", context)


def _is_written(incident: Incident) -> bool:
    return hasattr(incident, "report") and incident.report.slip.status == SlipStatus.DONE.value
