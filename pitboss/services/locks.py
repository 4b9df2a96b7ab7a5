"""Locks, always taken in this order, so that no two acts can wait for each other in a ring:

request id, tables by id or a desk, slip, patron, meter, series counter, staff, ledger, a person's
cash, journal head last.
Closing a gaming day takes an advisory lock alone that raising a slip shares.

Rows are locked with NO KEY: a row that refers to them may be written meanwhile. Otherwise a refused
attempt, which holds the journal head and names the slip, and a signature, which holds the slip and
wants the journal head, would wait for each other.

Who cannot have a lock in its time is refused: somebody else is at it, and nothing was written.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from uuid import UUID

from django.db import Error, OperationalError, connection, connections
from django.utils import timezone

from pitboss.faults import BUSY, is_locked_out
from pitboss.models import Person, RequestMark, Slip, Table
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
        # For this transaction alone: a pooler would hand a longer setting on to somebody else.
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


def lock_request(request_id: UUID) -> None:
    """Let one request with this id through at a time, and mark it as done if its act is.

    A resend waits here for the first to end. Raises Refused for one that was given up: somebody
    was told that it was not done.
    """
    sent = sent_form.get()
    device_id = sent.device_id if sent and sent.request_id == request_id else None
    before = time.time()
    with or_busy(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO pitboss_requestmark (request_id, device_id, is_given_up, at)"
            " VALUES (%s, %s, false, %s) ON CONFLICT DO NOTHING"
            " RETURNING EXTRACT(epoch FROM clock_timestamp())::float8",
            [request_id, device_id, timezone.now()],
        )
        new = cursor.fetchone()
    if new is not None:
        check_clock(before, new[0], time.time())
    elif RequestMark.objects.get(pk=request_id).is_given_up:
        raise refuse(
            "request_given_up",
            "This form was given up, and nothing was stored. Send it again.",
            CONFLICT,
        )


def lock_sent_form() -> None:
    """Mark the form under way as done if its act is: for acts that know no request id."""
    sent = sent_form.get()
    if sent is not None:
        lock_request(sent.request_id)


# In a statement: its transaction commits before its record has reached the disk. Others see it at
# once, and the next transaction to commit as usual brings it there. For what comes just before an
# act, or a refusal, that commits so.
UNWAITED = "set_config('synchronous_commit', 'off', true)"


def lock_attempts(badge: str, door: str) -> None:
    """Let one attempt at a badge, and one at a door, be reserved at a time; the badge comes first.

    Nobody waits for the disk to have it.
    """
    before = time.time()
    with or_busy(), connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {UNWAITED}, pg_advisory_xact_lock(hashtextextended(%s, 0)),"
            " pg_advisory_xact_lock(hashtextextended(%s, 0)),"
            " EXTRACT(epoch FROM clock_timestamp())::float8",
            [f"badge:{badge}", f"door:{door}"],
        )
        told = cursor.fetchone()
    check_clock(before, told[-1], time.time())


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


def lock_table(table_id: int) -> Table:
    """Lock a table, and with it its tray, its slips' order and journal. Its pit is read along."""
    tables = Table.objects.select_related("pit").select_for_update(of=["self"], no_key=True)
    with or_busy(table_id):
        return tables.get(pk=table_id)


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
    """Let one act at a time take somebody out of their role: what is left is counted under it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('staff', 0))")


def lock_person(person_id: int) -> Person:
    """Lock a person: their PIN, their role of the shift, their log-ins. Raises Refused."""
    with or_busy():
        person = Person.objects.select_for_update(no_key=True).filter(pk=person_id).first()
    if person is None:
        raise refuse("unknown_person", "Person not found. Look them up again.")
    return person


def lock_slip(slip_id: int) -> Slip:
    """Lock a slip. Its table comes first."""
    with or_busy():
        return Slip.objects.select_for_update(no_key=True).get(pk=slip_id)


def lock_slip_and_table(slip: Slip) -> Slip:
    """Lock a slip's table, if it has one, then the slip, and return both as they are now."""
    table = lock_table(slip.table_id) if slip.table_id is not None else None
    slip = lock_slip(slip.pk)
    slip.table = table
    return slip
