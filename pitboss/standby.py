"""Read from a standby what only shows: reports, exports, replay, and the records.

A standby follows the primary by some milliseconds, or by hours when its line is cut. So it is asked
first how far it has come, what was read says of when it is, and the primary is read instead where
the standby does not answer or is too far behind: that is said too. What decides is read in a
transaction of the primary, and no transaction of the primary ever reads elsewhere.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

import psycopg
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS as PRIMARY
from django.db import Error, InterfaceError, OperationalError, connections
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from pitboss.timeouts import STANDBY, STILL_THERE_SECONDS

# A standby that did not answer is left alone for a while: every report would wait for it anew.
ASK_AGAIN_SECONDS = 15.0
# What was just signed is there in milliseconds. An idle floor would look far behind until then.
_CATCH_UP_TRIES, _CATCH_UP_SECONDS = 4, 0.05

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ReadFrom:
    """Where something was read, and of when it is."""

    as_of: datetime
    # By how many seconds the standby may be behind; none where the primary was read.
    behind_seconds: int | None
    # Why the primary was read.
    why: str = ""

    @property
    def is_standby(self) -> bool:
        return self.behind_seconds is not None

    def words(self, zone: ZoneInfo) -> str:
        """Say of when it is, by a clock.

        >>> at = datetime(2026, 11, 14, 21, 14, 5, tzinfo=ZoneInfo("UTC"))
        >>> ReadFrom(at, 2).words(ZoneInfo("UTC"))
        'As of 21:14:05, 2 s behind.'
        >>> ReadFrom(at, None, "The standby doesn’t answer.").words(ZoneInfo("UTC"))
        'The standby doesn’t answer. Read from the primary at 21:14:05.'
        """
        clock = f"{self.as_of.astimezone(zone):%H:%M:%S}"
        if self.behind_seconds is None:
            return f"{self.why} Read from the primary at {clock}."
        return f"As of {clock}, {self.behind_seconds} s behind."


@dataclass(frozen=True, slots=True)
class StandbyState:
    """How a standby was found: how far behind, or why it is not read."""

    as_of: datetime | None = None
    behind_seconds: float | None = None
    why: str = ""
    # It leads to another house's database: no one should start on that.
    is_elsewhere: bool = False


_read_from: ContextVar[ReadFrom | None] = ContextVar("read_from", default=None)


class StandbyRouter:
    """Sends to the standby what is read for a page that said so, and nothing else."""

    def db_for_read(self, model: type[Any], **hints: Any) -> str:
        return reading_alias()

    def db_for_write(self, model: type[Any], **hints: Any) -> str:
        return PRIMARY

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        """Allow it: rows of the standby are rows of the primary, some moments ago."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == PRIMARY


def has_standby() -> bool:
    """Tell whether this node was given an address to read from."""
    return STANDBY in connections.databases


def reading_alias() -> str:
    """Return which database is read here: the primary's wherever one of its transactions is on."""
    source = _read_from.get()
    if source is None or not source.is_standby or connections[PRIMARY].in_atomic_block:
        return PRIMARY
    return STANDBY


def reading_connection() -> Any:
    """Return the connection that is read by here, for what is asked in plain SQL."""
    return connections[reading_alias()]


def read_from() -> ReadFrom | None:
    """Return where this page is read; nothing where no address to read from is set."""
    return _read_from.get()


def from_standby(read: Callable[[], T]) -> T:
    """Return what was read from the standby or, where that cannot be, from the primary.

    It may be read twice: a standby may end what it is asked, or itself.
    """
    if not has_standby():
        return read()
    source = _choose()
    if source.is_standby:
        try:
            return _reading(source, read)
        except (OperationalError, InterfaceError) as error:
            # What takes too long there takes too long here.
            if isinstance(error.__cause__, psycopg.errors.QueryCanceled):
                raise
            connections[STANDBY].close()
        source = _primary("The standby stopped answering.")
    return _reading(source, read)


def reads_standby(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """Let a page that only shows read from the standby. It writes nothing: it may run twice."""

    @wraps(view)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return from_standby(lambda: view(*args, **kwargs))

    return wrapper


def rendered(answer: HttpResponse) -> HttpResponse:
    """Return an answer with its page made: one that is made later would read elsewhere."""
    render = getattr(answer, "render", None)
    return render() if callable(render) else answer


def is_only_read(request: HttpRequest) -> bool:
    """Tell whether a request asks for a page and nothing else."""
    return request.method in ("GET", "HEAD")


def _reading(source: ReadFrom, read: Callable[[], T]) -> T:
    token = _read_from.set(source)
    try:
        return read()
    finally:
        _read_from.reset(token)


def _choose() -> ReadFrom:
    state = find_standby()
    if state.why:
        return _primary(state.why)
    assert state.as_of is not None
    assert state.behind_seconds is not None
    behind = math.ceil(state.behind_seconds)
    if not is_read(state):
        return _primary(f"The standby is {behind} s behind.")
    return ReadFrom(state.as_of, behind)


def is_read(state: StandbyState) -> bool:
    """Tell whether a standby as it was found is read: it answers and is near enough."""
    behind = state.behind_seconds
    return behind is not None and behind <= settings.READ_LAG_SECONDS


def _primary(why: str) -> ReadFrom:
    return ReadFrom(timezone.now(), None, why)


_no_answer_until = 0.0

_OF_THE_PRIMARY = """
    SELECT pg_current_wal_lsn()::text, clock_timestamp(), system_identifier, current_database()
    FROM pg_control_system()
"""
_OF_THE_STANDBY = """
    SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn() >= %s::pg_lsn,
        pg_last_xact_replay_timestamp(), system_identifier, current_database()
    FROM pg_control_system()
"""


def find_standby() -> StandbyState:
    """Ask both how far each has come. Raises what the primary raises.

    A standby that has all that the primary had written is behind by nothing. Else it is behind by
    the age of the last commit that it knows: that may be more than is true, and is never less.
    """
    global _no_answer_until
    if time.monotonic() < _no_answer_until:
        return StandbyState(why="The standby doesn’t answer.")
    with connections[PRIMARY].cursor() as cursor:
        cursor.execute(_OF_THE_PRIMARY)
        written, now, *house = cursor.fetchone()
    try:
        told = _ask_standby(written)
    except Error:
        connections[STANDBY].close()
        _no_answer_until = time.monotonic() + ASK_AGAIN_SECONDS
        return StandbyState(why="The standby doesn’t answer.")
    is_standby, has_all, last, *its_house = told
    if its_house != house:
        return StandbyState(
            why="The address for reports leads to another database.", is_elsewhere=True
        )
    if not is_standby:
        return StandbyState(why="The address for reports leads to no standby.")
    if has_all:
        return StandbyState(now, 0.0)
    if last is None:
        return StandbyState(why="The standby can’t say how far it is behind.")
    return StandbyState(last, max(0.0, (now - last).total_seconds()))


def _ask_standby(written: str) -> tuple[Any, ...]:
    standby: Any = connections[STANDBY]
    standby.ensure_connection()
    with standby.connection.answering_within(STILL_THERE_SECONDS), standby.cursor() as cursor:
        for tries in range(_CATCH_UP_TRIES):
            if tries:
                time.sleep(_CATCH_UP_SECONDS)
            cursor.execute(_OF_THE_STANDBY, [written])
            row: tuple[Any, ...] = cursor.fetchone()
            if not row[0] or row[1]:
                break
    return row


def forget_silence() -> None:
    """Ask the standby at once the next time, as a process does that has just begun."""
    global _no_answer_until
    _no_answer_until = 0.0
