"""Locks, always taken in this order, so that no two acts can wait for each other in a ring:

request id, tables by id or a desk, slip, patron, meter, series counter, staff, ledger, a person's
cash, journal head last.
Closing a gaming day takes an advisory lock alone that raising a slip shares.

Rows are locked with NO KEY: a row that refers to them may be written meanwhile. Otherwise a refused
attempt, which holds the journal head and names the slip, and a signature, which holds the slip and
wants the journal head, would wait for each other.

Who cannot have a lock in its time is refused: someone else is at it, and nothing was written.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from django.db import Error, OperationalError, connection, connections
from django.utils import timezone

from pitboss.faults import BUSY, is_locked_out
from pitboss.models import Person, Pit, RequestMark, Slip, Table
from pitboss.models.plain import Statement, attnames, columns, in_one_trip, read_row
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services.clock import check_clock

_DAY = 0x50_49_54_01


@contextmanager
def or_busy(table_id: int | None = None) -> Iterator[None]:
    """Refuse where a lock cannot be had in its time. Raises Refused."""
    try:
        yield
    except OperationalError as error:
        if not is_locked_out(error):
            raise
        raise _busy(table_id) from error


def _busy(table_id: int | None) -> Refused:
    if table_id is None:
        return refuse(BUSY.code, BUSY.sentence)
    name = "This table"
    # The transaction that waited answers nothing any more.
    other = connections.create_connection("default")
    with suppress(Error), other.cursor() as cursor:
        # For this transaction alone: a pooler would hand a longer setting on to someone else.
        other.set_autocommit(False)
        cursor.execute("SET LOCAL lock_timeout = '200ms'")
        cursor.execute("SELECT name FROM pitboss_table WHERE id = %s", [table_id])
        name = (cursor.fetchone() or [name])[0]
    other.close()
    return refuse("table_busy", f"{name} is busy. Try again.")


@dataclass(frozen=True, slots=True)
class SentForm:
    """The form that a tablet has sent: the id it carries, and from which device it comes."""

    request_id: UUID
    device_id: int | None


# What the request under way has sent; nothing in a task, a command or for a program.
sent_form: ContextVar[SentForm | None] = ContextVar("sent_form", default=None)


def lock_request(request_id: UUID, *, shares_the_day: bool = False) -> bool:
    """Let one request with this id through at a time, and mark it as done if its act is.

    Return whether an earlier one may have signed something. A resend waits here for the first to
    end. Raises Refused for one that was given up: someone was told that it was not done. What is
    raised in the gaming day shares the day in the same go.
    """
    sent = sent_form.get()
    device_id = sent.device_id if sent and sent.request_id == request_id else None
    before = time.time()
    day = ", pg_advisory_xact_lock_shared(%s)" if shares_the_day else ""
    with or_busy(), connection.cursor() as cursor:
        # Marks are swept, signatures never: a new mark alone does not say that no one signed.
        cursor.execute(
            "INSERT INTO pitboss_requestmark (request_id, device_id, is_given_up, at)"
            " VALUES (%s, %s, false, %s) ON CONFLICT DO NOTHING"
            " RETURNING EXTRACT(epoch FROM clock_timestamp())::float8,"
            f" EXISTS (SELECT FROM pitboss_signature WHERE request_id = %s){day}",
            [request_id, device_id, timezone.now(), request_id, *([_DAY] if day else [])],
        )
        new = cursor.fetchone()
    if new is not None:
        check_clock(before, new[0], time.time())
        return bool(new[1])
    if RequestMark.objects.get(pk=request_id).is_given_up:
        raise refuse(
            "request_given_up",
            "This form was canceled, and nothing was saved. Send it again.",
            CONFLICT,
        )
    if shares_the_day:
        share_the_day()
    return True


def lock_sent_form() -> None:
    """Mark the form under way as done if its act is: for acts that know no request id."""
    sent = sent_form.get()
    if sent is not None:
        lock_request(sent.request_id)


# In a statement: its transaction commits before its record has reached the disk. Others see it at
# once, and the next transaction to commit as usual brings it there. For what comes just before an
# act, or a refusal, that commits so.
UNWAITED = "set_config('synchronous_commit', 'off', true)"


def locking_attempts(badge: str, door: str) -> Statement:
    """Return what lets one attempt at a badge, and one at a door, be reserved at a time.

    The badge comes first. It also tells the database's time, and no one waits for the disk to have
    what follows.
    """
    return (
        f"SELECT {UNWAITED}, pg_advisory_xact_lock(hashtextextended(%s, 0)),"
        " pg_advisory_xact_lock(hashtextextended(%s, 0)),"
        " EXTRACT(epoch FROM clock_timestamp())::float8",
        [f"badge:{badge}", f"door:{door}"],
    )


def share_the_day() -> None:
    """Hold off the closing of the gaming day while a slip is raised in it."""
    with or_busy(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [_DAY])


def hold_the_day() -> None:
    """Close a gaming day alone: wait for every slip being raised, and let none begin."""
    with or_busy(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_DAY])


def lock_paper(number: str) -> None:
    """Let one late entry of a paper's number through at a time. Its table comes first."""
    with or_busy(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"paper:{number}"])


