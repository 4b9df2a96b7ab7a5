"""Cases of suspicious activity, as compliance alone sees them."""

from __future__ import annotations

from datetime import date

from django.db.models import Exists, OuterRef, QuerySet

from inventory.models import SarCase, SarStep
from pitboss.rules.patrons.sar import StepKind


def _agreed() -> QuerySet[SarStep]:
    return SarStep.objects.filter(kind=StepKind.AGREED.value)


def open_sar_cases() -> QuerySet[SarCase]:
    """Return the cases that are not decided, whatever is due first on top."""
    decided = _agreed().filter(case=OuterRef("pk"))
    return (
        SarCase.objects.filter(~Exists(decided))
        .select_related("patron", "opened_by", "continues")
        .order_by("due_on", "id")
    )


def decided_cases() -> QuerySet[SarStep]:
    """Return how cases ended, the last one first."""
    return _agreed().select_related("case__patron", "answers", "taken_by").order_by("-id")


def decision_of(case: SarCase) -> SarStep | None:
    """Return the proposal that was agreed to, none of a case that is open."""
    agreed = _agreed().filter(case=case).select_related("answers").first()
    return agreed.answers if agreed is not None else None


def proposal_of(case: SarCase) -> SarStep | None:
    """Return the proposal that waits for another officer."""
    return case.steps.filter(kind=StepKind.PROPOSED.value, answered_by=None).last()


def reviews_due(today: date) -> QuerySet[SarStep]:
    """Return the filings after which it is time to ask whether the activity went on."""
    reviewed = SarStep.objects.filter(case=OuterRef("case"), kind=StepKind.REVIEWED.value)
    continued = SarCase.objects.filter(continues=OuterRef("case"))
    return (
        SarStep.objects.filter(
            ~Exists(reviewed),
            ~Exists(continued),
            kind=StepKind.PROPOSED.value,
            answered_by__kind=StepKind.AGREED.value,
            review_on__lte=today,
        )
        .select_related("case__patron")
        .order_by("review_on")
    )
