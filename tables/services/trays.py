"""Count a tray: open a table on it, close it, and check it in between."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models

from inventory.models import Holder, TrayCount
from inventory.selectors import public_holding, tray_holding
from inventory.services.ledger import lock_public, move_cheques
from pitboss.models import Property, Signature, Slip, Table
from pitboss.rules.cheques import difference, total_cents
from pitboss.rules.flows import PlanFacts, SlipStatus
from pitboss.rules.refusal import Refusal
from pitboss.rules.tolerances import PRESETS, Tolerance
from pitboss.rules.tray_flows import CLOSER, COUNT, OPENER, SHIFT_COUNT, TRAY_COUNTS
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.exceptions import open_exception
from pitboss.services.signing import (
    Judgement,
    NewSlip,
    Pen,
    raise_slip,
    shown_with,
)

Cheques = Mapping[int, int]


def new_count(kind: str, table: Table, counted: Cheques) -> NewSlip:
    """Return a count of a tray about to be raised: its sequence in the day, what is outside it."""
    details: dict[str, Any] = {}
    if kind == OPENER.kind:
        details["sequence"] = openings_today(table) + 1
    if kind in (COUNT.kind, SHIFT_COUNT.kind):
        details["outside"] = _serials_under_way(table)
    return NewSlip(kind, table.pk, counted, details=details, counts_tray=True)


def raise_count(kind: str, *, table: Table, counted: Cheques, pen: Pen, shown: str) -> Slip:
    """Raise a count with the dealer's signature. Raises Refused."""
    table = Table.objects.get(pk=table.pk)
    return raise_slip(
        new_count(kind, table, counted),
        pen=pen,
        shown=shown,
        judge=lambda locked, original: _judge(kind, locked, counted),
    )


def _judge(kind: str, table: Table | None, counted: Cheques) -> Judgement:
    assert table is not None, "a count is of a table's tray"
    refusals = count_refusals(kind, table)
    if kind != OPENER.kind:
        return Judgement(refusals)
    expected = tray_holding(table)
    tolerance = tolerance_now()
    return Judgement(
        refusals,
        PlanFacts(
            cheques=counted,
            differs=bool(difference(expected, counted)),
            variance_cents=total_cents(counted) - total_cents(expected),
            report_from_cents=tolerance.report_from_cents or 10**15,
        ),
    )


def count_refusals(kind: str, table: Table) -> list[Refusal]:
    """Return why a tray may not be counted for this purpose now."""
    refusals = []
    if kind == OPENER.kind and table.is_open:
        refusals.append(Refusal("table_open", f"{table} is open already."))
    if kind != OPENER.kind and not table.is_open:
        refusals.append(Refusal("table_closed", f"{table} is closed. Open it first."))
    counting = [serial for serial, each in _under_way(table) if each in TRAY_COUNTS]
    if counting:
        refusals.append(
            Refusal("count_under_way", f"{counting[0]} counts this tray. Finish it or void it.")
        )
    others = [serial for serial, each in _under_way(table) if each not in TRAY_COUNTS]
    if kind in (OPENER.kind, CLOSER.kind) and others:
        verb = "open" if kind == OPENER.kind else "close"
        slips = "1 slip is" if len(others) == 1 else f"{len(others)} slips are"
        refusals.append(
            Refusal(
                "slips_open",
                f"{table} cannot {verb}: {slips} open. Finish {' and '.join(others)}.",
            )
        )
    return refusals


def openings_today(table: Table) -> int:
    """Return how often a table was opened in this gaming day; its slips carry that number."""
    return Slip.objects.filter(
        table=table,
        kind=OPENER.kind,
        status=SlipStatus.DONE.value,
        gaming_day=house.period_at(house.now()).gaming_day,
    ).count()


def tolerance_now() -> Tolerance:
    """Return what follows from a variance at this property."""
    return PRESETS[Property.objects.values_list("tolerance_preset", flat=True).get(pk=1)]


def _under_way(table: Table) -> list[tuple[str, str]]:
    return list(
        Slip.objects.filter(table=table, status__in=[SlipStatus.OPEN, SlipStatus.RETURNING])
        .order_by("id")
        .values_list("serial", "kind")
    )


