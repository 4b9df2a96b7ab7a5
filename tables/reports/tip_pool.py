"""The tip pool list of a shift: every envy that the tray paid, to compare with the toke count."""

from __future__ import annotations

from collections import defaultdict
from datetime import date

from django.urls import reverse

from pitboss.models import Table
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Cell,
    Column,
    Finding,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
    section_link,
    slip_cell,
)
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.games.games import spoken
from pitboss.rules.wagers.working import row_words
from pitboss.services import house
from tables.models import FloorEntry
from tables.reports.game_papers import table_win_link
from tables.selectors.tip_pool import tip_pool_list, toke_counts
from tables.services.payouts import PaidOut

KEY, PAGE = "tip-pool", "win"
DAYS_MAX = 31
_LINES = (
    Column("at", "When", Shape.TIME),
    Column("table", "Table", Shape.CODE),
    Column("bet", "Bet"),
    Column("row", "Hand"),
    Column("dealer", "Dealer"),
    Column("slip", "Slip", Shape.CODE, is_minor=True),
    Column("amount", "Envy", Shape.CHANGE),
)
_SHIFTS = (
    Column("day", "Gaming day", Shape.DAY),
    Column("shift", "Shift"),
    Column("lines", "Lines", Shape.COUNT),
    Column("amount", "Envy", Shape.CHANGE),
)
_COUNTS = (
    Column("at", "When", Shape.TIME),
    Column("table", "Table", Shape.CODE),
    Column("by", "Signed by"),
    Column("dealer", "Badge of the dealer", is_minor=True),
    Column("amount", "Counted", Shape.MONEY),
)


@report(
    key=KEY,
    title="Tip pool list",
    group=Group.PLAY,
    says="Envy that the trays paid to the dealers’ tokes. Compare it with the toke count.",
    page=PAGE,
    asked=ReportScope(days_max=DAYS_MAX, shift=True, pit=True),
)
def tip_pool(choice: ReportChoice) -> Report:
    """Return what each shift owes the tip pool, and every line of it."""
    tables = {table.pk: table for table in Table.objects.select_related("pit")}
    paid = [
        paid_out
        for paid_out in tip_pool_list(choice.first, choice.last, choice.shift)
        if choice.pit is None or _table_of(paid_out, tables).pit_id == choice.pit.pk
    ]
    total_cents = sum(paid_out.amount_cents for paid_out in paid)
    counts = toke_counts(choice.first, choice.last, choice.shift, choice.pit)
    counted_cents = sum(count.amount_cents or 0 for count in counts)
    return Report(
        sections=(
            Section("By shift", _SHIFTS, tuple(_by_shift(paid, choice))),
            Section(
                "Every line",
                _LINES,
                tuple(_row(paid_out, _table_of(paid_out, tables)) for paid_out in paid),
                sums=row_of(
                    *("Together", None, None, None, None, None, total_cents),
                    opens=section_link(KEY, PAGE, choice),
                )
                if paid
                else None,
            ),
            Section(
                "Toke boxes counted",
                _COUNTS,
                tuple(_count_row(count) for count in counts),
                sums=row_of(
                    *("Together", None, None, None, counted_cents),
                    opens=section_link(KEY, PAGE, choice, section=3),
                )
                if counts
                else None,
            ),
        ),
        finding=Finding(
            Tone.PLAIN,
            f"The toke boxes have {format_money(total_cents)} of envy from the trays. "
            f"{format_money(counted_cents)} was counted into the pool.",
        ),
        formulas=("A line below zero reverses the envy of a payout that was corrected.",),
    )


def _count_row(entry: FloorEntry) -> Row:
    day = entry.gaming_day.isoformat()
    log = Link(f"{reverse('floor-log')}?table={entry.table.name}&day={day}", "floor_log")
    return row_of(
        *(entry.at, entry.table.name, entry.signed_as, entry.facts["badge"], entry.amount_cents),
        opens=log,
    )


def _table_of(paid: PaidOut, tables: dict[int, Table]) -> Table:
    assert paid.table_id is not None, "envy is of a table"
    return tables[paid.table_id]


def _by_shift(paid: list[PaidOut], choice: ReportChoice) -> list[Row]:
    shifts: dict[tuple[date, str], list[int]] = defaultdict(list)
    here = house.the_property()
    for paid_out in paid:
        when = here.period_at(paid_out.at)
        shifts[when.gaming_day, when.shift].append(paid_out.amount_cents)
    return [
        row_of(day, shift, len(cents), sum(cents), opens=_narrower(day, shift, choice))
        for (day, shift), cents in shifts.items()
    ]


def _narrower(day: date, shift: str, choice: ReportChoice) -> Link:
    """Return this list of one shift alone, at its lines."""
    alone = {"from": day.isoformat(), "to": day.isoformat(), "shift": shift}
    return Link(f"{report_link(KEY, PAGE, choice, **alone).url}#section-2", PAGE)


def _row(paid: PaidOut, table: Table) -> Row:
    day = house.the_property().period_at(paid.at).gaming_day.isoformat()
    return Row(
        (
            Cell(paid.at),
            Cell(table.name, Link(reverse("table", args=[table.name]), "table")),
            Cell(spoken(paid.wager)),
            Cell(row_words(paid.row)),
            Cell(paid.dealer),
            slip_cell(paid.serial),
            Cell(paid.amount_cents, table_win_link(table.name, day, None, "envy")),
        ),
        tone=Tone.WAIT if paid.amount_cents < 0 else Tone.PLAIN,
    )
