"""Which server the site talks to: one of several that takes writes, and none below the floor."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection, connections, transaction
from django.db.backends.base import base as django_base

from pitboss.database_address import read_address
from pitboss.embedded.servers import OWNER, SITE, create_database
from pitboss.models import Attempt
from pitboss.models.plain import in_one_trip, inserting, read_prepared
from pitboss.postgres import base
from pitboss.services import house
from tests.databases import PROJECT, as_superuser

SEVERAL = "postgresql://site:p%40w@10.0.0.1:5432,10.0.0.2/pit?target_session_attrs=read-write"
DEBIAN = Path("/usr/lib/postgresql/15/bin")


def test_several_servers_are_read_as_libpq_reads_them() -> None:
    read = read_address(SEVERAL)
    assert (read["HOST"], read["PORT"]) == ("10.0.0.1,10.0.0.2", "5432,")
    assert (read["NAME"], read["USER"], read["PASSWORD"]) == ("pit", "site", "p@w")
    assert read["OPTIONS"] == {"target_session_attrs": "read-write"}


@pytest.mark.parametrize(
    ("url", "says"),
    [
        (SEVERAL.partition("?")[0], "target_session_attrs=read-write"),
        (SEVERAL.replace("read-write", "any"), "target_session_attrs=read-write"),
        ("mysql://site@host/pit", "must begin with"),
        ("postgresql://site:se%cret@host/pit", "cannot be read"),
        ("postgresql://site:se%20cret@host/pit?colour=red", "cannot be read"),
    ],
)
def test_an_address_that_makes_no_sense_is_refused_without_its_password(
    url: str, says: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=says) as caught:
        read_address(url)
    assert "cret" not in str(caught.value)


def test_several_servers_to_read_from_are_standbys() -> None:
    reads = SEVERAL.replace("read-write", "standby")
    assert read_address(reads, "DATABASE_READ_URL")["OPTIONS"] == {
        "target_session_attrs": "standby"
    }
    for wrong in (SEVERAL, SEVERAL.replace("read-write", "prefer-standby")):
        with pytest.raises(ImproperlyConfigured, match="DATABASE_READ_URL names several"):
            read_address(wrong, "DATABASE_READ_URL")
    with pytest.raises(ImproperlyConfigured, match="DATABASE_READ_URL must begin with"):
        read_address("10.0.0.1", "DATABASE_READ_URL")


SETTINGS = """
from django.conf import settings
there = settings.DATABASES["standby"]
print(there["HOST"], there["OPTIONS"].get("options", "").rpartition(" ")[2],
      there["OPTIONS"]["target_session_attrs"], settings.READ_LAG_SECONDS)
"""


@pytest.mark.parametrize(
    ("pooled", "reads"), [("false", "default_transaction_read_only=on"), ("true", "")]
)
def test_a_session_that_reads_from_a_standby_asks_for_no_writes(pooled: str, reads: str) -> None:
    environ = os.environ | {
        "DJANGO_SETTINGS_MODULE": "pitboss.settings",
        "DATABASE_READ_URL": SEVERAL.replace("read-write", "standby"),
        "PITBOSS_TRANSACTION_POOLING": pooled,
        "PITBOSS_READ_LAG_SECONDS": "7",
    }
    done = subprocess.run(
        [sys.executable, "-c", SETTINGS],
        cwd=PROJECT,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"10.0.0.1,10.0.0.2 {reads} standby 7\n"


def several() -> dict[str, str]:
    """Return this run's server behind one that is not there, as a DATABASE_URL of two has them."""
    place = parse_qs(urlsplit(os.environ["DATABASE_URL"]).query)["host"][0]
    return {"HOST": f"127.0.0.1,{place}", "PORT": "1,"}


@pytest.mark.django_db(transaction=True)
def test_the_server_that_is_away_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    connections.close_all()
    for name, value in several().items():
        monkeypatch.setitem(connection.settings_dict, name, value)
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "target_session_attrs", "read-write")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_is_in_recovery()")
        assert cursor.fetchone() == (False,)
    assert connection.is_usable()
    connection.connection.close()
    assert not connection.is_usable()
    connections.close_all()


@pytest.fixture
def kept() -> Iterator[int]:
    """Return the server process of a connection that was kept from an earlier request."""
    here: Any = connection
    here.ensure_connection()
    here.health_check_enabled, here.health_check_done = True, False
    yield here.connection.info.backend_pid
    connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_a_kept_connection_is_proved_by_what_it_reads_first(kept: int) -> None:
    with patch_usable() as asked:
        assert read_prepared("SELECT pg_backend_pid()", []) == (kept,)
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    assert asked == []


@pytest.mark.django_db(transaction=True)
def test_what_a_kept_connection_does_not_answer_is_read_on_a_new_one(kept: int) -> None:
    with as_superuser() as other:
        other.execute("SELECT pg_terminate_backend(%s)", [kept])
    row = read_prepared("SELECT pg_backend_pid()", [])
    assert row is not None
    assert row[0] != kept


