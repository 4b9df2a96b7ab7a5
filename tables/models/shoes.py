"""Shuffles and shoes, marked as they begin and end, in ink."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.rules.floor.standards import Mark


class ShoeMark(models.Model):
    """One word about the shoe of a table: the shuffle begins, the first card falls, it stops."""

    table = models.ForeignKey(
        "pitboss.Table", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    mark = models.CharField(max_length=7, choices=choices(Mark))
    at = models.DateTimeField()
    decks = models.PositiveSmallIntegerField()
    dealer = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    # How long the shuffle or the shoe took that it ends, where its dealer did the whole of it.
    seconds = models.PositiveIntegerField(null=True)
    # Who tapped it; none where the table's own terminal did.
    by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    device = models.ForeignKey(
        "pitboss.Device", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    # By which a second tap on a tablet is known; a terminal's is kept with its answer.
    request_id = models.UUIDField(null=True, unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="shoe_mark_known", condition=known("mark", Mark)),
            models.CheckConstraint(
                name="only_a_dealer_takes_time",
                condition=Q(seconds=None)
                | (Q(dealer__isnull=False) & Q(mark__in=[Mark.SHUFFLE.value, Mark.DEAL.value])),
            ),
            models.CheckConstraint(
                name="a_tap_has_its_form",
                condition=Q(by=None, request_id=None)
                | Q(by__isnull=False, request_id__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["table", "-id"], name="shoe_mark_by_table"),
            models.Index(
                fields=["dealer", "at"], name="shoe_time_by_dealer", condition=~Q(seconds=None)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mark} at {self.table_id}"
