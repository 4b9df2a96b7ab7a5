"""Count in a session: first and second counts of boxes, members who leave, and machines' files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from uuid import UUID

from django.db import models, transaction

from pitboss.models import Device, Person, Slip
from pitboss.rules.canonical import is_plain
from pitboss.rules.drop.figures import document_refusals, read_figures
from pitboss.rules.drop.sessions import (
    COUNT_SESSION,
    FILE_MAX,
    FIRST,
    OUR_COLUMNS,
    SECOND,
    ColumnMap,
    EntryFacts,
    TotalFacts,
    entry_refusals,
    map_refusals,
    read_machine_file,
    second_refusals,
    sum_of,
    total_differs,
    total_refusals,
)
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refused, refuse
from pitboss.rules.roles import Place
from pitboss.services import house, journal
from pitboss.services.drafts import Pen
from pitboss.services.locks import lock_request, lock_slip
from pitboss.services.pins import signed_act
from tables.models import BoxTally, CountFile, MachineMap, RoomMove
from tables.selectors.count_sessions import CountedBox, SessionState, session_state

NAME_MAX = 120


@contextmanager
def _counting(
    session: Slip, by: Person, device: Device | None, request_id: UUID
) -> Iterator[SessionState]:
    """Give the session, locked, to the person who is unlocked at the pad; keep what is refused."""
    try:
        with transaction.atomic(durable=True):
            lock_request(request_id)
            session = lock_slip(session.pk)
            if session.kind != COUNT_SESSION:
                raise refuse(
                    "not_a_session",
                    f"{session.serial} isn’t a count session. Choose one from the list.",
                )
            if device is None or device.place != Place.OFFICE.value:
                raise refuse("wrong_place", "Count on a tablet in the count room.", NOT_YOURS)
            yield session_state(session)
    except Refused as refused:
        with transaction.atomic(durable=True):
            journal.write(
                chain=journal.HOUSE,
                kind="session_count_refused",
                body={"session": session.serial, "codes": list(refused.codes)},
                at=house.now(),
                person=by,
                device=device,
                slip=session,
            )
        raise


def enter_count(
    *,
    session: Slip,
    pull: Slip,
    turn: int,
    figures: Mapping[str, int],
    documents: Sequence[str] = (),
    unreadable: int = 0,
    by: Person,
    device: Device | None,
    request_id: UUID,
) -> BoxTally:
    """Enter one member's count of a box. It takes no PIN: each member signs at the close.

    A second count that finds something else is refused and kept in the journal. Raises Refused.
    """
    with _counting(session, by, device, request_id) as state:
        figures = read_figures(figures)
        earlier = BoxTally.objects.filter(request_id=request_id).first()
        if earlier is not None:
            if (earlier.pull_id, earlier.turn, earlier.figures) == (pull.pk, turn, figures):
                return earlier
            raise refuse("request_reused", "This form was already sent. Open it again.", CONFLICT)
        box = next((item for item in state.boxes if item.pull.pk == pull.pk), None)
        if turn == SECOND and state.in_total:
            raise refuse(
                "second_in_total",
                "The second count here is one of all boxes together. Enter the total.",
            )
        _demand_entry(state, box, turn, by, str(pull.details.get("box", pull.serial)))
        assert box is not None, "a box of another session was not refused"
        if turn == FIRST:
            refusals = document_refusals(figures, tuple(documents), unreadable)
        else:
            assert box.first is not None, "a second count without a first was not refused"
            refusals = second_refusals(box.name, box.first.figures, figures)
        if refusals:
            raise Refused(refusals)
        tally = BoxTally.objects.create(
            session=state.session,
            pull=pull,
            turn=turn,
            figures=figures,
            documents=list(documents),
            unreadable=unreadable,
            person=by,
            at=house.now(),
            request_id=request_id,
        )
        _tell(
            state.session, "box_tallied", {"pull": pull.serial, "turn": turn}, by, device, [tally]
        )
        return tally


def enter_total(
    *,
    session: Slip,
    figures: Mapping[str, int],
    by: Person,
    device: Device | None,
    request_id: UUID,
) -> list[BoxTally]:
    """Enter the second count of all boxes together; it stands for each box. Raises Refused.

    One that finds something else is refused and kept in the journal.
    """
    with _counting(session, by, device, request_id) as state:
        figures = read_figures(figures)
        earlier = list(BoxTally.objects.filter(request_id=request_id, session=session))
        if earlier:
            return earlier
        firsts = [box.first for box in state.boxes if box.first is not None]
        refusals = total_refusals(
            TotalFacts(
                in_total=state.in_total,
                uncounted=[box.name for box in state.boxes if box.first is None],
                counted_first=any(first.person_id == by.pk for first in firsts),
                is_settled=not state.uncounted,
            )
        )
        if refusals:
            raise Refused(refusals)
        for box in state.boxes:
            _demand_entry(state, box, SECOND, by, box.name)
        if refusals := total_differs(sum_of(first.figures for first in firsts), figures):
            raise Refused(refusals)
        now = house.now()
        tallies = BoxTally.objects.bulk_create(
            BoxTally(
                session=state.session,
                pull=first.pull,
                turn=SECOND,
                figures=first.figures,
                person=by,
                at=now,
                request_id=request_id,
            )
            for first in firsts
        )
        _tell(state.session, "total_tallied", {"figures": figures}, by, device, tallies)
        return tallies


def save_machine(
    *, name: str, columns: ColumnMap, by: Person, device: Device | None, request_id: UUID
) -> MachineMap:
    """Save what a counting machine calls its columns. Raises Refused."""
    with transaction.atomic(durable=True):
        lock_request(request_id)
        earlier = MachineMap.objects.filter(request_id=request_id).first()
        if earlier is not None:
            return earlier
        words = (name, columns.box_tag, columns.compartment, columns.denomination, columns.pieces)
        if not all(is_plain(word) for word in words):
            raise refuse(
                "text_malformed", "The names have characters that can’t be saved. Remove them."
            )
        if refusals := map_refusals(name, columns):
            raise Refused(refusals)
        saved = MachineMap.objects.create(
            name=name.strip(),
            box_tag=columns.box_tag.strip(),
            compartment=columns.compartment.strip(),
            denomination=columns.denomination.strip(),
            pieces=columns.pieces.strip(),
            in_dollars=columns.in_dollars,
            person=by,
            at=house.now(),
            request_id=request_id,
        )
        journal.write(
            chain=journal.HOUSE,
            kind="count_machine_saved",
            body={"name": saved.name, "columns": columns.columns, "dollars": columns.in_dollars},
            at=saved.at,
            person=by,
            device=device,
            rows=[saved],
        )
        return saved


def machines() -> dict[str, MachineMap]:
    """Return the counting machines that are known, by name, each as it was saved last."""
    return {item.name: item for item in MachineMap.objects.order_by("name", "id")}


def columns_of(machine: str) -> ColumnMap:
    """Return the columns of a machine that was saved, or our own. Raises Refused."""
    if not machine:
        return OUR_COLUMNS
    found = machines().get(machine)
    if found is None:
        raise refuse("machine_unknown", "This machine isn’t saved. Choose another one.")
    return found.columns


def _demand_entry(
    state: SessionState, box: CountedBox | None, turn: int, by: Person, name: str
) -> None:
    first = box.first if box is not None else None
    refusals = entry_refusals(
        EntryFacts(
            is_open=state.is_counted,
            is_tested=state.is_tested,
            is_member=by in state.members,
            in_room=len(state.in_room),
            least=state.least,
            box=box.name if box is not None else name,
            is_of_session=box is not None,
            turn=turn,
            has_first=first is not None,
            by_first=first is not None and first.person_id == by.pk,
            is_settled=box is not None and box.second is not None,
            is_away=by.pk in state.away,
        )
    )
    if turn not in (FIRST, SECOND):
        raise refuse("bad_turn", "A box is counted first and second. Open it again.")
    if refusals:
        raise Refused(refusals)


def import_counts(
    *,
    session: Slip,
    name: str,
    content: bytes,
    by: Person,
    device: Device | None,
    request_id: UUID,
    machine: str = "",
) -> CountFile:
    """Take a machine's file in as first counts: all of it, or nothing. Raises Refused.

    Its documents are scanned afterward, where the count of each box is opened again.
    """
    with _counting(session, by, device, request_id) as state:
        sha256 = hashlib.sha256(content).hexdigest()
        known = CountFile.objects.filter(sha256=sha256).first()
        if known is not None and known.request_id == request_id:
            return known
        if known is not None:
            raise already_imported(known)
        boxes = {box.machine_key: box for box in state.boxes}
        columns = columns_of(machine)
        counts, refusals = read_machine_file(text_of(name, content), boxes, columns)
        if refusals:
            raise Refused(refusals)
        for key in counts:
            _demand_entry(state, boxes[key], FIRST, by, boxes[key].name)
        now = house.now()
        file = CountFile.objects.create(
            session=state.session,
            name=name,
            size=len(content),
            sha256=sha256,
            person=by,
            at=now,
            request_id=request_id,
        )
        tallies = BoxTally.objects.bulk_create(
            BoxTally(
                session=state.session,
                pull=boxes[key].pull,
                turn=FIRST,
                figures=read_figures(bills),
                file=file,
                person=by,
                at=now,
                request_id=request_id,
            )
            for key, bills in counts.items()
        )
        named = sorted(" ".join(filter(None, key)) for key in counts)
        body = {
            "name": name,
            "size": len(content),
            "sha256": sha256,
            "boxes": named,
            **({"machine": machine, "columns": columns.columns} if machine else {}),
        }
        _tell(state.session, "count_file_imported", body, by, device, [file, *tallies])
        return file


def already_imported(file: CountFile) -> Refused:
    """Return the refusal of a file that was taken in before, in this session or another."""
    return refuse(
        "already_imported",
        f"This file was already imported as {file.name}. Choose another file.",
        CONFLICT,
    )


def text_of(name: str, content: bytes) -> str:
    """Return the text of a machine's file. Raises Refused."""
    if not name or len(name) > NAME_MAX or not is_plain(name):
        raise refuse("file_name", "The name of the file is too long. Rename it.")
    if len(content) > FILE_MAX:
        raise refuse("file_too_large", f"The file has more than {FILE_MAX:,} bytes. Split it.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refuse("file_no_text", "This file isn’t UTF-8 text. Save it as CSV again.") from None
    if not is_plain(text.replace("\r", "").replace("\n", "").replace("\t", "")):
        raise refuse("file_no_text", "This file isn’t UTF-8 text. Save it as CSV again.")
    return text


def move_in_room(*, session: Slip, is_back: bool, pen: Pen) -> RoomMove:
    """Leave the count room, or come back, with badge and PIN. Raises Refused."""
    with signed_act(
        act="count_room_move", badge=pen.badge, pin=pen.pin, device=pen.device, chain=journal.HOUSE
    ) as person:
        lock_request(pen.request_id)
        state = session_state(lock_slip(session.pk))
        earlier = RoomMove.objects.filter(request_id=pen.request_id).first()
        if earlier is not None:
            return earlier
        if not state.is_counted:
            raise refuse("session_closed", "This session is closed. Nothing is counted.", CONFLICT)
        if person not in state.members:
            raise refuse(
                "not_a_member", f"{person} isn’t a member of this session. Ask a member.", NOT_YOURS
            )
        if (person.pk in state.away) is not is_back:
            words = "is already in the room" if is_back else "already left"
            raise refuse("already_so", f"{person} {words}. Reload the page.", CONFLICT)
        move = RoomMove.objects.create(
            session=state.session,
            person=person,
            is_back=is_back,
            at=house.now(),
            request_id=pen.request_id,
        )
        kind = "count_member_back" if is_back else "count_member_left"
        _tell(state.session, kind, {"badge": person.badge}, person, pen.device, [move])
        return move


def _tell(
    session: Slip,
    kind: str,
    body: Mapping[str, object],
    person: Person,
    device: Device | None,
    rows: Sequence[models.Model],
) -> None:
    journal.write(
        chain=journal.HOUSE,
        kind=kind,
        body={"session": session.serial, **body},
        at=house.now(),
        person=person,
        device=device,
        slip=session,
        rows=rows,
    )
