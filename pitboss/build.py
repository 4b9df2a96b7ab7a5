"""Which program this is: its version, and one hash over every file that it runs from."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

_PROJECT: Final = Path(__file__).resolve().parents[1]
# What the site runs, with what it shows; not its tests, its documents or what a house has stored.
_PARTS: Final = ("pitboss", "tables", "inventory", "jackpots", "templates", "static")
_ALONE: Final = ("manage.py", "pyproject.toml", "requirements.txt", "requirements-run.txt")
SHORT: Final = 12


@dataclass(frozen=True, slots=True)
class Build:
    """A version and the hash of the program."""

    version: str
    sha256: str

    @property
    def words(self) -> str:
        """Say it as paper does.

        >>> Build("1.0.0", "ab" * 32).words
        'Pitboss 1.0.0, build abababababab'
        """
        return f"Pitboss {self.version}, build {self.sha256[:SHORT]}"


def hash_of(project: Path) -> str:
    """Return the hash over the names and contents of a program's files, in the order of names."""
    whole = hashlib.sha256()
    parts = [path for part in _PARTS for path in (project / part).rglob("*") if path.is_file()]
    files = [*parts, *(project / name for name in _ALONE)]
    for path in sorted(files):
        if "__pycache__" in path.parts or not path.is_file():
            continue
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        whole.update(f"{path.relative_to(project).as_posix()} {content}\n".encode())
    return whole.hexdigest()


@cache
def this_build() -> Build:
    """Return which program this process runs; its files are read once."""
    project = tomllib.loads((_PROJECT / "pyproject.toml").read_text())
    return Build(project["project"]["version"], hash_of(_PROJECT))
