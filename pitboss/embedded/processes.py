"""Start children that die with their parent, stop them, and find what a killed parent left."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pitboss.embedded.account import ServiceAccount
from pitboss.embedded.configuration import CannotRun

# Every child carries the mark of its data folder, so that no stranger's process is ever signalled.
MARK = "PITBOSS_EMBEDDED"

LOG_BYTES_MAX = 10_000_000

_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class ServerRole:
    """How one kind of child is started and stopped.

    `on_orphaned` is what the kernel sends it when the parent is gone, however it went.
    """

    name: str
    stop_by: signal.Signals
    on_orphaned: signal.Signals
    patience_seconds: int


@dataclass(frozen=True, slots=True)
class Child:
    """A running child, in a session of its own."""

    role: ServerRole
    process: subprocess.Popen[bytes]

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        """Ask it to end, wait, and then end it and every process of its session."""
        if self.is_alive():
            self.process.send_signal(self.role.stop_by)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(self.role.patience_seconds)
        self.sweep()
        self.process.wait()

    def sweep(self) -> None:
        """Kill what is left in its process group, such as the workers of a killed web server."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)


def start_child(
    role: ServerRole,
    command: Sequence[str | Path],
    *,
    environ: Mapping[str, str],
    log: Path,
    folder: Path,
    account: ServiceAccount | None = None,
) -> Child:
    """Start a child that outlives neither its parent's end nor its parent's kill.

    The kernel watches the thread that forks, so call this from the main thread.
    """
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=dict(environ),
            # A Ctrl-C at the terminal reaches the parent alone, which knows the order.
            start_new_session=True,
            preexec_fn=die_with_parent(role.on_orphaned),
            **(account.popen_arguments() if account else {}),
        )
    return Child(role=role, process=process)


def die_with_parent(number: signal.Signals) -> Callable[[], None]:
    """Return what a new process runs so as to get a signal when this process is gone."""
    parent = os.getpid()

    def ask_the_kernel() -> None:
        end_with_parent(number)
        if os.getppid() != parent:  # It went between the fork and the line above.
            os.kill(os.getpid(), signal.SIGKILL)

    return ask_the_kernel


def end_with_parent(number: signal.Signals) -> None:
    """Ask the kernel to send this process a signal when its parent is gone."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)


def keep_small(log: Path) -> None:
    """Move a log that has grown past its limit aside, keeping the one before it.

    The child writes on to the same open file in append mode, so this copies and truncates. On a
    full disk there is no copy, and the log is what gives room.
    """
    with suppress(FileNotFoundError):
        if log.stat().st_size > LOG_BYTES_MAX:
            with suppress(OSError):
                shutil.copyfile(log, log.with_suffix(".log.1"))
            os.truncate(log, 0)


def last_lines(log: Path, count: int = 12) -> str:
    """Return the end of a log, for the person who must find out what went wrong."""
    try:
        return "\n".join(log.read_text(errors="replace").splitlines()[-count:])
    except FileNotFoundError:
        return ""


def left_behind(servers: Path, mark: str | None = None) -> Iterator[tuple[int, str]]:
    """Yield the id and program of each process that an earlier parent on this folder left.

    A server is ours when its program is one of the two and it works in our folder: PostgreSQL
    overwrites its environment with its status line. The others carry our mark, if it is given.
    """
    ours = f"{MARK}={mark}".encode() if mark else None
    for process in Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        # A process may end while it is looked at, or be a stranger's and closed to us.
        with suppress(OSError):
            program = process.joinpath("exe").readlink().name.removesuffix(" (deleted)")
            if program in {"postgres", "redis-server"}:
                if process.joinpath("cwd").readlink().is_relative_to(servers):
                    yield int(process.name), program
            elif ours and ours in process.joinpath("environ").read_bytes().split(b"\0"):
                yield int(process.name), program


def end_left_behind(servers: Path, mark: str | None = None, patience_seconds: float = 30) -> None:
    """End what a killed parent left on this folder.

    PostgreSQL is asked for a fast shutdown and given time to write its checkpoint.
    """
    asked: set[int] = set()
    deadline = time.monotonic() + patience_seconds
    while left := dict(left_behind(servers, mark)):
        late = time.monotonic() > deadline
        if time.monotonic() > deadline + patience_seconds:
            raise CannotRun(
                f"An earlier run on {servers} left processes that do not end "
                f"({', '.join(map(str, left))}): end them, then start again."
            )
        for pid, program in left.items():
            if pid in asked and not late:
                continue
            asked.add(pid)
            gentle = signal.SIGINT if program == "postgres" else signal.SIGTERM
            abrupt = signal.SIGQUIT if program == "postgres" else signal.SIGKILL
            with suppress(ProcessLookupError):
                os.kill(pid, abrupt if late else gentle)
        time.sleep(0.05)
