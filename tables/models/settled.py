"""What tables won in gaming days that are over, in ink, so that a year is read as fast as a day."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q


class SettledWin(models.Model):
    """What a table won in a closed gaming day, once its boxes are counted. Never changed.

    It is worked out from the papers, and a correction writes a new revision beside it. The newest
    counts.
    """

    gaming_day = models.DateField()
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    # One more than the corrections of the day that it takes in.
    revision = models.PositiveSmallIntegerField()
    # Where it stood and what was dealt there, as its papers say.
    pit = models.CharField(max_length=40)
    game = models.CharField(max_length=40)
    opening_cents = models.BigIntegerField()
    closing_cents = models.BigIntegerField()
    fills_cents = models.BigIntegerField()
    credits_cents = models.BigIntegerField()
    markers_cents = models.BigIntegerField()
    marker_payments_cents = models.BigIntegerField()
    # Of that, what was paid in cash: the statistical drop leaves it out. Days settled by an earlier
    # release have none here.
    marker_cash_cents = models.BigIntegerField(default=0)
    drop_cents = models.PositiveBigIntegerField()
    # Jackpots, of any source: beside win, not in it.
    jackpots_cents = models.BigIntegerField()
    # What was guessed before the boxes were counted; none when no one guessed.
    estimated_cents = models.BigIntegerField(null=True)
    win_cents = models.BigIntegerField()
    settled_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["gaming_day", "table", "revision"], name="win_settled_once_a_revision"
            ),
            models.CheckConstraint(
                name="settled_win_adds_up",
                condition=Q(
                    win_cents=F("closing_cents")
                    + F("credits_cents")
                    + F("drop_cents")
                    + F("markers_cents")
                    - F("opening_cents")
                    - F("fills_cents")
                    - F("marker_payments_cents")
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.gaming_day}: {self.win_cents}"


class SettledHours(models.Model):
    """What a table's hours of a closed gaming day came to. Never changed; the newest counts.

    One row for all hours of a day: a year of a house is read as fast as a month. The totals are the
    sums of the hours, as the database checks.
    """

    gaming_day = models.DateField()
    table = models.ForeignKey(
        "pitboss.Table", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    revision = models.PositiveSmallIntegerField()
    # How many corrections and voids of its ratings it takes in: one more outdates it.
    corrections = models.PositiveIntegerField()
    # Where it stood.
    pit = models.CharField(max_length=40)
    # By its beginning: {"2026-05-01T21:00:00+00:00": {"open": 3600, "seats": 14400, "rated": 7200,
    # "rounds": 62, "action": 310000, "theo": {"blackjack": 3738}, "labor": 4150}}
    hours = models.JSONField()
    open_seconds = models.PositiveIntegerField()
    seat_seconds = models.PositiveIntegerField()
    rated_seconds = models.PositiveIntegerField()
    rounds = models.PositiveIntegerField()
    action_cents = models.PositiveBigIntegerField()
    # By wager, in cents.
    theo = models.JSONField()
    theo_cents = models.BigIntegerField()
    # None where the house has not said what its people earn.
    labor_cents = models.BigIntegerField(null=True)
    settled_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "settled hours"
        constraints = [
            # With what a year is summed from, so that it is read without the hours beside it.
            models.UniqueConstraint(
                fields=["gaming_day", "table", "revision"],
                name="hours_settled_once_a_revision",
                include=[
                    "id",
                    "open_seconds",
                    "seat_seconds",
                    "rated_seconds",
                    "rounds",
                    "theo_cents",
                    "labor_cents",
                ],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.gaming_day}: {self.theo_cents}"
