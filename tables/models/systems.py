"""Other systems of the house: what each may do, and what it called."""

from __future__ import annotations

from enum import StrEnum, unique

from django.db import models

from pitboss.models.choices import choices, known


@unique
class Scope(StrEnum):
    """What a casino or hotel system may do by its token. The values are stored."""

    RATINGS_READ = "ratings.read"
    COMPS_READ = "comps.read"
    COMPS_REDEEM = "comps.redeem"
    PATRONS_WRITE = "patrons.write"
    LEDGER_READ = "ledger.read"
    STAFF_READ = "staff.read"
    BOOKMARKS_READ = "bookmarks.read"
    COUNTS_WRITE = "counts.write"
    STAFF_WRITE = "staff.write"
    GROUP_READ = "group.read"
    LISTS_READ = "lists.read"


class SystemScope(models.Model):
    """A device of the office may do something for another system, or may no longer. Newest holds.

    No scope reads cash, credit or notes of a patron; none opens, ends or corrects a rating.
    """

    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    scope = models.CharField(max_length=16, choices=choices(Scope))
    granted = models.BooleanField()
    since = models.DateTimeField()
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(name="system_scope_known", condition=known("scope", Scope)),
        ]
        indexes = [models.Index(fields=["device", "scope", "-id"], name="scope_latest")]

    def __str__(self) -> str:
        return f"{self.scope} of {self.device_id}"


class SystemCall(models.Model):
    """One call of another system, for the page of systems. It is swept after a week.

    It has the number of the request and nothing that was sent: an address may name a patron.
    """

    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    scope = models.CharField(max_length=16, choices=choices(Scope))
    method = models.CharField(max_length=8)
    status = models.PositiveSmallIntegerField()
    # Why it was refused, the first code of it; empty where it was not.
    code = models.CharField(max_length=40, blank=True)
    number = models.CharField(max_length=32)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="system_call_scope_known", condition=known("scope", Scope)),
        ]
        indexes = [
            models.Index(fields=["device", "-id"], name="system_call_latest"),
            models.Index(fields=["at"], name="system_call_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.scope} of {self.device_id}: {self.status}"
