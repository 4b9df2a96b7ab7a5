"""The one way cheques move: single-row transfers, under the lock of the table they touch."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.db import connection, transaction

from inventory.models import ChequeTransfer, Holder, PublicBalance
from inventory.selectors.cheques import last_transfer_of, public_holding, public_since
from pitboss.models import Slip, Table
from pitboss.models.plain import (
    Statement,
    columns,
    in_one_trip,
    inserting_all,
    read_row,
    stored,
)
from pitboss.rules.cheques.cheques import ordered
from pitboss.services.shown import stored_cheques

# Advisory locks of the ledger, always taken in this order: the cage's cheques, the turn to draw on
# what the public holds, and the public's cheques.
_CAGE = "ledger:cage"
_DRAWING = "ledger:drawing"
_PUBLIC = "ledger:public"


def lock_the_cage() -> None:
    """Wait until no act has the cage's cheques in its hands, and hold off every other.

    A count of the cage then has one place in the ledger: all that moved before it is stored, and
    all that moves after it gets a higher number. Whatever moves the cage's cheques shares it.
    """
    _lock(_CAGE)


_LOCK_PUBLIC: Final[Statement] = (
    "SELECT pg_advisory_xact_lock_shared(hashtextextended(%s, 0)),"
    " pg_advisory_xact_lock(hashtextextended(%s, 0))",
    (_CAGE, _DRAWING),
)


def lock_public() -> None:
    """Let one count at a time draw on what the public holds.

    The cage comes first, since a late paper draws on both.
    """
    in_one_trip(_LOCK_PUBLIC)


def lock_and_read_public() -> dict[int, int]:
    """Lock what the public holds, as `lock_public` does, and return it."""
    balance = columns(PublicBalance, "balance")
    latest = f"SELECT {balance} FROM inventory_publicbalance AS balance ORDER BY id DESC LIMIT 1"
    _, rows = in_one_trip(_LOCK_PUBLIC, (latest, ()))
    return public_since(read_row(PublicBalance, rows[0]) if rows else None)


def _lock(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


@transaction.atomic(savepoint=False)
def move_cheques(
    *, slip: Slip, cheques: Mapping[int, int], source: Holder, target: Holder, at: datetime
) -> list[ChequeTransfer]:
    """Move cheques on a slip from one place to another and return the transfers.

    A move into or out of a tray advances the tray's sequence; the slip's table must be locked by
    then, and read under that lock.
    """
    if not cheques:
        return []
    shared = [
        name
        for holder, name in ((Holder.CAGE, _CAGE), (Holder.PUBLIC, _PUBLIC))
        if holder in (source, target)
    ]
    table = slip.table if Holder.TRAY in (source, target) else None
    before = table.tray_sequence if table else 0
    transfers = [
        ChequeTransfer(
            slip=slip,
            denomination_cents=cents,
            count=cheques[cents],
            source=source.value,
            target=target.value,
            table=table,
            tray_sequence=before + place if table else None,
            at=at,
        )
        for place, cents in enumerate(ordered(cheques), 1)
    ]
    _store(transfers, shared, table)
    return transfers


def _store(transfers: list[ChequeTransfer], shared: list[str], table: Table | None) -> None:
    """Store transfers in one trip: the ledger is shared before they take their numbers.

    A tray advances from where it was read, which under the table's lock is where it stands.
    """
    statements: list[Statement] = [
        ("SELECT pg_advisory_xact_lock_shared(hashtextextended(%s, 0))", [name]) for name in shared
    ]
    if table is not None:
        advanced = transfers[-1].tray_sequence
        statements.append(
            (
                "UPDATE pitboss_table SET tray_sequence = %s WHERE id = %s AND tray_sequence = %s"
                " RETURNING id",
                [advanced, table.pk, table.tray_sequence],
            )
        )
    statements.append(inserting_all(transfers))
    *before, made = in_one_trip(*statements)
    if table is not None:
        assert before[-1], f"{table} was not read under its lock"
        assert advanced is not None, "what moves in a tray has a place in it"
        table.tray_sequence = advanced
    for transfer, (transfer_id,) in zip(transfers, made, strict=True):
        stored(transfer, transfer_id)


@transaction.atomic(savepoint=False)
def bring_public_forward(*, slip: Slip, at: datetime) -> PublicBalance:
    """Keep what the public holds as a day is closed, so that no later count adds up the years.

    The balance has one place in the ledger: all that moved before it is stored by now, and all that
    moves after it gets a higher number, since whatever moves the public's cheques shares its lock.
    """
    _lock(_PUBLIC)
    return PublicBalance.objects.create(
        slip=slip,
        after_transfer=last_transfer_of(Holder.PUBLIC),
        cheques=stored_cheques(public_holding()),
        at=at,
    )
