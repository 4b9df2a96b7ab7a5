"""Settle what tables won: once a day is closed and its boxes are counted, its win is in ink."""

from __future__ import annotations

from datetime import date, datetime

from django.db import transaction
from django.db.models import Max

from pitboss.models import ClosedDay, Slip
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services import house, journal
from pitboss.services.locks import lock_table
from tables.models import SettledWin
from tables.reports.win import TableWin, tables_report
from tables.selectors.table_days import corrections_since, not_settled, played, table_day

# What one run takes on: a house that comes with years of days is settled in a few.
DAYS_A_RUN = 100


def settle_due_days() -> int:
    """Settle every closed day that has something to settle, newest first; return how many rows."""
    return sum(settle_day(day) for day in due_days()[:DAYS_A_RUN])


def due_days() -> list[date]:
    """Return the closed days at which a table played and is not settled, or was corrected."""
    unsettled = not_settled(played(date.min, date.max)).filter(
        slip__gaming_day__in=ClosedDay.objects.values("gaming_day")
    )
    corrections = corrections_since(date.min)
    newest = {
        (row["table"], row["gaming_day"]): row["revision"]
        for row in SettledWin.objects.filter(gaming_day__in={day for _, day in corrections})
        .values("table", "gaming_day")
        .annotate(revision=Max("revision"))
    }
    restated = {key[1] for key, revision in newest.items() if revision <= corrections[key]}
    days = unsettled.values_list("slip__gaming_day", flat=True).distinct()
    return sorted(restated.union(days), reverse=True)


@transaction.atomic(durable=True)
def settle_day(day: date) -> int:
    """Write the win of every table of a closed day that is final and not yet written.

    Under the locks of the tables: a correction is either seen or comes after, and is news then.
    """
    if not house.is_closed(day):
        return 0
    keys = sorted(set(played(day, day).values_list("table_id", flat=True)))
    tables = [lock_table(key) for key in keys]
    corrections = corrections_since(day)
    written = set(SettledWin.objects.filter(gaming_day=day).values_list("table_id", "revision"))
    # A slip of the day that is still open may yet move what the win is made of.
    waiting = set(
        Slip.objects.filter(
            gaming_day__lte=day,
            table__in=keys,
            status__in=[SlipStatus.OPEN.value, SlipStatus.RETURNING.value],
        ).values_list("table_id", flat=True)
    )
    due = [
        table
        for table in tables
        if table.pk not in waiting and (table.pk, corrections[table.pk, day] + 1) not in written
    ]
    wins = [win for win in tables_report(due, day) if win.final is not None]
    rows = SettledWin.objects.bulk_create(
        _row(win, corrections[win.table.pk, day] + 1, house.now()) for win in wins
    )
    if rows:
        journal.write(
            chain=journal.HOUSE,
            kind="win_settled",
            body={"gaming_day": day.isoformat(), "tables": len(rows)},
            at=house.now(),
            rows=rows,
        )
    return len(rows)


def _row(win: TableWin, revision: int, now: datetime) -> SettledWin:
    day = table_day(win)
    figures = day.figures
    assert day.drop_cents is not None, "only what is final is settled"
    assert day.win_cents is not None, "only what is final is settled"
    return SettledWin(
        gaming_day=day.gaming_day,
        table=win.table,
        revision=revision,
        pit=day.pit,
        game=day.game,
        opening_cents=figures.opening_cents,
        closing_cents=figures.closing_cents,
        fills_cents=figures.fills_cents,
        credits_cents=figures.credits_cents,
        markers_cents=figures.markers_issued_cents,
        marker_payments_cents=figures.marker_payments_cents,
        marker_cash_cents=figures.marker_cash_cents,
        drop_cents=day.drop_cents,
        jackpots_cents=day.jackpots_cents,
        estimated_cents=day.estimated_cents,
        win_cents=day.win_cents,
        settled_at=now,
    )
