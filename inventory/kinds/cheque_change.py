"""A change of the house's cheques: one, or a whole set, comes into play or goes out of it.

The pit knows what it needs, the cage what it holds, and a shift manager who did not propose it
lets it happen. It holds from a gaming day to come, so that no tray changes its cheques in one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
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
from pitboss.rules.cheques.keys import MAIN, SETS, ChequeSet, Rank, SetKind, cheque_key
from pitboss.rules.cheques.set_changes import (
    NAME_MAX,
    adding_refusals,
    new_set_refusals,
    next_number,
    retiring_refusals,
    set_refusals,
)
from pitboss.rules.cheques.sets import (
    CHEQUE_CHANGE,
    COLOURS,
    PROOFS,
    RANKS,
    SET_KINDS,
    cheque_of,
    denomination_of,
    described,
    described_set,
    is_of_a_set,
    key_of,
    number_of,
    set_from,
    set_key,
    set_words,
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
_ADD_SET: Final = "add_set"
_WITHDRAW_SET: Final = "withdraw_set"
_INTO_PLAY: Final = frozenset({_ADD, _ADD_SET})
_PROPOSERS: Final = (Role.PIT_MANAGER, Role.SHIFT_MANAGER)


def _drafted(raising: Raising) -> NewSlip:
    """Draft the change that a manager entered. Raises Refused."""
    given = raising.given
    the_property, now = house.the_property(), house.now()
    day = read_day(given["from"], the_property, now)
    # Reading them lets this process know every set of the house.
    the_property.settings_at(now)
    comes = given["what"] in _INTO_PLAY
    is_of_set = given["what"] in (_ADD_SET, _WITHDRAW_SET)
    about = _set_change(given, comes=comes) if is_of_set else _cheque_changed(given, comes=comes)
    words = "Comes into play" if comes else "Goes out of play"
    says = [*about.pop("says"), [words, f"gaming day {day:%a, %b %-d, %Y}"]]
    return NewSlip(
        CHEQUE_CHANGE,
        None,
        {},
        details={
            **about,
            "says": says,
            "holds_from": time_stored(day_begins(day, the_property, now)),
            "day": day.isoformat(),
        },
    )


def _cheque_changed(given: Mapping[str, Any], *, comes: bool) -> dict[str, Any]:
    """Say what becomes of one cheque. Raises Refused."""
    of_set = _set_named(given.get("set", ""))
    cheque = _wanted(given, of_set) if comes else _retired(given, of_set)
    return {
        "about": f"{cheque.name} cheques",
        "says": [list(line) for line in words_of(cheque)],
        "key": key_of(cheque.key),
        "value": described(cheque, in_play=comes),
    }


def _set_change(given: Mapping[str, Any], *, comes: bool) -> dict[str, Any]:
    """Say what becomes of a whole set. Raises Refused."""
    known = _known_set(given.get("set", ""))
    if known is None:
        known = _new_set(given) if comes else _set_named(given.get("set", ""))
    return {
        "about": f"set {known.name}",
        "says": [list(line) for line in set_words(known)],
        "key": set_key(known.number),
        "value": described_set(known, in_play=comes),
    }


def _known_set(name: str) -> ChequeSet | None:
    wanted = name.strip().casefold()
    return next(
        (cheque_set for cheque_set in SETS.values() if cheque_set.name.casefold() == wanted), None
    )


def _set_named(name: str) -> ChequeSet:
    """Return the set that is named, main where none is. Raises Refused."""
    known = _known_set(name) if name.strip() else SETS[MAIN]
    if known is None:
        names = ", ".join(cheque_set.name for cheque_set in SETS.values())
        raise refuse("unknown_cheque_set", f"Set not found. Choose one: {names}.")
    return known


def _new_set(given: Mapping[str, Any]) -> ChequeSet:
    """Return a set as it was described, under the next number of its kind. Raises Refused."""
    if "kind" not in given:
        raise refuse("bad_set_kind", "Choose what kind of set it is.")
    number = next_number(SetKind(given["kind"]))
    if number is None:
        raise refuse(
            "no_set_left", "No more sets of this kind can be added. Bring one back into play."
        )
    return ChequeSet(
        number,
        given.get("set", "").strip(),
        given.get("letter", "").upper(),
        given.get("colour", ""),
        Rank(given.get("rank", Rank.SECONDARY)),
        tuple(given.get("tables", "").replace(",", " ").upper().split()),
    )


def _cents_of(given: Mapping[str, Any], of_set: ChequeSet) -> int:
    """Return the denomination; a cheque of no value has the number of its color instead."""
    if of_set.kind is SetKind.NON_VALUE:
        colour = given.get("colour", "")
        return COLOURS.index(colour) + 1 if colour in COLOURS else 0
    return int(given.get("amount", 0))


def _wanted(given: Mapping[str, Any], of_set: ChequeSet) -> Denomination:
    """Return the cheque as it was described; with nothing described, as the house once had it.

    A cheque of another set that says nothing of its look has the look of main's.
    """
    cents = _cents_of(given, of_set)
    known = BY_CENTS.get(cheque_key(of_set.number, cents)) or BY_CENTS.get(cents)
    if known is not None and not {"colour", "letter", "unit"} & given.keys():
        return replace(known, of_set=of_set.number)
    unit = int(given.get("unit", 0))
    return Denomination(
        cents,
        given.get("colour", ""),
        given.get("letter", "").upper(),
        unit,
        PROOFS.get(unit, ()) if given.get("proof") else (),
        pushed_apart=given.get("apart", False),
        of_set=of_set.number,
    )


def _retired(given: Mapping[str, Any], of_set: ChequeSet) -> Denomination:
    cents = _cents_of(given, of_set)
    known = BY_CENTS.get(cheque_key(of_set.number, cents))
    if known is None:
        raise refuse(
            "unknown_denomination",
            f"{of_set.name} has no {format_money(cents)} cheque. Choose one that it has.",
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
            Refusal("already_proposed", f"{waiting} changes this cheque. Sign or decline it first.")
        )
    return refusals


def _change_refusals(details: Mapping[str, Any]) -> list[Refusal]:
    """Return why a cheque or set may not come into play, or go out of it, on the day said."""
    key, value = details["key"], details["value"]
    in_force = house.settings_at(datetime.fromisoformat(details["holds_from"]))
    then = in_force.cheques
    if is_of_a_set(key):
        wanted = set_from(number_of(key), value)
        if SETS.get(wanted.number) == wanted:
            return set_refusals(wanted, then, in_play=value["in_play"])
        return new_set_refusals(wanted, Table.objects.values_list("name", flat=True))
    cheque = cheque_of(key)
    if value["in_play"]:
        least_cents = in_force["sets.secondary_from"]
        return adding_refusals(
            denomination_of(cheque, value), then, secondary_from_cents=least_cents
        )
    return retiring_refusals(cheque, then, _held(cheque))


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
            choices={
                _ADD: "Put a cheque into play",
                _RETIRE: "Take a cheque out of play",
                _ADD_SET: "Put a set into play",
                _WITHDRAW_SET: "Take a set out of play",
            },
        ),
        Words(
            name="set",
            label="Set",
            hint="Only for a cheque of a set other than Main, or for a whole set.",
            most=NAME_MAX,
            is_needed=False,
        ),
        Money(
            name="amount",
            label="Denomination",
            hint="Only for a cheque. Enter dollars, like 10 or 2.50.",
            is_needed=False,
        ),
        Day(name="from", label="From gaming day"),
        Pick(
            name="colour",
            label="Color",
            hint="This and what follows is only for what is new. Of a set: the color of its "
            "edge spots.",
            choices={item: item for item in COLOURS},
            is_needed=False,
        ),
        Words(name="letter", label="Letter", most=1, is_needed=False),
        Pick(name="unit", label="Cut in", choices={"4": "fours", "5": "fives"}, is_needed=False),
        Yes(name="proof", label="Prove the last unit"),
        Yes(name="apart", label="Push its rows apart"),
        Pick(name="kind", label="Kind of set", choices=SET_KINDS, is_needed=False),
        Pick(
            name="rank",
            label="Rank",
            hint="Only for a set of value cheques.",
            choices=RANKS,
            is_needed=False,
        ),
        Words(
            name="tables",
            label="Its tables",
            hint="Only for a tournament or non-value set, like BJ-1 BJ-2.",
            most=80,
            is_needed=False,
        ),
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
