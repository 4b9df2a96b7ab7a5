"""The one way cheques move: single-row transfers, under the lock of the table they touch."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import connection, transaction

from inventory.models import ChequeTransfer, Holder
from pitboss.models import Slip, Table
from pitboss.rules.cheques import ordered

# Advisory locks of the ledger, always taken in this order.
_CAGE = "ledger:cage"
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
    _lock(_PUBLIC)


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

    A move into or out of a tray advances the tray's sequence; the table must be locked by then.
    """
    if Holder.CAGE in (source, target):
        _share(_CAGE)
    touches_tray = Holder.TRAY in (source, target)
    # Read anew: the slip may hold its table as it was before another slip moved the tray on.
    table = Table.objects.get(slips=slip) if touches_tray else None
    transfers = []
    for cents in ordered(cheques):
        if table is not None:
            table.tray_sequence += 1
        transfers.append(
            ChequeTransfer(
                slip=slip,
                denomination_cents=cents,
                count=cheques[cents],
                source=source.value,
                target=target.value,
                table=table,
                tray_sequence=table.tray_sequence if table else None,
                at=at,
            )
        )
    if table is not None:
        table.save(update_fields=["tray_sequence"])
    return ChequeTransfer.objects.bulk_create(transfers)
