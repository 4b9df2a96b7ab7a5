"""What fills and credits share: cheques carried between cage and table, and back when wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import models
from django.db.models import Exists, OuterRef, Q

from inventory.models import Holder
from inventory.services.ledger import move_cheques
from pitboss.models import FloorException, Signature, Slip, Table
from pitboss.rules.cheques.tray_counts import CLOSER
from pitboss.rules.flows.flows import Flow, SlipStatus, is_dispatched
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.services.effects import Effect
from pitboss.services.exceptions import PART_OFFERED, close_exception, open_exception
from pitboss.services.locks import lock_slip
from pitboss.services.standing import end_waits, set_status


def asking_refusals(
    flow: Flow, table: Table | None, cheques: Mapping[int, int], original: Slip | None
) -> list[Refusal]:
    """Return why cheques may not be asked for on a slip of this kind."""
    refusals = []
    if not any(cheques.values()):
        refusals.append(Refusal("nothing_asked", "Choose at least one cheque."))
    if table is not None:
        refusals.extend(closing_refusals(table))
    if original is None:
        return refusals
    if original.status != SlipStatus.RETURNED.value:
        refusals.append(
            Refusal(
                "not_returned",
                f"{original.serial} wasn’t returned, so it can’t be replaced. Request a new one.",
                CONFLICT,
            )
        )
    replacing = Slip.objects.filter(refers_to=original, kind=flow.kind)
    # One that was shipped in parts is void, and its parts replace what it replaced.
    in_parts = Exists(Slip.objects.filter(refers_to=OuterRef("pk"), details__has_key="part_of"))
    if replacing.filter(~Q(status=SlipStatus.VOIDED.value) | in_parts).exists():
        refusals.append(
            Refusal(
                "already_replaced",
                f"Another {flow.title.lower()} already replaces {original.serial}. "
                "Finish or void that one.",
                CONFLICT,
            )
        )
    return refusals


def closing_refusals(table: Table) -> list[Refusal]:
    """Return why no cheque may be asked of a table's tray, or be brought to it."""
    refusals = []
    if not table.is_open:
        refusals.append(
            Refusal(
                "table_closed", f"{table} is closed and its tray locked. Open it first.", CONFLICT
            )
        )
    closing = Slip.objects.filter(table=table, kind=CLOSER, status=SlipStatus.OPEN.value).first()
    if closing is not None:
        refusals.append(
            Refusal(
                "table_closing", f"{closing.serial} closes {table}. Finish it or void it.", CONFLICT
            )
        )
    return refusals


def going_back_refusals(original: Slip | None, *, left: str) -> list[Refusal]:
    """Return why a slip's cheques may not go back. `left` names where they would have come from."""
    assert original is not None, "a return refers to what it returns"
    if original.status != SlipStatus.OPEN.value:
        return [
            Refusal(
                "slip_closed",
                f"{original.serial} is {original.status}. It can’t be returned.",
                CONFLICT,
            )
        ]
    signed = {
        (signature.track, signature.step): signature.person_id
        for signature in original.signatures.all()
    }
    if not is_dispatched(original.plan, signed):
        return [
            Refusal(
                "not_dispatched",
                f"{original.serial} has not left the {left}. It can be voided there.",
                CONFLICT,
            )
        ]
    return []


def moves(source: Holder, target: Holder) -> Effect:
    """Return the effect that moves a slip's cheques from one place to another."""

    def move(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
        cheques = slip.cheques_by_cents
        return [*move_cheques(slip=slip, cheques=cheques, source=source, target=target, at=at)]

    return move


def sends_back(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Stop the slip that a return refers to: no one signs it while its cheques are on the way."""
    original = original_of(slip)
    set_status(original, SlipStatus.RETURNING)
    end_waits(original, at)
    return []


def comes_back(
    slip: Slip, signature: Signature, at: datetime, *, to: Holder, sentence: str
) -> list[models.Model]:
    """Undo the way out. What left on the slip comes back on it, whatever colors it was.

    Anyone who gave other cheques than the slip said has them again; the ledger, which knew only the
    slip, is right when it takes back the same. A count that is neither the slip's nor the one that
    sent it back means that cheques changed on the way, and is an exception.
    """
    original = original_of(slip)
    transfers = move_cheques(
        slip=slip, cheques=original.cheques_by_cents, source=Holder.CARRIER, target=to, at=at
    )
    set_status(original, SlipStatus.RETURNED)
    differing = list(FloorException.objects.filter(code="count_differs", slip=original))
    for floor_exception in differing:
        floor_exception.require_seal()
    counts = [
        original.cheques,
        *(floor_exception.details.get("counted") for floor_exception in differing),
    ]
    if signature.counted not in counts:
        open_exception(
            code="return_differs",
            sentence=f"{slip.serial}: {sentence}",
            details={"slip": original.cheques, "counted": signature.counted},
            at=at,
            person=signature.person,
            table=slip.table,
            slip=slip,
        )
    return [*transfers]


def end_offer(fill: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Close the offer of a part that no one answered: the fill goes on, or ends, without it."""
    offers = FloorException.objects.select_for_update(of=("self",), no_key=True)
    for offer in offers.filter(code=PART_OFFERED, slip=fill, resolved_at=None):
        offer.require_seal()
        words = f"Not answered. {fill.serial} went on without it."
        close_exception(offer, words, signature.person, signature.device, at)
    return []


def original_of(slip: Slip) -> Slip:
    """Lock and return the slip that a return refers to. Their table is locked by now."""
    assert slip.refers_to_id is not None, "a return refers to what it returns"
    return lock_slip(slip.refers_to_id)
