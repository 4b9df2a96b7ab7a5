"""Signs at open tables, changed by a tap."""

from __future__ import annotations

from django.db import models


class SignChange(models.Model):
    """The sign of a table says what was signed for it: tapped once, in ink."""

    slip = models.OneToOneField("pitboss.Slip", on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey(
        "pitboss.Table", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    at = models.DateTimeField()
    by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    device = models.ForeignKey(
        "pitboss.Device", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    # By which a second tap is known.
    request_id = models.UUIDField(unique=True)
    # Who sat at the table then.
    seats = models.JSONField(default=list)

    class Meta:
        indexes = [models.Index(fields=["table", "-id"], name="sign_change_by_table")]

    def __str__(self) -> str:
        return f"sign of {self.table_id} by {self.slip_id}"
