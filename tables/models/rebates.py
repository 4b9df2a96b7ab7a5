"""Loss rebates: agreed before play, and settled once, each on its slip."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class RebateAgreement(models.Model):
    """A share of a trip's loss that a patron gets back, as agreed before play. Never changed."""

    patron = models.ForeignKey("inventory.Patron", on_delete=models.PROTECT, related_name="rebates")
    rate_bp = models.PositiveSmallIntegerField()
    least_loss_cents = models.PositiveBigIntegerField()
    most_cents = models.PositiveBigIntegerField(null=True)
    least_decisions = models.PositiveIntegerField()
    signed_at = models.DateTimeField()
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="rebate")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="a_rebate_is_a_share", condition=Q(rate_bp__gt=0, rate_bp__lte=5_000)
            ),
        ]
        indexes = [models.Index(fields=["patron", "-id"], name="rebate_by_patron")]

    def __str__(self) -> str:
        return f"rebate {self.slip}"


class RebateSettlement(models.Model):
    """What a patron lost on the trip of an agreement, and gets back. Once."""

    agreement = models.OneToOneField(
        RebateAgreement, on_delete=models.PROTECT, related_name="settlement"
    )
    loss_cents = models.BigIntegerField()
    rebate_cents = models.PositiveBigIntegerField()
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.rebate_cents} on {self.agreement_id}"
