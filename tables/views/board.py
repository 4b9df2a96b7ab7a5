"""The board, and the list of tables that stay shut."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.live import of_pit, poll_url, polled
from pitboss.middleware import PitRequest
from pitboss.models import Pit, Table
from pitboss.rules.dead_tables import Recount
from pitboss.selectors.waiting import waiting_for
from tables.selectors.board import mine_of, tiles_of
from tables.selectors.counts import last_count_of, recount_of_table, with_last_count


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
    return render(request, "pitboss/board.html", _board(request, pit_id))


@require_GET
@polled(of_pit)
@page("board")
def pit_board_poll(request: PitRequest, pit_id: int) -> HttpResponse:
    """Send the pit's tiles again when something happened in it."""
    return render(request, "pitboss/_board_poll.html", _board(request, pit_id))


def _board(request: PitRequest, pit_id: int) -> dict[str, Any]:
    pits = list(Pit.objects.all())
    pit = next((each for each in pits if each.pk == pit_id), None)
    if pit is None:
        raise Http404("There is no such pit.")
    # The version is read before the tiles: an act in between is news at the next poll.
    poll = poll_url(reverse("pit-board-poll", args=[pit.pk]), of_pit({"pit_id": pit.pk}))
    waits = waiting_for(request.user, request.role)
    request.waiting_count = len(waits)
    tiles = tiles_of(pit, request.period, request.house["dealers.relief_after"])
    return {
        "pit_label": pit.name,
        "pits": [
            {
                "label": each.name,
                "url": reverse("pit-board", args=[each.pk]),
                "is_current": each.pk == pit.pk,
            }
            for each in pits
        ],
        "tiles": tiles,
        "mine": mine_of(waits),
        "mine_count": len(waits),
        "waiting": len(waits),
        "inbox_url": reverse("inbox"),
        "closed_url": reverse("closed-tables"),
        "open_count": sum(tile["is_open"] for tile in tiles),
        "table_count": len(tiles),
        "poll_url": poll,
    }


@require_GET
@page("table")
def closed_tables(request: PitRequest) -> HttpResponse:
    """List the tables that are not open, with the amount and date of the last count of each."""
    tables = with_last_count(Table.objects.filter(is_open=False).select_related("pit"))
    rows: list[dict[str, Any]] = []
    total_cents = 0
    for table in tables.order_by("pit__name", "name"):
        last = last_count_of(table)
        total_cents += last.amount_cents if last else 0
        recount = recount_of_table(table, last, request.period.gaming_day)
        rows.append(
            {
                "name": table.name,
                "url": reverse("table", args=[table.name]),
                "pit": table.pit.name,
                "last": last,
                "closed_days": (request.period.gaming_day - last.gaming_day).days if last else None,
                "recount": recount.value if recount != Recount.NOT_YET else "",
                "recount_url": reverse("recount", args=[table.name]),
            }
        )
    context = {
        "heading": "Tables not open",
        "back": {"url": reverse("board"), "label": "Board"},
        "rows": rows,
        "total_cents": total_cents,
    }
    return render(request, "tables/closed_tables.html", context)
