"""Back the property up into one file, and bring it back: the database and the seal file together.

Keys are never part of it: whoever finds a backup cannot forge what it holds. The archive is a tar
with a manifest, what pg_dump wrote, and the seal file as it was the moment before.
"""

from __future__ import annotations

import filecmp
import hashlib
import io
import json
import os
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import psycopg
from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader

from pitboss.durable import draft_of, sync, sync_folder
from pitboss.keys import Keys, key_mark
from pitboss.rules.canonical import canonical
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.services import guard_sheets, house, journal, seals
from pitboss.services.postgres_tools import run_tool, tools_for
from pitboss.services.seal_file import file_size

OWNER_VARIABLE = "PITBOSS_OWNER_DATABASE_URL"

Database = psycopg.Connection[tuple[Any, ...]]

_FORMAT = 1
_MANIFEST, _DUMP, _SEALS = "manifest.json", "database.dump", "seals.log"
_MANIFEST_BYTES_MAX = 1_000_000
_LEAVING_SECONDS = 5

# Everything in the schema goes, so that nothing of a newer release stays behind a restore. It runs
# in one transaction with the restore itself: that either happens whole or not at all.
EMPTY = """\
DO $$
DECLARE
    statement text;
BEGIN
    FOR statement IN
        SELECT format('DROP %s IF EXISTS %I.%I CASCADE',
                      CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
                                   WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
                      'public', relname)
        FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
        ORDER BY relkind = 'S'
    LOOP
        EXECUTE statement;
    END LOOP;
    FOR statement IN
        SELECT format('DROP ROUTINE %s CASCADE', oid::regprocedure)
        FROM pg_proc AS routine
        WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (
            SELECT FROM pg_depend
            WHERE classid = 'pg_proc'::regclass AND objid = routine.oid AND deptype = 'e')
    LOOP
        EXECUTE statement;
    END LOOP;
END
$$;
"""


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did: of when the backup is, and where the seal file before it was put."""

    taken_at: datetime
    seal_file_before: Path | None


def owner_url() -> str:
    """Return the owner's address of the database, which is given for one command and not kept."""
    url = os.environ.get(OWNER_VARIABLE, "")
    if not url:
        raise refuse(
            "owner_unknown",
            f"Set {OWNER_VARIABLE} to the address of the database as its owner. The "
            "site's own role can’t do this.",
        )
    return url


def back_up(*, target: Path, owner: str) -> int:
    """Write a new archive for its owner's eyes alone; return its size in bytes.

    The floor may go on meanwhile: the dump is of one moment.
    """
    with _connected(owner) as database, _new_file(target) as file:
        _refuse_other_database(database)
        _refuse_other_role(database)
        if not _has_property(database):
            raise refuse(
                "no_property", "This database has no property to back up. Check DATABASE_URL."
            )
        seals.append_missing_lines()
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as name:
            folder = Path(name)
            taken_at = house.now()
            with _one_moment(database, folder / _SEALS) as moment:
                run_tool(
                    tools_for(_server_major(database)) / "pg_dump",
                    *("--no-password", "--format=custom", f"--file={folder / _DUMP}"),
                    f"--snapshot={moment}",
                    # Anyone who was signed in signs in again; that is no record of the floor.
                    "--exclude-table-data=public.django_session",
                    url=owner,
                )
            _write_archive(file, folder, _manifest(folder, database, taken_at))
        sync(file)
        sync_folder(target.parent)
        return file.tell()


def restore(*, source: Path, owner: str, over: bool) -> Restored:
    """Bring a backup back into the database, whole or not at all, and journal that it was done.

    A seal file that is in the way is put beside, never overwritten: it may know what was lost.
    """
    with tempfile.TemporaryDirectory(prefix="pitboss-restore-") as name:
        folder = Path(name)
        manifest = _read_archive(source, folder)
        with _connected(owner) as database:
            _refuse_other_database(database)
            _refuse_other_role(database)
            refusals = [
                *_manifest_refusals(manifest, _server_major(database)),
                *_target_refusals(database, over=over),
            ]
            if refusals:
                raise Refused(refusals)
            tools = tools_for(_server_major(database))
        (folder / "empty.sql").write_text(EMPTY)
        script = folder / "restore.sql"
        run_tool(tools / "pg_restore", "--no-owner", f"--file={script}", folder / _DUMP, url=owner)
        run_tool(
            tools / "psql",
            *("--no-psqlrc", "--no-password", "--quiet", "--set=ON_ERROR_STOP=1"),
            *("--single-transaction", f"--file={folder / 'empty.sql'}", f"--file={script}"),
            url=owner,
        )
        before = _put_seal_file(folder / _SEALS)
    taken_at = datetime.fromisoformat(manifest["taken_at"])
    seals.append_missing_lines()
    with transaction.atomic(durable=True):
        if not manifest["altered_guards"]:
            guard_sheets.take_over_definitions(connection)
        journal.write(
            chain=journal.HOUSE,
            kind="backup_restored",
            body={"taken_at": journal.plain_time(taken_at), "dump": manifest["sha256"][_DUMP]},
            at=house.now(),
        )
    return Restored(taken_at, before)


