"""Front money drawn at a table, with the controls of a marker; safekeeping never is.

The supervisor’s signature sets the money aside, so that no other pit can draw it while this one is
signed. It counts as credit issued in win and drop: cheques left the tray for no cash in the box.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.db import models

from inventory.kinds.carrying import CHEQUES
from inventory.kinds.marker import OWED_READERS, WITNESSES, cut_of
from inventory.kinds.of_a_patron import (
    CUT_BY_DEALER,
    DollarAmount,
    back_to_choice,
    id_on_file,
    of_chosen_patron,
    patron_choice,
    patron_locked,
    patron_of,
    signed_by_patron,
    tells_hand,
    valid_ids,
)
from inventory.models import DepositAccount, DepositEntry, DepositMove, Holder, Patron
from inventory.selectors.credit import found_of
from inventory.selectors.deposits import balance_cents, deposits_of, usable_cents
from inventory.services.errands import closing_refusals
from inventory.services.exclusion import Compared, keep_comparison, stop_refusals
from inventory.services.ledger import move_cheques
from inventory.services.patrons import lock_patron
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip, Table
from pitboss.paper.forms import Form, InBox, Part
from pitboss.rules.cheques.cheques import format_money, total_cents
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, SlipStatus, Step, void_witnessed
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.patron_reads import READS, draw_words, reads
from pitboss.rules.patrons.payment_means import deposit_refusals
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import SUPERVISING, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.signing import set_status
from pitboss.slips.addresses import own_url
from pitboss.slips.fields import drawn
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id


def _table_of(raising: Raising) -> Table:
    assert raising.table is not None, "front money is drawn at a table"
    return raising.table


def _cut(raising: Raising) -> Raising:
    """Return it in cheques: as they were shown, or cut from this tray. Raises Refused."""
    cheques = raising.cheques or cut_of(_table_of(raising), raising.given.get("amount", 0))
    return replace(raising, cheques=cheques)


def _drafted(raising: Raising) -> NewSlip:
    patron, table, payee = patron_of(raising), _table_of(raising), house.the_property().name
    cents = total_cents(raising.cheques)
    usable = usable_cents(patron, DepositAccount.FRONT_MONEY, house.now())
    words = draw_words(payee=payee, amount_cents=cents, table=table.name)
    return NewSlip(
        raising.kind.kind,
        table.pk,
        raising.cheques,
        details={
            "patron": patron.pk,
            "patron_name": patron.full_name,
            "player_card": patron.player_card,
            "account": DepositAccount.FRONT_MONEY.value,
            "amount_cents": cents,
            "usable_cents": usable,
            READS: reads(cents, words, "Front money"),
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why front money may not be drawn at this table, now: every reason."""
    patron, now, details = patron_of(raising), house.now(), raising.new().details
    refusals = [
        *stop_refusals(Compared(patron, Moment.WITHDRAWAL, now, _table_of(raising))),
        *closing_refusals(_table_of(raising)),
        *_covered(patron, details["amount_cents"], now),
    ]
    if not valid_ids(patron).exists():
        refusals.append(
            Refusal("no_identity", f"No valid ID of {patron} is on file. Add one first.")
        )
    return refusals


def _covered(patron: Patron, cents: int, now: datetime) -> list[Refusal]:
    """Return that front money doesn’t cover it, and that safekeeping never does."""
    refusals = deposit_refusals(usable_cents(patron, DepositAccount.FRONT_MONEY, now), cents)
    kept = balance_cents(patron, DepositAccount.SAFEKEEPING)
    if refusals and kept:
        refusals.append(
            Refusal(
                "safekeeping_stays",
                f"{format_money(kept)} of {patron} is in safekeeping, which isn’t drawn at a "
                "table. Send the patron to the cage.",
            )
        )
    return refusals


