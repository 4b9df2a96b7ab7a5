"""More time for what reads a great deal: a report, an export. Acts never need it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import wraps
from typing import Any

from django.conf import settings
from django.db import Error, transaction
from django.http import HttpResponse

from pitboss.standby import reading_alias, reading_connection

LONG_SECONDS = 60


@contextmanager
def patient(seconds: int = LONG_SECONDS) -> Iterator[None]:
    """Let statements run longer for a while. A process that waits longer anyway goes on so.

    Behind a pooler it is one transaction: what is set for longer would meet other people's.
    """
    usual = settings.DATABASE_PATIENCE
    if not usual.statement or usual.statement >= seconds:
        yield
        return
    pooled = settings.TRANSACTION_POOLING
    connection = reading_connection()
    one = transaction.atomic(using=reading_alias()) if pooled else nullcontext()
    with one, _longer(connection, seconds, usual.answer):
        yield


@contextmanager
def _longer(connection: Any, seconds: int, usual_answer: int | None) -> Iterator[None]:
    connection.ensure_connection()
    before = _limits(connection)
    _limit(connection, f"{seconds}s", f"{3 * seconds}s" if before[1] is not None else None)
    # The server ends what is slow; only where it hangs does the wait end here.
    connection.connection.answer_seconds = seconds + 2
    try:
        yield
    finally:
        if connection.connection is not None:
            connection.connection.answer_seconds = usual_answer
            # A transaction that failed has forgotten the longer limits itself.
            with suppress(Error):
                _limit(connection, *before)


def patient_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let a page that reads a great deal take its time."""

    @wraps(view)
    def wrapper(*args: Any, **kwargs: Any) -> HttpResponse:
        with patient():
            return view(*args, **kwargs)

    return wrapper


def _limits(connection: Any) -> tuple[str, str | None]:
    """Return both limits; PostgreSQL before 17 has no second one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('statement_timeout'),"
            " current_setting('transaction_timeout', true)"
        )
        statement, transaction = cursor.fetchone()
    return statement, transaction


def _limit(connection: Any, statement: str, transaction: str | None) -> None:
    is_local = connection.in_atomic_block
    limits = {"statement_timeout": statement, "transaction_timeout": transaction}
    with connection.cursor() as cursor:
        for name, limit in limits.items():
            if limit is not None:
                cursor.execute("SELECT set_config(%s, %s, %s)", [name, limit, is_local])
