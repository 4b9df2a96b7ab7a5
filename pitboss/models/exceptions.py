"""Exceptions of the floor: what went wrong and stays open until someone answers for it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from pitboss.models.sealed import Sealed, SealedManager


class FloorException(Sealed):
    """Something that must be explained: a count that differs, a login seen on two tablets."""

    code = models.CharField(max_length=40)
    sentence = models.CharField(max_length=500)
    details = models.JSONField(default=dict)
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, null=True)
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, null=True)
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    resolution = models.CharField(max_length=500, blank=True)

    objects = SealedManager["FloorException"]()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="resolved_is_signed_and_explained",
                condition=Q(resolved_at=None, resolved_by=None, resolution="")
                | (Q(resolved_at__isnull=False, resolved_by__isnull=False) & ~Q(resolution="")),
            ),
        ]
        indexes = [
            models.Index(fields=["opened_at"], name="exception_open", condition=Q(resolved_at=None))
        ]

    def __str__(self) -> str:
        return self.code
