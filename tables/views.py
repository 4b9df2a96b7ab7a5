"""The board and a table's page."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from inventory.selectors import cheques_on_the_way, tray_holding
from pitboss.access import may_open, page
from pitboss.live import of_pit, of_table, poll_url, polled
from pitboss.middleware import PitRequest
from pitboss.models import Pit, Slip, Table
from pitboss.rules.cheques import format_money, total_cents
from pitboss.rules.flows import SlipStatus
from pitboss.selectors.slips import due_step, heading_of, role_words, steps_of
from pitboss.selectors.waiting import LIMIT_SECONDS, waiting_for
from tables.selectors import game_words, limits_words, mine_of, tiles_of, timeline_of


@require_GET
@page("board")
def board(request: PitRequest) -> HttpResponse:
    """Go to the board of this device's pit, or of the first."""
    pit_id = request.device.pit_id if request.device else None
    if pit_id is None:
        pit_id = Pit.objects.values_list("pk", flat=True).first()
    if pit_id is None:
        return render(request, "pitboss/board.html", {"pit_label": "No pit", "tiles": []})
    return redirect("pit-board", pit_id=pit_id)


@require_GET
@page("board")
def pit_board(request: PitRequest, pit_id: int) -> HttpResponse:
    """Show a pit at a glance."""
    pit = get_object_or_404(Pit, pk=pit_id)
    return render(request, "pitboss/board.html", _board(request, pit))


@require_GET
@polled(of_pit)
@page("board")
def pit_board_poll(request: PitRequest, pit_id: int) -> HttpResponse:
    """Send the pit's tiles again when something happened in it."""
    pit = get_object_or_404(Pit, pk=pit_id)
    return render(request, "pitboss/_board_poll.html", _board(request, pit))


def _board(request: PitRequest, pit: Pit) -> dict[str, Any]:
    # The version is read before the tiles: an act in between is news at the next poll.
    poll = poll_url(reverse("pit-board-poll", args=[pit.pk]), of_pit({"pit_id": pit.pk}))
    waits = waiting_for(request.user, request.role)
    tiles = tiles_of(pit)
    return {
        "pit_label": pit.name,
        "pits": [
            {
                "label": each.name,
                "url": reverse("pit-board", args=[each.pk]),
                "is_current": each.pk == pit.pk,
            }
            for each in Pit.objects.all()
        ],
        "tiles": tiles,
        "mine": mine_of(waits),
        "mine_count": len(waits),
        "waiting": len(waits),
        "inbox_url": reverse("inbox"),
        "open_count": sum(tile["state"]["kind"] != "off" for tile in tiles),
        "table_count": len(tiles),
        "poll_url": poll,
    }


@require_GET
@page("table")
def table(request: PitRequest, name: str) -> HttpResponse:
    """Show one table: its open slips, its tray, what can be started and what happened."""
    return render(request, "tables/table.html", _table(request, name))


@require_GET
@polled(of_table)
@page("table")
def table_poll(request: PitRequest, name: str) -> HttpResponse:
    """Send a table's page again when something happened at it."""
    return render(request, "tables/_table_poll.html", _table(request, name))


def _table(request: PitRequest, name: str) -> dict[str, Any]:
    table = get_object_or_404(Table.objects.select_related("pit"), name=name)
    poll = poll_url(reverse("table-poll", args=[name]), of_table({"name": name}))
    held = tray_holding(table)
    slips = (
        Slip.objects.filter(
            table=table, status__in=[SlipStatus.OPEN.value, SlipStatus.RETURNING.value]
        )
        .prefetch_related("signatures", "waits")
        .order_by("id")
    )
    return {
        "table": {
            "name": table.name,
            "state": {"kind": "open", "word": "Open"}
            if table.is_open
            else {"kind": "off", "word": "Closed"},
            "facts": [
                {"name": "Game", "value": game_words(table)},
                {"name": "Limits", "value": limits_words(table)},
                {"name": "Pit", "value": table.pit.name},
            ],
        },
        "slips": [_slip_row(slip) for slip in slips],
        "tray": {
            "held": held,
            "coming": cheques_on_the_way(table),
            "total_cents": total_cents(held),
            "par_cents": total_cents(table.par_cheques),
            "counted_at": None,
        },
        "acts": _acts(request, table),
        "events": timeline_of(table),
        "back": {"url": reverse("pit-board", args=[table.pit_id]), "label": table.pit.name},
        "poll_url": poll,
    }


def _slip_row(slip: Slip) -> dict[str, Any]:
    due = due_step(slip)
    wait = next((each for each in slip.waits.all() if each.until is None), None)
    steps = steps_of(slip)
    is_stopped = any(step["state"] == "stopped" for step in steps)
    return {
        "id": slip.serial,
        "title": heading_of(slip),
        "number": slip.serial,
        "steps": steps,
        "since": wait.since if wait else slip.raised_at,
        "limit_seconds": LIMIT_SECONDS,
        "waits_for": f"on {role_words(due)}" if due else slip.status,
        "tone": "bad" if is_stopped or slip.status == SlipStatus.RETURNING.value else "",
        "act": {
            "url": reverse("slip", args=[slip.serial]),
            "label": "Open and sign" if due and due["at"] in (None, "pit") else "Open",
            "is_next": bool(due and due["at"] == "pit"),
        },
    }


def _acts(request: PitRequest, table: Table) -> list[dict[str, Any]]:
    fill = {
        "label": "Fill",
        "icon": "fill",
        "url": reverse("fill-new", args=[table.name]),
        "words": f"par {format_money(total_cents(table.par_cheques))}",
    }
    if not may_open(request.role, "fill"):
        fill["refusal"] = "A supervisor asks for fills."
    return [fill]
