"""Incidents: what was seen at a table, saved with three taps and written up later."""

from __future__ import annotations

from django.db import models

from pitboss.models.choices import known
from pitboss.rules.floor.incident_reports import INCIDENT_KINDS


class Incident(models.Model):
    """One incident, in ink: kind, table, seat, time, and who saved it. Its report is a slip."""

    kind = models.CharField(max_length=20)
    table = models.ForeignKey("pitboss.Table", on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    at = models.DateTimeField()
    gaming_day = models.DateField()
    shift = models.CharField(max_length=20)
    by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    device = models.ForeignKey(
        "pitboss.Device", on_delete=models.PROTECT, null=True, related_name="+"
    )
    request_id = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="incident_kind_known", condition=known("kind", INCIDENT_KINDS)
            ),
        ]
        indexes = [models.Index(fields=["-at"], name="incident_by_time")]

    def __str__(self) -> str:
        return f"{self.title} at {self.table_id}"

    @property
    def title(self) -> str:
        return INCIDENT_KINDS[self.kind]


class IncidentReport(models.Model):
    """The one report on an incident, as its slip says it. Later text is a supplement."""

    incident = models.OneToOneField(Incident, on_delete=models.PROTECT, related_name="report")
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"report on {self.incident_id}"
