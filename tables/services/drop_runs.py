"""A drop run: surveillance watches, a supervisor joins for each pit, and two scans pull a box."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from pitboss.models import Device, Person, Pit, Signature, Slip, Table
from pitboss.rules.canonical import canonical, is_plain
from pitboss.rules.drop.figures import DROP_PULL
from pitboss.rules.drop.runs import (
    DROP_RUN,
    REASON_MAX,
    ScanFacts,
    read_tag,
    scan_refusals,
)
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refused, refuse
from pitboss.rules.roles import WATCHING, Place, Role, may_act_as
from pitboss.services import house, journal
from pitboss.services.covering import Covered, Given, write_covered
from pitboss.services.drafts import NewSlip, Pen
from pitboss.services.locks import lock_request, lock_slip, lock_table, share_the_day
from pitboss.services.pins import signed_act
from tables.models import DropBox, RunPit, RunStop, RunWatch
from tables.selectors.drop_runs import DONE, LEFT, RunState, is_walked, run_state
from tables.services.drop_boxes import as_found, end_overdue, lock_boxes, swap_boxes
from tables.services.drops import count_of_pull, pull_details, pull_refusals


@transaction.atomic(durable=True)
def watch_run(*, run: Slip, by: Person, device: Device | None, request_id: UUID) -> RunWatch:
    """Say with one tap that surveillance watches a run, from now on. Raises Refused."""
    lock_request(request_id)
    run = lock_slip(run.pk)
    now = house.now()
    standing = RunWatch.objects.filter(run=run).first()
    if standing is not None:
        return standing  # A second tap, or someone else was faster.
    _demand_open(run)
    if house.role_in(by, house.period_at(now)) not in WATCHING:
        raise refuse("wrong_role", "Only surveillance can watch a run.", NOT_YOURS)
    if device is None or device.place != Place.SURVEILLANCE.value:
        raise refuse("wrong_place", "Use a screen in the surveillance room.", NOT_YOURS)
    watch = RunWatch.objects.create(run=run, person=by, at=now)
    _tell(run, "drop_run_watched", {"badge": by.badge}, by, device, now, [watch])
    return watch


def join_text(run: Slip, pit: Pit) -> str:
    """Return the one text of what a supervisor reads before they join a run."""
    return canonical(
        {
            "run": run.serial,
            "pit": pit.name,
            "officer": _officer_signature(run).signed_as,
            "tables": run.details["tables"],
        }
    )


def join_run(*, run: Slip, pit: Pit, pen: Pen) -> RunPit:
    """Join a run for one pit, with badge and PIN: its boxes leave before these eyes.

    Raises Refused.
    """
    with signed_act(
        act="drop_run_join", badge=pen.badge, pin=pen.pin, device=pen.device, chain=journal.HOUSE
    ) as person:
        lock_request(pen.request_id)
        run = lock_slip(run.pk)
        now = house.now()
        earlier = RunPit.objects.filter(request_id=pen.request_id).first()
        if earlier is not None:
            return earlier
        _demand_open(run)
        if pit.name not in run.details["pits"]:
            raise refuse("not_on_the_run", f"{pit} isn’t on this run. Check the list.")
        if not may_act_as(house.role_in(person, house.period_at(now)), Role.SUPERVISOR):
            raise refuse("wrong_role", "Only a supervisor of the pit can join the run.", NOT_YOURS)
        assert pen.device is not None, "an act without a device was not refused"
        if pen.device.place != Place.PIT.value or pen.device.pit_id not in (None, pit.pk):
            raise refuse("wrong_place", f"Join on a tablet of {pit}.", NOT_YOURS)
        joined = RunPit.objects.create(
            run=run,
            pit=pit,
            person=person,
            device=pen.device,
            at=now,
            shown=join_text(run, pit),
            request_id=pen.request_id,
        )
        body = {"badge": person.badge, "pit": pit.name}
        _tell(run, "drop_run_joined", body, person, pen.device, now, [joined])
        return joined


def table_of_tag(run: Slip, scanned: str, chosen: str) -> str:
    """Return the table that a scanned box is on; the one that was chosen where no one knows."""
    box = DropBox.objects.filter(tag=read_tag(scanned)).select_related("table").first()
    on = box.table.name if box is not None and box.table is not None else ""
    return on if on in run.details["tables"] else chosen


@transaction.atomic(durable=True)
def scan_box(
    *,
    run: Slip,
    table: Table,
    old_tag: str,
    new_tag: str,
    by: Person,
    device: Device | None,
    request_id: UUID,
) -> RunStop:
    """Pull the box of a table on a run: its tag, then that of the new one. Raises Refused.

    It takes no PIN: the officer signed for the run, and the supervisor of the pit joined it.
    """
    lock_request(request_id)
    share_the_day()
    table = lock_table(table.pk)
    run = lock_slip(run.pk)
    now = house.now()
    old_tag, new_tag = read_tag(old_tag), read_tag(new_tag)
    earlier = RunStop.objects.filter(request_id=request_id).first()
    if earlier is not None:
        if (earlier.table_id, earlier.old_tag, earlier.new_tag) == (table.pk, old_tag, new_tag):
            return earlier
        raise refuse("request_reused", "This form was already sent. Scan again.", CONFLICT)
    state = run_state(run)
    boxes = lock_boxes(old_tag, new_tag)
    _demand_scan(state, table, old_tag, new_tag, boxes, by)
    officer, joined = _officer_signature(run), _joined(state, table)
    assert joined is not None, "a pit that nobody joined was not refused"
    if device is None:
        raise refuse("unknown_device", "This device isn’t enrolled. Use one that is.", NOT_YOURS)
    watched_at = state.watch.at if state.watch else now
    pulls = _pulls(run, table, old_tag, new_tag, watched_at)
    given = (
        Given("pulled", officer.person, device, _scan_text(run, table, old_tag, new_tag)),
        Given("witnessed", joined.person, joined.device, joined.shown),
    )
    slips, signatures = write_covered(
        run, [Covered(new, table, given, now) for new in pulls], request_id=request_id
    )
    pull = slips[-1]
    turned = swap_boxes(table, boxes[old_tag], boxes[new_tag], by=by, at=now, request_id=request_id)
    stop = RunStop.objects.create(
        run=run,
        table=table,
        pull=pull,
        old_tag=old_tag,
        new_tag=new_tag,
        person=by,
        at=now,
        request_id=request_id,
    )
    end_overdue(table, pull, by, device)
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind="drop_pull.on_a_run",
        body={"serial": pull.serial, "run": run.serial, "old": old_tag, "new": new_tag},
        at=now,
        person=by,
        device=device,
        slip=pull,
        rows=[*slips, *signatures, *turned, stop],
    )
    return stop


def _demand_scan(
    state: RunState,
    table: Table,
    old_tag: str,
    new_tag: str,
    boxes: dict[str, DropBox],
    by: Person,
) -> None:
    on_table = DropBox.objects.filter(table=table).values_list("tag", flat=True).first()
    old, new = boxes.get(old_tag), boxes.get(new_tag)
    refusals = scan_refusals(
        ScanFacts(
            table=table.name,
            tables=state.run.details["tables"],
            settled=[stop.table.name for stop in state.stops if stop.state in (DONE, LEFT)],
            is_open=state.is_open,
            is_watched=state.watch is not None,
            is_joined=_joined(state, table) is not None,
            pit=table.pit.name,
            by_officer=_officer_signature(state.run).person_id == by.pk,
            old_tag=old_tag,
            new_tag=new_tag,
            old=as_found(old) if old is not None else None,
            new=as_found(new) if new is not None else None,
            on_table=on_table or "",
        )
    )
    if not refusals:
        refusals = pull_refusals(table, within=_run_within())
    if refusals:
        raise Refused(refusals)


def _pulls(run: Slip, table: Table, old_tag: str, new_tag: str, told_at: datetime) -> list[NewSlip]:
    """Return the pull of a box, or that of each compartment of it, first to last."""
    details = {
        "box": table.name,
        "tag": old_tag,
        "new_box": new_tag,
        "emergency": False,
        "surveillance_told_at": journal.plain_time(told_at),
        "count": count_of_pull(table, _run_within()),
        "run": run.serial,
    }
    return [NewSlip(DROP_PULL, table.pk, {}, details=item) for item in pull_details(table, details)]


def _run_within() -> timedelta:
    return timedelta(minutes=house.settings_at(house.now())["drop.run_count_within"])


def _scan_text(run: Slip, table: Table, old_tag: str, new_tag: str) -> str:
    scanned = {"run": run.serial, "table": table.name, "old": old_tag, "new": new_tag}
    return canonical(scanned)


@transaction.atomic(durable=True)
def leave_box(
    *,
    run: Slip,
    table: Table,
    reason: str,
    by: Person,
    device: Device | None,
    request_id: UUID,
) -> RunStop:
    """Leave the box of a table where it is, for a reason: the run may end without it.

    Raises Refused.
    """
    lock_request(request_id)
    table = lock_table(table.pk)
    run = lock_slip(run.pk)
    now = house.now()
    reason = reason.strip()
    earlier = RunStop.objects.filter(request_id=request_id).first()
    if earlier is not None:
        return earlier
    _demand_open(run)
    if _officer_signature(run).person_id != by.pk:
        raise refuse(
            "not_the_officer", "Only the officer who started this run can say so.", NOT_YOURS
        )
    if table.name not in run.details["tables"]:
        raise refuse("not_on_the_run", f"{table} isn’t on this run. Check the list.")
    if RunStop.objects.filter(run=run, table=table).exists():
        raise refuse("already_scanned", f"{table} is already done. Go to the next table.", CONFLICT)
    if not reason or len(reason) > REASON_MAX or not is_plain(reason):
        raise refuse("reason_missing", f"Enter why the box stays, in {REASON_MAX} characters.")
    stop = RunStop.objects.create(
        run=run, table=table, reason=reason, person=by, at=now, request_id=request_id
    )
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind="drop_run_left",
        body={"run": run.serial, "reason": reason},
        at=now,
        person=by,
        device=device,
        rows=[stop],
    )
    return stop


def _officer_signature(run: Slip) -> Signature:
    return run.signatures.select_related("person").get(step="started")


def _joined(state: RunState, table: Table) -> RunPit | None:
    return next((joined for pit, joined in state.pits if pit.pk == table.pit_id), None)


def _demand_open(run: Slip) -> None:
    if run.kind != DROP_RUN:
        raise refuse("not_a_run", f"{run.serial} isn’t a drop run. Choose one from the list.")
    if not is_walked(run):
        raise refuse("run_ended", "This run has ended. Start another one.", CONFLICT)


def _tell(
    run: Slip,
    kind: str,
    body: dict[str, str],
    person: Person,
    device: Device | None,
    at: datetime,
    rows: list[RunWatch] | list[RunPit],
) -> None:
    journal.write(
        chain=journal.HOUSE,
        kind=kind,
        body={"run": run.serial, **body},
        at=at,
        person=person,
        device=device,
        slip=run,
        rows=rows,
    )
