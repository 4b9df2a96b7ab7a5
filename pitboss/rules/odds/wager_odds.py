"""What the exact odds of a wager are made of, and what about them deserves a second look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any, Final

from pitboss.rules.paytables.pays import LOSE

# Above this a side bet keeps more than any published one: a row was left out, or a number slipped.
EDGE_HIGH: Final = Fraction(1, 4)


@dataclass(frozen=True, slots=True)
class RowOdds:
    """How likely a row is, and what it pays on one unit: as a settlement, so minus one if lost."""

    probability: Fraction
    pays: Fraction


@dataclass(frozen=True, slots=True)
class RaiseOdds:
    """What raising does to Raise the Roof; every figure per unit of ante unless it says otherwise.

    `ante_only_edge` never raises, so a bust pays even money. `raise_edge` is per unit raised, on
    every hand where the dealer has no blackjack. `best_edge` raises by the dealer's up card alone,
    `best_raises` times the ante; `best_risk_edge` is the same per unit on the layout.
    """

    ante_only_edge: Fraction
    raise_edge: Fraction
    best_edge: Fraction
    best_risk_edge: Fraction
    best_raises: Mapping[str, int]
    ante_only_variance: Fraction = Fraction(0)
    # Of a unit raised, on hands where the dealer has no blackjack.
    raise_variance: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class WagerOdds:
    """The odds of one wager under one pay table and number of decks.

    `edge` is what the house keeps of each unit staked. For Raise the Roof it is that of an ante
    which is raised every time, and so always paid by the table.
    """

    edge: Fraction
    rows: Mapping[str, RowOdds]
    raising: RaiseOdds | None = None
    # Of what one unit wins or loses; none where no one has worked it out.
    variance: Fraction | None = None

    def as_answer(self) -> dict[str, Any]:
        """Return the odds as they are written on the wire: fractions in lowest terms."""
        answer: dict[str, Any] = {
            "edge": str(self.edge),
            "categories": {
                name: {"probability": str(row.probability), "pays": str(row.pays)}
                for name, row in self.rows.items()
            },
        }
        if self.raising is not None:
            answer["raising"] = {
                "ante_only_edge": str(self.raising.ante_only_edge),
                "raise_edge": str(self.raising.raise_edge),
                "best_edge": str(self.raising.best_edge),
                "best_risk_edge": str(self.raising.best_risk_edge),
                "best_raises": dict(self.raising.best_raises),
            }
        answer["warnings"] = [
            {"code": warning.code, "message": warning.message} for warning in warnings(self)
        ]
        return answer


@dataclass(frozen=True, slots=True)
class OddsWarning:
    """Something a person should look at before a pay table is approved."""

    code: str
    message: str


def as_percent(part: Fraction) -> str:
    """Write a fraction as a percentage with two decimals, a half rounded up.

    >>> as_percent(Fraction(4059, 125333)), as_percent(Fraction(-1, 8))
    ('3.24%', '-12.50%')
    """
    hundredths = floor(abs(part) * 10_000 + Fraction(1, 2))
    sign = "-" if part < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02}%"


def warnings(odds: WagerOdds) -> tuple[OddsWarning, ...]:
    """Name what looks wrong: a bet that favors the player, keeps too much, or cannot hit a row."""
    found = []
    if odds.edge < 0:
        found.append(
            OddsWarning(
                "favours_player",
                f"The player wins {as_percent(-odds.edge)} of each unit staked. Check the odds.",
            )
        )
    if odds.edge > EDGE_HIGH:
        found.append(
            OddsWarning(
                "edge_high",
                f"The house keeps {as_percent(odds.edge)} of each unit staked, above"
                f" {as_percent(EDGE_HIGH)}. Check that no row is missing.",
            )
        )
    if odds.raising is not None and odds.raising.best_edge < 0:
        found.append(
            OddsWarning(
                "favours_best_play",
                "A player who raises by the dealer's up card wins"
                f" {as_percent(-odds.raising.best_edge)} of each ante. Check the odds.",
            )
        )
    found += [
        OddsWarning("row_impossible", f"{name} cannot come up with so few decks.")
        for name, row in odds.rows.items()
        if not row.probability and name != LOSE
    ]
    return tuple(found)
