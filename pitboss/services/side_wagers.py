"""Tell whoever wants to know that side wagers were taken: a meter gets its part of each.

Rounds are played in one app and meters are kept in another that looks at it; so the wagers are told
here, and the meters listen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from django.db import models

from pitboss.models import Table

# Given the locked table, how many wagers of each bet were taken, the round's own key and the time.
# Returns the rows written, for the journal entry of the round to vouch for.
Listener = Callable[[Table, Mapping[str, int], str, datetime], Sequence[models.Model]]

_LISTENERS: list[Listener] = []


def hears_of_side_wagers(listener: Listener) -> Listener:
    """Register what is told of the side wagers of every round."""
    _LISTENERS.append(listener)
    return listener


# Given the locked table, the key of a round whose stakes went back, and the time.
Returner = Callable[[Table, str, datetime], Sequence[models.Model]]

_RETURNERS: list[Returner] = []


def hears_of_stakes_returned(returner: Returner) -> Returner:
    """Register what is told of every round whose stakes went back."""
    _RETURNERS.append(returner)
    return returner


def stakes_returned(table: Table, *, key: str, at: datetime) -> list[models.Model]:
    """Tell that the stakes of a round went back, under its table's lock.

    The caller's journal entry vouches for the rows that come back.
    """
    return [row for returner in _RETURNERS for row in returner(table, key, at)]


def side_wagers_taken(
    table: Table, wagers: Mapping[str, int], *, key: str, at: datetime
) -> list[models.Model]:
    """Tell of the side wagers that a round has taken, once, under its table's lock.

    The caller's journal entry vouches for the rows that come back.
    """
    return [row for listener in _LISTENERS for row in listener(table, wagers, key, at)]
