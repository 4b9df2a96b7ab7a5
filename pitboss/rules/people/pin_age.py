"""A PIN ages: after so many days a new one comes before the next signature."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pitboss.rules.refusal import Refusal

# How many PINs back none may be used again, and how many days before its end it is announced.
PINS_KEPT: Final = 6
REMIND_DAYS: Final = 7
EXPIRED: Final = "pin_expired"


@dataclass(frozen=True, slots=True)
class PinAge:
    """For how many days a PIN signs; 0 for as long as its person likes."""

    days: int

    def ends_at(self, set_at: datetime | None) -> datetime | None:
        """Return from when a PIN no longer signs; never, where no one knows how old it is."""
        if set_at is None or not self.days:
            return None
        return set_at + timedelta(days=self.days)

    def is_over(self, set_at: datetime | None, now: datetime) -> bool:
        """Tell whether a PIN is too old to sign.

        >>> may = datetime(2026, 5, 1)
        >>> PinAge(90).is_over(may, may + timedelta(days=91)), PinAge(0).is_over(may, datetime.max)
        (True, False)
        """
        ends = self.ends_at(set_at)
        return ends is not None and now >= ends

    def refusals(
        self, name: str, set_at: datetime | None, now: datetime, begun_at: datetime | None = None
    ) -> list[Refusal]:
        """Return why a PIN does not sign now. What was begun before it ended is finished with it.

        >>> may = datetime(2026, 5, 1)
        >>> late = may + timedelta(days=91)
        >>> [each.code for each in PinAge(90).refusals("A. Ruiz", may, late)]
        ['pin_expired']
        >>> PinAge(90).refusals("A. Ruiz", may, late, begun_at=may)
        []
        """
        if not self.is_over(set_at, now):
            return []
        if begun_at is not None and not self.is_over(set_at, begun_at):
            return []
        return [
            Refusal(EXPIRED, f"The PIN of {name} is {self.days} days old. Set a new one first.")
        ]

    def days_left(self, set_at: datetime | None, now: datetime) -> int | None:
        """Return how many days a PIN still signs, once that is soon; none before.

        >>> may = datetime(2026, 5, 1)
        >>> PinAge(90).days_left(may, may + timedelta(days=85)), PinAge(90).days_left(may, may)
        (5, None)
        """
        ends = self.ends_at(set_at)
        if ends is None or now >= ends or ends - now > timedelta(days=REMIND_DAYS):
            return None
        return (ends - now).days
