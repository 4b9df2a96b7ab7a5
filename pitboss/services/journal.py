"""Write the journal: one entry an act, chained by an HMAC that the database cannot make."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from pitboss.confidential import COMPLIANCE_CHAIN
from pitboss.metrics import count_act
from pitboss.models import Device, JournalChain, JournalEntry, Person, Slip, Table
from pitboss.models.plain import (
    Statement,
    columns,
    in_one_trip,
    inserting,
    read_row,
    stored,
)
from pitboss.models.sealed import Sealed, take_unvouched, vouches_for_the_rest
from pitboss.row_text import marked, plain_digest, plain_time
from pitboss.rules.canonical import canonical
from pitboss.services.locks import or_busy
from pitboss.services.pads import attested_now
from pitboss.services.source import source

# Anyone who writes an instant into a body or a slip writes it as the journal does.
__all__ = ["plain_digest", "plain_time"]

CAGE = "cage"
CARDS = "cards"
PEOPLE = "people"
METERS = "meters"
HOUSE = "house"
DESKS = (CAGE, CARDS, PEOPLE, METERS, HOUSE, COMPLIANCE_CHAIN)

# Columns that move on after a row was written, and so are no part of what its entry vouches for.
_PENCIL = {"pitboss.Slip": {"status"}}


def chain_of(table: Table | None, desk: str) -> str:
    """Return the chain an act belongs to: its table's, else a desk's."""
    return f"table:{table.pk}" if table is not None else desk


def _table_id(chain: str) -> int | None:
    return int(chain.removeprefix("table:")) if chain.startswith("table:") else None


def make_link(key: bytes, previous: str, text: str) -> str:
    """Return the link of an entry: an HMAC over the link before it and its own text."""
    mac = _keyed(key).copy()
    mac.update(f"{previous}\n{text}".encode())
    return mac.hexdigest()


@lru_cache(maxsize=16)
def _keyed(key: bytes) -> hmac.HMAC:
    """Return the MAC with its key worked in: that is half of the work of a link."""
    return hmac.new(key, digestmod=hashlib.sha256)


def inked_columns(model: type[models.Model]) -> list[str]:
    """Return the columns of a row that its journal entry vouches for."""
    pencil = _PENCIL.get(model._meta.label, set())
    return [f.attname for f in model._meta.concrete_fields if f.attname not in pencil]


def row_digest(values: Iterable[Any]) -> str:
    """Return the hash of a row's inked columns, in their order."""
    return plain_digest(marked(value) for value in values)


def vouch(rows: Iterable[models.Model]) -> list[list[Any]]:
    """Return what an entry stores to vouch for rows: model, key and hash of each.

    Of a row that carries a seal also its version: the newest is the one that must stand there.
    """
    return [_vouched(row) for row in rows]


def _vouched(row: models.Model) -> list[Any]:
    if isinstance(row, Sealed):
        return [row._meta.label, row.pk, row.digest, row.version]
    columns = inked_columns(type(row))
    return [row._meta.label, row.pk, row_digest(getattr(row, column) for column in columns)]


@cache
def _locking_head() -> str:
    return f"""
        SELECT {columns(JournalChain, "head")} FROM pitboss_journalchain AS head
        WHERE head.name = %s FOR UPDATE
    """


def locking_head(chain: str) -> Statement:
    """Return what locks the head of a chain: for an act that locks nothing more after it."""
    return _locking_head(), [chain]


@transaction.atomic(savepoint=False)
def write(
    *,
    chain: str,
    kind: str,
    body: Mapping[str, Any],
    at: datetime,
    person: Person | None = None,
    device: Device | None = None,
    slip: Slip | None = None,
    rows: Iterable[models.Model] = (),
    before: Sequence[Statement] = (),
    head_rows: Sequence[tuple[Any, ...]] | None = None,
) -> JournalEntry:
    """Append one entry to a chain, under the lock of its head. Call it last in a transaction.

    `before` is written in one trip with that lock, and before it is had; or with the entry, where
    the act has locked the head and gives what it read. The entry vouches for the rows in ink that
    it is given, and for every sealed row that was written.

    `at` was read before the lock was had, by the clock of one of many nodes. A chain never goes
    back in time: where `at` is before the entry before, the entry is of that one's time and says
    what the clock said.
    """
    if head_rows is None:
        with or_busy(_table_id(chain)):
            *_, head_rows = in_one_trip(*before, locking_head(chain))
        before = ()
    head = read_row(JournalChain, head_rows[0]) if head_rows else None
    if head is None:
        raise JournalChain.DoesNotExist
    number = head.head_number + 1
    clock, at = at, max(at, head.head_at or at)
    text = canonical(
        {
            "chain": chain,
            "number": number,
            "at": plain_time(at),
            "kind": kind,
            "person": person.pk if person else None,
            "badge": person.badge if person else None,
            "slip": slip.pk if slip else None,
            "where": device.where() if device else None,
            **({"from": source()} if source() else {}),
            "body": body,
            **({"attested": attested} if (attested := attested_now()) else {}),
            "rows": vouch([*rows, *take_unvouched()]),
            # From this version of an entry on, time never falls.
            "v": 2,
            **({} if clock == at else {"clock": plain_time(clock)}),
        }
    )
    keys = settings.KEYS
    link = make_link(keys.journal_keys[keys.journal_key_name], head.head_link, text)
    entry = JournalEntry(
        # Numbers of its own, below zero: a gap among the others would tell that it was written.
        id=-number if chain == COMPLIANCE_CHAIN else None,
        chain=head,
        number=number,
        at=at,
        kind=kind,
        person=person,
        slip=slip,
        text=text,
        key_name=keys.journal_key_name,
        link=link,
    )
    storing, values = inserting(entry)
    # The head comes after its entry: the database refuses one that is no entry of its chain.
    *_, made = in_one_trip(
        *before,
        (
            f"WITH entry AS ({storing} RETURNING id, chain_id, number, link)"
            " UPDATE pitboss_journalchain AS head"
            " SET head_number = entry.number, head_link = entry.link"
            " FROM entry WHERE head.id = entry.chain_id RETURNING entry.id",
            values,
        ),
    )
    stored(entry, made[0][0])
    head.head_number, head.head_link = number, link
    # That something was noted there is no one's business, not even as a number.
    if chain != COMPLIANCE_CHAIN:
        count_act(kind)
    return entry


@vouches_for_the_rest
def _vouch_alone(row: Sealed) -> None:
    """Vouch for a sealed row that was written outside every act, so that none is left out."""
    write(
        chain=HOUSE,
        kind="row_written",
        body={"model": row._meta.label, "row": row.pk},
        at=timezone.now(),
        rows=[row],
    )
