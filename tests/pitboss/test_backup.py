"""A backup brings the whole floor back, provably as it was, and never brings a key along."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import environ
import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, connections
from psycopg import sql

from pitboss.embedded.servers import create_database
from pitboss.keys import Keys
from pitboss.models import JournalEntry, Property, Slip
from pitboss.rules.refusal import Refused
from pitboss.services import backups, house, postgres_tools, seals
from pitboss.services.backups import back_up, restore
from pitboss.services.verification import Wrong, verify
from tests.databases import as_superuser, database_url
from tests.floor.cast import Cast, everything
from tests.full_disks import room_for

pytestmark = pytest.mark.django_db(transaction=True)

# What a restore adds to what was: the entry that says so, and how guards are worded now.
THE_RESTORE = frozenset(
    {
        "pitboss.GuardSheet",
        "pitboss.JournalChain",
        "pitboss.JournalEntry",
        "pitboss.JournalSeal",
        "sessions.Session",
    }
)


@pytest.fixture(autouse=True)
def seal_file(settings: Any, tmp_path: Path) -> Path:
    settings.SEAL_FILE = tmp_path / "seals" / "seals.log"
    return Path(settings.SEAL_FILE)


@pytest.fixture
def new_database(worker_id: str) -> Iterator[str]:
    """Make a database as an operator would: owned by the owner, with nothing in it."""
    name = f"pitboss_{worker_id}_restored"
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    with as_superuser() as superuser:
        superuser.execute(drop)
        create_database(superuser, name)
    yield name
    connections.close_all()
    with as_superuser() as superuser:
        superuser.execute(drop)


def owner(name: str | None = None) -> str:
    return database_url("OWNER", name or str(connection.settings_dict["NAME"]))


def turn_to(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the site look at another database, as a new DATABASE_URL would."""
    connections.close_all()
    monkeypatch.setitem(connection.settings_dict, "NAME", name)


def signed_fill(cast: Cast) -> Slip:
    slip = cast.ask()
    cast.deliver(slip)
    seals.write_seal(now=house.now())
    return slip


def backed_up(tmp_path: Path) -> Path:
    archive = tmp_path / "pit.backup"
    back_up(target=archive, owner=owner())
    connections.close_all()
    return archive


def codes_of(archive: Path, *, to: str | None = None, over: bool = False) -> tuple[str, ...]:
    with pytest.raises(Refused) as caught:
        restore(source=archive, owner=owner(to), over=over)
    return caught.value.codes


def rewrite(archive: Path, name: str, content: bytes) -> None:
    """Put another content in the place of one member of an archive."""
    with tarfile.open(archive) as old:
        members = {m.name: old.extractfile(m).read() for m in old}  # type: ignore[union-attr]
    with tarfile.open(archive, "w") as new:
        for item, was in members.items():
            member = tarfile.TarInfo(item)
            now = content if item == name else was
            member.size = len(now)
            new.addfile(member, io.BytesIO(now))


def manifest_of(archive: Path) -> dict[str, Any]:
    with tarfile.open(archive) as tar:
        file = tar.extractfile("manifest.json")
        assert file is not None
        return dict(json.load(file))


def test_a_signed_fill_restored_into_a_new_database_verifies(
    cast: Cast,
    tmp_path: Path,
    seal_file: Path,
    new_database: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slip = signed_fill(cast)
    before = everything(THE_RESTORE)
    sealed = seal_file.read_bytes()
    entries = verify().entries
    archive = backed_up(tmp_path)
    seal_file.unlink()
    turn_to(new_database, monkeypatch)

    restored = restore(source=archive, owner=owner(), over=False)

    assert restored.seal_file_before is None
    assert everything(THE_RESTORE) == before
    assert Slip.objects.get(pk=slip.pk).status == "done"
    assert seal_file.read_bytes() == sealed
    report = verify()
    assert (report.findings, report.entries) == ([], entries + 1)
    last = JournalEntry.objects.get(kind="backup_restored")
    assert json.loads(last.text)["body"]["taken_at"] == manifest_of(archive)["taken_at"]
    # The floor goes on, under the same rights as before.
    cast.ask()
    with (
        pytest.raises(ProgrammingError, match="permission denied"),
        connection.cursor() as cursor,
    ):
        cursor.execute("DELETE FROM pitboss_signature")


def test_what_happened_since_a_backup_is_lost_when_it_is_restored_over(
    cast: Cast, tmp_path: Path, seal_file: Path
) -> None:
    signed_fill(cast)
    archive = backed_up(tmp_path)
    lost = cast.ask()
    seals.write_seal(now=house.now())
    newer = seal_file.read_bytes()
    connections.close_all()

    restored = restore(source=archive, owner=owner(), over=True)

    assert not Slip.objects.filter(pk=lost.pk).exists()
    assert verify().findings == []
    # What the newer file knew is kept beside.
    assert restored.seal_file_before is not None
    assert restored.seal_file_before.read_bytes() == newer


def test_nothing_of_a_newer_release_stays_behind(cast: Cast, tmp_path: Path) -> None:
    archive = backed_up(tmp_path)
    with psycopg.connect(owner(), autocommit=True) as database:
        database.execute("CREATE TABLE newer (slip bigint REFERENCES pitboss_slip)")
        database.execute("CREATE VIEW newer_view AS SELECT id FROM pitboss_slip")
        database.execute("CREATE FUNCTION newer() RETURNS int LANGUAGE sql AS 'SELECT 1'")

    restore(source=archive, owner=owner(), over=True)

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relname LIKE 'newer%' "
            "UNION ALL SELECT proname FROM pg_proc WHERE proname LIKE 'newer%'"
        )
        assert cursor.fetchall() == []


