"""Rounds, as smart shoes and progressives tell them: one row each, in ink once it has ended."""

from __future__ import annotations

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q


class Round(models.Model):
    """One round at one table. Its log is in pencil until it ends; a trigger keeps it then."""

    table = models.ForeignKey(
        "pitboss.Table", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    terminal = models.ForeignKey(
        "pitboss.Device", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    dealer = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    # Seats, wagers, cards, decisions and payouts, as they were told.
    log = models.JSONField()
    # How it was settled, and what was paid otherwise.
    verdict = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at=None), name="one_open_round_a_table"
            ),
            models.CheckConstraint(
                name="round_that_ended_is_settled",
                condition=Q(ended_at=None, verdict=None)
                | Q(ended_at__gte=F("started_at"), verdict__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["table", "started_at"], name="round_by_table_and_time"),
            BrinIndex(fields=["started_at"], name="round_by_time"),
        ]

    def __str__(self) -> str:
        return f"round {self.pk}"
