"""What hands do on a drop run in tests: boxes on file, the start, the joins, and the scans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from pitboss.models import Device, Person, Pit, Slip, Table
from pitboss.rules.roles import Place
from pitboss.services.floor import add_table
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.drop_run import DROP_RUN
from tables.models import RunStop
from tables.services.drop_boxes import register_boxes
from tables.services.drop_runs import join_run, leave_box, scan_box, watch_run
from tests.floor.cast import PAR, Cast


def register(cast: Cast, tags: str) -> None:
    """Put boxes on file as the security manager."""
    register_boxes(tags=tags, kind="regular", pen=cast.pen(cast.sybil, Place.OFFICE))


def start(
    cast: Cast, boxes: str = "", *, pits: Sequence[Pit] | None = None, reason: str = ""
) -> Slip:
    """Start a run of the first pit, or of others, as Frank."""
    chosen = [str(pit.pk) for pit in (pits if pits is not None else [cast.pit])]
    given: dict[str, Any] = {"off_schedule": reason} if reason else {}
    run = DROP_RUN.at(pits=chosen, boxes=boxes, **given)
    return raise_kind(run, pen=cast.pen(cast.frank), shown=shown_before(run))


def watch(cast: Cast, run: Slip, by: Person | None = None, place: Place | None = None) -> None:
    device = cast.devices[place or Place.SURVEILLANCE]
    watch_run(run=run, by=by or cast.ivan, device=device, request_id=uuid4())


def join(cast: Cast, run: Slip, by: Person | None = None, pit: Pit | None = None) -> None:
    join_run(run=run, pit=pit or cast.pit, pen=cast.pen(by or cast.alice))


def under_way(cast: Cast, boxes: str) -> Slip:
    """Start a run that surveillance watches and Alice has joined."""
    run = start(cast, boxes)
    watch(cast, run)
    join(cast, run)
    return run


def scan(
    cast: Cast, run: Slip, table: Table, old: str, new: str, by: Person | None = None
) -> RunStop:
    return scan_box(
        run=run,
        table=table,
        old_tag=old,
        new_tag=new,
        by=by or cast.frank,
        device=cast.devices[Place.PIT],
        request_id=uuid4(),
    )


def leave(cast: Cast, run: Slip, table: Table, reason: str) -> RunStop:
    return leave_box(
        run=run,
        table=table,
        reason=reason,
        by=cast.frank,
        device=cast.devices[Place.PIT],
        request_id=uuid4(),
    )


def end(cast: Cast, run: Slip) -> Slip:
    """End a run: Frank, then Grace who carries with him."""
    cast.sign(run, "ended", cast.frank)
    cast.sign(run, "carried", cast.grace)
    run.refresh_from_db()
    return run


def forty_tables(cast: Cast, pits: int = 4, tables: int = 40) -> list[Table]:
    """Return tables in several pits, each opened and closed with its box still on it.

    The tablet belongs to no one pit, as one that goes with a trolley.
    """
    Device.objects.filter(pk=cast.devices[Place.PIT].pk).update(pit=None)
    cast.devices[Place.PIT].refresh_from_db()
    walked = [cast.pit, *(Pit.objects.create(name=f"Pit {9 - n}") for n in range(pits - 1))]
    before, made = cast.table, []
    for number in range(tables):
        cast.table = add_table(
            name=f"RN-{number + 10}",
            pit=walked[number * pits // tables],
            game="classic",
            minimum_cents=2_500,
            maximum_cents=300_000,
            par=PAR,
        )
        cast.open_table({})
        cast.close_table({})
        made.append(Table.objects.select_related("pit").get(pk=cast.table.pk))
    cast.table = before
    return made
