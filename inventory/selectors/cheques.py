"""What the ledger says: where cheques are now, at a cost that does not grow with the years."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import BigIntegerField, Case, Exists, F, OuterRef, Q, QuerySet, Sum, When
from django.db.models.functions import Mod

from inventory.models import CageCount, ChequeTransfer, Holder, PublicBalance
from pitboss.models import Slip, Table
from pitboss.rules.cheques.cheques import combined, ordered, total_cents
from pitboss.rules.cheques.keys import MONEY_BELOW, SET_STEP
from pitboss.rules.flows.flows import SlipStatus
from pitboss.standby import reading_connection

Cheques = dict[int, int]

# What the cheques of a transfer are worth in money. Only value cheques are: see `keys`.
WORTH_CENTS: Final = Case(
    When(
        denomination_cents__lt=MONEY_BELOW,
        then=Mod(F("denomination_cents"), SET_STEP) * F("count"),
    ),
    default=0,
    output_field=BigIntegerField(),
)
WORTH_SQL: Final = (
    f"(CASE WHEN moved.denomination_cents < {MONEY_BELOW}"
    f" THEN mod(moved.denomination_cents, {SET_STEP})::bigint * moved.count ELSE 0 END)"
)
"""The same, of a transfer that SQL calls `moved`."""


def tray_holding(table: Table) -> Cheques:
    """Return what the ledger says a tray holds."""
    return tray_holdings([table])[table.pk]


def tray_holdings(tables: Iterable[Table]) -> dict[int, Cheques]:
    """Return what the ledger says each tray holds: its last count and the transfers after it.

    One query, however many tables, and it looks no further back than the last counts. What was
    counted on paper begins no holding: it stands where it happened, its transfers where they were
    posted.
    """
    held: dict[int, dict[int, int]] = {table.pk: defaultdict(int) for table in tables}
    with reading_connection().cursor() as cursor:
        cursor.execute(_HELD_SQL, [list(held)])
        for table_id, cents, number in cursor.fetchall():
            held[table_id][cents] += number
    return {
        table_id: {cents: cheques[cents] for cents in ordered(cheques) if cheques[cents]}
        for table_id, cheques in held.items()
    }


# A tray at a time, by the index of its sequence: with OFFSET 0 no plan can read the years instead.
_HELD_SQL = """
    SELECT tray.id, line.cents, line.number
    FROM unnest(%s::bigint[]) AS tray(id)
    LEFT JOIN LATERAL (
        SELECT count.tray_sequence, count.cheques FROM inventory_traycount AS count
        WHERE count.table_id = tray.id AND NOT EXISTS (
            SELECT FROM pitboss_slip AS paper
            WHERE paper.id = count.slip_id AND paper.kind LIKE 'late%%')
        ORDER BY count.tray_sequence DESC, count.id DESC LIMIT 1
    ) AS last ON true
    CROSS JOIN LATERAL (
        SELECT counted.key::int AS cents, counted.value::bigint AS number
        FROM jsonb_each_text(last.cheques) AS counted
        UNION ALL
        SELECT moved.denomination_cents,
               sum(CASE WHEN moved.target = 'tray' THEN moved.count ELSE 0 END
                   - CASE WHEN moved.source = 'tray' THEN moved.count ELSE 0 END)
        FROM (
            SELECT transfer.* FROM inventory_chequetransfer AS transfer
            WHERE transfer.table_id = tray.id
              AND transfer.tray_sequence > coalesce(last.tray_sequence, 0)
            OFFSET 0
        ) AS moved
        GROUP BY 1
    ) AS line
