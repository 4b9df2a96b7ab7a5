"""A credit: cheques out of a tray to the cage, and back into it when the cage counts otherwise."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.db import models

from inventory.kinds.carrying import (
    CARRIED_PROMISES,
    CARRIED_READERS,
    CARRIER_RELIEVED,
    CHEQUES,
    TrayScreen,
    of_the_original,
    tray_look,
)
from inventory.models import Holder
from inventory.services.errands import (
    asking_refusals,
    comes_back,
    going_back_refusals,
    moves,
    sends_back,
)
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, InBox, Part
from pitboss.rules.cheques.cheques import BY_CENTS, difference, suggest_credit_to_par
from pitboss.rules.floor.needs import high_cheques
from pitboss.rules.flows.flows import Promise, SentBack, Step, holds_high_cheques, void_witnessed
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.roles import AT_THE_CAGE, SUPERVISING, Place, Role
from pitboss.rules.settings.floor import SLIP_FIRST
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.prints import PRINTED_FIRST
from pitboss.slips.kind import Kind, Raising, drafted
from pitboss.slips.plan import Plan


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a credit may not be asked for.

    The ledger lags behind the tray, which wins between counts, so a credit may be larger than what
    the ledger knows of; the dealer proves it before it leaves.
    """
    return asking_refusals(raising.kind, raising.table, raising.cheques, raising.original)


def _drafted(raising: Raising) -> NewSlip:
    """Draft a credit; it keeps for good whether the cage prints it before it leaves."""
    new = drafted(raising)
    if house.settings_at(house.now())["credit.family"] != SLIP_FIRST:
        return new
    return replace(new, details={**new.details, PRINTED_FIRST: True})


