"""The papers of a gaming day, read for many tables at once: what a report of win is made from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KT

from inventory.models import ChequeTransfer, MarkerEntry, MarkerMove, TrayCount
from pitboss.models import Slip, Table
from pitboss.rules.cheques.tray_counts import ENDING
from pitboss.rules.day.late_papers import LATE_KINDS, LATE_MOVES
from pitboss.rules.drop.corrections import DROP_CORRECTION
from pitboss.rules.drop.figures import DROP_COUNT, PULLS
from pitboss.rules.flows.corrections import PAYMENT_CORRECTION, RESTATING
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services.journal import plain_time
from tables.models import DropEstimate
from tables.selectors.compartments import left_at
from tables.selectors.tray_past import counted_at
from tables.services.payouts import PaidOut, payouts_between


@dataclass(frozen=True, slots=True)
class Stretch:
    """Play from one count of a tray to the next."""

    began: TrayCount
    ended: TrayCount


@dataclass(frozen=True, slots=True)
class BoxOfDay:
    """A box that was pulled, the count that ended it, and what was counted in it."""

    pull: Slip
    ended: Slip
    counted: Slip | None
    # What put that count right afterwards, oldest first.
    corrections: Sequence[Slip] = ()


@dataclass(frozen=True, slots=True)
class DayBook:
    """Everything of one table that its win in a gaming day, or in a shift of it, is made from."""

    # The counts of the day, the one before it, and the one that ended play before it.
    counts: Sequence[TrayCount] = ()
    stretches: Sequence[Stretch] = ()
    # What moved in and out of the tray from the first stretch to the last.
    moves: Sequence[ChequeTransfer] = ()
    # What was paid on markers in cash meanwhile: it lies in the box, and no tray has moved by it.
    cash_payments: Sequence[MarkerEntry] = ()
    late: Sequence[Slip] = ()
    # What corrects finished slips of these stretches, oldest first.
    corrections: Sequence[Slip] = ()
    # What was paid beyond the game and did not move in the ledger.
    payouts: Sequence[PaidOut] = ()
    boxes: Sequence[BoxOfDay] = ()
    # Serials of the counts on which a box was pulled.
    pulled_on: frozenset[str] = frozenset()
    estimates: Sequence[DropEstimate] = ()


def day_books(
    tables: Iterable[Table], gaming_day: date, shift: str | None = None
) -> dict[int, DayBook]:
    """Return the book of each table. A fixed number of queries, however many tables.

    A stretch of play belongs to the day and shift of the count that ends it, and a box to those of
    the count that it was pulled on.
    """
    keys = [table.pk for table in tables]
    counts = _counts(keys, gaming_day)
    stretches = {
        key: [
            Stretch(began, ended)
            for began, ended in pairwise(of_table)
            if ended.slip.kind in ENDING and _is_in(ended.slip, gaming_day, shift)
        ]
        for key, of_table in counts.items()
    }
    moves, late = _moves(stretches), _late(stretches)
    cash_payments = _cash_payments(stretches)
    corrections = _corrections(stretches)
    payouts = _payouts(stretches)
    boxes = _boxes([tray_count.slip for of_table in counts.values() for tray_count in of_table])
    pulled_on = frozenset(box.ended.serial for box in boxes)
    in_period: dict[int | None, list[BoxOfDay]] = defaultdict(list)
    for box in boxes:
        if _is_in(box.ended, gaming_day, shift):
            in_period[box.ended.table_id].append(box)
    estimates = _estimates(keys, gaming_day, shift)
    return {
        key: DayBook(
            counts=counts.get(key, []),
            stretches=stretches.get(key, []),
            moves=moves[key],
            cash_payments=cash_payments[key],
            late=late[key],
            corrections=corrections[key],
            payouts=payouts[key],
            boxes=in_period[key],
            pulled_on=pulled_on,
            estimates=estimates[key],
        )
        for key in keys
    }


def _is_in(slip: Slip, gaming_day: date, shift: str | None) -> bool:
    return slip.gaming_day == gaming_day and shift in (None, slip.shift)


def _counts(keys: Sequence[int], gaming_day: date) -> dict[int, list[TrayCount]]:
    """Return the counts of the day by table, led by the last before and the last of play."""
    counts = TrayCount.objects.select_related("slip").defer("slip__plan", "slip__cheques")
    counts = counts.order_by("tray_sequence", "at", "id")
    of_the_day: dict[int, list[TrayCount]] = defaultdict(list)
    for count in counts.filter(table__in=keys, slip__gaming_day=gaming_day):
        of_the_day[count.table_id].append(count)
    before = TrayCount.objects.filter(
        Q(tray_sequence__lt=OuterRef("tray_sequence"))
        | Q(at__lt=OuterRef("at"))
        | Q(at=OuterRef("at"), pk__lt=OuterRef("pk")),
        # Said apart, so that the index is read from here back, not from today.
        tray_sequence__lte=OuterRef("tray_sequence"),
        table=OuterRef("table"),
    ).order_by("-tray_sequence", "-at", "-id")
    firsts = TrayCount.objects.filter(pk__in=[item[0].pk for item in of_the_day.values()])
    led_by = firsts.values_list(
        Subquery(before.filter(slip__kind__in=ENDING).values("pk")[:1]),
        Subquery(before.values("pk")[:1]),
    )
    earlier: dict[int, list[TrayCount]] = defaultdict(list)
    for count in counts.filter(pk__in={key for pair in led_by for key in pair if key is not None}):
        earlier[count.table_id].append(count)
    return {key: [*earlier[key], *found] for key, found in of_the_day.items()}


def _moves(
    stretches: Mapping[int, Sequence[Stretch]],
) -> defaultdict[int | None, list[ChequeTransfer]]:
    wanted = Q(pk__in=[])
    for key, found in stretches.items():
        if found:
            wanted |= Q(
                table=key,
                tray_sequence__gt=found[0].began.tray_sequence,
                tray_sequence__lte=found[-1].ended.tray_sequence,
            )
    moves: defaultdict[int | None, list[ChequeTransfer]] = defaultdict(list)
    rows = ChequeTransfer.objects.filter(wanted).exclude(slip__kind__in=LATE_KINDS | RESTATING)
    # What its slip says at length is no part of a move.
    rows = rows.select_related("slip").defer("slip__plan", "slip__details", "slip__cheques")
    for move in rows.order_by("tray_sequence"):
        moves[move.table_id].append(move)
    return moves


def _cash_payments(
    stretches: Mapping[int, Sequence[Stretch]],
) -> defaultdict[int | None, list[MarkerEntry]]:
    """Return what was paid on markers in cash from the first stretch of any table to the last."""
    paid: defaultdict[int | None, list[MarkerEntry]] = defaultdict(list)
    every = [stretch for found in stretches.values() for stretch in found]
    if not every:
        return paid
    # The slips of these days, found by their day: a count may be signed on the day after its own.
    days = (
        min(stretch.began.slip.gaming_day for stretch in every),
        max(counted_at(stretch.ended.slip) for stretch in every).date() + timedelta(days=1),
    )
    rows = MarkerEntry.objects.filter(
        table__in=stretches, move=MarkerMove.PAID, cash_cents__gt=0, slip__gaming_day__range=days
    ).exclude(slip__kind__in=LATE_KINDS | RESTATING)
    for entry in rows.select_related("slip").order_by("id"):
        paid[entry.table_id].append(entry)
    return paid


def _late(stretches: Mapping[int, Sequence[Stretch]]) -> defaultdict[int | None, list[Slip]]:
    """Return what was keyed late and happened from the first stretch of any table to the last."""
    late: defaultdict[int | None, list[Slip]] = defaultdict(list)
    every = [stretch for found in stretches.values() for stretch in found]
    if not every:
        return late
    rows = Slip.objects.filter(
        table__in=stretches,
        kind__in=LATE_MOVES,
        status=SlipStatus.DONE,
        details__true_time__gt=plain_time(min(counted_at(stretch.began.slip) for stretch in every)),
        details__true_time__lte=plain_time(
            max(counted_at(stretch.ended.slip) for stretch in every)
        ),
    )
    for slip in rows.order_by("id"):
        late[slip.table_id].append(slip)
    return late


def _corrections(stretches: Mapping[int, Sequence[Stretch]]) -> defaultdict[int | None, list[Slip]]:
    """Return what corrects finished slips of these tables, posted from their first day on."""
    found: defaultdict[int | None, list[Slip]] = defaultdict(list)
    every = [stretch for of_table in stretches.values() for stretch in of_table]
    if not every:
        return found
    rows = Slip.objects.filter(
        table__in=stretches,
        kind__in=RESTATING,
        status=SlipStatus.DONE,
        gaming_day__gte=min(stretch.began.slip.gaming_day for stretch in every),
    )
    for slip in rows.defer("plan", "cheques").order_by("id"):
        found[slip.table_id].append(slip)
    return found


def is_restated_in(correction: Slip, stretch: Stretch) -> bool:
    """Tell whether what a correction corrects happened in a stretch of play."""
    place: int | None = correction.details.get("tray_place")
    if place is not None:
        return stretch.began.tray_sequence < place <= stretch.ended.tray_sequence
    happened = datetime.fromisoformat(correction.details["true_time"])
    if correction.kind == PAYMENT_CORRECTION:
        # Cash that a tray never saw belongs where its payment does: by when that was begun.
        return counted_at(stretch.began.slip) < happened <= counted_at(stretch.ended.slip)
    return stretch.began.at < happened <= stretch.ended.at


def _payouts(stretches: Mapping[int, Sequence[Stretch]]) -> defaultdict[int | None, list[PaidOut]]:
    """Return what was paid from the first stretch of any table to the last."""
    payouts: defaultdict[int | None, list[PaidOut]] = defaultdict(list)
    every = [stretch for found in stretches.values() for stretch in found]
    if every:
        after = min(stretch.began.at for stretch in every)
        for paid in payouts_between(after, max(stretch.ended.at for stretch in every)):
            payouts[paid.table_id].append(paid)
    return payouts


def _boxes(counts: Sequence[Slip]) -> list[BoxOfDay]:
    """Return the boxes that were pulled on these counts, or between them on none."""
    by_serial = {count.serial: count for count in counts}
    # As texts: so the indexes say them by which a count has one box, and a box one count.
    done = (
        Slip.objects.filter(status=SlipStatus.DONE)
        .annotate(of_count=KT("details__count"), of_pull=KT("details__pull"))
        .defer("plan", "cheques")
    )
    ended: dict[Slip, Slip] = {
        pull: by_serial[pull.details["count"]]
        for pull in done.filter(kind__in=PULLS, of_count__in=list(by_serial)).order_by("id")
    }
    ended |= _pulled_on_none(done, counts)
    pulls = sorted(ended, key=lambda pull: pull.pk)
    serials = [pull.serial for pull in pulls]
    counted = {
        count.details["pull"]: count for count in done.filter(kind=DROP_COUNT, of_pull__in=serials)
    }
    corrected: defaultdict[str, list[Slip]] = defaultdict(list)
    for slip in done.filter(kind=DROP_CORRECTION, of_pull__in=serials).order_by("id"):
        corrected[slip.details["pull"]].append(slip)
    return [
        BoxOfDay(
            pull,
            ended[pull],
            counted.get(pull.serial),
            corrected[pull.serial],
        )
        for pull in pulls
    ]


def _pulled_on_none(done: QuerySet[Slip], counts: Sequence[Slip]) -> dict[Slip, Slip]:
    """Return the boxes that left open tables without a count, with the count that ended that play.

    The house does without one: the cash belongs to the play in which the box was pulled.
    """
    if not counts:
        return {}
    days = min(count.gaming_day for count in counts), max(count.gaming_day for count in counts)
    pulls = done.filter(
        kind__in=PULLS,
        details__count=None,
        table__in={count.table_id for count in counts},
        gaming_day__range=days,
    )
    found = {}
    for pull in pulls.order_by("id"):
        of_table = [count for count in counts if count.table_id == pull.table_id]
        if counted_at(of_table[0]) < left_at(pull) and (count := _ended_by(pull, of_table)):
            found[pull] = count
    return found


def _ended_by(pull: Slip, counts: Iterable[Slip]) -> Slip | None:
    """Return the first of a table's counts that ended the play in which a box was pulled."""
    return next(
        (count for count in counts if count.kind in ENDING and counted_at(count) >= left_at(pull)),
        None,
    )


