"""Drop boxes on the screen: pulled at the table, made to wait, counted in the count room."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.drop_flows import DROP_COUNT, DROP_PULL, read_keyed
from pitboss.rules.flows import SlipStatus
from pitboss.rules.refusal import Refused, refuse
from pitboss.selectors.details import written_of
from pitboss.services import house
from pitboss.services.shown import FIGURES
from pitboss.views.forms import figures_of, new_request_id, pen_of, text
from pitboss.views.pads import pad_of
from tables.selectors.papers import figure_fields, figures_panel
from tables.services.drops import (
    BOX_MAX,
    ask_to_wait,
    boxes_to_count,
    count_before_pull,
    count_box,
    estimate_drop,
    lift_wait,
    new_drop_count,
    new_pull,
    pull_box,
    pull_refusals,
    read_documents,
    wait_of,
)
from tables.views.raising import raise_page, table_named


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


@require_GET
@page("count_room")
def count_room(request: PitRequest) -> HttpResponse:
    """Show the boxes that left their tables: to count, to count again, to post."""
    counts = Slip.objects.filter(kind=DROP_COUNT.kind, status=SlipStatus.OPEN).prefetch_related(
        "waits"
    )
    may_count = may_open(request.role, "drop_count")
    groups = [
        {"heading": "Count", "cards": [_box_card(box, may_count) for box in boxes_to_count()]},
        {"heading": "Count again, then post", "cards": [_count_card(each) for each in counts]},
    ]
    return render(
        request, "tables/count_room.html", {"groups": [each for each in groups if each["cards"]]}
    )


def _box_card(box: Slip, may_count: bool) -> dict[str, Any]:
    act: dict[str, Any] = {
        "url": reverse("drop-count", args=[box.serial]),
        "label": "Count this box",
    }
    if not may_count:
        act["refusal"] = "For the count team."
    return {
        "id": box.serial,
        "title": f"Box {box.details['box']}",
        "state": {"kind": "wait", "word": "Not counted"},
        "tone": "wait",
        "since": box.raised_at,
        # Boxes are counted when the count team comes.
        "limit_seconds": None,
        "facts": [
            {"name": "Pulled on", "value": box.serial},
            {"name": "Gaming day", "value": f"{box.gaming_day:%a %d %b}, {box.shift}"},
            {"name": "On count", "value": box.details["count"]},
        ],
        "act": act,
    }


def _count_card(count: Slip) -> dict[str, Any]:
    wait = next((each for each in count.waits.all() if each.until is None), None)
    word = "Verify" if wait and wait.step == "verified" else "Post"
    return {
        "id": count.serial,
        "title": f"Box {count.details['box']}",
        "state": {"kind": "half", "word": word},
        "tone": "",
        "since": wait.since if wait else count.raised_at,
        "limit_seconds": wait.limit_seconds if wait else None,
        "facts": [
            {"name": "Slip", "value": count.serial},
            {"name": "Pulled on", "value": count.details["pull"]},
        ],
        "act": {"url": reverse("slip", args=[count.serial]), "label": "Open and sign"},
    }


@require_http_methods(["GET", "POST"])
@page("drop_count")
def drop_count(request: PitRequest, serial: str) -> HttpResponse:
    """Key what a box held, line by line; then sign for it."""
    pull = get_object_or_404(Slip.objects.select_related("table"), serial=serial, kind="drop_pull")
    if request.method == "GET":
        return _count_form(request, pull)
    try:
        new_drop_count(pull, figures_of(request.POST) or {}, _documents(request))
    except Refused as refused:
        return _count_form(request, pull, refused)
    return _count_pad(request, pull)


@require_POST
@page("drop_count")
def drop_count_sign(request: PitRequest, serial: str) -> HttpResponse:
    """Raise the count with the badge and PIN of whoever counted."""
    pull = get_object_or_404(Slip.objects.select_related("table"), serial=serial, kind="drop_pull")
    try:
        count = count_box(
            pull=pull,
            figures=figures_of(request.POST) or {},
            documents=_documents(request),
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
        )
    except Refused as refused:
        if {"figure_malformed", "figure_unknown", "not_a_multiple"} & set(refused.codes):
            return _count_form(request, pull, refused)
        return _count_pad(request, pull, refused)
    messages.success(request, f"{count.serial} counted. Another of the team counts again.")
    return redirect("count-room")


def _documents(request: PitRequest) -> tuple[str, ...]:
    return read_documents(text(request.POST, "documents"))


def _count_form(request: PitRequest, pull: Slip, refused: Refused | None = None) -> HttpResponse:
    keyed = {name: str(value) for name, value in request.POST.items()}
    context = {
        "heading": f"Count box {pull.details['box']}",
        "back": {"url": reverse("count-room"), "label": "Boxes"},
        "url": reverse("drop-count", args=[pull.serial]),
        "keep": f"box-{pull.serial}",
        "request_id": new_request_id(),
        "pull": pull,
        "panel": {"box": pull.details["box"], "key_lines": figure_fields(keyed)},
        "documents": keyed.get("documents", ""),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "tables/drop_count.html", context, status=http_status(refused) if refused else 200
    )


def _count_pad(request: PitRequest, pull: Slip, refused: Refused | None = None) -> HttpResponse:
    documents = _documents(request)
    new = new_drop_count(pull, figures_of(request.POST) or {}, documents)
    fields = {name: value for name, value in request.POST.items() if name.startswith("figure_")} | {
        "documents": " ".join(documents)
    }
    return raise_page(
        request,
        new,
        None,
        heading=f"Count box {pull.details['box']}",
        url=reverse("drop-count-sign", args=[pull.serial]),
        fields=fields,
        back={"url": reverse("drop-count", args=[pull.serial]), "label": "Boxes"},
        panel=figures_panel(new.details[FIGURES], list(documents), pull.details["box"]),
        refused=refused,
        badge=request.user.badge,
    )
