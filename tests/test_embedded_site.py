"""`make run`, as somebody at a terminal meets it: started, asked, refused, stopped and killed."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest

from pitboss.embedded.configuration import PROJECT
from pitboss.embedded.processes import left_behind
from pitboss.embedded.servers import THROWAWAY_BYTES, environ_beside, open_servers

RUN = [sys.executable, "-m", "pitboss.embedded", "run"]
# A machine with two cores runs the other half of the suite meanwhile.
PATIENCE_SECONDS = 900


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(holds: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not so after {seconds} seconds"
        time.sleep(0.1)


def terminal_environ(**settings: str) -> dict[str, str]:
    """Return the environment of somebody who has set these things and nothing else of ours."""
    ours = {"DATABASE_URL", "BROKER_URL"}
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ours and not name.startswith("PITBOSS_")
    }
    return kept | settings


def databases(data: Path) -> set[str]:
    """Return the folders of a server's databases: a demo that is loaded gets one of its own."""
    return {folder.name for folder in data.glob("servers/postgres/base/*")}


def open_tables(data: Path) -> int:
    """Ask the database of a running site how many tables are open."""
    with psycopg.connect(environ_beside(data)["DATABASE_URL"]) as site:
        row = site.execute("SELECT count(*) FROM pitboss_table WHERE is_open").fetchone()
    assert row is not None
    return int(row[0])


