"""Make the keys of an embedded site once, each in a file that only its owner can read."""

from __future__ import annotations

import base64
import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from pitboss.embedded.configuration import CannotRun


def _fernet_key() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


def _journal_key() -> str:
    # Each journal entry names the key that made its link, so that a key can be replaced.
    return f"journal-{datetime.now(UTC).year}a:{secrets.token_hex(32)}"


MAKERS: dict[str, Callable[[], str]] = {
    "secret_key": lambda: secrets.token_urlsafe(50),
    "pin_pepper": lambda: secrets.token_hex(32),
    "journal_key": _journal_key,
    "field_keys": _fernet_key,
    "blind_index_key": lambda: secrets.token_hex(32),
    "database_superuser": lambda: secrets.token_hex(24),
    "database_owner": lambda: secrets.token_hex(24),
    "database_site": lambda: secrets.token_hex(24),
}


def make_keys(folder: Path, *, database_exists: bool) -> dict[str, str]:
    """Return every key by name, made now where this is the first start.

    A database whose keys are lost must not get new ones in silence: its journal would look forged
    and its encrypted fields could never be read again.
    """
    missing = [name for name in MAKERS if not (folder / name).exists()]
    if missing and database_exists:
        raise CannotRun(
            f"{folder} lacks {', '.join(missing)}, and the database beside it was made with it: "
            "put the file back from your backup, or set PITBOSS_DATA to a new folder."
        )
    folder.mkdir(mode=0o700, exist_ok=True)
    for name in missing:
        _write_once(folder / name, MAKERS[name]() + "\n")
    return {name: (folder / name).read_text().strip() for name in MAKERS}


def _write_once(path: Path, text: str) -> None:
    """Write a private file that is whole or absent, whatever happens meanwhile."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)
