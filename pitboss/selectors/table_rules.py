"""By which rules a table is dealt: as it was set up, as it changed since, and what is coming."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import models

from pitboss.models import RulesVersion, Slip, Table
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.house_flows import TABLE_CHANGE
from pitboss.rules.games.games import TableRules, table_rules
from pitboss.rules.games.live_changes import kept_limits
from pitboss.rules.games.table_setup import CardProfile, Edge, TableSetup, edges_of, stored_setup
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.refusal import Refusal
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services import house


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


def main_edge_words(setup: TableSetup, in_force: SettingsInForce) -> str:
    """Say the edge of a table's main game; nothing where no one keeps one."""
    rules = setup.rules(in_force.options)
    return next((said for tell in _MAIN_EDGE if (said := tell(rules, in_force))), "")


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
        Slip.objects.filter(kind=TABLE_CHANGE, status=SlipStatus.DONE.value)
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


def setup_coming(table: Table) -> Slip | None:
    """Return the set-up that was approved for a table and waits for its next opening."""
    approved = _approved(table)
    return approved if approved is not None and _is_coming(table, approved) else None


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
    # What a table sets for itself holds there, whatever the house says of all.
    own, least, most = rules.together_max_cents, rules.raise_min_cents, rules.raise_max_cents
    return replace(
        rules,
        together_max_cents=min(limits, default=None) if own is None else own,
        raise_min_cents=in_force["bets.raise_min"] if least is None else least,
        raise_max_cents=in_force["bets.raise_max"] if most is None else most,
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
