"""Playing cards and blackjack hands.

There are 52 cards and each is one object, so parsing is one look-up and comparison is identity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import refuse
from pitboss.rules.said import Said

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
RED_SUITS: Final = "dh"
SUIT_SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
# No shoe in the house holds more decks than this, so no card can lie on the table more often.
DECKS_MAX: Final = 8

_RANK_WORDS: Final = dict(
    zip(
        RANKS,
        ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"],
        strict=True,
    )
)


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One of the 52 cards. Take it from `card("Qh")`; never build one by hand.

    `order` is the place in A, 2 … K (0 to 12); `value` counts an ace as 1 and a face card as 10.
    """

    name: str
    rank: str
    suit: str
    order: int
    value: int
    is_red: bool

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, tuple[str]]:
        # Copies and pickles stay the same object, or identity would no longer be equality.
        return card, (self.name,)

    @property
    def is_ace(self) -> bool:
        return self.value == 1

    @property
    def is_ten(self) -> bool:
        """Say whether it counts ten: a ten, jack, queen or king."""
        return self.value == 10

    @property
    def face(self) -> str:
        """Say the card as a screen draws it: "10♥"."""
        return f"{'10' if self.rank == 'T' else self.rank}{SUIT_SIGNS[self.suit]}"

    @property
    def word(self) -> str:
        """Name the rank as it is said at a table: "ace", "10", "queen"."""
        return _RANK_WORDS[self.rank]


CARDS: Final[dict[str, Card]] = {
    rank + suit: Card(
        name=rank + suit,
        rank=rank,
        suit=suit,
        order=order,
        value=min(order + 1, 10),
        is_red=suit in RED_SUITS,
    )
    for order, rank in enumerate(RANKS)
    for suit in SUITS
}
DECK: Final[tuple[Card, ...]] = tuple(CARDS.values())


def card(name: object) -> Card:
    """Return the card of that name, or refuse it.

    >>> card("Td").value, card("Td").word
    (10, '10')
    >>> card("10d")
    Traceback (most recent call last):
    pitboss.rules.refusal.Refused: '10d' is not a card. Write rank and suit, like Qh, Td or 7s.
    """
    if isinstance(name, str):
        found = CARDS.get(name)
        if found is not None:
            return found
    raise refuse(
        "bad_card",
        Said("{name} is not a card. Write rank and suit, like Qh, Td or 7s.", name=quoted(name)),
    )


def cards(names: Iterable[object]) -> tuple[Card, ...]:
    """Parse several cards.

    >>> [c.rank for c in cards(["Ah", "Kd"])]
    ['A', 'K']
    """
    return tuple([card(name) for name in names])


def hand_words(hand: Iterable[Card]) -> str:
    """Say the cards of a hand as a screen draws them.

    >>> hand_words(cards(["7d", "Th"]))
    '7♦ 10♥'
    """
    return " ".join([held.face for held in hand])


def hand_total(hand: Iterable[Card]) -> tuple[int, bool]:
    """Return the best total of a hand, and whether it is soft (an ace counts 11).

    >>> hand_total(cards(["Ah", "6d"]))
    (17, True)
    >>> hand_total(cards(["Ah", "6d", "Tc"]))
    (17, False)
    """
    total = 0
    has_ace = False
    for held in hand:
        value = held.value
        total += value
        if value == 1:
            has_ace = True
    if has_ace and total <= 11:
        return total + 10, True
    return total, False


def total_of(hand: Iterable[Card]) -> int:
    """Return the best total of a hand."""
    return hand_total(hand)[0]


def total_words(hand: Iterable[Card]) -> str:
    """Say a total as a dealer calls it.

    >>> total_words(cards(["Ah", "6d"])), total_words(cards(["9h", "9d"]))
    ('soft 17', '18')
    """
    total, soft = hand_total(hand)
    return Said("soft {total}", total=total) if soft and total < 21 else str(total)


def is_blackjack(hand: Sequence[Card]) -> bool:
    """Say whether the two cards are an ace and a ten-value card.

    >>> is_blackjack(cards(["Kd", "Ah"])), is_blackjack(cards(["7d", "7h", "7c"]))
    (True, False)
    """
    return (
        len(hand) == 2
        and hand[0].value + hand[1].value == 11
        and (hand[0].value == 1 or hand[1].value == 1)
    )


def check_decks(*hands: Sequence[Card]) -> None:
    """Refuse more copies of one card than an eight-deck shoe holds."""
    if sum([len(hand) for hand in hands]) <= DECKS_MAX:
        return
    counted: Counter[Card] = Counter()
    for hand in hands:
        counted.update(hand)
    for held, count in counted.items():
        if count > DECKS_MAX:
            raise refuse(
                "too_many_of_a_card",
                Said(
                    "{held} appears {count} times; no shoe has more than {most}. Check the cards "
                    "entered.",
                    held=held.face,
                    count=count,
                    most=DECKS_MAX,
                ),
            )
