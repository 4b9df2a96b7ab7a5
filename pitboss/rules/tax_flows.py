"""The flows of tax papers: prepared while a jackpot is reviewed, signed by whoever won.

They run beside the jackpot's own slip and stop nothing but its payment. A form that went out wrong
is corrected or voided by two people of the office; what went out stays on record.
"""

from __future__ import annotations

from typing import Final

from pitboss.rules.flows import Flow, PlanFacts, Step
from pitboss.rules.roles import Role

# What a service says of papers about to be prepared.
WINNER_SIGNS: Final = "winner_signs"
HOUSE_DECIDES: Final = "house_decides"
_PREPARE: Final = (Role.SUPERVISOR, Role.CASHIER)
# Who keeps the year's forms.
OFFICE: Final = (Role.ACCOUNTING, Role.COMPLIANCE)


def house_decides(facts: PlanFacts) -> bool:
    """Tell whether the law leaves open how a win is taxed, so that somebody answers for it."""
    return HOUSE_DECIDES in facts.marks


def winner_signs(facts: PlanFacts) -> bool:
    """Tell whether whoever won declares something under penalties of perjury."""
    return WINNER_SIGNS in facts.marks


TAX_PAPERS = Flow(
    kind="tax_papers",
    title="Tax papers",
    series="TX",
    shows_unneeded=False,
    steps=(
        Step(
            "papers_prepared",
            by=_PREPARE,
            at=None,
            attests="I saw the winner and their identification. What stands here is what it says.",
        ),
        Step(
            "treatment_decided",
            by=Role.SHIFT_MANAGER,
            at=None,
            when=house_decides,
            needs_reason=True,
            attests="This win is taxed as it stands here. I decide it for the house.",
        ),
        Step(
            "winner_signed",
            by=_PREPARE,
            at=None,
            when=winner_signs,
            may_repeat="papers_prepared",
            drawn=True,
            attests="The winner read the declaration and signed before me. Face and ID match.",
        ),
    ),
    void=(
        Step(
            "papers_voided",
            by=_PREPARE,
            at=None,
            may_repeat="papers_prepared",
            needs_reason=True,
            attests="These papers are wrong or no longer needed. Nothing goes out on them.",
        ),
        Step(
            "void_agreed",
            by=(Role.PIT_MANAGER, Role.CAGE_MANAGER, *OFFICE),
            at=None,
            attests="I looked into the reason.",
            then="slip_voided",
        ),
    ),
    at_end="tax_papers_complete",
)

TAX_CORRECTION = Flow(
    kind="tax_correction",
    title="Tax form correction",
    series="TC",
    steps=(
        Step(
            "proposed",
            by=(*OFFICE, Role.CAGE_MANAGER),
            at=None,
            needs_reason=True,
            attests="This form went out wrong, and I say why.",
        ),
        Step(
            "approved",
            by=(*OFFICE, Role.CAGE_MANAGER),
            at=None,
            attests="I looked into this. A new form goes out; the old one stays on record.",
            then="tax_form_corrected",
        ),
    ),
    void=(
        Step(
            "refused",
            by=(*OFFICE, Role.CAGE_MANAGER),
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="The form is right as it went out.",
            then="slip_voided",
        ),
    ),
    desk="cage",
)
