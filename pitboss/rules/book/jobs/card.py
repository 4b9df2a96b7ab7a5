"""A job card: what it is about, its lines in order, and where they are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.paytables.pays import Source
from pitboss.rules.paytables.printed import MANUAL


@unique
class CardPart(StrEnum):
    """Under which heading a card is listed, in their order."""

    GAME = "This game"
    CARDS = "Cards"
    HAND = "The hand"
    MONEY = "Cheques and money"
    TABLE = "The table"


@unique
class Job(StrEnum):
    """What a card is about. An approval names the cards that belong to it."""

    SHUFFLE = "shuffle"
    WASH = "wash"
    CUT = "cut"
    BURN = "burn"
    DEAD_GAME = "dead_game"
    BILLS = "bills"
    TRAY = "tray"
    TAP_OUT = "tap_out"
    TOKES = "tokes"
    SHOE = "shoe"
    PROTECTION = "protection"
    IRREGULAR = "irregular"
    FUNDAMENTALS = "fundamentals"
    DOUBLE_DECK = "double_deck"
    BLAZING = "blazing"
    CARD_CHANGE = "card_change"
    DEALING = "dealing"
    INSURANCE = "insurance"
    DOUBLES = "doubles"
    PAYING = "paying"
    PICKUP = "pickup"
    LIMITS = "limits"
    CHANGE = "change"
    COUPONS = "coupons"
    OPENING = "opening"
    CLOSING = "closing"
    FILLS = "fills"
    MARKERS = "markers"
    PLAYERS = "players"
    CONDUCT = "conduct"
    TRILUX = "trilux"
    RAISE_THE_ROOF = "raise_the_roof"
    STADIUM = "stadium"
    FACE_UP = "face_up"
    BET_BIGGER = "bet_bigger"

    @property
    def part(self) -> CardPart:
        """The heading of its card."""
        return next((part for part, jobs in _PARTS.items() if self in jobs), CardPart.GAME)


# What is in none of them is of one game.
_PARTS: Final[Mapping[CardPart, frozenset[Job]]] = {
    CardPart.CARDS: frozenset(
        {Job.SHUFFLE, Job.WASH, Job.CARD_CHANGE, Job.CUT, Job.BURN, Job.SHOE, Job.DEAD_GAME}
    ),
    CardPart.HAND: frozenset(
        {
            *(Job.DEALING, Job.INSURANCE, Job.DOUBLES, Job.PAYING, Job.PICKUP, Job.LIMITS),
            *(Job.IRREGULAR, Job.FUNDAMENTALS),
        }
    ),
    CardPart.MONEY: frozenset({Job.BILLS, Job.CHANGE, Job.TOKES, Job.TRAY, Job.COUPONS}),
    CardPart.TABLE: frozenset(
        {
            *(Job.OPENING, Job.FILLS, Job.MARKERS, Job.CLOSING, Job.TAP_OUT, Job.PLAYERS),
            *(Job.CONDUCT, Job.PROTECTION),
        }
    ),
}


@dataclass(frozen=True, slots=True)
class JobCard:
    """One card: its title, its lines in order, and where they come from."""

    job: Job
    title: str
    source: Source
    lines: tuple[str, ...]


def manual(lines: str, heading: str) -> Source:
    """Return a passage of the house manual by its lines.

    >>> str(manual("193", "Continuous shuffler machines"))
    'House blackjack manual, Continuous shuffler machines (lines 193)'
    """
    return Source(MANUAL, f"{heading} (lines {lines})")
