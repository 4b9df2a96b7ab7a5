"""What follows from a tray that differs from its last count, by jurisdiction.

A variance of any size, also one of colours alone, is told to the shift manager. From the amounts here
on it is reported by security and surveillance, and to the regulator within a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The amounts from which a variance is reported, and to whom."""

    id: str
    name: str
    # Security and surveillance sign a report from this amount on; none: never.
    report_from_cents: int | None
    # The regulator is told from this amount on, within so many hours; at once is 0.
    regulator_from_cents: int | None
    regulator_hours: int
    source: str

    def __post_init__(self) -> None:
        amounts = (self.report_from_cents, self.regulator_from_cents)
        if any(amount is not None and amount <= 0 for amount in amounts):
            raise ValueError("an amount from which to report must be positive")
        if self.regulator_hours < 0:
            raise ValueError("nobody can be told in less than no time")

    def is_reported(self, variance_cents: int) -> bool:
        """Tell whether security and surveillance report on a variance.

        >>> PRESETS["NJ"].is_reported(-2_500), PRESETS["NJ"].is_reported(-3_000)
        (False, True)
        """
        return self.report_from_cents is not None and abs(variance_cents) >= self.report_from_cents

    def is_told_to_regulator(self, variance_cents: int) -> bool:
        """Tell whether the regulator must be told of a variance."""
        return (
            self.regulator_from_cents is not None
            and abs(variance_cents) >= self.regulator_from_cents
        )


# New Jersey reports above $25, that is from the next cent on.
PRESETS: Mapping[str, Tolerance] = {
    each.id: each
    for each in (
        Tolerance("NJ", "New Jersey", 2_501, 10_000, 24, "NJAC 13:69D-1.21"),
        Tolerance("KS", "Kansas", None, 10_000, 0, "KAR 112-108-28"),
        Tolerance("WA", "Washington", 1, 20_000, 24, "WAC 230-15-495"),
    )
}
