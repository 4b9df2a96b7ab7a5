"""Print slips: every paper that leaves a printer has a number, and the journal knows it.

The first print of a slip is the original. Each later one says REPRINT, so that of two papers with
one serial number anybody can tell which came first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Max

from pitboss.models import Device, Person, Signature, Slip, SlipPrint, Table
from pitboss.paper.forms import FORMS
from pitboss.paper.slip import (
    Issue,
    Note,
    SignatureGroup,
    SignatureLine,
    SlipPaper,
    draw_slip,
)
from pitboss.rules.flow_book import FLOWS
from pitboss.rules.flows import SlipStatus, Track, track_steps
from pitboss.rules.games_printed import GAMES
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import Place, Role
from pitboss.selectors.details import written_of
from pitboss.services import house, journal
from pitboss.services.locks import lock_slip

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

_MARKS = {
    SlipStatus.VOIDED: "VOID",
    SlipStatus.RETURNING: "GOING BACK",
    SlipStatus.RETURNED: "RETURNED",
}
_HEADINGS = {
    Track.MAIN: "Signatures",
    Track.VOID: "Void",
    Track.RELIEF: "Officer relieved",
}


@dataclass(frozen=True, slots=True)
class Printed:
    """A paper that was recorded, and the number of its copy."""

    pdf: bytes
    copy: int


def print_refusals(*, kind: str, role: Role, place: Place | None, copy: int) -> list[Refusal]:
    """Return every reason why this copy of a slip may not be printed here; none allows it.

    >>> def codes(**facts): return [refusal.code for refusal in print_refusals(**facts)]
    >>> codes(kind="fill", role=Role.CASHIER, place=Place.CAGE, copy=1)
    []
    >>> codes(kind="fill", role=Role.SUPERVISOR, place=Place.PIT, copy=1)
    ['wrong_place']
    >>> codes(kind="fill", role=Role.SUPERVISOR, place=Place.PIT, copy=2)
    []
    >>> codes(kind="fill", role=Role.AUDITOR, place=None, copy=1)
    ['wrong_role', 'unknown_device']
    """
    refusals = []
    if role not in MAY_PRINT:
        refusals.append(
            Refusal("wrong_role", f"A {role.label} prints no slips. Look at it on the screen.")
        )
    original_at = FORMS[kind].original_at
    if place is None:
        refusals.append(
            Refusal("unknown_device", "This device is not enrolled. A manager can enrol it here.")
        )
    elif copy == 1 and original_at not in (None, place):
        refusals.append(
            Refusal(
                "wrong_place",
                f"The original is printed at the {original_at}. Here it can be printed again.",
            )
        )
    return refusals


@transaction.atomic(durable=True)
def print_slip(*, slip_id: int, device: Device | None, actor: Person) -> Printed:
    """Print a slip as it stands, under the next copy number, and journal the paper's hash.

    Raises Refused.
    """
    now = house.now()
    slip = lock_slip(slip_id)
    latest: int | None = slip.prints.aggregate(latest=Max("copy"))["latest"]
    copy = (latest or 0) + 1
    role = house.role_in(actor, house.period_at(now))
    is_enrolled = device is not None and device.revoked_at is None
    refusals = print_refusals(
        kind=slip.kind,
        role=role,
        place=Place(device.place) if device is not None and is_enrolled else None,
        copy=copy,
    )
    if refusals:
        raise Refused(refusals)
    pdf = draw_slip(slip_paper(slip, Issue(actor.signs_as, now, copy)))
    row = SlipPrint.objects.create(slip=slip, copy=copy, printed_by=actor, printed_at=now)
    journal.write(
        chain=journal.chain_of(slip.table, journal.CAGE),
        kind=f"{slip.kind}.printed",
        body={
            "serial": slip.serial,
            "copy": copy,
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


def preview_slip(slip: Slip, *, actor: Person) -> bytes:
    """Draw a slip for the screen, marked as no document. Writes nothing."""
    return draw_slip(slip_paper(slip, Issue(actor.signs_as, house.now(), copy=None)))


def slip_paper(slip: Slip, issue: Issue) -> SlipPaper:
    """Return all that a slip says on paper, its times by the property's clock."""
    the_property = house.the_property()
    zone = the_property.clock.zone
    signatures = list(slip.signatures.order_by("id"))
    signed = {(each.track, each.step): each for each in signatures}
    main = track_steps(slip.plan, Track.MAIN)
    table = slip.table
    return SlipPaper(
        form=FORMS[slip.kind],
        title=slip.title,
        property_name=the_property.name,
        serial=slip.serial,
        gaming_day=slip.gaming_day,
        raised_at=slip.raised_at.astimezone(zone),
        shift=slip.shift,
        pit=table.pit.name if table else "",
        table=table.name if table else "",
        game=_game_words(table) if table else "",
        cheques=slip.cheques_by_cents,
        counted=_recorded(main, signed),
        has_count=any(step["records"] for step in main),
        groups=tuple(_groups(slip, signed, zone)),
        notes=tuple(_notes(slip, signatures)),
        mark=_MARKS.get(SlipStatus(slip.status), ""),
        issue=Issue(issue.by, issue.at.astimezone(zone), issue.copy),
    )


