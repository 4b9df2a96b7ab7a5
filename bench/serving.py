"""Serve the site as `make run` does, for benches that ask it over the line."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import sleep

from bench.databases import PROJECT

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Served:
    """A server that listens: its port, and its process."""

    port: int
    pid: int

    def processor_seconds(self) -> float:
        """Return what the server and its workers have computed so far."""
        return sum(_seconds_of(pid) for pid in _family(self.pid))


@contextmanager
def served(environ: dict[str, str], workers: int) -> Iterator[Served]:
    """Serve the site on a port of its own."""
    with _serving(environ, "rsgi", "pitboss.front:front", "--workers", str(workers)) as server:
        yield server


@contextmanager
def served_events(environ: dict[str, str]) -> Iterator[Served]:
    """Serve the streams of events on a port of their own."""
    more = ("--workers", "1", "--backlog", "2048", "--backpressure", "2048")
    with _serving(environ, "asgi", "tables.asgi:application", *more) as server:
        yield server


@contextmanager
def _serving(
    environ: dict[str, str], interface: str, application: str, *more: str
) -> Iterator[Served]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *(sys.executable, "-m", "granian", "--interface", interface, "--no-ws"),
        *("--host", "127.0.0.1", "--port", str(port), *more),
        *("--workers-kill-timeout", "10", "--log-level", "warning", application),
    ]
    server = subprocess.Popen(command, cwd=PROJECT, env=environ)
    try:
        for _ in range(300):
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", port)) == 0:
                    break
            sleep(0.1)
        yield Served(port, server.pid)
    finally:
        server.terminate()
        server.wait()


def _family(pid: int) -> list[int]:
    """Return a process and all that came of it."""
    family = [pid]
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in (thread / "children").read_text().split():
            family += _family(int(child))
    return family


def _seconds_of(pid: int) -> float:
    # After the name, which may hold anything: utime and stime are the twelfth and thirteenth.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS
