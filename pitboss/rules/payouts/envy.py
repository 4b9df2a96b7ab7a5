"""Envy: what the house adds to the dealers' tokes when a row of a pay table is hit.

A document prints it for some rows; a house may set it for any row of any table. It comes from the
tray, needs no approval, and none is added for a bet that was made for the dealers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.paytables.pays import PayTable
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, refuse
from pitboss.rules.wagers.settlement import Settlement
from pitboss.rules.wagers.working import row_words

ENVY_CENTS_MAX: Final = 100_000
# A dealer takes back a tap that was wrong as long as its hand is in mind.
TAKEN_BACK_WITHIN: Final = timedelta(minutes=10)
_LINE: Final = re.compile(r"(\S.*?)\s+\$?([0-9]{1,4})(?:\.([0-9]{2}))?", re.ASCII)


def with_envy(table: PayTable, envy_cents: Mapping[str, int]) -> PayTable:
    """Return a pay table with the envy that the house has set, over what is printed.

    >>> from pitboss.rules.paytables.printed import PAY_TABLES
    >>> table = with_envy(PAY_TABLES["trilux"]["TRI-01"], {"mini_royal": 500})
    >>> dict(table.envy_cents)
    {'mini_royal': 500}
    """
    return replace(table, envy_cents={**table.envy_cents, **envy_cents}) if envy_cents else table


def envy_refusals(table: PayTable, envy_cents: Mapping[str, int]) -> list[Refusal]:
    """Return what is wrong with the envy that a house sets on a pay table."""
    refusals = []
    for row, cents in envy_cents.items():
        if row not in table.pays:
            refusals.append(
                Refusal(
                    "envy_without_row",
                    f"{table.name} has no row {quoted(row.replace('_', ' '))}. Envy goes "
                    "with a row that pays.",
                )
            )
        elif type(cents) is not int or not 0 <= cents <= ENVY_CENTS_MAX:
            refusals.append(
                Refusal(
                    "bad_envy",
                    f"{row_words(row)}: enter envy of $0 to {format_money(ENVY_CENTS_MAX)}.",
                )
            )
    return refusals


def read_envy(text: str) -> dict[str, int]:
    """Read the envy of rows, one a line, as a manager enters it. Raises Refused.

    >>> read_envy("two sevens $2\\n\\nthree sevens mixed 2.50")
    {'two_sevens': 200, 'three_sevens_mixed': 250}
    """
    envy: dict[str, int] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        found = _LINE.fullmatch(line)
        row = found[1].lower().replace(" ", "_") if found else ""
        if found is None or row in envy:
            raise refuse(
                "envy_malformed",
                f"{quoted(line)} isn’t a row and its dollars. Write it like: two sevens $2.",
            )
        envy[row] = int(found[2]) * 100 + int(found[3] or 0)
    return envy


def envy_lines(envy_cents: Mapping[str, int]) -> str:
    """Return the envy of rows as it is entered, one a line.

    >>> envy_lines({"two_sevens": 200})
    'two sevens $2'
    """
    return "\n".join(
        f"{row.replace('_', ' ')} {format_money(cents)}" for row, cents in envy_cents.items()
    )


def add_envy(case: Mapping[str, Any], settled: Settlement) -> Settlement:
    """Return a settled bet with the envy of its row, where its pay table carries some."""
    table = case.get("paytable")
    if type(table) is not PayTable or not table.envy_cents or settled.envy_cents is not None:
        return settled
    envy_cents = table.envy_cents.get(settled.category, 0)
    extra = case.get("extra") or {}
    if not envy_cents or extra.get("dealer_bet") is True:
        return settled
    sentence = f" Add {format_money(envy_cents)} envy to the dealers' tokes."
    return settled._replace(envy_cents=envy_cents, working=settled.working + sentence)


@dataclass(frozen=True, slots=True)
class RoundEnvy:
    """The envy of one bet of a round."""

    seat: int
    wager: str
    row: str
    amount_cents: int


def envy_of_round(lines: Sequence[Mapping[str, Any]]) -> Iterator[RoundEnvy]:
    """Yield the envy of a round's written verdict, bet by bet."""
    for line in lines:
        if line.get("envy_cents"):
            yield RoundEnvy(line["seat"], line["wager"], line["category"], line["envy_cents"])


def tap_refusals(tables: Mapping[str, PayTable], wager: str, row: str) -> list[Refusal]:
    """Return why a dealer may not record this envy: no row of the table carries it."""
    table = tables.get(wager)
    if table is not None and table.envy_cents.get(row):
        return []
    return [Refusal("no_envy_there", "This table adds no envy for that hand. Check the pay table.")]
