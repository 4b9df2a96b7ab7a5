"""How the tax papers of a jackpot stand when it is paid: what stops it, and what is kept back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from jackpots.models import Jackpot
from jackpots.services.tax_papers import (
    are_owed,
    claims_of,
    complete_papers,
    covered_by,
    covering_papers,
    open_papers,
    outdated_refusals,
    reckon_papers,
    tax_on,
)
from pitboss.models import Slip
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.tax.papers import WinnerPart
from pitboss.rules.tax.tax import TaxFormName


@dataclass(frozen=True, slots=True)
class PapersStanding:
    """How the tax papers of a jackpot stand: what stops its payment, and what they keep back."""

    refusals: tuple[Refusal, ...] = ()
    withheld_cents: int = 0
    # The papers that are complete, and what each winner owes by them.
    slip: Slip | None = None
    parts: tuple[WinnerPart, ...] = ()
    # Who is paid, where papers name someone.
    patron_id: int | None = None


def papers_of(jackpot: Jackpot, award_cents: int, at: datetime) -> PapersStanding:
    """Return how the papers stand that a jackpot owes when it is paid now."""
    complete = complete_papers(jackpot.slip)
    if complete is None and (covering := covering_papers(jackpot)) is not None:
        # One form for one wager: it goes out, and keeps back the tax, with the slip it is about.
        lead = Jackpot.objects.select_related("slip__table").get(slip=covering.refers_to)
        patron_id = covering.details["patron"]
        return PapersStanding(tuple(outdated_refusals(lead, covering, at)), patron_id=patron_id)
    if complete is None:
        if not are_owed(jackpot, award_cents, at):
            return PapersStanding()
        return PapersStanding((_incomplete(jackpot, award_cents, at),))
    refusals = outdated_refusals(jackpot, complete, at)
    if refusals:
        return PapersStanding(tuple(refusals))
    reckoned = reckon_papers(jackpot, claims_of(complete), at, covered_by(complete))
    return PapersStanding(
        withheld_cents=reckoned.withheld_cents,
        slip=complete,
        parts=reckoned.parts,
        patron_id=complete.details["patron"],
    )


def _incomplete(jackpot: Jackpot, award_cents: int, at: datetime) -> Refusal:
    waiting = open_papers(jackpot.slip)
    if waiting is not None:
        return Refusal(
            "tax_papers_incomplete",
            f"{waiting} isn’t fully signed. Wait for its signatures before you pay.",
            CONFLICT,
        )
    owed = tax_on(jackpot, award_cents, at).form
    if owed is None and jackpot.slip.kind == BIG_WIN:
        return Refusal(
            "winner_unnamed",
            f"{jackpot.slip} has no winner’s name. Prepare the forms with an ID before it is paid.",
            CONFLICT,
        )
    return Refusal(
        "tax_papers_incomplete",
        f"This win owes a {(owed or TaxFormName.F1042S).value}. "
        "Complete it before anything is paid.",
        CONFLICT,
    )
