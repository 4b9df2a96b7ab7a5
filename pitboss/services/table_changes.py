"""Set up tables: one manager proposes, another approves, and it holds from the next opening."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import models

from pitboss.models import Pit, RulesVersion, Signature, Slip, Table
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.house_flows import TABLE_CHANGE
from pitboss.rules.games.games import TableRules, spoken, table_rules
from pitboss.rules.games.live_changes import kept_limits
from pitboss.rules.games.table_setup import CardProfile, Edge, TableSetup, edges_of, stored_setup
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.selectors.pending import game_refusals
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.floor import add_table
from pitboss.services.locks import lock_settings, lock_table
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip


def new_setup(setup: TableSetup, table: Table | None) -> NewSlip:
    """Return a table about to be proposed: a new one, or another setup of one that stands.

    Raises Refused where a pay table favors the player.
    """
    in_force = house.settings_at(house.now())
    edges, refusals = edges_in_force(setup, in_force)
    if refusals:
        raise Refused(refusals)
    main_edge = _main_edge_words(setup, in_force)
    return NewSlip(
        TABLE_CHANGE.kind,
        None,
        {},
        details={
            "about": f"{'set up' if table else 'add'} {setup.name}",
            "says": [
                *([name, words] for name, words in setup.words().items()),
                *([["Edge of the main game", main_edge]] if main_edge else []),
                *([f"Edge of {spoken(edge.wager)}", _edge_words(edge)] for edge in edges),
                *(
                    [f"{spoken(edge.wager)}, check this", each.message]
                    for edge in edges
                    for each in edge.warnings
                ),
                ["Effective", "the next opening"],
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


# Who keeps the edges of main games says what is known of one; nothing where there is none.
MainEdgeWords = Callable[[TableRules, SettingsInForce], str]
_MAIN_EDGE: list[MainEdgeWords] = []


def tells_main_edge(function: MainEdgeWords) -> MainEdgeWords:
    """Register what says the edge of a main game."""
    _MAIN_EDGE.append(function)
    return function


def _main_edge_words(setup: TableSetup, in_force: SettingsInForce) -> str:
    rules = setup.rules(in_force.options)
    return next((said for tell in _MAIN_EDGE if (said := tell(rules, in_force))), "")


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
            refusals.append(
                Refusal("name_stays", f"{table} can’t be renamed: its slips carry the name.")
            )
        # What a pending jackpot pays must not move under it.
        refusals += game_refusals(table)
        if latest_setup(table, apart_from=own) == details["is"]:
            refusals.append(Refusal("nothing_changes", f"{table} is already set up this way."))
    waiting = (
        Slip.objects.filter(
            kind=TABLE_CHANGE.kind, status=SlipStatus.OPEN.value, details__is__name=wanted.name
        )
        .exclude(pk=own.pk if own else 0)
        .first()
    )
    if waiting is not None:
        refusals.append(
            Refusal("already_proposed", f"{waiting} is pending. Approve or decline it first.")
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
        return _apply(table, slip, at)
    table = lock_table(slip.details["table"])
    return [] if table.is_open else _apply(table, slip, at)


def latest_setup(table: Table, apart_from: Slip | None = None) -> dict[str, Any] | None:
    """Return the setup that was decided last, whether the table is dealt on it yet or not."""
    approved = _approved(table, apart_from)
    if approved is not None and _is_coming(table, approved):
        return dict(approved.details["is"])
    newest = RulesVersion.objects.filter(table=table).select_related("slip").order_by("-id").first()
    if newest is not None:
        return dict(newest.slip.details["is"])
    return dict(approved.details["is"]) if approved else None


def _approved(table: Table, apart_from: Slip | None = None) -> Slip | None:
    return (
        Slip.objects.filter(kind=TABLE_CHANGE.kind, status=SlipStatus.DONE.value)
        .filter(models.Q(details__table=table.pk) | models.Q(details__is__name=table.name))
        .exclude(pk=apart_from.pk if apart_from else 0)
        .order_by("-signatures__id")
        .first()
    )


def _is_coming(table: Table, approved: Slip) -> bool:
    """Tell whether what was approved for a table waits for its next opening."""
    versions = RulesVersion.objects.filter(table=table)
    if versions.filter(slip=approved).exists():
        return False
    # A table that was set up by an earlier release has no version of it.
    return approved.details["is"] != table.setup or versions.filter(slip__lt=approved).exists()


def is_setup_coming(table: Table) -> bool:
    """Tell whether a set-up was approved for a table that its next opening brings."""
    approved = _approved(table)
    return approved is not None and _is_coming(table, approved)


def apply_setup(table: Table, at: datetime) -> list[models.Model]:
    """Give a table that opens the setup that was approved for it. Its lock is held."""
    approved = _approved(table)
    if approved is None or not _is_coming(table, approved):
        return []
    return _apply(table, approved, at)


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


def version_at(table: Table, at: datetime) -> RulesVersion | None:
    """Return by which version a table was dealt at an instant; none before the first."""
    begun = RulesVersion.objects.filter(table=table, from_at__lte=at)
    return begun.select_related("slip").order_by("-id").first()


def rules_in_force(
    table: Table, in_force: SettingsInForce, at: datetime | None = None
) -> TableRules:
    """Return the rules by which a table is dealt now, or in a round that began at an instant.

    Raises Refused if its row was altered.
    """
    table.require_seal()
    version = version_at(table, at or house.now())
    return rules_by(version, in_force) if version else rules_as_set_up(table, in_force)


def rules_by(version: RulesVersion, in_force: SettingsInForce) -> TableRules:
    """Return the rules that a version of them has."""
    rules = stored_setup(version.slip.details["is"]).rules(in_force.options)
    return replace(_in_the_house(rules, in_force), kept=kept_limits(version.kept))


def rules_as_set_up(table: Table, in_force: SettingsInForce) -> TableRules:
    """Return the rules that a table's own row has, by which it is dealt until a version begins."""
    if table.setup:
        return rules_of_setup(table.setup, in_force)
    rules = table_rules(
        TABLE_GAMES[table.game],
        minimum_cents=table.minimum_cents,
        maximum_cents=table.maximum_cents,
        decks=table.decks,
        options=in_force.options,
    )
    return _in_the_house(rules, in_force)


