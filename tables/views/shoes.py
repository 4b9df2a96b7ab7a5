"""The shoe of a table on the supervisor's tablet: a stopwatch with the manual's times."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.floor.standards import (
    SHOE_SECONDS,
    SHUFFLE_SECONDS,
    Mark,
    Rating,
    clock_words,
    mark_refusals,
)
from pitboss.rules.refusal import Refused, refuse
from pitboss.services import house
from pitboss.views.forms import new_request_id, pen_of
from tables.models import ShoeMark
from tables.selectors.pace import times_at
from tables.services.dealers import dealer_at
from tables.services.floor_log import Tap
from tables.services.shoes import last_mark, mark_shoe

_RUNS = {Mark.SHUFFLE: "Shuffling", Mark.DEAL: "Dealing", Mark.STOP: "Broken down"}


@require_http_methods(["GET", "POST"])
@page("shoe")
def shoe(request: PitRequest, name: str) -> HttpResponse:
    """Show what runs and since when, and take the next mark."""
    table = get_object_or_404(Table.objects.select_related("pit"), name=name)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            mark_shoe(
                table_id=table.pk,
                mark=_mark(request.POST.get("mark", "")),
                hand=Tap(request.user, request.device, pen_of(request).request_id),
            )
            return redirect("shoe", name=name)
        except Refused as error:
            refused = error
    context = {
        "heading": f"Shoe at {table}",
        "back": {"url": reverse("table", args=[name]), "label": table.name},
        "url": reverse("shoe", args=[name]),
        "request_id": new_request_id(),
        "refusals": refused.refusals if refused else (),
        **_shown(table),
    }
    return render(
        request, "tables/shoe.html", context, status=http_status(refused) if refused else 200
    )


def _mark(keyed: str) -> Mark:
    if keyed not in tuple(Mark):
        raise refuse("unknown_mark", "Choose shuffle, first card or broken down.")
    return Mark(keyed)


def _shown(table: Table) -> dict[str, Any]:
    running = last_mark(table, house.now())
    before = Mark(running.mark) if running else None
    return {
        "table": table,
        "dealer": dealer_at(table),
        "running": running and {"word": _RUNS[Mark(running.mark)], "since": running.at},
        "limit_seconds": _limit(before, table.decks),
        "marks": [_button(mark, before, table) for mark in Mark],
        "scale": _scale(table.decks),
        "standard": SHOE_SECONDS.get(table.decks),
        "times": [_time_row(mark, took) for mark, took in times_at(table)],
    }


def _limit(before: Mark | None, decks: int) -> int | None:
    """Return at what time the ring is full: the last second that still meets expectations."""
    if before is Mark.SHUFFLE and decks in SHUFFLE_SECONDS:
        return SHUFFLE_SECONDS[decks][-1][0]
    return SHOE_SECONDS.get(decks) if before is Mark.DEAL else None


def _button(mark: Mark, before: Mark | None, table: Table) -> dict[str, Any]:
    refusals = mark_refusals(mark, before, is_open=table.is_open)
    is_next = mark is (Mark.DEAL if before is Mark.SHUFFLE else Mark.SHUFFLE)
    return {
        "value": mark.value,
        "label": mark.label,
        "is_next": is_next and not refusals,
        "refusal": refusals[0].message if refusals else "",
    }


def _scale(decks: int) -> list[dict[str, str]]:
    """Return the manual's scale for these decks; none where it has no scale."""
    rows = []
    least = 0
    for most, rating in SHUFFLE_SECONDS.get(decks, ()):
        words = f"{clock_words(least)} to {clock_words(most)}" if least else clock_words(most)
        rows.append({"code": rating.value, "label": rating.label, "words": words})
        least = most + 1
    if rows:
        last = Rating.NEEDS_IMPROVEMENT
        over = f"over {clock_words(least - 1)}"
        rows.append({"code": last.value, "label": last.label, "words": over})
    return rows


def _time_row(mark: ShoeMark, took: Any) -> dict[str, Any]:
    over = took.over_seconds
    if took.is_shuffle:
        word = took.rating.value if took.rating else "not rated"
        tone = "bad" if took.rating is Rating.NEEDS_IMPROVEMENT else "good"
    else:
        word = "no standard" if over is None else _over_words(over)
        tone = "bad" if over and over > 0 else "good"
    return {
        "what": "Shuffle" if took.is_shuffle else "Shoe",
        "dealer": mark.dealer,
        "at": mark.at,
        "time": clock_words(took.seconds),
        "word": word,
        "tone": tone,
    }


def _over_words(seconds: int) -> str:
    if seconds > 0:
        return f"{clock_words(seconds)} over"
    return f"{clock_words(-seconds)} to spare"
