"""Exact odds of Raise the Roof: how the dealer busts, and what a player gains by raising.

The ante is bet before the deal. When the dealer has no blackjack the player may raise, knowing the
up card: a bust then pays both bets by the table, while an ante alone is paid even money.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pitboss.rules.book.options import DEFAULT_OPTIONS, HouseOptions
from pitboss.rules.cards.playing_cards import CARDS, SUITS, Card
from pitboss.rules.odds.dealer_odds import DealerEnding, Values, dealer_endings
from pitboss.rules.odds.wager_odds import RaiseOdds, RowOdds, WagerOdds
from pitboss.rules.paytables.categories import CATEGORISERS
from pitboss.rules.paytables.pays import LOSE, PayTable
from pitboss.rules.refusal import refuse

RAISES: Final = range(6)
UP_CARDS: Final = {1: "A"} | {value: str(value) for value in range(2, 10)} | {10: "T"}
_SUITED: Final = Fraction(4, 4**4)


@dataclass(slots=True)
class _UpCard:
    """What each unit wins or loses behind one up card, when the dealer has no blackjack."""

    probability: Fraction = Fraction(0)
    ante_only: Fraction = Fraction(0)
    by_table: Fraction = Fraction(0)
    ante_only_squared: Fraction = Fraction(0)
    by_table_squared: Fraction = Fraction(0)


def raise_the_roof_odds(
    table: PayTable, decks: int, *, options: HouseOptions = DEFAULT_OPTIONS
) -> WagerOdds:
    """Return the odds of Raise the Roof on a full shoe. See `WagerOdds` and `RaiseOdds`.

    Raises Refused when the table is printed for other decks, or does not say what the dealer does
    on a soft 17.
    """
    if table.decks and decks not in table.decks:
        printed = " or ".join(str(number) for number in table.decks)
        raise refuse("wrong_decks", f"Table {table.id} is for {printed} decks, not {decks}.")
    if table.soft_17 is None:
        raise refuse("missing_soft_17", "Enter in extra.soft_17 whether the dealer hits or stands.")

    pays = {row: pay.award(1) for row, pay in table.pays.items()}
    ante_pays = {row: pay.award(1) for row, pay in table.ante_pays.items()}
    probabilities = dict.fromkeys([*pays, LOSE], Fraction(0))
    up_cards: defaultdict[int, _UpCard] = defaultdict(_UpCard)
    blackjack = Fraction(0)
    for ending, probability in dealer_endings(decks, table.soft_17).items():
        for row, part in _rows(table, ending, probability, options):
            probabilities[row] += part
            if ending.is_blackjack:
                blackjack += part
                continue
            up = up_cards[ending.up]
            up.probability += part
            ante_won, table_won = (item.get(row, Fraction(-1)) for item in (ante_pays, pays))
            up.ante_only += part * ante_won
            up.by_table += part * table_won
            up.ante_only_squared += part * ante_won**2
            up.by_table_squared += part * table_won**2
    won_by_table = sum(up.by_table for up in up_cards.values())
    # A dealer's blackjack takes the ante: minus one, squared.
    squares = blackjack + sum(up.by_table_squared for up in up_cards.values())
    return WagerOdds(
        edge=blackjack - won_by_table,
        rows={
            row: RowOdds(probability, pays.get(row, Fraction(-1)))
            for row, probability in probabilities.items()
        },
        raising=_raising(up_cards, blackjack, options),
        variance=squares - (blackjack - won_by_table) ** 2,
    )


def _rows(
    table: PayTable, ending: DealerEnding, probability: Fraction, options: HouseOptions
) -> Iterator[tuple[str, Fraction]]:
    """Yield the row an ending is paid by; a bust of 4, 5, 6 and 7 is shared out by suits."""
    read = CATEGORISERS["raise_the_roof"].rows

    def row(dealer: list[Card]) -> str:
        return table.best(read((), dealer, options))

    if not ending.bust:
        yield LOSE, probability
    elif len(ending.bust) == 1:
        # Any hand that this card breaks will do as an example.
        yield row(_hand((10, 6, *ending.bust), "cdh")), probability
    else:
        # The four ranks differ, so each suit of each is as likely as any other, whatever was drawn
        # before. None can come twice: with a second one the dealer would have stopped earlier.
        yield row(_hand(ending.bust, "c")), probability * _SUITED
        yield row(_hand(ending.bust, SUITS)), probability * (1 - _SUITED)


def _hand(values: Values, suits: str) -> list[Card]:
    """Return cards of some values, the suits dealt round."""
    return [CARDS[UP_CARDS[value] + suits[at % len(suits)]] for at, value in enumerate(values)]


def _raising(
    up_cards: Mapping[int, _UpCard], blackjack: Fraction, options: HouseOptions
) -> RaiseOdds:
    best_won = Fraction(0)
    staked = Fraction(1)
    best_raises = {}
    for value, name in UP_CARDS.items():
        up = up_cards[value]
        ante = up.by_table if options.ante_with_raise == "table_odds" else up.ante_only
        # Of equal choices the smallest raise: max keeps the first.
        times = max(RAISES, key=lambda times: ante + times * up.by_table if times else up.ante_only)
        best_won += ante + times * up.by_table if times else up.ante_only
        staked += times * up.probability
        best_raises[name] = times
    best_edge = blackjack - best_won
    ante_only_edge = blackjack - sum(up.ante_only for up in up_cards.values())
    ante_squares = blackjack + sum(up.ante_only_squared for up in up_cards.values())
    raise_edge = -sum(up.by_table for up in up_cards.values()) / (1 - blackjack)
    raise_squares = sum(up.by_table_squared for up in up_cards.values()) / (1 - blackjack)
    return RaiseOdds(
        ante_only_edge=ante_only_edge,
        ante_only_variance=ante_squares - ante_only_edge**2,
        raise_edge=raise_edge,
        raise_variance=raise_squares - raise_edge**2,
        best_edge=best_edge,
        best_risk_edge=best_edge / staked,
        best_raises=best_raises,
    )
