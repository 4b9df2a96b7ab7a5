"""Faults between the site of a test and its servers, and what holds them open."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from django.db import connection, connections

from tests.databases import as_superuser, database_url
from tests.faulty_proxy import FaultyProxy

__all__ = ["as_superuser", "database_proxy", "held", "own_database"]


def own_database() -> psycopg.Connection[tuple[Any, ...]]:
    """Connect past every fault to the database of this test, as one who may do anything."""
    return psycopg.connect(
        database_url("SUPERUSER", str(connection.settings_dict["NAME"])), autocommit=True
    )


@contextmanager
def held(statement: str, *values: object) -> Iterator[None]:
    """Hold what a statement locks in a transaction of somebody else."""
    with own_database() as other, other.transaction():
        other.execute(statement, values)
        yield


@pytest.fixture
def database_proxy(transactional_db: None) -> Iterator[FaultyProxy]:
    """Let the site reach its database only through a proxy that can fail."""
    sockets = parse_qs(urlsplit(os.environ["DATABASE_URL"]).query)["host"][0]
    settings = connection.settings_dict
    with (
        FaultyProxy(Path(sockets) / ".s.PGSQL.5432") as proxy,
        pytest.MonkeyPatch.context() as set_,
    ):
        connections.close_all()
        set_.setitem(settings, "HOST", "127.0.0.1")
        set_.setitem(settings, "PORT", str(proxy.port))
        yield proxy
        proxy.heal()
        connections.close_all()
