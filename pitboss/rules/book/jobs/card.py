"""A job card: what it is about, its lines in order, and where they are written."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique

from pitboss.rules.paytables.pays import Source
from pitboss.rules.paytables.printed import MANUAL


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
