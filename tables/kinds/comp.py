"""A comp: issued on a patron's play, authorized by rank where it is more than earned or allowed.

It is reserved under the patron's lock with the first signature. Cash is paid at the cage by two,
never from a tray.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import models
from django.urls import reverse

from inventory.kinds.of_a_patron import of_patron, patron_locked, patron_of
from inventory.services.cash_log import log_cash
from inventory.services.patrons import lock_patron
from pitboss.middleware import PitRequest
from pitboss.models import Person, Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Field, Money, Pick, Yes
from pitboss.rules.flows.flows import Need, PlanFacts, Promise, Readers, SlipStatus, Step
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.refusal import NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import (
    AT_THE_CAGE,
    HOSTING,
    KEEPING_BOOKS,
    SUPERVISING,
    Place,
    Role,
)
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.signing import set_status
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id
from tables.models import Comp, CompKind, CompMove, ValuedBy
from tables.selectors.rating_card import sees_theo
from tables.services.comps import (
    CompAccount,
    CompRequest,
    account_of,
    comp_refusal,
    comp_stops,
    keep_compared,
    limit_cents,
    write_entry,
)
from tables.services.hosts import host_of

COMP_READERS: Final = Readers(
    SUPERVISING | HOSTING | AT_THE_CAGE | KEEPING_BOOKS | {Role.COMPLIANCE}, names_patron=True
)
PAPER: Final = Form(
    parts=(Part("Original", "To accounting with the comps of the day."),),
    shows=Shows.FACTS,
    caption="Comps",
)
_AUTHORITY, _SENIOR = "authority", "senior"
_FREE: Final = {kind.value: kind.label for kind in CompKind if kind is not CompKind.CASH}
_BY: Final = {ValuedBy.RETAIL.value: "Price here", ValuedBy.COST.value: "Cost to the house"}


@dataclass(frozen=True, slots=True)
class _Judged:
    """A comp about to be given, and what it comes to now."""

    asking: CompRequest
    account: CompAccount
    refusals: tuple[str, ...]
    needs: tuple[str, ...]


def _judged(raising: Raising) -> _Judged:
    now = house.now()
    person = Person.objects.get(badge=raising.badge)
    role = house.role_in(person, house.period_at(now))
    asking = CompRequest(patron_of(raising), person, role, raising.given.get("value_cents", 0), now)
    account = asking.account()
    answer = asking.answer(account)
    return _Judged(asking, account, answer.refusals, answer.needs)


def _refusals(raising: Raising) -> list[Refusal]:
    if not Person.objects.filter(badge=raising.badge).exists():
        return []  # The signature is refused for it.
    judged = _judged(raising)
    asking = judged.asking
    codes = list(judged.refusals)
    if not raising.given.get("over") and raising.kind.kind == "comp":
        codes += judged.needs
    refusals = [comp_refusal(code, asking, judged.account) for code in codes]
    if asking.role is Role.HOST and host_of(asking.patron) != asking.person:
        words = f"{asking.patron} is not one of your patrons. Ask their host."
        refusals.append(Refusal("not_your_patron", words, NOT_YOURS))
    if raising.new().details["left_cents"] != judged.account.left_cents:
        words = "What is left changed while you had this open. Review it, then sign."
        refusals.append(Refusal("balance_changed", words))
    return [*refusals, *comp_stops(asking.patron, asking.now)]


def _drafted(raising: Raising) -> NewSlip:
    patron, given = patron_of(raising), raising.given
    account = account_of(patron, house.now())
    kind = CompKind(given.get("comp", CompKind.CASH.value))
    value = given.get("value_cents", 0)
    left = account.left_cents - value
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{kind.label} for {patron}, {format_money(value)}",
            "says": [
                ["Patron", patron.full_name],
                ["Comp", f"{kind.label}, {format_money(value)}"],
                ["Valued by", _BY[given.get("valued_by", ValuedBy.COST.value)]],
                ["Left for this trip afterward", format_money(left)],
            ],
            "patron": patron.pk,
            "comp": kind.value,
            "amount_cents": value,
            "valued_by": given.get("valued_by", ValuedBy.COST.value),
            "left_cents": account.left_cents,
        },
    )


def _facts(raising: Raising) -> PlanFacts:
    """Say whose authority it needs: the next rank's, or a shift manager's above that."""
    judged = _judged(raising)
    if not judged.needs:
        return PlanFacts({})
    asking = judged.asking
    junior = asking.role in (Role.SUPERVISOR, Role.HOST)
    in_force = house.settings_at(asking.now)
    most = in_force[f"limit.comp.{Role.PIT_MANAGER.value}"]
    fits = most is None or asking.today_cents() <= most
    return PlanFacts({}, marks=frozenset({_AUTHORITY if junior and fits else _SENIOR}))


def _needs_authority(facts: PlanFacts) -> bool:
    return _AUTHORITY in facts.marks


def _needs_senior(facts: PlanFacts) -> bool:
    return _SENIOR in facts.marks


def _reserved(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the value off what is left at once; without further steps the comp is issued too."""
    patron = lock_patron(slip.details["patron"])
    role, value = Role(signature.role), slip.details["amount_cents"]
    account = CompRequest(patron, signature.person, role, value, at).account()
    keep_compared(patron, at, slip)
    comp = Comp.objects.create(
        slip=slip,
        patron=patron,
        kind=slip.details["comp"],
        value_cents=value,
        valued_by=slip.details["valued_by"],
        issuer=signature.person,
        trip_began=account.trip_began,
        earned_cents=account.earned_cents,
        given_cents=account.given_cents,
        gaming_day=slip.gaming_day,
        at=at,
    )
    rows: list[models.Model] = [comp, write_entry(comp, CompMove.RESERVED, slip, at)]
    if sum(step["track"] == "main" for step in slip.plan) == 1:
        rows.append(write_entry(comp, CompMove.ISSUED, slip, at))
    return rows


