"""What was paid beyond the game at a table, told by the person who pays it: jackpots and envy.

The app that pays looks at tables, never the other way; so it registers here how its payouts are
read. What the tray pays on a jackpot moves in the ledger and is read there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from pitboss.rules.day.win import Paid, PayoutSource


@dataclass(frozen=True, slots=True)
class PaidOut:
    """One payout, the slip behind it if it has one, and where it came from."""

    table_id: int | None
    # A slip's number, and what it says; envy that a check found has no slip.
    serial: str
    words: str
    paid: Paid
    source: PayoutSource
    # Below zero for what was taken back.
    amount_cents: int
    at: datetime
    # Of envy: who is on the tip pool list with it, and for which hand.
    dealer: str = ""
    wager: str = ""
    row: str = ""


# Given two instants: what was paid after the one and until the other, at any table. One query.
Reader = Callable[[datetime, datetime], Iterable[PaidOut]]

_READERS: list[Reader] = []


def reads_payouts(reader: Reader) -> Reader:
    """Register how payouts are read."""
    _READERS.append(reader)
    return reader


def payouts_between(after: datetime, until: datetime) -> list[PaidOut]:
    """Return what was paid beyond the game between two instants, at any table."""
    return [paid for read in _READERS for paid in read(after, until)]
