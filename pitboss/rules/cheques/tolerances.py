"""What follows from a tray that differs from its last count, by jurisdiction and house.

A variance of any size, also one of colors alone, is told to the shift manager. From the amounts
here on it is reported by others as well, and to the regulator within a time. Whether the table
waits for them, or opens and the reports are owed, is the house's own decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from pitboss.rules.roles import Role


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The amounts from which a variance is reported, and to whom."""

    id: str
    name: str
    # These sign a report from this amount on; from 0 on is any variance, colors alone included.
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


# New Jersey reports above $25, that is from the next cent on. Washington's slip is signed by the
# dealer and the supervisor, as every count here is, and by security.
PRESETS: Mapping[str, Tolerance] = {
    item.id: item
    for item in (
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


@dataclass(frozen=True, slots=True)
class VarianceTerms:
    """What a house lets follow: a wall until all have signed, or notices while the table opens."""

    tolerance: Tolerance
    # The table stays shut until the shift manager and everyone who reports has signed.
    is_strict: bool = False
    # Up to this amount a table opens on dealer and supervisor.
    alone_to_cents: int = 2_500
    report_due: timedelta = timedelta(hours=2)

    def is_authorized(self, variance_cents: int) -> bool:
        """Tell whether the shift manager signs before a table with such a variance opens.

        >>> terms = VarianceTerms(PRESETS["NJ"])
        >>> terms.is_authorized(-500), terms.is_authorized(-3_000)
        (False, True)
        """
        return self.is_strict or abs(variance_cents) > self.alone_to_cents

    def reports_first(self, variance_cents: int) -> tuple[Role, ...]:
        """Return who signs a report before the table opens."""
        return self.tolerance.who_reports(variance_cents) if self.is_strict else ()

    def consequences(self, variance_cents: int) -> list[str]:
        """Say what a tray that differs by so much asks of people.

        >>> VarianceTerms(PRESETS["NJ"]).consequences(-12_500)[1:]
        ['The security officer and surveillance officer each owe a report within 2 hours.', \
'The regulator is notified within 24 hours.']
        """
        tolerance = self.tolerance
        sentences = [self._shift_manager(variance_cents)]
        reporting = tolerance.who_reports(variance_cents)
        if reporting:
            sentences.append(self._reports(reporting))
        elif tolerance.reported_by and not self.is_authorized(variance_cents):
            sentences.append(f"{_named(tolerance.reported_by)} notified.")
        if tolerance.is_told_to_regulator(variance_cents):
            hours = tolerance.regulator_hours
            within = f"within {hours} hours" if hours else "immediately"
            sentences.append(f"The regulator is notified {within}.")
        return sentences

    def _shift_manager(self, variance_cents: int) -> str:
        if self.is_strict:
            return "The shift manager is notified immediately and signs."
        if self.is_authorized(variance_cents):
            return "The shift manager authorizes it, from any device. Then the table opens."
        return "The table opens. The shift manager is notified."

    def _reports(self, reporting: tuple[Role, ...]) -> str:
        names = " and ".join(role.label for role in reporting)
        if self.is_strict:
            return f"The {names} {'sign' if len(reporting) > 1 else 'signs'} a report."
        hours = self.report_due // timedelta(hours=1)
        within = f"within {hours} hour{'s' if hours > 1 else ''}"
        verb = "each owe" if len(reporting) > 1 else "owes"
        return f"The {names} {verb} a report {within}."


def _named(roles: tuple[Role, ...]) -> str:
    names = " and ".join(role.label for role in roles)
    return f"The {names} {'are' if len(roles) > 1 else 'is'}"