def _serials_under_way(table: Table) -> list[str]:
    return [serial for serial, kind in _under_way(table) if kind not in TRAY_COUNTS]


@shown_with(OPENER.kind)
def _shown_with_opener(slip: Slip) -> dict[str, Any]:
    """Show what the tray should hold, once both have counted: until then the count is blind."""
    if slip.table is None or not slip.signatures.filter(step="verified").exists():
        return {}
    if slip.status != SlipStatus.OPEN.value:
        return {}
    return {"expected": {str(c): n for c, n in tray_holding(slip.table).items()}}


@effect("table_opened")
def _table_opened(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the tray holds. What differs is variance, never win."""
    assert slip.table is not None
    expected = tray_holding(slip.table)
    counted = slip.cheques_by_cents
    rows = _post(slip, counted, against=Holder.VARIANCE, at=at)
    Table.objects.filter(pk=slip.table.pk).update(is_open=True)
    variance_cents = total_cents(counted) - total_cents(expected)
    if tolerance_now().is_told_to_regulator(variance_cents):
        open_exception(
            code="regulator_notice",
            sentence=f"{slip.table}: opener {slip.serial} differs. Tell the regulator, and record "
            "when and whom.",
            details={"variance_cents": variance_cents},
            at=at,
            person=signature.person,
            table=slip.table,
            slip=slip,
        )
    return rows


@effect("table_closed")
def _table_closed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the tray holds; what differs was won or lost. The table is shut."""
    assert slip.table is not None
    rows = _post(slip, slip.cheques_by_cents, against=Holder.PUBLIC, at=at)
    Table.objects.filter(pk=slip.table.pk).update(is_open=False)
    return rows


@effect("count_posted")
def _count_posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the tray holds; what differs was won or lost since the last one."""
    return _post(slip, slip.cheques_by_cents, against=Holder.PUBLIC, at=at)


def _post(slip: Slip, counted: Cheques, *, against: Holder, at: datetime) -> list[models.Model]:
    """Post what a count found against another place, and let holdings start from this count."""
    assert slip.table is not None
    if against == Holder.PUBLIC:
        lock_public()
    changes = difference(tray_holding(slip.table), counted)
    gone = {cents: -change for cents, change in changes.items() if change < 0}
    come = {cents: change for cents, change in changes.items() if change > 0}
    rows: list[models.Model] = []
    if against == Holder.PUBLIC:
        come, unexplained = _from_the_public(come)
        if unexplained:
            rows += move_cheques(
                slip=slip, cheques=unexplained, source=Holder.VARIANCE, target=Holder.TRAY, at=at
            )
            _open_more_than_exists(slip, unexplained, at)
    rows += move_cheques(slip=slip, cheques=gone, source=Holder.TRAY, target=against, at=at)
    rows += move_cheques(slip=slip, cheques=come, source=against, target=Holder.TRAY, at=at)
    table = Table.objects.get(pk=slip.table.pk)
    count = TrayCount.objects.create(
        table=table,
        slip=slip,
        tray_sequence=table.tray_sequence,
        cheques={str(cents): number for cents, number in counted.items() if number},
        at=at,
    )
    return [*rows, count]


def _from_the_public(come: Cheques) -> tuple[dict[int, int], dict[int, int]]:
    """Part what a tray gained: what the public had, and what nobody can have brought."""
    public = public_holding()
    explained = {cents: min(n, max(0, public.get(cents, 0))) for cents, n in come.items()}
    unexplained = {cents: come[cents] - explained[cents] for cents in come}
    return (
        {cents: n for cents, n in explained.items() if n},
        {cents: n for cents, n in unexplained.items() if n},
    )


def _open_more_than_exists(slip: Slip, cheques: Cheques, at: datetime) -> None:
    """A tray that holds more than the house ever gave out was counted wrong, or holds foreign ones."""
    open_exception(
        code="more_than_exists",
        sentence=f"{slip.serial}: the tray gained cheques that nobody outside could have had. "
        "Count again, and look for foreign cheques.",
        details={"cheques": {str(cents): n for cents, n in cheques.items()}},
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )
