"""A drop box pulled off its table: security takes it, and a supervisor sees it leave locked.

The box of a table bears the table's number. An open table is counted just before, so that what it
won is told apart.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db import models
from django.urls import reverse

from pitboss.access import may_open
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip, Table
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.canonical import is_plain
from pitboss.rules.cheques.tray_counts import COUNT
from pitboss.rules.drop.figures import DROP_PULL as PULL
from pitboss.rules.drop.runs import read_tag
from pitboss.rules.drop.schedule import OFF_SCHEDULE_WORDS
from pitboss.rules.floor.fields import Pick, TimeOfDay, Words, Yes
from pitboss.rules.flows.flows import Promise, Readers, Step, void_witnessed
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import GUARDING, KEEPING_BOOKS, SUPERVISING, WATCHING, Place, Role
from pitboss.services import house, journal
from pitboss.services.covering import Covered, Given, write_covered
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import new_url, own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id
from tables.selectors.compartments import standing_on
from tables.services.drop_boxes import (
    box_on,
    box_on_refusals,
    end_overdue,
    lock_boxes,
    off_schedule_refusals,
    swap_boxes,
    tell_off_schedule,
)
from tables.services.drops import (
    count_before_pull,
    count_of_pull,
    needs_count,
    pull_details,
    pull_refusals,
    wait_of,
)

# Surveillance watches a box leave, so it was told within the last while.
TOLD_WITHIN: Final = timedelta(hours=1)
BOX_MAX: Final = 20


def _table_of(raising: Raising) -> Table:
    assert raising.table is not None, "a box is pulled off a table"
    return raising.table


def _new_box(raising: Raising) -> str:
    return str(raising.given.get("new_box", ""))


def _told_at(raising: Raising) -> datetime | None:
    """Return the last time that the clock of the house showed when surveillance was told."""
    if "told_at" not in raising.given:
        return None
    now = house.now().astimezone(house.the_property().zone)
    hour, minute = map(int, raising.given["told_at"].split(":"))
    at = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return at - timedelta(days=1) if at > now else at


def _drafted(raising: Raising) -> NewSlip:
    table, told_at = _table_of(raising), _told_at(raising)
    details = {
        "box": table.name,
        "new_box": _new_box(raising),
        "tag": box.tag if (box := box_on(table)) is not None else "",
        "emergency": bool(raising.given.get("emergency")),
        "off_schedule": raising.given.get("off_schedule", ""),
        "surveillance_told_at": journal.plain_time(told_at) if told_at else None,
        # The count that ends what this box belongs to; a copy of it goes into either box.
        "count": count_of_pull(table),
    }
    # The slip is of the first compartment; the others follow it once the box has left.
    first, *others = pull_details(table, details)
    more = {"others": others} if others else {}
    return NewSlip(raising.kind.kind, table.pk, {}, details={**first, **more})


def _refusals(raising: Raising) -> list[Refusal]:
    table, reason = _table_of(raising), str(raising.given.get("off_schedule", ""))
    return [
        *_box_refusals(_new_box(raising), _told_at(raising)),
        *box_on_refusals(_new_box(raising)),
        *off_schedule_refusals(table.pit.name, reason, house.now()),
        *pull_refusals(table),
    ]


def _box_refusals(new_box: str, told_at: datetime | None) -> list[Refusal]:
    refusals = []
    if not new_box or len(new_box) > BOX_MAX or not is_plain(new_box):
        refusals.append(Refusal("box_missing", "Enter the number of the new box."))
    now = house.now()
    if told_at is None or not now - TOLD_WITHIN <= told_at <= now:
        refusals.append(
            Refusal(
                "surveillance_not_told",
                "Notify surveillance, then enter the time you notified them.",
            )
        )
    return refusals


def _witnessed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Move the boxes that have tags; the shift manager hears of a pull that was not planned."""
    assert slip.table is not None, "a box is pulled off a table"
    old_tag, new_tag = slip.details.get("tag", ""), read_tag(slip.details["new_box"])
    boxes = lock_boxes(old_tag, new_tag)
    # Someone may have put it on another table since the officer signed.
    if refusals := box_on_refusals(new_tag):
        raise Refused(refusals)
    turned = swap_boxes(
        slip.table,
        boxes.get(old_tag),
        boxes.get(new_tag),
        by=signature.person,
        at=at,
        request_id=signature.request_id,
    )
    reason = slip.details.get("off_schedule", "")
    if reason:
        tell_off_schedule(slip, [slip.table.pit.name], reason, signature.person, at)
    end_overdue(slip.table, slip, signature.person, signature.device)
    return [*turned, *_other_compartments(slip, slip.table, signature, at)]


