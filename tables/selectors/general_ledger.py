"""A closed day for the general ledger: what each table won, and what the cage and bank paid out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from pitboss.rules.day.general_ledger import EntryLine, Won, entries_of
from pitboss.rules.day.win import ExtraPayout, PayoutSource
from pitboss.rules.refusal import CONFLICT, refuse
from pitboss.services import house
from tables.selectors.table_days import table_days
from tables.services.payouts import payouts_between


@dataclass(frozen=True, slots=True)
class LedgerDay:
    """The journal entries of one gaming day."""

    gaming_day: date
    lines: list[EntryLine]

    @property
    def debit_cents(self) -> int:
        return sum(line.debit_cents for line in self.lines)

    @property
    def credit_cents(self) -> int:
        return sum(line.credit_cents for line in self.lines)


def ledger_day(day: date) -> LedgerDay:
    """Return the entries of a closed day, as corrections restate it. Raises Refused.

    It is refused until every box of the day is posted: half a day must not reach the ledger.
    """
    if not house.is_closed(day):
        words = f"The gaming day {day:%b %-d, %Y} isn’t closed. Ask again when it is."
        raise refuse("day_not_closed", words, CONFLICT)
    days = table_days(day, day)
    waiting = [table_day.table for table_day in days if table_day.win_cents is None]
    if waiting:
        words = f"Drop of {', '.join(waiting)} isn’t posted. Ask again when it is."
        raise refuse("drop_not_posted", words, CONFLICT)
    won = [
        Won(
            table_day.table,
            table_day.pit,
            table_day.figures,
            table_day.drop_cents or 0,
            table_day.win_cents or 0,
        )
        for table_day in days
    ]
    payouts = [
        ExtraPayout(payout.paid, payout.source, payout.amount_cents)
        for payout in payouts_between(*house.day_span(day))
        if payout.source is not PayoutSource.TRAY
    ]
    accounts = house.settings_at(house.now())["ledger.accounts"]
    return LedgerDay(day, entries_of(won, payouts, accounts))
