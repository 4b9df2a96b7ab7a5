"""Set up the floor: pits, tables and the journal chain that each table has from its first day."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from pitboss.models import JournalChain, Pit, Table
from pitboss.services import journal


@transaction.atomic(savepoint=False)
def add_table(
    *,
    name: str,
    pit: Pit,
    game: str,
    minimum_cents: int,
    maximum_cents: int,
    par: Mapping[int, int],
    decks: int = 6,
) -> Table:
    """Add a table, with an empty tray and a journal of its own."""
    table = Table.objects.create(
        name=name,
        pit=pit,
        game=game,
        decks=decks,
        minimum_cents=minimum_cents,
        maximum_cents=maximum_cents,
        par={str(cents): count for cents, count in par.items()},
    )
    JournalChain.objects.create(name=journal.chain_of(table, journal.HOUSE), table=table)
    return table
