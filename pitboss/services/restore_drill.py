"""Try a restore before it is needed: into a scratch database, with the floor open beside it.

The drill is the real thing, `restore` and then `verify_journal`, in processes whose database is the
scratch one and whose seal file is in a folder that goes away again. What was restored is emptied in
the end: a scratch database is no place for a house's names.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psycopg
from django.conf import settings

from pitboss.rules.refusal import refuse
from pitboss.services.backups import EMPTY, OWNER_VARIABLE

DRILL_VARIABLE = "PITBOSS_DRILL_DATABASE_URL"
_COUNTS = """
    SELECT (SELECT count(*) FROM pitboss_journalentry), (SELECT count(*) FROM pitboss_slip),
           (SELECT count(*) FROM pitboss_signature), (SELECT max(at) FROM pitboss_journalentry),
           pg_database_size(current_database())
"""


@dataclass(frozen=True, slots=True)
class RestoreDrill:
    """What a drill found: what each part said, how long it took, and what was there afterward."""

    restored: str
    restore_seconds: float
    verified: str
    verify_seconds: float
    is_sound: bool
    entries: int
    slips: int
    signatures: int
    newest: str
    size_bytes: int


def scratch_url() -> str:
    """Return the owner's address of a scratch database. Raises Refused."""
    url = os.environ.get(DRILL_VARIABLE, "")
    if not url:
        raise refuse(
            "no_scratch",
            f"Set {DRILL_VARIABLE} to the address of an empty scratch database as its owner. "
            "The house’s own database is never used for a drill.",
        )
    return url


def drill(*, source: Path, scratch: str) -> RestoreDrill:
    """Restore a backup into a scratch database, verify it, and empty it again. Raises Refused."""
    _refuse_used(scratch)
    with tempfile.TemporaryDirectory(prefix="pitboss-drill-") as name:
        environ = _environ(scratch, Path(name))
        try:
            code, restored, restore_seconds = _run(environ, "restore", str(source))
            if code:
                raise refuse("drill_failed", f"The backup can’t be restored: {restored}")
            code, verified, verify_seconds = _run(environ, "verify_journal")
            with psycopg.connect(scratch) as database:
                row = database.execute(_COUNTS).fetchone()
            assert row is not None
        finally:
            _empty(scratch)
    entries, slips, signatures, newest, size_bytes = row
    return RestoreDrill(
        restored=restored,
        restore_seconds=restore_seconds,
        verified=verified,
        verify_seconds=verify_seconds,
        is_sound=code == 0,
        entries=entries,
        slips=slips,
        signatures=signatures,
        newest=f"{newest:%b %-d, %Y %H:%M:%S} UTC" if newest else "none",
        size_bytes=size_bytes,
    )


def _refuse_used(scratch: str) -> None:
    """Refuse a database that has anything in it, the house's own before all."""
    try:
        with psycopg.connect(scratch, connect_timeout=5) as database:
            used = database.execute(
                "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace LIMIT 1"
            ).rowcount
    except psycopg.Error as error:
        raise refuse("scratch_refused", f"The scratch database refused: {error}") from error
    if used:
        raise refuse(
            "scratch_used",
            f"The database of {DRILL_VARIABLE} isn’t empty. Use an empty one: a drill overwrites "
            "it.",
        )


def _environ(scratch: str, folder: Path) -> dict[str, str]:
    """Return an environment in which nothing of the house is reached but its keys."""
    told = os.environ | {
        "DATABASE_URL": scratch,
        OWNER_VARIABLE: scratch,
        "PITBOSS_SEAL_FILE": str(folder / "seals.log"),
        "PITBOSS_SEAL_COPY": "",
        "PITBOSS_SEAL_SYSLOG": "",
    }
    told.pop(DRILL_VARIABLE, None)
    return told


def _run(environ: dict[str, str], *command: str) -> tuple[int, str, float]:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "manage.py", *command, "--skip-checks"],
        cwd=settings.BASE_DIR,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout.strip() or done.stderr.strip()
    return done.returncode, said, time.monotonic() - began


def _empty(scratch: str) -> None:
    with psycopg.connect(scratch) as database:
        database.execute(EMPTY)