def test_a_seal_that_the_file_lacked_is_in_the_backup_and_in_the_file_again(
    cast: Cast, tmp_path: Path, seal_file: Path
) -> None:
    signed_fill(cast)
    with room_for(seal_file):
        cast.ask()
        seals.write_seal(now=house.now())
    assert len(seal_file.read_text().splitlines()) == 1

    restore(source=backed_up(tmp_path), owner=owner(), over=True)

    assert len(seal_file.read_text().splitlines()) == 2
    assert verify().findings == []


def test_a_row_altered_before_the_backup_is_found_after_the_restore(
    cast: Cast, tmp_path: Path
) -> None:
    slip = signed_fill(cast)
    with psycopg.connect(owner(), autocommit=True) as database:
        database.execute("ALTER TABLE pitboss_slip DISABLE TRIGGER USER")
        database.execute("UPDATE pitboss_slip SET number = number + 1 WHERE id = %s", [slip.pk])
        database.execute("ALTER TABLE pitboss_slip ENABLE TRIGGER USER")

    restore(source=backed_up(tmp_path), owner=owner(), over=True)

    assert Wrong.ROW_CHANGED in {finding.code for finding in verify().findings}


def test_the_seal_file_comes_from_the_backup_and_not_from_the_database(
    cast: Cast, tmp_path: Path, seal_file: Path
) -> None:
    signed_fill(cast)
    with psycopg.connect(owner(), autocommit=True) as database:
        database.execute("ALTER TABLE pitboss_journalseal DISABLE TRIGGER USER")
        database.execute("UPDATE pitboss_journalseal SET text = replace(text, 'cage', 'cave')")
        database.execute("ALTER TABLE pitboss_journalseal ENABLE TRIGGER USER")
    archive = backed_up(tmp_path)
    seal_file.unlink()

    restore(source=archive, owner=owner(), over=True)

    assert [finding.code for finding in verify().findings] == [Wrong.SEAL_FILE_DIFFERS]


def test_a_database_with_a_property_is_not_overwritten_unasked(cast: Cast, tmp_path: Path) -> None:
    archive = backed_up(tmp_path)
    before = everything(frozenset())
    connections.close_all()

    assert codes_of(archive) == ("property_exists",)
    assert everything(frozenset()) == before


def test_a_running_site_is_not_pulled_away_from_under_the_floor(cast: Cast, tmp_path: Path) -> None:
    archive = backed_up(tmp_path)
    with psycopg.connect(database_url("", str(connection.settings_dict["NAME"]))):
        assert codes_of(archive, over=True) == ("site_running",)


