"""The count room on the screen: the boxes that came in, and what each held."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.live import poll_url, polled, whole_floor
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.drop_flows import DROP_COUNT
from pitboss.rules.flows import SlipStatus
from pitboss.rules.refusal import Refused
from pitboss.services.shown import FIGURES
from pitboss.views.forms import figures_of, new_request_id, pen_of, text
from pitboss.views.raising import raise_page
from tables.selectors.papers import figure_fields, figures_panel
from tables.services.drops import boxes_to_count, count_box, new_drop_count, read_documents


@require_GET
@page("count_room")
def count_room(request: PitRequest) -> HttpResponse:
    """Show the boxes that left their tables: to count, to count again, to post."""
    return render(request, "tables/count_room.html", _room(request))


@require_GET
@polled(whole_floor)
@page("count_room")
def count_room_poll(request: PitRequest) -> HttpResponse:
    """Send the boxes again when something moved."""
    return render(request, "inventory/_queue_poll.html", _room(request))


def _room(request: PitRequest) -> dict[str, Any]:
    # The version is read before the boxes: one that comes in between is news at the next poll.
    poll = poll_url(reverse("count-room-poll"), whole_floor({}))
    counts = Slip.objects.filter(kind=DROP_COUNT.kind, status=SlipStatus.OPEN).prefetch_related(
        "waits"
    )
    may_count = may_open(request.role, "drop_count")
    groups = [
        {"heading": "Count", "cards": [_box_card(box, may_count) for box in boxes_to_count()]},
        {"heading": "Count again, then post", "cards": [_count_card(each) for each in counts]},
    ]
    return {
        "groups": [each for each in groups if each["cards"]],
        "nothing": {
            "title": "No box to count",
            "text": "Boxes come up here when they have left their tables.",
            "icon": "box",
        },
        "poll_url": poll,
    }


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
