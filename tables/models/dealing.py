"""Who deals where, and since when."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q


class Dealing(models.Model):
    """One dealer at one table, from tapping in to tapping out."""

    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="dealings")
    dealer = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="dealings")
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ended_at=None), name="one_dealer_a_table"
            ),
            models.UniqueConstraint(
                fields=["dealer"], condition=Q(ended_at=None), name="one_table_a_dealer"
            ),
            models.CheckConstraint(
                name="dealing_ends_after_it_began",
                condition=Q(ended_at=None) | Q(ended_at__gte=F("began_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dealer_id} at {self.table_id}"
