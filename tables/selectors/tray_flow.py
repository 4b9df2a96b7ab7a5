"""How fast each color leaves a tray, and when it will be low: from what was counted, never guessed.

What a tray pays and takes at play is known for sure between two counts: what the second found less
than the first and the transfers between them. It is taken to go on like that until the next count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from inventory.models import ChequeTransfer, Holder, TrayCount
from pitboss.models import Slip, Table
from pitboss.rules.cheques.cheques import BY_CENTS, least_of_par, ordered
from pitboss.rules.cheques.tray_counts import CLOSERS, ENDING, LATE_COUNTS
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.ratings.yields import fill_due

# Counts closer than this say more of chance than of play.
_LEAST = timedelta(minutes=20)
# What is further away is seen by another count.
_SOON_MINUTES = 120
_FILL = "fill"
_TRAY = Holder.TRAY.value
_SIGNS = {True: 1, False: -1}


@dataclass(frozen=True, slots=True)
class Draining:
    """The color of a tray that is low first: when, and how that was found."""

    table: Table
    key: int
    held: int
    floor: int
    out_an_hour: Fraction
    counted_at: datetime
    before_at: datetime
    minutes_left: int

    @property
    def color(self) -> str:
        return BY_CENTS[self.key].colour


def draining(tables: Sequence[Table], now: datetime) -> list[Draining]:
    """Return the trays that will soon be low on a color, unless a fill is on its way."""
    filled = Slip.objects.filter(table__in=tables, kind=_FILL, status=SlipStatus.OPEN.value)
    on_the_way = set(filled.values_list("table", flat=True))
    found = [
        _draining(table, now) for table in tables if table.is_open and table.pk not in on_the_way
    ]
    return [item for item in found if item is not None]


def _draining(table: Table, now: datetime) -> Draining | None:
    counts = TrayCount.objects.filter(table=table).exclude(slip__kind__in=LATE_COUNTS)
    newest = list(counts.select_related("slip").order_by("-tray_sequence", "-id")[:2])
    if len(newest) < 2:
        return None
    last, before = newest
    window = last.at - before.at
    if last.slip.kind not in ENDING or before.slip.kind in CLOSERS or window < _LEAST:
        return None
    since = _moved(last, before.tray_sequence)
    between = _sum(since, until=last.tray_sequence)
    after = _sum(since, after=last.tray_sequence)
    was, counted = _read(before), _read(last)
    elapsed = int((now - last.at).total_seconds()) // 60
    due = []
    for key in ordered(table.par_cheques):
        out = counted.get(key, 0) - was.get(key, 0) - between.get(key, 0)
        held, floor = counted.get(key, 0) + after.get(key, 0), least_of_par(table.par_cheques[key])
        flow = fill_due(held, floor, int(window.total_seconds()), [out])
        if flow.minutes_left is not None and 0 < flow.minutes_left - elapsed <= _SOON_MINUTES:
            left = flow.minutes_left - elapsed
            due.append(
                Draining(table, key, held, floor, flow.out_an_hour, last.at, before.at, left)
            )
    return min(due, key=lambda item: item.minutes_left, default=None)


def _read(count: TrayCount) -> dict[int, int]:
    return {int(key): number for key, number in count.cheques.items()}


def _moved(count: TrayCount, after: int) -> list[tuple[int, int, int]]:
    """Return what came to a tray since a sequence of it: sequence, color, and how many.

    What a count found against the ledger is posted on its own slip. That is the play.
    """
    rows = ChequeTransfer.objects.filter(table=count.table_id, tray_sequence__gt=after)
    return [
        (row.tray_sequence or 0, row.denomination_cents, row.count * _SIGNS[row.target == _TRAY])
        for row in rows.exclude(slip=count.slip_id)
    ]


def _sum(
    moved: Sequence[tuple[int, int, int]], *, after: int = 0, until: int | None = None
) -> Mapping[int, int]:
    found: dict[int, int] = {}
    for sequence, key, count in moved:
        if sequence > after and (until is None or sequence <= until):
            found[key] = found.get(key, 0) + count
    return found
