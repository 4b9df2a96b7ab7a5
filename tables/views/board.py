"""The board, and the list of tables that stay shut."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.live import of_pit, poll_url, polled
from pitboss.middleware import PitRequest, readable_when_idle
from pitboss.models import Pit, Table
from pitboss.rules.day.dead_tables import Recount
from pitboss.rules.day.gaming_day import day_start
from pitboss.selectors.waiting import is_for_you, waiting_around
from pitboss.services import house
from pitboss.slips.addresses import new_url
from pitboss.views.forms import new_request_id
from tables.selectors.board import tiles_of
from tables.selectors.board_items import strip_of, without_names
from tables.selectors.counts import last_count_of, recount_of_table, with_last_count
from tables.selectors.floor_log import asked_in_pit
from tables.selectors.win_estimates import SoFar, estimates_of, so_far


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
@readable_when_idle
@page("board")
def pit_board(request: PitRequest, pit_id: int) -> HttpResponse:
    """Show a pit at a glance."""
    return render(request, "pitboss/board.html", _board(request, pit_id))


@require_GET
@polled(of_pit)
@readable_when_idle
@page("board")
def pit_board_poll(request: PitRequest, pit_id: int) -> HttpResponse:
    """Send the pit's tiles again when something happened in it."""
    return render(request, "pitboss/_board_poll.html", _board(request, pit_id))


def _board(request: PitRequest, pit_id: int) -> dict[str, Any]:
    pits = list(Pit.objects.all())
    pit = next((item for item in pits if item.pk == pit_id), None)
    if pit is None:
        raise Http404("Pit not found.")
    # The version is read before the tiles: an act in between is news at the next poll.
    poll = poll_url(reverse("pit-board-poll", args=[pit.pk]), of_pit({"pit_id": pit.pk}))
    role, device = request.role, request.device
    at_tables, for_person = waiting_around(pit, request.user, role)
    request.waiting_count = sum(is_for_you(wait, role, device) for wait in for_person)
    is_locked = getattr(request, "is_locked", False)
    # A board that no one stands at says to passers-by nothing of what the house won.
    shows_win = may_open(role, "win") and not is_locked
    tiles = tiles_of(
        pit,
        request.period,
        request.house["dealers.relief_after"],
        role,
        waits=at_tables,
        won=(lambda tables: _won(request, tables)) if shows_win else None,
    )
    if is_locked:
        tiles = [tile | {"waits": without_names(tile["waits"])} for tile in tiles]
    mine, elsewhere = strip_of(
        of_pit=at_tables, for_person=for_person, tiles=tiles, role=role, device=device
    )
    for item in mine:
        if "answer_url" in item:
            item["request_id"] = new_request_id()
    return {
        "pit_label": pit.name,
        "pits": [
            {
                "label": item.name,
                "url": reverse("pit-board", args=[item.pk]),
                "is_current": item.pk == pit.pk,
            }
            for item in pits
        ],
        "tiles": tiles,
        "mine": [without_names(item) for item in mine] if is_locked else mine,
        "elsewhere": [without_names(item) for item in elsewhere] if is_locked else elsewhere,
        "asking": asked_in_pit(at_tables) if _may_answer(request, pit) and not is_locked else [],
        "waiting": request.waiting_count,
        "board_url": reverse("pit-board", args=[pit.pk]),
        "inbox_url": reverse("inbox"),
        "closed_url": reverse("closed-tables"),
        "open_count": sum(tile["is_open"] for tile in tiles),
        "table_count": len(tiles),
        "replay_url": reverse("pit-replay", args=[pit.pk])
        if may_open(role, "replay") and not is_locked
        else None,
        "won": _won_together(tiles) if shows_win else None,
        "poll_url": poll,
    }


def _may_answer(request: PitRequest, pit: Pit) -> bool:
    """Tell whether a request of this pit is answered here: by this role, on a tablet of the pit."""
    device = request.device
    is_here = device is not None and device.pit_id in (None, pit.pk)
    return is_here and may_open(request.role, "floor_note")


def _won(request: PitRequest, tables: Sequence[Table]) -> dict[int, SoFar | None]:
    """Return what tables have won in this gaming day, as far as counts and reports go."""
    zone, now = timezone.get_current_timezone(), house.now()
    assert isinstance(zone, ZoneInfo), "the property's own zone is active on every page"
    clock = request.house.clock(zone)
    since = day_start(clock, request.period.gaming_day)
    found = estimates_of(tables, clock, since, now, with_course=False)
    return {table.pk: so_far(found[table.pk], since, now) for table in tables}


def _won_together(tiles: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return what the tables of a pit have won whose win is known, and how many those are."""
    known = [tile["won"] for tile in tiles if tile["won"] is not None]
    if not known:
        return None
    won = SoFar(sum(item.win_cents for item in known), sum(item.drop_cents for item in known))
    return {"win_cents": won.win_cents, "hold": won.hold, "tables": len(known)}


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
                "recount_url": new_url("recount", table=table.name),
            }
        )
    context = {
        "heading": "Tables not open",
        "back": {"url": reverse("board"), "label": "Board"},
        "rows": rows,
        "total_cents": total_cents,
    }
    return render(request, "tables/closed_tables.html", context)
