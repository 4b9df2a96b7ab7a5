"""What follows from an incident: who is told, which order stands, who has the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import models

from pitboss.rules.floor.incidents import (
    ABUSE,
    CARDS_DEFECTIVE,
    CHEATING,
    COUNTERFEIT,
    DISPUTE,
    FLAT_BET,
    FLAT_BET_END,
    KEYS_RETURNED,
    KEYS_TAKEN,
    PIT_KEYS,
    SENSOR_DARK,
    flat_bet_in,
)
from pitboss.rules.floor.irregular_kinds import HAND_OVER, IRREGULARITIES, ruling_in
from pitboss.rules.games.table_orders import OrderEnd, OrderKind
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.refusal import refuse
from pitboss.services import exceptions
from pitboss.services.exceptions import open_exception
from tables.models import FloorEntry, KeyLoan, Round, TableOrder
from tables.services.floor_log import NewEntry, follows
from tables.services.table_orders import begin_order, end_orders

Rows = Sequence[models.Model]
_NOTHING: Final[Rows] = ()


@follows(COUNTERFEIT)
def _counterfeit(entry: FloorEntry, _: NewEntry) -> Rows:
    """Tell the shift manager."""
    return _tell(entry, exceptions.COUNTERFEIT_BILL)


@follows(SENSOR_DARK)
def _sensor_dark(entry: FloorEntry, _: NewEntry) -> Rows:
    """Tell surveillance and the shift manager, each by an entry of their own."""
    _tell(entry, exceptions.SENSOR_DARK_WATCHED)
    return _tell(entry, exceptions.SENSOR_DARK)


@follows(CARDS_DEFECTIVE)
def _cards_defective(entry: FloorEntry, _: NewEntry) -> Rows:
    """Tell surveillance of cards that someone may have tampered with."""
    if entry.facts["fault"] != "tampered":
        return _NOTHING
    return _tell(entry, exceptions.CARDS_SUSPECTED)


@follows(CHEATING)
def _cheating(entry: FloorEntry, _: NewEntry) -> Rows:
    """Tell surveillance and the shift manager, and no one at the table."""
    return _tell(entry, exceptions.CHEATING_SUSPECTED)


@follows(ABUSE)
def _abuse(entry: FloorEntry, _: NewEntry) -> Rows:
    """Tell security of a player who threatens, or who was asked to leave."""
    if entry.facts["what"] not in ("threat", "asked_to_leave"):
        return _NOTHING
    return _tell(entry, exceptions.PLAYER_THREATENS)


def _tell(entry: FloorEntry, code: str) -> Rows:
    open_exception(
        code=code,
        sentence=f"{entry.table}: {entry.sentence}"[:500],
        details={"entry": entry.pk},
        at=entry.at,
        person=entry.by,
        table=entry.table,
    )
    return _NOTHING


@follows(DISPUTE)
def _dispute(entry: FloorEntry, _: NewEntry) -> Rows:
    """Refuse a dispute that names a round of another table."""
    number = entry.facts.get("round")
    if number is not None and not Round.objects.filter(pk=number, table=entry.table).exists():
        raise refuse(
            "unknown_round", f"Round {number} not found at {entry.table}. Check the number."
        )
    return _NOTHING


@follows(FLAT_BET)
def _flat_bet(entry: FloorEntry, _: NewEntry) -> Rows:
    """Let the order stand until the shoe ends."""
    order = flat_bet_in(TABLE_GAMES[entry.table.game], entry.facts)
    if _flat_bet_stands(entry, order.seat):
        message = f"Seat {order.seat} is already flat bet. Lift that order first."
        raise refuse("flat_bet_stands", message)
    begin_order(entry, OrderKind.FLAT_BET, order.as_facts(), order.seat)
    return _NOTHING


def _flat_bet_stands(entry: FloorEntry, seat: int) -> bool:
    return TableOrder.objects.filter(
        table=entry.table, kind=OrderKind.FLAT_BET.value, seat=seat, ended_at=None
    ).exists()


@follows(FLAT_BET_END)
def _flat_bet_end(entry: FloorEntry, _: NewEntry) -> Rows:
    """Lift the order of a seat before the shoe ends."""
    seat = entry.facts["seat"]
    if not end_orders(entry.table, OrderKind.FLAT_BET, OrderEnd.LIFTED, entry.at, seat):
        raise refuse(
            "no_flat_bet_stands",
            f"Seat {seat} at {entry.table} isn’t flat bet. There is no order to lift.",
        )
    return _NOTHING


def _irregular(entry: FloorEntry, _: NewEntry) -> Rows:
    """Let what was decided stand for this hand."""
    ruling = ruling_in(TABLE_GAMES[entry.table.game], entry.kind, entry.facts)
    begin_order(entry, OrderKind.RULING, ruling.as_facts(), ruling.seat)
    return _NOTHING


for _kind in IRREGULARITIES:
    if _kind.code != HAND_OVER:
        follows(_kind.code)(_irregular)


@follows(HAND_OVER)
def _hand_over(entry: FloorEntry, _: NewEntry) -> Rows:
    """End what was decided about the hand that is over."""
    end_orders(entry.table, OrderKind.RULING, OrderEnd.HAND_OVER, entry.at)
    return _NOTHING


@follows(KEYS_TAKEN)
def _keys_taken(entry: FloorEntry, _: NewEntry) -> Rows:
    """Put the keys of the pit into the hand of the person who signed."""
    loan = _loan_of(entry)
    if loan is not None:
        raise refuse(
            "keys_out",
            f"{loan.taken.by} has the {_words(entry)} since {loan.taken.at:%H:%M}. "
            "They have to return them first.",
        )
    KeyLoan.objects.create(pit=entry.table.pit, key=entry.facts["key"], taken=entry)
    return _NOTHING


@follows(KEYS_RETURNED)
def _keys_returned(entry: FloorEntry, _: NewEntry) -> Rows:
    """Take the keys back from whoever has them."""
    loan = _loan_of(entry)
    if loan is None:
        raise refuse(
            "keys_in",
            f"No one has the {_words(entry)} of {entry.table.pit}. Check which keys came back.",
        )
    loan.returned = entry
    loan.save(update_fields=["returned"])
    return _NOTHING


def _loan_of(entry: FloorEntry) -> KeyLoan | None:
    """Return who has the keys that an entry names, under lock: the pit has many tables."""
    pit = type(entry.table.pit).objects.select_for_update(no_key=True).get(pk=entry.table.pit_id)
    return (
        KeyLoan.objects.filter(pit=pit, key=entry.facts["key"], returned=None)
        .select_related("taken__by")
        .first()
    )


def _words(entry: FloorEntry) -> str:
    return f"keys to the {PIT_KEYS[entry.facts['key']].lower()}"
