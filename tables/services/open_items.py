"""What is open: everything that stops a hand-over unless it is carried over by name."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from pitboss.models import CarriedOver, ClosedDay, ClosedShift, FloorException, Person, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.day.handovers import HANDOVERS
from pitboss.rules.day.outages import OUTAGE, close_refusals
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.selectors.outages import missing_of
from pitboss.services.exceptions import CURRENCY_REPORT, HOLD_OUTSIDE, standing
from tables.models import DropWait
from tables.services.drops import boxes_to_count
from tables.services.serials import gaps


@dataclass(frozen=True, slots=True)
class OpenItem:
    """Something that is not finished: what it is, and whether it may go over into the next day."""

    key: str
    code: str
    sentence: str
    slip_id: int | None = None
    exception_id: int | None = None
    serial: str = ""

    @property
    def can_be_carried(self) -> bool:
        return self.slip_id is not None or self.exception_id is not None


def open_items(day: date, shifts: Collection[str] | None = None) -> list[OpenItem]:
    """Return everything of a gaming day, or of one before it, that is not finished.

    With names of shifts, only what these shifts of the day began. Missing numbers wait for the
    close of the day: accounting explains them, and a shift manager at midnight cannot.
    """
    reach = Q(gaming_day__lte=day)
    if shifts is not None:
        reach = Q(gaming_day__lt=day) | Q(gaming_day=day, shift__in=shifts)
    slips = (
        Slip.objects.filter(reach, status__in=[SlipStatus.OPEN, SlipStatus.RETURNING])
        .exclude(kind__in=HANDOVERS)
        .select_related("table")
        .order_by("id")
    )
    # Those of the day that were answered are looked at too; of earlier days, when it was closed.
    exceptions = standing(
        FloorException.objects.filter(reach & (Q(resolved_at=None) | Q(gaming_day=day)))
        # Due weeks later, and on the list of who files them until then: they hold no hand-over.
        .exclude(code__in=(CURRENCY_REPORT, HOLD_OUTSIDE))
        .order_by("id")
    )
    return [
        *(
            OpenItem(
                f"slip:{slip.serial}",
                "slip_open",
                f"{slip.serial}: {_named(slip)} is not finished.{_forms_out(slip)}"[:500],
                slip_id=slip.pk,
                serial=slip.serial,
            )
            for slip in slips
        ),
        *(
            OpenItem(
                f"slip:{pull.serial}",
                "box_uncounted",
                f"{pull.serial}: box {pull.details['box']} is not counted.",
                slip_id=pull.pk,
                serial=pull.serial,
            )
            for pull in boxes_to_count().filter(reach)
        ),
        *(
            OpenItem(
                f"exception:{exception.pk}",
                "exception_open",
                f"Not explained: {exception.sentence}"[:500],
                exception_id=exception.pk,
            )
            for exception in exceptions
        ),
        *_waiting_teams(),
        *(_missing_numbers(day.year) if shifts is None else ()),
    ]


def _named(slip: Slip) -> str:
    amount = f" {format_money(slip.total_cents)}" if slip.total_cents else ""
    where = f" for {slip.table}" if slip.table else ""
    return f"{slip.title.lower()}{amount}{where}"


def _forms_out(slip: Slip) -> str:
    """Say which forms an outage waits for."""
    missing = missing_of(slip) if slip.kind == OUTAGE else []
    return "".join(f" {refusal.message}" for refusal in close_refusals(missing))


def _waiting_teams() -> list[OpenItem]:
    """Return the drop teams that wait for the end of a hand: settled in a minute."""
    return [
        OpenItem(
            f"wait:{wait.table}",
            "drop_waits",
            f"The drop team is waiting at {wait.table}. The dealer lifts the wait when "
            "the hand is over.",
        )
        for wait in DropWait.objects.filter(lifted_at=None).select_related("table")
    ]


def _missing_numbers(year: int) -> list[OpenItem]:
    """Return the gaps of a year: those of the years before held the close of their own days."""
    return [
        OpenItem(
            f"serial:{gap}",
            "serial_unexplained",
            f"No slip bears the number {gap}. Accounting or a shift manager explains it.",
        )
        for gap in gaps(year)
    ]


def carried(items: Iterable[OpenItem], keys: Collection[str]) -> list[dict[str, str]]:
    """Return what a hand-over says of all that is carried over, by name."""
    return [
        {"key": item.key, "sentence": item.sentence}
        for item in items
        if item.key in keys and item.can_be_carried
    ]


def not_carried(items: Iterable[OpenItem], keys: Collection[str]) -> list[Refusal]:
    """Return why a hand-over is refused: what is open and not carried over by name."""
    return [
        Refusal(item.code, item.sentence, CONFLICT)
        for item in items
        if item.key not in keys or not item.can_be_carried
    ]


def named_in(slip: Slip) -> set[str]:
    """Return the keys of all that a hand-over carries."""
    return {item["key"] for item in slip.details["carried"]}


def carry_over(
    items: Iterable[OpenItem],
    accepted_by: Person,
    *,
    closed_day: ClosedDay | None = None,
    closed_shift: ClosedShift | None = None,
) -> list[CarriedOver]:
    """Write down what went over by name, and who answers for it now."""
    return [
        CarriedOver.objects.create(
            closed_day=closed_day,
            closed_shift=closed_shift,
            slip_id=item.slip_id,
            exception_id=item.exception_id,
            sentence=item.sentence,
            accepted_by=accepted_by,
        )
        for item in items
    ]
