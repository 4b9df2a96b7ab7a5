"""What a correction restates of a table: which stretch of play, which days, and its win."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from pitboss.models import Slip, Table
from pitboss.rules.cheques.tray_counts import ENDING
from pitboss.rules.day.late_papers import LATE_MOVES
from pitboss.rules.drop.corrections import hold_text
from pitboss.services import house
from pitboss.services.journal import plain_time
from pitboss.slips.correcting import Line, signed_money
from pitboss.slips.late import true_time_of
from tables.reports.win import FIGURE_SIGNS, table_report
from tables.selectors.tray_past import counts_of, place_in_tray, play_ended


def win_change(figures: Mapping[str, int]) -> int:
    """Return by how much the win of a stretch changes with its figures."""
    return sum(FIGURE_SIGNS[key] * cents for key, cents in figures.items())


def restated_days(table: Table, root: Slip, place: int | None) -> list[date]:
    """Return the gaming day whose win something belongs to, or its own while play goes on."""
    if root.kind in LATE_MOVES:
        return [day_at(table, true_time_of(root))]
    ended = play_ended(table, place) if place is not None else None
    return [ended.slip.gaming_day if ended is not None else root.gaming_day]


def day_at(table: Table, at: datetime) -> date:
    """Return the gaming day whose win something belongs to that moved no cheque of the tray."""
    ended = counts_of(table).filter(at__gte=at, slip__kind__in=ENDING).first()
    return ended.slip.gaming_day if ended is not None else house.period_at(at).gaming_day


def figures_of(table: Table, root: Slip, figures: Mapping[str, int]) -> dict[str, Any]:
    """Return what the win is restated by: its figures, where they belong, and when it was."""
    place = place_in_tray(root)
    moved = root.transfers.order_by("id").last()
    happened = moved.at if moved is not None else root.raised_at
    if root.kind in LATE_MOVES:
        happened = true_time_of(root)
    return {
        "table_id": table.pk,
        "tray_place": place,
        "true_time": plain_time(happened),
        "figures": {key: cents for key, cents in figures.items() if cents},
    }


def win_lines(table: Table, days: Mapping[date, int]) -> list[Line]:
    """Return win and hold of each day before and after, where they are final."""
    lines = []
    for day, change in sorted(days.items()):
        report = table_report(table, day)
        win, drop = report.final_cents, report.drop_cents
        if win is None or drop is None or not change:
            continue
        name = f"{table}, {day:%b %-d}"
        lines.append((f"Win of {name}", signed_money(win), signed_money(win + change)))
        lines.append((f"Hold of {name}", hold_text(win, drop), hold_text(win + change, drop)))
    return lines
