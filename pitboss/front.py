"""What the web server calls: a request reaches a thread of the site only when all of it is here.

The site answers in a few threads. A body that drips in would hold one for as long as its sender
likes, and sixteen of them held the whole floor. So bodies are read here, beside the threads, within
a time and a size, and only so many at once from one address.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import Any, Protocol

from django.conf import settings

from pitboss.faults import RESEND
from pitboss.problems import problem_document
from pitboss.relay import PATH, NotThere, relay
from pitboss.request_log import HEADER, new_number
from pitboss.rules.people.sources import source_of
from pitboss.timeouts import RESEND_EVERY_SECONDS, RESEND_SECONDS
from pitboss.wsgi import application

# The largest thing sent is the picture of a patron's paper; its own page refuses above two million.
BODY_BYTES_MAX = 5_000_000
# More than any tablet sends at once, in one process of the server.
BODIES_OF_ONE_MAX = 16
BODIES_MAX = 128

Headers = list[tuple[str, str]]
Answer = tuple[int, Headers, bytes]


class ServerScope(Protocol):
    """What the server says of a request."""

    http_version: str
    server: str
    client: str
    scheme: str
    method: str
    path: str
    query_string: str

    @property
    def headers(self) -> Any: ...


class NotTaken(Exception):
    """A request that is answered here, since no thread of the site should see it."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code


class Front:
    """Take requests of the server, and have the site answer them in its threads."""

    def __init__(self, site: Callable[..., Iterable[bytes]]) -> None:
        self._site = site
        self._reading: Counter[str] = Counter()
        self._threads = ThreadPoolExecutor(settings.WEB_THREADS, "site")

    async def __rsgi__(self, scope: ServerScope, protocol: Any) -> None:
        headers = scope.headers.items()
        if scope.path == PATH and settings.EVENTS_ADDRESS:
            # Where no one answers, the site says what to do instead.
            with suppress(NotThere):
                return await relay(scope.method, headers, protocol)
        try:
            body = await self._body(scope, headers, protocol)
        except NotTaken as refused:
            protocol.response_bytes(refused.status, *_refusal(scope, refused))
            return
        status, answer, content = await self._answered(_environ(scope, headers), body)
        protocol.response_bytes(status, answer, content)

    def __rsgi_del__(self, loop: Any) -> None:
        """Let what is under way end before the process does."""
        self._threads.shutdown(wait=True)

    async def _body(self, scope: ServerScope, headers: Headers, protocol: Any) -> bytes:
        """Return the whole body of a request. Raises NotTaken."""
        named = dict(headers)
        length = named.get("content-length", "")
        if length in ("", "0") and "transfer-encoding" not in named:
            return b""
        if length.isdecimal() and int(length) > BODY_BYTES_MAX:
            raise _too_large()
        with self._turn(_source(scope, named)):
            try:
                async with asyncio.timeout(settings.BODY_SECONDS):
                    body = await _read(protocol)
            except TimeoutError:
                raise NotTaken(
                    408, "body_too_slow", "What you sent took too long. Send it again."
                ) from None
        if length and length != str(len(body)):
            raise NotTaken(400, "body_cut_short", "Only a part of this arrived. Send it again.")
        return body

    @contextmanager
    def _turn(self, source: str) -> Iterator[None]:
        """Read one more body of an address, unless it has too many under way. Raises NotTaken."""
        if self._reading[source] >= BODIES_OF_ONE_MAX or self._reading.total() >= BODIES_MAX:
            raise NotTaken(503, "too_many_bodies", "Too many requests. Send it again in a moment.")
        self._reading[source] += 1
        try:
            yield
        finally:
            self._reading[source] -= 1
            if not self._reading[source]:
                del self._reading[source]

    async def _answered(self, environ: dict[str, Any], body: bytes) -> Answer:
        """Return the answer of the site, made in one of its threads.

        An act with a key is sent again here until a database takes writes, as its sender would do.
        No thread is kept by it.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + RESEND_SECONDS
        while True:
            sent = {**environ, "CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body)}
            answer = await loop.run_in_executor(self._threads, self._answer, sent)
            if not sent.get(RESEND) or loop.time() + RESEND_EVERY_SECONDS > until:
                return answer
            await asyncio.sleep(RESEND_EVERY_SECONDS)

    def _answer(self, environ: dict[str, Any]) -> Answer:
        """Return what the site answers. None of its answers is a stream."""
        told: list[tuple[int, Headers]] = []

        def begin(status: str, headers: Headers, exc_info: Any = None) -> None:
            told.append((int(status.split(" ", 1)[0]), headers))

        answer = self._site(environ, begin)
        try:
            content = b"".join(answer)
        finally:
            if hasattr(answer, "close"):
                answer.close()
        status, headers = told[-1]
        return status, headers, content


async def _read(protocol: Any) -> bytes:
    parts = bytearray()
    async for part in protocol:
        parts += part
        if len(parts) > BODY_BYTES_MAX:
            raise _too_large()
    return bytes(parts)


def _too_large() -> NotTaken:
    return NotTaken(413, "body_too_large", "This is too large. Send at most 2 MB.")


def _refusal(scope: ServerScope, refused: NotTaken) -> tuple[Headers, bytes]:
    """Return a refusal as people read it, or as programs do, with a number to report it by."""
    headers = [("connection", "close"), (HEADER.lower(), new_number())]
    if not scope.path.startswith("/api/"):
        return [("content-type", "text/plain; charset=utf-8"), *headers], str(refused).encode()
    reasons = [{"code": refused.code, "message": str(refused)}]
    document = problem_document(refused.status, str(refused), reasons)
    return [("content-type", "application/problem+json"), *headers], json.dumps(document).encode()


def _peer(scope: ServerScope) -> str:
    """Return the address of the person who is at the other end of the line, without its port."""
    return scope.client.rpartition(":")[0].strip("[]")


def _source(scope: ServerScope, headers: dict[str, str]) -> str:
    return source_of(
        peer=_peer(scope),
        forwarded_for=headers.get("x-forwarded-for", ""),
        trusted=settings.TRUSTED_PROXIES,
    )


_BASE = {
    "GATEWAY_INTERFACE": "CGI/1.1",
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "granian",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}


def _environ(scope: ServerScope, headers: Headers) -> dict[str, Any]:
    """Return a request as the site reads it, but for its body.

    The server's own environment is no part of it: a variable HTTP_PROXY would pass for a header.
    """
    host, _, port = scope.server.rpartition(":")
    environ: dict[str, Any] = {
        **_BASE,
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "REMOTE_ADDR": _peer(scope),
        "wsgi.url_scheme": scope.scheme,
    }
    for name, value in headers:
        # A header with an underscore would pass for the one with a hyphen that a proxy sets.
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
        joint = "; " if name == "cookie" else ","
        environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
    return environ


front = Front(application)
