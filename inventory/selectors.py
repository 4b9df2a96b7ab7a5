"""What the ledger says: where cheques are now, at a cost that does not grow with the years."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import OuterRef, Q, QuerySet, Subquery, Sum

from inventory.models import ChequeTransfer, Holder, TrayCount
from pitboss.models import Slip, Table
from pitboss.rules.cheques import combined, ordered
from pitboss.rules.flows import SlipStatus

Cheques = dict[int, int]


def tray_holding(table: Table) -> Cheques:
    """Return what the ledger says a tray holds."""
    return tray_holdings([table])[table.pk]


def tray_holdings(tables: Iterable[Table]) -> dict[int, Cheques]:
    """Return what the ledger says each tray holds: its last count and the transfers after it.

    Two queries, however many tables.
    """
    ids = [table.pk for table in tables]
    latest = TrayCount.objects.filter(table=OuterRef("table")).order_by("-tray_sequence", "-id")
    counts = TrayCount.objects.filter(table__in=ids, pk=Subquery(latest.values("pk")[:1]))
    held: dict[int, dict[int, int]] = {table_id: defaultdict(int) for table_id in ids}
    for count in counts:
        for cents, number in count.cheques.items():
            held[count.table_id][int(cents)] += number
    for table_id, cents, incoming, outgoing in _after_the_last_count(ids):
        held[table_id][cents] += (incoming or 0) - (outgoing or 0)
    return {
        table_id: {cents: cheques[cents] for cents in ordered(cheques) if cheques[cents]}
        for table_id, cheques in held.items()
    }


def _after_the_last_count(table_ids: list[int]) -> QuerySet[ChequeTransfer, tuple[int, ...]]:
    counted_at = (
        TrayCount.objects.filter(table=OuterRef("table"))
        .order_by("-tray_sequence", "-id")
        .values("tray_sequence")[:1]
    )
    return (
        ChequeTransfer.objects.filter(table__in=table_ids)
        .annotate(counted_at=Subquery(counted_at))
        .filter(Q(counted_at=None) | Q(tray_sequence__gt=Subquery(counted_at)))
        .values_list("table_id", "denomination_cents")
        .annotate(
            incoming=Sum("count", filter=Q(target=Holder.TRAY)),
            outgoing=Sum("count", filter=Q(source=Holder.TRAY)),
        )
        .order_by()
    )


def holding_of(holder: Holder) -> Cheques:
    """Return what the ledger says a place of the house holds, over all its history."""
    rows = (
        ChequeTransfer.objects.filter(Q(source=holder) | Q(target=holder))
        .values_list("denomination_cents")
        .annotate(
            incoming=Sum("count", filter=Q(target=holder)),
            outgoing=Sum("count", filter=Q(source=holder)),
        )
        .order_by()
    )
    held = {cents: (incoming or 0) - (outgoing or 0) for cents, incoming, outgoing in rows}
    return {cents: held[cents] for cents in ordered(held) if held[cents]}


def public_holding() -> Cheques:
    """Return what the public holds: what the house ever gave out less what it has itself.

    Made from places whose cost does not grow with the years, not from all the wins and losses.
    """
    outside = holding_of(Holder.OUTSIDE)
    parts = [
        *tray_holdings(Table.objects.all()).values(),
        holding_of(Holder.CAGE),
        holding_of(Holder.CARRIER),
        holding_of(Holder.VARIANCE),
    ]
    own = combined(*parts)
    cents = ordered(outside.keys() | own.keys())
    held = {each: -outside.get(each, 0) - own.get(each, 0) for each in cents}
    return {each: held[each] for each in cents if held[each]}


def cheques_on_the_way(table: Table) -> Cheques:
    """Return the cheques of this table's fills that are carried and not yet in its tray."""
    rows = (
        ChequeTransfer.objects.filter(
            slip__table=table,
            slip__status__in=[SlipStatus.OPEN, SlipStatus.RETURNING],
            source=Holder.CAGE,
            target=Holder.CARRIER,
        )
        .values_list("denomination_cents")
        .annotate(total=Sum("count"))
        .order_by()
    )
    return dict(rows)


def slips_under_way(kinds: Iterable[str]) -> QuerySet[Slip]:
    """Return the open slips of some kinds, oldest first."""
    return (
        Slip.objects.filter(
            kind__in=list(kinds), status__in=[SlipStatus.OPEN, SlipStatus.RETURNING]
        )
        .select_related("table__pit", "refers_to")
        .prefetch_related("signatures")
        .order_by("id")
    )