def _authorized(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Issue a comp that waited for someone's authority. Raises Refused."""
    comp = _locked_comp(slip)
    role = Role(signature.role)
    asking = CompRequest(comp.patron, signature.person, role, comp.value_cents, at)
    account = asking.account()
    barred = asking.answer(account).refusals
    stops = [comp_refusal(code, asking, account) for code in barred]
    stops += comp_stops(comp.patron, at, slip)
    if stops:
        raise Refused(stops)
    keep_compared(comp.patron, at, slip)
    if role is Role.PIT_MANAGER and comp.value_cents > limit_cents(signature.person, role, at):
        most = format_money(limit_cents(signature.person, role, at))
        words = f"You can authorize comps of {most}. Call the shift manager."
        raise refuse("over_own_limit", words)
    return [write_entry(comp, CompMove.ISSUED, slip, at)]


def _locked_comp(slip: Slip) -> Comp:
    lock_patron(slip.details["patron"])
    return Comp.objects.select_related("patron", "slip").get(slip=slip)


def _declined(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Give the value back, once. The number stays used."""
    comp = _locked_comp(slip)
    set_status(slip, SlipStatus.VOIDED)
    return [write_entry(comp, CompMove.VOIDED, slip, at)]


def _paid(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Pay a cash comp at the cage in full: it counts as cash out of the patron's day."""
    comp = _locked_comp(slip)
    if stops := comp_stops(comp.patron, at, slip):
        raise Refused(stops)
    keep_compared(comp.patron, at, slip)
    return [
        *log_cash(
            patron=comp.patron,
            kind=CashKind.COMP,
            amount_cents=comp.value_cents,
            slip=slip,
            signature=signature,
            at=at,
        ),
        write_entry(comp, CompMove.REDEEMED, slip, at, outlet="Cage"),
    ]


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    given = request.POST if refused else request.GET
    judged = _judged(raising)
    asking = judged.asking
    is_own = request.role is not Role.HOST or host_of(asking.patron) == request.user
    shows = is_own and sees_theo(request.role, request.house)
    return "tables/comp_new.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "patron": patron_of(raising),
        "account": judged.account if shows else None,
        "limit_cents": limit_cents(asking.person, asking.role, asking.now),
        "today_cents": asking.today_cents() - asking.value_cents,
        "kinds": _FREE,
        "valued": _BY,
        "is_cash": raising.kind.kind == "cash_comp",
        "keyed": {
            name: given.get(name, "") for name in ("comp", "value_cents", "valued_by", "over")
        },
    }


def back_to_card(raising: Raising) -> dict[str, Any]:
    """Return the way back: to the patron's card."""
    patron = patron_of(raising)
    return {"url": reverse("patron-card", args=[patron.pk]), "label": str(patron)}


def to_card(slip: Slip) -> str:
    """Go on to the card of the patron whom a slip is about."""
    return reverse("patron-card", args=[slip.details["patron"]])


_VALUE: Final[Field] = Money(name="value_cents", label="Value ($)")
_OVER_EARNED: Final = Need(
    "This comp is more than the trip has left, or more than the issuer can give in a day."
)
_ISSUED_FOR: Final = (
    "I issue this comp to the patron named on this slip for their play. I am not related to them."
)
_DECLINED: Final = "I decline this comp. I certify that nothing was given on it."

COMP = Kind(
    "comp",
    title="Comp",
    series="CO",
    desk="house",
    open_to=SUPERVISING | HOSTING,
    lit_by="board",
    at_a_table=False,
    begins=of_patron,
    locks=patron_locked,
    asked=(
        Pick(name="comp", label="What", choices=_FREE),
        _VALUE,
        Pick(name="valued_by", label="Valued by", choices=_BY),
        Yes(name="over", label="Request authorization"),
    ),
    refusals=_refusals,
    facts=_facts,
    drafted=_drafted,
    steps=(
        Step(
            "issued",
            done="Issued",
            do="Issue",
            by=(Role.SUPERVISOR, Role.HOST),
            at=None,
            attests=_ISSUED_FOR,
            then="comp_reserved",
        ),
        Step(
            "authorized",
            done="Authorized",
            do="Authorize",
            by=(Role.PIT_MANAGER, Role.HOST_MANAGER),
            at=None,
            when=_needs_authority,
            why=_OVER_EARNED,
            attests="I reviewed the patron’s play and authorize this comp.",
            then="comp_authorized",
        ),
        Step(
            "senior_authorized",
            done="Authorized",
            do="Authorize",
            by=Role.SHIFT_MANAGER,
            at=None,
            when=_needs_senior,
            why=_OVER_EARNED,
            attests="I reviewed the patron’s play and authorize this comp.",
            then="comp_authorized",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=(Role.PIT_MANAGER, Role.HOST_MANAGER, Role.SUPERVISOR, Role.HOST),
            at=None,
            may_repeat="issued",
            needs_reason=True,
            attests=_DECLINED,
            then="comp_declined",
        ),
    ),
    effects={
        "comp_reserved": _reserved,
        "comp_authorized": _authorized,
        "comp_declined": _declined,
    },
    shows_unneeded=False,
    readers=COMP_READERS,
    promises=(
        Promise(1, 1),
        Promise(2, 1, having="authorized"),
        Promise(2, 1, having="senior_authorized"),
    ),
    paper=PAPER,
    look=_look,
    heading=lambda raising: f"Comp for {patron_of(raising)}",
    back=back_to_card,
    raised=lambda slip: (
        f"Comp {slip.serial} issued."
        if slip.status == SlipStatus.DONE.value
        else f"Comp {slip.serial} needs authorization."
    ),
    goes_on=to_card,
)

CASH_COMP = Kind(
    "cash_comp",
    title="Cash comp",
    series="CP",
    desk="cage",
    open_to=frozenset({Role.HOST_MANAGER, Role.SHIFT_MANAGER}),
    lit_by="board",
    at_a_table=False,
    begins=of_patron,
    locks=patron_locked,
    asked=(_VALUE,),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "issued",
            done="Issued",
            do="Issue",
            by=(Role.HOST_MANAGER, Role.SHIFT_MANAGER),
            at=None,
            needs_reason=True,
            attests=_ISSUED_FOR,
            then="comp_reserved",
        ),
        Step(
            "authorized",
            done="Authorized",
            do="Authorize",
            by=Role.CAGE_MANAGER,
            at=None,
            why=Need("The cage manager authorizes every comp that is paid in cash."),
            attests="I reviewed the patron’s play and authorize this payment at the cage.",
            then="comp_authorized",
        ),
        Step(
            "paid",
            done="Paid",
            do="Pay",
            by=Role.CASHIER,
            at=Place.CAGE,
            why=Need("A cash comp is paid at the cage by someone who did not authorize it."),
            attests="I verified the patron’s ID and paid them this amount at the cage.",
            then="comp_paid",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=(Role.CAGE_MANAGER, Role.HOST_MANAGER, Role.SHIFT_MANAGER),
            at=None,
            may_repeat=("issued", "authorized"),
            needs_reason=True,
            attests=_DECLINED,
            then="comp_declined",
        ),
    ),
    effects={
        "comp_reserved": _reserved,
        "comp_authorized": _authorized,
        "comp_declined": _declined,
        "comp_paid": _paid,
    },
    readers=COMP_READERS,
    promises=(Promise(3, 2),),
    paper=PAPER,
    look=_look,
    heading=lambda raising: f"Cash comp for {patron_of(raising)}",
    back=back_to_card,
    raised=lambda slip: f"{slip.serial} issued. The cage manager authorizes it.",
    goes_on=to_card,
)
