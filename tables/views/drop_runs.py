"""Drop runs on the screen: those under way, the walk with its two scans, and the boxes on file."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.live import poll_url, polled, whole_floor
from pitboss.middleware import PitRequest
from pitboss.models import Pit, Slip
from pitboss.rules.drop.compartments import COMPARTMENTS_MAX
from pitboss.rules.drop.runs import DROP_RUN, BoxKind, BoxPlace
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import SUPERVISING, WATCHING
from pitboss.services import house
from pitboss.services.pads import attested_by
from pitboss.slips.addresses import new_url
from pitboss.views.forms import new_request_id, pen_of, text
from pitboss.views.pads import pad_of
from pitboss.views.raising import table_named
from tables.models import DropBox
from tables.selectors.drop_runs import DONE, LEFT, NEXT, SKIP, WAIT, RunState, Stop, run_state
from tables.services.drop_boxes import REGISTERING, register_boxes
from tables.services.drop_runs import join_run, leave_box, scan_box, table_of_tag, watch_run

_WORDS = {DONE: "Done", LEFT: "Left", NEXT: "To come", SKIP: "Not open", WAIT: "Wait"}
_SHOWN = 20
_BACK = "Runs"


def _run(serial: str) -> Slip:
    return get_object_or_404(Slip, serial=serial, kind=DROP_RUN)


@require_GET
@page("drop_runs")
def drop_runs(request: PitRequest) -> HttpResponse:
    """Show the runs under way and the last ones, and the way to start one."""
    runs = Slip.objects.filter(kind=DROP_RUN).annotate(pulled=Count("run_stops__pull"))
    context = {
        "heading": "Drop runs",
        "runs": [
            {
                "serial": run.serial,
                "url": reverse("drop-run", args=[run.serial]),
                "pits": ", ".join(run.details["pits"]),
                "is_open": run.status == SlipStatus.OPEN.value,
                "status": run.status,
                "at": run.raised_at,
                "pulled": run.pulled,
                "tables": len(run.details["tables"]),
            }
            for run in runs.order_by("-id")[:_SHOWN]
        ],
        "new_url": new_url(DROP_RUN) if may_open(request.role, DROP_RUN) else None,
        "boxes_url": reverse("drop-boxes"),
    }
    return render(request, "tables/drop_runs.html", context)


@require_GET
@page("drop_runs")
def drop_run(request: PitRequest, serial: str) -> HttpResponse:
    """Show a run: tables in walking order, what is left, and the two scans of the next one."""
    return _run_page(request, _run(serial))


@require_GET
@polled(whole_floor)
@page("drop_runs")
def drop_run_poll(request: PitRequest, serial: str) -> HttpResponse:
    """Send the walk again when something moved; the fields of the scan stay as they are."""
    return render(request, "tables/_drop_run_poll.html", _shown(request, _run(serial)))


@require_POST
@page("drop_runs")
def drop_run_watch(request: PitRequest, serial: str) -> HttpResponse:
    """Let surveillance say with one tap that it watches."""
    run = _run(serial)
    try:
        watch_run(
            run=run,
            by=request.user,
            device=request.device,
            request_id=pen_of(request).request_id,
        )
    except Refused as refused:
        return _run_page(request, run, refused)
    messages.success(request, f"You are watching {run.serial}.")
    return redirect("drop-run", serial=serial)


@require_http_methods(["GET", "POST"])
@page("drop_runs")
def drop_run_join(request: PitRequest, serial: str, pit_id: int) -> HttpResponse:
    """Let a supervisor join for a pit, with badge and PIN."""
    run, pit = _run(serial), get_object_or_404(Pit, pk=pit_id)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            join_run(run=run, pit=pit, pen=pen_of(request))
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{pit} joined. Boxes can be pulled there.")
            return redirect("drop-run", serial=serial)
    badge = request.user.badge if request.role in SUPERVISING else ""
    context = {
        "heading": f"Join {run.serial} for {pit}",
        "back": {"url": reverse("drop-run", args=[serial]), "label": run.serial},
        "pad": pad_of(
            request,
            url=reverse("drop-run-join", args=[serial, pit_id]),
            attested=attested_by("drop_run_join", pit=pit),
            button="Sign as supervisor",
            refused=refused,
            badge=badge,
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/signed_act.html", context, status=http_status(refused) if refused else 200
    )


@require_POST
@page("drop_runs")
def drop_run_scan(request: PitRequest, serial: str) -> HttpResponse:
    """Take the tag of the old box, then that of the new one; with both, the box is pulled."""
    run = _run(serial)
    try:
        request_id = pen_of(request).request_id
        old, new = text(request.POST, "old").strip(), text(request.POST, "new").strip()
        name = table_of_tag(run, old, text(request.POST, "table"))
        if old and not new:
            # The scanner has read the first tag: the second field is next.
            asked = urlencode({"table": name, "old": old})
            return redirect(f"{reverse('drop-run', args=[serial])}?{asked}")
        stop = scan_box(
            run=run,
            table=table_named(name),
            old_tag=old,
            new_tag=new,
            by=request.user,
            device=request.device,
            request_id=request_id,
        )
    except Refused as refused:
        return _run_page(request, run, refused)
    messages.success(request, f"{stop.table}: {stop.old_tag} off, {stop.new_tag} on.")
    return redirect("drop-run", serial=serial)


@require_POST
@page("drop_runs")
def drop_run_leave(request: PitRequest, serial: str) -> HttpResponse:
    """Leave the box of a table, for a reason."""
    run = _run(serial)
    try:
        stop = leave_box(
            run=run,
            table=table_named(text(request.POST, "table")),
            reason=text(request.POST, "reason"),
            by=request.user,
            device=request.device,
            request_id=pen_of(request).request_id,
        )
    except Refused as refused:
        return _run_page(request, run, refused)
    messages.success(request, f"{stop.table} stays: {stop.reason}")
    return redirect("drop-run", serial=serial)


def _run_page(request: PitRequest, run: Slip, refused: Refused | None = None) -> HttpResponse:
    status = http_status(refused) if refused else 200
    return render(request, "tables/drop_run.html", _shown(request, run, refused), status=status)


def _shown(request: PitRequest, run: Slip, refused: Refused | None = None) -> dict[str, Any]:
    # The version is read before the run: what is pulled in between is news at the next poll.
    poll = poll_url(reverse("drop-run-poll", args=[run.serial]), whole_floor({}))
    state = run_state(run)
    given = request.POST if refused else request.GET
    chosen = next((stop for stop in state.left if stop.table.name == given.get("table")), None)
    at = chosen or next((stop for stop in state.left if stop.state == NEXT), None)
    at = at or next(iter(state.left), None)
    done = [stop for stop in state.to_do if not stop.is_left]
    waiting = [stop for stop in state.left if stop.state == WAIT]
    url = reverse("drop-run", args=[run.serial])
    return {
        "heading": "Drop run",
        "back": {"url": reverse("drop-runs"), "label": _BACK},
        "run": run,
        "url": url,
        "pits": ", then ".join(run.details["pits"]),
        "stops": [_stop(stop, stop is at, url) for stop in state.stops],
        "bars": [{"state": stop.state, "x": 20 * n} for n, stop in enumerate(state.to_do)],
        "bars_wide": max(20 * len(state.to_do), 20),
        "left": len(state.left),
        "done": len(done),
        "all": len(state.to_do),
        "waiting": waiting,
        "trolley": state.trolley,
        "stop": at,
        "old": given.get("old", "").strip(),
        "new": given.get("new", "").strip() if refused else "",
        "by_hand": "hand" in request.GET,
        "wait_url": reverse("drop-wait", args=[at.table.name]) if at else "",
        "request_id": new_request_id(),
        "is_open": state.is_open,
        "can_watch": state.is_open and state.watch is None and request.role in WATCHING,
        "is_watched": state.watch is not None,
        "joins": _joins(state),
        "slip_url": reverse("slip", args=[run.serial]),
        "refusals": refused.refusals if refused else (),
        "poll_url": poll,
    }


def _stop(stop: Stop, is_now: bool, url: str) -> dict[str, Any]:
    zone = house.the_property().zone
    if stop.stop is not None and stop.state == DONE:
        words = f"{stop.stop.old_tag} out · {stop.stop.new_tag} on"
    elif stop.stop is not None:
        words = stop.stop.reason
    elif stop.state == WAIT and stop.wait is not None:
        words = f"Dealer asked you to wait at {stop.wait.asked_at.astimezone(zone):%H:%M}"
    elif stop.state == SKIP:
        at = stop.pulled_at
        words = f"Closed, box pulled {at.astimezone(zone):%b %-d}" if at else "Not opened"
    else:
        words = f"Box {stop.tag}" if stop.tag else "No tag on file yet"
    return {
        "table": stop.table.name,
        "state": "now" if is_now else stop.state,
        "word": "Now" if is_now else _WORDS[stop.state],
        "words": words,
        "at": stop.stop.at if stop.stop is not None else None,
        "url": f"{url}?{urlencode({'table': stop.table.name})}" if stop.is_left else "",
    }


def _joins(state: RunState) -> list[dict[str, Any]]:
    """Return the pits of a run with the person who has joined for each, and the way to join."""
    return [
        {
            "pit": pit.name,
            "by": str(joined.person) if joined is not None else "",
            "url": reverse("drop-run-join", args=[state.run.serial, pit.pk]),
        }
        for pit, joined in state.pits
    ]


def _box_words(box: DropBox) -> str:
    return f"{box.compartments} compartments" if box.compartments > 1 else str(box.kind)


@require_GET
@page("drop_runs")
def drop_boxes(request: PitRequest) -> HttpResponse:
    """Show every box on file and where it is."""
    boxes = list(DropBox.objects.select_related("table").order_by("tag"))
    context = {
        "heading": "Drop boxes",
        "back": {"url": reverse("drop-runs"), "label": _BACK},
        "groups": [
            {
                "heading": place.label.capitalize(),
                "boxes": [
                    {"tag": box.tag, "kind": _box_words(box), "table": box.table}
                    for box in boxes
                    if box.place == place.value
                ],
            }
            for place in BoxPlace
        ],
        "is_empty": not boxes,
        "register_url": reverse("drop-boxes-register") if request.role in REGISTERING else None,
    }
    return render(request, "tables/drop_boxes.html", context)


_KINDS: Final = {
    BoxKind.REGULAR.value: "Regular",
    BoxKind.EMERGENCY.value: "Emergency",
    **{
        f"{BoxKind.MULTI.value}-{number}": f"With {number} compartments"
        for number in range(2, COMPARTMENTS_MAX + 1)
    },
}


def _compartments(kind: str) -> int:
    number = kind.partition("-")[2]
    return int(number) if number.isascii() and number.isdecimal() and len(number) == 1 else 1


@require_http_methods(["GET", "POST"])
@page("drop_boxes")
def drop_boxes_register(request: PitRequest) -> HttpResponse:
    """Put boxes on file by their tags, signed."""
    refused: Refused | None = None
    if request.method == "POST":
        try:
            boxes = register_boxes(
                tags=text(request.POST, "tags"),
                kind=text(request.POST, "kind").partition("-")[0],
                compartments=_compartments(text(request.POST, "kind")),
                pen=pen_of(request),
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{len(boxes)} boxes registered.")
            return redirect("drop-boxes")
    kinds = [
        {
            "value": value,
            "label": label,
            "is_chosen": request.POST.get("kind", BoxKind.REGULAR.value) == value,
        }
        for value, label in _KINDS.items()
    ]
    context = {
        "heading": "Register drop boxes",
        "back": {"url": reverse("drop-boxes"), "label": "Drop boxes"},
        "pad": pad_of(
            request,
            url=reverse("drop-boxes-register"),
            attested=attested_by("drop_boxes"),
            button="Sign",
            refused=refused,
            badge=request.user.badge,
            inputs=({"name": "tags", "label": "Tags, like 4001-4040", "type": "text"},),
            select={"name": "kind", "label": "Type of boxes", "choices": kinds},
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/signed_act.html", context, status=http_status(refused) if refused else 200
    )
