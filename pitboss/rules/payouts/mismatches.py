"""A payout that a dealer confirms as paid, otherwise than it was judged: who settles it, and how.

Payouts move no cheques in the ledger: what players won is what a count finds missing. So settling
moves none either. What it records is which amount stands in the end, and by whose word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Any, Final

from pitboss.rules.facts import AMOUNT_CENTS_MAX
from pitboss.rules.flows.flows import REASON_MAX
from pitboss.rules.patrons.compliance import text_refusals
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal
from pitboss.rules.roles import Place, Role, may_act_as


@unique
class MismatchDirection(StrEnum):
    """Which way a payout went wrong, seen from the house."""

    OVERPAID = "overpaid"
    UNDERPAID = "underpaid"
    UNVERIFIED = "unverified"


@unique
class Way(StrEnum):
    """How a mismatch ends: the difference was made good, or what was paid stands all the same."""

    CORRECTED = "corrected"
    OVERRIDDEN = "overridden"


def direction_of(owed_cents: int | None, paid_cents: int) -> MismatchDirection | None:
    """Say which way a payment differs from what is owed; none when it does not.

    What no one could verify differs always: no amount is right by default.

    >>> direction_of(45_000, 90_000).value, direction_of(45_000, 45_000)
    ('overpaid', None)
    >>> direction_of(None, 500).value
    'unverified'
    """
    if owed_cents is None:
        return MismatchDirection.UNVERIFIED
    if paid_cents == owed_cents:
        return None
    return MismatchDirection.OVERPAID if paid_cents > owed_cents else MismatchDirection.UNDERPAID


# A round takes about fifty seconds: the same cards at the same seat sooner than that are one hand.
SAME_BET_WITHIN: Final = timedelta(seconds=60)
_BET: Final = (
    "seat", "hand", "wager", "stake_cents", "player_cards", "dealer_cards", "dealer_up", "extra"
)  # fmt: skip


def is_same_bet(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two payouts, as a terminal told them moments apart, are of one bet.

    Without a seat no one can tell: two players may have the same cards.

    >>> paid = {"seat": 5, "wager": "super_3", "stake_cents": 500, "player_cards": ["9c", "9d"]}
    >>> is_same_bet(paid, {**paid, "paid_cents": 45_000})
    True
    >>> is_same_bet(paid, {**paid, "seat": 4}), is_same_bet({**paid, "seat": None}, paid)
    (False, False)
    """
    return one.get("seat") is not None and all(one.get(name) == other.get(name) for name in _BET)


@dataclass(frozen=True, slots=True)
class PayoutTold:
    """When a payout was told, and when it was keyed where the line was down then."""

    at: datetime
    keyed_at: datetime | None = None

    @property
    def seen_at(self) -> datetime:
        return self.keyed_at or self.at


def is_same_hand(paid: PayoutTold, confirmed_at: datetime, before: PayoutTold) -> bool:
    """Tell whether two payouts of the same bet are so close that they are of one hand.

    What was keyed while the line was down is of the time when it was keyed, whenever it arrives.

    >>> nine, later = datetime(2026, 5, 1, 21), datetime(2026, 5, 1, 21, 10)
    >>> is_same_hand(PayoutTold(later), later, PayoutTold(nine))
    False
    >>> is_same_hand(PayoutTold(nine), nine, PayoutTold(nine))
    True
    >>> is_same_hand(PayoutTold(later, keyed_at=nine), later, PayoutTold(nine))
    True
    """
    if (
        paid.keyed_at is None
        and before.keyed_at is None
        and (before.at > confirmed_at - SAME_BET_WITHIN)
    ):
        return True
    return abs(paid.seen_at - before.seen_at) < SAME_BET_WITHIN


@dataclass(frozen=True, slots=True)
class Settling:
    """Someone settles a mismatch: what is known of it and of them, and what they key."""

    role: Role
    place: Place | None
    is_their_pit: bool
    is_the_dealer: bool
    owed_cents: int | None
    paid_cents: int
    way: Way
    reason: str
    # What the supervisor found to be owed, where the rules could not say.
    found_cents: int | None = None

    @property
    def stands_cents(self) -> int | None:
        """What the player has in the end; none when no one has said it."""
        if self.way is Way.OVERRIDDEN:
            return self.paid_cents
        return self.found_cents if self.owed_cents is None else self.owed_cents


def settling_refusals(settling: Settling) -> list[Refusal]:
    """Return every reason why a mismatch is not settled so.

    >>> settling = Settling(role=Role.SUPERVISOR, place=Place.PIT, is_their_pit=True,
    ...                     is_the_dealer=False, owed_cents=45_000, paid_cents=90_000,
    ...                     way=Way.OVERRIDDEN, reason="")
    >>> [refusal.code for refusal in settling_refusals(settling)]
    ['reason_missing']
    """
    refusals = []
    if not may_act_as(settling.role, Role.SUPERVISOR):
        refusals.append(
            Refusal("wrong_role", "Only a supervisor can settle a payout mismatch.", NOT_YOURS)
        )
    if settling.place is not Place.PIT:
        refusals.append(
            Refusal("wrong_place", "Settle this at the table on a pit tablet.", NOT_YOURS)
        )
    elif not settling.is_their_pit:
        refusals.append(
            Refusal("wrong_pit", "That table is in another pit. Sign on a tablet there.", NOT_YOURS)
        )
    if settling.is_the_dealer:
        message = "The dealer on this hand can’t settle it. Someone else must sign."
        refusals.append(Refusal("signed_before", message, CONFLICT))
    return [*refusals, *_amount_refusals(settling), *_reason_refusals(settling)]


def _amount_refusals(settling: Settling) -> list[Refusal]:
    """Return what is wrong with the amount that the supervisor found."""
    found_cents = settling.found_cents
    if settling.owed_cents is not None or settling.way is Way.OVERRIDDEN:
        if found_cents is None:
            return []
        message = "The rules say what is owed. Correct it to that amount, or leave it as paid."
        return [Refusal("amount_is_known", message)]
    if found_cents is None or not 0 <= found_cents <= AMOUNT_CENTS_MAX:
        return [Refusal("amount_missing", "Enter the amount owed.")]
    if found_cents == settling.paid_cents:
        message = "That is what was paid. Leave it as paid, and enter why it is right."
        return [Refusal("nothing_to_correct", message, CONFLICT)]
    return []


def _reason_refusals(settling: Settling) -> list[Refusal]:
    """Return what is wrong with the words: whatever the rules did not decide needs some."""
    is_needed = settling.way is Way.OVERRIDDEN or settling.owed_cents is None
    if not settling.reason and not is_needed:
        return []
    missing = "Enter why this amount is left as paid."
    return text_refusals(settling.reason, most=REASON_MAX, missing=missing)
