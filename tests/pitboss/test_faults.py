"""The database fails: what people and programs are told then is true, and comes in time."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import psycopg
import pytest
from django.db import close_old_connections, connection
from django.test import Client

from pitboss.models import JournalEntry, Signature, Slip
from pitboss.patience import patient
from pitboss.rules.refusal import Refused
from pitboss.timeouts import PATIENCE, connection_options, process_kind
from tables.models import Round
from tests.faults import as_superuser, held, own_database
from tests.faulty_proxy import FaultyProxy
from tests.floor.cast import Cast
from tests.floor.tablets import signed_in, signing, words
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = pytest.mark.django_db(transaction=True)

TRAY = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
Fault = Callable[[FaultyProxy], None]


@pytest.fixture
def terminal(cast: Cast) -> TerminalClient:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    terminal = TerminalClient(make_terminal(cast.table))
    terminal.client.raise_request_exception = False
    return terminal


@pytest.fixture
def tablet_of_alice(cast: Cast) -> Client:
    client = signed_in(cast.alice, cast)
    client.raise_request_exception = False
    return client


def is_hung(proxy: FaultyProxy) -> None:
    proxy.hang()


def is_dropped(proxy: FaultyProxy) -> None:
    proxy.drop()


def heal(proxy: FaultyProxy) -> None:
    """Let the database answer, and begin a request as a server does: a test's client does not."""
    proxy.heal()
    close_old_connections()


def is_told(answer: Any, code: str) -> None:
    """Assert that a program was told of a fault as it is told of everything."""
    assert answer.status_code == 503
    assert answer["Content-Type"] == "application/problem+json"
    assert int(answer["Retry-After"]) > 0
    document = answer.json()
    assert document["status"] == 503
    assert [refusal["code"] for refusal in document["refusals"]] == [code]


@contextmanager
def read_only() -> Iterator[None]:
    """Let the database take nothing, as a standby does, or a primary that was told to."""
    name = connection.settings_dict["NAME"]
    with as_superuser() as superuser:
        superuser.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    connection.close()
    try:
        yield
    finally:
        with as_superuser() as superuser:
            superuser.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        connection.close()


# ------------------------------------------------------------------ the database is away


@pytest.mark.parametrize("fault", [is_hung, is_dropped])
def test_a_program_is_told_to_send_again_when_the_database_is_away(
    fault: Fault, database_proxy: FaultyProxy, terminal: TerminalClient
) -> None:
    fault(database_proxy)
    key = str(uuid4())
    for answer in (
        terminal.get("table"),
        terminal.get("rounds/1"),
        terminal.post("rounds", {}, key),
        Client(raise_request_exception=False).post(
            "/api/v1/enrol", {"code": "K7QM3XZ2"}, content_type="application/json"
        ),
    ):
        is_told(answer, "database_away")
    heal(database_proxy)
    assert terminal.post("rounds", {}, key).status_code == 201
    assert Round.objects.count() == 1


@pytest.mark.parametrize("fault", [is_hung, is_dropped])
def test_a_person_is_told_that_the_database_is_away_and_the_page_comes_back_by_itself(
    fault: Fault, database_proxy: FaultyProxy, cast: Cast, tablet_of_alice: Client
) -> None:
    fault(database_proxy)
    for path in (f"/board/{cast.pit.pk}/", f"/board/{cast.pit.pk}/poll?v=1", "/inbox/", "/login/"):
        answer = tablet_of_alice.get(path)
        assert answer.status_code == 503, path
        assert "The database does not answer." in words(answer)
        assert "signed" not in words(answer)
        assert answer["Refresh"] == answer["Retry-After"] == "5"
    heal(database_proxy)
    assert tablet_of_alice.get("/inbox/").status_code == 200


