"""The log of a pit's markers, day by day, and whether it agrees with the slips behind it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet, Sum

from inventory.models import GIVES_BACK, TAKES, ChequeTransfer, Holder, MarkerEntry, MarkerMove
from inventory.selectors.cheques import WORTH_CENTS
from pitboss.models import Pit, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.day.late_papers import LATE_MARKER, LATE_PAYMENT
from pitboss.rules.flows.corrections import MARKER_CORRECTION, PAYMENT_CORRECTION
from pitboss.rules.flows.flows import SlipStatus

# What adds to a pit's markers and what takes from them. Issue adds nothing: the line was reserved.
_SIGNS = {
    MarkerMove.RESERVED: 1,
    MarkerMove.TO_PIT: 1,
    MarkerMove.PAID: -1,
    MarkerMove.VOIDED: -1,
    MarkerMove.TO_CAGE: -1,
    MarkerMove.CORRECTED: -1,
    MarkerMove.REVERSED: 1,
}
PAYMENT_KINDS = frozenset(
    {
        "marker_payment",
        "marker_payment_cage",
        "marker_payment_check",
        "marker_payment_issued",
        "marker_payment_mail",
        "marker_payment_wire",
        "marker_payment_front",
        "marker_set_off",
        LATE_PAYMENT,
    }
)


@dataclass(frozen=True, slots=True)
class DayLog:
    """One gaming day of a pit's markers: what was there, what came and went, what is there."""

    pit: Pit
    day: date
    opening_cents: int
    issued_cents: int
    recalled_cents: int
    paid_cents: int
    transferred_cents: int
    voided_cents: int
    corrected_cents: int
    reversed_cents: int
    # What is owed on each marker that lies in the pit at the end of the day, added up.
    found_cents: int
    entries: tuple[MarkerEntry, ...]

    @property
    def closing_cents(self) -> int:
        return (
            self.opening_cents
            + self.issued_cents
            + self.recalled_cents
            - self.paid_cents
            - self.transferred_cents
            - self.voided_cents
            - self.corrected_cents
            + self.reversed_cents
        )

    @property
    def balances(self) -> bool:
        return self.closing_cents == self.found_cents

    @property
    def is_empty(self) -> bool:
        return not self.entries and not self.opening_cents


def day_logs(day: date) -> list[DayLog]:
    """Return the log of every pit for a gaming day."""
    before = _sums(Q(gaming_day__lt=day))
    found = _found_at_end_of(day)
    entries: dict[int, list[MarkerEntry]] = defaultdict(list)
    of_the_day = (
        MarkerEntry.objects.filter(gaming_day=day, pit__isnull=False, move__in=_SIGNS)
        .select_related("marker__slip", "marker__patron", "slip", "table")
        .order_by("id")
    )
    for entry in of_the_day:
        assert entry.pit_id is not None
        entries[entry.pit_id].append(entry)
    return [
        _day_log(pit, day, before.get(pit.pk, 0), found.get(pit.pk, 0), entries[pit.pk])
        for pit in Pit.objects.order_by("name")
    ]


def _day_log(
    pit: Pit, day: date, opening_cents: int, found_cents: int, entries: list[MarkerEntry]
) -> DayLog:
    sums: dict[str, int] = defaultdict(int)
    for entry in entries:
        sums[entry.move] += entry.amount_cents
    return DayLog(
        pit=pit,
        day=day,
        opening_cents=opening_cents,
        issued_cents=sums[MarkerMove.RESERVED],
        recalled_cents=sums[MarkerMove.TO_PIT],
        paid_cents=sums[MarkerMove.PAID],
        transferred_cents=sums[MarkerMove.TO_CAGE],
        voided_cents=sums[MarkerMove.VOIDED],
        corrected_cents=sums[MarkerMove.CORRECTED],
        reversed_cents=sums[MarkerMove.REVERSED],
        found_cents=found_cents,
        entries=tuple(entries),
    )


def _sums(which: Q) -> dict[int, int]:
    """Return what pits' markers are worth after some entries, by pit. One query."""
    sums: dict[int, int] = defaultdict(int)
    rows = (
        MarkerEntry.objects.filter(which, pit__isnull=False)
        .values_list("pit", "move")
        .annotate(total=Sum("amount_cents"))
        .order_by()
    )
    for pit_id, move, total in rows:
        sums[pit_id] += _SIGNS.get(MarkerMove(move), 0) * total
    return sums


def _found_at_end_of(day: date) -> dict[int, int]:
    """Return what is owed on the markers that lay in each pit when a day ended, marker by marker.

    The log adds amounts up; this follows each marker, so that what was paid or moved in another
    pit's name, or twice, shows.
    """
    balance: dict[int, int] = {}
    lies_in: dict[int, int | None] = {}
    rows = MarkerEntry.objects.filter(gaming_day__lte=day).order_by("id")
    for marker_id, move, cents, pit_id in rows.values_list(
        "marker_id", "move", "amount_cents", "pit_id"
    ):
        if move == MarkerMove.RESERVED:
            balance[marker_id], lies_in[marker_id] = cents, pit_id
        elif move in TAKES:
            balance[marker_id] = balance.get(marker_id, 0) - cents
        elif move in GIVES_BACK:
            balance[marker_id] = balance.get(marker_id, 0) + cents
        elif move == MarkerMove.TO_CAGE:
            lies_in[marker_id] = None
        elif move == MarkerMove.TO_PIT:
            lies_in[marker_id] = pit_id
    found: dict[int, int] = defaultdict(int)
    for marker_id, cents in balance.items():
        lies = lies_in.get(marker_id)
        if lies is not None:
            found[lies] += cents
    return found


def log_differences(day: date) -> list[str]:
    """Say where the log of a day differs from itself, from its slips or from the cheque ledger."""
    said = [
        f"{log.pit}: the log closes on {format_money(log.closing_cents)}, and its markers are "
        f"{format_money(log.found_cents)}."
        for log in day_logs(day)
        if not log.balances
    ]
    of_the_day = MarkerEntry.objects.filter(slip__gaming_day=day)
    slips = Slip.objects.filter(gaming_day=day)
    markers = slips.filter(kind__in=("marker", LATE_MARKER))
    of_the_day = of_the_day.exclude(slip__kind__in=(MARKER_CORRECTION, PAYMENT_CORRECTION))
    # A win that is set off counts when it is paid, which may be after all have signed.
    payments = slips.filter(kind__in=PAYMENT_KINDS, status=SlipStatus.DONE).exclude(
        kind="marker_set_off", instrument=None
    )
    went_out = ChequeTransfer.objects.filter(
        slip__in=markers, source=Holder.TRAY, target=Holder.PUBLIC
    ).aggregate(cents=Sum(WORTH_CENTS))
    for what, logged, slipped in (
        (
            "issued",
            _total(of_the_day.filter(move=MarkerMove.RESERVED)),
            markers.aggregate(cents=Sum("total_cents"))["cents"] or 0,
        ),
        (
            "paid out in cheques",
            _total(of_the_day.filter(move=MarkerMove.ISSUED)),
            went_out["cents"] or 0,
        ),
        (
            "paid back",
            _total(of_the_day.filter(move=MarkerMove.PAID)),
            sum(slip.details["amount_cents"] for slip in payments),
        ),
    ):
        if logged != slipped:
            said.append(
                f"The log has {format_money(logged)} {what}, and its slips {format_money(slipped)}."
            )
    return said


def _total(entries: QuerySet[MarkerEntry]) -> int:
    return entries.aggregate(cents=Sum("amount_cents"))["cents"] or 0
