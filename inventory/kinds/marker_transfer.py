"""Markers on the way: originals go from a pit to the cage, one or all of them, and back."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import models
from django.shortcuts import get_object_or_404

from inventory.kinds.marker import OWED_READERS, WITNESSES
from inventory.models import Marker, MarkerEntry, MarkerMove
from inventory.selectors.credit import Outstanding, outstanding
from inventory.services.patrons import lock_patron
from pitboss.middleware import PitRequest
from pitboss.models import Pit, Signature, Slip
from pitboss.paper.content import Note
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Several
from pitboss.rules.flows.flows import Promise, SlipStatus, Step, void_witnessed
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, SUPERVISING, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.effects import Effect
from pitboss.services.locks import lock_desk
from pitboss.slips.addresses import id_of, new_url, own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id

# One slip names them all, and two people compare it with the papers in their hands.
MARKERS_MAX: Final = 100
_DESK: Final = "marker transfers"


def _pit_of(raising: Raising) -> Pit:
    pit: Pit = raising.given["pit"]
    return pit


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return a transfer of the pit that the address names, or the device's own, or the first."""
    pits, device = Pit.objects.order_by("name"), request.device
    named = id_of(request.GET, "pit")
    if named is not None:
        pit: Pit | None = get_object_or_404(Pit, pk=named)
    else:
        pit = pits.filter(pk=device.pit_id).first() if device and device.pit_id else None
    pit = pit or get_object_or_404(Pit, pk=pits.values("pk")[:1])
    return replace(raising, given={**raising.given, "pit": pit}, named={"pit": pit.pk})


def _lying_there(raising: Raising) -> list[Outstanding]:
    """Return the markers whose originals lie where these would leave from, newest first."""
    if raising.kind is MARKER_RECALL:
        return [item for item in _now() if item.at_cage]
    return [item for item in _now() if not item.at_cage and item.pit == _pit_of(raising)]


def _now() -> list[Outstanding]:
    return outstanding(house.period_at(house.now()).gaming_day)


def _drafted(raising: Raising) -> NewSlip:
    pit, chosen = _pit_of(raising), raising.given.get("marker", ())
    markers = [item for item in _lying_there(raising) if str(item.marker) in chosen]
    total = sum(marker.balance_cents for marker in markers)
    many = "1 marker" if len(markers) == 1 else f"{len(markers)} markers"
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{pit}, {many}, {format_money(total)}",
            "says": [
                *(
                    [
                        str(marker.marker),
                        f"{marker.marker.patron}, {format_money(marker.balance_cents)}",
                    ]
                    for marker in markers
                ),
                ["Together", f"{many}, {format_money(total)}"],
            ],
            "pit": pit.pk,
            "markers": [
                [marker.marker.pk, str(marker.marker), marker.balance_cents] for marker in markers
            ],
            "amount_cents": total,
        },
    )


def _locked(raising: Raising) -> Raising:
    """Let one transfer at a time be raised: two could both take the same original."""
    lock_desk(_DESK)
    return raising


def _refusals(raising: Raising) -> list[Refusal]:
    markers = raising.new().details["markers"]
    if not markers:
        return [Refusal("nothing_chosen", "Choose at least one marker that is there.")]
    if len(markers) > MARKERS_MAX:
        return [
            Refusal(
                "too_many",
                f"Choose {MARKERS_MAX} markers or fewer. Send the others on another slip.",
            )
        ]
    under_way = Slip.objects.filter(
        kind__in=(MARKER_TRANSFER.kind, MARKER_RECALL.kind), status=SlipStatus.OPEN
    )
    going = {serial: slip.serial for slip in under_way for _, serial, _ in slip.details["markers"]}
    return [
        Refusal("already_going", f"{serial} is already on {going[serial]}. Finish it first.")
        for _, serial, _ in markers
        if serial in going
    ]


