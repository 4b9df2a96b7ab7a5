"""Pay tables as data: what each row of each wager pays, from when, and where that is written.

A pay table has an id, a version and the date from which it holds, so that a dispute about last
Tuesday is settled with last Tuesday's table. The printed tables are in `paytables_printed`; a house
may define one of its own from the named rows of a wager.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Final

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.paytables.pays import (
    FROM_THE_BEGINNING,
    LOSE,
    Award,
    MeterShare,
    Odds,
    Pay,
    PayTable,
    Source,
)
from pitboss.rules.paytables.printed import PAY_TABLES
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import refuse

__all__ = [
    "LOSE",
    "METERS",
    "PAY_TABLES",
    "ROWS",
    "STAKES_CENTS",
    "Award",
    "MeterShare",
    "Odds",
    "Pay",
    "PayTable",
    "Source",
    "house_pay_table",
    "in_force_on",
    "parse_pay",
    "pay_table",
    "read_by",
]

# Rows of each side bet, best first as printed; "lose" is not a row.
ROWS: Final[Mapping[str, tuple[str, ...]]] = {
    "raise_the_roof": (
        "bust_4567_suited", "bust_4567_unsuited",
        "bust_6", "bust_7", "bust_8", "bust_9", "bust_10",
    ),
    "bet_the_set_21": ("suited_pair", "pair"),
    "royal_match_21": ("royal_match", "suited"),
    "trilux": ("mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush", "pair"),
    "super_3": ("suited_three_of_a_kind", "straight_flush", "three_of_a_kind"),
    "match_the_dealer": (
        "two_suited", "one_non_suited_one_suited", "one_suited", "two_non_suited",
        "one_non_suited",
    ),
    "perfect_pair": ("suited_pair", "non_suited_pair"),
    "lucky_ladies": (
        "three_queens_hearts", "three_queens_same_suit", "three_queens_same_colour",
        "three_queens", "matched_20", "suited_20", "non_suited_20",
    ),
    "blazing_7s": (
        "three_sevens_same_suit", "three_sevens_same_colour", "three_sevens_mixed",
        "two_sevens", "one_seven",
    ),
    "two_card_bonus": (
        "suited_blackjack", "blackjack", "suited_pair", "coloured_pair", "pair",
        "royal_match", "suited_20", "total_20", "suited_connectors", "suited", "same_colour",
    ),
    "four_card_bonus": (
        "four_identical", "four_of_a_kind", "straight_flush", "three_of_a_kind", "two_pair",
        "straight", "flush", "pair", "same_colour",
    ),
}  # fmt: skip
# Bets that only take these stakes.
STAKES_CENTS: Final[Mapping[str, tuple[int, ...]]] = {
    "lucky_ladies": (500, 1000),
    "blazing_7s": (500,),
}
METERS: Final[Mapping[str, tuple[str, ...]]] = {
    "lucky_ladies": ("MEGA", "MAJOR", "MINOR"),
    "blazing_7s": ("JACKPOT",),
}
# These documents rank the hands themselves; elsewhere the best paid row is the best.
RANKED_BY_PRINT: Final = frozenset({"lucky_ladies", "blazing_7s", "raise_the_roof"})


def in_force_on(tables: Iterable[PayTable], on: date) -> PayTable:
    """Return the table that held on a day: of those begun by then, the one that began last.

    >>> old = PAY_TABLES["trilux"]["TRI-01"]
    >>> new = replace(old, version=2, valid_from=date(2026, 3, 1))
    >>> in_force_on([new, old], date(2026, 2, 28)).version
    1
    >>> in_force_on([old, new], date(2026, 3, 1)).version
    2
    """
    begun = [table for table in tables if table.valid_from <= on]
    if not begun:
        raise refuse("no_pay_table_then", f"No version of this pay table held on {on:%Y-%m-%d}.")
    return max(begun, key=lambda table: (table.valid_from, table.version))


def read_by(table: PayTable, options: HouseOptions) -> PayTable:
    """Return the table with the house's reading of what its print leaves out."""
    is_printed = (table.wager, table.id, table.is_house_defined) == ("trilux", "DD-5:2", False)
    if options.double_deck_pair == "pair_pays_5:2" and is_printed:
        read = _double_deck_with_pair()
        return replace(read, envy_cents=table.envy_cents) if table.envy_cents else read
    return table


@cache
def _double_deck_with_pair() -> PayTable:
    table = PAY_TABLES["trilux"]["DD-5:2"]
    return replace(table, pays={**table.pays, "pair": Odds(5, 2)})


_ODDS = re.compile(r"([1-9][0-9]{0,6}) ?(?::|to) ?([1-9][0-9]{0,2})", re.ASCII)
_SHARE = re.compile(r"([1-9][0-9]{0,2})% of ([A-Z]{1,20})", re.ASCII)