def _game_words(table: Table) -> str:
    # A slip is printed even when its game is no longer among those of the house.
    game = GAMES.get(table.game)
    return game.name if game else table.game


def _recorded(
    steps: list[Mapping[str, Any]], signed: Mapping[tuple[str, str], Signature]
) -> dict[int, int] | None:
    """Return what was counted at the step that records a count, once it was."""
    for step in steps:
        signature = signed.get((step["track"], step["name"]))
        if step["records"] and signature is not None and signature.counted is not None:
            return {int(cents): count for cents, count in signature.counted.items()}
    return None


def _groups(
    slip: Slip, signed: Mapping[tuple[str, str], Signature], zone: ZoneInfo
) -> list[SignatureGroup]:
    """Return the lines of the slip's own track, and of a way out that somebody has taken."""
    groups = []
    untold = FLOWS[slip.kind].untold_steps(signed.keys())
    for track, heading in _HEADINGS.items():
        steps = track_steps(slip.plan, track)
        if track != Track.MAIN and not any((track.value, s["name"]) in signed for s in steps):
            continue
        lines = []
        for step in steps:
            if step["name"] in untold:
                continue
            signature = signed.get((track.value, step["name"]))
            name = step["name"].replace("_", " ").capitalize()
            if signature is None:
                roles = " or ".join(Role(value).label for value in step["by"])
                is_closed = slip.status != SlipStatus.OPEN.value
                lines.append(SignatureLine(name, roles, is_closed=is_closed))
            else:
                lines.append(
                    SignatureLine(
                        name,
                        Role(signature.role).label,
                        signed_as=signature.signed_as,
                        signed_at=signature.signed_at.astimezone(zone),
                        shown_hash=signature.shown_hash,
                    )
                )
        groups.append(SignatureGroup(heading, tuple(lines)))
    return groups


def _notes(slip: Slip, signatures: list[Signature]) -> list[Note]:
    """Return what is written beneath the cheques: slips that belong together, and reasons."""
    notes = []
    void = [each for each in signatures if each.track == Track.VOID.value]
    if slip.status == SlipStatus.VOIDED.value:
        signers = " and ".join(each.signed_as for each in void)
        reasons = " ".join(each.reason for each in void if each.reason)
        notes.append(Note("VOID", f"{reasons} Signed by {signers}.", is_grave=True))
    if slip.refers_to is not None:
        notes.append(Note(FORMS[slip.kind].refers_as, slip.refers_to.serial))
    notes.extend(
        Note(FORMS[other.kind].referred_as, other.serial)
        for other in slip.referred_by.order_by("id")
    )
    notes.extend(Note(heading, words) for heading, words in written_of(slip))
    if slip.reason:
        notes.append(Note("Reason", slip.reason))
    notes.extend(
        Note(_HEADINGS[Track.RELIEF], each.reason)
        for each in signatures
        if each.track == Track.RELIEF.value and each.reason
    )
    return notes
