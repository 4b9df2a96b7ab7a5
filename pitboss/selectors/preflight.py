"""What would be refused, or go wrong, if this release started here now. It changes nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.checks import WARNING, run_checks
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from redis import Redis, RedisError

from pitboss.postgres.base import OLDEST, ServerTooOld
from pitboss.rates import address_of
from pitboss.services.clock import OFF_SECONDS_MAX, seconds_off
from pitboss.standby import find_standby, has_standby, is_read

NEWEST = 18
MUST_BE_ON = ("fsync", "full_page_writes")
LOSES = "It is off, so a power cut loses what was signed. Turn it on."


@dataclass(frozen=True, slots=True)
class PreflightFinding:
    """One thing that was looked at, and what is wrong with it, if anything."""

    what: str
    wrong: str = ""
    # It would be refused; else it starts, and someone should know.
    is_refusal: bool = True


def preflight() -> Iterator[PreflightFinding]:
    """Yield each thing that is looked at, in the order in which a start would meet it."""
    yield from _settings()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except ServerTooOld as old:
        yield PreflightFinding("PostgreSQL", str(old))
        return
    except Error as error:
        yield PreflightFinding("Database", f"It doesn’t answer: {str(error).strip()}")
        return
    yield from _server()
    yield from _role()
    yield from _replication()
    yield from _read_address()
    yield from _migrations()
    yield from _clock()
    yield from _broker()
    yield from _seal_file()


def _settings() -> Iterator[PreflightFinding]:
    found = [
        check
        for check in run_checks(include_deployment_checks=settings.PITBOSS_ENV == "production")
        if check.level >= WARNING and not check.is_silenced()
    ]
    yield PreflightFinding("Settings")
    for item in found:
        yield PreflightFinding("Settings", item.msg, is_refusal=item.is_serious())


def _server() -> Iterator[PreflightFinding]:
    version = int(_setting("server_version_num")) // 10_000
    words = f"PostgreSQL {version}"
    if version > NEWEST:
        yield PreflightFinding(
            words, f"Pitboss is tested on {OLDEST} to {NEWEST}.", is_refusal=False
        )
    else:
        yield PreflightFinding(words)
    for name in MUST_BE_ON:
        if _setting(name) != "on":
            yield PreflightFinding(name, LOSES)
    limit = _setting("statement_timeout") if settings.TRANSACTION_POOLING else "set"
    if limit == "0":
        yield PreflightFinding(
            words, "The pooler sets no limits. Add connect_query, or no node is ready."
        )


def _role() -> Iterator[PreflightFinding]:
    is_super, owns = _row(
        "SELECT rolsuper, (SELECT count(*) FROM pg_class WHERE relowner = pg_roles.oid)"
        " FROM pg_roles WHERE rolname = current_user"
    )
    wrong = ""
    if is_super:
        wrong = "DATABASE_URL signs in as a superuser, who can change what is signed."
    elif owns:
        wrong = "DATABASE_URL signs in as the owner of the tables. Use the site’s own role."
    yield PreflightFinding("Role of the site", wrong)


def _replication() -> Iterator[PreflightFinding]:
    several = "," in str(connection.settings_dict["HOST"])
    standbys = _setting("synchronous_standby_names")
    if several and not standbys:
        yield PreflightFinding(
            "Replication",
            "No standby must confirm what is signed: losing the primary would lose it. "
            "Set synchronous_mode: quorum in Patroni.",
        )
    elif several and _setting("synchronous_commit") not in ("on", "remote_apply"):
        yield PreflightFinding(
            "Replication", "synchronous_commit isn’t on: standbys aren’t waited for."
        )
    else:
        yield PreflightFinding(f"Replication ({standbys or 'one server'})")


def _read_address() -> Iterator[PreflightFinding]:
    """Look at where reports are read. Without it they are read from the primary."""
    if not has_standby():
        return
    state = find_standby()
    if state.is_elsewhere:
        yield PreflightFinding("DATABASE_READ_URL", state.why)
    elif state.why:
        yield PreflightFinding("DATABASE_READ_URL", state.why, is_refusal=False)
    elif not is_read(state):
        late = f"The standby is {state.behind_seconds:.0f} s behind, so the primary is read."
        yield PreflightFinding("DATABASE_READ_URL", late, is_refusal=False)
    else:
        yield PreflightFinding(f"DATABASE_READ_URL ({state.behind_seconds:.1f} s behind)")


def _migrations() -> Iterator[PreflightFinding]:
    executor = MigrationExecutor(connection)
    loader = executor.loader
    missing = [
        f"{app}.{name}"
        for app, name in loader.graph.nodes
        if (app, name) not in loader.applied_migrations
    ]
    unknown = [
        f"{app}.{name}"
        for app, name in loader.applied_migrations.keys() - loader.graph.nodes.keys()
    ]
    if missing:
        yield PreflightFinding(
            "Schema", f"{len(missing)} migrations are missing. Run migrate as the owner."
        )
    if unknown:
        yield PreflightFinding(
            "Schema",
            f"The database has migrations of a newer release ({', '.join(sorted(unknown)[:3])}). "
            "Install that release.",
        )
    if not missing and not unknown:
        yield PreflightFinding("Schema")


def _clock() -> Iterator[PreflightFinding]:
    before = time.time()
    (told,) = _row("SELECT EXTRACT(epoch FROM clock_timestamp())::float8")
    off = seconds_off(before, told, time.time())
    wrong = f"It is {off:.0f} s off the database’s. No one can sign. Start NTP."
    yield PreflightFinding("Clock", wrong if off > OFF_SECONDS_MAX else "")


def _broker() -> Iterator[PreflightFinding]:
    broker = Redis.from_url(
        address_of(settings.BROKER_URL), socket_connect_timeout=2, socket_timeout=2
    )
    try:
        told: Any = broker.info("memory")
        policy = told.get("maxmemory_policy", "noeviction")
        wrong = "" if policy == "noeviction" else "Set maxmemory-policy to noeviction."
        yield PreflightFinding("Redis", wrong, is_refusal=False)
    except (RedisError, ValueError) as error:
        wrong = f"It doesn’t answer ({type(error).__name__}). Nothing is sealed until it does."
        yield PreflightFinding("Redis", wrong, is_refusal=False)
    finally:
        broker.close()


def _seal_file() -> Iterator[PreflightFinding]:
    folder = settings.SEAL_FILE.parent
    place = next(
        parent for parent in (settings.SEAL_FILE, folder, *folder.parents) if parent.exists()
    )
    wrong = "" if os.access(place, os.W_OK) else f"{place} can’t be written to by this account."
    yield PreflightFinding("Seal file", wrong, is_refusal=False)


def _setting(name: str) -> str:
    return str(_row("SELECT current_setting(%s)", name)[0])


def _row(question: str, *values: str) -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute(question, values)
        row: tuple[Any, ...] = cursor.fetchone()
    return row
