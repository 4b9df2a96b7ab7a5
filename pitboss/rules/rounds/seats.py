"""A round as it lies on the table: seats with their bets and hands, the dealer's cards, meters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from pitboss.rules.cards.playing_cards import Card, is_blackjack, total_of
from pitboss.rules.games.eligibility import Bet, Whose
from pitboss.rules.refusal import Refusal
from pitboss.rules.wagers.settlement import Settlement


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand as it was played.

    `doubles` is what was put beside each bet: "main" for the wager or ante, "2x" and so on for
    further spots. `toke_cents` is a dealer bet on a further split hand (the first keeps the
    original one), `toke_double_cents` what was added to the dealer bet.
    """

    cards: tuple[Card, ...]
    doubles: Mapping[str, int] = field(default_factory=dict)
    toke_cents: int = 0
    toke_double_cents: int = 0

    @property
    def is_bust(self) -> bool:
        return total_of(self.cards) > 21


@dataclass(frozen=True, slots=True)
class Seat:
    """One box. Seats count from the dealer's left, first base, to the right.

    `cards` are the two first dealt, which the side bets read; `hands` is how they were played, and
    may be left out when the player stood on them. A stadium terminal gives `decisions` instead.
    `player` names who plays it, where one person plays several; `first_bets` are those of the
    first hand of the shoe under a flat-bet order. A dealer bet is insured or paid even money by
    itself, as the player says.
    """

    number: int
    bets: tuple[Bet, ...]
    cards: tuple[Card, ...]
    hands: tuple[Hand, ...] = ()
    insurance_cents: int = 0
    takes_even_money: bool = False
    surrenders: bool = False
    decisions: tuple[str, ...] = ()
    toke_decisions: tuple[str, ...] | None = None
    toke_insurance_cents: int = 0
    toke_takes_even_money: bool = False
    player: str = ""
    first_bets: tuple[Bet, ...] | None = None

    @property
    def played(self) -> tuple[Hand, ...]:
        return self.hands or (Hand(self.cards),)

    @property
    def is_split(self) -> bool:
        return len(self.hands) > 1

    @property
    def has_blackjack(self) -> bool:
        return not self.is_split and is_blackjack(self.played[0].cards)


@dataclass(frozen=True, slots=True)
class DealtRound:
    """Everything that decides a round.

    `hole_card_shown` is the manual's irregularity 1: side bets go by the true up card and a
    dealer's blackjack is a plain 21. `blackjack_found_late` is irregularity 2, a dealer's blackjack
    that came to light after the players had acted.
    """

    seats: tuple[Seat, ...]
    dealer: tuple[Card, ...]
    community: tuple[Card, ...] = ()
    meters: Mapping[str, int] = field(default_factory=dict)
    limit_called: bool = False
    hole_card_shown: bool = False
    blackjack_found_late: bool = False
    coupons_approved: bool = False

    @property
    def dealer_has_blackjack(self) -> bool:
        return is_blackjack(self.dealer) and not self.hole_card_shown


class Phase(StrEnum):
    """When a wager is taken or paid, in the order of the round."""

    SIDE_BETS = "side_bets"
    PLAYER_ACTION = "player_action"
    AFTER_DEALER = "after_dealer"


class WagerLine(NamedTuple):
    """One wager taken or paid."""

    seat: int
    wager: str
    whose: Whose
    stake_cents: int
    settlement: Settlement
    phase: Phase

    @property
    def net_cents(self) -> int:
        """What the player is up by; an award is counted less the stake collected before."""
        net_cents = self.settlement.net_cents
        return self.settlement.payout_cents if net_cents is None else net_cents


@dataclass(frozen=True, slots=True)
class SeatFlag:
    """Something a supervisor must look at although the round is settled."""

    seat: int | None
    reason: Refusal


@dataclass(frozen=True, slots=True)
class RoundVerdict:
    """A settled round: its wagers in the order they are taken and paid, and what was flagged."""

    lines: tuple[WagerLine, ...]
    flags: tuple[SeatFlag, ...]

    @property
    def house_cents(self) -> int:
        """What the house won, less what it lost and the envy it added to the tokes."""
        return -sum(line.net_cents for line in self.lines) - self.envy_cents

    @property
    def envy_cents(self) -> int:
        return sum(line.settlement.envy_cents or 0 for line in self.lines)
