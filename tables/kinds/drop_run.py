"""A drop run: one officer pulls the boxes of many tables, and a few people sign for all of them.

The officer signs at the start and at the end, a supervisor joins for each pit, and a second person
carries. Between, each table takes two scans (`tables/services/drop_runs.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models
from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.models import Pit, Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.drop.runs import DROP_RUN as RUN
from pitboss.rules.drop.runs import end_refusals, read_tags, start_refusals
from pitboss.rules.drop.schedule import OFF_SCHEDULE_WORDS
from pitboss.rules.floor.fields import Pick, Several, Text, Words
from pitboss.rules.flows.flows import Need, Promise, Readers, SlipStatus, Step, void_witnessed
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import GUARDING, KEEPING_BOOKS, SUPERVISING, WATCHING, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.signing import set_status
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id
from tables.models import DropBox, RunStop
from tables.selectors.drop_runs import open_runs, run_state, walking_order, with_boxes_to_pull
from tables.services.drop_boxes import (
    as_found,
    empty_trolley,
    load_trolley,
    off_schedule_refusals,
    tell_off_schedule,
)


def _pits(raising: Raising) -> list[Pit]:
    chosen = [int(item) for item in raising.given.get("pits", ()) if item.isdecimal()]
    return list(Pit.objects.filter(pk__in=chosen).order_by("name"))


def _tags(raising: Raising) -> tuple[list[str], list[Refusal]]:
    return read_tags(raising.given.get("boxes", ""))


def _drafted(raising: Raising) -> NewSlip:
    pits = _pits(raising)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "pits": [pit.name for pit in pits],
            "tables": [table.name for table in walking_order(pits)],
            "trolley": raising.given.get("trolley", ""),
            "boxes": _tags(raising)[0],
            "off_schedule": raising.given.get("off_schedule", ""),
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    pits = _pits(raising)
    tags, bad = _tags(raising)
    boxes = DropBox.objects.filter(tag__in=tags).select_related("table")
    known = {box.tag: as_found(box) for box in boxes}
    busy = {pit: run.serial for run in open_runs() for pit in run.details["pits"]}
    now, reason = house.now(), str(raising.given.get("off_schedule", ""))
    off = [refusal for pit in pits for refusal in off_schedule_refusals(pit.name, reason, now)]
    return [
        *bad,
        *start_refusals(
            [pit.name for pit in pits],
            [table.name for table in with_boxes_to_pull(walking_order(pits))],
            {pit.name: busy[pit.name] for pit in pits if pit.name in busy},
            [tag for tag in tags if tag not in known],
            list(known.values()),
        ),
        *dict.fromkeys(off),
    ]


def _started(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Load the trolley; the shift manager hears of a run that was not planned."""
    load_trolley(slip.details["boxes"])
    reason = slip.details["off_schedule"]
    if reason:
        tell_off_schedule(slip, slip.details["pits"], reason, signature.person, at)
    return []


def _ended(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """End the walk: every table is pulled, or a reason says why not. Raises Refused."""
    left = run_state(slip).left
    refusals = end_refusals(
        [stop.table.name for stop in left],
        [stop.table.name for stop in left if stop.wait is not None],
    )
    if refusals:
        raise Refused(refusals)
    empty_trolley(slip.details["boxes"])
    return []


def _voided(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Void a run on which no box has left its table. Raises Refused."""
    if RunStop.objects.filter(run=slip, pull__isnull=False).exists():
        raise refuse("boxes_pulled", "Boxes were pulled on this run. End it instead.")
    empty_trolley(slip.details["boxes"])
    set_status(slip, SlipStatus.VOIDED)
    return []


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page that asks which pits are walked, with which boxes."""
    given = request.POST if refused else request.GET
    chosen = {part for value in given.getlist("pits") for part in value.split()}
    return "tables/drop_run_new.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "pits": [
            {
                "id": pit.pk,
                "name": pit.name,
                "is_chosen": str(pit.pk) in chosen,
                "boxes": len(with_boxes_to_pull(walking_order([pit]))),
            }
            for pit in Pit.objects.order_by("name")
        ],
        "trolley": given.get("trolley", ""),
        "boxes": given.get("boxes", ""),
        "reasons": [
            {"value": value, "label": label, "is_chosen": given.get("off_schedule") == value}
            for value, label in OFF_SCHEDULE_WORDS.items()
        ],
        "has_schedule": bool(house.settings_at(house.now())["drop.schedule"]),
    }


