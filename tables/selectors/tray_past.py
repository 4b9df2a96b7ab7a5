"""What the ledger says of a tray and of the cage around a time that has passed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Max, Q, QuerySet, Sum

from inventory.models import CageCount, ChequeTransfer, Holder, TrayCount
from pitboss.models import Slip, Table
from pitboss.rules.cheques.cheques import combined
from pitboss.rules.cheques.tray_counts import ENDING, LATE_COUNTS
from pitboss.rules.day.late_papers import (
    LATE_DEPOSIT,
    LATE_KINDS,
    LATE_MOVES,
    LATE_PAYMENT,
    LATE_TO_PATRONS,
    TrayMove,
)
from pitboss.rules.flows.corrections import (
    DEPOSIT_CORRECTION,
    FILL_CORRECTION,
    PAYMENT_CORRECTION,
)
from pitboss.rules.flows.flows import SlipStatus
from pitboss.slips.late import true_time_of

Cheques = dict[int, int]
# What a late entry moved; the other way, and to and from variance, it only undoes a count.
_MOVED_ON_PAPER = (
    Q(source=Holder.CAGE, target=Holder.TRAY)
    | Q(source=Holder.TRAY, target=Holder.CAGE)
    | Q(slip__kind__in=LATE_TO_PATRONS, source=Holder.TRAY, target=Holder.PUBLIC)
    | Q(slip__kind=LATE_PAYMENT, source=Holder.PUBLIC, target=Holder.TRAY)
)


@dataclass(frozen=True, slots=True)
class TrayPast:
    """The counts around a time, and all that moved between the two at the time that it did."""

    before: TrayCount | None
    after: TrayCount | None
    moves: tuple[TrayMove, ...]

    @property
    def counted(self) -> Cheques:
        cheques = self.before.cheques if self.before is not None else {}
        return {int(cents): number for cents, number in cheques.items()}

    def held_at(self, at: datetime) -> Cheques:
        """Return what the tray held at a time between the two, by its slips."""
        return combined(self.counted, *(move.cheques for move in self.moves if move.at <= at))


def restated_day(slip: Slip) -> date:
    """Return the gaming day that a late entry or a correction belongs to."""
    restates = slip.details.get("restates")
    return date.fromisoformat(restates) if restates else slip.gaming_day


def counts_of(table: Table) -> QuerySet[TrayCount]:
    """Return the counts of a tray in the order in which they were made, on paper or not."""
    counts = TrayCount.objects.filter(table=table).select_related("slip")
    return counts.order_by("tray_sequence", "at", "id")


def counted_at(slip: Slip) -> datetime:
    """Return when the count of a tray was made."""
    return true_time_of(slip) if slip.kind in LATE_COUNTS else slip.raised_at


def _made_by(at: datetime) -> Q:
    on_paper = Q(slip__kind__in=LATE_COUNTS)
    return on_paper & Q(at__lte=at) | ~on_paper & Q(slip__raised_at__lte=at)


def tray_past(table: Table, true_time: datetime) -> TrayPast:
    """Return what the ledger says of a tray around a time. Four queries."""
    before = last_count_by(table, true_time)
    after = counts_of(table).exclude(_made_by(true_time)).first()
    return TrayPast(
        before, after, (*_moved(table, before, after), *_moved_late(table, before, after))
    )


def _moved(table: Table, before: TrayCount | None, after: TrayCount | None) -> tuple[TrayMove, ...]:
    moved = ChequeTransfer.objects.filter(
        table=table, tray_sequence__gt=before.tray_sequence if before else 0
    ).exclude(slip__kind__in=LATE_KINDS)
    if after is not None:
        # What a count posts brings the ledger to the count: it is no slip of before.
        moved = moved.filter(tray_sequence__lte=after.tray_sequence).exclude(slip=after.slip_id)
    return tuple(_move(cheque_transfer, cheque_transfer.at) for cheque_transfer in moved)


def _moved_late(
    table: Table, before: TrayCount | None, after: TrayCount | None
) -> tuple[TrayMove, ...]:
    """Return what late papers moved, at their true time: their opposites only undo a count."""
    late = ChequeTransfer.objects.filter(
        _MOVED_ON_PAPER, table=table, slip__kind__in=LATE_KINDS
    ).select_related("slip")
    if before is not None:
        # A paper is entered after it happened, so none from before this count is left out.
        late = late.filter(slip__raised_at__gt=counted_at(before.slip))
    return tuple(
        _move(cheque_transfer, happened)
        for cheque_transfer in late
        for happened in (true_time_of(cheque_transfer.slip),)
        if (before is None or happened > counted_at(before.slip))
        and (after is None or happened < counted_at(after.slip))
    )


def _move(transfer: ChequeTransfer, at: datetime) -> TrayMove:
    sign = 1 if transfer.target == Holder.TRAY.value else -1
    return TrayMove(at, {transfer.denomination_cents: sign * transfer.count})


def cage_count_since(true_time: datetime) -> CageCount | None:
    """Return the first count of the cage after a time that was not voided."""
    return (
        CageCount.objects.exclude(slip__status=SlipStatus.VOIDED)
        .filter(slip__raised_at__gt=true_time)
        .select_related("slip")
        .order_by("id")
        .first()
    )


def last_count_by(table: Table, at: datetime) -> TrayCount | None:
    """Return the last count of a tray that was made by a time, on paper or not."""
    return counts_of(table).filter(_made_by(at)).last()


def place_at(past: TrayPast, table: Table, true_time: datetime) -> int:
    """Return the sequence that a tray had at a time: what moved on the site until then."""
    moved = ChequeTransfer.objects.filter(table=table, at__lte=true_time)
    last = moved.exclude(slip__kind__in=LATE_KINDS).aggregate(last=Max("tray_sequence"))["last"]
    return max(last or 0, past.before.tray_sequence if past.before is not None else 0)


def place_in_tray(slip: Slip) -> int | None:
    """Return the sequence that the tray had after a slip moved its cheques; none if it did not.

    What was entered late is found by its time: it was posted at another place than it happened.
    """
    if slip.kind in LATE_MOVES:
        return None
    moved = ChequeTransfer.objects.filter(slip=slip, table__isnull=False)
    last: int | None = moved.aggregate(last=Max("tray_sequence"))["last"]
    return last


def count_that_saw(table: Table, slip: Slip) -> TrayCount | None:
    """Return the first count of a tray that has seen what a finished slip moved, late or not."""
    if slip.kind in LATE_MOVES:
        return tray_past(table, true_time_of(slip)).after
    place = place_in_tray(slip)
    return tray_count_after(table, place) if place is not None else None


def tray_count_after(table: Table, place: int) -> TrayCount | None:
    """Return the first count of a tray that has seen what moved at a place of its sequence."""
    return counts_of(table).filter(tray_sequence__gte=place).first()


def play_ended(table: Table, place: int) -> TrayCount | None:
    """Return the count that ended the stretch of play in which something moved; none while open."""
    return counts_of(table).filter(tray_sequence__gte=place, slip__kind__in=ENDING).first()


def cage_count_after(slip: Slip) -> CageCount | None:
    """Return the first count of the cage that has seen a slip's cheques leave or come."""
    if slip.kind in LATE_MOVES:
        return cage_count_since(true_time_of(slip))
    moved = ChequeTransfer.objects.filter(
        Q(source=Holder.CAGE) | Q(target=Holder.CAGE), slip=slip
    ).aggregate(last=Max("pk"))["last"]
    if moved is None:
        return None
    counts = CageCount.objects.exclude(slip__status=SlipStatus.VOIDED).select_related("slip")
    return counts.filter(after_transfer__gte=moved).order_by("id").first()


def found_in_the_cage(count: CageCount | None) -> Cheques:
    """Return what a count of the cage found over the ledger and no late paper has explained yet."""
    if count is None:
        return {}
    found = _sums(Q(slip=count.slip_id, target=Holder.CAGE))
    explained = _sums(
        Q(
            pk__gt=count.after_transfer,
            slip__kind__in=LATE_KINDS
            | {LATE_DEPOSIT, FILL_CORRECTION, PAYMENT_CORRECTION, DEPOSIT_CORRECTION},
            source=Holder.CAGE,
            target__in=[Holder.PUBLIC, Holder.VARIANCE],
        )
    )
    left = {cents: number - explained.get(cents, 0) for cents, number in found.items()}
    return {cents: number for cents, number in left.items() if number > 0}


def _sums(which: Q) -> Cheques:
    rows = ChequeTransfer.objects.filter(which).values_list("denomination_cents")
    return dict(rows.annotate(total=Sum("count")).order_by())
