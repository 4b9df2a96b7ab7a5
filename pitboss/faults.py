"""What went wrong outside of the rules, told truly: the database is away, busy, slow, full.

A fault says nothing of what became of an act: a COMMIT whose answer was lost may have been kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import psycopg
from django.db import DatabaseError, InterfaceError, OperationalError


@dataclass(frozen=True, slots=True)
class Fault:
    """What failed, for a program by its code and for a person in a sentence."""

    code: str
    sentence: str
    status: int = 503
    retry_seconds: int | None = 5


BROKEN = Fault("broken", "Pitboss has a problem.", status=500, retry_seconds=None)
AWAY = Fault("database_away", "The database does not answer.")
BUSY = Fault("busy", "Pitboss is busy. Try again.", retry_seconds=2)
SLOW = Fault("too_slow", "This took too long.")
READ_ONLY = Fault("read_only", "The database takes no entries at the moment.", retry_seconds=10)
FULL = Fault("disk_full", "The database has no room left.", retry_seconds=30)

# While these last, another server may be taking over: the same act may be done in a moment.
PASSING = frozenset({AWAY.code, READ_ONLY.code})
# In a request's environ: it failed by one of these, and is done once however often it is sent.
RESEND = "pitboss.resend"

_BY_STATE = {
    psycopg.errors.LockNotAvailable.sqlstate: BUSY,
    psycopg.errors.DeadlockDetected.sqlstate: BUSY,
    psycopg.errors.SerializationFailure.sqlstate: BUSY,
    psycopg.errors.QueryCanceled.sqlstate: SLOW,
    psycopg.errors.TransactionTimeout.sqlstate: SLOW,
    psycopg.errors.IdleInTransactionSessionTimeout.sqlstate: SLOW,
    psycopg.errors.ReadOnlySqlTransaction.sqlstate: READ_ONLY,
    psycopg.errors.DiskFull.sqlstate: FULL,
}


def fault_of(error: BaseException | None) -> Fault:
    """Return what failed; something broken of our own where it is no fault of the database."""
    while error is not None:
        if isinstance(error, DatabaseError | InterfaceError):
            state = getattr(error.__cause__, "sqlstate", None)
            if state in _BY_STATE:
                return _BY_STATE[state]
            if isinstance(error, OperationalError | InterfaceError):
                return AWAY
        # What was raised while another error was handled hides that one.
        error = error.__cause__ or error.__context__
    return BROKEN


def is_locked_out(error: OperationalError) -> bool:
    """Tell whether a lock could not be had in its time."""
    return isinstance(error.__cause__, psycopg.errors.LockNotAvailable)
