"""What HR says of people who work here: kept in ink, and granting nothing."""

from __future__ import annotations

from django.db import models


class StaffWord(models.Model):
    """What HR said of one employee number. The newest holds; what is on file is another matter."""

    device = models.ForeignKey("pitboss.Device", on_delete=models.PROTECT, related_name="+")
    employee_number = models.CharField(max_length=20)
    is_employed = models.BooleanField()
    # By column, those that HR named.
    fields = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["employee_number", "-id"], name="staff_word_latest")]

    def __str__(self) -> str:
        return f"{self.employee_number} at {self.at}"
