"""Winnings that the house keeps apart: whose, how much, by which receipt, and how they ended."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from jackpots.models.hits import Jackpot
from pitboss.models.choices import choices, known
from pitboss.rules.patrons.exclusion import Ending


class WithheldWin(models.Model):
    """A win in the place called withheld. It is owed to no one until two people say to whom."""

    jackpot = models.OneToOneField(Jackpot, on_delete=models.PROTECT, related_name="withheld")
    case = models.ForeignKey(
        "inventory.ExclusionCase", on_delete=models.PROTECT, related_name="withheld"
    )
    amount_cents = models.PositiveBigIntegerField()
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.jackpot_id}: {self.amount_cents}"


class WithheldEnd(models.Model):
    """What became of winnings that were withheld."""

    withheld = models.OneToOneField(WithheldWin, on_delete=models.PROTECT, related_name="end")
    ending = models.CharField(max_length=10, choices=choices(Ending))
    to = models.CharField(max_length=120, blank=True)
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="withheld_ending_known", condition=known("ending", Ending)),
            models.CheckConstraint(
                name="only_the_forfeited_goes_to_others",
                condition=(Q(ending=Ending.FORFEITED.value) & ~Q(to=""))
                | (~Q(ending=Ending.FORFEITED.value) & Q(to="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.withheld_id} {self.ending}"