@pytest.mark.django_db(transaction=True)
def test_of_several_servers_a_kept_connection_is_asked_whether_it_still_writes(
    kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "target_session_attrs", "read-write")
    with patch_usable() as asked:
        assert read_prepared("SELECT pg_backend_pid()", []) == (kept,)
    assert asked == [True]


@contextmanager
def patch_usable() -> Iterator[list[bool]]:
    """Write down what a connection answers when it is asked whether it can be used."""
    asked: list[bool] = []
    usable = connection.is_usable

    def noted() -> bool:
        asked.append(usable())
        return asked[-1]

    connection.is_usable = noted  # type: ignore[method-assign]
    try:
        yield asked
    finally:
        del connection.is_usable


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_undone", [False, True])
def test_a_transaction_begins_with_its_first_statements_and_ends_whole(is_undone: bool) -> None:
    attempt = Attempt(badge="1001", kind=Attempt.Kind.PIN, at=house.now())
    for _ in range(2):
        with transaction.atomic():
            _, first = in_one_trip(inserting(attempt), ("SELECT txid_current()", ()))
            (second,) = in_one_trip(("SELECT txid_current()", ()))
            assert first == second, "both are of one transaction"
            transaction.set_rollback(is_undone)
    assert Attempt.objects.count() == (0 if is_undone else 2)


class Undone(Exception):
    """What rolls a transaction back."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(("SELECT %s", ["\x00"]), id="never sent"),
        pytest.param(("SELECT FROM WHERE", []), id="not read"),
        pytest.param(("SELECT 1 / 0", []), id="failed"),
    ],
)
def test_a_first_statement_that_fails_leaves_no_write_outside_the_transaction(
    wrong: tuple[str, list[Any]],
) -> None:
    attempt = Attempt(badge="1001", kind=Attempt.Kind.PIN, at=house.now())
    with suppress(Undone), transaction.atomic():
        with pytest.raises((DatabaseError, ValueError)):
            in_one_trip(wrong)
        with suppress(DatabaseError):
            in_one_trip(inserting(attempt))
        raise Undone
    assert not Attempt.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_server_below_the_floor_is_refused_by_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connections.close_all()
    monkeypatch.setattr(base, "OLDEST", 99)
    # Django looks at a server once in the life of a process.
    monkeypatch.setattr(django_base, "RAN_DB_VERSION_CHECK", set())
    with pytest.raises(SystemExit, match=r"PostgreSQL 99 or later: upgrade"):
        connection.ensure_connection()
    connections.close_all()


@contextmanager
def debian_postgres() -> Iterator[str]:
    """Start Debian's PostgreSQL 15 with both roles and a database; give its folder of sockets."""
    folder = Path(tempfile.mkdtemp(prefix="pitboss-15-"))
    account: dict[str, Any] = {}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    make: list[str | Path] = [
        DEBIAN / "initdb",
        "-D",
        folder / "data",
        "-U",
        "postgres",
        "--auth=trust",
    ]
    subprocess.run(
        [*make, "--encoding=UTF8", "--locale=C", "--no-sync"],
        check=True,
        capture_output=True,
        cwd=folder,
        **account,
    )
    serve: list[str | Path] = [DEBIAN / "postgres", "-D", folder / "data", "-k", folder, "-F"]
    server = subprocess.Popen(
        [*serve, "-c", "listen_addresses="],
        cwd=folder,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        **account,
    )
    try:
        asked: list[str | Path] = [DEBIAN / "pg_isready", "-h", folder]
        for _ in range(200):
            if subprocess.run(asked, capture_output=True, check=False).returncode == 0:
                break
            signal.sigtimedwait([], 0.05)
        url = f"postgresql://postgres@/postgres?host={folder}"
        with psycopg.connect(url, autocommit=True) as superuser:
            superuser.execute(f"CREATE ROLE {OWNER} LOGIN")
            superuser.execute(f"CREATE ROLE {SITE} LOGIN")
            create_database(superuser, "pitboss")
        yield str(folder)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)
        shutil.rmtree(folder)


LIMITS = """
import sys
sys.argv = ["web"]
import django; django.setup()
from django.db import connection
from django.http import HttpResponse
from pitboss.patience import patient_view
from pitboss.services.verification.snapshot import open_snapshot
def limits(*_):
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout')")
        return HttpResponse(cursor.fetchone()[0])
print(limits().text, patient_view(limits)().text, limits().text, connection.pg_version // 10_000)
with open_snapshot():
    pass
"""


@pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's PostgreSQL 15 is not installed")
def test_the_oldest_postgresql_takes_every_migration_and_every_limit() -> None:
    with debian_postgres() as folder:
        environ = os.environ | {"DJANGO_SETTINGS_MODULE": "pitboss.settings"}
        for role, command, said in (
            (OWNER, ["manage.py", "migrate", "--verbosity=0"], ""),
            (SITE, ["-c", LIMITS], "10s 1min 10s 15\n"),
        ):
            done = subprocess.run(
                [sys.executable, *command],
                cwd=PROJECT,
                env=environ | {"DATABASE_URL": f"postgresql://{role}@/pitboss?host={folder}"},
                capture_output=True,
                text=True,
                check=False,
            )
            assert (done.returncode, done.stdout) == (0, said), done.stderr[-2000:]
