"""What a dealer says was paid on a check; where that differs, the mismatch and its settlement."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from pitboss.models.choices import choices, known
from pitboss.rules.payouts.mismatches import MismatchDirection, Way, direction_of
from tables.models.checks import PayoutCheck


class PayoutConfirmation(models.Model):
    """What the dealer says has been paid on one check. Once, and in ink.

    As many as checks, so the journal vouches for the mismatch that one makes, not for each.
    """

    check_of = models.OneToOneField(
        PayoutCheck, on_delete=models.PROTECT, related_name="confirmation"
    )
    at = models.DateTimeField()
    # When it was keyed, if the line was down and it came late.
    keyed_at = models.DateTimeField(null=True)
    paid_cents = models.PositiveBigIntegerField()

    def __str__(self) -> str:
        return f"check {self.check_of_id} paid {self.paid_cents}"


class PayoutWord(models.Model):
    """On whose word a payout went out that waited for one; or that it went out without. In ink."""

    confirmation = models.OneToOneField(
        PayoutConfirmation, on_delete=models.PROTECT, related_name="word"
    )
    at = models.DateTimeField()
    # The supervisor's yes, used once; none where there was none.
    approval = models.OneToOneField(
        "tables.FloorEntry", on_delete=models.PROTECT, null=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"{self.confirmation_id} on {self.approval_id or 'no word'}"


class Mismatch(models.Model):
    """A payout that was confirmed otherwise than it was judged; triggers compare both. In ink."""

    confirmation = models.OneToOneField(
        PayoutConfirmation, on_delete=models.PROTECT, related_name="mismatch"
    )
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    dealer = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    at = models.DateTimeField()
    # None where the rules could not say what is owed.
    owed_cents = models.PositiveBigIntegerField(null=True)
    paid_cents = models.PositiveBigIntegerField()
    # The difference in cheques, as far as it is known which ones lie there.
    take_back = models.JSONField()
    add = models.JSONField()

    class Meta:
        verbose_name_plural = "mismatches"
        constraints = [
            models.CheckConstraint(
                name="a_mismatch_differs",
                condition=Q(owed_cents=None) | ~Q(owed_cents=F("paid_cents")),
            ),
        ]
        indexes = [models.Index(fields=["at"], name="mismatch_by_time")]

    def __str__(self) -> str:
        return f"mismatch {self.pk}"

    @property
    def direction(self) -> MismatchDirection:
        """Which way it went wrong."""
        direction = direction_of(self.owed_cents, self.paid_cents)
        assert direction is not None, "the database keeps no mismatch that agrees"
        return direction

    @property
    def difference_cents(self) -> int | None:
        """How much too much was paid; below zero when it was too little."""
        return None if self.owed_cents is None else self.paid_cents - self.owed_cents


class MismatchSettlement(models.Model):
    """How a mismatch ended, and by whose signature. In ink."""

    mismatch = models.OneToOneField(Mismatch, on_delete=models.PROTECT, related_name="settlement")
    way = models.CharField(max_length=10, choices=choices(Way))
    # What the player has in the end.
    stands_cents = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=500, blank=True)
    settled_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    settled_at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="settled_in_a_known_way", condition=known("way", Way)),
            models.CheckConstraint(
                name="an_override_says_why",
                condition=Q(way=Way.CORRECTED.value) | ~Q(reason=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mismatch_id} {self.way}"
