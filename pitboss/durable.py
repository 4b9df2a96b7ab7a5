"""Write files so that a power cut leaves the old content or the new, and never a part of either.

A file is written beside its place, synced, and renamed; then the folder is synced, since a name
is content of its folder. A folder of many files is made the same way, as a whole.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def draft_of(path: Path, *, mode: int) -> Iterator[tuple[Path, IO[bytes]]]:
    """Open a draft beside a file's place; what is not moved there by the end is gone."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield draft, file
    finally:
        draft.unlink(missing_ok=True)


def sync(file: IO[bytes]) -> None:
    """See what was written to a file on the disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """See the names in a folder on the disk, as their content is."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """See everything below a folder on the disk."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        elif path.is_dir() and not path.is_symlink():
            sync_folder(path)
    sync_folder(folder)


def replace_folder(made: Path, place: Path) -> None:
    """Put a folder that was made beside in its place, whole and synced.

    A power cut between the two renames leaves no folder there, and never a part of one.
    """
    sync_tree(made)
    old = place.with_name(f"{place.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if place.exists():
        place.rename(old)
    made.rename(place)
    sync_folder(place.parent)
    shutil.rmtree(old, ignore_errors=True)
