"""The win of a closed day as journal entries for the house’s general ledger, by its own accounts.

Each entry balances by the identity of win: what a tray, the cage, the boxes and the markers gained
together is what the table won.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.day.win import ExtraPayout, PayoutSource, WinFigures
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused


@unique
class Account(StrEnum):
    """What a line of an entry is about. The values are stored, and other systems know them."""

    TRAY = "tray"
    CAGE_CHEQUES = "cage_cheques"
    DROP = "drop"
    MARKERS = "markers"
    WIN = "win"
    PAYOUTS = "payouts"
    CAGE_CASH = "cage_cash"
    BANK = "bank"


TITLES: Final[Mapping[Account, str]] = {
    Account.TRAY: "Cheques in trays",
    Account.CAGE_CHEQUES: "Cheques in the cage",
    Account.DROP: "Drop",
    Account.MARKERS: "Markers receivable",
    Account.WIN: "Table games win",
    Account.PAYOUTS: "Payouts from the cage",
    Account.CAGE_CASH: "Cash in the cage",
    Account.BANK: "Bank",
}
# A house changes these to the numbers of its own chart of accounts.
ACCOUNTS: Final[Mapping[str, str]] = {
    Account.TRAY.value: "1120",
    Account.CAGE_CHEQUES.value: "1110",
    Account.DROP.value: "1130",
    Account.MARKERS.value: "1210",
    Account.WIN.value: "4010",
    Account.PAYOUTS.value: "5010",
    Account.CAGE_CASH.value: "1010",
    Account.BANK.value: "1020",
}
_LINE: Final = re.compile(r"([a-z_]{3,12})[ :]+([A-Za-z0-9.-]{1,20})", re.ASCII)


@dataclass(frozen=True, slots=True)
class AccountList:
    """The account number of each kind of line, one a line."""

    def read(self, keyed: str) -> dict[str, str]:
        """Return the accounts as they are stored. Every line that is wrong is named.

        >>> AccountList().read(AccountList().text(ACCOUNTS)) == ACCOUNTS
        True
        """
        accounts: dict[str, str] = {}
        refusals = []
        for number, line in enumerate(filter(None, map(str.strip, keyed.splitlines())), 1):
            found = _LINE.fullmatch(line)
            if found is None or found[1] not in ACCOUNTS or found[1] in accounts:
                message = f"Line {number}, {quoted(line)}, isn’t a valid account. {self.hint}"
                refusals.append(Refusal("accounts_malformed", message))
            else:
                accounts[found[1]] = found[2]
        missing = [name for name in ACCOUNTS if name not in accounts]
        if missing and not refusals:
            message = f"There is no account for {', '.join(missing)}. {self.hint}"
            refusals.append(Refusal("accounts_malformed", message))
        if refusals:
            raise Refused(refusals)
        return {name: accounts[name] for name in ACCOUNTS}

    def words(self, value: Mapping[str, str]) -> str:
        return ", ".join(f"{name} {number}" for name, number in value.items())

    def text(self, value: Mapping[str, str]) -> str:
        return "\n".join(f"{name} {number}" for name, number in value.items())

    @property
    def hint(self) -> str:
        return f"Enter one account per line, such as tray 1120: {', '.join(ACCOUNTS)}."


@dataclass(frozen=True, slots=True)
class EntryLine:
    """One line of a journal entry: an amount on one side of one account."""

    table: str
    pit: str
    about: Account
    account: str
    debit_cents: int
    credit_cents: int


@dataclass(frozen=True, slots=True)
class Won:
    """What one table won in a closed day, its boxes counted."""

    table: str
    pit: str
    figures: WinFigures
    drop_cents: int
    win_cents: int


def entries_of(
    won: Iterable[Won], payouts: Sequence[ExtraPayout], accounts: Mapping[str, str]
) -> list[EntryLine]:
    """Return the lines of a day: each table’s own, then what the cage and the bank paid out.

    >>> figures = WinFigures(opening_cents=500, closing_cents=450, fills_cents=100)
    >>> lines = entries_of([Won("BJ-11", "A", figures, 300, 150)], [], ACCOUNTS)
    >>> [(line.account, line.debit_cents, line.credit_cents) for line in lines]
    [('1120', 0, 50), ('1110', 0, 100), ('1130', 300, 0), ('4010', 0, 150)]
    """
    return [*_of_tables(won, accounts), *_of_payouts(payouts, accounts)]


def _of_tables(won: Iterable[Won], accounts: Mapping[str, str]) -> Iterator[EntryLine]:
    for item in won:
        figures = item.figures
        gained = (
            (Account.TRAY, figures.closing_cents - figures.opening_cents),
            (Account.CAGE_CHEQUES, figures.credits_cents - figures.fills_cents),
            (Account.DROP, item.drop_cents),
            (Account.MARKERS, figures.markers_issued_cents - figures.marker_payments_cents),
            (Account.WIN, -item.win_cents),
        )
        for about, cents in gained:
            if cents:
                yield _line(item.table, item.pit, about, cents, accounts)


def _of_payouts(payouts: Sequence[ExtraPayout], accounts: Mapping[str, str]) -> Iterator[EntryLine]:
    """Yield what left no tray. What a tray paid is in the table’s win already."""
    from_cage = sum(payout.amount_cents for payout in payouts if payout.source is PayoutSource.CAGE)
    from_bank = sum(
        payout.amount_cents for payout in payouts if payout.source is PayoutSource.BANK_CHEQUE
    )
    gained = (
        (Account.PAYOUTS, from_cage + from_bank),
        (Account.CAGE_CASH, -from_cage),
        (Account.BANK, -from_bank),
    )
    for about, cents in gained:
        if cents:
            yield _line("", "", about, cents, accounts)


def _line(
    table: str, pit: str, about: Account, cents: int, accounts: Mapping[str, str]
) -> EntryLine:
    return EntryLine(table, pit, about, accounts[about.value], max(cents, 0), max(-cents, 0))
