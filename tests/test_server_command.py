"""The server command that docs/operating.md gives, run as it stands there."""

from __future__ import annotations

import http.client
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PATIENCE_SECONDS = 120


def documented() -> list[str]:
    """Return the words of the command that a node's web server is started with."""
    text = (PROJECT / "docs" / "operating.md").read_text()
    [line] = [line for line in text.splitlines() if line.endswith(" pitboss.front:front")]
    return shlex.split(line)


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, f"not so after {PATIENCE_SECONDS} seconds"
        time.sleep(0.1)


def children_of(pid: int) -> set[int]:
    return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def answers(port: int) -> bool:
    """Tell whether the server answers at all: it has no tables to answer from."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/static/none")
        return connection.getresponse().status > 0
    except OSError:
        return False
    finally:
        connection.close()


def test_a_web_worker_that_is_killed_is_started_again() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    words = documented()
    words[words.index("--port") + 1] = str(port)
    words[words.index("--workers") + 1] = "1"
    server = subprocess.Popen([sys.executable, "-m", *words], cwd=PROJECT)
    try:
        wait_until(lambda: answers(port))
        killed = children_of(server.pid)
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: bool(children_of(server.pid) - killed) and answers(port))
    finally:
        server.terminate()
        server.wait(PATIENCE_SECONDS)
