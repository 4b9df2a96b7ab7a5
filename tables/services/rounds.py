"""Rounds told by a terminal: started, added to in their order, ended once, and then in ink."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from pitboss.models import Table
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.cutting import payable
from pitboss.rules.games import TableRules
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.round import settle_round
from pitboss.rules.round_log import (
    Part,
    add_part,
    as_round,
    has_bets,
    has_fallen,
    new_log,
    paid_differently,
    side_wagers,
    with_irregularities,
)
from pitboss.rules.round_reading import read_round, write_verdict
from pitboss.rules.settings_in_force import SettingsInForce
from pitboss.rules.table_orders import (
    OrderEnd,
    OrderKind,
    flat_bet_refusals,
    not_ruled,
    ruled_round,
)
from pitboss.selectors.pending import game_refusals
from pitboss.services import house, journal
from pitboss.services.locks import lock_table
from pitboss.services.side_wagers import side_wagers_taken
from tables.models import Round
from tables.selectors.past_rules import rules_at
from tables.services.in_force import meters_of, settings_of, terms_of, tray_of
from tables.services.table_orders import end_orders
from tables.services.terminals import Terminal

_NOTHING_BET: Mapping[str, Any] = {"lines": [], "flags": [], "house_cents": 0, "envy_cents": 0}


@transaction.atomic(savepoint=False)
def start_round(*, terminal: Terminal) -> dict[str, Any]:
    """Start a round at the terminal's table. Raises Refused."""
    table = lock_table(terminal.table.pk)
    now = house.now()
    refusals = game_refusals(table)
    if not table.is_open:
        refusals.append(Refusal("table_closed", f"{table} is closed. Open it first."))
    standing = Round.objects.filter(table=table, ended_at=None).first()
    if standing is not None:
        refusals.append(
            Refusal("round_open", f"Round {standing.pk} is open at {table}. End it first.")
        )
    if refusals:
        raise Refused(refusals)
    round_ = Round.objects.create(
        table=table,
        terminal=terminal.device,
        dealer_id=terminal.dealer_id,
        started_at=now,
        log=new_log(),
    )
    return as_sent(round_)


@transaction.atomic(savepoint=False)
def tell_round(
    *, terminal: Terminal, round_id: int, part: Part, told: Mapping[str, Any]
) -> dict[str, Any]:
    """Add one part to an open round. Raises Refused where it is not its turn."""
    round_ = _lock_round(terminal, round_id)
    rules, _ = _rules(terminal, round_)
    was_dealt = has_fallen(round_.log)
    if part is Part.WAGERS:
        orders = terminal.orders_at(house.now())
        if refusals := flat_bet_refusals(orders, told.get("seat"), told.get("bets")):
            raise Refused(refusals)
    round_.log = add_part(rules, round_.log, part, told)
    round_.save(update_fields=["log"])
    if has_fallen(round_.log) and not was_dealt:
        _tell_wagers(terminal, round_)
    return as_sent(round_)


def _tell_wagers(terminal: Terminal, round_: Round) -> None:
    """Tell the meters of a round's side wagers, which stand once the first card falls."""
    now = house.now()
    wagers = side_wagers(round_.log)
    rows = side_wagers_taken(round_.table, wagers, key=round_key(round_), at=now)
    if rows:
        journal.write(
            chain=journal.chain_of(round_.table, journal.METERS),
            kind="meter.contributed",
            body={"round": round_.pk, "wagers": wagers},
            at=now,
            device=terminal.device,
            rows=rows,
        )


@transaction.atomic(savepoint=False)
def end_round(*, terminal: Terminal, round_id: int, told: Mapping[str, Any]) -> dict[str, Any]:
    """Settle a round by the rules of its time, end it and journal it. Raises Refused.

    What was paid otherwise is named in the answer; the round ends all the same.
    """
    round_ = _lock_round(terminal, round_id)
    now = house.now()
    refusals = [*game_refusals(round_.table), *not_ruled(told, terminal.orders_at(now))]
    if refusals:
        raise Refused(refusals)
    round_.log = with_irregularities(round_.log, told)
    round_.verdict = _settled(terminal, round_)
    round_.ended_at = now
    round_.save(update_fields=["log", "verdict", "ended_at"])
    # What was decided about a hand goes with it.
    end_orders(round_.table, OrderKind.RULING, OrderEnd.HAND_OVER, now)
    journal.write(
        chain=journal.chain_of(round_.table, journal.HOUSE),
        kind="round_ended",
        body={
            "round": round_.pk,
            "told": digest(canonical(round_.log)),
            "settled": digest(canonical(round_.verdict)),
            "house_cents": round_.verdict["house_cents"],
        },
        at=now,
        device=terminal.device,
    )
    return as_sent(round_)


def _settled(terminal: Terminal, round_: Round) -> dict[str, Any]:
    """Return how a round is settled, with every bet that was paid otherwise."""
    if not has_bets(round_.log):
        return {**_NOTHING_BET, "differences": []}
    rules, in_force = _rules(terminal, round_)
    told, back = ruled_round(as_round(round_.log), terminal.orders_at(house.now()), rules.soft_17)
    if back and not told["seats"]:
        return {**_NOTHING_BET, "lines": back, "differences": []}
    if meters := meters_of(round_.table):
        told["meters"] = meters
    verdict = write_verdict(settle_round(rules, read_round(told)))
    verdict["lines"] += back
    tray = tray_of(Table.objects.get(pk=round_.table_id))
    differences = paid_differently(
        round_.log, verdict["lines"], lambda cents: payable(cents, tray, in_force.cut_options)
    )
    return {**verdict, "differences": differences}


def _rules(terminal: Terminal, round_: Round) -> tuple[TableRules, SettingsInForce]:
    """Return the rules by which a round is judged: those that held when it began."""
    now = house.now()
    in_force = settings_of(terminal, now)
    began_by = house.settings_at(round_.started_at)
    if terminal.table.is_open and began_by == in_force:
        # A set-up changes at an opening, and no table opens while a round is on.
        return terms_of(terminal, in_force).rules, in_force
    return rules_at(terminal.table, round_.started_at, began_by), began_by


def _lock_round(terminal: Terminal, round_id: int) -> Round:
    lock_table(terminal.table.pk)
    round_ = (
        Round.objects.select_for_update(no_key=True, of=("self",))
        .select_related("table")
        .filter(pk=round_id, table=terminal.table)
        .first()
    )
    if round_ is None:
        raise refuse("unknown_round", f"There is no such round at {terminal.table}.")
    if round_.ended_at is not None:
        raise refuse("round_ended", f"Round {round_.pk} has ended. Start another.")
    return round_


def round_key(round_: Round) -> str:
    """Return the name under which others know a round."""
    return f"round:{round_.pk}"


def as_sent(round_: Round) -> dict[str, Any]:
    """Return a round as its terminal is told."""
    return {
        "round": round_.pk,
        "started_at": round_.started_at.isoformat(),
        "ended_at": round_.ended_at.isoformat() if round_.ended_at else None,
        "log": round_.log,
        "verdict": round_.verdict,
    }
