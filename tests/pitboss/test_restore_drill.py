"""A restore is tried before it is needed, and never on the house's own database."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from pitboss.models import Slip
from pitboss.services.restore_drill import DRILL_VARIABLE
from tests.floor.cast import Cast
from tests.pitboss.test_backup import (
    backed_up,
    new_database,
    owner,
    rewrite,
    seal_file,
    signed_fill,
)
from tests.tampering import tamper

__all__ = ["new_database", "seal_file"]
pytestmark = pytest.mark.django_db(transaction=True)


def drilled(archive: Path) -> str:
    said = StringIO()
    call_command("restore_drill", archive, stdout=said)
    return said.getvalue()


def tables_in(name: str) -> int:
    with psycopg.connect(owner(name)) as scratch:
        return scratch.execute(
            "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        ).rowcount


def test_a_backup_is_restored_verified_and_removed_while_the_floor_is_open(
    cast: Cast, tmp_path: Path, new_database: str, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    signed_fill(cast)
    archive = backed_up(tmp_path)
    slips = Slip.objects.count()
    sealed = settings.SEAL_FILE.read_bytes()
    monkeypatch.setenv(DRILL_VARIABLE, owner(new_database))
    said = drilled(archive)
    assert "The drill passed." in said
    assert f"{slips:,} slips" in said
    assert ": all as written." in said
    assert tables_in(new_database) == 0
    assert (Slip.objects.count(), settings.SEAL_FILE.read_bytes()) == (slips, sealed)
    cast.ask()


def test_a_backup_of_an_altered_record_fails_its_drill(
    cast: Cast,
    tmp_path: Path,
    new_database: str,
    monkeypatch: pytest.MonkeyPatch,
    owner_connection: psycopg.Connection[Any],
) -> None:
    slip = signed_fill(cast)
    change = "UPDATE pitboss_signature SET reason = 'another' WHERE slip_id = %s"
    tamper(owner_connection, "pitboss_signature", change, [slip.pk])
    owner_connection.close()
    archive = backed_up(tmp_path)
    monkeypatch.setenv(DRILL_VARIABLE, owner(new_database))
    said = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("restore_drill", archive, stdout=said)
    assert ended.value.code == 1
    assert "The drill failed. Don’t rely on this backup." in said.getvalue()
    assert tables_in(new_database) == 0


def test_a_drill_touches_nothing_but_an_empty_scratch_database(
    cast: Cast, tmp_path: Path, new_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_fill(cast)
    archive = backed_up(tmp_path)
    monkeypatch.delenv(DRILL_VARIABLE, raising=False)
    with pytest.raises(CommandError, match="scratch database"):
        drilled(archive)
    monkeypatch.setenv(DRILL_VARIABLE, owner(str(connection.settings_dict["NAME"])))
    with pytest.raises(CommandError, match="isn’t empty"):
        drilled(archive)
    monkeypatch.setenv(DRILL_VARIABLE, owner(new_database))
    rewrite(archive, "database.dump", b"nothing")
    with pytest.raises(CommandError, match="can’t be restored"):
        drilled(archive)
    assert tables_in(new_database) == 0
