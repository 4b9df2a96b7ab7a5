"""Cases of suspicious activity, of which compliance alone knows that they are there."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.rules.patrons.sar import SarOutcome, StepKind


class SarCase(models.Model):
    """Something suspicious that compliance looks into. Its words stand here in cipher."""

    text_cipher = models.TextField()
    patron = models.ForeignKey(
        "inventory.Patron", on_delete=models.PROTECT, null=True, related_name="+"
    )
    note = models.ForeignKey(
        "inventory.SuspicionNote", on_delete=models.PROTECT, null=True, related_name="+"
    )
    # The case whose activity went on after it was filed.
    continues = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="continued_by"
    )
    amount_cents = models.PositiveBigIntegerField()
    detected_on = models.DateField()
    has_suspect = models.BooleanField()
    due_on = models.DateField()
    opened_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="a_sar_case_says_something", condition=~Q(text_cipher="")),
            models.CheckConstraint(
                name="a_sar_case_is_due_after_it_was_seen",
                condition=Q(due_on__gt=models.F("detected_on")),
            ),
        ]

    def __str__(self) -> str:
        return f"SAR case {self.pk}"


class SarStep(models.Model):
    """What was done about a case: written to it, proposed, agreed to, withdrawn or reviewed."""

    case = models.ForeignKey(SarCase, on_delete=models.PROTECT, related_name="steps")
    kind = models.CharField(max_length=12, choices=choices(StepKind))
    text_cipher = models.TextField(blank=True)
    outcome = models.CharField(max_length=12, choices=choices(SarOutcome), blank=True)
    bsa_id = models.CharField(max_length=14, blank=True)
    filed_on = models.DateField(null=True)
    # On which day it is asked whether the activity went on; none where no one wants to be asked.
    review_on = models.DateField(null=True)
    # The proposal that is agreed to or withdrawn.
    answers = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="answered_by"
    )
    taken_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    taken_at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(name="sar_step_known", condition=known("kind", StepKind)),
            models.CheckConstraint(
                name="a_sar_proposal_is_complete",
                condition=~Q(kind=StepKind.PROPOSED.value)
                | Q(
                    outcome=SarOutcome.FILED.value,
                    bsa_id__regex=r"^[0-9]{14}$",
                    filed_on__isnull=False,
                )
                | (Q(outcome=SarOutcome.NOT_FILED.value, bsa_id="") & ~Q(text_cipher="")),
            ),
            models.CheckConstraint(
                name="a_sar_answer_answers",
                condition=Q(
                    kind__in=[StepKind.AGREED.value, StepKind.WITHDRAWN.value],
                    answers__isnull=False,
                )
                | Q(
                    kind__in=[
                        StepKind.PROPOSED.value,
                        StepKind.WRITTEN.value,
                        StepKind.REVIEWED.value,
                    ],
                    answers=None,
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} in {self.case_id}"


class SarReading(models.Model):
    """One reading of a case, by whom and when."""

    case = models.ForeignKey(SarCase, on_delete=models.PROTECT, related_name="readings")
    read_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    read_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.case_id} read at {self.read_at}"
