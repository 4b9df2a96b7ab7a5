"""The cage: its count by two people, and house cheques that come from the maker or go for good."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import models

from inventory.models import CageCount, Holder
from inventory.selectors.cheques import cage_holding_before, last_transfer_of, public_holding
from inventory.services.errands import moves
from inventory.services.ledger import lock_public, lock_the_cage, move_cheques
from pitboss.models import Signature, Slip
from pitboss.rules.cage_flows import CAGE_COUNT, HOUSE_DESTRUCTION, HOUSE_RECEIPT
from pitboss.rules.cheques import difference
from pitboss.rules.flows import Flow, SlipStatus
from pitboss.rules.refusal import Refusal
from pitboss.services.effects import effect
from pitboss.services.exceptions import open_exception
from pitboss.services.journal import CAGE
from pitboss.services.locks import lock_desk
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip

Cheques = Mapping[int, int]


def new_cage_slip(flow: Flow, counted: Cheques) -> NewSlip:
    """Return a slip of the cage about to be raised, made of what its first signer counted."""
    return NewSlip(flow.kind, None, counted)


def count_the_cage(*, counted: Cheques, pen: Pen, shown: str) -> Slip:
    """Count the cage, blind, signed by the first of two people. Raises Refused."""
    return _raise(CAGE_COUNT, counted, "", pen, shown)


def receive_house_cheques(*, counted: Cheques, maker: str, pen: Pen, shown: str) -> Slip:
    """Count new cheques in; `maker` names who made them and on which invoice. Raises Refused."""
    return _raise(HOUSE_RECEIPT, counted, maker, pen, shown)


def destroy_house_cheques(*, counted: Cheques, reason: str, pen: Pen, shown: str) -> Slip:
    """Count cheques out of the cage that are to be destroyed. Raises Refused."""
    return _raise(HOUSE_DESTRUCTION, counted, reason, pen, shown)


def _raise(flow: Flow, counted: Cheques, reason: str, pen: Pen, shown: str) -> Slip:
    def judge(_: object, __: object) -> Judgement:
        # Acts at the cage are serial where its slips are raised, as acts at a table are.
        lock_desk(CAGE)
        return Judgement(cage_refusals(flow, counted))

    return raise_slip(
        new_cage_slip(flow, counted),
        pen=pen,
        shown=shown,
        judge=judge,
        entry=Entry(counted=counted, reason=reason),
    )


def cage_refusals(flow: Flow, counted: Cheques) -> list[Refusal]:
    """Return why a slip of the cage may not be raised."""
    refusals = []
    if flow is not CAGE_COUNT and not any(counted.values()):
        refusals.append(Refusal("nothing_counted", "Count at least one cheque."))
    if flow is CAGE_COUNT:
        # A second count would start from figures that the first is about to change.
        open_count = Slip.objects.filter(kind=CAGE_COUNT.kind, status=SlipStatus.OPEN).first()
        if open_count is not None:
            refusals.append(
                Refusal(
                    "count_under_way",
                    f"{open_count.serial} counts the cage. A second person verifies or voids it.",
                )
            )
    return refusals


@effect("cage_count_begins")
def _cage_count_begins(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Fix the count's place in the ledger: the cage goes on working while it is verified."""
    lock_the_cage()
    return [
        CageCount.objects.create(
            slip=slip, after_transfer=last_transfer_of(Holder.CAGE), cheques=slip.cheques, at=at
        )
    ]


@effect("cage_counted")
def _cage_counted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the cage held. What differs passed over the window unseen.

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
    rows: list[models.Model] = [
        *move_cheques(slip=slip, cheques=paid_out, source=Holder.CAGE, target=Holder.PUBLIC, at=at),
        *move_cheques(slip=slip, cheques=brought, source=Holder.PUBLIC, target=Holder.CAGE, at=at),
        *move_cheques(
            slip=slip, cheques=unexplained, source=Holder.VARIANCE, target=Holder.CAGE, at=at
        ),
    ]
    if unexplained:
        open_exception(
            code="cage_gained",
            sentence=f"{slip.serial}: the cage holds cheques that no table is known to have lost. "
            "Count the tables, and look for foreign cheques.",
            details={"cheques": {str(cents): n for cents, n in unexplained.items()}},
            at=at,
            person=signature.person,
            slip=slip,
        )
    return rows


effect("house_cheques_received")(moves(Holder.OUTSIDE, Holder.CAGE))
effect("house_cheques_destroyed")(moves(Holder.CAGE, Holder.OUTSIDE))
