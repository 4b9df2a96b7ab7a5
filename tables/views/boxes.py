"""The count room on the screen: the boxes that came in, and how far their counts are."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.live import poll_url, polled, whole_floor
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.drop.figures import DROP_COUNT
from pitboss.rules.drop.sessions import COUNT_SESSION
from pitboss.rules.flows.flows import SlipStatus
from pitboss.slips.addresses import new_url
from tables.selectors.count_sessions import open_sessions, session_state
from tables.services.drops import boxes_to_count


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
    counts = Slip.objects.filter(kind=DROP_COUNT, status=SlipStatus.OPEN).prefetch_related("waits")
    may_count = may_open(request.role, DROP_COUNT)
    sessions = open_sessions()
    taken = {serial for session in sessions for serial in session.details["pulls"]}
    boxes = [box for box in boxes_to_count() if box.serial not in taken]
    groups = [
        {"heading": "Sessions", "cards": [_session_card(session) for session in sessions]},
        {"heading": "Count", "cards": [_box_card(box, may_count) for box in boxes]},
        {"heading": "Count again, then post", "cards": [_count_card(count) for count in counts]},
    ]
    return {
        "groups": [group for group in groups if group["cards"]],
        "nothing": {
            "title": "No box to count",
            "text": "Boxes appear here when they have left their tables.",
            "icon": "box",
        },
        "session_url": new_url(COUNT_SESSION)
        if boxes and may_open(request.role, COUNT_SESSION)
        else None,
        "poll_url": poll,
    }


def _session_card(session: Slip) -> dict[str, Any]:
    state = session_state(session)
    done = len(state.boxes) - len(state.uncounted)
    return {
        "id": session.serial,
        "title": "Count session",
        "state": {"kind": "half", "word": f"{done} of {len(state.boxes)}"},
        "tone": "",
        "since": session.raised_at,
        "limit_seconds": None,
        "facts": [
            {"name": "Slip", "value": session.serial},
            {"name": "Members", "value": ", ".join(map(str, state.members))},
        ],
        "act": {"url": reverse("count-session", args=[session.serial]), "label": "Open session"},
    }


def _box_card(box: Slip, may_count: bool) -> dict[str, Any]:
    act: dict[str, Any] = {
        "url": new_url(DROP_COUNT, of=box.serial),
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
            {"name": "Gaming day", "value": f"{box.gaming_day:%a, %b %-d}, {box.shift}"},
            {"name": "On count", "value": box.details["count"]},
        ],
        "act": act,
    }


def _count_card(count: Slip) -> dict[str, Any]:
    wait = next((waiting for waiting in count.waits.all() if waiting.until is None), None)
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
        "act": {"url": reverse("slip", args=[count.serial]), "label": "Review and sign"},
    }
