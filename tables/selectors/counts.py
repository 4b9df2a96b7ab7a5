"""What a tray's counts say: how one compares with the book, and what a closing tray comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import JSONObject

from inventory.models import ChequeTransfer, Holder, TrayCount
from inventory.selectors.cheques import tray_holding
from pitboss.models import Slip, Table
from pitboss.rules.cheques.cheques import (
    BY_CENTS,
    combined,
    format_money,
    ordered,
    suggest_credit_to_par,
    suggest_to_par,
    total_cents,
)
from pitboss.rules.day.dead_tables import Recount, recount_of
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services.exceptions import VARIANCE_TROUBLES
from pitboss.slips.addresses import new_url
from tables.selectors.variances import compared_lines
from tables.services.trays import last_opener, variance_terms_now

Cheques = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class LastCount:
    """The newest count of a tray that stands."""

    serial: str
    kind: str
    gaming_day: date
    amount_cents: int
    at: datetime


def with_last_count(
    tables: QuerySet[Table], counts: QuerySet[TrayCount] | None = None
) -> QuerySet[Table]:
    """Add `last_count` to tables, to be read by `last_count_of`, without a query a table.

    Of some counts alone, where they are given: those until a time that passed.
    """
    every = TrayCount.objects.all() if counts is None else counts
    latest = (
        every.filter(table=OuterRef("pk"))
        .order_by("-tray_sequence", "-at", "-id")
        .values(
            last=JSONObject(
                serial="slip__serial",
                kind="slip__kind",
                gaming_day="slip__gaming_day",
                amount_cents="slip__total_cents",
                at="at",
            )
        )
    )
    return tables.annotate(last_count=Subquery(latest[:1]))


def last_count_of(table: Table) -> LastCount | None:
    """Return the newest count of a table read by `with_last_count`."""
    last: dict[str, Any] | None = table.last_count  # type: ignore[attr-defined]
    if last is None:
        return None
    return LastCount(
        last["serial"],
        last["kind"],
        date.fromisoformat(last["gaming_day"]),
        last["amount_cents"],
        datetime.fromisoformat(last["at"]),
    )


def recount_of_table(table: Table, last: LastCount | None, today: date) -> Recount:
    """Return whether the tray of a closed table must be counted again."""
    if table.is_open or last is None:
        return Recount.NOT_YET
    return recount_of(last.gaming_day, today)


def compared(slip: Slip) -> dict[str, Any] | None:
    """Return how a count compares with the book, once both have signed; until then nothing."""
    if slip.table is None or slip.status == SlipStatus.VOIDED.value:
        return None
    if not any(signature.step == "verified" for signature in slip.signatures.all()):
        return None
    counted = slip.cheques_by_cents
    expected = _expected(slip)
    lines = compared_lines(expected, counted)
    variance_cents = total_cents(counted) - total_cents(expected)
    return {
        "template": "tables/_compared.html",
        "comes_first": True,
        "against": slip.refers_to.serial if slip.refers_to else "the expected count",
        "lines": lines,
        "variance_cents": variance_cents,
        "follows": variance_terms_now().consequences(variance_cents) if lines else [],
        "troubles": slip.floorexception_set.filter(code__in=VARIANCE_TROUBLES) if lines else [],
    }


def _expected(slip: Slip) -> dict[int, int]:
    """Return what the book said. What differed was posted to variance when the count was done."""
    assert slip.table is not None
    if slip.status == SlipStatus.OPEN.value:
        return tray_holding(slip.table)
    gone: dict[int, int] = defaultdict(int)
    for move in slip.transfers.all():
        gone[move.denomination_cents] += move.count * (1 if move.source == Holder.TRAY else -1)
    return combined(slip.cheques_by_cents, gone)


def final_check(table: Table, closing: Cheques) -> dict[str, Any]:
    """Return where a closing tray comes from, color by color, and what would bring it to par."""
    opener = last_opener(table)
    opening = opener.cheques_by_cents if opener else {}
    moved = _moved_since(table, opener)
    par = table.par_cheques
    columns = {"opening": opening, **moved, "closing": dict(closing)}
    colours = ordered({cents for column in (*columns.values(), par) for cents in column})
    fill, credit = suggest_to_par(closing, par), suggest_credit_to_par(closing, par)
    return {
        "template": "tables/_final_check.html",
        "has_lines": True,
        "rows": [
            {
                "cents": cents,
                **{name: cheques.get(cents, 0) for name, cheques in columns.items()},
                "to_par": par.get(cents, 0) - closing.get(cents, 0) if par.get(cents) else 0,
            }
            for cents in colours
        ],
        "totals": {name: total_cents(cheques) for name, cheques in columns.items()},
        "has_markers": any(moved["markers"].values()),
        "to_par_cents": total_cents(par) - total_cents(closing),
        "proposals": [
            {
                "label": f"Request a {word} of {format_money(total_cents(cheques))} first",
                "words": ", ".join(f"{n} {BY_CENTS[cents].name}" for cents, n in cheques.items()),
                "url": new_url(
                    word,
                    table=table.name,
                    **{f"cheques_{cents}": n for cents, n in cheques.items()},
                ),
            }
            for word, cheques in (("fill", fill), ("credit", credit))
            if cheques
        ],
    }


def _moved_since(table: Table, opener: Slip | None) -> dict[str, dict[int, int]]:
    """Return what fills, credits and markers brought or took since a table opened."""
    rows = ChequeTransfer.objects.filter(table=table)
    if opener is not None:
        rows = rows.filter(slip__pk__gt=opener.pk)
    grouped = (
        rows.values_list("slip__kind", "denomination_cents")
        .annotate(
            incoming=Sum("count", filter=Q(target=Holder.TRAY), default=0),
            outgoing=Sum("count", filter=Q(source=Holder.TRAY), default=0),
        )
        .order_by()
    )
    moved: dict[str, dict[int, int]] = {"fills": {}, "credits": {}, "markers": {}}
    for kind, cents, incoming, outgoing in grouped:
        for name in moved:
            if kind.startswith(name.removesuffix("s")):
                held = moved[name].get(cents, 0)
                moved[name][cents] = held + incoming - outgoing
    return moved