def _other_compartments(
    slip: Slip, table: Table, signature: Signature, at: datetime
) -> list[models.Model]:
    """Write the pulls of the other compartments, on the signatures for their box."""
    others = slip.details.get("others", ())
    if not others:
        return []
    officer = slip.signatures.select_related("person", "device").get(step="pulled")
    given = tuple(
        Given(item.step, item.person, item.device, item.shown) for item in (officer, signature)
    )
    covered = [
        Covered(NewSlip(PULL, table.pk, {}, details=other), table, given, at) for other in others
    ]
    slips, signatures = write_covered(slip, covered, request_id=signature.request_id)
    return [*slips, *signatures]


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return what must be so before the box leaves, and what is asked of the box that goes on."""
    table = _table_of(raising)
    given = request.POST if refused else request.GET
    stops = pull_refusals(table)
    clock = house.now().astimezone(house.the_property().zone)
    may_count = table.is_open and may_open(request.role, COUNT)
    return "tables/drop_pull.html", {
        "table": table,
        "count": count_before_pull(table),
        "wait": wait_of(table),
        "wait_url": reverse("drop-wait", args=[table.name]),
        "count_url": new_url(COUNT, table=table.name) if may_count else None,
        "url": own_url(raising),
        "request_id": new_request_id(),
        "new_box": given.get("new_box", ""),
        "told_at": given.get("told_at", f"{clock:%H:%M}"),
        "emergency": given.get("emergency") == "yes",
        "reasons": [
            {"value": value, "label": label, "is_chosen": given.get("off_schedule") == value}
            for value, label in OFF_SCHEDULE_WORDS.items()
        ],
        "has_schedule": bool(house.settings_at(house.now())["drop.schedule"]),
        "can_pull": not stops,
        "needs_count": needs_count(),
        "compartment": standing_on(table)[0],
        "compartment_url": reverse("drop-compartment", args=[table.name]),
        "refusals": refused.refusals if refused else stops,
    }


def _writes(slip: Slip) -> list[tuple[str, str]]:
    details = slip.details
    told_at = datetime.fromisoformat(details["surveillance_told_at"])
    # Pulls of earlier releases knew of no tag, no run and no reason.
    written = [
        ("Box off", " ".join(filter(None, (details["box"], details.get("tag", ""))))),
        ("Box on", f"{details['new_box']}{', emergency box' if details['emergency'] else ''}"),
        ("On count", details["count"] or "none"),
        ("Surveillance notified", f"{told_at.astimezone(house.the_property().zone):%H:%M}"),
    ]
    for other in details.get("others", ()):
        written.append(("With it", f"{other['box']}, on count {other['count'] or 'none'}"))
    if details.get("run"):
        written.append(("Drop run", details["run"]))
    if details.get("off_schedule"):
        written.append(("Off schedule", OFF_SCHEDULE_WORDS[details["off_schedule"]]))
    return written


def _tells(slip: Slip) -> dict[str, Any]:
    return {"template": "tables/_written.html", "has_lines": True, "written": _writes(slip)}


def _review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    # Nothing is to be read of a box of which surveillance was not told: it is refused.
    is_told = new.details["surveillance_told_at"] is not None
    draft = Slip(kind=new.kind, details=dict(new.details))
    # Anyone who opened the page watches; an officer signs.
    return {"badge": "", "panel": _tells(draft) if is_told else None}


DROP_PULL = Kind(
    PULL,
    title="Drop box",
    series="D",
    open_to=SUPERVISING | GUARDING,
    lit_by="board",
    asked=(
        Words(name="new_box", label="New box number", is_needed=False),
        Yes(name="emergency", label="It is an emergency box"),
        TimeOfDay(name="told_at", label="Surveillance notified at", is_needed=False),
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
            "pulled",
            done="Pulled",
            do="Pull",
            by=Role.SECURITY,
            at=Place.PIT,
            attests="I certify that I removed this box from its table locked and put the new "
            "box in its place.",
        ),
        Step(
            "witnessed",
            done="Witnessed",
            do="Witness",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that no hand was in progress and that I saw the box leave "
            "locked and the new box go on.",
            then="box_swapped",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=(Role.SECURITY, Role.SUPERVISOR),
            at=Place.PIT,
            may_repeat="pulled",
            needs_reason=True,
            attests="I void this pull. I certify that the box did not leave its table on it.",
        ),
        void_witnessed(
            Role.PIT_MANAGER,
            attests="I certify that I took no other part in this pull and witnessed it being "
            "voided.",
        ),
    ),
    effects={"box_swapped": _witnessed},
    readers=Readers(SUPERVISING | GUARDING | WATCHING | KEEPING_BOOKS | {Role.COUNT_TEAM}),
    promises=(Promise(2, 2),),
    # A box goes with a paper of its own, and its count with another.
    paper=Form(
        parts=(
            Part("Original", "With the box to the count room."),
            Part("Duplicate", "To the pit manager."),
        ),
        original_at=Place.PIT,
        shows=Shows.FACTS,
        title="Drop box pulled",
    ),
    look=_look,
    heading=lambda raising: f"Drop box of {raising.table}",
    review=_review,
    raised=lambda pull: f"Box {pull.table} pulled on {pull.serial}. A supervisor witnesses it.",
    writes=_writes,
    tells=_tells,
)
