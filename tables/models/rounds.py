"""Rounds, as smart shoes and progressives tell them: one row each, in ink once it has ended."""

from __future__ import annotations

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q

from pitboss.models.choices import choices, known
from pitboss.rules.rounds.told import Outcome


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
    # Under which equipment sent it whole; none where it was told bit by bit.
    key = models.UUIDField(null=True)
    # The last form by which a supervisor changed it.
    request_id = models.UUIDField(null=True)
    # Seats, wagers, cards, decisions and payouts, as they count.
    log = models.JSONField()
    # Each part as it was told, and when; what was undone or replaced stays, struck.
    parts = models.JSONField(default=list)
    # How it ended; empty while it is open.
    outcome = models.CharField(max_length=14, choices=choices(Outcome), blank=True, default="")
    # How it was settled, and what was paid otherwise.
    verdict = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at=None), name="one_open_round_a_table"
            ),
            models.UniqueConstraint(fields=["table", "key"], name="one_round_a_key"),
            models.CheckConstraint(
                name="round_that_ended_has_an_outcome",
                condition=Q(ended_at=None, verdict=None, outcome="")
                | (
                    Q(ended_at__gte=F("started_at"), verdict__isnull=False)
                    & known("outcome", Outcome)
                ),
            ),
        ]
        indexes = [
            models.Index(fields=["table", "started_at"], name="round_by_table_and_time"),
            BrinIndex(fields=["started_at"], name="round_by_time", autosummarize=True),
        ]

    def __str__(self) -> str:
        return f"round {self.pk}"
