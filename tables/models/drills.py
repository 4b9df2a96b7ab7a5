"""Drills that someone answered: for practice, and for who coaches. In ink, like all results."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q


class DrillAnswer(models.Model):
    """One hand that was dealt to practice on, what was owed and what was answered."""

    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    # Whose rules the hand was dealt by.
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    # Under which the hand is dealt again; with the same rules it is the same hand.
    number = models.PositiveBigIntegerField()
    wager = models.CharField(max_length=24)
    stake_cents = models.PositiveBigIntegerField()
    owed_cents = models.PositiveBigIntegerField()
    answered_cents = models.PositiveBigIntegerField()
    is_right = models.BooleanField()
    # From the page that asked to the answer.
    milliseconds = models.PositiveIntegerField()
    gaming_day = models.DateField()
    at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="a_drill_is_right_or_not",
                condition=Q(is_right=True, answered_cents=F("owed_cents"))
                | (Q(is_right=False) & ~Q(answered_cents=F("owed_cents"))),
            ),
        ]
        indexes = [
            models.Index(fields=["person", "-id"], name="drill_by_person"),
            models.Index(fields=["gaming_day"], name="drill_by_day"),
        ]

    def __str__(self) -> str:
        return f"drill {self.number}"
