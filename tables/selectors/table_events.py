"""What tables are told, read from the journal: the heads of its chains, and the entries between."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import OperationalError, connection

from pitboss.rules.floor.table_events import HOUSE, METERS, SHARED_KINDS, Event, event_of
from pitboss.services import house

_HEADS: Final = """
    SELECT name, head_number, pg_is_in_recovery()
    FROM pitboss_journalchain WHERE table_id IS NOT NULL OR name = ANY(%s)
"""
_ENTRIES: Final = """
    SELECT entry.number, entry.at, entry.kind, entry.text::jsonb -> 'body',
           slip.details -> 'is' ->> 'name'
    FROM pitboss_journalentry AS entry
    JOIN pitboss_journalchain AS chain ON chain.id = entry.chain_id
    LEFT JOIN pitboss_slip AS slip ON slip.id = entry.slip_id AND slip.kind = 'table_change'
    WHERE chain.name = %s AND entry.number > %s AND entry.number <= %s
      AND (chain.table_id IS NOT NULL OR entry.kind = ANY(%s))
    ORDER BY entry.number
"""
_HELD: Final = """
    SELECT id, token_hash, next_token_hash, CASE WHEN old_token_until > %s THEN old_token_hash END
    FROM pitboss_device
    WHERE id = ANY(%s) AND revoked_at IS NULL AND token_ends_at > %s
"""


@dataclass(frozen=True, slots=True)
class ChainEvent:
    """An entry of a chain, and what it tells of."""

    number: int
    event: Event
    at: datetime
    # The one table that an entry of all tables' chain is about; none where it is about all.
    table: str | None


def chain_heads() -> dict[str, int]:
    """Return the number of the last entry of each chain that terminals hear of.

    Raises OperationalError on a server that others have taken over from: it knows of no news.
    """
    with connection.cursor() as cursor:
        cursor.execute(_HEADS, [[METERS, HOUSE]])
        rows = cursor.fetchall()
    if any(is_standby for _, _, is_standby in rows):
        raise OperationalError("this server is a standby")
    return {name: number for name, number, _ in rows}


def told_between(chain: str, after: int, through: int) -> list[ChainEvent]:
    """Return what a chain tells terminals after one entry, up to another."""
    with connection.cursor() as cursor:
        cursor.execute(_ENTRIES, [chain, after, through, list(SHARED_KINDS)])
        rows = cursor.fetchall()
    told = []
    for number, at, kind, body, table in rows:
        if (event := event_of(kind, _read(body))) is not None:
            told.append(ChainEvent(number, event, at, table))
    return told


def _read(body: Any) -> Mapping[str, Any]:
    read: Mapping[str, Any] = json.loads(body) if isinstance(body, str) else body
    return read


def tokens_held(device_ids: Iterable[int]) -> dict[int, frozenset[str]]:
    """Return, of devices that were not put out, the hashes of the tokens that still open."""
    now = house.now()
    with connection.cursor() as cursor:
        cursor.execute(_HELD, [now, list(device_ids), now])
        rows = cursor.fetchall()
    return {row[0]: frozenset(filter(None, row[1:])) for row in rows}
