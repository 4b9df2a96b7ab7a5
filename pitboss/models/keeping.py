"""How the keeping of the record itself goes: sealing, and the clock that sends what is due."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class SealingState(models.Model):
    """How sealing goes, in one row: what monitors ask, and how long the seal file was left."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    since = models.DateTimeField()
    tried_at = models.DateTimeField()
    # When a run last ended with every seal in the file and in every second place.
    went_well_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=500, blank=True)
    # How long the file was when a line was last added: it never gets shorter.
    file_bytes = models.PositiveBigIntegerField(default=0)
    # The last seal that each second place was sent; none while nothing was.
    copied_seal = models.PositiveBigIntegerField(null=True)
    logged_seal = models.PositiveBigIntegerField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(name="one_sealing_state", condition=Q(id=1))]

    def __str__(self) -> str:
        return self.trouble or "sealing goes well"


class BeatLease(models.Model):
    """Which beat sends periodic tasks, and until when unless it says so again. One row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    holder = models.CharField(max_length=80)
    until = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(name="one_beat_lease", condition=Q(id=1))]

    def __str__(self) -> str:
        return self.holder


class GuardSheet(models.Model):
    """The guards of the database as the migrations made them, keyed. Never changed."""

    number = models.PositiveIntegerField(unique=True)
    at = models.DateTimeField()
    text = models.TextField()
    key_name = models.CharField(max_length=40)
    link = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"sheet {self.number}"


class DayDigest(models.Model):
    """The rows of one gaming day that are too many for the journal: how many, and their hash.

    The days of a model follow each other without a gap, by the time at which rows were written.
    """

    label = models.CharField(max_length=60)
    gaming_day = models.DateField()
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    rows = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["label", "gaming_day"], name="one_digest_a_day"),
            models.UniqueConstraint(fields=["label", "began_at"], name="digests_do_not_overlap"),
            models.CheckConstraint(
                name="digest_has_a_span", condition=Q(began_at__lt=models.F("ended_at"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} of {self.gaming_day}"