def _moves(move: MarkerMove) -> Effect:
    """Return how originals come to lie elsewhere, each with its balance."""

    def moved(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
        wanted = {marker_id: cents for marker_id, _, cents in slip.details["markers"]}
        _refuse_changed(slip, move)
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

    return moved


def _refuse_changed(slip: Slip, move: MarkerMove) -> None:
    """Raise Refused for markers that were paid on or moved since, under their patrons' locks."""
    wanted = [marker_id for marker_id, _, _ in slip.details["markers"]]
    patrons = Marker.objects.filter(pk__in=wanted).values_list("patron", flat=True).distinct()
    for patron_id in sorted(patrons):
        lock_patron(patron_id)
    found = {item.marker.pk: item for item in _now() if item.marker.pk in wanted}
    refusals = [
        Refusal(
            "balance_changed",
            f"{serial} was paid on or moved while you had it open. Void this transfer "
            "and make it again.",
        )
        for marker_id, serial, cents in slip.details["markers"]
        if marker_id not in found
        or found[marker_id].balance_cents != cents
        or found[marker_id].at_cage == (move == MarkerMove.TO_CAGE)
    ]
    if refusals:
        raise Refused(refusals)


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page on which originals are chosen: one, some or all."""
    pit, kind = _pit_of(raising), raising.kind.kind
    pits = Pit.objects.order_by("name")
    return "inventory/marker_transfer.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "pits": [
            {"label": str(item), "url": new_url(kind, pit=item.pk), "is_current": item == pit}
            for item in pits
        ],
        "markers": _lying_there(raising),
    }


def _notes(slip: Slip) -> list[Note]:
    """Return the markers one by one, beneath their sum."""
    return [Note(serial, words) for serial, words in slip.details["says"][:-1]]


_VOIDED: Final = Step(
    "voided",
    done="Voided",
    do="Void",
    by=(Role.SUPERVISOR, Role.CASHIER),
    at=None,
    may_repeat="sent_to_cage",
    needs_reason=True,
    attests="I void this transfer. I certify that the markers stay in the pit.",
)
_VOID_WITNESSED: Final = void_witnessed(
    WITNESSES,
    attests="I certify that I took no other part in this transfer and witnessed that no marker "
    "left on it.",
)
_PAPER: Final = Form(
    parts=(
        Part("Original", "With the markers to the cage, which keeps it."),
        Part("Duplicate", "Kept in the pit with the log of the day."),
    ),
    original_at=Place.PIT,
    shows=Shows.FACTS,
    caption="Patron credit",
)

MARKER_TRANSFER = Kind(
    "marker_transfer",
    title="Markers to the cage",
    series="MT",
    open_to=SUPERVISING,
    lit_by="markers",
    at_a_table=False,
    begins=_begins,
    locks=_locked,
    asked=(Several(name="marker", label="Markers"),),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "sent_to_cage",
            done="Sent to the cage",
            do="Send to the cage",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that these original markers are leaving the pit with this slip.",
        ),
        Step(
            "taken_by_cage",
            done="Taken by the cage",
            do="Accept",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that I received every marker listed on this slip, with its balance.",
            then="markers_to_cage",
        ),
    ),
    void=(_VOIDED, _VOID_WITNESSED),
    effects={"markers_to_cage": _moves(MarkerMove.TO_CAGE)},
    readers=OWED_READERS,
    promises=(Promise(2, 2),),
    paper=_PAPER,
    look=_look,
    heading=lambda raising: f"{_pit_of(raising)}: markers to the cage",
    raised=lambda slip: f"{slip.serial} signed. The other side takes them.",
    notes=_notes,
)

MARKER_RECALL = replace(
    MARKER_TRANSFER,
    kind="marker_recall",
    title="Markers to the pit",
    open_to=AT_THE_CAGE,
    steps=(
        Step(
            "sent_to_pit",
            done="Sent to the pit",
            do="Send to the pit",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that these original markers are leaving the cage with this slip.",
        ),
        Step(
            "taken_by_pit",
            done="Taken by the pit",
            do="Accept",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that I received every marker listed on this slip, with its balance.",
            then="markers_to_pit",
        ),
    ),
    void=(
        replace(
            _VOIDED,
            may_repeat="sent_to_pit",
            attests="I void this transfer. I certify that the markers stay in the cage.",
        ),
        _VOID_WITNESSED,
    ),
    effects={"markers_to_pit": _moves(MarkerMove.TO_PIT)},
    paper=replace(
        _PAPER,
        parts=(
            Part("Original", "With the markers to the pit, which keeps it."),
            Part("Duplicate", "Kept in the cage."),
        ),
        original_at=Place.CAGE,
    ),
    heading=lambda raising: f"Markers to {_pit_of(raising)}",
)