def test_a_database_of_something_else_is_left_alone(
    cast: Cast, tmp_path: Path, new_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = backed_up(tmp_path)
    turn_to(new_database, monkeypatch)
    with psycopg.connect(owner(), autocommit=True) as database:
        database.execute("CREATE TABLE payroll (id int)")

    assert codes_of(archive, over=True) == ("not_pitboss",)


def test_owner_and_site_must_mean_one_database(
    cast: Cast, tmp_path: Path, new_database: str
) -> None:
    archive = backed_up(tmp_path)

    assert codes_of(archive, to=new_database, over=True) == ("other_database",)
    with pytest.raises(Refused) as caught:
        back_up(target=tmp_path / "second", owner=owner(new_database))
    assert caught.value.codes == ("other_database",)
    assert not (tmp_path / "second").exists()


@pytest.mark.parametrize("role", ["", "SUPERUSER"])
def test_whoever_is_not_the_owner_neither_backs_up_nor_restores(
    cast: Cast, tmp_path: Path, role: str
) -> None:
    archive = backed_up(tmp_path)
    url = database_url(role, str(connection.settings_dict["NAME"]))
    with pytest.raises(Refused, match="belong to pitboss_owner") as caught:
        back_up(target=tmp_path / "other.backup", owner=url)
    assert caught.value.codes == ("not_the_owner",)
    assert not (tmp_path / "other.backup").exists()
    connections.close_all()
    with pytest.raises(Refused) as caught:
        restore(source=archive, owner=url, over=True)
    assert caught.value.codes == ("not_the_owner",)
    assert Property.objects.exists()


def test_other_keys_and_another_release_are_refused_together(
    cast: Cast, tmp_path: Path, settings: Any
) -> None:
    archive = backed_up(tmp_path)
    manifest = manifest_of(archive)
    manifest["migrations"].append("pitboss.9999_from_the_future")
    rewrite(archive, "manifest.json", json.dumps(manifest).encode())
    settings.KEYS = Keys.load(environ.Env(), tmp_path / "other", required=False)

    assert codes_of(archive, over=True) == ("other_release", "keys_differ")


@pytest.mark.parametrize("member", ["database.dump", "seals.log"])
def test_a_damaged_archive_is_refused(cast: Cast, tmp_path: Path, member: str) -> None:
    signed_fill(cast)
    archive = backed_up(tmp_path)
    rewrite(archive, member, b"half of it")

    assert codes_of(archive, over=True) == ("damaged",)


def test_half_an_archive_or_none_is_refused(cast: Cast, tmp_path: Path) -> None:
    archive = backed_up(tmp_path)
    content = archive.read_bytes()
    archive.write_bytes(content[: len(content) // 2])

    assert codes_of(archive, over=True) == ("not_a_backup",)
    assert codes_of(tmp_path / "nowhere", over=True) == ("file_missing",)


def test_a_restore_that_fails_half_way_changes_nothing(
    cast: Cast, tmp_path: Path, seal_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_fill(cast)
    archive = backed_up(tmp_path)
    before, sealed = everything(frozenset()), seal_file.read_bytes()
    connections.close_all()
    monkeypatch.setattr(backups, "EMPTY", f"{backups.EMPTY} SELECT 1 / 0;")

    assert codes_of(archive, over=True) == ("tool_failed",)
    assert everything(frozenset()) == before
    assert seal_file.read_bytes() == sealed


def test_an_empty_database_is_no_backup(tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        back_up(target=tmp_path / "pit.backup", owner=owner())

    assert caught.value.codes == ("no_property",)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_never_overwritten(cast: Cast, tmp_path: Path) -> None:
    archive = tmp_path / "pit.backup"
    archive.write_text("yesterday's")

    for target, code in ((archive, "file_exists"), (tmp_path / "no" / "x", "file_impossible")):
        with pytest.raises(Refused) as caught:
            back_up(target=target, owner=owner())
        assert caught.value.codes == (code,)
    assert archive.read_text() == "yesterday's"


def test_no_programs_as_new_as_the_server_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused, match="PostgreSQL 99"):
        postgres_tools.tools_for(99)


def test_no_backup_holds_a_key(cast: Cast, tmp_path: Path, settings: Any) -> None:
    archive = backed_up(tmp_path)

    assert archive.stat().st_mode & 0o777 == 0o600
    with tarfile.open(archive) as tar:
        assert tar.getnames() == ["manifest.json", "database.dump", "seals.log"]
    content = archive.read_bytes()
    for text in settings.KEYS.as_files().values():
        for line in text.split():
            assert line.rpartition(":")[2].encode() not in content


def test_the_keys_are_written_apart_and_are_the_key_folder_again(
    tmp_path: Path, settings: Any
) -> None:
    target = tmp_path / "keys.tar"
    call_command("backup_keys", target, stdout=io.StringIO())

    assert target.stat().st_mode & 0o777 == 0o600
    with tarfile.open(target) as tar:
        tar.extractall(tmp_path / "keys", filter="data")
    assert Keys.load(environ.Env(), tmp_path / "keys", required=True) == settings.KEYS
    with pytest.raises(CommandError, match="already exists"):
        call_command("backup_keys", target)


def test_the_commands_back_up_and_restore_and_say_so(
    cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_fill(cast)
    archive = tmp_path / "pit.backup"
    said = io.StringIO()
    monkeypatch.setenv("PITBOSS_OWNER_DATABASE_URL", owner())
    call_command("backup", archive, stdout=said)
    cast.ask()
    seals.write_seal(now=house.now())
    connections.close_all()
    with pytest.raises(CommandError, match="--over"):
        call_command("restore", archive)
    call_command("restore", archive, "--over", stdout=said)

    assert Property.objects.get().name == "The Test House"
    assert "The keys are not in it." in said.getvalue()
    assert "Now run manage.py verify_journal." in said.getvalue()
    assert "seals.log.before-" in said.getvalue()


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_the_commands_ask_for_the_owner(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PITBOSS_OWNER_DATABASE_URL")
    with pytest.raises(CommandError, match="Set PITBOSS_OWNER_DATABASE_URL"):
        call_command(command, tmp_path / "pit.backup")