def test_a_server_that_stands_still_in_the_middle_of_a_statement_is_given_up(
    cast: Cast, tablet_of_alice: Client
) -> None:
    """Its kernel acknowledges all the same: no limit of TCP, and none of its own, would end it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    os.kill(backend, signal.SIGSTOP)
    try:
        page = tablet_of_alice.get("/inbox/")
        assert page.status_code == 503
        assert "The database does not answer." in words(page)
        # The next request takes another connection.
        close_old_connections()
        assert tablet_of_alice.get("/inbox/").status_code == 200
    finally:
        os.kill(backend, signal.SIGCONT)


def test_a_database_that_takes_nothing_signs_nothing_and_says_so(
    cast: Cast, terminal: TerminalClient
) -> None:
    with read_only():
        is_told(terminal.post("rounds", {}), "read_only")
    assert not Round.objects.exists()


# ------------------------------------------------------------------ a lock that cannot be had


def test_a_table_that_somebody_else_holds_is_named_and_the_same_form_signs_it_later(
    cast: Cast, tablet_of_alice: Client
) -> None:
    fill = cast.ask()
    cast.carry(fill)
    cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
    page = words(tablet_of_alice.get(f"/slips/{fill.serial}/"))
    form = signing(page, cast.alice)
    path = f"/slips/{fill.serial}/sign/main/received"
    with held("SELECT FROM pitboss_table WHERE id = %s FOR UPDATE", cast.table.pk):
        answer = tablet_of_alice.post(path, form)
    told = words(answer)
    assert answer.status_code == 409
    assert f"<b>{cast.table.name} is busy.</b> Try again." in told
    assert f'value="{form["request_id"]}"' in told
    assert not Signature.objects.filter(step="received").exists()
    refused = JournalEntry.objects.filter(kind="sign_refused").latest("pk")
    assert '"codes":["table_busy"]' in refused.text
    assert tablet_of_alice.post(path, form).status_code == 302
    assert Signature.objects.filter(step="received").count() == 1


def test_a_terminal_is_told_which_table_is_busy_and_when_to_try_again(
    cast: Cast, terminal: TerminalClient
) -> None:
    key = str(uuid4())
    with held("SELECT FROM pitboss_table WHERE id = %s FOR UPDATE", cast.table.pk):
        answer = terminal.post("rounds", {}, key)
    is_told(answer, "table_busy")
    assert answer.json()["detail"] == f"{cast.table.name} is busy. Try again."
    assert terminal.post("rounds", {}, key).status_code == 201


def test_the_journal_of_a_table_that_somebody_else_holds_is_named_too(cast: Cast) -> None:
    chain = f"table:{cast.table.pk}"
    with (
        held("SELECT FROM pitboss_journalchain WHERE name = %s FOR UPDATE", chain),
        pytest.raises(Refused, match=f"{cast.table.name} is busy"),
    ):
        cast.ask()
    assert not Slip.objects.exists()


def test_a_whole_table_of_the_database_that_is_locked_hangs_neither_page_nor_program(
    cast: Cast, terminal: TerminalClient, tablet_of_alice: Client
) -> None:
    with held("LOCK TABLE pitboss_table"):
        page = tablet_of_alice.get(f"/board/{cast.pit.pk}/")
        is_told(terminal.get("table"), "busy")
    assert page.status_code == 503
    assert "Pitboss is busy. Try again." in words(page)


# ------------------------------------------------------------------ the database's disk is full


# What a signature and a round write.
WRITTEN = ("pitboss_requestmark", "pitboss_journalentry", "tables_round")


@contextmanager
def small_disk() -> Iterator[Path]:
    """Let what is written lie on a disk of its own that holds very little."""
    account = Path(parse_qs(urlsplit(os.environ["DATABASE_URL"]).query)["host"][0]).stat()
    folder = Path(tempfile.mkdtemp(prefix="pitboss-small-"))
    options = f"size=4m,uid={account.st_uid},gid={account.st_gid},mode=0700"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
    # All databases of a run share the names of such places.
    place = f"small_{connection.settings_dict['NAME']}"
    with own_database() as superuser:
        superuser.execute(f"CREATE TABLESPACE {place} LOCATION '{folder}'")
        try:
            for table in WRITTEN:
                superuser.execute(f"ALTER TABLE {table} SET TABLESPACE {place}")
                # A page with a few rows takes no more: the next one needs room on the disk.
                superuser.execute(f"ALTER TABLE {table} SET (fillfactor = 10)")
            yield folder
        finally:
            for table in WRITTEN:
                superuser.execute(f"ALTER TABLE {table} SET TABLESPACE pg_default")
            superuser.execute(f"DROP TABLESPACE {place}")
            subprocess.run(["umount", "--lazy", folder], check=True)
            folder.rmdir()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a small disk")
def test_a_database_without_room_says_so_to_people_programs_and_health_and_goes_on_with_room(
    cast: Cast, terminal: TerminalClient, tablet_of_alice: Client
) -> None:
    fill = cast.ask()
    cast.carry(fill)
    cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
    form = signing(words(tablet_of_alice.get(f"/slips/{fill.serial}/")), cast.alice)
    path = f"/slips/{fill.serial}/sign/main/received"
    with small_disk() as disk:
        filler = disk / "filler"
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4096)):
                pass
        # The pages that the table has are full too: the next mark needs another.
        with own_database() as superuser, suppress(psycopg.errors.DiskFull):
            while True:
                superuser.execute(
                    "INSERT INTO pitboss_requestmark (request_id, is_given_up, at)"
                    " VALUES (gen_random_uuid(), true, now())"
                )
        key = str(uuid4())
        is_told(terminal.post("rounds", {}, key), "disk_full")
        answer = tablet_of_alice.post(path, form)
        assert answer.status_code == 503
        assert "The database has no room left." in words(answer)
        assert Client().get("/readyz").json()["signing"] == {"status": "down", "why": "disk_full"}
        assert Client().get("/healthz").json()["status"] == "down"
        # What is there is read all the same.
        assert tablet_of_alice.get(f"/board/{cast.pit.pk}/").status_code == 200
        filler.unlink()
        assert Client().get("/readyz").status_code == 200
        assert terminal.post("rounds", {}, key).status_code == 201
        assert tablet_of_alice.post(path, form).status_code == 302
    assert Signature.objects.filter(slip=fill, step="received").count() == 1


# ------------------------------------------------------------------ limits that hold


def test_every_connection_of_the_site_has_an_end_to_each_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = connection_options(PATIENCE["web"])
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "options", options["options"])
    connection.close()
    with connection.cursor() as cursor:
        for name, value in {
            "statement_timeout": "10s",
            "lock_timeout": "3s",
            "idle_in_transaction_session_timeout": "15s",
            "transaction_timeout": "30s",
        }.items():
            cursor.execute(f"SHOW {name}")
            assert cursor.fetchone() == (value,)
    parameters = connection.get_connection_params()
    assert parameters["connect_timeout"] == 3
    assert parameters["tcp_user_timeout"] == 8_000
    assert connection.connection.answer_seconds == 12
    connection.close()


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        ("/srv/.venv/bin/granian", "web"),
        ("/srv/.venv/bin/celery", "worker"),
        ("/srv/.venv/lib/python3.11/site-packages/celery/__main__.py", "worker"),
        ("manage.py", "command"),
        ("", "web"),
    ],
)
def test_a_process_is_as_patient_as_its_program(program: str, kind: str) -> None:
    assert process_kind(program) == kind


def test_a_report_may_take_longer_and_what_comes_after_it_may_not() -> None:
    with connection.cursor() as cursor:
        with patient():
            cursor.execute("SHOW statement_timeout")
            assert cursor.fetchone() == ("1min",)
            assert connection.connection.answer_seconds == 62
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("10s",)
        assert connection.connection.answer_seconds == 12


def test_this_test_reaches_the_database_past_every_fault(database_proxy: FaultyProxy) -> None:
    database_proxy.drop()
    with own_database() as other:
        assert other.execute("SELECT 1").fetchone() == (1,)
