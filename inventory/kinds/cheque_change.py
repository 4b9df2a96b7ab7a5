"""A change of the house's cheques: a denomination comes into play, or goes out of it.

The pit knows what it needs, the cage what it holds, and a shift manager who did not propose it
lets it happen. It holds from a gaming day to come, so that no tray changes its cheques in one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

from django.db import models
from django.urls import reverse

from inventory.models import Holder
from inventory.selectors.cheques import cage_holding, holding_of, tray_holdings
from pitboss.kinds.of_the_house import READERS
from pitboss.models import SettingValue, Signature, Slip, Table
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.cheques.cheques import BY_CENTS, Denomination, format_money
from pitboss.rules.cheques.sets import (
    CHEQUE_CHANGE,
    COLOURS,
    PROOFS,
    adding_refusals,
    cents_of,
    denomination_of,
    described,
    key_of,
    retiring_refusals,
    words_of,
)
from pitboss.rules.floor.fields import Day, Money, Pick, Words, Yes
from pitboss.rules.flows.flows import BY_ANOTHER, Need, Promise, SlipStatus, Step
from pitboss.rules.flows.house_flows import REFUSED
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.holding import day_begins, demand_ahead, read_day, time_stored
from pitboss.services.locks import lock_settings
from pitboss.slips.kind import Kind, Raising

_ADD: Final = "add"
_RETIRE: Final = "retire"
_PROPOSERS: Final = (Role.PIT_MANAGER, Role.SHIFT_MANAGER)


def _drafted(raising: Raising) -> NewSlip:
    """Draft the change that a manager entered. Raises Refused."""
    given = raising.given
    the_property, now = house.the_property(), house.now()
    day = read_day(given["from"], the_property, now)
    adds = given["what"] == _ADD
    cheque = _wanted(given) if adds else _retired(given["amount"])
    words = "Comes into play" if adds else "Goes out of play"
    return NewSlip(
        CHEQUE_CHANGE,
        None,
        {},
        details={
            "about": f"{cheque.name} cheques",
            "says": [
                *map(list, words_of(cheque)),
                [words, f"gaming day {day:%a, %b %-d, %Y}"],
            ],
            "key": key_of(cheque.cents),
            "value": described(cheque, in_play=adds),
            "holds_from": time_stored(day_begins(day, the_property, now)),
            "day": day.isoformat(),
        },
    )


def _wanted(given: Mapping[str, Any]) -> Denomination:
    """Return the cheque as it was described; with nothing described, as the house once had it."""
    known = BY_CENTS.get(given["amount"])
    if known is not None and not {"colour", "letter", "unit"} & given.keys():
        return known
    unit = int(given.get("unit", 0))
    return Denomination(
        given["amount"],
        given.get("colour", ""),
        given.get("letter", "").upper(),
        unit,
        PROOFS.get(unit, ()) if given.get("proof") else (),
        pushed_apart=given.get("apart", False),
    )


def _retired(cents: int) -> Denomination:
    known = BY_CENTS.get(cents)
    if known is None:
        raise refuse(
            "unknown_denomination",
            f"The house has no {format_money(cents)} cheque. Choose one that it has.",
        )
    return known


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a change may not be proposed, what cannot be read included."""
    try:
        details = raising.new().details
    except Refused as refused:
        return list(refused.refusals)
    waiting = Slip.objects.filter(
        kind=CHEQUE_CHANGE, status=SlipStatus.OPEN.value, details__key=details["key"]
    ).first()
    refusals = _change_refusals(details)
    if waiting is not None:
        refusals.append(
            Refusal("already_proposed", f"{waiting} changes this cheque. Sign or refuse it first.")
        )
    return refusals


def _change_refusals(details: Mapping[str, Any]) -> list[Refusal]:
    """Return why a cheque may not come into play or go out of it, on the day that is said."""
    cents = cents_of(details["key"])
    then = house.settings_at(datetime.fromisoformat(details["holds_from"])).cheques
    if details["value"]["in_play"]:
        return adding_refusals(denomination_of(cents, details["value"]), then)
    return retiring_refusals(cents, then, _held(cents))


def _held(cents: int) -> dict[str, int]:
    """Return who of the house has how many of a cheque. What patrons took home is not asked."""
    tables = {table.pk: table.name for table in Table.objects.order_by("name")}
    trays = tray_holdings(Table.objects.all())
    held = {name: trays[pk].get(cents, 0) for pk, name in tables.items()}
    held["The cage"] = cage_holding().get(cents, 0)
    held["Security"] = holding_of(Holder.CARRIER).get(cents, 0)
    return {who: count for who, count in held.items() if count > 0}


def _change_holds(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let a change hold that all three signed. Raises Refused when it no longer can."""
    lock_settings()
    starts = demand_ahead(slip.details, at)
    if starts != day_begins(date.fromisoformat(slip.details["day"]), house.the_property(), at):
        raise refuse(
            "shifts_changed",
            "The shifts changed while this was pending. Decline it and propose it again.",
        )
    refusals = _change_refusals(slip.details)
    if refusals:
        raise Refused(refusals)
    return [SettingValue.objects.create(key=slip.details["key"], holds_from=starts, slip=slip)]


CHEQUE_CHANGE_KIND = Kind(
    CHEQUE_CHANGE,
    title="House cheques",
    series="HC",
    open_to=frozenset(_PROPOSERS),
    lit_by="house",
    at_a_table=False,
    desk="house",
    is_change=True,
    changes_house=True,
    asked=(
        Pick(
            name="what",
            label="Change",
            choices={_ADD: "Put into play", _RETIRE: "Take out of play"},
        ),
        Money(name="amount", label="Denomination", hint="Dollars, like 10 or 2.50."),
        Day(name="from", label="From gaming day"),
        Pick(
            name="colour",
            label="Color",
            hint="This and what follows is only needed for a new denomination.",
            choices={each: each for each in COLOURS},
            is_needed=False,
        ),
        Words(name="letter", label="Letter", most=1, is_needed=False),
        Pick(name="unit", label="Cut in", choices={"4": "fours", "5": "fives"}, is_needed=False),
        Yes(name="proof", label="Prove the last unit"),
        Yes(name="apart", label="Push its rows apart"),
    ),
    drafted=_drafted,
    refusals=_refusals,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=_PROPOSERS,
            at=None,
            needs_reason=True,
            attests="I propose this change to the house's cheques, from the gaming day shown.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=Need("The cage has the house's cheques and accounts for every one."),
            by=Role.CAGE_MANAGER,
            at=None,
            attests="I compared this change with the cheques the cage has and approve it.",
        ),
        Step(
            "released",
            done="Released",
            do="Release",
            why=BY_ANOTHER,
            by=Role.SHIFT_MANAGER,
            at=None,
            attests="I reviewed this change and release it from the gaming day shown.",
            then="cheque_change_holds",
        ),
    ),
    void=REFUSED,
    effects={"cheque_change_holds": _change_holds},
    readers=READERS,
    promises=(Promise(3, 2),),
    paper=HOUSE_FORM,
    heading=lambda raising: "Change cheques",
    back=lambda raising: {"url": reverse("house-cheques"), "label": "House cheques"},
    raised=lambda slip: f"{slip.serial} is pending. The cage manager approves it next.",
)
