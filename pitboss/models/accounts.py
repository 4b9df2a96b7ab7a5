"""What happened to people's accounts: since when they are known, suspended, on leave, restored."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from pitboss.models.choices import choices, known
from pitboss.rules.people.dormant import AccountStep, Why


class AccountEvent(models.Model):
    """One step of an account, in ink. The last one says how it stands.

    A trigger demands two signatures for the person who comes back, and for days of leave.
    """

    person = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, related_name="account_events", db_index=False
    )
    step = models.CharField(max_length=10, choices=choices(AccountStep))
    why = models.CharField(max_length=12, blank=True, choices=choices(Why))
    # The days of a leave.
    first = models.DateField(null=True, blank=True)
    last = models.DateField(null=True, blank=True)
    slip = models.ForeignKey(
        "pitboss.Slip", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="account_step_known", condition=known("step", AccountStep)),
            models.CheckConstraint(
                name="account_stops_for_a_reason",
                condition=~Q(step__in=["suspended", "removed"]) | known("why", Why),
            ),
            models.CheckConstraint(
                name="account_leave_has_its_days",
                condition=Q(first=None, last=None) & ~Q(step="leave")
                | Q(step="leave", slip__isnull=False, last__gte=F("first")),
            ),
            models.CheckConstraint(
                name="account_is_restored_by_a_slip_or_after_leave",
                condition=~Q(step="restored") | Q(slip__isnull=False) | Q(why="on_leave"),
            ),
            models.UniqueConstraint(
                fields=["person"], condition=Q(step="known"), name="account_known_once"
            ),
        ]
        indexes = [models.Index(fields=["person", "-id"], name="account_latest")]

    def __str__(self) -> str:
        return f"{self.person_id} {self.step}"
