"""Tables that play for an estimate of their win: opened, counted, with days behind them."""

from __future__ import annotations

from datetime import timedelta

from pitboss.models import Table
from pitboss.services import house
from tables.models import SettledWin
from tests.floor.cast import Cast, ServerClock
from tests.floor.tablets import period_now

TRAY = {10_000: 20, 2_500: 20}  # $2,500
LESS = {10_000: 15, 2_500: 20}  # $2,000


def opened(cast: Cast, clock: ServerClock) -> None:
    cast.deliver(cast.ask(TRAY))
    clock.move(minutes=1)
    cast.open_table(TRAY)
    clock.move(minutes=59)


def settle(cast: Cast, win: int, drop: int, days: int = 40, guessed: int | None = None) -> None:
    """Let the game of the first table have held so much on each of some days."""
    SettledWin.objects.bulk_create(
        SettledWin(
            gaming_day=period_now().gaming_day - timedelta(days=day + 1),
            table=cast.table,
            revision=1,
            pit=cast.pit.name,
            game=Table.objects.get(pk=cast.table.pk).game,
            opening_cents=0,
            closing_cents=win - drop,
            fills_cents=0,
            credits_cents=0,
            markers_cents=0,
            marker_payments_cents=0,
            drop_cents=drop,
            jackpots_cents=0,
            estimated_cents=guessed,
            win_cents=win,
            settled_at=house.now(),
        )
        for day in range(days)
    )
