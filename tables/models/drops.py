"""What goes with a drop box besides its slips: a dealer who makes it wait, a guess at its cash."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q


class DropWait(models.Model):
    """A dealer makes the drop team wait for the end of the hand, from asking to lifting."""

    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="drop_waits")
    asked_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    lifted_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(lifted_at=None), name="one_drop_wait_a_table"
            ),
            models.CheckConstraint(
                name="drop_wait_is_lifted_by_somebody",
                condition=Q(lifted_at=None, lifted_by=None)
                | Q(lifted_at__gte=F("asked_at"), lifted_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} waits since {self.asked_at}"


class DropEstimate(models.Model):
    """What a supervisor thinks is in a box before it is counted. Kept; the newest counts."""

    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    cash_cents = models.PositiveBigIntegerField()
    keyed_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    keyed_at = models.DateTimeField()
    request_id = models.UUIDField(unique=True)

    class Meta:
        indexes = [models.Index(fields=["table", "gaming_day"], name="estimate_by_table_and_day")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.gaming_day} {self.shift}: {self.cash_cents}"


class PulledBox(models.Model):
    """A box that left its table, and whether no one has begun to count it.

    A trigger on slips keeps it, so that what waits is found without looking through all boxes that
    were ever counted.
    """

    pull = models.OneToOneField(
        "pitboss.Slip", on_delete=models.PROTECT, primary_key=True, related_name="pulled_box"
    )
    waits = models.BooleanField()

    class Meta:
        verbose_name_plural = "pulled boxes"
        indexes = [
            models.Index(fields=["pull"], name="box_that_waits", condition=Q(waits=True)),
        ]

    def __str__(self) -> str:
        return f"{self.pull_id} {'waits' if self.waits else 'is counted'}"