def _set_aside(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the amount off the deposit immediately: no other pit can draw it. Raises Refused."""
    patron = lock_patron(slip.details["patron"])
    if refusals := _covered(patron, slip.total_cents, at):
        raise Refused(refusals)
    keep_comparison(Compared(patron, Moment.WITHDRAWAL, at, slip.table, slip))
    return [_entry(slip, patron, DepositMove.DRAWN, at)]


def _paid_out(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Send the cheques to the patron. Raises Refused where a list stops it by now."""
    patron = lock_patron(slip.details["patron"])
    compared = Compared(patron, Moment.WITHDRAWAL, at, slip.table, slip)
    if refusals := stop_refusals(compared):
        raise Refused(refusals)
    return list(
        move_cheques(
            slip=slip,
            cheques=slip.cheques_by_cents,
            source=Holder.TRAY,
            target=Holder.PUBLIC,
            at=at,
        )
    )


def _voided(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Give the money back to the deposit, once."""
    patron = lock_patron(slip.details["patron"])
    set_status(slip, SlipStatus.VOIDED)
    return [_entry(slip, patron, DepositMove.PUT_BACK, at)]


def _entry(slip: Slip, patron: Patron, move: DepositMove, at: datetime) -> DepositEntry:
    when = house.period_at(at)
    return DepositEntry.objects.create(
        patron=patron,
        account=DepositAccount.FRONT_MONEY.value,
        move=move.value,
        amount_cents=slip.total_cents,
        usable_at=at,
        slip=slip,
        gaming_day=when.gaming_day,
        shift=when.shift,
        at=at,
    )


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page that asks for the amount, next to what is on deposit."""
    given = request.POST if refused else request.GET
    patron = patron_of(raising)
    return "inventory/front_draw.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "found": found_of(patron),
        "deposits": deposits_of(patron, house.now()),
        "fields": [drawn(FRONT_DRAW.asked[0], given)],
    }


def _writes(slip: Slip) -> list[tuple[str, str]]:
    details = slip.details
    left = details["usable_cents"] - slip.total_cents
    return [
        ("Patron", details["patron_name"]),
        ("Front money", f"{format_money(left)} remains after it"),
        ("Request", " ".join(details[READS]["says"])),
    ]


FRONT_DRAW = Kind(
    "front_draw",
    title="Front money at a table",
    series="FT",
    ships=True,
    open_to=SUPERVISING,
    lit_by="board",
    begins=of_chosen_patron,
    chooses=patron_choice,
    locks=patron_locked,
    asked=(DollarAmount(name="amount", label="Amount ($)", is_needed=False), CHEQUES),
    becomes=_cut,
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "drawn",
            done="Requested",
            do="Request",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I verified the patron’s front money and request this amount from it.",
            then="front_money_set_aside",
        ),
        signed_by_patron(Role.SUPERVISOR, Place.PIT, may_repeat="drawn"),
        CUT_BY_DEALER,
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat=("drawn", "patron_signed"),
            attests="I certify that the cheques cut equal this slip, that they were given to "
            "the patron, and that the copy was dropped.",
            then="front_money_paid_out",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat=("drawn", "patron_signed"),
            needs_reason=True,
            attests="I void this slip. I certify that no cheques were issued on it and that "
            "every part is marked VOID.",
        ),
        void_witnessed(WITNESSES, then="front_money_put_back"),
    ),
    effects={
        "front_money_set_aside": _set_aside,
        "front_money_paid_out": _paid_out,
        "front_money_put_back": _voided,
    },
    readers=OWED_READERS,
    promises=(Promise(2, 1),),
    paper=Form(
        parts=(
            Part("Original", "To the cage, which takes it off the patron’s deposit."),
            Part(
                "Duplicate",
                "Into the table's drop box by the dealer, immediately.",
                "yellow",
                box=InBox.ON_TABLE,
            ),
            Part("Receipt", "To the patron."),
        ),
        original_at=Place.PIT,
        caption="Patron deposit",
    ),
    look=_look,
    tells=tells_hand,
    matches=id_on_file,
    back=back_to_choice,
    raised=lambda slip: f"{slip.serial} requested. Hand the tablet to the patron.",
    writes=_writes,
)
