"""What is odd about a pay table before anyone signs it: dead rows, and better hands that lose.

Found by every hand that a full shoe can deal, so a warning is a fact and not a guess. It stops
nothing: a house may mean it.
"""

from __future__ import annotations

from functools import lru_cache

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.odds.deal_counting import row_ways
from pitboss.rules.paytables.pays import LOSE, PayTable
from pitboss.rules.paytables.paytables import ROWS, pay_table, read_by
from pitboss.rules.refusal import Refusal
from pitboss.rules.wagers.working import row_words


def table_warnings(
    wager: str,
    paytable: str | tuple[tuple[str, str], ...],
    decks: int,
    options: HouseOptions,
) -> tuple[Refusal, ...]:
    """Return each row that no hand is paid by, and each hand that loses where a worse one wins.

    >>> rows = (("straight_flush", "30:1"), ("pair", "1:1"))
    >>> [each.message for each in table_warnings("trilux", rows, 6, HouseOptions())][:1]
    ['Three of a kind loses, but Pair pays 1 to 1.']
    """
    if wager == "raise_the_roof":
        # Its rows are the dealer's busts, all of which must pay.
        return ()
    return _warnings(wager, paytable, decks, options)


@lru_cache(maxsize=256)
def _warnings(
    wager: str,
    paytable: str | tuple[tuple[str, str], ...],
    decks: int,
    options: HouseOptions,
) -> tuple[Refusal, ...]:
    rows = paytable if isinstance(paytable, str) else dict(paytable)
    table = read_by(pay_table(wager, rows), options)
    fits = [fitting for fitting, count in row_ways(wager, decks, options).items() if count]
    return (*_losing(table, fits), *_dead(table, fits, decks))


def _losing(table: PayTable, fits: list[tuple[str, ...]]) -> list[Refusal]:
    """Return the hands that lose although the print ranks them above one that is paid."""
    rank = {row: place for place, row in enumerate(ROWS[table.wager])}
    worst = max(table.pays, key=lambda row: rank[row])
    losing = {
        min(fitting, key=lambda row: rank[row])
        for fitting in fits
        if fitting and table.best(fitting) == LOSE
    }
    return [
        Refusal(
            "better_hand_loses",
            f"{row_words(row)} loses, but {row_words(worst)} pays {table.pays[worst]}.",
        )
        for row in sorted(losing, key=lambda row: rank[row])
        if rank[row] < rank[worst]
    ]


def _dead(table: PayTable, fits: list[tuple[str, ...]], decks: int) -> list[Refusal]:
    """Return the rows that are on the table and that no hand is ever paid by."""
    paid = {table.best(fitting) for fitting in fits}
    warnings = []
    for row in table.pays:
        if row in paid:
            continue
        is_dealt = any(row in fitting for fitting in fits)
        why = (
            "every such hand is paid by another row"
            if is_dealt
            else f"{decks} deck{'s' if decks > 1 else ''} can’t deal it"
        )
        warnings.append(Refusal("row_never_paid", f"{row_words(row)} is never paid: {why}."))
    return warnings
