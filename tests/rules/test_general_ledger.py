"""A closed day as journal entries: each table balances, and the accounts are the house’s own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.day.general_ledger import (
    ACCOUNTS,
    Account,
    AccountList,
    EntryLine,
    Won,
    entries_of,
)
from pitboss.rules.day.win import Drop, ExtraPayout, Paid, PayoutSource, WinFigures, table_win
from pitboss.rules.refusal import Refused

CENTS = st.integers(0, 10**9)
FIGURES = st.builds(
    WinFigures,
    opening_cents=CENTS,
    closing_cents=CENTS,
    fills_cents=CENTS,
    credits_cents=CENTS,
    markers_issued_cents=CENTS,
    marker_payments_cents=CENTS,
)
PAYOUTS = st.lists(
    st.builds(
        ExtraPayout,
        st.just(Paid.JACKPOT),
        st.sampled_from(PayoutSource),
        st.integers(-(10**6), 10**8),
    )
)


def net(lines: list[EntryLine]) -> int:
    return sum(line.debit_cents - line.credit_cents for line in lines)


@given(st.lists(st.tuples(FIGURES, CENTS), max_size=4), PAYOUTS)
def test_every_table_and_the_whole_day_balance(
    days: list[tuple[WinFigures, int]], payouts: list[ExtraPayout]
) -> None:
    won = [
        Won(f"BJ-{n}", "A", figures, drop, table_win(figures, Drop(drop)).win_cents)
        for n, (figures, drop) in enumerate(days)
    ]
    lines = entries_of(won, payouts, ACCOUNTS)
    assert net(lines) == 0
    for item in won:
        assert net([line for line in lines if line.table == item.table]) == 0
    assert all(min(line.debit_cents, line.credit_cents) == 0 for line in lines)
    assert all(line.debit_cents + line.credit_cents > 0 for line in lines)


def test_what_a_tray_paid_is_in_the_win_and_the_rest_has_lines_of_its_own() -> None:
    payouts = [
        ExtraPayout(Paid.JACKPOT, PayoutSource.TRAY, 100),
        ExtraPayout(Paid.JACKPOT, PayoutSource.CAGE, 2_000),
        ExtraPayout(Paid.JACKPOT, PayoutSource.BANK_CHEQUE, 30_000),
        ExtraPayout(Paid.JACKPOT, PayoutSource.CAGE, -500),
    ]
    lines = entries_of([], payouts, ACCOUNTS)
    assert [(line.about, line.debit_cents, line.credit_cents) for line in lines] == [
        (Account.PAYOUTS, 31_500, 0),
        (Account.CAGE_CASH, 0, 1_500),
        (Account.BANK, 0, 30_000),
    ]


def test_accounts_are_read_as_they_are_written() -> None:
    keyed = AccountList().text(ACCOUNTS).replace("tray 1120", "tray: 1-120.5")
    assert AccountList().read(keyed) == {**ACCOUNTS, "tray": "1-120.5"}
    assert "tray 1120" in AccountList().words(ACCOUNTS)


@pytest.mark.parametrize(
    "keyed",
    [
        "",
        "tray 1120",
        AccountList().text(ACCOUNTS) + "\ntray 1120",
        AccountList().text(ACCOUNTS) + "\nspa 1120",
        AccountList().text(ACCOUNTS).replace("1120", "11 20"),
        AccountList().text(ACCOUNTS).replace("1120", "=1120"),
    ],
)
def test_accounts_that_are_missing_twice_or_unknown_are_refused(keyed: str) -> None:
    with pytest.raises(Refused) as refused:
        AccountList().read(keyed)
    assert set(refused.value.codes) == {"accounts_malformed"}