class Terminal:
    """A run on a folder of its own, and what it has printed so far."""

    def __init__(self, data: Path, port: int) -> None:
        self.data = data
        self.port = port
        self.printed = data.with_name(f"{data.name}.{port}.printed")
        with self.printed.open("wb") as output:
            self.process = subprocess.Popen(
                RUN,
                cwd=PROJECT,
                env=terminal_environ(PITBOSS_DATA=str(data), PITBOSS_PORT=str(port)),
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def text(self) -> str:
        return self.printed.read_text()

    def await_ready(self) -> None:
        """Wait for the address to be printed."""

        def ready() -> bool:
            assert self.process.poll() is None, self.text()
            return "Pitboss is at" in self.text()

        wait_until(ready)

    def healthy(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def processes(self) -> dict[int, str]:
        """Return every process of this run but its parent, dead ones that wait aside."""
        return dict(left_behind((self.data / "servers").resolve(), mark=str(self.data)))

    def is_over(self) -> bool:
        return not self.processes()

    def says(self, words: str) -> bool:
        return words in self.text()

    def running(self, word: str) -> int:
        """Return how many processes of this run have a word on their command line."""
        count = 0
        for pid in self.processes():
            # It may end while it is looked at.
            with suppress(OSError):
                count += word.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
        return count

    def child(self, words: str) -> int:
        """Return the id of the parent's child whose command line has these words."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        for pid in map(int, children.read_text().split()):
            line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            if words in line:
                return pid
        raise AssertionError(f"no child runs {words}")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE_SECONDS)


def reachable_folder() -> Iterator[Path]:
    """Make a folder for data folders that the servers' account can reach.

    In memory where there is room: a dozen copies of a whole house are made and thrown away here.
    """
    memory = Path("/dev/shm")
    has_room = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > THROWAWAY_BYTES
    made = Path(tempfile.mkdtemp(prefix="pitboss-test-", dir=memory if has_room else None))
    made.chmod(0o711)
    yield made
    shutil.rmtree(made)


folder = pytest.fixture(reachable_folder)
prepared_folder = pytest.fixture(reachable_folder, scope="module")


@pytest.fixture(scope="module")
def prepared(prepared_folder: Path) -> Path:
    """Return the data of a house whose first start was killed and whose second was ended by Ctrl-C.

    The first is killed into the loading, with a worker for each pit; the second is whole. The demo
    is loaded here once for most tests.
    """
    killed = Terminal(prepared_folder / "data", free_port())
    wait_until(lambda: killed.running("load_demo") >= 3)
    killed.process.kill()
    killed.process.wait()
    wait_until(lambda: not killed.processes())

    following = Terminal(killed.data, killed.port)
    try:
        following.await_ready()
        assert following.healthy()
        assert open_tables(following.data) == 22
    finally:
        code = following.stop(signal.SIGINT)
    assert code == 0
    assert not following.processes()
    # It says how far it is, each step once, and the badges after that.
    steps = re.findall(r"^(?!>).* \((\d) of 4\) \.\.\.$", following.text(), re.M)
    assert steps == ["1", "2", "3", "4"]
    return following.data


@pytest.fixture
def start(folder: Path, prepared: Path) -> Iterator[Callable[..., Terminal]]:
    """Return what starts a run on a copy of the prepared data, or on what a run before left."""
    terminals: list[Terminal] = []

    def start_one(name: str = "data", port: int | None = None) -> Terminal:
        if not (folder / name).exists():
            subprocess.run(["cp", "-a", prepared, folder / name], check=True)
        terminals.append(Terminal(folder / name, port or free_port()))
        return terminals[-1]

    yield start_one
    for terminal in terminals:
        terminal.stop()


def keys(data: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in (data / "keys").iterdir()}


def test_a_second_start_is_ready_with_its_data_and_loads_no_demo(
    start: Callable[..., Terminal], prepared: Path
) -> None:
    second = start()
    second.await_ready()
    assert second.healthy()
    assert keys(second.data) == keys(prepared)
    assert second.stop(signal.SIGTERM) == 0
    assert not second.processes()
    # One that made the demo's evening again would have made a database for it.
    assert databases(second.data) == databases(prepared) != set()


def test_a_killed_parent_leaves_nothing_behind_and_the_next_start_works(
    start: Callable[..., Terminal],
) -> None:
    killed = start()
    killed.await_ready()
    assert len(killed.processes()) > 5
    killed.process.kill()
    killed.process.wait()
    wait_until(lambda: not killed.processes())

    following = start(port=killed.port)
    following.await_ready()
    assert following.healthy()


def test_a_demo_half_loaded_by_an_earlier_version_is_kept_and_loaded_again(
    start: Callable[..., Terminal], folder: Path, prepared: Path
) -> None:
    subprocess.run(["cp", "-a", prepared, folder / "data"], check=True)
    servers = open_servers(folder / "data")
    try:
        servers.start()
        with servers.connect(database="pitboss") as superuser:
            superuser.execute("SET session_replication_role = replica")
            superuser.execute("DELETE FROM pitboss_slip WHERE kind = 'day_close'")
            superuser.execute("UPDATE pitboss_table SET is_open = name = 'BJ-11'")
    finally:
        servers.stop()

    terminal = start()
    terminal.await_ready()
    assert "The demo was loaded by half only. It is kept as pitboss_half_" in terminal.text()
    assert open_tables(terminal.data) == 22


def test_what_a_power_cut_tore_and_can_be_made_again_is_made_again(
    start: Callable[..., Terminal], folder: Path, prepared: Path
) -> None:
    data = folder / "data"
    subprocess.run(["cp", "-a", prepared, data], check=True)
    derived = [data / "static", data / "beat", data / "log", data / "servers" / "redis"]
    torn = [path for place in derived for path in place.rglob("*") if path.is_file()]
    assert data / "static" / "staticfiles.json" in torn
    for path in torn:
        os.truncate(path, 0)

    terminal = start()
    terminal.await_ready()
    assert terminal.healthy()
    assert (data / "static" / "staticfiles.json").stat().st_size


def test_a_start_killed_at_any_moment_is_followed_by_one_that_works(
    start: Callable[..., Terminal],
) -> None:
    terminal = start()
    for seconds in (0.3, 1.5, 3, 6):
        time.sleep(seconds)
        terminal.process.kill()
        terminal.process.wait()
        wait_until(terminal.is_over)
        terminal = start(port=terminal.port)
    terminal.await_ready()
    assert terminal.healthy()


@pytest.fixture
def small_disk(folder: Path) -> Iterator[Callable[[int], Path]]:
    """Return what gives a disk of so many megabytes, and makes it larger when asked again."""
    disk = folder / "disk"

    def sized(megabytes: int) -> Path:
        is_there = disk.exists()
        disk.mkdir(exist_ok=True)
        options = f"size={megabytes}M,mode=0711" + (",remount" if is_there else "")
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], check=True)
        return disk

    yield sized
    subprocess.run(["umount", "--lazy", disk], check=True)


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a small disk")


@as_root
def test_a_first_start_on_a_disk_that_fills_up_waits_and_goes_on(
    small_disk: Callable[[int], Path],
) -> None:
    terminal = Terminal(small_disk(75) / "data", free_port())
    try:
        wait_until(lambda: "is full. What was signed is kept." in terminal.text())
        assert terminal.process.poll() is None
        small_disk(2_000)
        terminal.await_ready()
        assert "There is room on the disk again" in terminal.text()
        assert open_tables(terminal.data) == 22
    finally:
        terminal.stop()


@as_root
def test_a_running_site_on_a_full_disk_waits_and_goes_on(
    small_disk: Callable[[int], Path], prepared: Path
) -> None:
    data = small_disk(1_000) / "data"
    subprocess.run(["cp", "-a", prepared, data], check=True)
    terminal = Terminal(data, free_port())
    try:
        terminal.await_ready()
        filler = data.with_name("filler")
        with filler.open("wb") as file, suppress(OSError):
            while True:
                file.write(bytes(1_000_000))
        os.kill(terminal.child("postgres -D"), signal.SIGKILL)
        wait_until(lambda: "is full. What was signed is kept." in terminal.text())
        filler.unlink()
        wait_until(lambda: "There is room on the disk again" in terminal.text())
        wait_until(terminal.healthy)
        assert terminal.process.poll() is None
    finally:
        terminal.stop()


def test_every_child_that_is_killed_is_started_again(start: Callable[..., Terminal]) -> None:
    terminal = start()
    terminal.await_ready()
    for name, words in {
        "web": "granian --interface rsgi",
        "events": "granian --interface asgi",
        "worker": "celery -A pitboss.celery worker",
        "beat": "celery -A pitboss.celery beat",
        "postgres": "postgres -D",
        "redis": "redis-server",
    }.items():
        os.kill(terminal.child(words), signal.SIGKILL)
        sentence = f"{name} was killed by SIGKILL; starting it again."
        wait_until(partial(terminal.says, sentence))
        wait_until(terminal.healthy)
    assert terminal.stop() == 0
    assert not terminal.processes()


def test_two_runs_live_side_by_side_and_neither_lets_another_in(
    start: Callable[..., Terminal],
) -> None:
    one, other = start("one"), start("other")
    one.await_ready()
    other.await_ready()
    assert one.healthy()
    assert other.healthy()

    on_the_same_folder = start("one")
    assert on_the_same_folder.process.wait(PATIENCE_SECONDS) == 2
    assert re.fullmatch(r"Pitboss is already running on .*\n", on_the_same_folder.text())

    on_the_same_port = start("third", port=other.port)
    assert on_the_same_port.process.wait(PATIENCE_SECONDS) == 2
    assert re.fullmatch(
        rf"Pitboss cannot listen on 127.0.0.1 port {other.port} .*\n", on_the_same_port.text()
    )

    assert one.stop() == 0
    assert not one.processes()
    assert other.healthy()


def test_a_first_run_asked_to_stop_while_it_starts_stops(folder: Path) -> None:
    terminal = Terminal(folder / "new", free_port())
    wait_until(lambda: "Preparing" in terminal.text())
    assert terminal.stop() == 0
    assert not terminal.processes()
    assert "Stopped" in terminal.text()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"PITBOSS_PORT": "abc"}, "PITBOSS_PORT is 'abc'"),
        ({"PITBOSS_PORT": "0"}, "PITBOSS_PORT is '0'"),
        ({"PITBOSS_PORT": "65536"}, "PITBOSS_PORT is '65536'"),
        ({"PITBOSS_HOST": "no.such.host.invalid"}, "PITBOSS_HOST is"),
        ({"PITBOSS_HOST": "192.0.2.1"}, "Pitboss cannot listen on 192.0.2.1"),
        ({"PITBOSS_DATA": "/proc/data"}, "The data folder /proc/data cannot be made"),
        ({"PITBOSS_DATA": "/dev/null"}, "The data folder /dev/null cannot be written to"),
        ({"PITBOSS_ENV": "production"}, "the embedded servers refuse production"),
        ({"DATABASE_URL": "postgres://elsewhere/pitboss"}, "DATABASE_URL is set"),
        ({"BROKER_URL": "redis://elsewhere"}, "BROKER_URL is set"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_in_one_sentence(
    folder: Path, settings: dict[str, str], sentence: str
) -> None:
    environ = terminal_environ(
        **{"PITBOSS_DATA": str(folder / "data"), "PITBOSS_PORT": str(free_port()), **settings}
    )
    refused = subprocess.run(
        RUN, cwd=PROJECT, env=environ, capture_output=True, text=True, check=False
    )
    assert refused.returncode == 2
    assert sentence in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert not refused.stdout


FAKE_PYTHONS = {
    "Pitboss needs Python 3.11 or later": "exit 1",
    "This Python cannot make virtual environments": 'case "$2" in *venv*) exit 1;; esac',
}


@pytest.mark.parametrize("sentence", FAKE_PYTHONS)
def test_a_python_that_will_not_do_is_refused_in_one_sentence(
    tmp_path: Path, sentence: str
) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("make", "sh", "cat", "cksum", "tr", "rm", "touch"):
        found = shutil.which(tool)
        assert found is not None
        (tools / tool).symlink_to(found)
    python = tools / "python3"
    python.write_text(f"#!/bin/sh\n{FAKE_PYTHONS[sentence]}\n")
    python.chmod(0o755)
    refused = subprocess.run(
        ["make", "run", f"VENV={tmp_path / 'venv'}"],
        cwd=PROJECT,
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode
    assert sentence in refused.stderr
    assert not (tmp_path / "venv").exists()
