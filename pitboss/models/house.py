"""What the house has set, value by value, each signed by two people and never changed."""

from __future__ import annotations

from django.db import models


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
