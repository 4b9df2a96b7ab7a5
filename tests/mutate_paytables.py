"""Change every number of every printed pay table in turn, and show that a test notices each.

    python tests/mutate_paytables.py

Each change is made in memory, the printed cells of that table are settled again, and the number is
put back. A change that no cell notices is printed, and the exit status is 1.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pitboss.rules.paytables.paytables import PAY_TABLES, Award, MeterShare, Odds, PayTable
from pitboss.rules.wagers import side_bets
from pitboss.rules.wagers.settle import settle_case
from tests.rules.printed_cells import CELLS

Change = tuple[str, PayTable]


def _changed_numbers(number: int) -> Iterator[int]:
    yield number + 1
    if number > 1:
        yield number - 1


def _changed_pays(pay: Any) -> Iterator[tuple[str, Any]]:
    """Yield one cell with each of its numbers changed, up and down."""
    if isinstance(pay, Odds):
        for to in _changed_numbers(pay.to):
            yield f"{pay} to {Odds(to, pay.per)}", Odds(to, pay.per)
        for per in _changed_numbers(pay.per):
            yield f"{pay} to {Odds(pay.to, per)}", Odds(pay.to, per)
        return
    kind: Callable[[dict[int, int]], Any]
    if isinstance(pay, Award):
        numbers, kind = pay.cents_by_stake, Award
    else:
        meter = pay.meter
        numbers, kind = pay.percent_by_stake, lambda changed: MeterShare(meter, changed)
    for stake_cents, number in numbers.items():
        for changed in _changed_numbers(number):
            yield f"{number} to {changed}", kind({**numbers, stake_cents: changed})


def changes(table: PayTable) -> Iterator[Change]:
    """Yield the table with each single number changed."""
    for row, pay in table.pays.items():
        for what, changed in _changed_pays(pay):
            yield f"{row}: {what}", replace(table, pays={**table.pays, row: changed})
    for row, pay in table.ante_pays.items():
        for what, changed in _changed_pays(pay):
            ante_pays = {**table.ante_pays, row: changed}
            yield f"{row}, ante alone: {what}", replace(table, ante_pays=ante_pays)
    for row, cents in table.envy_cents.items():
        for number in _changed_numbers(cents):
            envy_cents = {**table.envy_cents, row: number}
            yield f"{row}, envy: {cents} to {number}", replace(table, envy_cents=envy_cents)


def is_noticed(wager: str, table_id: str) -> bool:
    """Say whether some printed cell of this table is no longer paid as printed."""
    for cell in CELLS:
        if (cell.wager, cell.table) != (wager, table_id):
            continue
        answer = settle_case(cell.case)
        if answer.get("payout_cents") != cell.payout_cents:
            return True
        if cell.envy_cents is not None and answer["envy_cents"] != cell.envy_cents:
            return True
    return False


def unnoticed_changes() -> tuple[int, list[str]]:
    """Make every change in turn; return how many there were and those that no cell noticed."""
    made = 0
    unnoticed = []
    for wager, tables in PAY_TABLES.items():
        shelf: Any = tables
        for table_id, table in list(tables.items()):
            for what, changed in changes(table):
                made += 1
                side_bets.forget_verdicts()
                shelf[table_id] = changed
                try:
                    if not is_noticed(wager, table_id):
                        unnoticed.append(f"{wager} {table_id} {what}")
                finally:
                    shelf[table_id] = table
    side_bets.forget_verdicts()
    return made, unnoticed


if __name__ == "__main__":
    made, unnoticed = unnoticed_changes()
    for what in unnoticed:
        sys.stdout.write(f"not noticed: {what}\n")
    sys.stdout.write(f"{made} changes made, {len(unnoticed)} not noticed\n")
    sys.exit(bool(unnoticed))
