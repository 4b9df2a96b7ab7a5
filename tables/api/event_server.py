"""The process that holds the streams of events open, so that no thread of the web nodes does."""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from django.db import Error

from pitboss.api_auth import SCHEME
from pitboss.faults import fault_of
from pitboss.problems import problem_document
from pitboss.relay import PATH
from pitboss.request_log import HEADER, new_number
from pitboss.rules.canonical import digest
from pitboss.rules.floor.table_events import FeedPlace, block
from pitboss.services import house
from pitboss.services.devices import note_seen
from tables.api.events import TOO_MANY, WHERE_FROM
from tables.api.streams import BEAT_SECONDS, Hub, Stream, TooManyStreams
from tables.api.terminals import take_of
from tables.services.terminals import terminal_by_token

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

# A terminal whose stream ended asks again after so long.
RETRY_MILLISECONDS = 2_000
_log = logging.getLogger("pitboss.request")


class NotStreamed(Exception):
    """A request that is answered with a problem."""

    def __init__(self, status: int, code: str, sentence: str, retry_seconds: int = 0) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.retry_seconds = retry_seconds


class EventServer:
    """Answer `GET /api/v1/events` with a stream, and how it is with `GET /livez`."""

    def __init__(self) -> None:
        self._hub: Hub | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    @property
    def hub(self) -> Hub:
        """The streams of this process; made in the loop that serves them."""
        if self._hub is None:
            self._hub = Hub()
        return self._hub

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self.hub.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        number = new_number()
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        try:
            if scope["path"] == "/livez":
                await _send_whole(send, 200, "text/plain", number, b"ok")
                return
            _demand_route(scope)
            stream = await self._opened(headers)
        except NotStreamed as refused:
            reasons = [{"code": refused.code, "message": str(refused)}]
            document = problem_document(refused.status, str(refused), reasons)
            more = _more_headers(refused)
            content = json.dumps(document).encode()
            await _send_whole(
                send, refused.status, "application/problem+json", number, content, more
            )
            return
        try:
            await self._stream(stream, receive, send, number)
        finally:
            self.hub.leave(stream)

    async def _opened(self, headers: dict[str, str]) -> Stream:
        """Return the stream of whoever asks. Raises NotStreamed."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            raise NotStreamed(401, "not_authenticated", "There is no token.")
        text = headers.get(WHERE_FROM.lower(), "").strip()
        heard = FeedPlace.read(text) if text else None
        if text and heard is None:
            raise NotStreamed(
                400, "bad_event_id", f"{WHERE_FROM} is the id of the last event that you have."
            )
        try:
            stream = await self.hub.ask(_admitted, token.strip())
            await self.hub.open(stream, heard)
        except Error as error:
            fault = fault_of(error)
            raise NotStreamed(
                fault.status, fault.code, fault.sentence, fault.retry_seconds or 0
            ) from None
        except TooManyStreams:
            raise NotStreamed(503, TOO_MANY, "Too many streams are open here.", 10) from None
        return stream

    async def _stream(self, stream: Stream, receive: Receive, send: Send, number: str) -> None:
        """Send what there is to tell until either end goes."""
        _log.info("GET %s opened for %s, %s", PATH, stream.table, number)
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [
                    (b"content-type", b"text/event-stream"),
                    (b"cache-control", b"no-store"),
                    # nginx passes each event on as it comes.
                    (b"x-accel-buffering", b"no"),
                    (HEADER.lower().encode(), number.encode()),
                ],
            }
        )
        begin = f"retry: {RETRY_MILLISECONDS}\n".encode()
        if stream.blocks.empty():
            begin += block(stream.place)
        leaving = asyncio.create_task(_until_gone(receive, stream))
        try:
            await send({"type": "http.response.body", "body": begin, "more_body": True})
            while (told := await _next(stream)) is not None:
                await send({"type": "http.response.body", "body": told, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except OSError:
            # The other end has gone while it was told something.
            pass
        finally:
            leaving.cancel()
            _log.info("GET %s ended for %s, %s", PATH, stream.table, number)


async def _next(stream: Stream) -> bytes | None:
    """Return what comes next: an event, or after a while how far the stream is; none at its end."""
    try:
        async with asyncio.timeout(BEAT_SECONDS):
            return await stream.blocks.get()
    except TimeoutError:
        return block(stream.place)


async def _until_gone(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


def _admitted(token: str) -> Stream:
    """Return the stream of the terminal that holds a token. Raises NotStreamed."""
    terminal = terminal_by_token(token)
    if terminal is None:
        sentence = "This token doesn’t belong to a terminal. Enroll the terminal again."
        raise NotStreamed(401, "authentication_failed", sentence)
    wait = take_of(terminal).wait_seconds
    if wait:
        raise NotStreamed(429, "throttled", "Too many requests.", math.ceil(wait))
    note_seen(terminal.device, house.now())
    table = terminal.table
    return Stream(terminal.device.pk, digest(token), table.pk, table.name, FeedPlace(0, 0, 0))


def _demand_route(scope: Message) -> None:
    if scope["path"] != PATH:
        raise NotStreamed(404, "not_found", "There is nothing at this address.")
    if scope["method"] != "GET":
        raise NotStreamed(405, "method_not_allowed", "This address does not take that method.")


def _more_headers(refused: NotStreamed) -> list[tuple[bytes, bytes]]:
    if refused.status == 401:
        return [(b"www-authenticate", SCHEME.encode())]
    if refused.status == 405:
        return [(b"allow", b"GET")]
    if refused.retry_seconds:
        return [(b"retry-after", str(refused.retry_seconds).encode())]
    return []


async def _send_whole(
    send: Send,
    status: int,
    kind: str,
    number: str,
    content: bytes,
    more: list[tuple[bytes, bytes]] | None = None,
) -> None:
    headers = [
        (b"content-type", kind.encode()),
        (b"cache-control", b"no-store"),
        (HEADER.lower().encode(), number.encode()),
        *(more or []),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content, "more_body": False})
