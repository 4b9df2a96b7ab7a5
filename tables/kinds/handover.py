"""Shift managers hand over to each other: a shift, and the gaming day with its last shift.

With nothing open, or with all that is open carried over by name. It is closed when the incoming
shift manager has signed too, and so taken on what is carried. It is asked and signed on one page:
each open thing is ticked by hand before the pad signs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final

from django.db import models
from django.http import Http404
from django.urls import reverse

from inventory.services.ledger import bring_public_forward
from pitboss.build import this_build
from pitboss.middleware import PitRequest
from pitboss.models import ClosedDay, ClosedShift, Signature, Slip
from pitboss.paper.content import Note
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.day import handovers
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.floor.fields import Day, Several
from pitboss.rules.flows.flows import Need, Promise, Readers, SlipStatus, Step, void_witnessed
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import KEEPING_BOOKS, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.locks import hold_the_day
from pitboss.services.pads import attested_first
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.slips.raising import shown_before
from pitboss.views.pads import pad_of
from tables.services.days import oldest_open_day, open_days
from tables.services.open_items import (
    OpenItem,
    carried,
    carry_over,
    named_in,
    not_carried,
    open_items,
)
from tables.services.shifts import (
    handover_under_way,
    is_handed_over,
    open_in,
    shift_before,
    up_to,
)

Items = Callable[[Raising], Sequence[OpenItem]]
_CARRY: Final = Several(name="carry", label="Carried over")


def _day(raising: Raising) -> date:
    return date.fromisoformat(raising.given["day"])


def _shift(raising: Raising) -> Period:
    shift: Period = raising.given["shift"]
    return shift


def _of_the_last_shift(raising: Raising) -> Raising:
    """Fix which shift is handed over: the one that ended last."""
    return replace(raising, given={**raising.given, "shift": shift_before(house.now())})


def _drafted_day(raising: Raising) -> NewSlip:
    """Draft the close of a gaming day, naming all that is carried over."""
    day = _day(raising)
    details = {
        "gaming_day": day.isoformat(),
        "carried": carried(open_items(day), raising.given.get("carry", ())),
    }
    return NewSlip(raising.kind.kind, None, {}, details=details)


def _drafted_shift(raising: Raising) -> NewSlip:
    """Draft the hand-over of a shift, naming all that is carried over."""
    shift = _shift(raising)
    details = {
        "gaming_day": shift.gaming_day.isoformat(),
        "shift": shift.shift,
        # The shifts that this one answers for, by the names they had then.
        "up_to": up_to(shift),
        "carried": carried(open_in(shift), raising.given.get("carry", ())),
        "program": this_build().words,
    }
    return NewSlip(raising.kind.kind, None, {}, details=details)


def _all_refusals(
    stops: Callable[[Raising], Sequence[Refusal]], items: Items
) -> Callable[[Raising], Sequence[Refusal]]:
    """Return why a hand-over is refused: what stops it, and what is open and not carried."""

    def refusals(raising: Raising) -> Sequence[Refusal]:
        carry = raising.given.get("carry", ())
        return [*stops(raising), *not_carried(items(raising), carry)]

    return refusals


def day_refusals(raising: Raising) -> list[Refusal]:
    """Return why a gaming day cannot be closed at all now, whatever is open in it."""
    day = _day(raising)
    refusals = []
    if house.period_at(house.now()).gaming_day <= day:
        refusals.append(
            Refusal(
                "day_not_over",
                f"The gaming day {day:%b %-d, %Y} is not over. Close it then.",
                CONFLICT,
            )
        )
    if house.is_closed(day):
        refusals.append(
            Refusal(
                "day_closed",
                f"The gaming day {day:%b %-d, %Y} is already closed. Reload the page.",
                CONFLICT,
            )
        )
    under_way = Slip.objects.filter(
        kind=handovers.DAY_CLOSE, status=SlipStatus.OPEN, details__gaming_day=day.isoformat()
    ).first()
    if under_way is not None:
        refusals.append(
            Refusal(
                "close_under_way",
                f"{under_way.serial} already closes this day. Sign or void it.",
                CONFLICT,
            )
        )
    earlier = oldest_open_day()
    if earlier is not None and earlier < day:
        refusals.append(
            Refusal(
                "earlier_day_open",
                f"The gaming day {earlier:%b %-d, %Y} is open. Close it first.",
                CONFLICT,
            )
        )
    return refusals


def _shift_refusals(raising: Raising) -> list[Refusal]:
    """Return why a shift cannot be handed over now, whatever is open in it."""
    shift, now = _shift(raising), house.now()
    refusals = []
    name = f"The {shift.shift} shift of {shift.gaming_day:%b %-d, %Y}"
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
        refusals.append(Refusal("shift_closed", f"{name} is already closed. Reload the page."))
    under_way = handover_under_way(shift)
    if under_way is not None:
        refusals.append(
            Refusal(
                "close_under_way",
                f"{under_way.serial} hands it over. Sign it or void it.",
                CONFLICT,
            )
        )
    return refusals


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


def _day_look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page that closes the day in its address, or the oldest that is open."""
    asked = request.POST.get("day") or request.GET.get("day")
    try:
        day = date.fromisoformat(asked) if asked else open_days()[0]
    except ValueError:
        raise Http404("Day not found.") from None
    of_day = replace(raising, given={"day": day.isoformat()})
    return "tables/day_close.html", {
        "heading": f"Close {day:%a, %b %-d, %Y}",
        **_asked(request, of_day, refused, _day_items(of_day), day_refusals(of_day)),
    }


