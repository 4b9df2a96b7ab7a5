"""Payouts in tests: a table open with a terminal, and checks confirmed as paid."""

from __future__ import annotations

from typing import Any

from tables.models import Mismatch
from tests.floor.cast import Cast
from tests.floor.terminals import TerminalClient, make_terminal

TRAY = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
# Three nines: Super 3 pays 90 to 1, $450 on $5.
SUPER_3 = {
    "wager": "super_3",
    "stake_cents": 500,
    "player_cards": ["9c", "9d"],
    "dealer_up": "9s",
    "paid_cents": 45_000,
    "seat": 5,
}
# The dealer's hand is not played out, so nobody can say what blackjack pays.
UNKNOWN = {
    "wager": "blackjack",
    "stake_cents": 2_500,
    "player_cards": ["9c", "9d"],
    "dealer_up": "9s",
    "paid_cents": 2_500,
    "seat": 2,
}


def open_with_terminal(cast: Cast) -> TerminalClient:
    """Open the first table, with Dan dealing, and put a terminal at it."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    cast.table.refresh_from_db()
    return TerminalClient(make_terminal(cast.table))


def checked(terminal: TerminalClient, claim: dict[str, Any] = SUPER_3, **change: Any) -> int:
    """Check a payout; return its number."""
    answer = terminal.post("checks", {**claim, **change})
    assert answer.status_code == 201, answer.content
    return int(answer.json()["check"])


def paid(terminal: TerminalClient, claim: dict[str, Any] = SUPER_3, **body: Any) -> Mismatch:
    """Check a payout and confirm another amount as paid; return the mismatch."""
    answer = terminal.post(f"checks/{checked(terminal, claim)}/paid", body)
    assert answer.status_code == 201, answer.content
    return Mismatch.objects.get(pk=answer.json()["mismatch"]["id"])
