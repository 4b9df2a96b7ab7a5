"""Streams of events: one look at the journal's heads for all terminals, many times a second.

Nothing is kept here that the journal does not have. A terminal that comes again says how far it has
heard, to this process or to that of any other node, and is told what it missed.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import Error, connection

from pitboss.rules.floor.table_events import (
    HOUSE,
    METERS,
    EventName,
    FeedPlace,
    block,
    must_reset,
)
from tables.selectors.table_events import ChainEvent, chain_heads, tokens_held, told_between

# An event is at the terminal within 300 ms of its commit, and 500 streams cost one query here.
LOOK_SECONDS = 0.07
# Proxies end what is silent for longer; it says how far the stream has come, too.
BEAT_SECONDS = 15.0
# A device that was put out, or whose token was replaced, hears no more after so long.
TOKENS_SECONDS = 5.0
# Another server takes over within this, and then streams go on; else terminals ask elsewhere.
AWAY_SECONDS = 30.0
STREAMS_MAX = 2_000
# A line that broke unseen leaves a stream behind: the newest ones of a terminal count.
STREAMS_OF_ONE_MAX = 3
# A terminal that reads slower than its table acts is ended, and comes again with its place.
WAITING_MAX = 2_000

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


@dataclass(eq=False, slots=True)
class Stream:
    """One terminal that listens."""

    device_id: int
    token_hash: str
    table_id: int
    table: str
    place: FeedPlace
    blocks: asyncio.Queue[bytes | None] = field(default_factory=asyncio.Queue)
    is_ended: bool = False

    @property
    def chains(self) -> tuple[str, str, str]:
        """The chains that it hears."""
        return f"table:{self.table_id}", METERS, HOUSE

    def tell(self, chain: str, told: ChainEvent, data: str) -> None:
        """Put an event in line, unless the terminal has heard it or it is about another table."""
        if told.number <= self.place.of(chain) or told.table not in (None, self.table):
            return
        self.place = self.place.after(chain, told.number)
        self._put(block(self.place, told.event.name, data))

    def reset(self, place: FeedPlace) -> None:
        """Have the terminal read everything again, from a place on."""
        self.place = place
        self._put(block(place, EventName.RESET, json.dumps({"table": self.table})))

    def end(self) -> None:
        """End the stream once what is in line was sent."""
        if not self.is_ended:
            self.is_ended = True
            self.blocks.put_nowait(None)

    def _put(self, told: bytes) -> None:
        if self.blocks.qsize() >= WAITING_MAX:
            self.end()
        if not self.is_ended:
            self.blocks.put_nowait(told)


class TooManyStreams(Exception):
    """This process has as many streams as it takes."""


class Hub:
    """All streams of a process, and the one thread in which it asks the database."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "events")
        self._streams: dict[int, list[Stream]] = {}
        self._heads: dict[str, int] = {}
        self._turn = asyncio.Lock()
        self._watching: asyncio.Task[None] | None = None
        self._answered_at = 0.0

    def streams(self) -> list[Stream]:
        """Return every stream."""
        return [stream for streams in self._streams.values() for stream in streams]

    async def ask(self, asked: Callable[..., _T], *arguments: Any) -> _T:
        """Ask the database in its thread. A connection that failed is not used again."""

        def answer() -> _T:
            try:
                return asked(*arguments)
            except Error:
                connection.close()
                raise

        return await asyncio.get_running_loop().run_in_executor(self._thread, answer)

    async def open(self, stream: Stream, heard: FeedPlace | None) -> None:
        """Let a terminal listen, and tell it first what it missed. Raises TooManyStreams, Error."""
        if len(self.streams()) >= STREAMS_MAX:
            raise TooManyStreams
        async with self._turn:
            await self._look()
            stream.place = heads = self._place_of(stream)
            if heard is not None and must_reset(heard, heads):
                stream.reset(heads)
            elif heard is not None:
                stream.place = heard
                for chain in stream.chains:
                    if heard.of(chain) < heads.of(chain):
                        await self._catch_up(stream, chain, heads.of(chain))
            own = self._streams.setdefault(stream.table_id, [])
            of_device = [item for item in own if item.device_id == stream.device_id]
            for old in of_device[: len(of_device) + 1 - STREAMS_OF_ONE_MAX]:
                old.end()
                own.remove(old)
            own.append(stream)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())
            self._watching.add_done_callback(self._has_stopped)

    def leave(self, stream: Stream) -> None:
        """Forget a stream that has ended."""
        own = self._streams.get(stream.table_id, [])
        if stream in own:
            own.remove(stream)
        if not own:
            self._streams.pop(stream.table_id, None)

    def end_all(self) -> None:
        """End every stream: terminals come again, here or elsewhere."""
        for stream in self.streams():
            stream.end()

    async def close(self) -> None:
        """End every stream and stop looking."""
        self.end_all()
        if self._watching is not None:
            self._watching.cancel()
        self._thread.shutdown(wait=True)

    def _has_stopped(self, task: asyncio.Task[None]) -> None:
        """End every stream where looking failed: one that hears nothing must not seem open."""
        if not task.cancelled() and task.exception() is not None:
            _log.error("Looking for events failed", exc_info=task.exception())
            self.end_all()

    async def _watch(self) -> None:
        """Look for news for as long as anybody listens."""
        loop = asyncio.get_running_loop()
        self._answered_at = checked_at = loop.time()
        while self._streams:
            try:
                async with self._turn:
                    await self._look()
                    if loop.time() - checked_at >= TOKENS_SECONDS:
                        await self._end_removed()
                        checked_at = loop.time()
                self._answered_at = loop.time()
            except Error as error:
                self._while_away(error, loop.time())
            await asyncio.sleep(LOOK_SECONDS)

    def _while_away(self, error: Exception, now: float) -> None:
        """Keep streams for as long as another server may take over; then let terminals go."""
        if now - self._answered_at < AWAY_SECONDS:
            return
        _log.warning("The database is away; all streams end: %s", type(error).__name__)
        self.end_all()
        self._answered_at = now

    async def _look(self) -> None:
        """Read the heads, and tell each stream what is new in the chains that it hears."""
        heads = await self.ask(chain_heads)
        before, listening = self._heads, self.streams()
        heard = {chain for stream in listening for chain in stream.chains}
        news = {}
        for chain in heard:
            if before[chain] < heads[chain]:
                news[chain] = await self.ask(told_between, chain, before[chain], heads[chain])
        # Told only once all of it was read: a failure between would leave a hole.
        self._heads = heads
        for chain, told in news.items():
            said = [(chain_event, said_of(chain_event)) for chain_event in told]
            for stream in listening:
                if chain not in stream.chains:
                    continue
                for chain_event, data in said:
                    stream.tell(chain, chain_event, data(stream.table))
                stream.place = stream.place.after(chain, heads[chain])
        for stream in listening:
            # After a backup was restored the journal is shorter than it was.
            if any(heads[chain] < before[chain] for chain in stream.chains):
                stream.reset(self._place_of(stream))

    async def _catch_up(self, stream: Stream, chain: str, through: int) -> None:
        for chain_event in await self.ask(told_between, chain, stream.place.of(chain), through):
            stream.tell(chain, chain_event, said_of(chain_event)(stream.table))
        stream.place = stream.place.after(chain, through)

    async def _end_removed(self) -> None:
        """End the streams of devices that were put out, and of tokens that no longer open."""
        streams = self.streams()
        held = await self.ask(tokens_held, {stream.device_id for stream in streams})
        for stream in streams:
            if stream.token_hash not in held.get(stream.device_id, ()):
                stream.end()

    def _place_of(self, stream: Stream) -> FeedPlace:
        table, meters, house = (self._heads[chain] for chain in stream.chains)
        return FeedPlace(table, meters, house)


def said_of(chain_event: ChainEvent) -> Callable[[str], str]:
    """Return what an event carries, but for the table that hears it."""
    facts = {"at": chain_event.at.isoformat(), **chain_event.event.facts}
    return lambda table: json.dumps({"table": table, **facts})