def corrected_on(count: Slip) -> str:
    """Return the serial of what corrects a count of a box, or a correction of one; none if none."""
    later = count.referred_by.filter(kind=DROP_CORRECTION).exclude(status=SlipStatus.VOIDED)
    return str(later.values_list("serial", flat=True).first() or "")


def pull_of_count(count: Slip) -> tuple[Slip, Slip]:
    """Return the pull of a box that was counted, and the count of the tray that ended it.

    While the play goes on in which a box was pulled without one, the pull stands for it.
    """
    pull = Slip.objects.select_related("table__pit").get(serial=count.details["pull"])
    if pull.details["count"] is not None:
        return pull, Slip.objects.get(serial=pull.details["count"])
    later = TrayCount.objects.filter(table=pull.table_id, at__gte=left_at(pull))
    counts = later.select_related("slip").order_by("tray_sequence", "at", "id")
    return pull, _ended_by(pull, (tray_count.slip for tray_count in counts)) or pull


def _estimates(
    keys: Sequence[int], gaming_day: date, shift: str | None
) -> defaultdict[int, list[DropEstimate]]:
    rows = DropEstimate.objects.filter(table__in=keys, gaming_day=gaming_day)
    if shift is not None:
        rows = rows.filter(shift=shift)
    estimates: defaultdict[int, list[DropEstimate]] = defaultdict(list)
    for row in rows.select_related("keyed_by").order_by("id"):
        estimates[row.table_id].append(row)
    return estimates
