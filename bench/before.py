"""Run the release before on the schema of this one, as nodes do while they are upgraded in turn.

make before ARGS="v1.0.0"

The release before puts up a floor and opens its tables; this release migrates. Then the release
before goes on: it signs a table's fills and counts to their end, and shows board, table, inbox and
reports. What it wrote is verified by this release, whose pages are asked for too.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.databases import PROJECT, migrate, own_database

NAME = "pitboss_bench_before"
# Parts of the bench of years, which each release brings along.
BEGINS, GOES_ON = ("make", "morning"), ("rows", "reports")
SEAL = "from pitboss.tasks import write_seal; write_seal.delay()"


@contextmanager
def release(ref: str) -> Iterator[Path]:
    """Check a release out beside this one, and take it away again."""
    with tempfile.TemporaryDirectory(prefix="pitboss-before-") as folder:
        place = Path(folder) / "release"
        _git("worktree", "add", "--quiet", "--detach", str(place), ref)
        try:
            yield place
        finally:
            _git("worktree", "remove", "--force", str(place))


def main(arguments: list[str] | None = None) -> int:
    """Go through an upgrade under work; the exit code is 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.before", description=__doc__)
    parser.add_argument("ref", help="the release before: a tag or a commit")
    ref = parser.parse_args(arguments).ref
    with release(ref) as before, own_database(NAME, before) as environ:
        for part in BEGINS:
            _say(f"{ref}: {part}", _bench(before, environ, part))
        migrate(NAME)
        _say("this release: migrate", 0)
        failed = 0
        for part in GOES_ON:
            failed += _say(f"{ref} on the new schema: {part}", _bench(before, environ, part))
        failed += _say("this release: reports", _bench(PROJECT, environ, "reports"))
        _manage(environ, "shell", "--no-imports", "-c", SEAL)
        failed += _say("this release: verify", _manage(environ, "verify_journal", "--quiet"))
    return 1 if failed else 0


def _bench(project: Path, environ: dict[str, str], part: str) -> int:
    """Let a release do a part; where it fails, show what it said last."""
    command = [sys.executable, "-m", "bench.years", part]
    done = subprocess.run(
        command, cwd=project, env=environ, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(done.stderr[-3_000:], file=sys.stderr)
    return done.returncode


def _manage(environ: dict[str, str], *words: str) -> int:
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(command, cwd=PROJECT, env=environ, check=False).returncode


def _git(*words: str) -> None:
    subprocess.run(["git", *words], cwd=PROJECT, check=True, env=os.environ)


def _say(what: str, returncode: int) -> int:
    print(f"{'FAILED' if returncode else 'ok':>8}  {what}", flush=True)
    return returncode


if __name__ == "__main__":
    sys.exit(main())