"""


def cage_holding() -> Cheques:
    """Return what the ledger says the cage holds: its last verified count, and what moved since.

    Two queries. Patrons cash out at the window unseen, so until the cage is counted this may lag
    behind what is there, and even fall below zero.
    """
    return _cage_from(_verified_cage_counts().first(), ChequeTransfer.objects.all())


def cage_holding_before(count: CageCount) -> Cheques:
    """Return what the ledger said of the cage at the place where a count of it began."""
    earlier = _verified_cage_counts().filter(pk__lt=count.pk).first()
    return _cage_from(earlier, ChequeTransfer.objects.filter(pk__lte=count.after_transfer))


def _verified_cage_counts() -> QuerySet[CageCount]:
    return CageCount.objects.filter(slip__status=SlipStatus.DONE).order_by("-id")


def _cage_from(count: CageCount | None, transfers: QuerySet[ChequeTransfer]) -> Cheques:
    if count is None:
        return _moved(transfers, Holder.CAGE)
    # What the count itself posted brought the ledger to the count, and is in it already.
    since = transfers.filter(pk__gt=count.after_transfer).exclude(slip=count.slip_id)
    counted = {int(cents): number for cents, number in count.cheques.items()}
    return combined(counted, _moved(since, Holder.CAGE))


def last_cage_count() -> CageCount | None:
    """Return the last count of the cage that two people signed."""
    return _verified_cage_counts().select_related("slip").first()


@dataclass(frozen=True, slots=True)
class CageCountFound:
    """What a verified count of the cage found, and where it differed from the ledger."""

    slip: Slip
    at: datetime
    total_cents: int
    # Counted less what the ledger said, by denomination.
    changes: Cheques

    @property
    def change_cents(self) -> int:
        return total_cents(self.changes)


def cage_counts_found(limit: int = 30) -> list[CageCountFound]:
    """Return what the last verified counts found, newest first. Two queries."""
    counts = list(_verified_cage_counts().select_related("slip")[:limit])
    changes: dict[int, Cheques] = defaultdict(dict)
    for transfer in ChequeTransfer.objects.filter(slip__in=[count.slip_id for count in counts]):
        sign = 1 if transfer.target == Holder.CAGE.value else -1
        own = changes[transfer.slip_id]
        cents = transfer.denomination_cents
        own[cents] = own.get(cents, 0) + sign * transfer.count
    return [
        CageCountFound(
            slip=count.slip,
            at=count.at,
            total_cents=count.slip.total_cents,
            changes=combined(changes[count.slip_id]),
        )
        for count in counts
    ]


def last_transfer_of(holder: Holder) -> int:
    """Return the number of the newest transfer of a place, 0 when nothing ever moved there."""
    newest = ChequeTransfer.objects.filter(Q(source=holder) | Q(target=holder))
    return newest.order_by("-id").values_list("id", flat=True).first() or 0


def colours_below_zero() -> list[int]:
    """Return the denominations of which the ledger says the cage gave out more than it had.

    It only warns: more was cashed in at the window than anyone has counted since.
    """
    return [cents for cents, count in cage_holding().items() if count < 0]


def holding_of(holder: Holder) -> Cheques:
    """Return what the ledger says a place of the house holds, over all its history."""
    return _moved(ChequeTransfer.objects.all(), holder)


def _moved(transfers: QuerySet[ChequeTransfer], holder: Holder) -> Cheques:
    """Return what came to a place less what left it."""
    rows = (
        transfers.filter(Q(source=holder) | Q(target=holder))
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
    """Return what the public holds: its balance when a day was last closed, and what moved since.

    Two queries.
    """
    return public_since(PublicBalance.objects.order_by("-id").first())


def public_since(balance: PublicBalance | None) -> Cheques:
    """Return what the public holds by its last balance, if it has one.

    What moved is read at one instant, so that a fill that arrives meanwhile cannot be missed both
    in a carrier's hands and in its tray, and be taken for cheques of the public.
    """
    if balance is None:
        return holding_of(Holder.PUBLIC)
    brought_forward = {int(cents): number for cents, number in balance.cheques.items()}
    since = ChequeTransfer.objects.filter(pk__gt=balance.after_transfer)
    return combined(brought_forward, _moved(since, Holder.PUBLIC))


@dataclass(frozen=True, slots=True)
class ChequeBalance:
    """Where the cheques of one denomination are, and how many the house ever received."""

    cents: int
    cage: int
    trays: int
    carriers: int
    public: int
    variance: int
    received: int
    destroyed: int

    @property
    def adds_up(self) -> bool:
        places = self.cage + self.trays + self.carriers + self.public + self.variance
        return places == self.received - self.destroyed


def balances() -> list[ChequeBalance]:
    """Return the first identity of the ledger, highest denomination first.

    Cage and trays are what their holdings say, from counts on; the other places over all history.
    So a count that started a holding from a wrong figure shows here.
    """
    trays = combined(*tray_holdings(Table.objects.all()).values())
    places = {holder: holding_of(holder) for holder in Holder if holder != Holder.OUTSIDE}
    received = _sums(Q(source=Holder.OUTSIDE))
    destroyed = _sums(Q(target=Holder.OUTSIDE))
    cage = cage_holding()
    known = {cents for place in (*places.values(), trays, cage, received) for cents in place}
    return [
        ChequeBalance(
            cents=cents,
            cage=cage.get(cents, 0),
            trays=trays.get(cents, 0),
            carriers=places[Holder.CARRIER].get(cents, 0),
            public=places[Holder.PUBLIC].get(cents, 0),
            variance=places[Holder.VARIANCE].get(cents, 0),
            received=received.get(cents, 0),
            destroyed=destroyed.get(cents, 0),
        )
        for cents in ordered(known)
    ]


def counts_off_the_ledger() -> list[str]:
    """Return the places where counts and transfers tell two stories; the second identity: none.

    What a place held at its last count, or the public at the last closed day, and what moved since
    must be all that ever moved there.
    """
    off = [] if cage_holding() == holding_of(Holder.CAGE) else ["cage"]
    if public_holding() != holding_of(Holder.PUBLIC):
        off.append("public")
    tables = list(Table.objects.order_by("name"))
    held = tray_holdings(tables)
    off.extend(
        table.name
        for table in tables
        if held[table.pk] != _moved(ChequeTransfer.objects.filter(table=table), Holder.TRAY)
    )
    return off


def _sums(which: Q) -> Cheques:
    rows = ChequeTransfer.objects.filter(which).values_list("denomination_cents")
    return dict(rows.annotate(total=Sum("count")).order_by())


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


def asked_already(table: Table, kind: str) -> list[Slip]:
    """Return the open slips of a kind at a table whose cheques its tray has yet to take or give."""
    moved = ChequeTransfer.objects.filter(
        Q(source=Holder.TRAY) | Q(target=Holder.TRAY), slip=OuterRef("pk")
    )
    open_slips = slips_under_way([kind]).filter(table=table, status=SlipStatus.OPEN)
    return list(open_slips.filter(~Exists(moved)))


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
