"""Why a number of a series is missing, in ink."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class SerialExplanation(models.Model):
    """The reason why a number was given and no slip bears it, signed once."""

    series = models.CharField(max_length=4)
    year = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    reason = models.CharField(max_length=500)
    explained_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    explained_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["series", "year", "number"], name="one_explanation_a_number"
            ),
            models.CheckConstraint(name="explanation_says_why", condition=~Q(reason="")),
        ]

    def __str__(self) -> str:
        return f"{self.series}-{self.year}-{self.number:06d}"
