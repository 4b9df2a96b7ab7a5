"""Key a paper of an outage on the screen: what it says, then keyer and approver."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_http_methods, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.cheques import BY_CENTS
from pitboss.rules.refusal import Refused, refuse
from pitboss.selectors.details import written_of
from pitboss.services import house
from pitboss.views.forms import cheques_of, new_request_id, pen_of, text
from pitboss.views.raising import raise_page, table_named
from tables.services.late import CREDIT_PAPER, FILL_PAPER, Paper, key_late, late_refusals, new_late

_WHATS = ((FILL_PAPER, "Fill"), (CREDIT_PAPER, "Credit"))


@require_http_methods(["GET", "POST"])
@page("late")
def late_new(request: PitRequest, name: str) -> HttpResponse:
    """Take what stands on the paper; then its keyer signs."""
    table = table_named(name)
    if request.method == "GET":
        return _form(request, table)
    try:
        paper = _paper(request)
        refusals = [*late_refusals(table, paper), *_closed(paper)]
        if refusals:
            raise Refused(refusals)
    except Refused as refused:
        return _form(request, table, refused)
    return _pad(request, table, paper)


@require_POST
@page("late")
def late_sign(request: PitRequest, name: str) -> HttpResponse:
    """Raise the late slip with the supervisor's badge and PIN."""
    table = table_named(name)
    try:
        paper = _paper(request)
    except Refused as refused:
        return _form(request, table, refused)
    try:
        slip = key_late(
            table=table,
            paper=paper,
            reason=text(request.POST, "reason"),
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
        )
    except Refused as refused:
        return _pad(request, table_named(name), paper, refused)
    messages.success(request, f"{slip.serial} keyed from paper {slip.details['paper_number']}.")
    return redirect("slip", serial=slip.serial)


def _closed(paper: Paper) -> list[Any]:
    day = house.period_at(paper.true_time).gaming_day
    if paper.corrects or not house.is_closed(day):
        return []
    return [house.day_closed_refusal(day)]


def _paper(request: PitRequest) -> Paper:
    """Return the paper as it was keyed. Raises Refused."""
    posted = request.POST
    what = posted.get("what", "")
    if what not in dict(_WHATS):
        raise refuse("paper_kind_missing", "Say whether the paper is a fill or a credit.")
    true_time = _local_instant(text(posted, "true_time"))
    if true_time is None:
        raise refuse("true_time_missing", "Key the day and time that stand on the paper.")
    return Paper(
        what=what,
        number=text(posted, "paper_number")[:40],
        true_time=true_time,
        cheques=cheques_of(posted),
        corrects=posted.get("corrects") == "yes",
    )


def _form(request: PitRequest, table: Table, refused: Refused | None = None) -> HttpResponse:
    posted = request.POST
    context = {
        "heading": f"From paper, {table.name}",
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "url": reverse("late-new", args=[table.name]),
        "request_id": new_request_id(),
        "whats": [
            {"value": value, "label": label, "is_current": posted.get("what", FILL_PAPER) == value}
            for value, label in _WHATS
        ],
        "paper_number": posted.get("paper_number", ""),
        "true_time": posted.get("true_time", ""),
        "corrects": posted.get("corrects") == "yes",
        "day_is_closed": bool(refused and "day_closed" in refused.codes)
        or posted.get("corrects") == "yes",
        "rows": [
            {"cents": cents, "value": posted.get(f"cheques_{cents}", "")} for cents in BY_CENTS
        ],
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "tables/late_new.html", context, status=http_status(refused) if refused else 200
    )


def _pad(
    request: PitRequest, table: Table, paper: Paper, refused: Refused | None = None
) -> HttpResponse:
    new = new_late(table, paper)
    fields: dict[str, Any] = {
        "what": paper.what,
        "paper_number": paper.number,
        "true_time": paper.true_time.isoformat(),
        "corrects": "yes" if paper.corrects else "",
        **{f"cheques_{cents}": count for cents, count in paper.cheques.items()},
    }
    draft = Slip(kind=new.kind, details=dict(new.details), raised_at=house.now())
    return raise_page(
        request,
        new,
        table,
        heading=f"From paper, {table.name}",
        url=reverse("late-sign", args=[table.name]),
        fields=fields,
        back={"url": reverse("late-new", args=[table.name]), "label": table.name},
        panel={
            "template": "tables/_written.html",
            "comes_first": True,
            "is_late": True,
            "written": written_of(draft),
        },
        refused=refused,
        inputs=({"name": "reason", "label": "Why it was done on paper"},),
        badge=request.user.badge,
    )


def _local_instant(keyed: str) -> datetime | None:
    """Return the instant of a date and time keyed by the property's clock, or None.

    Of an hour that comes twice the first is meant; who means the other keys it with its offset.
    """
    try:
        at = parse_datetime(keyed.strip()) if len(keyed) <= 40 else None
    except ValueError:
        return None
    if at is None:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=house.the_property().zone)
    return at.astimezone(UTC)
