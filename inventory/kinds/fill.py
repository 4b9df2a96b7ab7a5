"""A fill: cheques from the cage into a tray, and back with the same officer when they are wrong."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models
from django.urls import reverse

from inventory.kinds.carrying import (
    CARRIED_PROMISES,
    CARRIED_READERS,
    CARRIER_RELIEVED,
    CHEQUES,
    TrayScreen,
    of_the_original,
    suggestion,
    tray_look,
)
from inventory.models import Holder
from inventory.services.errands import (
    asking_refusals,
    comes_back,
    end_offer,
    going_back_refusals,
    moves,
    sends_back,
)
from pitboss.models import Signature, Slip
from pitboss.paper.content import Note
from pitboss.paper.forms import Form, InBox, Part
from pitboss.rules.cheques.cheques import suggest_to_par
from pitboss.rules.floor.needs import high_cheques
from pitboss.rules.flows.flows import (
    Promise,
    SentBack,
    SlipStatus,
    Step,
    holds_high_cheques,
    void_witnessed,
)
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import SUPERVISING, Place, Role
from pitboss.services.standing import set_status
from pitboss.slips.kind import Kind, Raising, to_table
from pitboss.slips.plan import Plan


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a fill may not be asked for."""
    # A tray that was never counted is stocked before its table opens for the first time.
    table = raising.table
    is_first_stock = table is not None and not table.counts.exists()
    return asking_refusals(
        raising.kind, None if is_first_stock else table, raising.cheques, raising.original
    )


def _asked(fill: Slip) -> str:
    top = Plan(fill.plan).has("top_signed")
    waits = "Waiting for the pit manager." if top else "Waiting for the cage."
    return f"Fill {fill.serial} requested. {waits}"


def _part_words(fill: Slip) -> list[tuple[str, str]]:
    """Return what a fill says of the request that it is a part of."""
    if "part_of" not in fill.details:
        return []
    what = "Part of" if fill.details["part"] == "ships" else "Rest of"
    return [(what, fill.details["part_of"]), ("The cage shipped less", fill.details["reason"])]


def _notes(fill: Slip) -> list[Note]:
    parts = [f"{what}: {words}." for what, words in _part_words(fill)]
    return [Note("PART OF A REQUEST", " ".join(parts))] if parts else []


def _ships_less(fill: Slip) -> list[dict[str, str]]:
    """Return the way to ship a part of it, while the cage has not issued it."""
    signed = {
        (signature.track, signature.step): signature.person_id
        for signature in fill.signatures.all()
    }
    due = Plan(fill.plan).due(signed)
    if due is None or due.name != "issued":
        return []
    return [{"url": reverse("part-shipment", args=[fill.serial]), "label": "Ship less…"}]


