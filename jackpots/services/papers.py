"""Which tax papers a jackpot owes before it is paid, and what is kept back of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from jackpots.models import Jackpot
from pitboss.rules.refusal import Refusal
from pitboss.rules.tax import TaxAnswer, judge
from pitboss.rules.tax_win import Win
from pitboss.services import house


def tax_on(jackpot: Jackpot, award_cents: int, at: datetime) -> TaxAnswer:
    """Return what a resident with a number would owe on a jackpot paid now, with the working."""
    return judge(
        Win(
            paid_on=at.astimezone(house.the_property().zone).date(),
            wager_cents=jackpot.stake_cents,
            received_cents=award_cents,
            is_resident=True,
            has_tin=True,
        )
    )


@dataclass(frozen=True, slots=True)
class Papers:
    """How the tax papers of a jackpot stand: what stops its payment, and what they keep back."""

    refusals: tuple[Refusal, ...] = ()
    withheld_cents: int = 0


def papers_of(jackpot: Jackpot, award_cents: int, at: datetime) -> Papers:
    """Return how the papers stand that a jackpot owes when it is paid now."""
    owed = tax_on(jackpot, award_cents, at)
    if owed.form is None:
        return Papers()
    refusal = Refusal(
        "tax_papers_incomplete",
        f"This win owes a {owed.form.value}. Complete it before anything is paid.",
    )
    return Papers((refusal,))
