"""A tax line of the state or city of the house: accounting proposes it, another approves it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.db import models
from django.urls import reverse

from jackpots.models import TaxLine
from pitboss.models import Signature, Slip
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.floor.fields import Day, Field, Number, Pick, Words
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Readers, Step
from pitboss.rules.money import percent
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import KEEPING_BOOKS, Role
from pitboss.rules.settings.kinds import Percent
from pitboss.rules.tax import lines
from pitboss.rules.tax.lines import PLACE_MAX, LineLevel, LineTrigger, WithheldFrom, line_refusals
from pitboss.rules.tax.tables import Base
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising

KIND: Final = "tax_line"
_OFFICE: Final = (Role.ACCOUNTING, Role.CONTROLLER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate(Field):
    """A rate in percent, to the hundredth."""

    def read(self, raw: object) -> int:
        """Return the rate in hundredths of a percent.

        >>> Rate(name="rate", label="Rate").read("2.75")
        275
        """
        found = Percent(0, 5_000).read(raw if isinstance(raw, str) else "")
        assert found is not None, "a rate is always entered"
        return found

    def words(self, value: int) -> str:
        return percent(value)


_ASKED: Final = (
    Pick(name="level", label="For", choices={"state": "State", "local": "City or county"}),
    Words(name="place", label="Place", hint="A state as two letters.", most=PLACE_MAX),
    Rate(name="rate", label="Rate (%)"),
    Pick(
        name="trigger",
        label="Withheld when",
        choices={
            LineTrigger.FEDERAL_WITHHOLDING.value: "Federal tax is withheld",
            LineTrigger.ANY_W2G.value: "A W-2G is due",
            LineTrigger.OWN_AMOUNT.value: "The winnings reach this line’s own amount",
            LineTrigger.OWN_RATIO.value: "The winnings reach a multiple of the wager",
        },
    ),
    Number(
        name="threshold",
        label="Own amount ($) or multiple",
        hint="Only with one of the last two.",
        is_needed=False,
        least=1,
        most=10_000_000,
    ),
    Pick(
        name="base",
        label="Base",
        choices={Base.NET.value: "Winnings less the wager", Base.GROSS.value: "All received"},
    ),
    Pick(
        name="who",
        label="From",
        choices={
            WithheldFrom.ALL.value: "Everyone",
            WithheldFrom.RESIDENTS.value: "Residents of the place",
            WithheldFrom.NONRESIDENTS.value: "Everyone else",
        },
    ),
    Words(name="payer_number", label="Payer’s number there", is_needed=False, most=20),
    Day(name="paid_from", label="Paid from"),
    Day(name="paid_until", label="Paid until", is_needed=False),
    Words(name="source", label="Source"),
    Words(name="confirmed_by", label="Confirmed by", is_needed=False, most=80),
)


def line_of(given: dict[str, Any]) -> lines.TaxLineTerms:
    """Return a line as it was entered."""
    trigger = LineTrigger(given["trigger"])
    cents = 100 if trigger is LineTrigger.OWN_AMOUNT else 1
    until = given.get("paid_until")
    return lines.TaxLineTerms(
        place=given["place"],
        level=LineLevel(given["level"]),
        basis_points=given["rate"],
        trigger=trigger,
        paid_from=date.fromisoformat(given["paid_from"]),
        source=given["source"],
        base=Base(given["base"]),
        who=WithheldFrom(given["who"]),
        threshold=given.get("threshold", 0) * cents,
        paid_until=date.fromisoformat(until) if until else None,
        payer_number=given.get("payer_number", ""),
        confirmed_by=given.get("confirmed_by", ""),
    )


def _drafted(raising: Raising) -> NewSlip:
    given = dict(raising.given)
    asked = {field.name: field for field in _ASKED}
    return NewSlip(
        KIND,
        None,
        {},
        details={
            "about": f"{given['place']}, {percent(given['rate'])} from {given['paid_from']}",
            "says": [[asked[name].label, asked[name].words(given[name])] for name in given],
            "line": given,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    return line_refusals(line_of(dict(raising.given)))


def _approved(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let the line hold, from its first day."""
    line = line_of(slip.details["line"])
    if refusals := line_refusals(line):
        raise Refused(refusals)
    return [
        TaxLine.objects.create(
            place=line.place,
            level=line.level.value,
            basis_points=line.basis_points,
            trigger=line.trigger.value,
            base=line.base.value,
            who=line.who.value,
            threshold=line.threshold,
            payer_number=line.payer_number,
            paid_from=line.paid_from,
            paid_until=line.paid_until,
            source=line.source,
            confirmed_by=line.confirmed_by,
            slip=slip,
        )
    ]


TAX_LINE = Kind(
    KIND,
    title="Tax line",
    series="TR",
    open_to=frozenset(_OFFICE),
    lit_by="jackpots",
    at_a_table=False,
    desk="house",
    is_change=True,
    changes_house=True,
    asked=_ASKED,
    drafted=_drafted,
    refusals=_refusals,
    urgency=Urgency.FORM,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=_OFFICE,
            at=None,
            attests="I propose this tax line. The person named confirmed it to me in writing.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=Role.CONTROLLER,
            at=None,
            attests="I read the confirmation of this tax line and approve that it is withheld.",
            then="tax_line_approved",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=_OFFICE,
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I decline this tax line. Nothing is changed by this slip.",
            then="slip_voided",
        ),
    ),
    effects={"tax_line_approved": _approved},
    readers=Readers(KEEPING_BOOKS | {Role.COMPLIANCE, Role.CAGE_MANAGER, Role.SHIFT_MANAGER}),
    promises=(Promise(2, 1),),
    paper=HOUSE_FORM,
    heading=lambda raising: "Tax line",
    back=lambda raising: {"url": reverse("tax-lines"), "label": "Tax lines"},
    raised=lambda slip: f"{slip.serial} is pending. The controller approves it.",
)
