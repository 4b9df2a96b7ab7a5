"""Count a tray: open a table on it, close it, and check it in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import models

from inventory.models import Holder, TrayCount
from inventory.selectors.cheques import public_holding, tray_holding
from inventory.services.card_accounts import CLOSING, OPENING, demand_cards
from inventory.services.ledger import lock_public, move_cheques
from pitboss.models import Signature, Slip, Table
from pitboss.rules.card_flows import CARD_KINDS
from pitboss.rules.cheques import difference, format_money, total_cents
from pitboss.rules.flows import PlanFacts, SlipStatus
from pitboss.rules.refusal import Refusal
from pitboss.rules.table_orders import OrderEnd, OrderKind
from pitboss.rules.tolerances import Tolerance
from pitboss.rules.tray_flows import (
    CLOSER,
    COMPARED_COUNTS,
    COUNT,
    OPENER,
    RECOUNT,
    SHIFT_COUNT,
    TRAY_COUNTS,
)
from pitboss.selectors.pending import holding_the_table
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.exceptions import (
    REGULATOR_NOTICE,
    TRAY_VARIANCE,
    ask_after_voided_variance,
    open_exception,
    sign_off_variance,
)
from pitboss.services.shown import shown_with, stored_cheques
from pitboss.services.signing import Judgement, NewSlip, Pen, raise_slip, set_status
from pitboss.services.table_changes import apply_setup
from tables.models import Dealing
from tables.services.dealers import put_at
from tables.services.table_orders import end_orders

Cheques = Mapping[int, int]
UnderWay = Sequence[tuple[str, str]]


def new_count(kind: str, table: Table, counted: Cheques) -> NewSlip:
    """Return a count of a tray about to be raised, with what the paper says besides cheques."""
    details: dict[str, Any] = {}
    if kind == OPENER.kind:
        details["sequence"] = openings_today(table) + 1
    if kind == CLOSER.kind:
        details["sequence"] = _sequence_now(table)
    if kind in (COUNT.kind, SHIFT_COUNT.kind):
        details["outside"] = _serials_under_way(table)
    return NewSlip(
        kind, table.pk, counted, _refers_to(kind, table), details=details, counts_tray=True
    )


def _refers_to(kind: str, table: Table) -> int | None:
    """Return the slip that a count is made from, or the void one that it stands in for."""
    last = table.counts.order_by("-tray_sequence", "-id").first()
    if kind in COMPARED_COUNTS:
        return last.slip_id if last else None
    voided = Slip.objects.filter(table=table, kind=kind, status=SlipStatus.VOIDED)
    if last is not None:
        voided = voided.filter(pk__gt=last.slip_id)
    return voided.order_by("-id").values_list("pk", flat=True).first()


def raise_count(kind: str, *, table: Table, counted: Cheques, pen: Pen, shown: str) -> Slip:
    """Raise a count with the dealer's signature. Raises Refused."""
    return raise_slip(
        new_count(kind, table, counted),
        pen=pen,
        shown=shown,
        judge=lambda locked, original: _judge(kind, locked, counted),
    )


def _judge(kind: str, table: Table | None, counted: Cheques) -> Judgement:
    assert table is not None, "a count is of a table's tray"
    refusals = count_refusals(kind, table)
    if kind not in COMPARED_COUNTS:
        return Judgement(refusals)
    expected = tray_holding(table)
    return Judgement(
        refusals,
        PlanFacts(
            cheques=counted,
            differs=bool(difference(expected, counted)),
            reported_by=tolerance_now().who_reports(total_cents(counted) - total_cents(expected)),
        ),
    )


