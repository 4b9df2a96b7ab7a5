"""What the house told its group of closed gaming days: numbered, chained and signed."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class DayStatement(models.Model):
    """The statement of one closed gaming day. A restated day is a new version. Never changed."""

    # Without a gap: who holds one knows which is next.
    number = models.PositiveIntegerField(unique=True)
    gaming_day = models.DateField()
    version = models.PositiveSmallIntegerField()
    # The newest settled win that it takes in: what is settled later restates the day.
    settled_to = models.BigIntegerField()
    text = models.TextField()
    digest = models.CharField(max_length=64, unique=True)
    key_mark = models.CharField(max_length=16)
    signature = models.CharField(max_length=128)
    stated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["gaming_day", "version"], name="day_stated_once_a_version"
            ),
            models.CheckConstraint(
                name="a_statement_is_numbered_and_signed",
                condition=Q(number__gt=0, version__gt=0)
                & ~Q(signature="")
                & Q(text__contains='"format":"pitboss.statement/1"'),
            ),
        ]

    def __str__(self) -> str:
        return f"statement {self.number}"
