"""Close a gaming day: with nothing open, or with all that is open carried over by name."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime

from django.db import models

from pitboss.models import CarriedOver, ClosedDay, FloorException, Signature, Slip
from pitboss.rules.cheques import format_money
from pitboss.rules.flows import SlipStatus
from pitboss.rules.late_flows import DAY_CLOSE
from pitboss.rules.refusal import Refusal, Refused
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.exceptions import CURRENCY_REPORT
from pitboss.services.locks import hold_the_day, lock_desk
from pitboss.services.signing import Judgement, NewSlip, Pen, raise_slip
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

    @property
    def can_be_carried(self) -> bool:
        return self.slip_id is not None or self.exception_id is not None


def open_items(day: date) -> list[OpenItem]:
    """Return everything of a gaming day, or of one before it, that is not finished."""
    slips = (
        Slip.objects.filter(gaming_day__lte=day, status__in=[SlipStatus.OPEN, SlipStatus.RETURNING])
        .exclude(kind=DAY_CLOSE.kind)
        .select_related("table")
        .order_by("id")
    )
    exceptions = (
        FloorException.objects.filter(gaming_day__lte=day, resolved_at=None)
        # Due weeks later, and on compliance's own list until then: no matter of the day's close.
        .exclude(code=CURRENCY_REPORT)
        .order_by("id")
    )
    return [
        *(
            OpenItem(
                f"slip:{slip.serial}",
                "slip_open",
                f"{slip.serial}: {_named(slip)} is not finished.",
                slip_id=slip.pk,
            )
            for slip in slips
        ),
        *(
            OpenItem(
                f"slip:{pull.serial}",
                "box_uncounted",
                f"{pull.serial}: box {pull.details['box']} is not counted.",
                slip_id=pull.pk,
            )
            for pull in boxes_to_count().filter(gaming_day__lte=day)
        ),
        *(
            OpenItem(
                f"exception:{each.pk}",
                "exception_open",
                f"Not explained: {each.sentence}"[:500],
                exception_id=each.pk,
            )
            for each in exceptions
        ),
        *_cannot_wait(),
    ]


def _named(slip: Slip) -> str:
    amount = f" {format_money(slip.total_cents)}" if slip.total_cents else ""
    where = f" for {slip.table}" if slip.table else ""
    return f"{slip.title.lower()}{amount}{where}"


def _cannot_wait() -> list[OpenItem]:
    """Return what is settled in a minute, or must be before a day can be believed."""
    waits = DropWait.objects.filter(lifted_at=None).select_related("table")
    return [
        *(
            OpenItem(
                f"wait:{wait.table}",
                "drop_waits",
                f"The drop team waits at {wait.table}. Its dealer lifts it when the hand is over.",
            )
            for wait in waits
        ),
        *(
            OpenItem(
                f"serial:{gap}",
                "serial_unexplained",
                f"No slip bears the number {gap}. Accounting or a shift manager explains it.",
            )
            for gap in gaps()
        ),
    ]


def new_close(day: date, carry: Collection[str]) -> NewSlip:
    """Return the close of a gaming day about to be raised, naming all that is carried over."""
    carried = [item for item in open_items(day) if item.key in carry and item.can_be_carried]
    return NewSlip(
        DAY_CLOSE.kind,
        None,
        {},
        details={
            "gaming_day": day.isoformat(),
            "carried": [{"key": item.key, "sentence": item.sentence} for item in carried],
        },
    )


def close_day(*, day: date, carry: Collection[str], pen: Pen, shown: str) -> Slip:
    """Hand a gaming day over, signed by the outgoing shift manager. Raises Refused.

    It is closed when the incoming shift manager has signed too, and so taken on what is carried.
    """

    def judge(_: object, __: object) -> Judgement:
        lock_desk("days")
        return Judgement([*day_refusals(day), *_not_carried(day, carry)])

    return raise_slip(new_close(day, carry), pen=pen, shown=shown, judge=judge)


def day_refusals(day: date) -> list[Refusal]:
    """Return why a gaming day cannot be closed at all now, whatever is open in it."""
    refusals = []
    if house.period_at(house.now()).gaming_day <= day:
        refusals.append(
            Refusal("day_not_over", f"The gaming day {day:%d %b %Y} is not over. Close it then.")
        )
    if house.is_closed(day):
        refusals.append(Refusal("day_closed", f"The gaming day {day:%d %b %Y} is closed already."))
    under_way = Slip.objects.filter(
        kind=DAY_CLOSE.kind, status=SlipStatus.OPEN, details__gaming_day=day.isoformat()
    ).first()
    if under_way is not None:
        refusals.append(
            Refusal("close_under_way", f"{under_way.serial} closes this day. Sign it or void it.")
        )
    earlier = oldest_open_day()
    if earlier is not None and earlier < day:
        refusals.append(
            Refusal(
                "earlier_day_open", f"The gaming day {earlier:%d %b %Y} is open. Close it first."
            )
        )
    return refusals


def oldest_open_day() -> date | None:
    """Return the first gaming day with slips in it that is not closed."""
    closed = ClosedDay.objects.values("gaming_day")
    days = Slip.objects.exclude(gaming_day__in=closed).order_by("gaming_day")
    return days.values_list("gaming_day", flat=True).first()


def _not_carried(day: date, carry: Collection[str]) -> list[Refusal]:
    return [
        Refusal(item.code, item.sentence)
        for item in open_items(day)
        if item.key not in carry or not item.can_be_carried
    ]


@effect("day_closed")
def _day_closed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Close the day alone: what opened since it was handed over must be named, or be finished."""
    hold_the_day()
    day = date.fromisoformat(slip.details["gaming_day"])
    named = {item["key"] for item in slip.details["carried"]}
    refusals = _not_carried(day, named)
    if refusals:
        raise Refused(refusals)
    closed = ClosedDay.objects.create(gaming_day=day, slip=slip, closed_at=at)
    carried = [
        CarriedOver.objects.create(
            closed_day=closed,
            slip_id=item.slip_id,
            exception_id=item.exception_id,
            sentence=item.sentence,
            accepted_by=signature.person,
        )
        for item in open_items(day)
    ]
    return [closed, *carried]


def open_days() -> list[date]:
    """Return the gaming days that are over or under way and not closed, oldest first."""
    closed = ClosedDay.objects.values("gaming_day")
    days = set(Slip.objects.exclude(gaming_day__in=closed).values_list("gaming_day", flat=True))
    return sorted(days | {house.period_at(house.now()).gaming_day})
