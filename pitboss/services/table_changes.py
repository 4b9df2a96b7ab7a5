"""Set up tables: one manager proposes, another approves, and it holds from the next opening."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import models

from pitboss.models import Pit, Signature, Slip, Table
from pitboss.rules.flows import SlipStatus
from pitboss.rules.games import TableRules, spoken, table_rules
from pitboss.rules.games_printed import GAMES
from pitboss.rules.house_flows import TABLE_CHANGE
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.settings_in_force import SettingsInForce
from pitboss.rules.table_setup import Edge, TableSetup, edges_of, stored_setup
from pitboss.selectors.pending import game_refusals
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.floor import add_table
from pitboss.services.locks import lock_settings, lock_table
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip


def new_setup(setup: TableSetup, table: Table | None) -> NewSlip:
    """Return a table about to be proposed: a new one, or another setup of one that stands.

    Raises Refused where a pay table favours the player.
    """
    in_force = house.settings_at(house.now())
    edges, refusals = edges_in_force(setup, in_force)
    if refusals:
        raise Refused(refusals)
    return NewSlip(
        TABLE_CHANGE.kind,
        None,
        {},
        details={
            "about": f"{'set up' if table else 'add'} {setup.name}",
            "says": [
                *([name, words] for name, words in setup.words().items()),
                *([f"Edge of {spoken(edge.wager)}", _edge_words(edge)] for edge in edges),
                ["Holds from", "the next opening"],
            ],
            "table": table.pk if table else None,
            "is": setup.stored(),
        },
    )


def edges_in_force(
    setup: TableSetup, in_force: SettingsInForce
) -> tuple[list[Edge], list[Refusal]]:
    """Return the edge of each side bet as the house reads its rules, and what stops it."""
    return edges_of(
        setup, in_force.options, in_force["paytable.edge_least"], in_force["paytable.edge_most"]
    )


def _edge_words(edge: Edge) -> str:
    return edge.words if edge.is_in_band else f"{edge.words}, OUTSIDE the band of the house"


def propose_table(new: NewSlip, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Propose a table's setup, signed by a manager of the pit. Raises Refused."""
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(table_refusals(new.details)),
        entry=Entry(reason=reason),
    )


def table_refusals(details: Mapping[str, Any], own: Slip | None = None) -> list[Refusal]:
    """Return why a table may not be set up so: every reason. `own` is the slip that says it."""
    wanted = stored_setup(details["is"])
    refusals = []
    same_name = Table.objects.filter(name=wanted.name).exclude(pk=details["table"])
    if same_name.exists():
        refusals.append(
            Refusal("name_taken", f"There is a table {wanted.name}. Choose another name.")
        )
    if details["table"] is not None:
        table = Table.objects.get(pk=details["table"])
        if table.name != wanted.name:
            refusals.append(Refusal("name_stays", f"{table} keeps its name: its papers carry it."))
        # What a pending jackpot pays must not move under it.
        refusals += game_refusals(table)
        if latest_setup(table, apart_from=own) == details["is"]:
            refusals.append(Refusal("nothing_changes", f"{table} is set up so already."))
    waiting = (
        Slip.objects.filter(
            kind=TABLE_CHANGE.kind, status=SlipStatus.OPEN.value, details__is__name=wanted.name
        )
        .exclude(pk=own.pk if own else 0)
        .first()
    )
    if waiting is not None:
        refusals.append(
            Refusal("already_proposed", f"{waiting} waits. Approve or refuse it first.")
        )
    in_force = house.settings_at(house.now())
    try:
        wanted.rules(in_force.options)
    except Refused as refused:
        refusals.extend(refused.refusals)
    else:
        refusals.extend(edges_in_force(wanted, in_force)[1])
    return refusals


@effect("table_set_up")
def _table_set_up(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Add the table, or give one that is closed its new setup; an open one waits to be opened."""
    lock_settings()
    refusals = table_refusals(slip.details, own=slip)
    if refusals:
        raise Refused(refusals)
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
        _apply(table, slip.details["is"])
        return []
    table = lock_table(slip.details["table"])
    if not table.is_open:
        _apply(table, slip.details["is"])
    return []


def latest_setup(table: Table, apart_from: Slip | None = None) -> dict[str, Any] | None:
    """Return the setup that was approved last, whether the table was opened on it or not."""
    slip = (
        Slip.objects.filter(kind=TABLE_CHANGE.kind, status=SlipStatus.DONE.value)
        .filter(models.Q(details__table=table.pk) | models.Q(details__is__name=table.name))
        .exclude(pk=apart_from.pk if apart_from else 0)
        .order_by("-signatures__id")
        .first()
    )
    return slip.details["is"] if slip else None


def apply_setup(table: Table) -> None:
    """Give a table that opens the setup that was approved for it. Its lock is held."""
    latest = latest_setup(table)
    if latest is not None:
        _apply(table, latest)


def _apply(table: Table, stored: dict[str, Any]) -> None:
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


def _pit(name: str) -> Pit:
    pit, _ = Pit.objects.get_or_create(name=name)
    return pit


def rules_in_force(table: Table, in_force: SettingsInForce) -> TableRules:
    """Return the rules by which a table is dealt now."""
    if table.setup:
        rules = stored_setup(table.setup).rules(in_force.options)
    else:
        rules = table_rules(
            GAMES[table.game],
            minimum_cents=table.minimum_cents,
            maximum_cents=table.maximum_cents,
            decks=table.decks,
            options=in_force.options,
        )
    times = in_force["bets.together"]
    return replace(rules, together_max_cents=times * rules.maximum_cents) if times else rules
