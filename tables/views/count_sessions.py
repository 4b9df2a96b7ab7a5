"""A count session on the screen: boxes at a glance, and one count at a time, blind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.live import poll_url, polled, whole_floor
from pitboss.middleware import PitRequest
from pitboss.models import Person, Slip
from pitboss.rules.drop.deliveries import fit_refusals
from pitboss.rules.drop.figures import Documents, figure_lines, lines_in
from pitboss.rules.drop.runs import read_tag
from pitboss.rules.drop.sessions import COUNT_SESSION, FILE_MAX, FIRST, SECOND, ColumnMap
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services.pads import attested_by
from pitboss.slips.addresses import row_id
from pitboss.views.forms import figures_of, new_request_id, pen_of, text
from pitboss.views.pads import pad_of
from tables.models import CountDelivery
from tables.selectors.box_papers import copies_expected
from tables.selectors.count_deliveries import delivered_to, imported_among
from tables.selectors.count_sessions import CountedBox, SessionState, session_state
from tables.services.count_sessions import (
    enter_count,
    enter_total,
    import_counts,
    machines,
    move_in_room,
    save_machine,
)


def _session(serial: str) -> Slip:
    return get_object_or_404(Slip, serial=serial, kind=COUNT_SESSION)


@require_GET
@page("count_room")
def count_session(request: PitRequest, serial: str) -> HttpResponse:
    """Show a session: which boxes are to count, who is in the room."""
    return _page(request, _session(serial))


@require_GET
@polled(whole_floor)
@page("count_room")
def count_session_poll(request: PitRequest, serial: str) -> HttpResponse:
    """Send the boxes again when something moved."""
    return render(request, "tables/_session_poll.html", _shown(request, _session(serial)))


def _page(request: PitRequest, session: Slip, refused: Refused | None = None) -> HttpResponse:
    context = {**_shown(request, session), "refusals": refused.refusals if refused else ()}
    status = http_status(refused) if refused else 200
    return render(request, "tables/count_session.html", context, status=status)


def _shown(request: PitRequest, session: Slip) -> dict[str, Any]:
    # The version is read before the boxes: a count in between is news at the next poll.
    poll = poll_url(reverse("count-session-poll", args=[session.serial]), whole_floor({}))
    state = session_state(session)
    is_member = request.user in state.members
    once = sum(box.first is not None for box in state.uncounted)
    following = _next_box(state, request.user) if is_member and state.is_counted else None
    is_total_due = state.in_total and bool(state.boxes) and once == len(state.boxes)
    return {
        "heading": "Count session",
        "back": {"url": reverse("count-room"), "label": "Boxes"},
        "session": session,
        "boxes": [_box(state, box, request, is_member) for box in state.boxes],
        "done": len(state.boxes) - len(state.uncounted),
        "all": len(state.boxes),
        "left": len(state.uncounted),
        "once": once,
        "bars": [
            {"state": _BARS[_state_of(box)], "x": 20 * number}
            for number, box in enumerate(sorted(state.boxes, key=_progress))
        ],
        "bars_wide": max(200, 20 * len(state.boxes)),
        "count_url": reverse("count-session-count", args=[session.serial]),
        "next": {"name": following.name, "url": _count_url(session, following.pull)}
        if following and state.is_tested
        else None,
        "total_url": reverse("count-session-total", args=[session.serial])
        if is_member and state.is_counted and state.is_tested and is_total_due
        else "",
        "delivered": _delivered(state),
        "machines": list(machines()),
        "machines_url": reverse("count-machines"),
        "members": [
            {"name": str(member), "is_in": member.pk not in state.away} for member in state.members
        ],
        "in_room": len(state.in_room),
        "least": state.least,
        "is_paused": state.is_counted and len(state.in_room) < state.least,
        "is_tested": state.is_tested,
        "is_open": state.is_counted,
        "can_import": is_member and state.is_counted and state.is_tested,
        "request_id": new_request_id(),
        "slip_url": reverse("slip", args=[session.serial]),
        "leave_url": reverse("count-session-room", args=[session.serial, "leave"]),
        "back_url": reverse("count-session-room", args=[session.serial, "back"]),
        "poll_url": poll,
    }


def _delivered(state: SessionState) -> list[dict[str, Any]]:
    """Return what counting machines sent, and why this session does not take one in."""
    deliveries = delivered_to(state.session, is_open=state.is_counted)
    imported = imported_among(deliveries)
    tags = {box.machine_key[0] for box in state.boxes}
    return [
        {
            "row": delivery,
            "is_imported": delivery.sha256 in imported,
            "boxes": len(delivery.boxes),
            "refusals": [] if delivery.sha256 in imported else fit_refusals(delivery.boxes, tags),
        }
        for delivery in deliveries
    ]


_BARS: Final = {"done": "done", "first": "wait", "none": "next"}


def _state_of(box: CountedBox) -> str:
    return "done" if box.second is not None else "first" if box.first is not None else "none"


def _progress(box: CountedBox) -> int:
    """Put the boxes that are done first, then those that were counted once."""
    return list(_BARS).index(_state_of(box))


def _next_box(state: SessionState, member: Person) -> CountedBox | None:
    """Return the box that a member counts next: one that another counted once, then a new one."""
    waiting = [
        box
        for box in state.uncounted
        if box.first is None or (box.first.person_id != member.pk and not state.in_total)
    ]
    return min(waiting, key=lambda box: box.first is None, default=None)


def _box(
    state: SessionState, box: CountedBox, request: PitRequest, is_member: bool
) -> dict[str, Any]:
    """Return a box as a tile; it opens for the person who may enter its next count."""
    own_first = box.first is not None and box.first.person_id == request.user.pk
    word = "First count" if box.first is None else "Second count"
    if box.second is not None:
        word = "Counted twice"
    elif own_first:
        word = "First count done"
    is_due = box.second is None and not (state.in_total and box.first and not own_first)
    opens = is_member and state.is_counted and is_due
    return {
        "name": box.name,
        "state": _state_of(box),
        "word": word,
        "url": _count_url(state.session, box.pull) if opens else "",
    }


def _count_url(session: Slip, pull: Slip) -> str:
    base = reverse("count-session-count", args=[session.serial])
    return f"{base}?{urlencode({'box': pull.serial})}"


@require_http_methods(["GET", "POST"])
@page("count_room")
def count_session_count(request: PitRequest, serial: str) -> HttpResponse:
    """Enter the first or the second count of a box; whoever counted first enters it again."""
    session = _session(serial)
    state = session_state(session)
    if (scanned := request.GET.get("tag")) is not None:
        return _scanned(request, state, read_tag(scanned))
    # Without a box in the address, the next one.
    wished = request.GET.get("box")
    boxes = [item for item in state.boxes if item.pull.serial == wished] if wished else []
    box = next(iter(boxes if wished else state.uncounted), None)
    if box is None:
        raise Http404("Box not found.")
    own_first = box.first is not None and box.first.person_id == request.user.pk
    turn = FIRST if box.first is None or own_first else SECOND
    refused: Refused | None = None
    if request.method == "POST":
        try:
            found = Documents(name="documents", label="Codes of the documents")
            unreadable = text(request.POST, "unreadable").strip() or "0"
            if not unreadable.isascii() or not unreadable.isdecimal() or len(unreadable) > 2:
                raise refuse("unreadable_malformed", "Enter how many you can’t read, 0 to 99.")
            enter_count(
                session=session,
                pull=box.pull,
                turn=turn,
                figures=figures_of(request.POST) or {},
                documents=found.read(text(request.POST, "documents")) if turn == FIRST else (),
                unreadable=int(unreadable) if turn == FIRST else 0,
                by=request.user,
                device=request.device,
                request_id=pen_of(request).request_id,
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"Box {box.name} saved.")
            # No tap between two boxes, as long as there is one for this member.
            following = _next_box(session_state(session), request.user)
            if following is not None:
                return redirect(_count_url(session, following.pull))
            return redirect("count-session", serial=serial)
    context = _count_look(request, state, box, turn, refused)
    status = http_status(refused) if refused else 200
    return render(request, "tables/session_count.html", context, status=status)


def _scanned(request: PitRequest, state: SessionState, tag: str) -> HttpResponse:
    """Open the box whose tag was scanned: of its compartments the first that is not done."""
    of_tag = [box for box in state.boxes if tag and box.pull.details.get("tag") == tag]
    box = next((item for item in of_tag if item.second is None), None)
    if box is not None:
        return redirect(_count_url(state.session, box.pull))
    refusal = (
        refuse("already_counted", f"Box {tag} was counted twice. Scan another one.", CONFLICT)
        if of_tag
        else refuse("not_in_session", "This box isn’t part of this session. Scan another one.")
    )
    return _page(request, state.session, refusal)


def _count_look(
    request: PitRequest, state: SessionState, box: CountedBox, turn: int, refused: Refused | None
) -> dict[str, Any]:
    session, done = state.session, len(state.boxes) - len(state.uncounted)
    entered = {name: str(value) for name, value in request.POST.items()} if refused else {}
    if not refused and turn == FIRST and box.first is not None:
        # Their own count, or what their machine's file says, to be put right or completed.
        entered = {
            f"figure_{line.key}": _as_entered(box.first.figures[line.key], line.is_money)
            for line in lines_in(box.first.figures)
        }
        entered["documents"] = " ".join(box.first.documents)
    return {
        "heading": f"{'First' if turn == FIRST else 'Second'} count of box {box.name}",
        "back": {"url": reverse("count-session", args=[session.serial]), "label": session.serial},
        "url": _count_url(session, box.pull),
        "progress": f"{done} of {len(state.boxes)} counted twice",
        "keep": f"session-{box.pull.serial}-{turn}",
        "request_id": new_request_id(),
        "pull": box.pull,
        "is_first": turn == FIRST,
        "panel": {"box": box.name, "key_lines": _lines(request, entered)},
        "documents": entered.get("documents", ""),
        "unreadable": entered.get("unreadable", ""),
        "copies": copies_expected([box.pull])[box.pull.serial] if turn == FIRST else [],
        "refusals": refused.refusals if refused else (),
    }


def _as_entered(value: int, is_money: bool) -> str:
    if not value:
        return ""
    if not is_money:
        return str(value)
    dollars, cents = divmod(value, 100)
    return f"{dollars:,}.{cents:02}" if cents else f"{dollars:,}"


@require_http_methods(["GET", "POST"])
@page("count_room")
def count_session_total(request: PitRequest, serial: str) -> HttpResponse:
    """Enter the second count of all boxes together, by denomination."""
    session = _session(serial)
    state = session_state(session)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            tallies = enter_total(
                session=session,
                figures=figures_of(request.POST) or {},
                by=request.user,
                device=request.device,
                request_id=pen_of(request).request_id,
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{len(tallies)} boxes counted twice.")
            return redirect("count-session", serial=serial)
    entered = {name: str(value) for name, value in request.POST.items()} if refused else {}
    context = {
        "heading": "Second count of all boxes",
        "back": {"url": reverse("count-session", args=[serial]), "label": serial},
        "url": reverse("count-session-total", args=[serial]),
        "progress": f"{len(state.boxes)} boxes",
        "keep": f"session-{serial}-total",
        "request_id": new_request_id(),
        "pull": None,
        "is_first": False,
        "panel": {"box": "all boxes", "key_lines": _lines(request, entered)},
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "tables/session_count.html", context, status=status)


def _lines(request: PitRequest, entered: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "name": f"figure_{line.key}",
            "title": line.title,
            "is_money": line.is_money,
            "value": entered.get(f"figure_{line.key}", ""),
        }
        for line in figure_lines(promotional=request.house.cheques.has_promotional)
    ]


@require_http_methods(["GET", "POST"])
@page("count_machines")
def count_machines(request: PitRequest) -> HttpResponse:
    """List the counting machines with the columns of their files, and save one."""
    refused: Refused | None = None
    given = request.POST
    if request.method == "POST":
        try:
            saved = save_machine(
                name=text(given, "name"),
                columns=ColumnMap(
                    text(given, "box_tag"),
                    text(given, "compartment"),
                    text(given, "denomination"),
                    text(given, "pieces"),
                    text(given, "unit") == "dollars",
                ),
                by=request.user,
                device=request.device,
                request_id=pen_of(request).request_id,
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{saved.name} saved.")
            return redirect("count-machines")
    context = {
        "heading": "Counting machines",
        "back": {"url": reverse("count-room"), "label": "Boxes"},
        "machines": machines().values(),
        "fields": [
            {"name": name, "label": label, "value": given.get(name, ""), "is_needed": is_needed}
            for name, label, is_needed in _COLUMN_FIELDS
        ],
        "in_dollars": given.get("unit") == "dollars",
        "request_id": new_request_id(),
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "tables/count_machines.html", context, status=status)


_COLUMN_FIELDS: Final = (
    ("name", "Machine", True),
    ("box_tag", "Column of the box tag", True),
    ("compartment", "Column of the compartment, if any", False),
    ("denomination", "Column of the bill", True),
    ("pieces", "Column of the pieces", True),
)


@require_POST
@page("count_room")
def count_session_import(request: PitRequest, serial: str) -> HttpResponse:
    """Take a counting machine's file in as first counts: all of it, or nothing."""
    session = _session(serial)
    try:
        name, content, machine = _brought(request, session)
        kept = import_counts(
            session=session,
            name=name,
            content=content,
            by=request.user,
            device=request.device,
            request_id=pen_of(request).request_id,
            machine=machine,
        )
    except Refused as refused:
        return _page(request, session, refused)
    messages.success(request, f"{kept.name} imported. Scan the documents of each box.")
    return redirect("count-session", serial=serial)


