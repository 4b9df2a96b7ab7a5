"""What a round is judged by, how it is locked, settled and told of: for all who change one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pitboss.models import Device, Person
from pitboss.models.plain import Statement, inserting, stored
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.cheques.cutting import payable
from pitboss.rules.games.games import TableRules
from pitboss.rules.games.table_orders import Order, OrderEnd, OrderKind, ruled_round
from pitboss.rules.refusal import CONFLICT, refuse
from pitboss.rules.rounds.ending import RoundEnding, sensed_only, settle_told
from pitboss.rules.rounds.log import as_round, has_bets, side_wagers
from pitboss.rules.rounds.payouts import paid_differently
from pitboss.rules.rounds.reading import read_round
from pitboss.rules.rounds.seats import DealtRound, SeatFlag
from pitboss.rules.rounds.told import Outcome, RoundAnswer
from pitboss.rules.rounds.wagers import METERED
from pitboss.rules.said import Said
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services import house, journal
from pitboss.services.locks import lock_table
from pitboss.services.side_wagers import side_wagers_taken
from tables.models import Round
from tables.selectors.past_rules import rules_at
from tables.services.in_force import meters_of, settings_of, settings_then, terms_of, tray_of
from tables.services.table_orders import ending_orders
from tables.services.terminals import Terminal


def lock_round(table_id: int, round_id: int) -> Round:
    """Hold a table and its open round. Raises Refused."""
    table = lock_table(table_id)
    round_ = (
        Round.objects.select_for_update(no_key=True, of=("self",))
        .select_related("table")
        .filter(pk=round_id, table=table)
        .first()
    )
    if round_ is None:
        raise refuse(
            "unknown_round", Said("Round not found at {table}. Check the number.", table=table)
        )
    if round_.ended_at is not None:
        raise refuse(
            "round_ended",
            Said("Round {round} has ended. Start another.", round=round_.pk),
            CONFLICT,
        )
    return round_


def rules_of(round_: Round, terminal: Terminal | None = None) -> tuple[TableRules, SettingsInForce]:
    """Return the rules by which a round is judged: those that held when it began."""
    if terminal is None:
        began_by = house.settings_at(round_.started_at)
    else:
        began_by = settings_then(terminal, round_.started_at, house.now())
    if terminal is not None and terminal.table.is_open:
        in_force = settings_of(terminal, house.now())
        # A round that begins while another is still open has not been read with the terminal.
        is_read = terminal.round_began in (None, round_.started_at)
        if began_by == in_force and is_read:
            return terms_of(terminal, in_force).rules, in_force
    return rules_at(round_.table, round_.started_at, began_by), began_by


def settled(
    round_: Round,
    rules: TableRules,
    in_force: SettingsInForce,
    orders: tuple[Order, ...],
    *,
    is_accepted: bool,
    read: DealtRound | None = None,
) -> dict[str, Any]:
    """Return how a round ends, with every bet that was paid otherwise. Raises Refused.

    A round that was sent whole comes as it was read: without a ruling no one has to read it again.
    """
    log = round_.log
    if read is not None and not orders and all(seat["bets"] for seat in log["seats"]):
        return _ended_as_read(round_, read, rules, in_force, is_accepted=is_accepted)
    told, back = ruled_round(as_round(log), orders, rules.soft_17)
    sensed = sensed_only(log)
    if back and not told["seats"] and not sensed:
        return {**RoundEnding().as_answer(), "lines": back, "differences": []}
    wagers = {bet["wager"] for seat in told["seats"] for bet in seat["bets"]}
    if wagers & set(METERED) and (meters := meters_of(round_.table)):
        told["meters"] = meters
    if told["seats"] or not has_bets(log):
        ending = settle_told(rules, read_round(told), is_accepted=is_accepted)
    else:
        ending = RoundEnding()
    verdict = RoundEnding(ending.verdict, (*ending.unverified, *sensed)).as_answer()
    verdict["lines"] += back
    return {**verdict, "differences": _differences(round_, rules, in_force, verdict)}


def _ended_as_read(
    round_: Round,
    read: DealtRound,
    rules: TableRules,
    in_force: SettingsInForce,
    *,
    is_accepted: bool,
) -> dict[str, Any]:
    wagers = {bet.wager for seat in read.seats for bet in seat.bets}
    if wagers & set(METERED) and (meters := meters_of(round_.table)):
        read = replace(read, meters=meters)
    verdict = settle_told(rules, read, is_accepted=is_accepted).as_answer()
    return {**verdict, "differences": _differences(round_, rules, in_force, verdict)}


def unsettled(flags: Sequence[SeatFlag]) -> dict[str, Any]:
    """Return how a round ends of which nothing could be judged."""
    return {**RoundEnding(unverified=tuple(flags)).as_answer(), "differences": []}


def _differences(
    round_: Round, rules: TableRules, in_force: SettingsInForce, verdict: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return what was paid otherwise at the seats that could be judged."""
    # Under the lock of the table: its tray is as it was read with it.
    tray, options = tray_of(round_.table), in_force.cut_options
    return paid_differently(
        rules,
        round_.log,
        verdict["lines"],
        lambda cents: payable(cents, tray, options),
    )


def finish(
    round_: Round,
    verdict: Mapping[str, Any],
    *,
    at: datetime,
    device: Device,
    person: Person | None = None,
    head_rows: Sequence[tuple[Any, ...]] | None = None,
) -> None:
    """End a round in ink, with its entry in the journal, whose head the caller may have locked."""
    round_.verdict = dict(verdict)
    round_.outcome = verdict["outcome"]
    round_.ended_at = at
    writing: list[Statement] = []
    # One text is stored and hashed.
    texts = {name: canonical(getattr(round_, name)) for name in ("log", "parts", "verdict")}
    if round_._state.adding:
        writing.append(inserting(round_, written=texts))
    else:
        round_.save()
    # What was decided about a hand goes with it.
    writing.append(ending_orders(round_.table, OrderKind.RULING, OrderEnd.HAND_OVER, at))
    is_aborted = round_.outcome == Outcome.ABORTED.value
    journal.write(
        chain=journal.chain_of(round_.table, journal.HOUSE),
        kind="round_aborted" if is_aborted else "round_ended",
        body={
            "round": round_.pk,
            "outcome": round_.outcome,
            "told": digest(texts["log"]),
            "parts": digest(texts["parts"]),
            "settled": digest(texts["verdict"]),
            "house_cents": verdict["house_cents"],
        },
        at=at,
        person=person,
        device=device,
        before=writing,
        head_rows=head_rows,
    )
    stored(round_, round_.pk)


def tell_wagers(round_: Round, *, device: Device, at: datetime) -> None:
    """Tell the meters of a round's side wagers, once, when they stand."""
    wagers = side_wagers(round_.log)
    rows = side_wagers_taken(round_.table, wagers, key=round_key(round_), at=at)
    if rows:
        journal.write(
            chain=journal.chain_of(round_.table, journal.METERS),
            kind="meter.contributed",
            body={"round": round_.pk, "wagers": wagers},
            at=at,
            device=device,
            rows=rows,
        )


def round_key(round_: Round) -> str:
    """Return the name under which others know a round."""
    return f"round:{round_.pk}"


def as_sent(round_: Round) -> RoundAnswer:
    """Return a round as its terminal is told."""
    return {
        "round": round_.pk,
        "started_at": round_.started_at.isoformat(),
        "ended_at": round_.ended_at.isoformat() if round_.ended_at else None,
        "outcome": round_.outcome or None,
        "log": round_.log,
        "parts": round_.parts,
        "verdict": round_.verdict,
    }
