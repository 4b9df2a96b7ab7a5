"""What a dealer answered to an evaluation. The evaluation itself is a line of the floor log."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tables.models.floor_log import FloorEntry


class EvaluationAnswer(models.Model):
    """The dealer's own words on an evaluation, once. Never changed."""

    entry = models.OneToOneField(
        FloorEntry, on_delete=models.PROTECT, related_name="evaluation_answer"
    )
    dealer = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    words = models.CharField(max_length=500)
    at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="evaluation_answer_has_words", condition=~Q(words="")),
        ]

    def __str__(self) -> str:
        return self.words