def _shift_look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page that hands over the shift that just ended."""
    ended = _of_the_last_shift(raising)
    shift = _shift(ended)
    return "tables/day_close.html", {
        "heading": f"Shift handoff: {shift.shift}, {shift.gaming_day:%a, %b %-d, %Y}",
        **_asked(request, ended, refused, _shift_items(ended), _shift_refusals(ended)),
    }


def _asked(
    request: PitRequest,
    raising: Raising,
    refused: Refused | None,
    items: Sequence[OpenItem],
    stops: Sequence[Refusal],
) -> dict[str, Any]:
    """Return what is open, to be ticked, and the pad of the outgoing shift manager."""
    ticked = request.POST.getlist("carry")
    # Each is ticked by hand before the pad signs; what is shown is what is signed.
    carry = [item.key for item in items if item.can_be_carried]
    offered = replace(raising, given={**raising.given, "carry": carry})
    day = raising.given.get("day")
    return {
        "items": [
            {"item": item, "is_ticked": item.key in ticked, "url": _page_of(item)}
            for item in items
            if item.can_be_carried
        ],
        "stops": [item for item in items if not item.can_be_carried],
        "serials_url": reverse("serials"),
        "pad": pad_of(
            request,
            url=own_url(raising),
            attested=attested_first(raising.kind),
            button="Sign as shift manager",
            refused=refused,
            badge=request.user.badge,
            shown=shown_before(offered),
            fields={"day": day} if day else {},
        ),
        "refusals": _reasons(refused, {*carry} <= {*ticked}) if refused else stops,
    }


def _page_of(item: OpenItem) -> str:
    """Return where an open thing is finished."""
    if item.serial:
        return reverse("slip", args=[item.serial])
    return reverse("exception", args=[item.exception_id])


def _reasons(refused: Refused, is_all_ticked: bool) -> list[Refusal]:
    """Return why a hand-over is refused, in words that help.

    With a tick left out, what was signed is not what the screen offered: it is named already.
    """
    return [
        refusal for refusal in refused.refusals if is_all_ticked or refusal.code != "stale_screen"
    ]


def _writes(slip: Slip) -> list[tuple[str, str]]:
    day = date.fromisoformat(slip.details["gaming_day"])
    carried = " ".join(item["sentence"] for item in slip.details["carried"])
    shift = slip.details.get("shift")
    return [
        ("Gaming day", f"{day:%a, %b %-d, %Y}"),
        *([("Shift", shift)] if shift else []),
        ("Carried over", carried or "Nothing."),
        *([("Program", slip.details["program"])] if "program" in slip.details else []),
    ]


def _notes(slip: Slip) -> list[Note]:
    """Return what is carried over, a line each."""
    carried = [item["sentence"] for item in slip.details["carried"]]
    if not carried:
        return [Note("Carried over", "nothing.")]
    return [Note(f"Carried over {n} of {len(carried)}", text) for n, text in enumerate(carried, 1)]


def _tells(slip: Slip) -> dict[str, Any]:
    return {"template": "tables/_written.html", "has_lines": True, "written": _writes(slip)}


def _day_items(raising: Raising) -> Sequence[OpenItem]:
    return open_items(_day(raising))


def _shift_items(raising: Raising) -> Sequence[OpenItem]:
    return open_in(_shift(raising))


_TAKEN_ON: Final = Step(
    "shift_taken_on",
    done="Shift accepted",
    do="Accept shift",
    by=Role.SHIFT_MANAGER,
    at=None,
    attests="I am coming on duty and accept responsibility for every item carried over to me "
    "by name.",
    why=Need("You’re taking over and are responsible for each item carried over to you."),
    then="shift_closed",
)
_HANDED_OVER: Final = Step(
    "handed_over",
    done="Handed off",
    do="Hand off",
    by=Role.SHIFT_MANAGER,
    at=None,
    attests="This shift is over. I certify that this slip lists every open item.",
)
_VOIDED: Final = Step(
    "voided",
    done="Voided",
    do="Void",
    by=Role.SHIFT_MANAGER,
    at=None,
    may_repeat="handed_over",
    needs_reason=True,
    attests="I void this handoff. The shift is not closed.",
)
_VOID_WITNESSED: Final = void_witnessed(
    (Role.PIT_MANAGER, Role.ACCOUNTING),
    attests="I certify that I witnessed this handoff being voided.",
)

SHIFT_CLOSE = Kind(
    handovers.SHIFT_CLOSE,
    title="Shift handoff",
    series="S",
    open_to=frozenset({Role.SHIFT_MANAGER}),
    lit_by="days",
    desk="house",
    at_a_table=False,
    asked=(_CARRY,),
    is_signed_where_asked=True,
    becomes=_of_the_last_shift,
    refusals=_all_refusals(_shift_refusals, _shift_items),
    drafted=_drafted_shift,
    steps=(_HANDED_OVER, _TAKEN_ON),
    void=(_VOIDED, _VOID_WITNESSED),
    effects={"shift_closed": _shift_closed},
    readers=Readers(KEEPING_BOOKS | {Role.PIT_MANAGER, Role.SHIFT_MANAGER}),
    promises=(Promise(2, 1),),
    paper=Form(
        parts=(
            Part("Original", "To accounting with the day’s paperwork."),
            Part("Duplicate", "To the incoming shift manager."),
        ),
        shows=Shows.FACTS,
    ),
    look=_shift_look,
    raised=lambda slip: f"{slip.serial} signed. The incoming shift manager signs next.",
    writes=_writes,
    notes=_notes,
    tells=_tells,
)

DAY_CLOSE = replace(
    SHIFT_CLOSE,
    kind=handovers.DAY_CLOSE,
    title="Gaming day close",
    series="Z",
    asked=(Day(name="day", label="Gaming day"), _CARRY),
    becomes=None,
    refusals=_all_refusals(day_refusals, _day_items),
    drafted=_drafted_day,
    steps=(
        replace(
            _HANDED_OVER,
            attests="This gaming day is over. I certify that this slip lists every open item.",
        ),
        replace(
            _TAKEN_ON,
            name="day_taken_on",
            done="Gaming day accepted",
            do="Accept gaming day",
            then="day_closed",
        ),
    ),
    void=(
        replace(_VOIDED, attests="I void this close. The gaming day stays open."),
        _VOID_WITNESSED,
    ),
    effects={"day_closed": _day_closed},
    look=_day_look,
)
