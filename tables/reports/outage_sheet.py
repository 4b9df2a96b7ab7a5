"""The outage sheet: what a pit and the cage must know when the line goes down, on one paper.

It is printed every few hours, so that one is at hand. On paper a marker is issued only up to the
available credit that is printed here, after a call to the cage.
"""

from __future__ import annotations

from typing import Final

from django.urls import reverse
from django.utils import timezone

from inventory.kinds.marker import OWED_READERS
from inventory.models import CreditLine, Patron
from inventory.selectors.cheques import cage_holding, tray_holdings
from inventory.selectors.credit import credit_of, outstanding
from pitboss.models import Slip, Table
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
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
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.cheques.cheques import BY_CENTS, format_money, ordered, total_cents
from pitboss.rules.cheques.keys import worth_of
from pitboss.rules.day.outages import SHEET, SHEET_PRINTED, THE_CAGE
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.reading import may_read
from pitboss.services import house
from tables.selectors.keys import Hook, hooks
from tables.selectors.live_changes import limits_now, with_limits
from tables.selectors.orders import keys_out

_EVERY: Final = "outage.sheet_every"


@report(
    key=SHEET,
    title="Outage sheet",
    group=Group.PAPERS,
    says="Expected trays, open slips, credit, limits, and keys as they are now, to print ahead of "
    "an outage.",
    page="outages",
    asked=ReportScope(is_now=True, pit=True, ways={"pit": "Pits", THE_CAGE: "The cage"}),
    noted=SHEET_PRINTED,
)
def outage_sheet(choice: ReportChoice) -> Report:
    """Return what a pit, every pit, or the cage works by while the line is down."""
    tables = [] if choice.by == THE_CAGE else _tables(choice)
    hours = house.settings_at(house.now())[_EVERY]
    return Report(
        sections=(
            _cheques_of_the_cage() if choice.by == THE_CAGE else _trays(tables),
            _open_slips(choice),
            *([_credit()] if choice.reader in (None, *OWED_READERS.roles) else []),
            _keys(tables),
        ),
        finding=Finding(Tone.PLAIN, f"Print it again every {hours} hours, and keep the newest."),
        formulas=(
            "Expected is the last count and every slip since. Available is the line less what is "
            "owed and what the bank may still return. Issue a marker on paper only up to it, after "
            "a call to the cage.",
        ),
    )


def _tables(choice: ReportChoice) -> list[Table]:
    tables = with_limits(Table.objects.select_related("pit")).order_by("pit__name", "name")
    return list(tables.filter(pit=choice.pit) if choice.pit is not None else tables)


def _cheque_words(cheques: dict[int, int]) -> str:
    named = (f"{cheques[cents]:,} {BY_CENTS[cents].name}" for cents in ordered(cheques))
    return ", ".join(named) or "empty"


def _trays(tables: list[Table]) -> Section:
    held = tray_holdings(tables)
    rows = []
    for table in tables:
        least, most = limits_now(table)
        rows.append(
            row_of(
                table.name,
                "open" if table.is_open else "closed",
                f"{format_money(least)} to {format_money(most)}",
                total_cents(held[table.pk]),
                _cheque_words(held[table.pk]),
                opens=Link(reverse("table", args=[table.name]), "table"),
            )
        )
    return Section(
        "Expected trays and limits",
        (
            Column("table", "Table"),
            Column("state", "Now"),
            Column("limits", "Limits"),
            Column("amount_cents", "Expected", Shape.MONEY),
            Column("cheques", "Cheques"),
        ),
        tuple(rows),
        nothing="No tables.",
    )


def _cheques_of_the_cage() -> Section:
    held, cage = cage_holding(), Link(reverse("cage"), "cage")
    return Section(
        "Expected in the cage",
        (
            Column("cheque", "Cheque"),
            Column("count", "Cheques", Shape.COUNT),
            Column("amount_cents", "Amount", Shape.MONEY),
        ),
        tuple(
            row_of(BY_CENTS[key].name, held[key], worth_of(key) * held[key], opens=cage)
            for key in ordered(held)
        ),
        nothing="No cheques.",
        sums=row_of("All", sum(held.values()), total_cents(held), opens=cage),
    )


