"""Store a signature with all that stands or falls with it, in one statement."""

from __future__ import annotations

from datetime import datetime

from pitboss.models import Signature
from pitboss.models.plain import Statement, in_one_statement, in_one_trip, inserting, stored
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services.standing import Signed, moving_waits, set_status


def store_signature(
    signature: Signature,
    *,
    is_new: bool,
    finishes: bool,
    waits: tuple[Signed, datetime, int] | None,
) -> None:
    """Store a signature, the slip that it raises, and that the slip is done, if so.

    With `waits`, who has signed by now, also what the slip waits for next; where an effect of the
    step may move the slip on, that comes after it.
    """
    slip = signature.slip
    parts: list[Statement] = []
    names: list[str] = []
    new_id = "(SELECT id FROM raised)" if is_new else ""
    if is_new:
        text, values = inserting(slip)
        parts.append((f"{text} RETURNING id", values))
        names.append("raised")
    text, values = inserting(signature, {"slip_id": new_id} if is_new else None)
    parts.append((f"{text} RETURNING id, slip_id", values))
    names.append("signed")
    if finishes and not is_new:
        slip.status = SlipStatus.DONE.value
        # After the signature: the database refuses a slip as done that lacks one.
        done = (
            "UPDATE pitboss_slip AS slip SET status = %s FROM signed WHERE slip.id = signed.slip_id"
        )
        parts.append((done, [slip.status]))
    if waits is not None and not (finishes and is_new):
        who, at, limit_seconds = waits
        parts += moving_waits(slip, who, at, limit_seconds=limit_seconds, new_id=new_id)
    ((row,),) = in_one_trip(in_one_statement(parts, "SELECT id, slip_id FROM signed", names))
    signature_id, slip_id = row
    if is_new:
        stored(slip, slip_id)
        signature.slip_id = slip_id
    stored(signature, signature_id)
    if finishes and is_new:
        # One statement does not change a row that it has itself stored.
        set_status(slip, SlipStatus.DONE)
