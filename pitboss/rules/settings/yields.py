"""Settings of the yield view: what labor costs, and how full a table should be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import refuse
from pitboss.rules.settings.kinds import Amount, Percent, Ratio, Whole
from pitboss.rules.settings.setting import OUR_OWN, Setting

_SUBJECT: Final = "Yield"
_TARGETS: Final = re.compile(r"[1-9](\.5)?([ ,]+[1-9](\.5)?){3}", re.ASCII)
# The targets are of tables whose minimum is below these, in turn, and of all above.
STEPS_CENTS: Final = (1_000, 1_500, 2_500)


@dataclass(frozen=True, slots=True)
class TargetList:
    """Players at a table, by its minimum: four numbers, in halves."""

    def read(self, keyed: str) -> list[str]:
        """Return the targets.

        >>> TargetList().read("5, 4, 3.5, 3")
        ['5', '4', '3.5', '3']
        """
        text = keyed.strip()
        if not _TARGETS.fullmatch(text):
            raise refuse("targets_malformed", f"{quoted(keyed)} isn’t a valid list. {self.hint}")
        return re.findall(r"[0-9.]+", text)

    def words(self, value: Sequence[str]) -> str:
        return ", ".join(value)

    def text(self, value: Sequence[str]) -> str:
        return ", ".join(value)

    @property
    def hint(self) -> str:
        return "Enter four numbers, for minimums under $10, $15, $25, and above: 5, 4, 3.5, 3."


def target_at(targets: Sequence[str], minimum_cents: int) -> Fraction:
    """Return how many players a table of a minimum is best dealt to.

    >>> target_at(["5", "4", "3.5", "3"], 1_500), target_at(["5", "4", "3.5", "3"], 2_500)
    (Fraction(7, 2), Fraction(3, 1))
    """
    return Fraction(targets[sum(minimum_cents >= step for step in STEPS_CENTS)])


def yield_settings() -> Iterator[Setting]:
    """Yield every setting about what a table is worth by the hour."""
    yield Setting(
        "yield.target",
        _SUBJECT,
        "Players that a table is best dealt to, by its minimum",
        "How many tables the yield view suggests for the players expected.",
        TargetList(),
        ["5", "4", "3.5", "3"],
        OUR_OWN,
    )
    yield Setting(
        "yield.weeks",
        _SUBJECT,
        "Weeks that a forecast looks back",
        "Players expected are the median of the same weekday and hour in these weeks.",
        Whole(4, 52, "week"),
        8,
        OUR_OWN,
    )
    yield Setting(
        "yield.least_players",
        _SUBJECT,
        "Players that a higher minimum must leave",
        "A minimum that would leave fewer is never suggested.",
        Whole(1, 7, "player"),
        3,
        OUR_OWN,
    )
    yield Setting(
        "yield.step",
        _SUBJECT,
        "How far above their bet players go along with a minimum",
        "A player who bets less than the new minimum divided by this is expected to leave.",
        Ratio(Fraction(1), Fraction(5)),
        "3/2",
        OUR_OWN,
    )
    for key, whom in (("labor.dealer", "dealer"), ("labor.supervisor", "supervisor")):
        yield Setting(
            key,
            _SUBJECT,
            f"Cost of a {whom} for one hour",
            "Without it, the yield view shows theo only.",
            Amount(100, 1_000_000, none_means="not set"),
            None,
            OUR_OWN,
        )
    yield Setting(
        "labor.tables",
        _SUBJECT,
        "Tables for one supervisor",
        "Shares the cost of a supervisor between tables.",
        Whole(1, 20, "table"),
        4,
        OUR_OWN,
    )
    yield Setting(
        "tax.table_win",
        _SUBJECT,
        "Tax on table win",
        "Subtracted from theo in the yield view.",
        Percent(0, 10_000),
        0,
        OUR_OWN,
    )
