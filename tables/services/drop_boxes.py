"""Drop boxes with tags: put on file, moved from place to place, and pulled at their time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import models
from django.db.models import DateTimeField, Max
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from inventory.models import TrayCount
from pitboss.models import Device, FloorException, Person, Slip, Table
from pitboss.rules.cheques.tray_counts import OPENERS
from pitboss.rules.drop.compartments import COMPARTMENTS_MAX
from pitboss.rules.drop.figures import DROP_PULL, LATE_PULL
from pitboss.rules.drop.runs import (
    BoxKind,
    BoxPlace,
    ScannedBox,
    box_refusals,
    read_tag,
    read_tags,
)
from pitboss.rules.drop.schedule import (
    OFF_SCHEDULE_WORDS,
    is_missed,
    is_on_schedule,
    overdue_since,
    schedule_refusals,
    times_of,
)
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import GUARDING, Role
from pitboss.services import house, journal
from pitboss.services.exceptions import (
    DROP_OFF_SCHEDULE,
    DROP_OVERDUE,
    close_exception,
    open_exception,
)
from pitboss.services.locks import lock_request, or_busy
from pitboss.services.pins import signed_act
from pitboss.services.signing import Pen
from tables.models import DropBox
from tables.services.compartments import first_enabled

REGISTERING: Final = GUARDING | {Role.SHIFT_MANAGER}


def register_boxes(*, tags: str, kind: str, pen: Pen, compartments: int = 1) -> list[DropBox]:
    """Put boxes on file, by their tags, empty and in the store. Raises Refused, and none is."""
    with signed_act(
        act="drop_boxes", badge=pen.badge, pin=pen.pin, device=pen.device, chain=journal.HOUSE
    ) as person:
        lock_request(pen.request_id)
        now = house.now()
        if house.role_in(person, house.period_at(now)) not in REGISTERING:
            raise refuse(
                "wrong_role", "Only security or a shift manager can register boxes.", NOT_YOURS
            )
        named, refusals = read_tags(tags)
        if not named and not refusals:
            refusals.append(Refusal("box_missing", "Enter the tags of the boxes."))
        is_multi = kind == BoxKind.MULTI.value
        fits = 1 < compartments <= COMPARTMENTS_MAX if is_multi else compartments == 1
        if kind not in set(BoxKind) or not fits:
            refusals.append(Refusal("bad_kind", "Choose what the boxes are for."))
        known = DropBox.objects.filter(tag__in=named).order_by("tag")
        refusals += [
            Refusal("box_known", f"Box {box.tag} is already on file. Leave it out.")
            for box in known
        ]
        if refusals:
            raise Refused(refusals)
        boxes = DropBox.objects.bulk_create(
            DropBox(tag=tag, kind=kind, compartments=compartments) for tag in named
        )
        journal.write(
            chain=journal.HOUSE,
            kind="drop_boxes_registered",
            body={"tags": named, "kind": kind, "compartments": compartments},
            at=now,
            person=person,
            device=pen.device,
        )
        return boxes


def as_found(box: DropBox) -> ScannedBox:
    """Return a box as the rules know it."""
    return ScannedBox(box.tag, BoxPlace(box.place), str(box.table) if box.table else "")


def lock_boxes(*tags: str) -> dict[str, DropBox]:
    """Lock boxes by their tags, in the order of ids; unknown ones are left out."""
    with or_busy():
        boxes = (
            DropBox.objects.select_for_update(of=["self"], no_key=True)
            .filter(tag__in=[tag for tag in tags if tag])
            .select_related("table")
            .order_by("pk")
        )
        return {box.tag: box for box in boxes}


def box_on(table: Table) -> DropBox | None:
    """Return the box that is on a table, if it has a tag."""
    return DropBox.objects.filter(table=table).first()


def box_on_refusals(new_box: str) -> list[Refusal]:
    """Return why a box that is on file may not go on a table. One that is not bears no tag."""
    box = DropBox.objects.filter(tag=read_tag(new_box)).select_related("table").first()
    return box_refusals(as_found(box)) if box is not None else []


def swap_boxes(
    table: Table,
    old: DropBox | None,
    new: DropBox | None,
    *,
    by: Person,
    at: datetime,
    request_id: UUID,
) -> list[models.Model]:
    """Move a table's box to the count room and the new one onto it. Both are locked.

    Return what the journal vouches for: the first compartment of the new one is enabled.
    """
    if old is not None:
        _move(old, BoxPlace.COUNT_ROOM)
    if new is None:
        return []
    _move(new, BoxPlace.TABLE, table)
    return first_enabled(new, table, by, at, request_id)


def _move(box: DropBox, place: BoxPlace, table: Table | None = None) -> None:
    box.place, box.table = place.value, table
    box.save(update_fields=["place", "table"])


def load_trolley(tags: Collection[str]) -> None:
    """Put boxes from the store onto the trolley of a run."""
    for box in lock_boxes(*tags).values():
        _move(box, BoxPlace.TROLLEY)


def empty_trolley(tags: Collection[str]) -> None:
    """Put the boxes that no table took back into the store."""
    for box in lock_boxes(*tags).values():
        if box.place == BoxPlace.TROLLEY.value:
            _move(box, BoxPlace.STORE)


def return_counted(pulls: Sequence[Slip]) -> None:
    """Put the boxes of posted counts back into the store: they are empty.

    A box of which a compartment is still to be counted stays.
    """
    tags = {str(pull.details["tag"]) for pull in pulls if pull.details.get("tag")}
    waiting = set(
        Slip.objects.filter(pulled_box__waits=True, details__tag__in=sorted(tags)).values_list(
            "details__tag", flat=True
        )
    )
    counted = [box.pk for box in lock_boxes(*tags - waiting).values()]
    # At once: a session posts hundreds of them.
    DropBox.objects.filter(pk__in=counted, place=BoxPlace.COUNT_ROOM.value).update(
        place=BoxPlace.STORE.value, table=None
    )


def off_schedule_refusals(pit: str, reason: str, now: datetime) -> list[Refusal]:
    """Return why the boxes of a pit may not be pulled now without a reason."""
    times = times_of(house.settings_at(now)["drop.schedule"], pit)
    return schedule_refusals(times, house.the_property().zone, now, reason)


def tell_off_schedule(
    slip: Slip, pits: Sequence[str], reason: str, person: Person, at: datetime
) -> None:
    """Notify the shift manager of a pull at another time than planned."""
    zone, schedule = house.the_property().zone, house.settings_at(at)["drop.schedule"]
    off = [pit for pit in pits if not is_on_schedule(times_of(schedule, pit), zone, at)]
    if off:
        open_exception(
            code=DROP_OFF_SCHEDULE,
            sentence=f"{slip.serial} is off schedule in {', '.join(off)}. "
            f"{OFF_SCHEDULE_WORDS[reason]}.",
            details={"slip": slip.serial, "reason": reason},
            at=at,
            person=person,
            table=slip.table,
            slip=slip,
        )


def find_overdue_drops() -> None:
    """Alert the shift manager and security of each open table whose drop is overdue."""
    now = house.now()
    in_force = house.settings_at(now)
    if not in_force["drop.schedule"]:
        return
    zone, days = house.the_property().zone, in_force["drop.every"]
    tables = list(Table.objects.filter(is_open=True).select_related("pit"))
    since = _dropped_or_opened(tables)
    for table in tables:
        times = times_of(in_force["drop.schedule"], table.pit.name)
        last = since.get(table.pk)
        missed = overdue_since(times, zone, now, last, days) if last else None
        if missed is None:
            continue
        # An alert that was answered does not come again for the same drop.
        details = {"planned": journal.plain_time(missed)}
        floor_exceptions = FloorException.objects.filter(
            code=DROP_OVERDUE, table=table, details=details
        )
        if not floor_exceptions.exists():
            open_exception(
                code=DROP_OVERDUE,
                sentence=f"{table} wasn’t dropped at {missed:%H:%M}. Pull its box.",
                details=details,
                at=now,
                person=None,
                table=table,
            )


def _dropped_or_opened(tables: Collection[Table]) -> dict[int, datetime]:
    """Return for each table when its box was last pulled, or when it was opened after that."""
    pulls = Slip.objects.filter(table__in=tables).exclude(status=SlipStatus.VOIDED)
    # One that was pulled on paper is entered later, on another day maybe.
    late = pulls.filter(kind=LATE_PULL).annotate(
        left=Cast(KT("details__true_time"), DateTimeField())
    )
    opened = TrayCount.objects.filter(table__in=tables, slip__kind__in=OPENERS)
    since: dict[int, datetime] = {}
    for rows in (
        opened.values_list("table").annotate(Max("at")),
        pulls.filter(kind=DROP_PULL).values_list("table").annotate(Max("raised_at")),
        late.values_list("table").annotate(Max("left")),
    ):
        for key, at in rows:
            since[key] = max(since.get(key, at), at)
    return since


def end_overdue(
    table: Table,
    slip: Slip,
    person: Person,
    device: Device | None,
    pulled_at: datetime | None = None,
) -> None:
    """Close the alert about a table: its box was pulled, now unless told when.

    A drop that was planned after that is missed still.
    """
    alerts = FloorException.objects.select_for_update(of=("self",), no_key=True).filter(
        code=DROP_OVERDUE, table=table, resolved_at=None
    )
    now = house.now()
    for alert in alerts.select_related("table", "slip"):
        planned = datetime.fromisoformat(alert.details["planned"])
        if not is_missed(planned, pulled_at or now, house.settings_at(now)["drop.every"]):
            close_exception(alert, f"Pulled on {slip.serial}.", person, device, now)
