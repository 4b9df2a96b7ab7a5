"""Print slips: every paper that leaves a printer has a number, and the journal knows it.

The first print of a slip is the original. Each later one says REPRINT, so that of two papers with
one serial number anyone can tell which came first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import Max

from pitboss.models import Device, JournalEntry, Person, Slip, SlipPrint
from pitboss.paper.content import Issue
from pitboss.paper.forms import Part
from pitboss.paper.slip import draw_slip
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.refusal import NOT_YOURS, Refusal, Refused
from pitboss.rules.roles import Place, Role
from pitboss.selectors.slip_papers import parts_of, slip_paper
from pitboss.services import house, journal
from pitboss.services.locks import lock_slip
from pitboss.slips.kind import form_of

# A slip that keeps this is printed at the cage before what it is about leaves.
PRINTED_FIRST: Final = "printed_first"
# Those who work with the paper, and those who file it. Everyone else looks at it on a screen.
MAY_PRINT = frozenset(
    {
        Role.SUPERVISOR,
        Role.PIT_MANAGER,
        Role.SHIFT_MANAGER,
        Role.CASHIER,
        Role.CAGE_MANAGER,
        Role.ACCOUNTING,
    }
)


@dataclass(frozen=True, slots=True)
class Printed:
    """A paper that was recorded, and the number of its copy."""

    pdf: bytes
    copy: int


def print_refusals(
    *,
    kind: str,
    role: Role,
    place: Place | None,
    new_parts: Sequence[Part],
    first_at: Place | None = None,
) -> list[Refusal]:
    """Return every reason why a slip may not be printed here; none allows it.

    `first_at` is where the original of this very slip is printed, if that is not for its form.

    >>> fill = form_of("fill").parts
    >>> def codes(**facts):
    ...     return [refusal.code for refusal in print_refusals(kind="fill", **facts)]
    >>> codes(role=Role.CASHIER, place=Place.CAGE, new_parts=fill)
    []
    >>> codes(role=Role.SUPERVISOR, place=Place.PIT, new_parts=fill)
    ['wrong_place']
    >>> codes(role=Role.SUPERVISOR, place=Place.PIT, new_parts=())
    []
    >>> codes(role=Role.AUDITOR, place=None, new_parts=fill)
    ['wrong_role', 'unknown_device']
    """
    refusals = []
    if role not in MAY_PRINT:
        refusals.append(
            Refusal(
                "wrong_role",
                f"{role.label}: you can’t print slips. View it on the screen.",
                NOT_YOURS,
            )
        )
    if place is None:
        refusals.append(
            Refusal(
                "unknown_device",
                "This device isn’t enrolled. A manager can enroll it here.",
                NOT_YOURS,
            )
        )
        return refusals
    elsewhere = {
        original_at
        for part in new_parts
        if (original_at := first_at or form_of(kind).printed_first_at(part)) not in (None, place)
    }
    refusals.extend(
        Refusal(
            "wrong_place",
            f"The original is printed at the {original_at}. Here it can be printed again.",
            NOT_YOURS,
        )
        for original_at in elsewhere
    )
    return refusals


@transaction.atomic(durable=True)
def print_slip(*, slip_id: int, device: Device | None, actor: Person) -> Printed:
    """Print a slip as it stands, under the next copy number, and journal the paper's hash.

    Parts that were never printed come first, alone; once all were, all are printed again and say
    so. Raises Refused.
    """
    slip = lock_slip(slip_id)
    now = house.now()
    latest: int | None = slip.prints.aggregate(latest=Max("copy"))["latest"]
    copy = (latest or 0) + 1
    role = house.role_in(actor, house.period_at(now))
    is_enrolled = device is not None and device.revoked_at is None
    parts = parts_of(slip, list(slip.signatures.all()))
    printed = _printed_before(slip) if latest else frozenset()
    new_parts = tuple(part for part in parts if part.name not in printed)
    refusals = print_refusals(
        kind=slip.kind,
        role=role,
        place=Place(device.place) if device is not None and is_enrolled else None,
        new_parts=new_parts,
        first_at=Place.CAGE if slip.details.get(PRINTED_FIRST) else None,
    )
    if refusals:
        raise Refused(refusals)
    issue = Issue(actor.signs_as, now, copy, has_new_parts=bool(new_parts))
    paper = slip_paper(slip, issue, new_parts or parts)
    pdf = draw_slip(paper)
    row = SlipPrint.objects.create(slip=slip, copy=copy, printed_by=actor, printed_at=now)
    journal.write(
        chain=journal.chain_of(slip.table, FLOWS[slip.kind].desk),
        kind=f"{slip.kind}.printed",
        body={
            "serial": slip.serial,
            "copy": copy,
            "parts": [part.name for part in paper.parts],
            "status": slip.status,
            "as": actor.signs_as,
            "role": role.value,
            "pdf_hash": hashlib.sha256(pdf).hexdigest(),
        },
        at=now,
        person=actor,
        device=device,
        slip=slip,
        rows=[row],
    )
    return Printed(pdf, copy)


def _printed_before(slip: Slip) -> frozenset[str]:
    """Return the parts of a slip that left a printer already, as the journal has them."""
    entries = JournalEntry.objects.filter(slip=slip, kind=f"{slip.kind}.printed")
    texts = entries.values_list("text", flat=True)
    return frozenset(name for text in texts for name in json.loads(text)["body"]["parts"])


def preview_slip(slip: Slip, *, actor: Person) -> bytes:
    """Draw a slip for the screen, marked as no document. Writes nothing."""
    return draw_slip(slip_paper(slip, Issue(actor.signs_as, house.now(), copy=None)))
