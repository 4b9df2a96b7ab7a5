"""A drop box that was pulled on paper in an outage: the count room waits for it as for any other.

It left the table at the time on its form, on the count that was made before it, so what that count
ends is settled with the box. Where no box was pulled since, the tags move as they were written.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models

from inventory.models import TrayCount
from pitboss.models import Signature, Slip, Table
from pitboss.rules.cheques.tray_counts import CLOSERS, ENDING
from pitboss.rules.drop.figures import LATE_PULL, PULLS
from pitboss.rules.drop.runs import read_tag
from pitboss.rules.floor.fields import Words
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.journal import plain_time
from pitboss.slips.kind import Raising
from pitboss.slips.late import (
    FROM_PAPER,
    entered_time,
    form_entered,
    on_paper,
    paper_details,
    paper_refusals,
    true_time_of,
)
from tables.kinds.drop_pull import BOX_MAX, DROP_PULL
from tables.kinds.late_page import closed_day, late_kind
from tables.selectors.compartments import left_at
from tables.selectors.tray_past import counted_at, last_count_by
from tables.services.compartments import pulled_on
from tables.services.drop_boxes import box_on_refusals, end_overdue, lock_boxes, swap_boxes


def _table_of(raising: Raising) -> Table:
    assert raising.table is not None, "a box is pulled off a table"
    return raising.table


def _count_of(table: Table, at: datetime) -> TrayCount | None:
    """Return the count on which a box was pulled: a closer, or one made shortly before."""
    count = last_count_by(table, at)
    if count is None or count.slip.kind not in ENDING:
        return None
    within = timedelta(minutes=house.settings_at(at)["drop.run_count_within"])
    if count.slip.kind in CLOSERS or at - counted_at(count.slip) <= within:
        return count
    return None


def _drafted(raising: Raising) -> NewSlip:
    table, at = _table_of(raising), entered_time(raising)
    count = _count_of(table, at)
    off, on = read_tag(raising.given.get("old_box", "")), raising.given["new_box"]
    return NewSlip(
        LATE_PULL,
        table.pk,
        {},
        details={
            "what": "pull",
            "box": table.name,
            "tag": off,
            "new_box": on,
            "emergency": False,
            "count": count.slip.serial if count is not None else None,
            "locked_at": plain_time(at),
            "says": [
                ["Box off", " ".join(filter(None, (table.name, off)))],
                ["Box on", on],
                ["On count", count.slip.serial if count is not None else "none"],
            ],
            **paper_details(raising),
        },
        happened_at=at,
    )


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a pull may not be entered: every reason."""
    paper, table, at = raising.kind.on_paper, _table_of(raising), entered_time(raising)
    assert paper is not None, "it is entered from a form"
    count = _count_of(table, at)
    refusals = [*paper_refusals(raising, paper.code), *closed_day(raising)]
    if count is not None and pulled_on(count.slip.serial):
        refusals.append(
            Refusal(
                "already_pulled",
                f"The box was pulled on {count.slip.serial}. Check the time on the form, or enter "
                "the count that was made before this pull.",
                CONFLICT,
            )
        )
    if count is None and house.settings_at(at)["drop.count_open"] == "count":
        refusals.append(
            Refusal(
                "count_first",
                f"No count of {table} is entered shortly before that time. Enter its count or "
                "closer first.",
                CONFLICT,
            )
        )
    if not _pulled_since(table, at):
        refusals += box_on_refusals(raising.given["new_box"])
    return refusals


def _pulled_since(table: Table, at: datetime) -> bool:
    """Tell whether the box of a table was pulled after a time: then other boxes are on by now."""
    pulls = Slip.objects.filter(table=table, kind__in=PULLS).exclude(status=SlipStatus.VOIDED)
    later = pulls.filter(raised_at__gt=at).exclude(kind=LATE_PULL, status=SlipStatus.OPEN)
    return any(left_at(pull) > at for pull in later)


def _posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Move the boxes that have tags as they were moved then, unless others came since."""
    assert slip.table is not None, "a box is pulled off a table"
    others = Slip.objects.exclude(pk=slip.pk)
    true_time, rows = true_time_of(slip), list[models.Model]()
    since = others.filter(table=slip.table, kind__in=PULLS, status=SlipStatus.DONE)
    if not any(left_at(pull) > true_time for pull in since.filter(raised_at__gt=true_time)):
        old_tag, new_tag = slip.details["tag"], read_tag(slip.details["new_box"])
        boxes = lock_boxes(old_tag, new_tag)
        if refusals := box_on_refusals(new_tag):
            raise Refused(refusals)
        old = boxes.get(old_tag)
        rows += swap_boxes(
            slip.table,
            old if old is not None and old.table_id == slip.table_id else None,
            boxes.get(new_tag),
            by=signature.person,
            at=at,
            request_id=signature.request_id,
        )
        end_overdue(slip.table, slip, signature.person, signature.device, true_time)
    return [*rows, *form_entered(slip, at)]


LATE_PULL_KIND = late_kind(
    LATE_PULL,
    title="Late drop box",
    asked=(
        Words(name="old_box", label="Tag of the box that came off", most=BOX_MAX, is_needed=False),
        Words(name="new_box", label="Number of the box that went on", most=BOX_MAX),
        *FROM_PAPER,
    ),
    refusals=_refusals,
    drafted=_drafted,
    posted=_posted,
    readers=DROP_PULL.readers,
    heading=lambda raising: f"Late drop box, {raising.table}",
    on_paper=on_paper(
        "BX",
        DROP_PULL,
        writes=("Box off, tag", "Box on, tag", "On count", "Surveillance notified"),
        has_cheques=False,
    ),
)
