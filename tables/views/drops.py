"""Drop boxes at the table: pulled, made to wait, and what a supervisor expects in them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.drop_flows import DROP_PULL, read_keyed
from pitboss.rules.refusal import Refused, refuse
from pitboss.selectors.details import written_of
from pitboss.services import house
from pitboss.views.forms import new_request_id, pen_of, text
from pitboss.views.pads import pad_of
from pitboss.views.raising import raise_page, table_named
from tables.services.drops import (
    BOX_MAX,
    ask_to_wait,
    count_before_pull,
    estimate_drop,
    lift_wait,
    new_pull,
    pull_box,
    pull_refusals,
    wait_of,
)


@require_http_methods(["GET", "POST"])
@page("drop")
def drop_pull(request: PitRequest, name: str) -> HttpResponse:
    """Say which box goes on and when surveillance was told; then security signs."""
    table = table_named(name)
    if request.method == "GET":
        return _pull_form(request, table)
    try:
        asked = _pull_asked(request)
        refusals = pull_refusals(table)
        if refusals:
            raise Refused(refusals)
    except Refused as refused:
        return _pull_form(request, table, refused)
    return _pull_pad(request, table, asked)


@require_POST
@page("drop")
def drop_pull_sign(request: PitRequest, name: str) -> HttpResponse:
    """Raise the pull with the officer's badge and PIN."""
    table = table_named(name)
    asked: dict[str, Any] = {"new_box": "", "emergency": False, "surveillance_told_at": None}
    try:
        asked = _pull_asked(request)
        slip = pull_box(
            table=table, pen=pen_of(request), shown=text(request.POST, "shown"), **asked
        )
    except Refused as refused:
        return _pull_pad(request, table_named(name), asked, refused)
    messages.success(request, f"Box {table} pulled on {slip.serial}. A supervisor witnesses it.")
    return redirect("slip", serial=slip.serial)


def _pull_asked(request: PitRequest) -> dict[str, Any]:
    told = text(request.POST, "told_at").strip()
    return {
        "new_box": text(request.POST, "new_box").strip()[: BOX_MAX + 1],
        "emergency": request.POST.get("emergency") == "yes",
        "surveillance_told_at": _today_at(told) if told else None,
    }


def _today_at(keyed: str) -> datetime:
    """Return the last time that the clock of the house showed this."""
    zone = house.the_property().zone
    now = house.now().astimezone(zone)
    try:
        at = datetime.strptime(keyed, "%H:%M").time()  # noqa: DTZ007
    except ValueError:
        raise refuse("time_malformed", "Key the time as the clock shows it, like 14:05.") from None
    instant = now.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return instant - timedelta(days=1) if instant > now else instant


def _pull_form(request: PitRequest, table: Table, refused: Refused | None = None) -> HttpResponse:
    wait, count = wait_of(table), count_before_pull(table)
    refusals = refused.refusals if refused else pull_refusals(table)
    clock = house.now().astimezone(house.the_property().zone)
    context = {
        "heading": f"Drop box of {table.name}",
        "back": {"url": reverse("table", args=[table.name]), "label": table.name},
        "table": table,
        "count": count,
        "wait": wait,
        "wait_url": reverse("drop-wait", args=[table.name]),
        "count_url": reverse("count", args=[table.name])
        if table.is_open and may_open(request.role, "count")
        else None,
        "url": reverse("drop-pull", args=[table.name]),
        "request_id": new_request_id(),
        "new_box": request.POST.get("new_box", ""),
        "told_at": request.POST.get("told_at", f"{clock:%H:%M}"),
        "emergency": request.POST.get("emergency") == "yes",
        "can_pull": not pull_refusals(table),
        "refusals": refusals,
    }
    return render(
        request, "tables/drop_pull.html", context, status=http_status(refused) if refused else 200
    )


def _pull_pad(
    request: PitRequest, table: Table, asked: dict[str, Any], refused: Refused | None = None
) -> HttpResponse:
    new = new_pull(table, **asked)
    told: datetime | None = asked["surveillance_told_at"]
    clock = told.astimezone(house.the_property().zone) if told else None
    fields = {
        "new_box": asked["new_box"],
        "emergency": "yes" if asked["emergency"] else "",
        "told_at": f"{clock:%H:%M}" if clock else "",
    }
    draft = Slip(kind=DROP_PULL.kind, details=dict(new.details))
    written = written_of(draft) if told else []
    return raise_page(
        request,
        new,
        table,
        heading=f"Drop box of {table.name}",
        url=reverse("drop-pull-sign", args=[table.name]),
        fields=fields,
        back={"url": reverse("drop-pull", args=[table.name]), "label": table.name},
        panel={"template": "tables/_written.html", "has_lines": True, "written": written},
        refused=refused,
    )


@require_http_methods(["GET", "POST"])
@page("drop")
def drop_wait(request: PitRequest, name: str) -> HttpResponse:
    """Let the dealer make the drop team wait, or let it go on, with badge and PIN."""
    table = table_named(name)
    standing = wait_of(table)
    refused: Refused | None = None
    if request.method == "POST":
        lifting = request.POST.get("act") == "lift"
        try:
            pen = pen_of(request)
            if lifting:
                lift_wait(table=table, pen=pen)
            else:
                ask_to_wait(table=table, pen=pen)
        except Refused as error:
            refused = error
        else:
            said = "The hand is over. The box may go." if lifting else "The drop team waits."
            messages.success(request, said)
            return redirect("drop-pull", name=name)
    act = "lift" if standing else "wait"
    context = {
        "heading": f"Drop box of {table.name}",
        "back": {"url": reverse("drop-pull", args=[name]), "label": "Drop"},
        "pad": pad_of(
            request,
            url=reverse("drop-wait", args=[name]),
            sentence="The hand is over. The box may go."
            if standing
            else "A hand is on. Wait for its end.",
            button="Let the box go" if standing else "Make them wait",
            refused=refused,
            fields={"act": act},
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/signed_act.html", context, status=http_status(refused) if refused else 200
    )


@require_http_methods(["GET", "POST"])
@page("estimate")
def drop_estimate(request: PitRequest, name: str) -> HttpResponse:
    """Key what a supervisor thinks is in the box, signed; the newest estimate counts."""
    table = table_named(name)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            cash = read_keyed({"coupons": text(request.POST, "cash")})["coupons"]
            estimate_drop(table=table, cash_cents=cash, pen=pen_of(request))
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"Estimate of {table} kept.")
            return redirect("table-win", name=name)
    context = {
        "heading": f"Estimate the drop of {table.name}",
        "back": {"url": reverse("table-win", args=[name]), "label": "Win"},
        "pad": pad_of(
            request,
            url=reverse("drop-estimate", args=[name]),
            sentence="This is my estimate of the cash in the box, for this shift.",
            button="Sign as supervisor",
            refused=refused,
            badge=request.user.badge,
            inputs=({"name": "cash", "label": "Cash in the box, in dollars"},),
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/signed_act.html", context, status=http_status(refused) if refused else 200
    )
