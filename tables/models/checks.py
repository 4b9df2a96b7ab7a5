"""Payouts that a dealer had checked, in ink."""

from __future__ import annotations

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.rules.payouts.check import Verdict


class PayoutCheck(models.Model):
    """One payout, as it was keyed and as it was judged. Never changed.

    Written by the million, so the journal does not vouch for each: it does for what came of one.
    """

    # No index but by time: a check is found by its id, and counted by the shift.
    table = models.ForeignKey(
        "pitboss.Table", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    terminal = models.ForeignKey(
        "pitboss.Device", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    dealer = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    at = models.DateTimeField()
    # When it was keyed, if the line was down and it came late.
    keyed_at = models.DateTimeField(null=True)
    wager = models.CharField(max_length=24)
    verdict = models.CharField(max_length=13, choices=choices(Verdict))
    stake_cents = models.PositiveBigIntegerField()
    paid_cents = models.PositiveBigIntegerField()
    # What is owed in cheques; none when it cannot be verified.
    payable_cents = models.PositiveBigIntegerField(null=True)
    # The check whose cards were entered wrong, and which this one stands for.
    corrects = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    # As the terminal sent it, and as it was answered.
    claim = models.JSONField()
    answer = models.JSONField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="check_verdict_known", condition=known("verdict", Verdict)),
            models.CheckConstraint(
                name="check_says_what_it_found",
                condition=Q(verdict="right", payable_cents=models.F("paid_cents"))
                | Q(verdict="overpaid", payable_cents__lt=models.F("paid_cents"))
                | Q(verdict="underpaid", payable_cents__gt=models.F("paid_cents"))
                | Q(verdict="cannot_verify", payable_cents=None),
            ),
            # Of the few that correct another alone: all others are in no index but by time.
            models.UniqueConstraint(
                name="a_check_is_corrected_once",
                fields=["corrects"],
                condition=Q(corrects__isnull=False),
            ),
        ]
        indexes = [BrinIndex(fields=["at"], name="check_by_time", autosummarize=True)]

    def __str__(self) -> str:
        return f"{self.wager} {self.verdict}"
