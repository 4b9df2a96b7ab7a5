"""What follows from a tray that differs from its last count, by jurisdiction.

A variance of any size, also one of colours alone, is told to the shift manager. From the amounts
here on it is reported by others as well, and to the regulator within a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pitboss.rules.roles import Role


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The amounts from which a variance is reported, and to whom."""

    id: str
    name: str
    # These sign a report from this amount on; from 0 on is any variance, colours alone included.
    reported_by: tuple[Role, ...]
    report_from_cents: int
    # The regulator is told from this amount on, within so many hours; at once is 0.
    regulator_from_cents: int
    regulator_hours: int
    source: str

    def __post_init__(self) -> None:
        if self.report_from_cents < 0:
            raise ValueError("a variance is reported by its size, which is never below 0")
        if self.regulator_from_cents <= 0:
            raise ValueError("an amount from which to tell the regulator must be positive")
        if self.regulator_hours < 0:
            raise ValueError("nobody can be told in less than no time")

    def who_reports(self, variance_cents: int) -> tuple[Role, ...]:
        """Return who signs a report on a variance, besides the shift manager who accepts it.

        >>> [role.value for role in PRESETS["NJ"].who_reports(-3_000)]
        ['security', 'surveillance']
        >>> PRESETS["NJ"].who_reports(-2_500), PRESETS["KS"].who_reports(-3_000)
        ((), ())
        """
        return self.reported_by if abs(variance_cents) >= self.report_from_cents else ()

    def is_told_to_regulator(self, variance_cents: int) -> bool:
        """Tell whether the regulator must be told of a variance."""
        return abs(variance_cents) >= self.regulator_from_cents

    def consequences(self, variance_cents: int) -> list[str]:
        """Say what a tray that differs by so much asks of people.

        >>> PRESETS["NJ"].consequences(-12_500)[1:]
        ['The security officer and surveillance officer sign a report.', \
'The regulator is notified within 24 hours.']
        """
        sentences = ["The shift manager is notified immediately and signs."]
        reporting = self.who_reports(variance_cents)
        if reporting:
            verb = "sign" if len(reporting) > 1 else "signs"
            names = " and ".join(role.label for role in reporting)
            sentences.append(f"The {names} {verb} a report.")
        if self.is_told_to_regulator(variance_cents):
            within = (
                f"within {self.regulator_hours} hours" if self.regulator_hours else "immediately"
            )
            sentences.append(f"The regulator is notified {within}.")
        return sentences


# New Jersey reports above $25, that is from the next cent on. Washington's slip is signed by the
# dealer and the supervisor, as every count here is, and by security.
PRESETS: Mapping[str, Tolerance] = {
    each.id: each
    for each in (
        Tolerance(
            "NJ",
            "New Jersey",
            (Role.SECURITY, Role.SURVEILLANCE),
            2_501,
            10_000,
            24,
            "NJAC 13:69D-1.21",
        ),
        Tolerance("KS", "Kansas", (), 0, 10_000, 0, "KAR 112-108-28"),
        Tolerance("WA", "Washington", (Role.SECURITY,), 0, 20_000, 24, "WAC 230-15-495"),
    )
}
