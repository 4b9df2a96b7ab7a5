"""A count of the cage: blind, by two people. What differs passed over the window, or is missing.

The first signer enters what they counted, and the slip is made of it; so the database can hold both
signatures to one figure.
"""

from __future__ import annotations

from datetime import datetime

from django.db import models

from inventory.kinds.in_the_cage import VAULT_READERS, VOIDED_IN_THE_CAGE, cage_paper
from inventory.models import CageCount, Holder
from inventory.selectors.cheques import cage_holding_before, last_transfer_of, public_holding
from inventory.services.cage import missing_from_the_cage
from inventory.services.ledger import lock_public, lock_the_cage, move_cheques
from pitboss.models import Signature, Slip
from pitboss.rules.cheques.cheques import difference
from pitboss.rules.floor.fields import Count
from pitboss.rules.flows.flows import Promise, SlipStatus, Step
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.roles import AT_THE_CAGE, Place, Role
from pitboss.services.exceptions import open_exception
from pitboss.slips.kind import Kind, Raising


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why the cage may not be counted now."""
    # A second count would start from figures that the first is about to change.
    first = Slip.objects.filter(kind=raising.kind.kind, status=SlipStatus.OPEN).first()
    if first is None:
        return []
    words = f"{first.serial} counts the cage. A second person verifies or voids it."
    return [Refusal("count_under_way", words, CONFLICT)]


def _begins(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Fix the count's place in the ledger: the cage goes on working while it is verified."""
    lock_the_cage()
    return [
        CageCount.objects.create(
            slip=slip, after_transfer=last_transfer_of(Holder.CAGE), cheques=slip.cheques, at=at
        )
    ]


def _counted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the cage held. What differs passed over the window unseen.

    Unless more is missing than the house takes for sold there: that is variance, and looked into.
    Cheques that no table is yet known to have lost cannot have come from the public: the tables are
    still to be counted, or the cage holds foreign cheques. They are variance, and an exception.
    """
    lock_public()
    count = CageCount.objects.get(slip=slip)
    changes = difference(cage_holding_before(count), slip.cheques_by_cents)
    paid_out = {cents: -change for cents, change in changes.items() if change < 0}
    cashed_in = {cents: change for cents, change in changes.items() if change > 0}
    public = public_holding()
    explained = {cents: min(n, max(0, public.get(cents, 0))) for cents, n in cashed_in.items()}
    unexplained = {cents: n - explained[cents] for cents, n in cashed_in.items()}
    unexplained = {cents: n for cents, n in unexplained.items() if n}
    brought = {cents: n for cents, n in difference(unexplained, cashed_in).items() if n}
    went_to = missing_from_the_cage(slip, paid_out, signature.person, at)
    rows: list[models.Model] = [
        *move_cheques(slip=slip, cheques=paid_out, source=Holder.CAGE, target=went_to, at=at),
        *move_cheques(slip=slip, cheques=brought, source=Holder.PUBLIC, target=Holder.CAGE, at=at),
        *move_cheques(
            slip=slip, cheques=unexplained, source=Holder.VARIANCE, target=Holder.CAGE, at=at
        ),
    ]
    if unexplained:
        open_exception(
            code="cage_gained",
            sentence=f"{slip.serial}: the cage has cheques that no table is known to have lost. "
            "Count the tables, and check for foreign cheques.",
            details={"cheques": {str(cents): n for cents, n in unexplained.items()}},
            at=at,
            person=signature.person,
            slip=slip,
        )
    return rows


CAGE_COUNT = Kind(
    "cage_count",
    title="Count of the cage",
    series="CC",
    open_to=AT_THE_CAGE,
    lit_by="cage",
    at_a_table=False,
    asked=(
        Count(
            name="cheques",
            label="Count",
            hint="No one sees the expected count until both people sign.",
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
            attests="I certify that I counted every cheque in the cage and was not shown an "
            "expected count.",
            then="cage_count_begins",
        ),
        Step(
            "verified",
            done="Verified",
            do="Verify",
            by=Role.CASHIER,
            at=Place.CAGE,
            counts=True,
            attests="I certify that I also counted the cage and that every line agrees with "
            "the first count.",
            then="cage_counted",
        ),
    ),
    void=VOIDED_IN_THE_CAGE,
    effects={"cage_count_begins": _begins, "cage_counted": _counted},
    readers=VAULT_READERS,
    # The cage counts itself; what is missing from it others look into.
    promises=(Promise(2, 1),),
    paper=cage_paper(
        "To accounting with the slips of the shift.", "Kept in the cage for the next shift."
    ),
    heading=lambda raising: "Count the cage",
    raised=lambda count: f"{count.serial} signed. A second person counts it too.",
)
