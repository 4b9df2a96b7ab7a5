"""Envy that the house added to the dealers' tokes: a line of the tip pool list each, in ink."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from tables.models.checks import PayoutCheck
from tables.models.rounds import Round


class EnvyLine(models.Model):
    """What the tray paid to the tip pool beside one winning hand, or a line that takes it back.

    Of jackpots and big wins no line is written: their slips say it, and pay it.
    """

    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    terminal = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    dealer = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    at = models.DateTimeField()
    wager = models.CharField(max_length=24)
    row = models.CharField(max_length=40)
    seat = models.PositiveSmallIntegerField(null=True)
    # Below zero on a line that takes another one back.
    amount_cents = models.IntegerField()
    # The check or the round that found it; neither where the dealer tapped it.
    check_of = models.ForeignKey(
        PayoutCheck, on_delete=models.PROTECT, null=True, related_name="envy", db_index=False
    )
    round = models.ForeignKey(
        Round, on_delete=models.PROTECT, null=True, related_name="envy", db_index=False
    )
    reverses = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="reversal"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="envy_is_paid_or_taken_back",
                condition=Q(reverses=None, amount_cents__gt=0)
                | Q(reverses__isnull=False, amount_cents__lt=0),
            ),
            models.CheckConstraint(
                name="envy_of_a_check_or_a_round",
                condition=Q(check_of=None) | Q(round=None),
            ),
            models.UniqueConstraint(
                name="one_envy_a_check", fields=["check_of"], condition=Q(reverses=None)
            ),
        ]
        indexes = [
            models.Index(fields=["gaming_day", "shift", "id"], name="envy_by_shift"),
            models.Index(fields=["table", "at"], name="envy_by_table"),
        ]

    def __str__(self) -> str:
        return f"envy {self.pk}"
