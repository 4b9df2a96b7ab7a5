"""The demo's terminals, and what its dealers had them check."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterable
from uuid import uuid4

from pitboss.models import Device, Pit, Table
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.games_printed import GAMES
from pitboss.rules.table_setup import stored_setup
from pitboss.services import house
from pitboss.services.once import RequestKey
from tables.demo_play import Shoe, claims_of, deal
from tables.services.calls import call_supervisor
from tables.services.checks import check, what_if
from tables.services.terminals import Terminal, terminal_by_token

# One payout in so many is keyed wrong.
_SLIP_OF_THE_HAND = 14


def put_terminals(pit: Pit) -> None:
    """Put a terminal at every table of a pit."""
    Device.objects.bulk_create(
        Device(
            name=f"Terminal {table.name}",
            place="pit",
            table=table,
            token_hash=digest(str(uuid4())),
            enrolled_at=house.now(),
        )
        for table in Table.objects.filter(pit=pit)
    )


def check_payouts(tables: Iterable[Table], *, hands: int) -> None:
    """Let each table have some winning payouts checked; a few are about to be paid wrong."""
    for table in tables:
        dice = random.Random(f"{table.name} {house.now()}")
        shoe = Shoe(table.decks, dice)
        side_bets = stored_setup(table.setup).side_bets
        terminal = _terminal_of(table)
        for _ in range(hands):
            times = dice.choice((1, 1, 2, 4))
            stakes = {
                GAMES[table.game].main_wager: table.minimum_cents * times,
                **{wager: bet.minimum_cents for wager, bet in side_bets.items()},
            }
            for claim in claims_of(deal(shoe, dice.randint(1, 6)), stakes):
                owed = what_if(table=table, keyed={**claim, "paid_cents": 0}, at=None).payable_cents
                if owed:
                    is_wrong = dice.randrange(_SLIP_OF_THE_HAND) == 0
                    paid_cents = owed + (claim["stake_cents"] if is_wrong else 0)
                    keyed = {**claim, "paid_cents": paid_cents}
                    key = RequestKey(terminal.device, str(uuid4()), digest(canonical(keyed)))
                    check(key, terminal=terminal, keyed=keyed)


def call_from(table: Table, about: str) -> None:
    """Let a table call its supervisor."""
    call_supervisor(terminal=_terminal_of(table), about=about)


def _terminal_of(table: Table) -> Terminal:
    token = secrets.token_urlsafe(32)
    Device.objects.filter(table=table).update(token_hash=digest(token))
    terminal = terminal_by_token(token)
    assert terminal is not None, f"{table} has a terminal"
    return terminal
