"""Locks, always taken in this order, so that no two acts can wait for each other in a ring:

request id, tables by id or a desk, slip, patron, meter, series counter, ledger, a person's cash,
journal head last.
Closing a gaming day takes an advisory lock alone that raising a slip shares.

Rows are locked with NO KEY: a row that refers to them may be written meanwhile. Otherwise a refused
attempt, which holds the journal head and names the slip, and a signature, which holds the slip and
wants the journal head, would wait for each other.
"""

from __future__ import annotations

from uuid import UUID

from django.db import connection

from pitboss.models import Person, Slip, Table
from pitboss.rules.refusal import refuse

_DAY = 0x50_49_54_01


def lock_request(request_id: UUID) -> None:
    """Let one request with this id through at a time; a resend waits for the first to end."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"request:{request_id}"]
        )


# In a statement: its transaction commits before its record has reached the disk. Others see it at
# once, and the next transaction to commit as usual brings it there. For what comes just before an
# act, or a refusal, that commits so.
UNWAITED = "set_config('synchronous_commit', 'off', true)"


def lock_badge(badge: str) -> None:
    """Let one attempt at a badge be reserved at a time. Nobody waits for the disk to have it."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {UNWAITED}, pg_advisory_xact_lock(hashtextextended(%s, 0))",
            [f"badge:{badge}"],
        )


def share_the_day() -> None:
    """Hold off the closing of the gaming day while a slip is raised in it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [_DAY])


def hold_the_day() -> None:
    """Close a gaming day alone: wait for every slip being raised, and let none begin."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_DAY])


def lock_paper(number: str) -> None:
    """Let one late entry of a paper's number through at a time. Its table comes first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"paper:{number}"])


def lock_table(table_id: int) -> Table:
    """Lock a table, and with it its tray, its slips' order and journal. Its pit is read along."""
    tables = Table.objects.select_related("pit").select_for_update(of=["self"], no_key=True)
    return tables.get(pk=table_id)


def lock_desk(name: str) -> None:
    """Let one slip at a time be raised at a desk that has no table: the cage, as a table would."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"desk:{name}"])


def lock_settings() -> None:
    """Let one change of the house's settings take effect at a time. Its slip comes first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('settings', 0))")


def lock_cash_of(who: str) -> None:
    """Let one transaction at a time be summed into a person's cash. Strangers before patrons."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"cash:{who}"])


def lock_person(person_id: int) -> Person:
    """Lock a person: their PIN, their role of the shift, their log-ins. Raises Refused."""
    person = Person.objects.select_for_update(no_key=True).filter(pk=person_id).first()
    if person is None:
        raise refuse("unknown_person", "Nobody here has this number. Look the person up again.")
    return person


def lock_slip(slip_id: int) -> Slip:
    """Lock a slip. Its table comes first."""
    return Slip.objects.select_for_update(no_key=True).get(pk=slip_id)


def lock_slip_and_table(slip: Slip) -> Slip:
    """Lock a slip's table, if it has one, then the slip, and return both as they are now."""
    table = lock_table(slip.table_id) if slip.table_id is not None else None
    slip = lock_slip(slip.pk)
    slip.table = table
    return slip
