"""Markers on the way: originals go from a pit to the cage, one or all of them, and back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import models

from inventory.models import Marker, MarkerEntry, MarkerMove
from inventory.selectors.credit import Outstanding, outstanding
from inventory.services.patrons import lock_patron
from pitboss.models import Pit, Signature, Slip
from pitboss.rules.cheques import format_money
from pitboss.rules.flows import Flow, SlipStatus
from pitboss.rules.marker_flows import MARKER_RECALL, MARKER_TRANSFER, TRANSFER_KINDS
from pitboss.rules.refusal import Refusal, Refused
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.locks import lock_desk
from pitboss.services.signing import Judgement, NewSlip, Pen, raise_slip

# One slip names them all, and two people compare it with the papers in their hands.
MARKERS_MAX = 100
_DESK = "marker transfers"


def markers_in(pit: Pit) -> list[Outstanding]:
    """Return the markers whose originals lie in a pit, newest first."""
    return [each for each in _now() if not each.at_cage and each.pit == pit]


def markers_at_cage() -> list[Outstanding]:
    """Return the markers whose originals lie in the cage, newest first."""
    return [each for each in _now() if each.at_cage]


def _now() -> list[Outstanding]:
    return outstanding(house.period_at(house.now()).gaming_day)


def new_transfer(pit: Pit, serials: Collection[str]) -> NewSlip:
    """Return the transfer of some of a pit's markers to the cage, about to be raised."""
    return _new(MARKER_TRANSFER, pit, [e for e in markers_in(pit) if str(e.marker) in serials])


def new_recall(pit: Pit, serials: Collection[str]) -> NewSlip:
    """Return the transfer of markers from the cage back to a pit, about to be raised."""
    return _new(MARKER_RECALL, pit, [e for e in markers_at_cage() if str(e.marker) in serials])


def _new(flow: Flow, pit: Pit, markers: list[Outstanding]) -> NewSlip:
    total = sum(each.balance_cents for each in markers)
    many = "1 marker" if len(markers) == 1 else f"{len(markers)} markers"
    return NewSlip(
        flow.kind,
        None,
        {},
        details={
            "about": f"{pit}, {many}, {format_money(total)}",
            "says": [
                *(
                    [str(each.marker), f"{each.marker.patron}, {format_money(each.balance_cents)}"]
                    for each in markers
                ),
                ["Together", f"{many}, {format_money(total)}"],
            ],
            "pit": pit.pk,
            "markers": [[each.marker.pk, str(each.marker), each.balance_cents] for each in markers],
            "amount_cents": total,
        },
    )


def transfer_markers(new: NewSlip, *, pen: Pen, shown: str) -> Slip:
    """Send markers on their way, signed by whoever gives the originals away. Raises Refused."""

    def judge(_: object, __: object) -> Judgement:
        # Two transfers at once could both take the same original.
        lock_desk(_DESK)
        return Judgement(_transfer_refusals(new))

    return raise_slip(new, pen=pen, shown=shown, judge=judge)


def _transfer_refusals(new: NewSlip) -> list[Refusal]:
    markers = new.details["markers"]
    if not markers:
        return [Refusal("nothing_chosen", "Choose at least one marker that is there.")]
    if len(markers) > MARKERS_MAX:
        return [Refusal("too_many", f"Send {MARKERS_MAX} at a time, the others on another slip.")]
    under_way = Slip.objects.filter(kind__in=TRANSFER_KINDS, status=SlipStatus.OPEN)
    going = {serial: slip.serial for slip in under_way for _, serial, _ in slip.details["markers"]}
    return [
        Refusal("already_going", f"{serial} goes on {going[serial]} already. Finish it first.")
        for _, serial, _ in markers
        if serial in going
    ]


@effect("markers_to_cage")
def _markers_to_cage(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return _moved(slip, MarkerMove.TO_CAGE, at)


@effect("markers_to_pit")
def _markers_to_pit(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return _moved(slip, MarkerMove.TO_PIT, at)


def _moved(slip: Slip, move: MarkerMove, at: datetime) -> list[models.Model]:
    """Write where the originals are now, each with its balance. Raises Refused when one changed."""
    wanted = {marker_id: cents for marker_id, _, cents in slip.details["markers"]}
    patrons = Marker.objects.filter(pk__in=wanted).values_list("patron", flat=True).distinct()
    for patron_id in sorted(patrons):
        lock_patron(patron_id)
    found = {each.marker.pk: each for each in _now() if each.marker.pk in wanted}
    refusals = [
        Refusal(
            "balance_changed",
            f"{serial} was paid on or moved meanwhile. Void this transfer, make it anew.",
        )
        for marker_id, serial, cents in slip.details["markers"]
        if marker_id not in found
        or found[marker_id].balance_cents != cents
        or found[marker_id].at_cage == (move == MarkerMove.TO_CAGE)
    ]
    if refusals:
        raise Refused(refusals)
    when = house.period_at(at)
    pit = Pit.objects.get(pk=slip.details["pit"])
    return [
        MarkerEntry.objects.create(
            marker_id=marker_id,
            move=move.value,
            amount_cents=cents,
            pit=pit,
            slip=slip,
            gaming_day=when.gaming_day,
            shift=when.shift,
            at=at,
        )
        for marker_id, cents in sorted(wanted.items())
    ]
