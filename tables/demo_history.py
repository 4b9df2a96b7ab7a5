"""What the demo's tables won in the weeks before its first day, by rule, so that bands have a past.

No one signs these days: they are written as an earlier system's closed books are, one row a table
and day, and the journal vouches for them all at once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta

from django.db import transaction

from pitboss.models import Table
from pitboss.rules.cheques.cheques import total_cents
from pitboss.services import house, journal
from tables.models import SettledWin

DAYS_BEFORE = 35
# Hold of a day in hundredths of a percent, and how far eight days in a row stray from it together:
# not at all, so that whatever month begins within them lies inside its band.
_HOLD, _STRAYS = 1_750, (-2_400, -1_300, -700, -250, 250, 700, 1_300, 2_400)
_HIGH_LIMIT_CENTS = 5_000
_DROP_CENTS = range(1_400_000, 3_600_000, 2_000)
_GUESSED_WITHIN_PERCENT = 8


@transaction.atomic
def write_history(first_day: date) -> None:
    """Settle the days before the demo's first."""
    rows = SettledWin.objects.bulk_create(
        row for table in Table.objects.select_related("pit") for row in _days(table, first_day)
    )
    journal.write(chain=journal.HOUSE, kind="demo_loaded", body={}, at=house.now(), rows=rows)


def _days(table: Table, first_day: date) -> Iterator[SettledWin]:
    dice = random.Random(table.name)
    strays: list[int] = []
    opening = total_cents(table.par_cheques)
    for ago in range(DAYS_BEFORE, 0, -1):
        strays = strays or dice.sample(_STRAYS, len(_STRAYS))
        drop = dice.choice(_DROP_CENTS) * (3 if table.minimum_cents >= _HIGH_LIMIT_CENTS else 1)
        win = drop * (_HOLD + strays.pop()) // 10_000
        # The cage fills what the players carried off.
        fills = max(0, drop - win)
        off = dice.randint(-_GUESSED_WITHIN_PERCENT, _GUESSED_WITHIN_PERCENT)
        yield SettledWin(
            gaming_day=first_day - timedelta(days=ago),
            table=table,
            revision=1,
            pit=table.pit.name,
            game=table.game,
            opening_cents=opening,
            closing_cents=opening + win - drop + fills,
            fills_cents=fills,
            credits_cents=0,
            markers_cents=0,
            marker_payments_cents=0,
            drop_cents=drop,
            jackpots_cents=0,
            estimated_cents=win + drop * off // 100,
            win_cents=win,
            settled_at=house.now(),
        )