def back_up_keys(*, target: Path, keys: Keys) -> None:
    """Write the keys into a tar of their own, to be kept apart; unpacked, it is the key folder."""
    with _new_file(target) as file:
        with tarfile.open(fileobj=file, mode="w") as archive:
            for name, value in keys.as_files().items():
                _add(archive, name, io.BytesIO(value.encode()), len(value.encode()))
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _connected(owner: str) -> Iterator[Database]:
    try:
        database = psycopg.connect(owner, autocommit=True)
    except psycopg.Error as error:
        raise refuse("owner_refused", f"The database refused its owner: {error}") from error
    with database:
        yield database


@contextmanager
def _new_file(target: Path) -> Iterator[IO[bytes]]:
    """Make a file that was not there, for its owner alone; it goes again when its making fails."""
    try:
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise refuse("file_exists", f"{target} already exists. Choose a new file name.") from None
    except OSError as error:
        raise refuse("file_impossible", f"{target} cannot be made: {error.strerror}.") from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
    except BaseException:
        target.unlink()
        raise


def _server_major(database: Database) -> int:
    return database.info.server_version // 10_000


def _refuse_other_database(database: Database) -> None:
    """Refuse when the owner's address and the site's lead to different databases."""
    which = (
        "SELECT oid::bigint, pg_postmaster_start_time() "
        "FROM pg_database WHERE datname = current_database()"
    )
    with connection.cursor() as cursor:
        cursor.execute(which)
        the_sites = cursor.fetchone()
    # Left open, it would stand in the way of a restore.
    connection.close()
    if database.execute(which).fetchone() != the_sites:
        raise refuse(
            "other_database",
            f"{OWNER_VARIABLE} and DATABASE_URL lead to two databases. Set both to the same one.",
        )


def _refuse_other_role(database: Database) -> None:
    """Refuse an address that is not the owner's.

    The site's role cannot read all that a backup must hold, and what a superuser restores would be
    out of the owner's reach at the next upgrade.
    """
    row = database.execute(
        "SELECT current_user, pg_get_userbyid(datdba) "
        "FROM pg_database WHERE datname = current_database()"
    ).fetchone()
    assert row is not None
    role, owner = row
    others = {
        name
        for (name,) in database.execute(
            "SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class "
            "WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S')"
        )
    } - {role}
    if role != owner or others:
        whose = " and ".join(sorted({owner, *others}))
        raise refuse(
            "not_the_owner",
            f"{OWNER_VARIABLE} signs in as {role}, but this database and its tables "
            f"belong to {whose}. Enter the address with the owner's own name and "
            "password.",
        )


def _has_property(database: Database) -> bool:
    found = database.execute("SELECT to_regclass('public.pitboss_property')").fetchone()
    if found is None or found[0] is None:
        return False
    return database.execute("SELECT FROM public.pitboss_property LIMIT 1").rowcount > 0


def _target_refusals(database: Database, *, over: bool) -> Iterator[Refusal]:
    """Say why a database may not be written over."""
    tables = {
        name
        for (name,) in database.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' "
            "AND relnamespace = 'public'::regnamespace"
        )
    }
    if tables and "pitboss_property" not in tables:
        yield Refusal(
            "not_pitboss", "This database has tables of something else. Choose an empty one."
        )
    elif _has_property(database) and not over:
        yield Refusal(
            "property_exists",
            "This database has a property. Restore into an empty one, or say --over to lose it.",
        )
    others = _others(database)
    if others:
        yield Refusal(
            "site_running",
            f"The database has {others} more connections. Stop web, worker and beat first.",
        )


def _others(database: Database) -> int:
    """Return how many others stay connected; one who has just left takes a moment to be gone."""
    deadline = time.monotonic() + _LEAVING_SECONDS
    while True:
        # Of another's connection its owner sees little more than this.
        others = database.execute(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() "
            "AND usesysid IS NOT NULL AND pid <> pg_backend_pid()"
        ).rowcount
        if not others or time.monotonic() > deadline:
            return others
        time.sleep(0.05)


def _manifest(folder: Path, database: Database, taken_at: datetime) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "taken_at": journal.plain_time(taken_at),
        "server_major": _server_major(database),
        "migrations": _applied(database),
        "journal_keys": {name: key_mark(key) for name, key in settings.KEYS.journal_keys.items()},
        "sha256": {name: _sha256(folder / name) for name in (_DUMP, _SEALS)},
        "altered_guards": _altered_guards(),
    }


def _altered_guards() -> list[str]:
    with transaction.atomic():
        altered = guard_sheets.differing(connection)
    connection.close()
    return altered


