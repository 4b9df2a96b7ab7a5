"""Tell whoever keeps the cards that some of them stay where they lie until a matter is settled.

Cards are kept in one app and jackpots in another that looks at it; so the cards of a winning hand
are told of here, and the cards' own keepers listen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import models

from pitboss.models import Slip, Table

# Given the locked table, the cards by name, and the slip that holds them. Returns the rows written.
Listener = Callable[[Table, Sequence[str], Slip, datetime], Sequence[models.Model]]

_LISTENERS: list[Listener] = []


def hears_of_held_cards(listener: Listener) -> Listener:
    """Register what is told of cards that a slip holds."""
    _LISTENERS.append(listener)
    return listener


def cards_held(table: Table, cards: Sequence[str], slip: Slip, at: datetime) -> list[models.Model]:
    """Tell that a slip holds cards at its table, under the table's lock."""
    return [row for listener in _LISTENERS for row in listener(table, cards, slip, at)]
