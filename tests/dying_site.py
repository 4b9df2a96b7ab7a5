"""The site in a process of its own that dies, as by `kill -9`, at one point of a request.

python -m tests.dying_site PORT POINT
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any
from wsgiref.simple_server import make_server

import django


def die(*_: Any, **__: Any) -> None:
    """End at once, with nothing put away."""
    os.kill(os.getpid(), signal.SIGKILL)


def main(port: int, point: str) -> None:
    """Serve until the point is reached."""
    django.setup()
    from pitboss.services import once
    from pitboss.wsgi import application
    from tables.api import table, terminals

    if point == "before_commit":
        # The round is written, its answer is not, and nothing is committed.
        once.keep_answer = die  # type: ignore[assignment]
    elif point == "before_answer":
        # All is committed, and the terminal hears nothing of it.
        modules: tuple[Any, ...] = (table, terminals)
        for module in modules:
            module.as_response = die
    make_server("127.0.0.1", port, application).serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
