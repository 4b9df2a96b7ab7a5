"""From when on a table was dealt by which set-up."""

from __future__ import annotations

from django.db import models


class RulesVersion(models.Model):
    """One set-up of a table, from an instant on, in ink. What it says stands on its slip.

    Of those that have begun the newest row counts: a change that was decided later replaces one
    that was to begin later. A trigger demands that the slip is signed through and about this table.
    """

    table = models.ForeignKey(
        "pitboss.Table", on_delete=models.PROTECT, related_name="rules_versions", db_index=False
    )
    from_at = models.DateTimeField()
    slip = models.ForeignKey("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    # Which seats keep older limits: {"until": "shoe", "seats": {"2": [least, most]}}.
    kept = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["table", "-id"], name="rules_version_by_table")]

    def __str__(self) -> str:
        return f"{self.table_id} by {self.slip_id} from {self.from_at}"
