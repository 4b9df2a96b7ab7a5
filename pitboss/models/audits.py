"""Verifications of the journal: asked for on the screen, or by themselves."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class JournalAudit(models.Model):
    """One verification: who asked for it, how far it is, and what it found."""

    class Kind(models.TextChoices):
        ASKED = "asked", "asked for"
        NIGHTLY = "nightly", "whole, each night"
        HOURLY = "hourly", "what is new, each hour"

    kind = models.CharField(max_length=8, choices=Kind, default=Kind.ASKED)
    # No one asks for those that run by themselves.
    asked_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    asked_at = models.DateTimeField()
    began_at = models.DateTimeField(null=True)
    # When it last said how far it was: one that falls silent is begun again.
    heard_at = models.DateTimeField(null=True)
    doing = models.CharField(max_length=60, blank=True)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    ended_at = models.DateTimeField(null=True)
    looked_at = models.CharField(max_length=200, blank=True)
    findings = models.JSONField(default=list)
    findings_total = models.PositiveBigIntegerField(default=0)
    # Up to where all is proven, for the next one to go on from. Keyed: moved by hand, it is void.
    position = models.TextField(blank=True)
    key_name = models.CharField(max_length=40, blank=True)
    mark = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            # One at a time: it reads everything there is.
            models.UniqueConstraint(
                fields=["ended_at"],
                name="one_audit_under_way",
                condition=Q(ended_at=None),
                nulls_distinct=False,
            )
        ]

    def __str__(self) -> str:
        return f"audit {self.pk}"
