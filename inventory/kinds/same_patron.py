"""A patron who is on file twice: the cage or the host manager proposes, compliance approves."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import models

from inventory.kinds.of_a_patron import of_patron, patron_locked, patron_of, to_patron
from inventory.models import Patron
from inventory.selectors.patrons import patron_of_card, root_of
from inventory.services.same_patrons import same_refusals, write_same
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.floor.fields import Words
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Readers, SlipStatus, Step
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import AT_THE_CAGE, HOSTING, KEEPING_BOOKS, SUPERVISING, Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising

_PROPOSERS: Final = (Role.CASHIER, Role.HOST_MANAGER)


def _other(raising: Raising) -> Patron | None:
    """Return the other file that was named: by player card, or by file number."""
    named = raising.given.get("other", "").strip()
    if named.isascii() and named.isdecimal() and len(named) < 12:
        by_number = Patron.objects.filter(pk=int(named)).first()
        return patron_of_card(named) or by_number
    return patron_of_card(named)


def _refusals(raising: Raising) -> list[Refusal]:
    patron, other = patron_of(raising), _other(raising)
    if raising.given.get("other") and other is None:
        words = "No other file has this number. Enter its player card or file number."
        return [Refusal("unknown_patron", words)]
    waiting = Slip.objects.filter(
        kind=raising.kind.kind, status=SlipStatus.OPEN.value, details__patron=patron.pk
    ).first()
    refusals = same_refusals(patron, other)
    if waiting is not None:
        words = f"{waiting} is pending for {patron}. Sign or decline it first."
        refusals.append(Refusal("already_proposed", words))
    return refusals


def _named(patron: Patron) -> str:
    card = f", card {patron.player_card}" if patron.player_card else ""
    return f"{patron.full_name}, file {patron.pk}{card}"


def _drafted(raising: Raising) -> NewSlip:
    patron, other = patron_of(raising), _other(raising)
    before = Patron.objects.get(pk=root_of(patron.pk))
    says = [["File", _named(patron)]]
    says.append(["Same as", _named(other)] if other else ["Separated from", _named(before)])
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{patron}, {'on file twice' if other else 'two people'}",
            "says": says,
            "patron": patron.pk,
            "same_as": other.pk if other else None,
        },
    )


def _joined(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return write_same(slip, at)


SAME_PATRON = Kind(
    "same_patron",
    title="Patron on file twice",
    series="PD",
    desk="house",
    open_to=AT_THE_CAGE | {Role.HOST_MANAGER},
    lit_by="markers",
    at_a_table=False,
    begins=of_patron,
    locks=patron_locked,
    asked=(
        Words(
            name="other",
            label="Player card or file number of the other file",
            hint="Leave blank to separate this file from the one it is joined to.",
            most=20,
            is_needed=False,
        ),
    ),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=_PROPOSERS,
            at=None,
            needs_reason=True,
            reason_label="How you know",
            attests="I certify that these files belong to the person or people shown on this slip, "
            "for the reason I entered.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            by=Role.COMPLIANCE,
            at=None,
            why=BY_ANOTHER,
            attests="I compared both files and approve this. From now on, cash, play and comps "
            "are added up as this slip says.",
            then="patrons_joined",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=(Role.COMPLIANCE, *_PROPOSERS),
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I decline this change for the reason I entered. The patron files stay as they "
            "were.",
            then="slip_voided",
        ),
    ),
    effects={"patrons_joined": _joined},
    readers=Readers(
        SUPERVISING | HOSTING | AT_THE_CAGE | KEEPING_BOOKS | {Role.COMPLIANCE},
        names_patron=True,
    ),
    promises=(Promise(2, 2),),
    paper=Form(
        parts=(Part("Original", "Into the file that compliance keeps."),),
        shows=Shows.FACTS,
        caption="Patrons",
    ),
    heading=lambda raising: f"{patron_of(raising)}: on file twice",
    raised=lambda slip: f"{slip.serial} proposed. Compliance approves it.",
    goes_on=to_patron,
)
