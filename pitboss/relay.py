"""Pass a stream of events on from the process that holds it, where no proxy does.

Nothing of it takes a thread of the site. A proxy in front of the nodes leads there by itself.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from django.conf import settings

from pitboss.timeouts import CONNECT_SECONDS

# The one address that is passed on, and what of a request is.
PATH = "/api/v1/events"
_ASKED = ("accept", "authorization", "last-event-id")
_OWN = frozenset({"connection", "date", "keep-alive", "server", "transfer-encoding"})
_READ_BYTES = 16_384


class NotThere(Exception):
    """No process for events answers."""


async def relay(method: str, headers: list[tuple[str, str]], protocol: Any) -> None:
    """Have the process for events answer a request. Raises NotThere before anything was sent."""
    reader, writer = await _connected()
    try:
        status, answer = await _begun(reader, writer, method, headers)
        await _passed_on(reader, protocol, protocol.response_stream(status, answer))
    finally:
        writer.close()


async def _connected() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = settings.EVENTS_ADDRESS.rpartition(":")
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            if settings.EVENTS_ADDRESS.startswith("/"):
                return await asyncio.open_unix_connection(settings.EVENTS_ADDRESS)
            return await asyncio.open_connection(host, int(port))
    except (OSError, ValueError):
        raise NotThere from None


async def _begun(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    method: str,
    headers: list[tuple[str, str]],
) -> tuple[int, list[tuple[str, str]]]:
    """Ask, and return how the answer begins. Raises NotThere."""
    # An answer of HTTP/1.0 is what comes until its end: nothing is cut in chunks.
    lines = [f"{method} {PATH} HTTP/1.0", "host: events"]
    lines += [f"{name}: {value}" for name, value in headers if name in _ASKED]
    try:
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (OSError, UnicodeError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise NotThere from None
    first, *rest = head.strip().split("\r\n")
    named = [line.partition(":") for line in rest]
    answer = [(name.lower(), value.strip()) for name, _, value in named]
    return int(first.split(" ")[1]), [pair for pair in answer if pair[0] not in _OWN]


async def _passed_on(reader: asyncio.StreamReader, protocol: Any, transport: Any) -> None:
    """Pass on what comes until either end goes."""
    gone = asyncio.ensure_future(protocol.client_disconnect())
    passing = asyncio.ensure_future(_pass(reader, transport))
    try:
        await asyncio.wait({gone, passing}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        passing.cancel()
        with suppress(asyncio.CancelledError, OSError, RuntimeError):
            await passing


async def _pass(reader: asyncio.StreamReader, transport: Any) -> None:
    while part := await reader.read(_READ_BYTES):
        await transport.send_bytes(part)
