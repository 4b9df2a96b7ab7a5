"""Count, exactly, how many deals of a shoe fit each set of pay-table rows.

Every ordered deal of a bet's two, three or four cards is counted, in whole numbers. Few have to be
looked at one by one: cards in places that a bet reads alike may be sorted, suits that it reads
alike may be exchanged, and ranks it has no eye for are one rank with more cards. What a hand fits
does not depend on the decks, so each bet is enumerated once and any number of decks is then a sum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations_with_replacement, permutations, product
from math import factorial, perm, prod
from typing import Final

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.cards.playing_cards import CARDS, DECK, RANKS, SUITS, Card
from pitboss.rules.paytables.categories import CATEGORISERS, Rows

Suits = tuple[str, ...]
# For each kind of card drawn: how many cards of a deck are of that kind, how many were drawn.
Draws = tuple[tuple[int, int], ...]

# Exchanges of suits that a bet cannot see: what clubs, diamonds, hearts and spades become.
ANY_SUITS: Final = tuple(permutations(SUITS))
WITHIN_COLOURS: Final = tuple(
    suits for suits in ANY_SUITS if {suits[1], suits[2]} in ({"d", "h"}, {"c", "s"})
)
BLACK_SUITS: Final = (("c", "d", "h", "s"), ("s", "d", "h", "c"))

_BY_RANK: Final[Mapping[str, Mapping[str, Card]]] = {
    rank: {suit: CARDS[rank + suit] for suit in SUITS} for rank in RANKS
}
EVERY_RANK: Final[Mapping[str, int]] = dict.fromkeys(RANKS, 1)


@dataclass(frozen=True, slots=True)
class Deal:
    """What a bet sees of a deal.

    `places` are the sizes of the groups of cards within which order means nothing. `ranks` are the
    ranks it tells apart, each with the number of ranks that look the same to it.
    """

    places: tuple[int, ...]
    exchanges: tuple[Suits, ...]
    ranks: Mapping[str, int]


DEALS: Final[Mapping[str, Deal]] = {
    "bet_the_set_21": Deal((2,), ANY_SUITS, EVERY_RANK),
    "perfect_pair": Deal((2,), ANY_SUITS, EVERY_RANK),
    "royal_match_21": Deal((2,), ANY_SUITS, EVERY_RANK),
    "two_card_bonus": Deal((2,), WITHIN_COLOURS, EVERY_RANK),
    # Poker reads the player's cards and the dealer's as one hand.
    "trilux": Deal((3,), ANY_SUITS, EVERY_RANK),
    "super_3": Deal((3,), ANY_SUITS, EVERY_RANK),
    "four_card_bonus": Deal((4,), WITHIN_COLOURS, EVERY_RANK),
    "match_the_dealer": Deal((2, 1), ANY_SUITS, EVERY_RANK),
    # Nothing from 2 to 8 makes a 20 of two cards, and nothing but a 7 is a 7.
    "lucky_ladies": Deal((2, 1), BLACK_SUITS, dict.fromkeys("A9TJQK", 1) | {"2": 7}),
    "blazing_7s": Deal((2, 1), WITHIN_COLOURS, {"7": 1, "2": 12}),
}


def row_ways(wager: str, decks: int, options: HouseOptions) -> dict[Rows, int]:
    """Return in how many ordered deals of a shoe the bet's cards fit exactly these rows.

    >>> from pitboss.rules.book.options import DEFAULT_OPTIONS
    >>> row_ways("perfect_pair", 1, DEFAULT_OPTIONS)
    {('non_suited_pair',): 156, (): 2496}
    """
    ways: Counter[Rows] = Counter()
    for (rows, draws), count in hand_patterns(wager, options).items():
        ways[rows] += count * prod(perm(kinds * decks, drawn) for kinds, drawn in draws)
    return {rows: count for rows, count in ways.items() if count}


def all_ways(wager: str, decks: int) -> int:
    """Return the number of ordered deals of a bet's cards.

    >>> all_ways("trilux", 1) == 52 * 51 * 50
    True
    """
    return perm(len(DECK) * decks, sum(DEALS[wager].places))


@lru_cache(maxsize=64)
def hand_patterns(wager: str, options: HouseOptions) -> Counter[tuple[Rows, Draws]]:
    """Count the deals of named cards, by the rows they fit and how they repeat one another."""
    deal = DEALS[wager]
    read = CATEGORISERS[wager].rows
    suits_in_play = list(_suits(sum(deal.places), deal.exchanges).items())
    patterns: Counter[tuple[Rows, Draws]] = Counter()
    for ranks, orders in _ranks(deal):
        by_suit = [_BY_RANK[rank] for rank in ranks]
        all_different = tuple(sorted((deal.ranks[rank], 1) for rank in ranks))
        for suits, exchanged in suits_in_play:
            hand = [cards[suit] for cards, suit in zip(by_suit, suits, strict=True)]
            draws = all_different if len(set(hand)) == len(hand) else _draws(hand, deal)
            patterns[read(hand[:2], hand[2:], options), draws] += orders * exchanged
    return patterns


def _draws(hand: Sequence[Card], deal: Deal) -> Draws:
    return tuple(sorted((deal.ranks[card.rank], drawn) for card, drawn in Counter(hand).items()))


def _ranks(deal: Deal) -> Iterator[tuple[Sequence[str], int]]:
    """Yield the ranks of a deal, sorted within each group, and in how many orders they come."""
    groups = [
        [(ranks, _orders(ranks)) for ranks in combinations_with_replacement(deal.ranks, size)]
        for size in deal.places
    ]
    for parts in product(*groups):
        yield (
            tuple(chain.from_iterable(ranks for ranks, _ in parts)),
            prod(orders for _, orders in parts),
        )


def _orders(ranks: Sequence[str]) -> int:
    """Return in how many different orders some ranks can lie."""
    repeats = prod(factorial(count) for count in Counter(ranks).values())
    return factorial(len(ranks)) // repeats


def _suits(size: int, exchanges: Sequence[Suits]) -> Counter[Suits]:
    """Return one of all suits that become each other by exchanges, and how many these are."""
    tables = [dict(zip(SUITS, exchange, strict=True)) for exchange in exchanges]
    return Counter(
        min(tuple(table[suit] for suit in suits) for table in tables)
        for suits in product(SUITS, repeat=size)
    )
