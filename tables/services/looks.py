"""Note a bet as someone sees it: what a floor does most, so in few trips to the database.

A look touches neither ledger, tray nor win, and changes nothing that another look or a round waits
for: it holds its table for one question, one row and its entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from inventory.models import Patron
from pitboss.models import Table
from pitboss.models.plain import Statement, attnames, columns, inserting, read_row, stored
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.games.games import TableRules
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services import house, journal
from tables.models import Look, PlayRating
from tables.services.floor_log import Tap
from tables.services.in_force import settings_of, terms_of
from tables.services.rating_facts import look_wanted_since, most_by
from tables.services.rating_hands import (
    AtTerminal,
    RatingAct,
    acting,
    demand_open,
    form_hash,
    reused,
    whose_tap,
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A look, with the seats that its player held then."""

    look: Look
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Stay:
    """What a look is judged by: the stay, its seats, and what was noted of it so far."""

    rating: PlayRating
    seats: tuple[int, ...]
    is_away: bool
    last: datetime | None
    # The number that the look will have: the entry that vouches for it is written with it.
    look_id: int


def see(
    *,
    rating_id: int,
    bet_cents: int,
    hand: Tap | AtTerminal,
    side: Mapping[str, int] | None = None,
    keeping: Callable[[Seen], Statement] | None = None,
) -> Seen:
    """Note a bet as it lies on the table now. Raises Refused.

    `keeping` makes of it what keeps a terminal's answer, to be stored with it.
    """
    table_id, side = _table_of(rating_id, hand), dict(side or {})
    said = form_hash("look", by=whose_tap(hand), rating=rating_id, bet=bet_cents, side=side)
    asked: list[Statement] = [
        (_asking_of_the_stay(), [rating_id, table_id]),
        (_asking_of_the_form(), [hand.request_id]),
        journal.locking_head(journal.chain_of(Table(pk=table_id), journal.HOUSE)),
    ]
    with acting("look", hand, table_id, asked=asked) as act:
        stays, forms, head = act.read
        stay = _stay(stays)
        earlier = read_row(Look, forms[0]) if forms else None
        if earlier is not None:
            if earlier.request_hash != said:
                raise reused()
            return Seen(earlier, stay.seats)
        in_force, rules = _terms(act)
        demand_open(stay.rating)
        refusals = _refusals(stay, bet_cents, most_by(rules, stay.seats))
        if refusals:
            raise Refused(refusals)
        look = Look(
            pk=stay.look_id,
            rating=stay.rating,
            at=act.now,
            bet_cents=bet_cents,
            seats=max(1, len(stay.seats)),
            side=side,
            prompted=look_wanted_since(stay.rating, stay.last, act.now, in_force) is not None,
            by=act.person,
            device=act.device,
            request_id=hand.request_id,
            request_hash=said,
        )
        act.rows.append(look)
        seen = Seen(look, stay.seats)
        stores = [inserting(look), *([keeping(seen)] if keeping is not None else [])]
        body = {"rating": stay.rating.pk, "bet_cents": bet_cents}
        act.tell(act.tables[table_id], "look", body, before=stores, head_rows=head)
        stored(look, stay.look_id)
        return seen


def _table_of(rating_id: int, hand: Tap | AtTerminal) -> int:
    """Return whose table is locked: a terminal's is its own, whatever rating it names."""
    if isinstance(hand, AtTerminal):
        assert hand.device.table_id is not None, "a terminal stands at a table"
        return hand.device.table_id
    return PlayRating.objects.values_list("table_id", flat=True).get(pk=rating_id)


@cache
def _asking_of_the_stay() -> str:
    return f"""
        SELECT {columns(PlayRating, "rating")}, {columns(Patron, "patron")},
            ARRAY(SELECT held.seat FROM tables_seatheld AS held
                  WHERE held.rating_id = rating.id AND held.until IS NULL ORDER BY held.seat),
            EXISTS (SELECT FROM tables_away AS away
                    WHERE away.rating_id = rating.id AND away.until IS NULL),
            (SELECT look.at FROM tables_look AS look WHERE look.rating_id = rating.id
             ORDER BY look.at DESC LIMIT 1),
            nextval(pg_get_serial_sequence('tables_look', 'id'))
        FROM tables_playrating AS rating
        LEFT JOIN inventory_patron AS patron ON patron.id = rating.patron_id
        WHERE rating.id = %s AND rating.table_id = %s
    """


@cache
def _asking_of_the_form() -> str:
    return f"""
        SELECT {columns(Look, "known")} FROM tables_look AS known WHERE known.request_id = %s
    """


def _stay(rows: Sequence[tuple[Any, ...]]) -> _Stay:
    if not rows:
        raise unknown_rating()
    (row,) = rows
    rating = read_row(PlayRating, row)
    assert rating is not None, "what was found by its id has one"
    rest = row[len(attnames(PlayRating)) :]
    rating.patron = read_row(Patron, rest)
    seats, is_away, last, look_id = rest[len(attnames(Patron)) :]
    return _Stay(rating, tuple(seats), is_away, last, look_id)


def unknown_rating() -> Refused:
    """Return what a terminal is told of a rating that is not at its table."""
    return refuse("unknown_rating", "Rating not found at this table. Reload the page.", 404)


def _terms(act: RatingAct) -> tuple[SettingsInForce, TableRules]:
    """Return the settings and the rules that hold: a terminal's are kept under their versions."""
    terminal = act.hand.terminal if isinstance(act.hand, AtTerminal) else None
    if terminal is not None:
        in_force = settings_of(terminal, act.now)
        return in_force, terms_of(terminal, in_force).rules
    in_force = house.settings_at(act.now)
    (table,) = act.tables.values()
    return in_force, rules_in_force(table, in_force, act.now)


def _refusals(stay: _Stay, bet_cents: int, most_cents: int) -> list[Refusal]:
    refusals = []
    if bet_cents < 1:
        refusals.append(Refusal("amount_malformed", "Enter the bet in dollars, like 25."))
    if bet_cents > most_cents:
        refusals.append(
            Refusal(
                "over_maximum",
                f"{format_money(bet_cents)} is over the maximum of {format_money(most_cents)} "
                "here. Check the bet.",
            )
        )
    if stay.is_away:
        refusals.append(
            Refusal("look_while_away", "The player is away. Tap “Back” first.", CONFLICT)
        )
    return refusals
