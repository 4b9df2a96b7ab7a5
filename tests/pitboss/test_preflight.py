"""Before a start: what would be refused is said, and nothing is changed."""

from __future__ import annotations

from io import StringIO
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder

from pitboss.postgres import base
from pitboss.selectors.preflight import LOSES, preflight
from tests.databases import database_url
from tests.floor.cast import Cast

pytestmark = pytest.mark.django_db(transaction=True)


def wrong() -> dict[str, str]:
    return {found.what: found.wrong for found in preflight() if found.wrong and found.is_refusal}


def test_a_node_that_can_start_is_told_so(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    # A throw-away database of tests has some of them off.
    monkeypatch.setattr("pitboss.selectors.preflight.MUST_BE_ON", ())
    said = StringIO()
    call_command("preflight", stdout=said)
    assert said.getvalue().endswith("Pitboss can start here.\n")
    assert "PostgreSQL 18" in said.getvalue()


def test_a_database_that_a_power_cut_would_break_is_refused() -> None:
    # As the throw-away server of these tests is.
    assert wrong() == {"fsync": LOSES, "full_page_writes": LOSES}
    with pytest.raises(SystemExit) as ended:
        call_command("preflight", stdout=StringIO())
    assert ended.value.code == 1


@pytest.mark.parametrize(("role", "says"), [("OWNER", "owner"), ("SUPERUSER", "superuser")])
def test_the_sites_own_role_is_asked_for(
    role: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pitboss.database_address import read_address

    address = read_address(database_url(role, str(connection.settings_dict["NAME"])))
    connections.close_all()
    for name in ("USER", "PASSWORD"):
        monkeypatch.setitem(connection.settings_dict, name, address[name])
    assert says in wrong()["Role of the site"]
    connections.close_all()


def test_a_schema_that_is_behind_or_ahead_is_refused(
    owner_connection: psycopg.Connection[Any],
) -> None:
    owner_connection.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    assert wrong()["Schema"].startswith("1 migrations are missing.")
    owner_connection.execute(
        "INSERT INTO django_migrations (app, name, applied)"
        " VALUES ('sessions', '0001_initial', now()), ('pitboss', '9999_later', now())"
    )
    assert "pitboss.9999_later" in wrong()["Schema"]
    assert MigrationRecorder.Migration.objects.filter(name="9999_later").exists()


def test_several_servers_without_a_quorum_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    connections.close_all()
    host = str(connection.settings_dict["HOST"])
    monkeypatch.setitem(connection.settings_dict, "HOST", f"{host},127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", ",1")
    assert "synchronous_mode: quorum" in wrong()["Replication"]
    connections.close_all()


def test_a_database_that_is_too_old_or_away_is_said_and_no_more(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    connections.close_all()
    monkeypatch.setattr(base, "OLDEST", 99)
    monkeypatch.setattr("django.db.backends.base.base.RAN_DB_VERSION_CHECK", set())
    assert "needs PostgreSQL 99" in wrong()["PostgreSQL"]
    monkeypatch.undo()
    connections.close_all()
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    assert wrong()["Database"].startswith("It doesn’t answer")
    connections.close_all()
