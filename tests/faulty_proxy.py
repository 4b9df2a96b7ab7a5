"""A proxy between the site and its database or broker that can be made to fail, byte by byte.

with FaultyProxy(path_of_the_real_socket) as proxy:
    proxy.hang()            # what is sent arrives nowhere, and nothing is answered
    proxy.drop()            # every line is cut, and no new one is taken
    proxy.delay(seconds)    # each answer comes late
    proxy.cut_answer_of(b"COMMIT")   # the request arrives and is done; its answer is lost
    proxy.heal()
"""

from __future__ import annotations

import select
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType


class FaultyProxy:
    """Listens on a port of this machine and passes everything on to one server, or does not."""

    def __init__(self, target: Path | tuple[str, int]) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._lines: list[socket.socket] = []
        self._healthy = threading.Event()
        self._healthy.set()
        self._is_dropped = False
        self._delay = 0.0
        self._cut_at = self._after = b""
        self._arrives = True
        self.cuts = 0
        self._is_over = False
        threading.Thread(target=self._accept, daemon=True).start()

    def hang(self) -> None:
        self._healthy.clear()

    def drop(self) -> None:
        self._is_dropped = True
        self._cut_all()

    def delay(self, seconds: float) -> None:
        self._delay = seconds

    def cut_answer_of(self, request: bytes, *, after: bytes = b"") -> None:
        """Cut all lines when this was asked and the server has done it; none is taken any more."""
        self._cut_at, self._after, self._arrives = request, after, True

    def cut_before(self, request: bytes, *, after: bytes = b"") -> None:
        """Cut all lines when this is asked, before the server hears of it."""
        self._cut_at, self._after, self._arrives = request, after, False

    def heal(self) -> None:
        self._is_dropped, self._delay, self._cut_at = False, 0.0, b""
        self._healthy.set()

    def __enter__(self) -> FaultyProxy:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_over = True
        self.heal()
        # A thread that waits for a line is not woken when its listener is closed.
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        self._listener.close()
        self._cut_all()

    def _cut_all(self) -> None:
        for line in self._lines:
            # Shut down, not closed: the thread that reads it hears of it and closes it.
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while True:
            try:
                line, _ = self._listener.accept()
            except OSError:
                # Closed before it was woken.
                return
            if self._is_over:
                line.close()
                return
            threading.Thread(target=self._serve, args=[line], daemon=True).start()

    def _serve(self, line: socket.socket) -> None:
        if self._is_dropped:
            line.close()
            return
        # A line that is taken while the server hangs is taken by its kernel: nothing is answered.
        self._healthy.wait()
        server = socket.socket(socket.AF_UNIX if isinstance(self._target, Path) else socket.AF_INET)
        # The server may be gone by the time that the proxy is well.
        with line, server, suppress(OSError):
            server.connect(str(self._target) if isinstance(self._target, Path) else self._target)
            self._lines += [line, server]
            self._pass_on(line, server)

    def _pass_on(self, line: socket.socket, server: socket.socket) -> None:
        is_cutting = False
        while not self._is_over:
            for ready in select.select([line, server], [], [], 0.5)[0]:
                data = ready.recv(65536)
                self._healthy.wait()
                if not data:
                    return
                if ready is line:
                    is_cutting = self._is_the_one(data)
                    if is_cutting and not self._arrives:
                        return self._cut()
                    server.sendall(data)
                elif is_cutting:
                    return self._cut()
                else:
                    time.sleep(self._delay)
                    line.sendall(data)

    def _is_the_one(self, data: bytes) -> bool:
        if not self._cut_at:
            return False
        if self._after and self._after in data:
            self._after = b""
        return not self._after and self._cut_at in data

    def _cut(self) -> None:
        self._cut_at = b""
        self.cuts += 1
        self.drop()
