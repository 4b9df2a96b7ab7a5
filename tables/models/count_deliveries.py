"""What counting machines have sent by themselves, until a member of the session takes it in."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from pitboss.rules.drop.sessions import FILE_MAX


class CountDelivery(models.Model):
    """A counting machine's file as its controller sent it. It counts for no one.

    A member takes it in as a CountFile, which has the same hash.
    """

    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    # Whose columns it has, as they were saved under Machines; empty for our own.
    machine = models.CharField(max_length=40, blank=True)
    name = models.CharField(max_length=120)
    content = models.TextField()
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64, unique=True)
    # The tags of the boxes that it names: whose session it is of is known without its figures.
    boxes = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="delivery_is_some_file", condition=Q(size__gt=0, size__lte=FILE_MAX)
            ),
        ]
        indexes = [models.Index(fields=["at"], name="delivery_by_time")]

    def __str__(self) -> str:
        return self.name
