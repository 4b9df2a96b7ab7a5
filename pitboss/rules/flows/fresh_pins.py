"""A PIN that others gave the means to set signs for little at first: whoever it is may not be they.

A person who was robbed of their badge by two colleagues has so many hours to read of it at their
next sign-in, and security to look into it, before anything large is signed in their name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from pitboss.rules.refusal import Refusal
from pitboss.rules.said import Said

CODE = "fresh_pin"


@dataclass(frozen=True, slots=True)
class FreshPinPolicy:
    """How long a PIN set by others stays fresh, and how much it signs for until then."""

    hours: int
    most_cents: int

    def is_fresh(self, set_by_others_at: datetime | None, now: datetime) -> bool:
        """Tell whether a PIN was set by others so shortly ago that it signs for little."""
        return set_by_others_at is not None and now < self.settles_at(set_by_others_at)

    def settles_at(self, set_by_others_at: datetime) -> datetime:
        """Return from when a PIN signs as any other."""
        return set_by_others_at + timedelta(hours=self.hours)

    def limit_cents(self, set_by_others_at: datetime | None, now: datetime) -> int | None:
        """Return what a PIN signs for at most now; None where it is as good as any."""
        return self.most_cents if self.is_fresh(set_by_others_at, now) else None


# Where a slip says what it is worth besides its cheques: cash, a line, an award, a meter.
WORTH_KEYS: Final = ("amount_cents", "award_cents", "locked_cents", "before_cents", "after_cents")


def worth_cents(total_cents: int, details: Mapping[str, Any]) -> int:
    """Return the most that a slip is about.

    >>> worth_cents(2_500, {"amount_cents": 90_000, "locked_cents": None})
    90000
    """
    return max(total_cents, *(details.get(key) or 0 for key in WORTH_KEYS))


def fresh_amount_refusals(name: str, limit_cents: int | None, worth_cents: int) -> list[Refusal]:
    """Return why a PIN that others set lately does not sign for so much.

    >>> [r.message for r in fresh_amount_refusals("A. Ruiz", 100_000, 100_100)]
    ['The PIN of A. Ruiz was reset and signs for up to $1,000 for now. Ask someone else to sign.']
    """
    if limit_cents is None or worth_cents <= limit_cents:
        return []
    return [
        Refusal(
            CODE,
            Said(
                "The PIN of {name} was reset and signs for up to {limit_cents} for now. "
                "Ask someone else to sign.",
                name=name,
                limit_cents=limit_cents,
            ),
        )
    ]


def fresh_power_refusal(name: str) -> Refusal:
    """Return why a PIN that others set lately changes no people, PINs, devices or settings."""
    return Refusal(
        CODE,
        Said(
            "The PIN of {name} was reset and can’t change people, PINs, devices, or settings for "
            "now. Ask someone else to sign.",
            name=name,
        ),
    )
