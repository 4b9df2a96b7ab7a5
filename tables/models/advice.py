"""What was done about the advice of the yield view. Advice never acts by itself."""

from __future__ import annotations

from enum import StrEnum, unique

from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known


@unique
class AdviceAnswer(StrEnum):
    """What a manager said to a piece of advice. The values are stored."""

    DONE = "done"
    NOT_NOW = "not_now"


class AdviceTaken(models.Model):
    """One answer to one piece of advice, with the working it was given with. Never changed."""

    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    what = models.CharField(max_length=60)
    sentence = models.CharField(max_length=200)
    # [["Expected", "27, the median of …"], …]
    working = models.JSONField()
    answer = models.CharField(max_length=8, choices=choices(AdviceAnswer))
    reason = models.CharField(max_length=200, blank=True, default="")
    by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    request_id = models.UUIDField(unique=True)
    gaming_day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "advice taken"
        constraints = [
            models.CheckConstraint(
                name="advice_answer_known", condition=known("answer", AdviceAnswer)
            ),
            models.CheckConstraint(
                name="not_now_has_its_reason", condition=Q(answer="done") | ~Q(reason="")
            ),
        ]
        indexes = [models.Index(fields=["gaming_day", "table"], name="advice_by_day")]

    def __str__(self) -> str:
        return self.sentence
