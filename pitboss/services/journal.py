"""Write the journal: one entry an act, chained by an HMAC that the database cannot make."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import models, transaction

from pitboss.models import Device, JournalChain, JournalEntry, Person, Slip, Table
from pitboss.rules.canonical import canonical, digest

CAGE = "cage"
CARDS = "cards"
PEOPLE = "people"
METERS = "meters"
HOUSE = "house"
DESKS = (CAGE, CARDS, PEOPLE, METERS, HOUSE)

# Columns that move on after a row was written, and so are no part of what its entry vouches for.
_PENCIL = {"pitboss.Slip": {"status"}}


def chain_of(table: Table | None, desk: str) -> str:
    """Return the chain an act belongs to: its table's, else a desk's."""
    return f"table:{table.pk}" if table is not None else desk


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
    return plain_digest(_marked(value) for value in values)


def plain_digest(texts: Iterable[str]) -> str:
    """Return the hash of columns given as texts: "-" for none, "+" and its text for a value.

    They are joined by NUL, which no text in the database can hold, so that nothing can move
    from one column into its neighbour unseen.
    """
    return digest("\x00".join(texts))


def vouch(rows: Iterable[models.Model]) -> list[list[Any]]:
    """Return what an entry stores to vouch for rows: model, key and hash of each."""
    return [
        [
            row._meta.label,
            row.pk,
            row_digest(getattr(row, column) for column in inked_columns(type(row))),
        ]
        for row in rows
    ]


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
) -> JournalEntry:
    """Append one entry to a chain, under the lock of its head. Call it last in a transaction."""
    head = JournalChain.objects.select_for_update().get(name=chain)
    number = head.head_number + 1
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
            "body": body,
            "rows": vouch(rows),
        }
    )
    keys = settings.KEYS
    link = make_link(keys.journal_keys[keys.journal_key_name], head.head_link, text)
    entry = JournalEntry.objects.create(
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
    head.head_number = number
    head.head_link = link
    head.save(update_fields=["head_number", "head_link"])
    return entry


def plain_time(at: datetime) -> str:
    """Return the one text of an instant: in UTC, to the microsecond."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _marked(value: Any) -> str:
    return "-" if value is None else f"+{_plain(value)}"


def _plain(value: Any) -> str:
    """Return one text for one column value, the same before it is stored and after."""
    if isinstance(value, datetime):
        return plain_time(value)
    if isinstance(value, dict | list):
        return canonical(value)
    if isinstance(value, date | UUID | bool | int | str):
        return str(value)
    raise TypeError(f"no plain text for {type(value).__name__}")