def parse_pay(text: object, stakes_cents: tuple[int, ...] = ()) -> Pay:
    """Read one cell of a house pay table: odds, or a share of a meter where the wager has meters.

    A share is that of the largest stake; a smaller stake is entitled in proportion.

    >>> parse_pay("30:1"), parse_pay("5 to 2")
    (Odds(to=30, per=1), Odds(to=5, per=2))
    >>> parse_pay("100% of MEGA", (500, 1000)).percent_by_stake
    {500: 50, 1000: 100}
    """
    if isinstance(text, str):
        odds = _ODDS.fullmatch(text)
        if odds:
            return Odds(int(odds[1]), int(odds[2]))
        share = _SHARE.fullmatch(text)
        if share and stakes_cents and int(share[1]) <= 100:
            percent, largest = int(share[1]), max(stakes_cents)
            by_stake = {stake: percent * stake // largest for stake in stakes_cents}
            return MeterShare(share[2], by_stake)
    raise refuse("bad_pay", f"{quoted(text)} isn’t a valid payout. Write odds like 30:1.")


def house_pay_table(
    wager: str,
    pays: Mapping[str, object],
    *,
    id: str = "house",
    version: int = 1,
    valid_from: date = FROM_THE_BEGINNING,
    soft_17: str | None = None,
) -> PayTable:
    """Build a pay table of the house's own from the named rows of a wager.

    The best paid row comes first, so a hand that fits several rows is paid the highest.

    >>> table = house_pay_table("two_card_bonus", {"pair": "8:1", "suited_pair": "25:1"})
    >>> list(table.pays), table.best(("pair", "suited_pair"))
    (['suited_pair', 'pair'], 'suited_pair')
    """
    rows = ROWS.get(wager)
    if rows is None:
        raise refuse("no_house_table", f"A house pay table cannot be defined for {wager!r}.")
    if not pays:
        raise refuse("empty_pay_table", "A pay table needs at least one row. Add one.")
    unknown = [quoted(row) for row in pays if row not in rows]
    if unknown:
        raise refuse(
            "unknown_row",
            f"{wager} has no row {', '.join(unknown[:5])}. Its rows are {', '.join(rows)}.",
        )
    stakes = STAKES_CENTS.get(wager, ())
    meters = METERS.get(wager, ())
    parsed: dict[str, Pay] = {}
    for row in rows:
        if row in pays:
            pay = parse_pay(pays[row], stakes)
            if isinstance(pay, MeterShare) and pay.meter not in meters:
                raise refuse("unknown_meter", f"{wager} has no meter {pay.meter}.")
            parsed[row] = pay
    if wager == "raise_the_roof":
        _check_every_bust_pays(parsed)
    if wager in RANKED_BY_PRINT:
        ordered = parsed
    else:
        ordered = dict(sorted(parsed.items(), key=lambda item: -item[1].award(100)))
    return PayTable(
        wager=wager,
        id=id,
        name="the house's own table",
        pays=ordered,
        ante_pays={row: Odds(1) for row in parsed} if wager == "raise_the_roof" else {},
        source=Source("house", "pay table approved by the house"),
        version=version,
        valid_from=valid_from,
        stakes_cents=stakes,
        soft_17=soft_17,
        is_house_defined=True,
    )


def _check_every_bust_pays(pays: Mapping[str, Pay]) -> None:
    """Refuse a Raise the Roof table by which a bust would pay nothing."""
    missing = [f"bust_{last}" for last in (6, 7, 8, 9, 10) if f"bust_{last}" not in pays]
    if missing:
        raise refuse("incomplete_pay_table", f"Add what these pay: {', '.join(missing)}.")


def pay_table(wager: str, table: object) -> PayTable:
    """Return the printed table of that id, or build the house's own from its rows.

    A table itself is taken as it is: so a round of last Tuesday is settled by last Tuesday's table.

    >>> pay_table("super_3", "1").pays["straight_flush"]
    Odds(to=180, per=1)
    """
    if isinstance(table, str):
        found = PAY_TABLES.get(wager, {}).get(table)
        if found is not None:
            return found
        known = ", ".join(PAY_TABLES.get(wager, {})) or "none printed; the house defines one"
        raise refuse(
            "unknown_paytable", f"{wager} has no pay table {quoted(table)}. Its tables: {known}."
        )
    if isinstance(table, Mapping):
        return house_pay_table(wager, table)
    if isinstance(table, PayTable):
        if table.wager != wager:
            raise refuse("wrong_paytable", f"This pay table is for {table.wager}, not {wager}.")
        return table
    raise refuse("bad_paytable", "paytable must be the id of a table, or its rows and odds.")
