"""How long anything is waited for. What does not answer in its time is said to have failed.

A person at a table waits for no answer longer than this, and a node whose database hangs is well
again as soon as the database is: nothing has to be started anew by hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

CONNECT_SECONDS = 3
# Past this the machine at the other end is gone, not slow: what was sent is not even received.
UNRECEIVED_SECONDS = 8
# A connection that was kept is asked whether it still answers before it is used.
STILL_THERE_SECONDS = 2
BROKER_SECONDS = 3
# While no database takes writes, an act that may be sent again is sent again by the node itself:
# so often, and for so long after it came. Another server has taken over by then, or no one knows.
RESEND_EVERY_SECONDS = 1.0
RESEND_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a kind of process waits for the database, in seconds; 0 is without end."""

    statement: int
    lock: int
    idle_in_transaction: int
    transaction: int

    @property
    def answer(self) -> int | None:
        """For how long an answer is waited for: a server that hangs cannot end a statement itself.

        The answer of a COMMIT too, which no limit of the server ends.
        """
        return self.statement + 2 if self.statement else None

    def limits(self) -> list[tuple[str, int]]:
        """Return the limits by the server's own names for them."""
        return [
            ("statement_timeout", self.statement),
            ("lock_timeout", self.lock),
            ("idle_in_transaction_session_timeout", self.idle_in_transaction),
            ("transaction_timeout", self.transaction),
        ]

    def as_options(self) -> str:
        """Return the limits as a connection asks the server for them."""
        return " ".join(f"-c {name}={seconds}s" for name, seconds in self.limits())


# A web node answers people. A worker verifies and draws. A command migrates, restores, exports.
PATIENCE = {
    "web": Patience(statement=10, lock=3, idle_in_transaction=15, transaction=30),
    "worker": Patience(statement=240, lock=10, idle_in_transaction=240, transaction=290),
    "command": Patience(statement=0, lock=60, idle_in_transaction=0, transaction=0),
}


_KINDS = {
    "celery": "worker",
    "manage.py": "command",
    "django": "command",
    "django-admin": "command",
}


def process_kind(program: str) -> str:
    """Return what kind of process a program is, by its path: no variable that a child inherits.

    A module that was started by `-m` is named by its folder.
    """
    path = Path(program)
    return _KINDS.get(path.parent.name if path.name == "__main__.py" else path.name, "web")


# What a `PreparedCursor` is asked it has prepared at once; nothing else ever is.
PREPARES_FROM: Final = 5


def connection_options(patience: Patience, *, pooled: bool = False) -> dict[str, Any]:
    """Return what a connection to the database is made with.

    A pooler whose connections are shared has the server's limits itself: it takes no options, and
    what one of its connections has prepared another does not know.
    """
    options = (
        {} if pooled else {"options": patience.as_options(), "prepare_threshold": PREPARES_FROM}
    )
    return {
        "connect_timeout": CONNECT_SECONDS,
        "keepalives": 1,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": UNRECEIVED_SECONDS * 1000,
        **options,
    }


# How the connection to a standby is named among Django's, and what the server is asked for on it: a
# standby that was made the primary meanwhile takes no writes there either.
STANDBY: Final = "standby"
READS_ONLY: Final = "-c default_transaction_read_only=on"


def with_address(ours: dict[str, Any], of_address: dict[str, Any]) -> dict[str, Any]:
    """Return our options and those of the database's address, whose word goes before.

    Its own `options` come after our limits instead of in their place, and change those they name.

    >>> with_address({"options": "-c lock_timeout=3s"}, {"options": "-c search_path=pit"})
    {'options': '-c lock_timeout=3s -c search_path=pit'}
    >>> with_address({"options": "-c lock_timeout=3s"}, {"sslmode": "verify-full"})
    {'options': '-c lock_timeout=3s', 'sslmode': 'verify-full'}
    """
    both = [item["options"] for item in (ours, of_address) if item.get("options")]
    return ours | of_address | ({"options": " ".join(both)} if both else {})


def without_limit(options: str, name: str) -> str:
    """Return options without one limit, for a server that does not know it.

    >>> without_limit("-c lock_timeout=3s -c transaction_timeout=30s", "transaction_timeout")
    '-c lock_timeout=3s'
    """
    return re.sub(rf"\s*-c {name}=\S+", "", options)


def broker_options(kind: str) -> dict[str, Any]:
    """Return how long a kind of process waits for Redis.

    A web node only sends, after an act is stored and before a person is told so: a message that is
    not taken at once is left to the sweep. A worker waits for the next message meanwhile.
    """
    connect, answer = (1, 1) if kind == "web" else (BROKER_SECONDS, 10)
    return {
        "socket_connect_timeout": connect,
        "socket_timeout": answer,
        "socket_keepalive": True,
        "health_check_interval": 15,
    }
