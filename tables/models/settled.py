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
    # What was guessed before the boxes were counted; none when nobody guessed.
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
