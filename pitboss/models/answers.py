"""Answers kept for a while, so that a request sent twice is carried out once."""

from __future__ import annotations

from django.db import models


class RequestMark(models.Model):
    """A form that was sent, by the id that it carried: done, or given up. Swept after a week.

    It is written in the transaction of the act, so it is there if the act is. Anyone who asks what
    became of a form that was not done gives it up: from then on it cannot be done any more.
    """

    request_id = models.UUIDField(primary_key=True)
    device = models.ForeignKey(
        "pitboss.Device",
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        db_index=False,
    )
    is_given_up = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["at"], name="request_mark_by_age")]

    def __str__(self) -> str:
        return str(self.request_id)


class StoredAnswer(models.Model):
    """What a device was answered under an idempotency key. Swept away after a week.

    It is written in the transaction of the act that it answers for: both are there, or neither.
    """

    device = models.ForeignKey(
        "pitboss.Device", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    key = models.CharField(max_length=64)
    # Of the method, the address and the body, so that a key used for something else is noticed.
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    # The answer as it was sent, byte for byte.
    answer = models.TextField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["device", "key"], name="one_answer_a_key"),
        ]
        indexes = [models.Index(fields=["at"], name="answer_by_age")]

    def __str__(self) -> str:
        return f"{self.device_id} {self.key}"
