"""Give a table the set-up that two managers approved for it."""

from __future__ import annotations

from datetime import datetime

from django.db import models

from pitboss.models import Pit, RulesVersion, Slip, Table
from pitboss.rules.games.table_setup import stored_setup
from pitboss.selectors.table_rules import setup_coming
from pitboss.services.floor import add_table
from pitboss.services.locks import lock_table


def set_up_table(slip: Slip, at: datetime) -> list[models.Model]:
    """Add the table of an approved slip, or give one that is closed its new setup.

    An open one waits to be opened.
    """
    setup = stored_setup(slip.details["is"])
    if slip.details["table"] is None:
        table = add_table(
            name=setup.name,
            pit=_pit(setup.pit),
            game=setup.game,
            decks=setup.decks,
            minimum_cents=setup.minimum_cents,
            maximum_cents=setup.maximum_cents,
            par=setup.par,
        )
        return _apply(table, slip, at)
    table = lock_table(slip.details["table"])
    return [] if table.is_open else _apply(table, slip, at)


def apply_setup(table: Table, at: datetime) -> list[models.Model]:
    """Give a table that opens the setup that was approved for it. Its lock is held."""
    coming = setup_coming(table)
    return _apply(table, coming, at) if coming is not None else []


def _apply(table: Table, slip: Slip, at: datetime) -> list[models.Model]:
    stored = slip.details["is"]
    setup = stored_setup(stored)
    Table.objects.filter(pk=table.pk).update(
        pit=_pit(setup.pit),
        game=setup.game,
        decks=setup.decks,
        minimum_cents=setup.minimum_cents,
        maximum_cents=setup.maximum_cents,
        par=stored["par"],
        cards=setup.cards.value,
        setup=stored,
    )
    return [RulesVersion.objects.create(table=table, from_at=at, slip=slip)]


def _pit(name: str) -> Pit:
    pit, _ = Pit.objects.get_or_create(name=name)
    return pit