def _open_slips(choice: ReportChoice) -> Section:
    slips = Slip.objects.filter(status__in=[SlipStatus.OPEN, SlipStatus.RETURNING])
    slips = slips.select_related("table").prefetch_related("waits").order_by("id")
    if choice.by == THE_CAGE:
        slips = slips.filter(waits__until=None, waits__place=THE_CAGE).distinct()
    elif choice.pit is not None:
        slips = slips.filter(table__pit=choice.pit)
    else:
        slips = slips.filter(table__isnull=False)
    reader = choice.reader
    return Section(
        "Open slips",
        (
            Column("slip", "Slip", Shape.CODE),
            Column("title", "What"),
            Column("table", "Table"),
            Column("amount_cents", "Amount", Shape.MONEY),
        ),
        tuple(
            row_of(
                slip_cell(slip.serial),
                slip.title,
                str(slip.table or "–"),
                slip.total_cents,
                opens=slip_link(slip.serial),
            )
            for slip in slips
            if reader is None or may_read(slip.kind, reader)
        ),
        nothing="No open slips.",
    )


def _credit() -> Section:
    """Return what each patron with a line owes, and how much may still be lent to them."""
    now = house.now()
    today = house.period_at(now).gaming_day
    owed: dict[int, list[str]] = {}
    for item in outstanding(today):
        words = f"{item.marker.slip.serial} {format_money(item.balance_cents)}"
        owed.setdefault(item.marker.patron_id, []).append(words)
    granted = CreditLine.objects.filter(holds_from__lte=now).values("patron")
    patrons = Patron.objects.filter(pk__in=granted) | Patron.objects.filter(pk__in=owed)
    rows: list[Row] = []
    for patron in patrons.distinct().order_by("last_name", "first_name", "pk"):
        credit = credit_of(patron, now)
        if not credit.line_cents and not credit.owed_cents:
            continue
        stands = credit.standing.value
        rows.append(
            row_of(
                patron.full_name,
                patron.player_card,
                credit.line_cents,
                credit.owed_cents,
                credit.remaining_cents if stands == "clear" else 0,
                ", ".join(owed.get(patron.pk, [])) or "–",
                tone=Tone.PLAIN if stands == "clear" else Tone.BAD,
                opens=Link(reverse("patron", args=[patron.pk]), "patrons"),
            )
        )
    return Section(
        "Markers and available credit",
        (
            Column("patron", "Patron"),
            Column("card", "Card", Shape.CODE),
            Column("line_cents", "Line", Shape.MONEY),
            Column("owed_cents", "Owed", Shape.MONEY),
            Column("available_cents", "Available", Shape.MONEY),
            Column("markers", "Markers"),
        ),
        tuple(rows),
        nothing="No credit lines.",
    )


def _with_whom(hook: Hook) -> str:
    assert hook.slip is not None, "its key is out"
    assert hook.since is not None, "its key is out"
    who = " and ".join(hook.holders) or "being signed for"
    return f"{who}, since {timezone.localtime(hook.since):%H:%M}, on {hook.slip.serial}"


def _keys(tables: list[Table]) -> Section:
    pits = {table.pit_id: table.pit for table in tables}
    loans = [words for pit in pits.values() for words in keys_out(pit)]
    grace = house.settings_at(house.now())["keys.grace"]
    out = [hook for hook in hooks(house.now(), grace) if hook.is_out]
    rows = [row_of(hook.key.title, _with_whom(hook)) for hook in out]
    return Section(
        "Keys out",
        (Column("key", "Key"), Column("holder", "With")),
        (*rows, *(row_of("Pit keys", loan) for loan in loans)),
        nothing="All keys are in.",
    )