def count_refusals(kind: str, table: Table, under_way: UnderWay | None = None) -> list[Refusal]:
    """Return why a tray may not be counted for this purpose now.

    A caller who asks for several purposes reads what is under way once.
    """
    refusals = []
    if kind in COMPARED_COUNTS and table.is_open:
        refusals.append(Refusal("table_open", f"{table} is open already."))
    if kind not in COMPARED_COUNTS and not table.is_open:
        refusals.append(Refusal("table_closed", f"{table} is closed. Open it first."))
    if under_way is None:
        under_way = under_way_at(table)
    counting = [serial for serial, each in under_way if each in TRAY_COUNTS]
    if counting:
        refusals.append(
            Refusal("count_under_way", f"{counting[0]} counts this tray. Finish it or void it.")
        )
    # Papers of cards move no cheque; whether the cards are there is asked at the end.
    others = [
        serial for serial, each in under_way if each not in TRAY_COUNTS and each not in CARD_KINDS
    ]
    if kind in _VERBS and others:
        slips = "1 slip is" if len(others) == 1 else f"{len(others)} slips are"
        refusals.append(
            Refusal(
                "slips_open",
                f"{table} cannot {_VERBS[kind]}: {slips} open. Finish {' and '.join(others)}.",
            )
        )
    return refusals


# What a table cannot do while its other slips are open.
_VERBS = {OPENER.kind: "open", RECOUNT.kind: "be recounted", CLOSER.kind: "close"}


def openings_today(table: Table) -> int:
    """Return how often a table was opened in this gaming day; its slips carry that number."""
    return Slip.objects.filter(
        table=table,
        kind=OPENER.kind,
        status=SlipStatus.DONE,
        gaming_day=house.period_at(house.now()).gaming_day,
    ).count()


def _sequence_now(table: Table) -> int:
    """Return the number of the opening that a closer ends."""
    opener = last_opener(table)
    return int(opener.details["sequence"]) if opener else 1


def last_opener(table: Table) -> Slip | None:
    """Return the opener on which a table is open, or was open last."""
    return (
        Slip.objects.filter(table=table, kind=OPENER.kind, status=SlipStatus.DONE)
        .order_by("-id")
        .first()
    )


def tolerance_now() -> Tolerance:
    """Return what follows from a variance at this property."""
    return house.settings_at(house.now()).tolerance


def under_way_at(table: Table) -> UnderWay:
    """Return serial and kind of every slip under way at a table, oldest first.

    A jackpot that is held for its winner holds no table: it may stay owed for long.
    """
    open_slips = Slip.objects.filter(
        table=table, status__in=[SlipStatus.OPEN, SlipStatus.RETURNING]
    )
    return list(holding_the_table(open_slips).order_by("id").values_list("serial", "kind"))


def _serials_under_way(table: Table) -> list[str]:
    return [
        serial
        for serial, kind in under_way_at(table)
        if kind not in TRAY_COUNTS and kind not in CARD_KINDS
    ]


@shown_with(OPENER.kind)
@shown_with(RECOUNT.kind)
def _shown_when_compared(slip: Slip) -> dict[str, Any]:
    """Show what the tray should hold, once both have counted: until then the count is blind."""
    if slip.table is None or not slip.signatures.filter(step="verified").exists():
        return {}
    if slip.status != SlipStatus.OPEN.value:
        return {}
    return {"expected": {str(c): n for c, n in tray_holding(slip.table).items()}}


