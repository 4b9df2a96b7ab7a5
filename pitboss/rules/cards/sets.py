"""Sets of cards: their states, the acts that lead from one to the next, and where each state is.

A set is a number of decks with one back, sealed and used together. Its state says where it lies,
so that one row is both. What leads out of a canceled state leads only further towards the
shredder; the database knows the same table and refuses every other step, to its owner too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.cards.playing_cards import Card
from pitboss.rules.games.table_setup import CardProfile

CARDS_A_DECK: Final = 52
# As many as the shoe of any game of the house.
DECKS: Final = (1, 2, 4, 6, 8)
SETS_A_RECEIPT_MAX: Final = 200
SETS_A_SLIP_MAX: Final = 60
# What is printed on seals and bags, as it is scanned or keyed.
MARK_PATTERN: Final = r"[A-Z0-9][A-Z0-9-]{2,19}"
_MARK: Final = re.compile(MARK_PATTERN, re.ASCII)


@unique
class BackColour(StrEnum):
    """The color of the backs. Two sets at one table never share it."""

    RED = "red"
    BLUE = "blue"
    GREEN = "green"
    BLACK = "black"

    @property
    def letter(self) -> str:
        return {"red": "R", "blue": "B", "green": "G", "black": "K"}[self.value]


@unique
class CardState(StrEnum):
    """Where a set is in its life, and so where it lies."""

    RECEIVED = "received"
    VAULTED = "vaulted"
    IN_PIT = "in_pit"
    SPARE = "spare"
    SHUFFLER = "shuffler"
    IN_PLAY = "in_play"
    REMOVED = "removed"
    BAGGED_UNCANCELLED = "bagged_uncancelled"
    COLLECTED_UNCANCELLED = "collected_uncancelled"
    CANCELLED = "cancelled"
    BAGGED = "bagged"
    COLLECTED = "collected"
    DESTROYED = "destroyed"
    HELD = "held"

    @property
    def label(self) -> str:
        return _LABELS[self]


_LABELS: Final[Mapping[CardState, str]] = {
    CardState.RECEIVED: "Received",
    CardState.VAULTED: "Vaulted",
    CardState.IN_PIT: "In the pit",
    CardState.SPARE: "Spare",
    CardState.SHUFFLER: "In the shuffler",
    CardState.IN_PLAY: "In play",
    CardState.REMOVED: "Off the game",
    CardState.BAGGED_UNCANCELLED: "Bagged, not canceled",
    CardState.COLLECTED_UNCANCELLED: "Collected, not canceled",
    CardState.CANCELLED: "Canceled",
    CardState.BAGGED: "Bagged",
    CardState.COLLECTED: "Collected",
    CardState.DESTROYED: "Destroyed",
    CardState.HELD: "Held as evidence",
}

# On the game: what can be dealt from this table.
ON_THE_GAME: Final = frozenset({CardState.SPARE, CardState.SHUFFLER, CardState.IN_PLAY})
# At the table, on the game or just off it.
AT_TABLE: Final = ON_THE_GAME | {CardState.REMOVED, CardState.CANCELLED}
IN_STORE: Final = frozenset({CardState.RECEIVED, CardState.VAULTED})
BAGGED: Final = frozenset({CardState.BAGGED, CardState.BAGGED_UNCANCELLED})
WITH_SECURITY: Final = frozenset({CardState.COLLECTED, CardState.COLLECTED_UNCANCELLED})
# From here no step leads back, for anyone.
CANCELLED_FOR_GOOD: Final = frozenset(
    {CardState.CANCELLED, CardState.BAGGED, CardState.COLLECTED, CardState.DESTROYED}
)
ALIVE: Final = frozenset(CardState) - CANCELLED_FOR_GOOD


@unique
class CardAct(StrEnum):
    """What is done to a set. Each act is one row of its passport."""

    RECEIVED = "received"
    VAULTED = "vaulted"
    TO_PIT = "to_pit"
    PUT_BACK = "put_back"
    TO_TABLE = "to_table"
    INSPECTED = "inspected"
    CARD_REPLACED = "card_replaced"
    SWAPPED = "swapped"
    UNUSED = "unused"
    REMOVED = "removed"
    CANCELLED = "cancelled"
    BAGGED = "bagged"
    COLLECTED = "collected"
    DESTROYED = "destroyed"
    HELD = "held"
    RELEASED = "released"
    # It stays where it is: a seal or a bag was written down wrong.
    CORRECTED = "corrected"


Edge = tuple[CardState | None, CardState]
_S: Final = CardState
# A spare is a sealed box: no one looks into it or takes a card out of it.
_STAYS: Final = frozenset((state, state) for state in ON_THE_GAME - {CardState.SPARE})

# The whole life of a set: from where to where each act leads.
EDGES: Final[Mapping[CardAct, frozenset[Edge]]] = {
    CardAct.RECEIVED: frozenset({(None, _S.RECEIVED)}),
    CardAct.VAULTED: frozenset({(_S.RECEIVED, _S.VAULTED)}),
    CardAct.TO_PIT: frozenset({(_S.VAULTED, _S.IN_PIT)}),
    CardAct.PUT_BACK: frozenset({(_S.IN_PIT, _S.VAULTED)}),
    CardAct.TO_TABLE: frozenset(
        {
            (_S.IN_PIT, _S.SPARE),
            (_S.IN_PIT, _S.SHUFFLER),
            (_S.IN_PIT, _S.IN_PLAY),
            (_S.SPARE, _S.SHUFFLER),
            (_S.SPARE, _S.IN_PLAY),
        }
    ),
    CardAct.INSPECTED: _STAYS,
    CardAct.CARD_REPLACED: _STAYS,
    CardAct.SWAPPED: frozenset({(_S.SHUFFLER, _S.IN_PLAY), (_S.IN_PLAY, _S.SHUFFLER)}),
    CardAct.UNUSED: frozenset({(_S.SPARE, _S.IN_PIT)}),
    CardAct.REMOVED: frozenset((state, _S.REMOVED) for state in ON_THE_GAME),
    CardAct.CANCELLED: frozenset(
        {(_S.REMOVED, _S.CANCELLED), (_S.COLLECTED_UNCANCELLED, _S.COLLECTED)}
    ),
    CardAct.BAGGED: frozenset({(_S.CANCELLED, _S.BAGGED), (_S.REMOVED, _S.BAGGED_UNCANCELLED)}),
    CardAct.COLLECTED: frozenset(
        {
            (_S.BAGGED, _S.COLLECTED),
            (_S.BAGGED_UNCANCELLED, _S.COLLECTED_UNCANCELLED),
        }
    ),
    CardAct.DESTROYED: frozenset({(_S.COLLECTED, _S.DESTROYED)}),
    CardAct.HELD: frozenset((state, _S.HELD) for state in ALIVE - {_S.HELD}),
    CardAct.RELEASED: frozenset({(_S.HELD, _S.COLLECTED_UNCANCELLED)}),
    CardAct.CORRECTED: frozenset((state, state) for state in CardState if state != _S.DESTROYED),
}


def cards_of(decks: int) -> int:
    """Return how many cards a set of so many decks has.

    >>> cards_of(6)
    312
    """
    return decks * CARDS_A_DECK


def set_number(decks: int, colour: BackColour, serial: int) -> str:
    """Return what stands on the label of a set.

    >>> set_number(6, BackColour.RED, 418)
    '06-R-0418'
    """
    return f"{decks:02d}-{colour.letter}-{serial:04d}"


_SUITS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def spoken_card(card: Card) -> str:
    """Say a card as it is called on the floor.

    >>> from pitboss.rules.cards.playing_cards import card
    >>> spoken_card(card("8h"))
    '8 of hearts'
    """
    return f"{card.word} of {_SUITS[card.suit]}"


def clean_mark(keyed: str) -> str:
    """Return the number of a seal, bag or set as it is stored: as scanned, in capitals.

    >>> clean_mark(" 77-20418 "), clean_mark("06-r-0418")
    ('77-20418', '06-R-0418')
    """
    return keyed.strip().upper()


def is_mark(mark: str) -> bool:
    """Tell whether this can be the number of a seal or bag."""
    return _MARK.fullmatch(mark) is not None


def place_words(state: CardState, *, table: str = "", pit: str = "", bag: str = "") -> str:
    """Say where a set lies, as a sentence goes on after “is”.

    >>> place_words(CardState.SHUFFLER, table="BJ-24")
    'in the shuffler of BJ-24'
    >>> place_words(CardState.BAGGED, pit="Pit 2", bag="B-0091")
    'canceled, in bag B-0091 in Pit 2'
    """
    return {
        CardState.RECEIVED: "in the property store, not vaulted yet",
        CardState.VAULTED: "vaulted in the property store",
        CardState.IN_PIT: f"in the cabinet of {pit}",
        CardState.SPARE: f"the spare of {table}",
        CardState.SHUFFLER: f"in the shuffler of {table}",
        CardState.IN_PLAY: f"in play at {table}",
        CardState.REMOVED: f"off the game at {table}, waiting to be bagged",
        CardState.BAGGED_UNCANCELLED: f"in bag {bag} in {pit}",
        CardState.COLLECTED_UNCANCELLED: "with security, to be canceled",
        CardState.CANCELLED: f"canceled at {table}",
        CardState.BAGGED: f"canceled, in bag {bag} in {pit}",
        CardState.COLLECTED: "canceled, with security",
        CardState.DESTROYED: "destroyed",
        CardState.HELD: "held as evidence",
    }[state]


def leads_to(act: CardAct, source: CardState | None) -> tuple[CardState, ...]:
    """Return where an act can lead from a state; nowhere when it is not an act for it.

    >>> leads_to(CardAct.TO_PIT, CardState.BAGGED)
    ()
    """
    return tuple(target for start, target in sorted(EDGES[act], key=str) if start == source)


# Which slots a table has, by how its cards are shuffled. A continuous shuffler deals from itself.
SLOTS: Final[Mapping[CardProfile, tuple[CardState, ...]]] = {
    CardProfile.SHUFFLER: (CardState.SHUFFLER, CardState.IN_PLAY, CardState.SPARE),
    CardProfile.CONTINUOUS: (CardState.SHUFFLER, CardState.SPARE),
    CardProfile.HAND: (CardState.IN_PLAY, CardState.SPARE),
    CardProfile.NONE: (),
}