def _brought(request: PitRequest, session: Slip) -> tuple[str, bytes, str]:
    """Return the name, content and machine of a file: one that was delivered, or a member's own.

    Raises Refused.
    """
    number = row_id(text(request.POST, "delivery"))
    if number is not None:
        # What came before this session was opened is of another one.
        waiting = CountDelivery.objects.filter(at__gte=session.raised_at)
        delivery = get_object_or_404(waiting, pk=number)
        return delivery.name, delivery.content.encode(), delivery.machine
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        raise refuse("file_missing", "Choose the file of the counting machine.")
    return file.name or "", file.read(FILE_MAX + 1), text(request.POST, "machine")


@require_http_methods(["GET", "POST"])
@page("count_room")
def count_session_room(request: PitRequest, serial: str, place: str) -> HttpResponse:
    """Let a member leave the room, or come back, with badge and PIN."""
    if place not in ("leave", "back"):
        raise Http404("Page not found.")
    session, is_back = _session(serial), place == "back"
    refused: Refused | None = None
    if request.method == "POST":
        try:
            move = move_in_room(session=session, is_back=is_back, pen=pen_of(request))
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{move.person} {'is back' if is_back else 'left the room'}.")
            return redirect("count-session", serial=serial)
    context = {
        "heading": "Come back" if is_back else "Leave the room",
        "back": {"url": reverse("count-session", args=[serial]), "label": session.serial},
        "pad": pad_of(
            request,
            url=reverse("count-session-room", args=[serial, place]),
            attested=attested_by("count_room_back" if is_back else "count_room_left"),
            button="Sign",
            refused=refused,
            badge=request.user.badge,
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/signed_act.html", context, status=http_status(refused) if refused else 200
    )
