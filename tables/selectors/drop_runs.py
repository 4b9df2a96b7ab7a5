"""A drop run as it stands: each table in walking order, who watches, and who has joined."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Q
from django.db.models.fields.json import KT

from inventory.models import TrayCount
from pitboss.models import Pit, Slip, Table
from pitboss.rules.cheques.tray_counts import CLOSERS
from pitboss.rules.drop.figures import PULLS
from pitboss.rules.drop.runs import DROP_RUN, BoxPlace
from pitboss.rules.flows.flows import SlipStatus
from tables.models import Dealing, DropBox, DropWait, RunPit, RunStop, RunWatch

DONE: Final = "done"
WAIT: Final = "wait"
LEFT: Final = "left"
NEXT: Final = "next"
SKIP: Final = "skip"


@dataclass(frozen=True, slots=True)
class Stop:
    """One table of a run: what became of it, or what is expected there."""

    table: Table
    state: str
    # The tag of the box that is on it, as far as is known.
    tag: str = ""
    stop: RunStop | None = None
    wait: DropWait | None = None
    dealer: str = ""
    pulled_at: datetime | None = None

    @property
    def is_left(self) -> bool:
        return self.state in (NEXT, WAIT)


@dataclass(frozen=True, slots=True)
class RunState:
    """A run as its screen shows it."""

    run: Slip
    stops: list[Stop]
    watch: RunWatch | None
    # Each pit with the person who joined last for it, if anyone did.
    pits: list[tuple[Pit, RunPit | None]]
    # Tags of the new boxes that no table has taken yet.
    trolley: list[str]
    # The officer has not signed its end.
    is_open: bool

    @property
    def to_do(self) -> list[Stop]:
        return [stop for stop in self.stops if stop.state != SKIP]

    @property
    def left(self) -> list[Stop]:
        return [stop for stop in self.stops if stop.is_left]


def open_runs() -> list[Slip]:
    """Return the runs under way, oldest first."""
    return list(Slip.objects.filter(kind=DROP_RUN, status=SlipStatus.OPEN).order_by("id"))


def walking_order(pits: Collection[Pit]) -> list[Table]:
    """Return the tables of some pits as one walks past them: pit by pit, by name."""
    tables = Table.objects.filter(pit__in=pits).select_related("pit")
    return sorted(tables, key=lambda table: (table.pit.name, table.name))


def with_boxes_to_pull(tables: Sequence[Table]) -> list[Table]:
    """Return the tables that are open, or were closed and whose box is still on."""
    pulled = _pulled_since_count(tables)
    return [table for table in tables if table.is_open or table.pk not in pulled]


def _pulled_since_count(tables: Sequence[Table]) -> dict[int, datetime | None]:
    """Return the tables with nothing to pull if they are closed, and when they were pulled."""
    counts = (
        TrayCount.objects.filter(table__in=tables)
        .order_by("table", "-tray_sequence", "-at", "-id")
        .distinct("table")
        .values_list("table", "slip__serial", "slip__kind")
    )
    last = {key: (serial, kind) for key, serial, kind in counts}
    pulls = (
        Slip.objects.alias(of_count=KT("details__count"))
        .filter(kind__in=PULLS, of_count__in=[serial for serial, _ in last.values()])
        .exclude(status=SlipStatus.VOIDED)
    )
    pulled = dict(pulls.values_list("details__count", "raised_at"))
    return {
        table.pk: pulled.get(last[table.pk][0]) if table.pk in last else None
        for table in tables
        if table.pk not in last or last[table.pk][1] not in CLOSERS or last[table.pk][0] in pulled
    }


def run_state(run: Slip) -> RunState:
    """Return a run as it stands; a fixed number of queries, however many tables."""
    names = run.details["tables"]
    by_name = {
        table.name: table for table in Table.objects.filter(name__in=names).select_related("pit")
    }
    tables = [by_name[name] for name in names if name in by_name]
    stops = {run_stop.table_id: run_stop for run_stop in RunStop.objects.filter(run=run)}
    waits = {
        drop_wait.table_id: drop_wait
        for drop_wait in DropWait.objects.filter(table__in=tables, lifted_at=None)
    }
    boxes = DropBox.objects.filter(Q(table__in=tables) | Q(tag__in=run.details["boxes"]))
    tags, trolley = {}, []
    for box in boxes.order_by("tag"):
        if box.place == BoxPlace.TABLE.value:
            tags[box.table_id] = box.tag
        elif box.place == BoxPlace.TROLLEY.value:
            trolley.append(box.tag)
    dealers = {
        dealing.table_id: str(dealing.dealer)
        for dealing in Dealing.objects.filter(table__in=tables, ended_at=None).select_related(
            "dealer"
        )
    }
    pulled = _pulled_since_count(tables)
    found = []
    for table in tables:
        stop, wait = stops.get(table.pk), waits.get(table.pk)
        if stop is not None:
            state = DONE if stop.pull_id is not None else LEFT
        elif not table.is_open and table.pk in pulled:
            state = SKIP
        else:
            state = WAIT if wait is not None else NEXT
        found.append(
            Stop(
                table,
                state,
                tags.get(table.pk, ""),
                stop,
                wait,
                dealers.get(table.pk, ""),
                pulled.get(table.pk),
            )
        )
    joined = {}
    for run_pit in RunPit.objects.filter(run=run).select_related("person", "device").order_by("id"):
        joined[run_pit.pit_id] = run_pit
    pits = Pit.objects.filter(name__in=run.details["pits"]).order_by("name")
    return RunState(
        run,
        found,
        RunWatch.objects.filter(run=run).select_related("person").first(),
        [(pit, joined.get(pit.pk)) for pit in pits],
        trolley,
        is_walked(run),
    )


def is_walked(run: Slip) -> bool:
    """Tell whether boxes are still pulled on a run: its officer has not signed its end."""
    is_open = run.status == SlipStatus.OPEN.value
    return is_open and not run.signatures.filter(step="ended").exists()