def _writes(slip: Slip) -> list[tuple[str, str]]:
    details = slip.details
    written = [
        ("Pits", ", ".join(details["pits"]) or "none"),
        ("Tables", ", ".join(details["tables"]) or "none"),
        ("Trolley", details["trolley"] or "none"),
        ("New boxes", ", ".join(details["boxes"]) or "none"),
    ]
    if details["off_schedule"]:
        written.append(("Off schedule", OFF_SCHEDULE_WORDS[details["off_schedule"]]))
    return [*written, *((stop.table.name, _became(stop)) for stop in _stops(slip))]


def _stops(slip: Slip) -> list[RunStop]:
    # A draft has pulled no box, and has no row to ask for them.
    stops = RunStop.objects.filter(run=slip.pk).select_related("table", "pull").order_by("id")
    return list(stops) if slip.pk else []


def _became(stop: RunStop) -> str:
    if stop.pull is None:
        return f"Left: {stop.reason}"
    return f"{stop.old_tag} off, {stop.new_tag} on, {stop.pull.serial}"


def _tells(slip: Slip) -> dict[str, Any]:
    return {"template": "tables/_written.html", "has_lines": True, "written": _writes(slip)}


def _shows(slip: Slip) -> Mapping[str, Any]:
    """Return every box of the run as it stands, for the person who signs at the end."""
    return {"stops": [[stop.table.name, _became(stop)] for stop in _stops(slip)]}


def _review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    return {"badge": "", "panel": _tells(Slip(kind=new.kind, details=dict(new.details)))}


DROP_RUN = Kind(
    RUN,
    title="Drop run",
    series="DR",
    open_to=GUARDING,
    lit_by="drop_runs",
    desk="house",
    at_a_table=False,
    asked=(
        Several(name="pits", label="Pits"),
        Words(name="trolley", label="Trolley", is_needed=False, most=20),
        Text(name="boxes", label="Tags of the new boxes", is_needed=False),
        Pick(
            name="off_schedule",
            label="Reason for another time",
            is_needed=False,
            choices=OFF_SCHEDULE_WORDS,
        ),
    ),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "started",
            done="Started",
            do="Start",
            by=Role.SECURITY,
            at=Place.PIT,
            attests="I start this drop run. I will remove each box locked, scan its tag, and put "
            "the scanned new box in its place.",
            then="drop_run_started",
        ),
        Step(
            "ended",
            done="Ended",
            do="End the run",
            by=Role.SECURITY,
            at=None,
            may_repeat="started",
            attests="I certify that every box listed on this run left its table locked, and that "
            "I have all of them.",
            then="drop_run_ended",
        ),
        Step(
            "carried",
            done="Carried",
            do="Carry with the officer",
            by=(Role.SECURITY, Role.COUNT_TEAM, Role.ACCOUNTING),
            at=None,
            why=Need("Two people bring the boxes to the count room. One has signed."),
            attests="I certify that I do not work in these pits, that I counted the boxes of this "
            "run, and that I brought them to the count room with the officer.",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.SECURITY,
            at=None,
            may_repeat="started",
            needs_reason=True,
            attests="I void this drop run. I certify that no box left its table on it.",
        ),
        void_witnessed(
            (Role.SURVEILLANCE, Role.SHIFT_MANAGER),
            attests="I certify that I took no other part in this run and witnessed it being "
            "voided.",
            then="drop_run_voided",
        ),
    ),
    effects={
        "drop_run_started": _started,
        "drop_run_ended": _ended,
        "drop_run_voided": _voided,
    },
    readers=Readers(
        SUPERVISING | GUARDING | WATCHING | KEEPING_BOOKS | {Role.COUNT_TEAM},
    ),
    promises=(Promise(2, 1),),
    paper=Form(
        parts=(Part("Original", "With the boxes to the count room."),),
        original_at=Place.PIT,
        shows=Shows.FACTS,
    ),
    look=_look,
    heading=lambda raising: "Start a drop run",
    review=_review,
    raised=lambda run: f"Drop run {run.serial} started. Surveillance watches next.",
    writes=_writes,
    shows=_shows,
    tells=_tells,
    goes_on=lambda run: reverse("drop-run", args=[run.serial]),
)