@cache
def _locking_table() -> str:
    return f"""
        SELECT {columns(Table, "place")}, {columns(Pit, "pit")}
        FROM pitboss_table AS place JOIN pitboss_pit AS pit ON pit.id = place.pit_id
        WHERE place.id = %s FOR NO KEY UPDATE OF place
    """


@cache
def _locking_slip() -> str:
    return f"""
        SELECT {columns(Slip, "slip")} FROM pitboss_slip AS slip WHERE slip.id = %s
        FOR NO KEY UPDATE
    """


def _read_table(rows: Sequence[tuple[Any, ...]]) -> Table:
    if not rows:
        raise Table.DoesNotExist
    (row,) = rows
    table, pit = read_row(Table, row), read_row(Pit, row[len(attnames(Table)) :])
    assert table is not None, "what was locked has an id"
    assert pit is not None, "a table stands in a pit"
    table.pit = pit
    return table


def lock_table(table_id: int) -> Table:
    """Lock a table, and with it its tray, its slips' order and journal. Its pit is read along."""
    table, _ = lock_table_and_read(table_id)
    return table


def lock_table_and_read(
    table_id: int, *asked: Statement
) -> tuple[Table, list[list[tuple[Any, ...]]]]:
    """Lock a table, and read what is asked under its lock in the same trip."""
    with or_busy(table_id):
        rows, *answers = in_one_trip((_locking_table(), [table_id]), *asked)
    return _read_table(rows), answers


def lock_desk(name: str) -> None:
    """Let one slip at a time be raised at a desk that has no table: the cage, as a table would."""
    with or_busy(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"desk:{name}"])


def lock_settings() -> None:
    """Let one change of the house's settings take effect at a time. Its slip comes first."""
    with or_busy(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('settings', 0))")


def lock_cash_of(who: str) -> None:
    """Let one transaction at a time be summed into a person's cash. Strangers before patrons."""
    with or_busy(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"cash:{who}"])


def lock_staff() -> None:
    """Let one act at a time take someone out of their role: what is left is counted under it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('staff', 0))")


def lock_person(person_id: int) -> Person:
    """Lock a person: their PIN, their role of the shift, their log-ins. Raises Refused."""
    with or_busy():
        person = Person.objects.select_for_update(no_key=True).filter(pk=person_id).first()
    if person is None:
        raise refuse("unknown_person", "Person not found. Look them up again.")
    return person


def _read_slip(rows: Sequence[tuple[Any, ...]]) -> Slip:
    slip = read_row(Slip, rows[0]) if rows else None
    if slip is None:
        raise Slip.DoesNotExist
    return slip


def lock_slip(slip_id: int) -> Slip:
    """Lock a slip. Its table comes first."""
    with or_busy():
        (rows,) = in_one_trip((_locking_slip(), [slip_id]))
    return _read_slip(rows)


def lock_slip_and_table(slip: Slip) -> Slip:
    """Lock a slip's table, if it has one, then the slip, and return both as they are now."""
    if slip.table_id is None:
        return lock_slip(slip.pk)
    with or_busy(slip.table_id):
        tables, slips = in_one_trip(
            (_locking_table(), [slip.table_id]), (_locking_slip(), [slip.pk])
        )
    locked = _read_slip(slips)
    locked.table = _read_table(tables)
    return locked
