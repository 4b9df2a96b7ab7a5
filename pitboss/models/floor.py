"""The floor: one property, its pits and tables, and the devices that are bound to places."""

from __future__ import annotations

from datetime import time
from typing import Any
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import Q

from pitboss.models.choices import choices, known
from pitboss.rules.gaming_day import Clock, Shift
from pitboss.rules.roles import Place


def default_shifts() -> list[dict[str, str]]:
    return [
        {"name": "Day", "starts": "06:00"},
        {"name": "Swing", "starts": "14:00"},
        {"name": "Grave", "starts": "22:00"},
    ]


class Property(models.Model):
    """The house itself. One installation runs one property."""

    name = models.CharField(max_length=80)
    time_zone = models.CharField(max_length=64, default="America/New_York")
    shifts = models.JSONField(default=default_shifts)
    # What follows when a tray differs from its last count: see pitboss.rules.tolerances.
    tolerance_preset = models.CharField(max_length=8, default="NJ")
    # For so many days a paper slip of an outage may be keyed; longer ago, nobody remembers it.
    late_entry_days = models.PositiveSmallIntegerField(default=7)
    # A box leaves an open table on a count that is no older than this.
    pull_within_minutes = models.PositiveSmallIntegerField(default=15)

    class Meta:
        verbose_name_plural = "properties"
        constraints = [
            models.CheckConstraint(name="there_is_one_property", condition=Q(id=1)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def clock(self) -> Clock:
        return Clock(
            ZoneInfo(self.time_zone),
            tuple(Shift(s["name"], time.fromisoformat(s["starts"])) for s in self.shifts),
        )


class Pit(models.Model):
    """A group of tables under one pit manager."""

    name = models.CharField(max_length=40, unique=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Table(models.Model):
    """A table and its tray. Its row is the lock under which its cheques move."""

    name = models.CharField(max_length=12, unique=True)
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, related_name="tables")
    game = models.CharField(max_length=40)
    decks = models.PositiveSmallIntegerField(default=6)
    minimum_cents = models.PositiveBigIntegerField()
    maximum_cents = models.PositiveBigIntegerField()
    # Cheques by denomination, in cents, that the tray should hold: {"2500": 100, …}.
    par = models.JSONField(default=dict)
    is_open = models.BooleanField(default=False)
    # Advanced by every transfer into or out of the tray. A count names the number that it saw.
    tray_sequence = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                name="table_limits_in_order",
                condition=Q(minimum_cents__gt=0, maximum_cents__gte=models.F("minimum_cents")),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def par_cheques(self) -> dict[int, int]:
        return {int(cents): count for cents, count in self.par.items()}


class Device(models.Model):
    """A tablet or desk screen, bound to a place. Its token is known to it alone."""

    name = models.CharField(max_length=40, unique=True)
    place = models.CharField(max_length=16, choices=choices(Place))
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, null=True, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    enrolled_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    enrolled_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(name="device_place_known", condition=known("place", Place)),
            models.CheckConstraint(
                name="device_only_of_the_pit_has_a_pit", condition=Q(pit=None) | Q(place="pit")
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def where(self) -> dict[str, Any]:
        """Return where the device is, as the journal records it."""
        return {"device": self.name, "place": self.place, "pit": self.pit_id}


class DeviceEnrolment(models.Model):
    """A one-time code with which a manager lets a device in."""

    code_hash = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=40)
    place = models.CharField(max_length=16, choices=choices(Place))
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, null=True, blank=True)
    offered_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    offered_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class WorkerHeartbeat(models.Model):
    """When each background worker was last seen alive."""

    name = models.CharField(max_length=40, primary_key=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
