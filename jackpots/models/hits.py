"""Jackpots: what was entered, on which frozen meter, every figure it ever had, and its payment."""

from __future__ import annotations

from enum import StrEnum, unique

from django.db import models
from django.db.models import F, Q

from jackpots.models.meters import Meter
from pitboss.models.choices import choices, known
from pitboss.rules.day.win import PayoutSource


class MeterFreeze(models.Model):
    """A meter stopped by the first hit of a round. Every hit of that round is paid on it."""

    meter = models.ForeignKey(Meter, on_delete=models.PROTECT, related_name="freezes")
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    # The table's own name for the round, where its terminal keeps rounds.
    round_key = models.CharField(max_length=80, blank=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.meter_id} frozen by {self.slip_id}"


class FrozenAmount(models.Model):
    """What a frozen meter held: as it was stopped, and anew when an earlier hit was rejected."""

    freeze = models.ForeignKey(MeterFreeze, on_delete=models.PROTECT, related_name="amounts")
    number = models.PositiveSmallIntegerField()
    amount_microcents = models.BigIntegerField()
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["freeze", "number"], name="frozen_amount_number_once"),
            models.CheckConstraint(
                name="frozen_amount_is_not_below_nothing", condition=Q(amount_microcents__gte=0)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.freeze_id}: {self.amount_microcents}"


class Jackpot(models.Model):
    """A hit as it was entered. Its slip says how far it is; its newest figure what it is owed."""

    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="jackpot")
    # None for an award that hangs on no meter.
    freeze = models.ForeignKey(
        MeterFreeze, on_delete=models.PROTECT, null=True, related_name="jackpots"
    )
    wager = models.CharField(max_length=24)
    # {"id": …} of a printed pay table, or {"rows": {…}} of the house's own.
    paytable = models.JSONField()
    seat = models.PositiveSmallIntegerField()
    stake_cents = models.PositiveIntegerField()
    player_cards = models.JSONField()
    dealer_cards = models.JSONField()
    category = models.CharField(max_length=40)
    level = models.CharField(max_length=12, blank=True)
    percent = models.PositiveSmallIntegerField()
    # What the dealers' tip pool gets beside it.
    envy_cents = models.PositiveIntegerField()
    # Of a big win: what was raised, what goes back beside the award, its round and its check.
    raise_cents = models.PositiveBigIntegerField(default=0)
    returned_cents = models.PositiveBigIntegerField(default=0)
    round_key = models.CharField(max_length=80, blank=True, default="")
    check_of = models.OneToOneField(
        "tables.PayoutCheck", on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="jackpot_of_a_meter_has_a_freeze",
                condition=Q(freeze__isnull=True, percent=0)
                | Q(freeze__isnull=False, percent__gt=0),
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}, {self.category}"

    @property
    def wager_cents(self) -> int:
        """What was risked: ante and raise are one wager."""
        return self.stake_cents + self.raise_cents


@unique
class Because(StrEnum):
    """Why a jackpot was given a figure."""

    ENTERED = "entered"
    ANOTHER_HIT = "another_hit"
    HIT_REJECTED = "hit_rejected"
    EARLIER_REJECTED = "earlier_rejected"

    @property
    def words(self) -> str:
        return _WORDS[self]


_WORDS = {
    Because.ENTERED: "as it was entered",
    Because.ANOTHER_HIT: "another hit of the same round was entered",
    Because.HIT_REJECTED: "another hit of the same round was rejected",
    Because.EARLIER_REJECTED: "an earlier hit on the meter was rejected",
}


class JackpotFigure(models.Model):
    """What a jackpot is owed. A later figure takes the place of an earlier one; both are kept."""

    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="figures")
    number = models.PositiveSmallIntegerField()
    award_cents = models.PositiveBigIntegerField()
    # The frozen meter that it was reckoned on; none where no meter counts.
    frozen_cents = models.PositiveBigIntegerField(null=True)
    because = models.CharField(max_length=16, choices=choices(Because))
    working = models.TextField()
    # The slip that gave it this figure: its own, or another hit's.
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["jackpot", "number"], name="jackpot_figure_once"),
            models.CheckConstraint(
                name="jackpot_figure_reason_known", condition=known("because", Because)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.jackpot_id} no. {self.number}: {self.award_cents}"


class JackpotPayment(models.Model):
    """What was paid on a jackpot, once, and what it was paid from."""

    jackpot = models.OneToOneField(Jackpot, on_delete=models.PROTECT, related_name="payment")
    source = models.CharField(max_length=12, choices=choices(PayoutSource))
    award_cents = models.PositiveBigIntegerField()
    withheld_cents = models.PositiveBigIntegerField(default=0)
    # What no cheque pays, down or up as the house has it.
    breakage_cents = models.IntegerField(default=0)
    paid_cents = models.PositiveBigIntegerField()
    gaming_day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="jackpot_payment_source_known", condition=known("source", PayoutSource)
            ),
            models.CheckConstraint(
                name="jackpot_pays_what_it_is_owed",
                condition=Q(
                    award_cents=F("paid_cents") + F("withheld_cents") + F("breakage_cents")
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.jackpot_id}: {self.paid_cents}"
