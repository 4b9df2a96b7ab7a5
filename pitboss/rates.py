"""How often someone may ask: one bucket for all web processes, kept where they all reach it.

A bucket fills evenly: short bursts pass, who runs wild is held off. While Redis is away each
process keeps its own, so that a pit goes on and no one gets more than a share from each process.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

from django.conf import settings
from django.db import connection
from redis import Redis, RedisError
from redis.commands.core import Script

# A terminal at a table waits for this: a Redis that is slow is as good as one that is away.
ANSWER_SECONDS = 0.2
# One that did not answer is not asked again at once, or every request would wait.
AWAY_SECONDS = 5.0
_KEPT_SECONDS = 180
_log = logging.getLogger(__name__)

# Read, fill, take and keep in one step, whichever process asks.
_TAKE = """
local most = tonumber(ARGV[1])
local at = tonumber(ARGV[2])
local kept = redis.call('HMGET', KEYS[1], 'left', 'since')
local left = tonumber(kept[1]) or most
local since = tonumber(kept[2]) or at
left = math.min(most, left + math.max(at - since, 0) * most / 60)
local is_allowed = left >= 1
if is_allowed then left = left - 1 end
redis.call('HSET', KEYS[1], 'left', tostring(left), 'since', tostring(math.max(at, since)))
redis.call('EXPIRE', KEYS[1], ARGV[3])
return {is_allowed and 1 or 0, tostring(left)}
"""

_own: dict[str, tuple[float, float]] = {}
_own_lock = Lock()
_away_until = 0.0


@dataclass(frozen=True, slots=True)
class BucketTaken:
    """What a bucket holds after one request was taken from it; 0 seconds to wait where it was."""

    a_minute: int
    left: float
    wait_seconds: float


def take(who: str, *, a_minute: int, at: float) -> BucketTaken:
    """Take one request from someone's bucket."""
    is_allowed, left = _shared(who, a_minute, at) or _of_this_process(who, a_minute, at)
    return BucketTaken(a_minute, left, 0 if is_allowed else (1 - left) * 60 / a_minute)


def forget() -> None:
    """Begin as a house does in which no one has asked for anything. For tests."""
    global _away_until
    _away_until = 0.0
    _own.clear()
    for key in _redis().scan_iter(match=_key("*")):
        _redis().delete(key)


def _shared(who: str, a_minute: int, at: float) -> tuple[bool, float] | None:
    """Ask the bucket of all processes; none while it is away."""
    global _away_until
    if time.monotonic() < _away_until:
        return None
    try:
        answer: Any = _taking()(
            keys=[_key(who)], args=[a_minute, repr(at), _KEPT_SECONDS], client=_redis()
        )
    except (RedisError, ValueError) as error:
        # Or the broker is something else, whose address Redis does not know.
        _away_until = time.monotonic() + AWAY_SECONDS
        _log.warning("Redis is away; each process counts on its own: %s", type(error).__name__)
        return None
    return answer[0] == 1, float(answer[1])


def _of_this_process(who: str, a_minute: int, at: float) -> tuple[bool, float]:
    with _own_lock:
        left, since = _own.get(who, (float(a_minute), at))
        left = min(a_minute, left + max(at - since, 0) * a_minute / 60)
        is_allowed = left >= 1
        left = left - 1 if is_allowed else left
        _own[who] = (left, at)
    return is_allowed, left


def _key(who: str) -> str:
    # Two houses may share a Redis, never a database.
    return f"pitboss:rate:{connection.settings_dict['NAME']}:{who}"


def address_of(broker_url: str) -> str:
    """Return the address of Redis, which Celery writes in its own way where it is a socket.

    >>> address_of("redis+socket:///run/redis.sock?virtual_host=2")
    'unix:///run/redis.sock?db=2'
    >>> address_of("redis://cache:6379/1")
    'redis://cache:6379/1'
    """
    if not broker_url.startswith("redis+socket://"):
        return broker_url
    return broker_url.replace("redis+socket", "unix", 1).replace("virtual_host=", "db=", 1)


@cache
def _redis() -> Redis:
    return Redis.from_url(
        address_of(settings.BROKER_URL),
        socket_connect_timeout=ANSWER_SECONDS,
        socket_timeout=ANSWER_SECONDS,
    )


@cache
def _taking() -> Script:
    """Return the script that takes one: Redis keeps it, and is only told which."""
    return _redis().register_script(_TAKE)
