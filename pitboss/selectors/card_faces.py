"""Playing cards as a screen draws them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pitboss.rules.cards.playing_cards import card
from pitboss.rules.cards.rank_cards import is_rank

_SUITS = {"h": "hearts", "d": "diamonds", "c": "clubs", "s": "spades"}


@dataclass(frozen=True, slots=True)
class CardFace:
    """What is drawn of a card, and how it is read out."""

    rank: str
    suit: str
    name: str
    is_red: bool


def face_of(code: str) -> CardFace:
    """Return the face of a card by its short name.

    >>> face_of("Th")
    CardFace(rank='10', suit='♥', name='10 of hearts', is_red=True)
    >>> face_of("Q")
    CardFace(rank='Q', suit='', name='queen', is_red=False)
    """
    if is_rank(code):
        # Told by rank alone: no suit is drawn that no one entered.
        return CardFace("10" if code == "T" else code, "", card(f"{code}c").word, False)
    held = card(code)
    rank, sign = held.face[:-1], held.face[-1]
    return CardFace(rank, sign, f"{held.word} of {_SUITS[held.suit]}", held.is_red)


def faces_of(codes: Iterable[str]) -> list[CardFace]:
    """Return the faces of a hand."""
    return [face_of(code) for code in codes]