def _manifest_refusals(manifest: Mapping[str, Any], server_major: int) -> Iterator[Refusal]:
    """Say why an archive cannot be brought back here."""
    if manifest["migrations"] != _of_this_release():
        yield Refusal(
            "other_release",
            "Another release made this backup. Restore it with that release, then upgrade.",
        )
    if server_major < manifest["server_major"]:
        yield Refusal(
            "server_older",
            f"The backup is of PostgreSQL {manifest['server_major']}, and this "
            f"is {server_major}. Restore into that version.",
        )
    here = settings.KEYS.journal_keys
    for name, mark in manifest["journal_keys"].items():
        if name not in here or key_mark(here[name]) != mark:
            yield Refusal(
                "keys_differ",
                f"The journal key “{name}” of the backup isn’t here. Restore its keys first.",
            )


def _applied(database: Database) -> list[str]:
    """Return the migrations that a database has had, which say what it looks like."""
    rows = database.execute("SELECT app || '.' || name FROM public.django_migrations")
    return sorted(name for (name,) in rows)


def _of_this_release() -> list[str]:
    """Return the migrations that a database of this release has had."""
    loader = MigrationLoader(None)
    return sorted(f"{app}.{name}" for app, name in loader.disk_migrations or {})


@contextmanager
def _one_moment(database: Database, copy: Path) -> Iterator[str]:
    """Copy the seal file, and give the name of the moment of the database that it is of.

    No seal is written meanwhile: restored, the file is as the database remembers it.
    """
    with database.transaction():
        database.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        database.execute("SELECT pg_advisory_lock(%s)", [seals.SEALS_LOCK])
        try:
            row = database.execute("SELECT pg_export_snapshot()").fetchone()
            assert row is not None
            _copy_seal_file(copy)
        finally:
            database.execute("SELECT pg_advisory_unlock(%s)", [seals.SEALS_LOCK])
        yield str(row[0])


def _copy_seal_file(target: Path) -> None:
    """Copy what the seal file holds now."""
    size = file_size()
    if size:
        shutil.copyfile(settings.SEAL_FILE, target)
        os.truncate(target, size)
    else:
        target.touch()


def _put_seal_file(copy: Path) -> Path | None:
    """Put the backup's seal file in place; return where the one that was there is now."""
    path: Path = settings.SEAL_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    before = None
    with draft_of(path, mode=0o640) as (draft, file), copy.open("rb") as content:
        shutil.copyfileobj(content, file)
        sync(file)
        if file_size() and not filecmp.cmp(path, draft, shallow=False):
            before = path.with_name(f"{path.name}.before-{house.now():%Y%m%dT%H%M%S.%fZ}")
            path.rename(before)
        draft.replace(path)
    sync_folder(path.parent)
    return before


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_archive(file: IO[bytes], folder: Path, manifest: Mapping[str, Any]) -> None:
    text = canonical(manifest).encode()
    with tarfile.open(fileobj=file, mode="w") as archive:
        _add(archive, _MANIFEST, io.BytesIO(text), len(text))
        for name in (_DUMP, _SEALS):
            path = folder / name
            with path.open("rb") as content:
                _add(archive, name, content, path.stat().st_size)


def _add(archive: tarfile.TarFile, name: str, content: IO[bytes], size: int) -> None:
    member = tarfile.TarInfo(name)
    member.size = size
    member.mode = 0o600
    member.mtime = int(house.now().timestamp())
    archive.addfile(member, content)


def _read_archive(source: Path, folder: Path) -> dict[str, Any]:
    """Unpack an archive into a folder and return its manifest. Raises Refused when damaged."""
    try:
        with tarfile.open(source, mode="r:") as archive:
            manifest: dict[str, Any] = json.loads(
                _member(archive, _MANIFEST).read(_MANIFEST_BYTES_MAX)
            )
            if manifest["format"] != _FORMAT:
                raise refuse(
                    "other_release",
                    f"{source} is of a format not known here. Restore it with the "
                    "release that made it.",
                )
            for name in (_DUMP, _SEALS):
                with (folder / name).open("wb") as file:
                    shutil.copyfileobj(_member(archive, name), file)
    except FileNotFoundError:
        raise refuse("file_missing", f"File {source} not found. Check the path.") from None
    except (tarfile.TarError, KeyError, TypeError, ValueError) as error:
        raise refuse(
            "not_a_backup", f"{source} isn’t a backup, or is only part of one. Choose another file."
        ) from error
    for name, expected in manifest["sha256"].items():
        if _sha256(folder / name) != expected:
            raise refuse(
                "damaged",
                f"{source} is damaged: its {name} isn’t what was written. Choose another backup.",
            )
    return manifest


def _member(archive: tarfile.TarFile, name: str) -> IO[bytes]:
    content = archive.extractfile(name)
    if content is None:
        raise KeyError(name)
    return content
