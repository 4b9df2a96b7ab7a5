"""The blind audit: ratings that were drawn, and what surveillance saw of each on video."""

from __future__ import annotations

from enum import StrEnum, unique

from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known


class RatingDraw(models.Model):
    """A rating to watch on video, drawn by a key that the database does not have. Never changed."""

    rating = models.OneToOneField(
        "tables.PlayRating", on_delete=models.PROTECT, related_name="draw"
    )
    # The first seal after its figures: until that was made, no one could know the draw.
    seal = models.ForeignKey("pitboss.JournalSeal", on_delete=models.PROTECT, related_name="+")
    digest = models.CharField(max_length=64)
    drawn_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"audit {self.pk}"


@unique
class Agreement(StrEnum):
    """How a rating compares with video. The values are stored."""

    AGREES = "agrees"
    DIFFERS = "differs"
    NOT_THERE = "not_there"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ")


class RatingSeen(models.Model):
    """What surveillance saw of a drawn rating, before it was shown the rating. Never changed."""

    draw = models.OneToOneField(RatingDraw, on_delete=models.PROTECT, related_name="seen")
    officer = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    # Nothing of either: the player was not there.
    seconds = models.PositiveIntegerField()
    average_cents = models.PositiveBigIntegerField()
    # What the rating said then.
    rated_seconds = models.PositiveIntegerField()
    rated_average_cents = models.PositiveBigIntegerField()
    differs_bp = models.BigIntegerField(null=True)
    state = models.CharField(max_length=9, choices=choices(Agreement))
    request_id = models.UUIDField(unique=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "ratings seen"
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(name="rating_seen_known", condition=known("state", Agreement)),
            models.CheckConstraint(
                name="who_was_not_there_played_nothing",
                condition=Q(state="not_there", seconds=0, average_cents=0, differs_bp=None)
                | (
                    ~Q(state="not_there")
                    & Q(seconds__gt=0, average_cents__gt=0, differs_bp__isnull=False)
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.draw_id} {self.state}"