def _voided(fill: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    set_status(fill, SlipStatus.VOIDED)
    return end_offer(fill, signature, at)


def _tells(fill: Slip) -> dict[str, Any] | None:
    parts = fill.referred_by.filter(kind="fill", details__part_of=fill.serial).order_by("id")
    found = [{"serial": part.serial, "says": part.details["part"]} for part in parts]
    if not found and "part_of" not in fill.details:
        return None
    return {
        "template": "inventory/_part_shipped.html",
        "comes_first": True,
        "written": _part_words(fill),
        "parts": found,
    }


_ASKING = TrayScreen(
    sign=1,
    verb="Request from the cage",
    button="Request {}",
    starts=(("par", "To par"), ("last", "Last fill"), ("empty", "Empty")),
    suggested=suggest_to_par,
)

FILL = Kind(
    "fill",
    title="Fill",
    series="F",
    ships=True,
    open_to=SUPERVISING,
    lit_by="board",
    asked=(CHEQUES,),
    refers_to=("fill",),
    refusals=_refusals,
    steps=(
        Step(
            "requested",
            done="Requested",
            do="Ask",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that this table requires the cheques listed on this slip, and I "
            "request them from the cage.",
        ),
        Step(
            "top_signed",
            done="Top-signed",
            do="Top-sign",
            by=Role.PIT_MANAGER,
            at=None,
            when=holds_high_cheques,
            why=high_cheques,
            attests="I approve this fill, including the high-denomination cheques listed.",
        ),
        Step(
            "issued",
            done="Issued",
            do="Issue",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that I counted and prepared the cheques exactly as listed on "
            "this slip.",
            then="offer_ended",
        ),
        Step(
            "carried",
            done="Carried",
            do="Carry",
            by=Role.SECURITY,
            at=Place.CAGE,
            attests="I certify that I compared the request, this slip, and the cheques, found "
            "them in agreement, and accept custody to carry them to the table.",
            then="cheques_to_carrier",
            dispatches=True,
        ),
        Step(
            "agreed",
            done="Agreed",
            do="Agree",
            by=Role.DEALER,
            at=Place.PIT,
            attests="I certify that I counted every denomination with the supervisor present "
            "and that the cheques agree with this slip.",
            counts=True,
            may_be_blind=True,
            in_presence_of="carried",
        ),
        Step(
            "received",
            done="Received",
            do="Receive",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat="requested",
            attests="I certify that I verified every line, that the duplicate was dropped, and "
            "that the original was given to security.",
            then="cheques_into_tray",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I void this slip. I certify that no cheques left the cage on it.",
            needs_reason=True,
            may_repeat="issued",
        ),
        void_witnessed((Role.SECURITY, Role.SURVEILLANCE, Role.PIT_MANAGER, Role.CAGE_MANAGER)),
    ),
    relief=CARRIER_RELIEVED,
    effects={
        "offer_ended": end_offer,
        "slip_voided": _voided,
        "cheques_to_carrier": moves(Holder.CAGE, Holder.CARRIER),
        "cheques_into_tray": moves(Holder.CARRIER, Holder.TRAY),
    },
    sent_back=SentBack(
        by="fill_return",
        while_due=frozenset({"agreed", "received"}),
        nothing="Nothing entered the tray.",
        can_replace="A new fill can replace it.",
        replace_label="Request a new fill",
    ),
    readers=CARRIED_READERS,
    promises=CARRIED_PROMISES,
    # Manual, "Fills" 1 and 3: two parts, the duplicate dropped by the dealer, the original to
    # security. The pit asks and the cage prints: no one makes both the request and its paper.
    paper=Form(
        parts=(
            Part("Original", "To security, who takes it back to the cage."),
            Part(
                "Duplicate",
                "Into the table's drop box by the dealer, immediately.",
                box=InBox.ON_TABLE,
            ),
        ),
        refers_as="Replaces",
        referred_as="Replaced by",
        original_at=Place.CAGE,
    ),
    look=tray_look(_ASKING),
    suggests=suggestion(_ASKING),
    raised=_asked,
    notes=_notes,
    tells=_tells,
    ways=_ships_less,
    goes_on=to_table,
)


def _return_refusals(raising: Raising) -> list[Refusal]:
    """Return why a fill may not be sent back."""
    return going_back_refusals(raising.original, left="cage")


def _back_to_cage(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return comes_back(
        slip,
        signature,
        at,
        to=Holder.CAGE,
        sentence="the cage counted neither the slip nor the table's count.",
    )


FILL_RETURN = Kind(
    "fill_return",
    title="Return of a fill",
    series="R",
    open_to=SUPERVISING,
    lit_by="board",
    refers_to=("fill",),
    must_refer=True,
    refusals=_return_refusals,
    drafted=of_the_original("not_a_fill", "isn’t a fill. Only a fill can be returned."),
    steps=(
        Step(
            "sent_back",
            done="Sent back",
            do="Send back",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that this fill does not agree with the slip, that no cheques "
            "entered the tray, and that I am returning it as received.",
            needs_reason=True,
            reason_label="What is wrong",
            then="fill_sent_back",
        ),
        Step(
            "carried_back",
            done="Carried back",
            do="Return the cheques",
            by=Role.SECURITY,
            at=Place.PIT,
            same_as="original:carried",
            attests="I certify that I am returning every cheque I brought.",
        ),
        Step(
            "counted_in",
            done="Counted in",
            do="Count and accept",
            by=Role.CASHIER,
            at=Place.CAGE,
            records=True,
            attests="I certify that I counted the returned cheques and accept them into the cage.",
            then="cheques_back_to_cage",
        ),
    ),
    relief=CARRIER_RELIEVED,
    effects={"fill_sent_back": sends_back, "cheques_back_to_cage": _back_to_cage},
    readers=CARRIED_READERS,
    promises=(Promise(3, 3),),
    paper=Form(
        parts=(
            Part("Original", "With security and the cheques to the cage, which keeps it."),
            Part(
                "Duplicate",
                "Into the table's drop box by the dealer, immediately.",
                box=InBox.ON_TABLE,
                dropped="carried_back",
            ),
        ),
        refers_as="Returns",
        referred_as="Returned on",
    ),
    heading=lambda raising: f"Send back {raising.original}",
    raised=lambda back: f"{back.refers_to} goes back. Return {back.serial}.",
)