def rules_of_setup(stored: Mapping[str, Any], in_force: SettingsInForce) -> TableRules:
    """Return the rules of a set-up that a slip has."""
    return _in_the_house(stored_setup(stored).rules(in_force.options), in_force)


def _in_the_house(rules: TableRules, in_force: SettingsInForce) -> TableRules:
    times, most_cents = in_force["bets.together"], in_force["bets.together_max"]
    limits = [times * rules.maximum_cents] if times else []
    limits += [most_cents] if most_cents is not None else []
    return replace(
        rules,
        together_max_cents=min(limits, default=None),
        raise_min_cents=in_force["bets.raise_min"],
        raise_max_cents=in_force["bets.raise_max"],
    )


def minimum_now(table: Table) -> int:
    """Return the minimum of a table now, in cents."""
    version = version_at(table, house.now())
    return version.slip.details["is"]["minimum_cents"] if version else table.minimum_cents


def setup_now(table: Table, in_force: SettingsInForce) -> dict[str, Any]:
    """Return the whole set-up by which a table is dealt now, as a slip keeps one."""
    version = version_at(table, house.now())
    if version is not None:
        return dict(version.slip.details["is"])
    if table.setup:
        return dict(table.setup)
    rules = rules_as_set_up(table, in_force)
    return TableSetup(
        name=table.name,
        pit=table.pit.name,
        game=table.game,
        decks=table.decks,
        soft_17=rules.soft_17,
        blackjack_pays=rules.blackjack_pays,
        minimum_cents=rules.minimum_cents,
        maximum_cents=rules.maximum_cents,
        is_vip=rules.is_vip,
        cards=CardProfile(table.cards),
        par={cents: count for cents, count in table.par_cheques.items() if count},
        side_bets=rules.side_bets,
        stadium=rules.stadium,
    ).stored()
