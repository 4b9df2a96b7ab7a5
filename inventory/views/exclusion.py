"""Exclusion on the screen: the lists and their import, and a case with what is known of it."""

from __future__ import annotations

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from inventory.models import CaseEnd, ExclusionCase, ListVersion
from inventory.selectors.exclusion import list_of, lists_now, open_cases
from inventory.services.exclusion_lists import upload_list
from inventory.services.list_sharing import share_list
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.exclusion import (
    OFAC_REPORT_DAYS,
    CaseDecision,
    ListKind,
    Match,
    Moment,
    business_days_after,
    is_stale,
)
from pitboss.rules.patrons.exclusion_lists import BYTES_MAX, COLUMNS
from pitboss.rules.patrons.shared_lists import SHARED
from pitboss.rules.refusal import Refused, refuse
from pitboss.services import house
from pitboss.slips.addresses import new_url
from pitboss.views.forms import new_request_id, pen_of, text

_DECISIONS = {
    "exclusion_confirmed": "It is the person…",
    "exclusion_cleared": "Not the person…",
}
_MATCHES = {
    Match.HIT: "Sure match: tax ID, or name and date of birth",
    Match.POSSIBLE: "Possible match: near name",
}


@require_http_methods(["GET", "POST"])
@page("exclusion_lists")
def exclusion_lists(request: PitRequest) -> HttpResponse:
    """Show each list with its age, and take a file whose changes are then signed."""
    refused: Refused | None = None
    if request.method == "POST":
        try:
            upload = upload_list(
                kind=_kind(request),
                content=_content(request),
                person=request.user,
                device=request.device,
                request_id=pen_of(request).request_id,
            )
            return redirect(new_url("list_import", upload=upload.pk))
        except Refused as error:
            refused = error
    return _lists_page(request, refused)


def _lists_page(request: PitRequest, refused: Refused | None) -> HttpResponse:
    zone = house.the_property().zone
    today = house.now().astimezone(zone).date()
    stale_after = request.house["exclusion.stale_after"]
    context = {
        "heading": "Exclusion lists",
        "back": {"url": reverse("compliance"), "label": "Compliance"},
        "url": reverse("exclusion-lists"),
        "request_id": new_request_id(),
        "lists": [
            {
                **each,
                "is_stale": each["version"] is not None
                and is_stale(
                    each["version"].imported_at.astimezone(zone).date(), today, stale_after
                ),
            }
            for each in lists_now()
        ],
        "kinds": list(ListKind),
        "shared": SHARED if settings.KEYS.statement_key else (),
        "pending": Slip.objects.filter(kind="list_import", status=SlipStatus.OPEN.value),
        "history": ListVersion.objects.select_related("slip", "upload__uploaded_by").order_by(
            "-pk"
        )[:20],
        "chosen": request.POST.get("list", ""),
        "columns": ", ".join(COLUMNS),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "inventory/exclusion_lists.html",
        context,
        status=http_status(refused) if refused else 200,
    )


@require_POST
@page("exclusion_lists")
def exclusion_list_file(request: PitRequest) -> HttpResponse:
    """Give a list of the house as a signed file, for another property of its group."""
    try:
        signed = share_list(kind=_kind(request), person=request.user, device=request.device)
    except Refused as refused:
        return _lists_page(request, refused)
    answer = JsonResponse(signed)
    name = f"{text(request.POST, 'list')}.json"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _kind(request: PitRequest) -> ListKind:
    keyed = text(request.POST, "list")
    if keyed not in tuple(ListKind):
        raise refuse("field_missing", "Choose the list.")
    return ListKind(keyed)


def _content(request: PitRequest) -> bytes:
    uploaded = request.FILES.get("content")
    if not isinstance(uploaded, UploadedFile):
        raise refuse("field_missing", "Choose the CSV file, or the signed file.")
    # One byte more than allowed is enough to refuse it; the rest is never read.
    return bytes(uploaded.read(BYTES_MAX + 1))


@require_GET
@page("exclusion_case")
def exclusion_cases(request: PitRequest) -> HttpResponse:
    """Show the cases that wait for a decision, and those decided last."""
    context = {
        "heading": "Exclusion cases",
        "cases": [_row(each) for each in open_cases()],
        "decided": [
            _row(each.case) | {"decision": each.decision, "at": each.at}
            for each in CaseEnd.objects.select_related("case__patron", "case__row").order_by("-pk")[
                :20
            ]
        ],
    }
    return render(request, "inventory/exclusion_cases.html", context)


def _row(case: ExclusionCase) -> dict[str, object]:
    return {
        "case": case,
        "list": list_of(case.row),
        "match": _MATCHES[Match(case.match)],
        "moment": Moment(case.moment).label,
        "url": reverse("exclusion-case", args=[case.pk]),
    }


@require_GET
@page("exclusion_case")
def exclusion_case(request: PitRequest, case_id: int) -> HttpResponse:
    """Show a case: who, which list, how alike they are, where it stopped, and what is next."""
    cases = ExclusionCase.objects.select_related("patron", "row__version")
    case = get_object_or_404(cases, pk=case_id)
    end = CaseEnd.objects.filter(case=case).select_related("slip").first()
    waiting = Slip.objects.filter(
        kind__in=_DECISIONS, status=SlipStatus.OPEN.value, details__case=case.pk
    ).first()
    confirmed = end is not None and end.decision == CaseDecision.CONFIRMED.value
    is_ofac = case.row.list == ListKind.OFAC.value
    checks = list(case.checks.select_related("table", "slip").order_by("-pk")[:20])
    wins = {check.slip for check in checks if check.slip and check.stopped}
    context = {
        "heading": f"Case {case.pk}",
        "back": {"url": reverse("exclusion-cases"), "label": "Cases"},
        **_row(case),
        "end": end,
        "confirmed": confirmed,
        "waiting": waiting,
        "report_by": business_days_after(end.at.date(), OFAC_REPORT_DAYS)
        if end and confirmed and is_ofac
        else None,
        "checks": [{"check": each, "moment": Moment(each.moment).label} for each in checks],
        "wins": sorted(wins, key=lambda slip: slip.pk),
        "acts": [
            {"label": label, "url": new_url(kind, case=case.pk)}
            for kind, label in _DECISIONS.items()
            if end is None and waiting is None and may_open(request.role, kind)
        ],
    }
    return render(request, "inventory/exclusion_case.html", context)
