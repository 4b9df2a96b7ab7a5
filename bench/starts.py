"""Start the demo site on an empty folder again and again while the machine is busy.

make starts ARGS="--times 50 --busy 4"

Each start has a folder and a port of its own. It counts when the site says that it is ready, every
table is as the demo leaves it, the record verifies, it stops when asked and leaves nothing behind.
"""

from __future__ import annotations

import argparse
import http.client
import multiprocessing
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from pitboss.embedded.configuration import PROJECT
from pitboss.embedded.processes import left_behind
from pitboss.embedded.servers import environ_beside

# All of the demo's tables, and those of them that are open this evening.
TABLES, OPEN = 24, 22
READY_SECONDS_MAX = 900
COMMAND_SECONDS_MAX = 600
_EMBEDDED = [sys.executable, "-m", "pitboss.embedded"]


class Failed(Exception):
    """Say what a start did not do."""


@dataclass(slots=True)
class Start:
    """One start of the site, with the seconds that each part of it took."""

    data: Path
    port: int
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def environ(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "BROKER_URL"}}
        return kept | {"PITBOSS_DATA": str(self.data), "PITBOSS_PORT": str(self.port)}

    @property
    def printed(self) -> Path:
        return self.data.with_suffix(".printed")

    def go_through(self) -> None:
        """Start, look at everything, stop; raise `Failed` at the first thing that is wrong."""
        with self.printed.open("wb") as output:
            site = subprocess.Popen(
                [*_EMBEDDED, "run"],
                cwd=PROJECT,
                env=self.environ,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            self._timed("ready", lambda: self._await_ready(site))
            self._ask("/readyz")
            self._ask("/healthz")
            self._look_at_tables()
            self._timed("verify", self._verify)
            self._timed("stop", lambda: self._stop(site))
        finally:
            site.kill()
            site.wait()

    def _timed(self, name: str, part: Callable[[], None]) -> None:
        began = time.monotonic()
        try:
            part()
        finally:
            self.seconds[name] = time.monotonic() - began

    def _await_ready(self, site: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + READY_SECONDS_MAX
        while "Pitboss is at" not in self.printed.read_text():
            if site.poll() is not None:
                raise Failed(f"ended with {site.returncode}")
            if time.monotonic() > deadline:
                raise Failed(f"not ready after {READY_SECONDS_MAX} s")
            time.sleep(0.1)

    def _ask(self, path: str) -> None:
        """Ask as a balancer does: a busy machine may need a second look."""
        sentence = ""
        for _ in range(5):
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            try:
                line.request("GET", path)
                answer = line.getresponse()
                sentence = f"{answer.status} {answer.read().decode()}"
            except OSError as error:
                sentence = str(error)
            finally:
                line.close()
            if sentence.startswith("200"):
                return
            time.sleep(5)
        raise Failed(f"{path} says {sentence}")

    def _look_at_tables(self) -> None:
        with psycopg.connect(environ_beside(self.data)["DATABASE_URL"]) as site:
            counts = site.execute(
                "SELECT count(*), count(*) FILTER (WHERE is_open) FROM pitboss_table"
            ).fetchone()
        if counts != (TABLES, OPEN):
            raise Failed(f"tables, and open ones: {counts} instead of {(TABLES, OPEN)}")

    def _verify(self) -> None:
        done = subprocess.run(
            [*_EMBEDDED, "manage", "verify_journal"],
            cwd=PROJECT,
            env=self.environ,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS_MAX,
            check=False,
        )
        if done.returncode:
            raise Failed(f"verify_journal says: {done.stdout}{done.stderr}")

    def _stop(self, site: subprocess.Popen[bytes]) -> None:
        site.send_signal(signal.SIGTERM)
        code = site.wait(COMMAND_SECONDS_MAX)
        left = dict(left_behind((self.data / "servers").resolve(), mark=str(self.data)))
        if code or left:
            raise Failed(f"stopped with {code}, left {left}")

    def remove(self) -> None:
        """Remove what a good start left; a failed one keeps it for whoever looks for the cause."""
        shutil.rmtree((self.data / "servers").resolve())
        shutil.rmtree(self.data)
        self.printed.unlink()


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep so many processes computing for as long as this lasts."""
    burners = [multiprocessing.Process(target=_burn, daemon=True) for _ in range(processes)]
    for burner in burners:
        burner.start()
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()


def _burn() -> None:
    while True:
        sum(range(100_000))


def main() -> int:
    """Print a line for each start; the exit code is 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.starts", description=__doc__)
    parser.add_argument("--times", type=int, default=50, help="how many starts, one at a time")
    parser.add_argument("--busy", type=int, default=4, help="how many processes compute meanwhile")
    parser.add_argument("--folder", type=Path, help="where the data folders are made")
    namespace = parser.parse_args()
    folder = namespace.folder or Path(tempfile.mkdtemp(prefix="pitboss-starts-"))
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)
    good = 0
    print(f"{'start':>5} {'load':>6} {'ready':>7} {'verify':>7} {'stop':>7}", flush=True)
    with busy(namespace.busy):
        for number in range(1, namespace.times + 1):
            start = Start(folder / f"run{number}", _free_port())
            outcome = "good"
            try:
                start.go_through()
                good += 1
                start.remove()
            except (Failed, OSError, psycopg.Error, subprocess.TimeoutExpired) as error:
                outcome = f"FAILED: {error}\n{start.printed.read_text()[-2_000:]}"
            took = " ".join(
                f"{start.seconds.get(part, 0):5.1f} s" for part in ("ready", "verify", "stop")
            )
            print(f"{number:5} {os.getloadavg()[0]:6.1f} {took} {outcome}", flush=True)
    print(f"{good} of {namespace.times} starts were good.", flush=True)
    return 0 if good == namespace.times else 1


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main())
