"""The one way cheques move: single-row transfers, under the lock of the table they touch."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import connection, transaction

from inventory.models import ChequeTransfer, Holder, PublicBalance
from inventory.selectors.cheques import last_transfer_of, public_holding
from pitboss.models import Slip, Table
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


def lock_public() -> None:
    """Let one count at a time draw on what the public holds.

    The cage comes first, since a late paper draws on both.
    """
    _share(_CAGE)
    _lock(_DRAWING)


def _lock(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


def _share(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock_shared(hashtextextended(%s, 0))", [name])


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
    if Holder.CAGE in (source, target):
        _share(_CAGE)
    if Holder.PUBLIC in (source, target):
        _share(_PUBLIC)
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
    if table is not None:
        _advance(table, before + len(transfers))
    return ChequeTransfer.objects.bulk_create(transfers)


def _advance(table: Table, tray_sequence: int) -> None:
    """Advance a tray from where it was read, which under the table's lock is where it stands."""
    standing = Table.objects.filter(pk=table.pk, tray_sequence=table.tray_sequence)
    advanced = standing.update(tray_sequence=tray_sequence)
    assert advanced == 1, f"{table} was not read under its lock"
    table.tray_sequence = tray_sequence


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
