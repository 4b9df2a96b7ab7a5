"""Close a gaming day: with nothing open, or with all that is open carried over by name."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, timedelta

from django.db import models
from django.db.models import Max, Min

from inventory.services.ledger import bring_public_forward
from pitboss.models import ClosedDay, Signature, Slip
from pitboss.rules.flows import SlipStatus
from pitboss.rules.handover_flows import DAY_CLOSE
from pitboss.rules.refusal import Refusal, Refused
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.locks import hold_the_day, lock_desk
from pitboss.services.signing import Judgement, NewSlip, Pen, raise_slip
from tables.services.open_items import carried, carry_over, named_in, not_carried, open_items


def new_close(day: date, carry: Collection[str]) -> NewSlip:
    """Return the close of a gaming day about to be raised, naming all that is carried over."""
    return NewSlip(
        DAY_CLOSE.kind,
        None,
        {},
        details={
            "gaming_day": day.isoformat(),
            "carried": carried(open_items(day), carry),
        },
    )


def close_day(*, day: date, carry: Collection[str], pen: Pen, shown: str) -> Slip:
    """Hand a gaming day over, signed by the outgoing shift manager. Raises Refused.

    It is closed when the incoming shift manager has signed too, and so taken on what is carried.
    """

    def judge(_: object, __: object) -> Judgement:
        lock_desk("days")
        return Judgement([*day_refusals(day), *not_carried(open_items(day), carry)])

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
    return min(_unclosed_days(), default=None)


def _unclosed_days() -> set[date]:
    """Return the gaming days with slips in them that are not closed.

    Days are looked through, and the slips of those that are not closed: never the slips of years.
    """
    ends = Slip.objects.aggregate(first=Min("gaming_day"), last=Max("gaming_day"))
    if ends["first"] is None:
        return set()
    closed = set(ClosedDay.objects.values_list("gaming_day", flat=True))
    days = (ends["first"] + timedelta(n) for n in range((ends["last"] - ends["first"]).days + 1))
    left = [day for day in days if day not in closed]
    slips = Slip.objects.filter(gaming_day__in=left).order_by()
    return set(slips.values_list("gaming_day", flat=True).distinct())


@effect("day_closed")
def _day_closed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Close the day alone: what opened since it was handed over must be named, or be finished."""
    hold_the_day()
    day = date.fromisoformat(slip.details["gaming_day"])
    items = open_items(day)
    if refusals := not_carried(items, named_in(slip)):
        raise Refused(refusals)
    closed = ClosedDay.objects.create(gaming_day=day, slip=slip, closed_at=at)
    carried = carry_over(items, signature.person, closed_day=closed)
    return [closed, *carried, bring_public_forward(slip=slip, at=at)]


def open_days() -> list[date]:
    """Return the gaming days that are over or under way and not closed, oldest first."""
    return sorted(_unclosed_days() | {house.period_at(house.now()).gaming_day})
