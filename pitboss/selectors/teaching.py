"""Which job cards a table has, and which belong to a slip about it."""

from __future__ import annotations

from pitboss.models import Table
from pitboss.rules.book.jobs.card import JobCard
from pitboss.rules.book.teaching import TaughtAt, cards_of_slip
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.games.tracked import TABLE_GAMES


def taught_at(table: Table) -> TaughtAt:
    """Return what decides which job cards a table has."""
    bets = frozenset(table.setup["side_bets"]) if "side_bets" in table.setup else None
    return TaughtAt(TABLE_GAMES[table.game], table.decks, CardProfile(table.cards), bets)


def taught_with(kind: str, table: Table | None) -> tuple[JobCard, ...]:
    """Return how the job is done that a slip is about; nothing for a slip about no table."""
    return cards_of_slip(taught_at(table), kind) if table else ()
