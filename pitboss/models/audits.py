"""Verifications of the journal that somebody asked for on the screen."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class JournalAudit(models.Model):
    """One verification: who asked for it, how far it is, and what it found."""

    asked_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
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
