"""What tables won over many gaming days: settled days as they stand in ink, others worked out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, QuerySet

from inventory.models import TrayCount
from pitboss.models import Pit, Slip, Table
from pitboss.rules.cheques.tray_counts import ENDING
from pitboss.rules.day.hold import statistical_drop
from pitboss.rules.day.late_papers import CORRECTION
from pitboss.rules.day.win import Paid, WinFigures, paid_cents
from pitboss.rules.drop.corrections import DROP_CORRECTION
from pitboss.rules.flows.corrections import RESTATING
from pitboss.rules.flows.flows import SlipStatus
from tables.models import SettledWin
from tables.reports.win import TableWin, tables_report
from tables.selectors.tray_past import restated_day


@dataclass(frozen=True, slots=True)
class TableDay:
    """What one table won in one gaming day, or in a shift of it: estimate and final apart."""

    table: str
    pit: str
    game: str
    gaming_day: date
    shift: str | None
    figures: WinFigures
    jackpots_cents: int
    estimated_cents: int | None
    # Known once every box is counted and posted.
    drop_cents: int | None
    win_cents: int | None

    @property
    def statistical_drop_cents(self) -> int | None:
        """What players exchanged for cheques here; known once every box is."""
        if self.drop_cents is None:
            return None
        issued, in_cash = self.figures.markers_issued_cents, self.figures.marker_cash_cents
        return statistical_drop(self.drop_cents, issued, in_cash)


_SETTLED = [field.attname for field in SettledWin._meta.concrete_fields]


def table_days(
    first: date, last: date, *, pit: Pit | None = None, shift: str | None = None
) -> list[TableDay]:
    """Return every table that played, day by day.

    Days that are settled are read in one query; each day that is not costs a fixed number more.
    """
    corrections = Counter() if shift else corrections_since(first)
    found, due = [], defaultdict[date, set[int]](set)
    for revision, table_id, day in () if shift else _settled(first, last):
        if revision > corrections[table_id, day.gaming_day]:
            found.append(day)
        else:
            due[day.gaming_day].add(table_id)
    for gaming_day, table_id in _unsettled(first, last, shift):
        due[gaming_day].add(table_id)
    tables = Table.objects.select_related("pit").in_bulk(
        {table_id for of_day in due.values() for table_id in of_day}
    )
    for gaming_day, keys in due.items():
        wins = tables_report([tables[key] for key in sorted(keys)], gaming_day, shift)
        found += [table_day(win) for win in wins if win.has_played]
    return sorted(
        (day for day in found if pit is None or day.pit == pit.name),
        key=lambda day: (day.gaming_day, day.pit, day.table),
    )


def played(first: date, last: date) -> QuerySet[TrayCount]:
    """Return the counts that ended play at a table in some gaming days."""
    return TrayCount.objects.filter(
        slip__gaming_day__range=(first, last), slip__kind__in=sorted(ENDING)
    ).order_by()


def not_settled(counts: QuerySet[TrayCount]) -> QuerySet[TrayCount]:
    """Return the counts of tables and days of which no win is settled."""
    same = SettledWin.objects.filter(
        gaming_day=OuterRef("slip__gaming_day"), table=OuterRef("table")
    )
    return counts.filter(~Exists(same))


def _unsettled(first: date, last: date, shift: str | None) -> Iterable[tuple[date, int]]:
    counts = played(first, last)
    counts = counts.filter(slip__shift=shift) if shift is not None else not_settled(counts)
    return counts.values_list("slip__gaming_day", "table_id").distinct()


def _settled(first: date, last: date) -> Iterator[tuple[int, int, TableDay]]:
    """Yield the newest revision of each table and day: its number, the table's key, and the day.

    Read as plain rows: a year of two hundred tables is seventy thousand of them.
    """
    rows = (
        SettledWin.objects.filter(gaming_day__range=(first, last))
        .order_by("gaming_day", "table_id", "-revision")
        .distinct("gaming_day", "table_id")
        .values("table__name", *_SETTLED)
    )
    for row in rows:
        day = TableDay(
            table=row["table__name"],
            pit=row["pit"],
            game=row["game"],
            gaming_day=row["gaming_day"],
            shift=None,
            figures=WinFigures(
                opening_cents=row["opening_cents"],
                closing_cents=row["closing_cents"],
                fills_cents=row["fills_cents"],
                credits_cents=row["credits_cents"],
                markers_issued_cents=row["markers_cents"],
                marker_payments_cents=row["marker_payments_cents"],
                marker_cash_cents=row["marker_cash_cents"],
            ),
            jackpots_cents=row["jackpots_cents"],
            estimated_cents=row["estimated_cents"],
            drop_cents=row["drop_cents"],
            win_cents=row["win_cents"],
        )
        yield row["revision"], row["table_id"], day


def corrections_since(first: date) -> Counter[tuple[int, date]]:
    """Return how many corrections restate each table and day, of days from one on."""
    # A correction is posted after the day that it restates.
    done = Slip.objects.filter(gaming_day__gte=first, status=SlipStatus.DONE.value)
    counter = Counter(
        (slip.table_id, restated_day(slip))
        for slip in done.filter(kind=CORRECTION)
        if slip.table_id is not None
    )
    # A count of a box is of the count room: its correction names the table.
    boxes = done.filter(kind=DROP_CORRECTION).values_list("details__table_id", "details__restates")
    counter.update((table_id, date.fromisoformat(day)) for table_id, day in boxes)
    papers = done.filter(kind__in=RESTATING).values_list("table_id", "details__days")
    counter.update((table_id, date.fromisoformat(day)) for table_id, days in papers for day in days)
    return counter


def table_day(win: TableWin) -> TableDay:
    """Return what a table won, as it is worked out from its papers."""
    return TableDay(
        table=win.table.name,
        pit=win.pit,
        game=win.game,
        gaming_day=win.gaming_day,
        shift=win.shift,
        figures=win.figures,
        jackpots_cents=paid_cents(win.figures.payouts, paid=Paid.JACKPOT),
        estimated_cents=win.estimated_cents,
        drop_cents=win.drop_cents,
        win_cents=win.final_cents,
    )