def _leaves_the_tray(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Hand the cheques to the carrier; where the slip comes first, once the cage printed it."""
    if slip.details.get(PRINTED_FIRST) and not slip.prints.exists():
        raise refuse(
            "slip_not_printed",
            f"The cage prints {slip.serial} first. The cheques stay on the table until then.",
            CONFLICT,
        )
    return list(moves(Holder.TRAY, Holder.CARRIER)(slip, signature, at))


def _asked(credit: Slip) -> str:
    top = Plan(credit.plan).has("top_signed")
    waits = "Waiting for the pit manager." if top else "The dealer proves it next."
    if credit.details.get(PRINTED_FIRST):
        waits += " The cage prints the slip before it leaves."
    return f"Credit {credit.serial} requested. {waits}"


CREDIT = Kind(
    "credit",
    title="Credit",
    series="CR",
    open_to=SUPERVISING,
    lit_by="board",
    asked=(CHEQUES,),
    refers_to=("credit",),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "requested",
            done="Requested",
            do="Ask",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that the cheques listed on this slip are to be returned from "
            "this table to the cage.",
        ),
        Step(
            "top_signed",
            done="Top-signed",
            do="Top-sign",
            by=Role.PIT_MANAGER,
            at=None,
            when=holds_high_cheques,
            why=high_cheques,
            attests="I approve this credit, including the high-denomination cheques listed.",
        ),
        Step(
            "proved",
            done="Proved",
            do="Prove",
            by=Role.DEALER,
            at=Place.PIT,
            counts=True,
            attests="I certify that I counted out every denomination on this slip in the "
            "presence of the supervisor and the security officer.",
        ),
        Step(
            "carried",
            done="Carried",
            do="Carry",
            by=Role.SECURITY,
            at=Place.PIT,
            attests="I certify that I compared the request and the cheques, found them in "
            "agreement, and accept custody to carry them to the cage.",
            then="credit_leaves_the_tray",
            dispatches=True,
        ),
        Step(
            "acknowledged",
            done="Acknowledged",
            do="Acknowledge",
            by=Role.CASHIER,
            at=Place.CAGE,
            counts=True,
            in_presence_of="carried",
            attests="I certify that I counted every denomination in the presence of the "
            "officer and accept these cheques into the cage.",
            then="credit_into_the_cage",
        ),
        Step(
            "matched",
            done="Matched",
            do="Match",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            counts=True,
            in_presence_of="carried",
            may_repeat="requested",
            attests="I certify that the acknowledgment agrees with the copy on the table and "
            "that both were dropped.",
        ),
    ),
    # A credit begins at the table, so there it ends when it was a mistake: the supervisor and
    # someone who had no part in it, before a single cheque has left.
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I void this slip. I certify that no cheques left the table on it.",
            needs_reason=True,
            may_repeat="requested",
        ),
        void_witnessed((Role.SECURITY, Role.SURVEILLANCE, Role.PIT_MANAGER)),
    ),
    relief=CARRIER_RELIEVED,
    effects={
        "credit_leaves_the_tray": _leaves_the_tray,
        "credit_into_the_cage": moves(Holder.CARRIER, Holder.CAGE),
    },
    sent_back=SentBack(
        by="credit_return",
        while_due=frozenset({"acknowledged"}),
        nothing="The cage accepted no cheques.",
        can_replace="A corrected credit can replace it.",
        replace_label="Send a corrected credit",
    ),
    readers=CARRIED_READERS,
    promises=CARRIED_PROMISES,
    # Manual, "Credits": three parts, and the cage's acknowledgment that comes back to the table.
    # The pit matches that one against its own copy, so the pit does not print it.
    paper=Form(
        parts=(
            Part("Original", "With security and the cheques to the cage, which keeps it.", "white"),
            Part(
                "Duplicate",
                "Stays on the game in view; dropped once it is matched.",
                "pink",
                box=InBox.ON_TABLE,
            ),
            Part("Triplicate", "With the original to the cage, and on to accounting.", "yellow"),
            Part(
                "Acknowledgment",
                "Back to the table with security; matched with the pink copy, then dropped.",
                title="Credit slip acknowledgment",
                after="acknowledged",
                original_at=Place.CAGE,
                box=InBox.ON_TABLE,
            ),
        ),
        refers_as="Replaces",
        referred_as="Replaced by",
        title="Request for credit",
    ),
    look=tray_look(
        TrayScreen(
            sign=-1,
            verb="Send to the cage",
            button="Send {}",
            starts=(("par", "Down to par"), ("empty", "Empty")),
            suggested=suggest_credit_to_par,
        )
    ),
    # The dealer signs on the same tablet, so the slip comes up for them at once.
    raised=_asked,
)


def _return_refusals(raising: Raising) -> list[Refusal]:
    """Return why a credit may not be sent back."""
    credit = raising.original
    refusals = going_back_refusals(credit, left="table")
    if not refusals and credit is not None and credit.signatures.filter(step="acknowledged"):
        refusals.append(
            Refusal(
                "already_acknowledged",
                f"The cage has already accepted the cheques of {credit.serial}. Request "
                "a fill instead.",
            )
        )
    return refusals


def _back_into_the_tray(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the cheques back once dealer and supervisor have found the same."""
    _refuse_two_counts(slip.signatures.get(step="recounted"), signature)
    return comes_back(
        slip,
        signature,
        at,
        to=Holder.TRAY,
        sentence="the table’s count matches neither the slip nor the cage’s count.",
    )


def _refuse_two_counts(dealer: Signature, supervisor: Signature) -> None:
    """Raise Refused where dealer and supervisor counted differently: one of them is wrong."""
    first, second = (
        {int(cents): count for cents, count in (signature.counted or {}).items()}
        for signature in (dealer, supervisor)
    )
    refusals = [
        Refusal(
            "count_differs",
            f"Count doesn’t match: {BY_CENTS[cents].name}. The dealer counted "
            f"{first.get(cents, 0)}, you counted {second.get(cents, 0)}. Count together "
            "again.",
            CONFLICT,
        )
        for cents in difference(first, second)
    ]
    if refusals:
        raise Refused(refusals)


CREDIT_RETURN = Kind(
    "credit_return",
    title="Return of a credit",
    series="RC",
    open_to=AT_THE_CAGE,
    lit_by="cage",
    refers_to=("credit",),
    must_refer=True,
    refusals=_return_refusals,
    drafted=of_the_original("not_a_credit", "isn’t a credit. The cage can only return credits."),
    steps=(
        Step(
            "sent_back",
            done="Sent back",
            do="Send back",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that this credit does not agree with the slip, that the cage "
            "accepted none of it, and that it is being returned as received.",
            needs_reason=True,
            reason_label="What is wrong",
            then="credit_sent_back",
        ),
        Step(
            "carried_back",
            done="Carried back",
            do="Return the cheques",
            by=Role.SECURITY,
            at=Place.PIT,
            same_as="original:carried",
            attests="I certify that I returned every cheque I carried from this table.",
        ),
        Step(
            "recounted",
            done="Recounted",
            do="Recount",
            by=Role.DEALER,
            at=Place.PIT,
            records=True,
            attests="I certify that I counted the returned cheques before they entered the tray.",
        ),
        Step(
            "counted_in",
            done="Counted in",
            do="Count and accept",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            records=True,
            attests="I certify that I also counted the returned cheques and that they are back "
            "in the tray.",
            then="credit_back_into_the_tray",
        ),
    ),
    relief=CARRIER_RELIEVED,
    effects={"credit_sent_back": sends_back, "credit_back_into_the_tray": _back_into_the_tray},
    readers=CARRIED_READERS,
    promises=(Promise(4, 3),),
    paper=Form(
        parts=(
            Part(
                "Original",
                "With security and the cheques to the table; dropped by the dealer.",
                box=InBox.ON_TABLE,
            ),
            Part("Duplicate", "Kept by the cage with the credit that it refused."),
        ),
        refers_as="Returns",
        referred_as="Returned on",
        original_at=Place.CAGE,
    ),
    heading=lambda raising: f"Send back {raising.original}",
    raised=lambda back: f"{back.refers_to} goes back. Return {back.serial}.",
)
