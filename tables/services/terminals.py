"""Which terminal calls, and what its table stands on at that moment: one query for both."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from pitboss.models import Device, Table
from pitboss.models.plain import read_prepared
from pitboss.models.sealed import note_altered
from pitboss.rules.canonical import digest, is_plain
from pitboss.rules.games.table_orders import Order, order_of
from pitboss.services import house
from pitboss.services.devices import device_by_token

# Asked at every request of every terminal, and so written out: the ORM would take longer to write
# it each time than the database takes to answer.
# The device is read whole: its seal covers all of it.
_DEVICE: Final = tuple(field.attname for field in Device._meta.concrete_fields)
_TABLE: Final = (
    "id",
    "name",
    "pit_id",
    "game",
    "decks",
    "minimum_cents",
    "maximum_cents",
    "is_open",
    "tray_sequence",
)
_TERMINAL_SQL: Final = f"""
    SELECT {", ".join(f"device.{column}" for column in _DEVICE)},
           {", ".join(f"at.{column}" for column in _TABLE)},
           md5(at.setup::text),
           (SELECT max(id) FROM pitboss_settingvalue),
           dealing.dealer_id,
           property.time_zone,
           rules.id,
           dealt.started_at,
           (SELECT jsonb_agg(jsonb_build_array(entry_id, kind, facts, holds_until) ORDER BY id)
            FROM tables_tableorder WHERE table_id = at.id AND ended_at IS NULL)
    FROM pitboss_device AS device
    JOIN pitboss_table AS at ON at.id = device.table_id
    LEFT JOIN tables_dealing AS dealing ON dealing.table_id = at.id AND dealing.ended_at IS NULL
    LEFT JOIN tables_round AS dealt ON dealt.table_id = at.id AND dealt.ended_at IS NULL
    LEFT JOIN LATERAL (
        SELECT id FROM pitboss_rulesversion
        WHERE table_id = at.id AND from_at <= coalesce(dealt.started_at, %s)
        ORDER BY id DESC LIMIT 1
    ) AS rules ON TRUE
    CROSS JOIN pitboss_property AS property
    WHERE device.token_hash = %s AND device.revoked_at IS NULL AND device.token_ends_at > %s
"""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal and its table, with the versions of all that its table is judged by.

    Of the table, set-up and par are left out until someone asks: a version says which they are.
    """

    device: Device
    table: Table
    setup_version: str
    settings_version: int
    dealer_id: int | None
    # The house's own time: it says on which day something is paid.
    zone: ZoneInfo
    # The version of its rules: of the round that is dealt, which goes on as it began, else of now.
    rules_version: int | None = None
    round_began: datetime | None = None
    # What the supervisor ordered that no one has ended, and until when it holds.
    standing: tuple[tuple[Order, datetime | None], ...] = ()

    def orders_at(self, now: datetime) -> tuple[Order, ...]:
        """Return the orders that hold now."""
        return tuple(order for order, until in self.standing if until is None or now < until)


def _read(token_hash: str) -> Any:
    now = house.now()
    return read_prepared(_TERMINAL_SQL, [now, token_hash, now])


def terminal_by_token(token: str) -> Terminal | None:
    """Return the terminal that holds a token, unless it was put out or the token has ended."""
    if not is_plain(token):
        return None
    row = _read(digest(token))
    if row is None:
        # A token that follows another is taken up at its first use.
        device = device_by_token(token)
        row = _read(device.token_hash) if device is not None else None
    if row is None:
        return None
    device = Device.from_db("default", _DEVICE, row[: len(_DEVICE)])
    if not device.is_sealed():
        note_altered(device)
        return None
    table = Table.from_db("default", _TABLE, row[len(_DEVICE) : len(_DEVICE) + len(_TABLE)])
    versions = row[len(_DEVICE) + len(_TABLE) :]
    setup_version, settings_version, dealer_id, time_zone, rules, began, standing = versions
    return Terminal(
        device=device,
        table=table,
        setup_version=setup_version,
        settings_version=settings_version or 0,
        dealer_id=dealer_id,
        zone=ZoneInfo(time_zone),
        rules_version=rules,
        round_began=began,
        standing=_standing(standing) if standing else (),
    )


def _standing(text: str) -> tuple[tuple[Order, datetime | None], ...]:
    return tuple(
        (order_of(number, kind, facts), datetime.fromisoformat(until) if until else None)
        for number, kind, facts, until in json.loads(text)
    )