@effect("variance_found")
def _variance_found(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Open what two people found, and start the regulator's clock if the tray differs by so much.

    The variance closes with the signatures that the slip asks for; until then the table stays shut.
    """
    assert slip.table is not None
    expected = tray_holding(slip.table)
    variance_cents = slip.total_cents - total_cents(expected)
    tolerance = tolerance_now()
    against = slip.refers_to.serial if slip.refers_to else "the ledger"
    open_exception(
        code=TRAY_VARIANCE,
        sentence=f"{slip.table}: {slip.serial} {_variance_words(variance_cents)} {against}.",
        details={
            "variance_cents": variance_cents,
            "against": against,
            "expected": stored_cheques(expected),
            "counted": slip.cheques,
            "tolerance": tolerance.id,
        },
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )
    if tolerance.is_told_to_regulator(variance_cents):
        _open_notice(slip, variance_cents, tolerance.regulator_hours, at)
    return []


def _variance_words(variance_cents: int) -> str:
    if not variance_cents:
        return "holds other colours than"
    way = "short of" if variance_cents < 0 else "over"
    return f"is {format_money(abs(variance_cents))} {way}"


def _open_notice(slip: Slip, variance_cents: int, hours: int, at: datetime) -> None:
    """Ask for the regulator to be told, by a clock that runs from the count."""
    way = "short" if variance_cents < 0 else "over"
    open_exception(
        code=REGULATOR_NOTICE,
        sentence=f"{slip.table}: {slip.serial} is {format_money(abs(variance_cents))} {way}. "
        f"Tell the regulator {f'within {hours} hours' if hours else 'at once'}, and record "
        "whom and when.",
        details={
            "variance_cents": variance_cents,
            "due_at": (at + timedelta(hours=hours)).isoformat(),
        },
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
        limit_seconds=hours * 3600 or None,
    )


@effect("count_voided")
def _count_voided(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Void a count. What it found is asked after all the same."""
    set_status(slip, SlipStatus.VOIDED)
    ask_after_voided_variance(slip, at)
    return []


@effect("table_opened")
def _table_opened(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the tray holds. What differs is variance, never win."""
    assert slip.table is not None
    apply_setup(slip.table)
    # Before the count is posted: what was waived for this opening is spent by its count.
    demand_cards(Table.objects.get(pk=slip.table.pk), OPENING)
    rows = _post(slip, slip.cheques_by_cents, against=Holder.VARIANCE, at=at)
    sign_off_variance(slip, signature, at)
    Table.objects.filter(pk=slip.table.pk).update(is_open=True)
    # Who counted the tray stands behind it, unless they went to deal elsewhere meanwhile.
    put_at(slip.table, slip.signatures.get(step="counted").person, at)
    return rows


@effect("recount_posted")
def _recount_posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the tray of a closed table holds."""
    rows = _post(slip, slip.cheques_by_cents, against=Holder.VARIANCE, at=at)
    sign_off_variance(slip, signature, at)
    return rows


@effect("table_closed")
def _table_closed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the tray holds; what differs was won or lost. The table is shut."""
    assert slip.table is not None
    demand_cards(Table.objects.get(pk=slip.table.pk), CLOSING)
    rows = _post(slip, slip.cheques_by_cents, against=Holder.PUBLIC, at=at)
    Table.objects.filter(pk=slip.table.pk).update(is_open=False)
    Dealing.objects.filter(table=slip.table, ended_at=None).update(ended_at=at)
    for kind in OrderKind:
        end_orders(slip.table, kind, OrderEnd.TABLE_CLOSED, at)
    return rows


@effect("count_posted")
def _count_posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the tray holds; what differs was won or lost since the last one."""
    return _post(slip, slip.cheques_by_cents, against=Holder.PUBLIC, at=at)


def _post(slip: Slip, counted: Cheques, *, against: Holder, at: datetime) -> list[models.Model]:
    """Post what a count found against another place, and let holdings start from this count."""
    assert slip.table is not None
    changes = difference(tray_holding(slip.table), counted)
    gone = {cents: -change for cents, change in changes.items() if change < 0}
    come = {cents: change for cents, change in changes.items() if change > 0}
    rows: list[models.Model] = []
    if against == Holder.PUBLIC and come:
        lock_public()
        come, unexplained = _from_the_public(come)
        if unexplained:
            rows += move_cheques(
                slip=slip, cheques=unexplained, source=Holder.VARIANCE, target=Holder.TRAY, at=at
            )
            _open_more_than_exists(slip, unexplained, at)
    rows += move_cheques(slip=slip, cheques=gone, source=Holder.TRAY, target=against, at=at)
    rows += move_cheques(slip=slip, cheques=come, source=against, target=Holder.TRAY, at=at)
    count = TrayCount.objects.create(
        table=slip.table,
        slip=slip,
        tray_sequence=slip.table.tray_sequence,
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
    """Ask after a tray that gained more than the house ever gave out."""
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
