"""Prove a hand: the cards of a stored round in the order they come off the discard rack.

Hands are picked up from the dealer's right to the left, each on top of the last, the whole stack
onto the dealer's hand, and turned over into the rack (manual, "Picking up the Cards" 1 to 5). From
the top of the rack, then, come the dealer's hand, the hands that waited for it from the right to
the left, and under those the hands that had ended before, the last of them first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pitboss.rules.cards.playing_cards import Card, cards, is_blackjack, total_of, total_words
from pitboss.rules.paytables.pays import Source
from pitboss.rules.paytables.printed import MANUAL
from pitboss.rules.refusal import CONFLICT, refuse
from pitboss.rules.rounds.seats import Phase

PICKING_UP: Final = Source(MANUAL, "Picking up the Cards 1-5")


@dataclass(frozen=True, slots=True)
class PickedUp:
    """One hand as it comes off the rack; the dealer's has no seat.

    `hand` counts the hands of a split from the left, and is none where there was no split.
    """

    place: int
    seat: int | None
    hand: int | None
    cards: tuple[Card, ...]
    ended_early: bool

    @property
    def whose(self) -> str:
        if self.seat is None:
            return "Dealer"
        return f"Seat {self.seat}" + (f", hand {self.hand}" if self.hand else "")

    @property
    def total(self) -> str:
        """Say what the hand makes, as the dealer calls it."""
        if self.hand is None and is_blackjack(self.cards):
            return "blackjack"
        return total_words(self.cards)


def proof_of(log: Mapping[str, Any], verdict: Mapping[str, Any] | None) -> list[PickedUp]:
    """Return the hands of a round from the top of the discard rack down. Raises Refused.

    >>> log = {"dealer_cards": ["9s", "8h"], "community": [], "seats": [
    ...     {"seat": 1, "bets": [1], "hands": [{"cards": ["Tc", "6d", "9h"]}]},
    ...     {"seat": 2, "bets": [1], "hands": [{"cards": ["Tc", "9d"]}]},
    ...     {"seat": 5, "bets": [1], "hands": [{"cards": ["Td", "Qd"]}]}]}
    >>> [each.whose for each in proof_of(log, None)]
    ['Dealer', 'Seat 5', 'Seat 2', 'Seat 1']
    """
    if log["community"]:
        raise refuse(
            "no_rack", "A stadium's cards serve every terminal. There is no hand to back up."
        )
    dealer = cards(log["dealer_cards"])
    if not dealer:
        raise refuse(
            "not_dealt", "No cards were entered for this round. Ask surveillance.", CONFLICT
        )
    early = _early_seats(log, verdict)
    found = list(_hands(log, early))
    waited = [picked_up for picked_up in found if not picked_up.ended_early]
    ended = [picked_up for picked_up in found if picked_up.ended_early]
    order = [PickedUp(1, None, None, dealer, False), *reversed(waited), *reversed(ended)]
    return [
        PickedUp(place, picked_up.seat, picked_up.hand, picked_up.cards, picked_up.ended_early)
        for place, picked_up in enumerate(order, 1)
    ]


def _hands(log: Mapping[str, Any], early: frozenset[int]) -> Iterator[PickedUp]:
    """Yield every hand from first base to third, the hands of a split from the left."""
    for seat in sorted(log["seats"], key=lambda seat: int(seat["seat"])):
        hands = seat["hands"]
        for number, hand in enumerate(hands, 1):
            held = cards(hand["cards"])
            ended = seat["seat"] in early or total_of(held) > 21
            yield PickedUp(0, seat["seat"], number if len(hands) > 1 else None, held, ended)


def _early_seats(log: Mapping[str, Any], verdict: Mapping[str, Any] | None) -> frozenset[int]:
    """Return the seats whose cards were taken up while the players still acted."""
    if verdict is not None:
        return frozenset(
            line["seat"] for line in verdict["lines"] if line["phase"] == Phase.PLAYER_ACTION
        )
    return frozenset(
        seat["seat"] for seat in log["seats"] if seat.get("surrender") or seat.get("even_money")
    )
