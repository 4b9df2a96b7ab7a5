"""A set-off: the winner signs that what they won goes to their markers instead of to them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from inventory.kinds.marker_payment import (
    MARKER_PAYMENT_CAGE,
    drafted_payment,
    payment_judged,
    with_words,
)
from inventory.kinds.of_a_patron import (
    DollarAmount,
    id_on_file,
    patron_of,
    signed_by_patron,
    tells_hand,
)
from jackpots.models import Jackpot
from jackpots.services.hits import newest_figure
from jackpots.services.papers import papers_of
from jackpots.services.set_offs import SET_OFF, set_off_begun
from pitboss.models import Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Words
from pitboss.rules.flows.flows import SlipStatus, Step
from pitboss.rules.patrons.payment_means import Means
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.payouts.jackpot_flows import JACKPOT
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.roles import Place, Role
from pitboss.selectors.slips import due_step
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Raising, nothing_more

# The step that pays a win: before it the figure may still move.
_PAYS: Final = {JACKPOT: "paid", BIG_WIN: "counted_out"}


def _win_of(raising: Raising) -> Slip:
    assert raising.original is not None, "a set-off is of a win"
    return raising.original


def _net_cents(win: Slip) -> int:
    """Return what the winner would get now, its tax kept back."""
    jackpot = Jackpot.objects.select_related("slip").get(slip=win)
    owed = newest_figure(jackpot).award_cents
    return owed - papers_of(jackpot, owed, house.now()).withheld_cents


def _drafted(raising: Raising) -> NewSlip:
    win, amount_cents = _win_of(raising), raising.given["amount"]
    net_cents = _net_cents(win)
    paid: list[list[str]] = [
        ["Win", f"{win.serial}, {format_money(net_cents)} after tax"],
        ["Set off", format_money(amount_cents)],
        ["Paid to the patron", format_money(max(0, net_cents - amount_cents))],
    ]
    more: dict[str, Any] = {"means": Means.SET_OFF.value, "issuer": "", "reference": win.serial}
    new = drafted_payment(raising, amount_cents, paid, **more)
    return replace(with_words(new, patron_of(raising), win.serial), refers_to_id=win.pk)


def _refusals(raising: Raising) -> list[Refusal]:
    win, patron = _win_of(raising), patron_of(raising)
    refusals = payment_judged(raising)
    if win.status != SlipStatus.OPEN.value:
        refusals.append(
            Refusal("slip_closed", f"{win} is no longer open. Check the win.", CONFLICT)
        )
        return refusals
    if (begun := set_off_begun(win)) is not None:
        refusals.append(
            Refusal("already_set_off", f"{begun} already sets {win} off. Open that one.", CONFLICT)
        )
    due = due_step(win)
    if due is None or due.name != _PAYS[win.kind]:
        refusals.append(
            Refusal(
                "win_not_released",
                f"{win} isn’t released for payment. Set it off after that.",
                CONFLICT,
            )
        )
    jackpot = Jackpot.objects.select_related("slip").get(slip=win)
    papers = papers_of(jackpot, newest_figure(jackpot).award_cents, house.now())
    if papers.patron_id != patron.pk:
        refusals.append(
            Refusal(
                "winner_unnamed",
                f"{win} isn’t on file as won by {patron}. Prepare its forms with their ID first.",
                CONFLICT,
            )
        )
    if raising.given["amount"] > _net_cents(win):
        refusals.append(
            Refusal(
                "set_off_too_large",
                f"The winner gets {format_money(_net_cents(win))}. Set off that much or less.",
            )
        )
    return refusals


MARKER_SET_OFF = replace(
    MARKER_PAYMENT_CAGE,
    kind=SET_OFF,
    title="Set-off of a win against markers",
    at_a_table=True,
    refers_to=(JACKPOT, BIG_WIN),
    must_refer=True,
    asked=(
        DollarAmount(name="amount", label="Amount to set off ($)"),
        Words(name="first", label="Pay first", is_needed=False, most=40),
        Words(name="waiver", label="Why the newest isn’t paid", is_needed=False, most=500),
    ),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "set_off_offered",
            done="Set-off offered",
            do="Offer",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that I explained this set-off to the winner and that the win and "
            "its tax stay as they are.",
        ),
        signed_by_patron(Role.CASHIER, Place.CAGE, may_repeat="set_off_offered"),
        Step(
            "payment_verified",
            done="Payment verified",
            do="Verify",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that I verified this set-off against the win and the markers. It "
            "takes effect when the win is paid.",
        ),
    ),
    void=(
        replace(MARKER_PAYMENT_CAGE.void[0], may_repeat=("set_off_offered", "patron_signed")),
        MARKER_PAYMENT_CAGE.void[1],
    ),
    effects={},
    look=None,
    paper=replace(MARKER_PAYMENT_CAGE.paper, refers_as="Sets off", referred_as="Set off by"),
    tells=tells_hand,
    matches=id_on_file,
    heading=lambda raising: f"Set off {raising.original}",
    review=nothing_more,
    raised=lambda slip: f"{slip.serial} started. Hand the tablet to the patron.",
)
