"""House cheques: from the maker into the cage, and out of it to be destroyed."""

from __future__ import annotations

from inventory.kinds.in_the_cage import VAULT_READERS, VOIDED_IN_THE_CAGE, cage_paper
from inventory.models import Holder
from inventory.services.errands import moves
from pitboss.rules.floor.fields import Count
from pitboss.rules.flows.flows import Promise, Step
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import AT_THE_CAGE, Place, Role
from pitboss.slips.kind import Kind, Raising


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why house cheques may not come or go."""
    if any(raising.cheques.values()):
        return []
    return [Refusal("nothing_counted", "Count at least one cheque.")]


HOUSE_RECEIPT = Kind(
    "house_receipt",
    title="Receipt of house cheques",
    series="HR",
    open_to=AT_THE_CAGE,
    lit_by="cage",
    at_a_table=False,
    asked=(
        Count(
            name="cheques",
            label="Count",
            hint="Count every box, even if the paperwork gives a number.",
        ),
    ),
    refusals=_refusals,
    steps=(
        Step(
            "counted",
            done="Counted",
            do="Count",
            by=Role.CASHIER,
            at=Place.CAGE,
            counts=True,
            attests="I certify that I opened the manufacturer's boxes and counted the cheques "
            "listed on this slip.",
            needs_reason=True,
            reason_label="Maker and invoice",
        ),
        Step(
            "taken_in",
            done="Accepted",
            do="Accept",
            by=Role.SECURITY,
            at=Place.CAGE,
            counts=True,
            attests="I certify that the seals were intact, that I also counted these cheques, "
            "and that every line agrees.",
            then="house_cheques_received",
        ),
    ),
    void=VOIDED_IN_THE_CAGE,
    effects={"house_cheques_received": moves(Holder.OUTSIDE, Holder.CAGE)},
    readers=VAULT_READERS,
    promises=(Promise(2, 2),),
    paper=cage_paper(
        "To accounting with the maker's invoice.", "Kept in the cage.", reason_as="Maker"
    ),
    heading=lambda raising: "Receive house cheques",
    raised=lambda receipt: f"{receipt.serial} signed. Security counts them too.",
)

HOUSE_DESTRUCTION = Kind(
    "house_destruction",
    title="Destruction of house cheques",
    series="HD",
    open_to=AT_THE_CAGE,
    lit_by="cage",
    at_a_table=False,
    asked=(
        Count(
            name="cheques",
            label="Count",
            hint="Count what leaves for good. Security counts it again and sees it destroyed.",
        ),
    ),
    refusals=_refusals,
    steps=(
        Step(
            "counted",
            done="Counted",
            do="Count",
            by=Role.CAGE_MANAGER,
            at=Place.CAGE,
            counts=True,
            attests="I certify that I counted the cheques listed on this slip out of the cage "
            "to be destroyed.",
            needs_reason=True,
            reason_label="Why they are destroyed",
        ),
        Step(
            "destroyed",
            done="Destroyed",
            do="Destroy",
            by=Role.SECURITY,
            at=Place.CAGE,
            counts=True,
            attests="I certify that I also counted these cheques and saw every one destroyed.",
            then="house_cheques_destroyed",
        ),
    ),
    void=VOIDED_IN_THE_CAGE,
    effects={"house_cheques_destroyed": moves(Holder.CAGE, Holder.OUTSIDE)},
    readers=VAULT_READERS,
    promises=(Promise(2, 2),),
    paper=cage_paper("To accounting.", "Kept in the cage."),
    heading=lambda raising: "Destroy house cheques",
    raised=lambda gone: f"{gone.serial} signed. Security counts them and sees them destroyed.",
)
