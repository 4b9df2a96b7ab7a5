"""Hand a shift over: with nothing open, or with all that is open carried over by name.

The last shift of a gaming day is handed over with its day.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, timedelta

from django.db import models

from pitboss.models import ClosedShift, Signature, Slip
from pitboss.rules.flows import SlipStatus
from pitboss.rules.gaming_day import Period
from pitboss.rules.handover_flows import SHIFT_CLOSE
from pitboss.rules.refusal import Refusal, Refused
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.locks import hold_the_day, lock_desk
from pitboss.services.signing import Judgement, NewSlip, Pen, raise_slip
from tables.services.open_items import (
    OpenItem,
    carried,
    carry_over,
    named_in,
    not_carried,
    open_items,
)


def shift_before(now: datetime) -> Period:
    """Return the shift that ended last: the one to hand over now."""
    return house.period_at(house.period_at(now).began - timedelta(microseconds=1))


def is_handed_over(shift: Period) -> bool:
    """Tell whether a shift was taken on by whoever came after it."""
    return ClosedShift.objects.filter(gaming_day=shift.gaming_day, shift=shift.shift).exists()


def open_in(shift: Period) -> list[OpenItem]:
    """Return everything that this shift, or one before it, leaves open."""
    return open_items(shift.gaming_day, up_to(shift))


def up_to(shift: Period) -> list[str]:
    """Return the names of the day's shifts up to this one, as the clock had them then."""
    names = [shift.shift]
    while shift.shift_index > 0:
        shift = house.period_at(shift.began - timedelta(microseconds=1))
        names.append(shift.shift)
    return names


def new_handover(shift: Period, carry: Collection[str]) -> NewSlip:
    """Return the hand-over of a shift about to be raised, naming all that is carried over."""
    return NewSlip(
        SHIFT_CLOSE.kind,
        None,
        {},
        details={
            "gaming_day": shift.gaming_day.isoformat(),
            "shift": shift.shift,
            # The shifts that this one answers for, by the names they had then.
            "up_to": up_to(shift),
            "carried": carried(open_in(shift), carry),
        },
    )


def close_shift(*, shift: Period, carry: Collection[str], pen: Pen, shown: str) -> Slip:
    """Hand a shift over, signed by the outgoing shift manager. Raises Refused.

    It is closed when the incoming shift manager has signed too, and so taken on what is carried.
    """

    def judge(_: object, __: object) -> Judgement:
        lock_desk("shifts")
        return Judgement([*shift_refusals(shift), *not_carried(open_in(shift), carry)])

    return raise_slip(new_handover(shift, carry), pen=pen, shown=shown, judge=judge)


def shift_refusals(shift: Period) -> list[Refusal]:
    """Return why a shift cannot be handed over now, whatever is open in it."""
    refusals = []
    now = house.now()
    name = f"The {shift.shift} shift of {shift.gaming_day:%d %b %Y}"
    if shift != shift_before(now):
        refusals.append(
            Refusal(
                "shift_not_last", f"{name} is not the one that ended last. Open the page again."
            )
        )
    elif shift.gaming_day != house.period_at(now).gaming_day:
        refusals.append(
            Refusal("shift_ends_day", f"{name} ended its day. Close the gaming day instead.")
        )
    if is_handed_over(shift):
        refusals.append(Refusal("shift_closed", f"{name} is handed over already."))
    under_way = handover_under_way(shift)
    if under_way is not None:
        refusals.append(
            Refusal("close_under_way", f"{under_way.serial} hands it over. Sign it or void it.")
        )
    return refusals


def handover_under_way(shift: Period) -> Slip | None:
    """Return the hand-over of a shift that waits for its second signature."""
    return Slip.objects.filter(
        kind=SHIFT_CLOSE.kind,
        status=SlipStatus.OPEN,
        details__gaming_day=shift.gaming_day.isoformat(),
        details__shift=shift.shift,
    ).first()


@effect("shift_closed")
def _shift_closed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Close the shift alone: what it opened since must be named, or be finished."""
    hold_the_day()
    day = date.fromisoformat(slip.details["gaming_day"])
    items = open_items(day, slip.details["up_to"])
    if refusals := not_carried(items, named_in(slip)):
        raise Refused(refusals)
    closed = ClosedShift.objects.create(
        gaming_day=day, shift=slip.details["shift"], slip=slip, closed_at=at
    )
    return [closed, *carry_over(items, signature.person, closed_shift=closed)]
