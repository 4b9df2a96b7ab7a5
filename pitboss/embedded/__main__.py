"""The commands: `run` the site or a `cluster` of it, `manage` it, or `exec` with own servers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import FrameType

from pitboss.embedded.cluster import run_cluster
from pitboss.embedded.configuration import (
    PROJECT,
    CannotRun,
    read_configuration,
    refuse_foreign_servers,
)
from pitboss.embedded.processes import die_with_parent, end_with_parent
from pitboss.embedded.servers import OWNER, SUPERUSER, environ_beside, open_throwaway_servers
from pitboss.embedded.site import run

USAGE = (
    "Usage: python -m pitboss.embedded run | cluster | manage COMMAND [ARGUMENT ...] | "
    "exec -- COMMAND [ARGUMENT ...]"
)


def main(arguments: list[str]) -> int:
    """Do what the command line asks; return the exit code."""
    try:
        match arguments:
            case ["run", *options] if set(options) <= {"--with-parent"}:
                if options:
                    end_with_parent(signal.SIGTERM)
                run(read_configuration(os.environ))
                return 0
            case ["cluster", *options] if set(options) <= {"--with-parent"}:
                if options:
                    end_with_parent(signal.SIGTERM)
                run_cluster(read_configuration(os.environ, data=".data-cluster"))
                return 0
            case ["manage", *command] if command:
                return manage(command)
            case ["exec", "--", *command] if command:
                return execute(command)
            case _:
                raise CannotRun(USAGE)
    except CannotRun as error:
        print(error, file=sys.stderr)
        return 2


def manage(command: list[str]) -> int:
    """Run one of manage.py's commands beside the site that runs; return its exit code."""
    configuration = read_configuration(os.environ)
    environ = environ_beside(configuration.data) | {
        "PITBOSS_ENV": "demo",
        "PITBOSS_HOST": configuration.host,
        "PITBOSS_PORT": str(configuration.port),
    }
    process = subprocess.Popen([sys.executable, "manage.py", *command], env=environ, cwd=PROJECT)
    # Its Ctrl-C is the command's own: this process waits for it to end in its way.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: process.send_signal(number))
    return process.wait()


def execute(command: list[str]) -> int:
    """Run a command with PostgreSQL and Redis started for it alone; return its exit code."""
    refuse_foreign_servers(os.environ)
    servers = open_throwaway_servers()
    try:
        servers.start()
        environ = servers.environ() | {
            "PITBOSS_OWNER_DATABASE_URL": servers.database_url(OWNER),
            "PITBOSS_SUPERUSER_DATABASE_URL": servers.database_url(SUPERUSER),
            "PITBOSS_ENV": os.environ.get("PITBOSS_ENV", "test"),
        }
        # The command has the terminal, and gets its Ctrl-C; this process waits for it.
        process = subprocess.Popen(command, env=environ, preexec_fn=die_with_parent(signal.SIGTERM))

        def pass_on(number: int, frame: FrameType | None) -> None:
            process.send_signal(number)

        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, pass_on)
        return process.wait()
    finally:
        servers.stop()
        servers.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
