"""How the tax papers of a jackpot stand when it is paid: what stops it, and what is kept back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from jackpots.models import Jackpot
from jackpots.services.tax_papers import (
    are_owed,
    claims_of,
    complete_papers,
    open_papers,
    outdated_refusals,
    reckon_papers,
    tax_on,
)
from pitboss.models import Slip
from pitboss.rules.refusal import Refusal
from pitboss.rules.tax import Form
from pitboss.rules.tax_papers import Part


@dataclass(frozen=True, slots=True)
class Papers:
    """How the tax papers of a jackpot stand: what stops its payment, and what they keep back."""

    refusals: tuple[Refusal, ...] = ()
    withheld_cents: int = 0
    # The papers that are complete, and what each winner owes by them.
    slip: Slip | None = None
    parts: tuple[Part, ...] = ()


def papers_of(jackpot: Jackpot, award_cents: int, at: datetime) -> Papers:
    """Return how the papers stand that a jackpot owes when it is paid now."""
    complete = complete_papers(jackpot.slip)
    if complete is None:
        if not are_owed(jackpot, award_cents, at):
            return Papers()
        return Papers((_incomplete(jackpot, award_cents, at),))
    refusals = outdated_refusals(jackpot, complete, at)
    if refusals:
        return Papers(tuple(refusals))
    reckoned = reckon_papers(jackpot, claims_of(complete), at)
    return Papers((), reckoned.withheld_cents, complete, reckoned.parts)


def _incomplete(jackpot: Jackpot, award_cents: int, at: datetime) -> Refusal:
    waiting = open_papers(jackpot.slip)
    if waiting is not None:
        return Refusal(
            "tax_papers_incomplete", f"{waiting} is not signed by all. Nothing is paid before."
        )
    owed = tax_on(jackpot, award_cents, at).form or Form.F1042S
    return Refusal(
        "tax_papers_incomplete",
        f"This win owes a {owed.value}. Complete it before anything is paid.",
    )
