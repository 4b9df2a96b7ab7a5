"""Gaming days that are over and signed for, and what went over into the next by name."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class ClosedDay(models.Model):
    """A gaming day that two shift managers closed. After it, only corrections."""

    gaming_day = models.DateField(unique=True)
    # Signed by the person who handed the day over and by the person who took it on.
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField()

    class Meta:
        ordering = ["-gaming_day"]

    def __str__(self) -> str:
        return f"{self.gaming_day}"


class ClosedShift(models.Model):
    """A shift that one shift manager handed over and another took on."""

    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField()

    class Meta:
        ordering = ["-closed_at"]
        constraints = [
            models.UniqueConstraint(fields=["gaming_day", "shift"], name="shift_closed_once")
        ]

    def __str__(self) -> str:
        return f"{self.gaming_day} {self.shift}"


class CarriedOver(models.Model):
    """One thing that was open at a hand-over, and that the next shift manager accepted."""

    closed_day = models.ForeignKey(
        ClosedDay, on_delete=models.PROTECT, null=True, related_name="carried"
    )
    closed_shift = models.ForeignKey(
        ClosedShift, on_delete=models.PROTECT, null=True, related_name="carried"
    )
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, null=True, related_name="+")
    exception = models.ForeignKey(
        "pitboss.FloorException", on_delete=models.PROTECT, null=True, related_name="+"
    )
    sentence = models.CharField(max_length=500)
    accepted_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name_plural = "items carried over"
        constraints = [
            models.CheckConstraint(
                name="carried_over_names_one_thing",
                condition=Q(slip__isnull=False, exception=None)
                | Q(slip=None, exception__isnull=False),
            ),
            models.CheckConstraint(
                name="carried_over_at_one_handover",
                condition=Q(closed_day__isnull=False, closed_shift=None)
                | Q(closed_day=None, closed_shift__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["closed_shift", "slip"], name="slip_carried_over_once_a_shift"
            ),
            models.UniqueConstraint(
                fields=["closed_shift", "exception"], name="exception_carried_over_once_a_shift"
            ),
            models.UniqueConstraint(fields=["closed_day", "slip"], name="slip_carried_over_once"),
            models.UniqueConstraint(
                fields=["closed_day", "exception"], name="exception_carried_over_once"
            ),
        ]

    def __str__(self) -> str:
        return self.sentence
