"""Another system of the house in tests: a small server on a real socket that takes events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any


@dataclass(slots=True)
class Receiver:
    """What came, and what is answered."""

    port: int = 0
    answers: int = 204
    location: str = ""
    drips: bool = False
    came: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/in?house=1"

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.came]


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Run a receiver."""
    state, hung_up = Receiver(), Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.came.append((dict(self.headers), body))
            if state.drips:
                self._drip()
                return
            self.send_response(state.answers)
            if state.location:
                self.send_header("Location", state.location)
            self.end_headers()

        def _drip(self) -> None:
            """Send a header that never ends, a byte at a time, until the other side hangs up."""
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            with suppress(OSError):
                while not hung_up.wait(0.02):
                    self.wfile.write(b"x")

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.port = server.server_port
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        hung_up.set()
        server.shutdown()
        server.server_close()
        thread.join()
