"""What the house has set, value by value, each signed by two people and never changed."""

from __future__ import annotations

from django.db import models

from pitboss.rules.flows.limits import OwnLimit


class SettingValue(models.Model):
    """One value of one setting, from an instant on. What it is stands on its slip, in ink.

    A trigger demands that the slip is signed through and says the same.
    """

    key = models.CharField(max_length=60)
    holds_from = models.DateTimeField()
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.key} from {self.holds_from}"


class PersonLimit(models.Model):
    """How much one person may sign for in one slip of a kind, from an instant on.

    A trigger demands that its slip is signed through by two people and says the same.
    """

    person = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="limits")
    kind = models.CharField(max_length=40)
    # None: what the person's rank may.
    most_cents = models.PositiveBigIntegerField(null=True)
    holds_from = models.DateTimeField()
    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.kind} of {self.person_id} from {self.holds_from}"

    def as_rule(self) -> OwnLimit:
        """Return the limit as the rules see it."""
        return OwnLimit(self.kind, self.most_cents, self.holds_from)
