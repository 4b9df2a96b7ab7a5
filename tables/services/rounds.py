"""Rounds told by a terminal: started, added to in their order, ended once, and then in ink."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any
from uuid import UUID

import psycopg
from django.db import IntegrityError, transaction

from pitboss.models import Table
from pitboss.models.plain import columns, read_row
from pitboss.rules import facts
from pitboss.rules.canonical import canonical
from pitboss.rules.games.table_orders import flat_bet_refusals, not_ruled
from pitboss.rules.games.tracked import TRACKED_GAMES
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.rounds.log import (
    RoundPart,
    add_part,
    has_fallen,
    new_log,
    side_wagers,
    with_irregularities,
)
from pitboss.rules.rounds.parts import was_dealt, with_part
from pitboss.rules.rounds.reading import read_object
from pitboss.rules.rounds.seats import SeatFlag
from pitboss.rules.rounds.told import RoundAnswer, RoundStart, fields_of
from pitboss.rules.rounds.wagers import METERED
from pitboss.rules.rounds.whole import read_whole
from pitboss.rules.said import Said
from pitboss.selectors.pending import asking_for_open_wins, game_refusals
from pitboss.services import house, journal
from pitboss.services.locks import lock_table, lock_table_and_read
from tables.models import Round
from tables.services.coupons import coupon_refusals
from tables.services.envy import envy_of_round_ended
from tables.services.round_facts import (
    as_sent,
    finish,
    lock_round,
    rules_of,
    settled,
    tell_wagers,
    unsettled,
)
from tables.services.terminals import Terminal

_STARTS = fields_of(RoundStart)
_ACCEPTS = "unverified"
_BETS = (RoundPart.SEATS, RoundPart.WAGERS)
_TOLD_ONCE = "a_round_is_told_once"


@transaction.atomic(savepoint=False)
def start_round(*, terminal: Terminal, told: Mapping[str, Any]) -> RoundAnswer:
    """Start a round at the terminal's table, with the seats that are lit. Raises Refused.

    A round that stands open is ended first where the dealer says so, as far as it was told.
    """
    fields = read_object(told, "The start of a round", _STARTS)
    table = lock_table(terminal.table.pk)
    refusals = game_refusals(table)
    standing = Round.objects.filter(table=table, ended_at=None).first()
    if standing is not None and not facts.flag(fields, "ends_open"):
        refusals.append(
            Refusal(
                "round_open",
                Said(
                    "Round {round} is open at {table}. End it first.",
                    round=standing.pk,
                    table=table,
                ),
                CONFLICT,
            )
        )
    refusals += _closed(table)
    if refusals:
        raise Refused(refusals)
    if standing is not None:
        _end(terminal, lock_round(table.pk, standing.pk), {_ACCEPTS: True})
    round_ = Round(
        table=table,
        terminal=terminal.device,
        dealer_id=terminal.dealer_id,
        started_at=house.now(),
        log=new_log(),
    )
    if seats := fields.get("seats"):
        _add(terminal, round_, RoundPart.SEATS, {"seats": seats})
    round_.save()
    return as_sent(round_)


def _closed(table: Table) -> list[Refusal]:
    if table.game in TRACKED_GAMES:
        name = TRACKED_GAMES[table.game].name
        message = Said("Pitboss has no rounds of {name}. Check its bets one by one.", name=name)
        return [Refusal("no_rules_for_game", message)]
    if table.is_open:
        return []
    return [
        Refusal("table_closed", Said("{table} is closed. Open it first.", table=table), CONFLICT)
    ]


@transaction.atomic(savepoint=False)
def tell_round(
    *, terminal: Terminal, round_id: int, part: RoundPart, told: Mapping[str, Any]
) -> RoundAnswer:
    """Add one part to an open round. Raises Refused where it is not its turn."""
    round_ = lock_round(terminal.table.pk, round_id)
    now = house.now()
    is_first_card = not was_dealt(round_.parts)
    if part in _BETS and not is_first_card:
        raise refuse(
            "cards_have_fallen", "Cards are out. The bets of this round can’t change.", CONFLICT
        )
    if part is RoundPart.WAGERS:
        orders = terminal.orders_at(now)
        if refusals := flat_bet_refusals(orders, told.get("seat"), told.get("bets")):
            raise Refused(refusals)
    _add(terminal, round_, part, told)
    round_.save(update_fields=["log", "parts"])
    if is_first_card and has_fallen(round_.log):
        # From the first card on the wagers stand.
        tell_wagers(round_, device=terminal.device, at=now)
    return as_sent(round_)


def _add(terminal: Terminal, round_: Round, part: RoundPart, told: Mapping[str, Any]) -> None:
    rules, _ = rules_of(round_, terminal)
    round_.log = add_part(rules, round_.log, part, told)
    round_.parts = with_part(round_.parts, part, dict(told), house.now().isoformat())


@transaction.atomic(savepoint=False)
def end_round(*, terminal: Terminal, round_id: int, told: Mapping[str, Any]) -> RoundAnswer:
    """Settle what was told of a round by the rules of its time, end it and journal it.

    What was paid otherwise is named in the answer; the round ends all the same. Raises Refused for
    a hand that cannot be, unless the dealer ends it unverified.
    """
    round_ = lock_round(terminal.table.pk, round_id)
    if refusals := game_refusals(round_.table):
        raise Refused(refusals)
    _end(terminal, round_, told)
    return as_sent(round_)


def _end(terminal: Terminal, round_: Round, told: Mapping[str, Any]) -> None:
    now = house.now()
    orders = terminal.orders_at(now)
    said = {name: value for name, value in told.items() if name != _ACCEPTS}
    if refusals := not_ruled(said, orders):
        raise Refused(refusals)
    round_.log = with_irregularities(round_.log, said)
    if not was_dealt(round_.parts):
        # Where no card is told, the end is when the wagers are known to stand.
        tell_wagers(round_, device=terminal.device, at=now)
    rules, in_force = rules_of(round_, terminal)
    is_accepted = facts.flag(told, _ACCEPTS)
    verdict = settled(round_, rules, in_force, orders, is_accepted=is_accepted)
    finish(round_, verdict, at=now, device=terminal.device)
    envy_of_round_ended(round_, verdict, rules, in_force, device=terminal.device, at=now)


@cache
def _asking_what_is_known() -> str:
    return f"""
        SELECT {columns(Round, "known")} FROM tables_round AS known
        WHERE known.table_id = %s AND (known.key = %s OR known.ended_at IS NULL)
    """


# Its entry in the journal names it, and is written in one trip with it.
_ASKING_FOR_A_NUMBER = "SELECT nextval(pg_get_serial_sequence('tables_round', 'id'))"


def put_round(*, terminal: Terminal, key: UUID, told: Mapping[str, Any]) -> RoundAnswer:
    """Take a round that equipment sends whole, once for each key: judged, stored, ended.

    Raises Refused, also for a key that came with another round, and for a round that came lately
    under another key: the database knows it by its cards.
    """
    try:
        return _put_round(terminal=terminal, key=key, told=told)
    except IntegrityError as error:
        cause = error.__cause__
        if not isinstance(cause, psycopg.Error) or cause.diag.constraint_name != _TOLD_ONCE:
            raise
        raise refuse(
            "told_before",
            f"This round is stored as round {cause.diag.message_detail}. "
            "Don’t send it again under another key.",
            CONFLICT,
        ) from error


@transaction.atomic(durable=True)
def _put_round(*, terminal: Terminal, key: UUID, told: Mapping[str, Any]) -> RoundAnswer:
    table_id = terminal.table.pk
    # A meter is locked before the head of the journal; where none can be, the head is locked now.
    locks_head = not _names_meter(told)
    head = [journal.locking_head(journal.chain_of(terminal.table, journal.HOUSE))] * locks_head
    table, (known, ((has_open_wins,),), ((round_id,),), *heads) = lock_table_and_read(
        table_id,
        (_asking_what_is_known(), [table_id, key]),
        asking_for_open_wins(table_id),
        (_ASKING_FOR_A_NUMBER, ()),
        *head,
    )
    rounds = [read_row(Round, row) for row in known]
    earlier = next((item for item in rounds if item is not None and item.key == key), None)
    if earlier is not None:
        if canonical(earlier.parts[0]["told"]) != canonical(dict(told)):
            raise refuse(
                "key_reused",
                "This key was used for another round. Make one for each round.",
                CONFLICT,
            )
        return as_sent(earlier)
    standing = next(iter(rounds), None)
    refusals = [*game_refusals(table, has_open_wins=has_open_wins), *_closed(table)]
    if standing is not None:
        refusals.append(
            Refusal(
                "round_open",
                Said(
                    "Round {round} is open at {table}. End it first.",
                    round=standing.pk,
                    table=table,
                ),
                CONFLICT,
            )
        )
    if refusals:
        raise Refused(refusals)
    now = house.now()
    round_ = Round(
        pk=round_id,
        table=table,
        terminal=terminal.device,
        dealer_id=terminal.dealer_id,
        started_at=now,
        key=key,
        parts=[{"number": 1, "part": "whole", "told": dict(told), "at": now.isoformat()}],
    )
    rules, in_force = rules_of(round_, terminal)
    orders = terminal.orders_at(now)
    sent = {name: value for name, value in told.items() if name != _ACCEPTS}
    round_.log, read = read_whole(rules, sent)
    is_accepted = facts.flag(told, _ACCEPTS)
    refusals = not_ruled(round_.log, orders)
    refusals += coupon_refusals(table, round_.log, rules, now)
    if refusals:
        raise Refused(refusals)
    broken = [
        SeatFlag(seat["seat"], refusal)
        for seat in round_.log["seats"]
        for refusal in flat_bet_refusals(orders, seat["seat"], seat["bets"])
    ]
    if broken and not is_accepted:
        raise Refused([item.reason for item in broken])
    if side_wagers(round_.log).keys() & set(METERED):
        # A meter's part of this round is on it before the round is settled on it.
        round_.save(force_insert=True)
        tell_wagers(round_, device=terminal.device, at=now)
    if broken:
        verdict = unsettled(broken)
    else:
        verdict = settled(round_, rules, in_force, orders, is_accepted=is_accepted, read=read)
    finish(round_, verdict, at=now, device=terminal.device, head_rows=heads[0] if heads else None)
    envy_of_round_ended(round_, verdict, rules, in_force, device=terminal.device, at=now)
    return as_sent(round_)


def _names_meter(told: Mapping[str, Any]) -> bool:
    """Tell whether a round that no one has read yet may have a bet that feeds a meter."""
    text = str(told)
    return any(wager in text for wager in METERED)
