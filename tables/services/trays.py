"""Count a tray: why not now, and what a count that stands posts to the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import models

from inventory.models import Holder, TrayCount
from inventory.selectors.cheques import tray_holding
from inventory.services.ledger import lock_and_read_public, move_cheques
from pitboss.models import FloorException, Slip, Table
from pitboss.models.plain import in_one_trip, inserting_all, stored
from pitboss.rules.cheques.cheques import difference
from pitboss.rules.cheques.keys import SetKind, kind_of
from pitboss.rules.cheques.tolerances import VarianceTerms
from pitboss.rules.cheques.tray_counts import (
    CLOSER,
    COMPARED_COUNTS,
    OPENER,
    OPENERS,
    RECOUNT,
    TRAY_COUNTS,
)
from pitboss.rules.flows.book import kinds_of_desk
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.said import Said, joined
from pitboss.selectors.pending import holding_the_table
from pitboss.services import house
from pitboss.services.exceptions import (
    IMPRESSMENT_DUE,
    TRAY_MAY_BE_SHORT,
    mark_resolved,
    open_exception,
)
from pitboss.services.journal import CARDS

Cheques = Mapping[int, int]
UnderWay = Sequence[tuple[str, str]]


def count_refusals(kind: str, table: Table, under_way: UnderWay | None = None) -> list[Refusal]:
    """Return why a tray may not be counted for this purpose now.

    A caller who asks for several purposes reads what is under way once.
    """
    refusals = []
    if kind in COMPARED_COUNTS and table.is_open:
        refusals.append(
            Refusal(
                "table_open",
                Said("{table} is already open. Reload the page.", table=table),
                CONFLICT,
            )
        )
    if kind not in COMPARED_COUNTS and not table.is_open:
        refusals.append(
            Refusal(
                "table_closed", Said("{table} is closed. Open it first.", table=table), CONFLICT
            )
        )
    if under_way is None:
        under_way = under_way_at(table)
    counting = [serial for serial, item in under_way if item in TRAY_COUNTS]
    if counting:
        refusals.append(
            Refusal(
                "count_under_way",
                Said(
                    "A count is already open on this tray ({kind}). Finish or void it first.",
                    kind=counting[0],
                ),
                CONFLICT,
            )
        )
    # Papers of cards move no cheque; whether the cards are there is asked at the end.
    others = [
        serial
        for serial, item in under_way
        if item not in TRAY_COUNTS and item not in kinds_of_desk(CARDS)
    ]
    if kind in _SLIPS_OPEN and others:
        refusals.append(
            Refusal(
                "slips_open",
                Said(_SLIPS_OPEN[kind], table=table, listed=joined(others, ", ")),
                CONFLICT,
            )
        )
    return refusals


# What a table cannot do while its other slips are open.
_SLIPS_OPEN = {
    OPENER: "{table} can’t open while slips are open. Finish {listed}.",
    RECOUNT: "{table} can’t be recounted while slips are open. Finish {listed}.",
    CLOSER: "{table} can’t close while slips are open. Finish {listed}.",
}


def openings_today(table: Table, at: datetime | None = None) -> int:
    """Return how often a table was opened in this gaming day; its slips carry that number."""
    return Slip.objects.filter(
        table=table,
        kind__in=OPENERS,
        status=SlipStatus.DONE,
        gaming_day=house.period_at(at or house.now()).gaming_day,
    ).count()


def last_opener(table: Table) -> Slip | None:
    """Return the opener on which a table is open, or was open last."""
    return (
        Slip.objects.filter(table=table, kind__in=OPENERS, status=SlipStatus.DONE)
        .order_by("-id")
        .first()
    )


def variance_terms_now() -> VarianceTerms:
    """Return what follows from a variance at this property."""
    settings = house.settings_at(house.now())
    return settings.variance_terms(settings.tolerance)


def under_way_at(table: Table) -> UnderWay:
    """Return serial and kind of every slip under way at a table, oldest first.

    A jackpot that is held for its winner holds no table: it may stay owed for long.
    """
    open_slips = Slip.objects.filter(
        table=table, status__in=[SlipStatus.OPEN, SlipStatus.RETURNING]
    )
    return list(holding_the_table(open_slips).order_by("id").values_list("serial", "kind"))


def serials_under_way(table: Table) -> list[str]:
    """Return the slips that may still move cheques of a tray: they stand outside its count."""
    return [
        serial
        for serial, kind in under_way_at(table)
        if kind not in TRAY_COUNTS and kind not in kinds_of_desk(CARDS)
    ]


def post_count(slip: Slip, *, against: Holder, at: datetime) -> list[models.Model]:
    """Post what a count found against another place, and let holdings start from this count."""
    assert slip.table is not None
    counted = slip.cheques_by_cents
    held = tray_holding(slip.table)
    changes = difference(held, counted)
    gone = {cents: -change for cents, change in changes.items() if change < 0}
    come = {cents: change for cents, change in changes.items() if change > 0}
    rows: list[models.Model] = []
    if against == Holder.PUBLIC and come:
        come, unexplained = _from_the_public(lock_and_read_public(), come)
        if unexplained:
            rows += move_cheques(
                slip=slip, cheques=unexplained, source=Holder.VARIANCE, target=Holder.TRAY, at=at
            )
            _open_more_than_exists(slip, unexplained, at)
    rows += move_cheques(slip=slip, cheques=gone, source=Holder.TRAY, target=against, at=at)
    rows += move_cheques(slip=slip, cheques=come, source=against, target=Holder.TRAY, at=at)
    count = TrayCount(
        table=slip.table,
        slip=slip,
        tray_sequence=slip.table.tray_sequence,
        cheques={str(cents): number for cents, number in counted.items() if number},
        at=at,
    )
    (((count_id,),),) = in_one_trip(inserting_all([count]))
    stored(count, count_id)
    codes = [TRAY_MAY_BE_SHORT] if any(number < 0 for number in held.values()) else []
    if any(kind_of(key) is SetKind.NON_VALUE for key in counted):
        codes.append(IMPRESSMENT_DUE)
    if codes:
        _counted_now(slip, codes, at)
    return [*rows, count]


def _counted_now(slip: Slip, codes: Sequence[str], at: datetime) -> None:
    """Take the tray off the lists of those that were to be counted."""
    waiting = FloorException.objects.select_for_update(no_key=True).filter(
        code__in=codes, table=slip.table, resolved_at=None
    )
    for exception in waiting:
        last = slip.signatures.order_by("-id").select_related("person")[0]
        mark_resolved(exception, last.person, f"Counted on {slip.serial}.", at)


def _from_the_public(public: Cheques, come: Cheques) -> tuple[dict[int, int], dict[int, int]]:
    """Part what a tray gained: what the public had, and what no one can have brought."""
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
        sentence=f"{slip.serial}: the tray has more cheques than could be in play. "
        "Recount and check for foreign cheques.",
        details={"cheques": {str(cents): n for cents, n in cheques.items()}},
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )
