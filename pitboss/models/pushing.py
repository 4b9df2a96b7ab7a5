"""Notifications: where a signed-in person's browser is reached, and what it was told."""

from __future__ import annotations

from django.db import models


class PushAddress(models.Model):
    """Where the browser of one visit is reached, while the visit lasts."""

    visit = models.OneToOneField(
        "pitboss.Visit", on_delete=models.PROTECT, related_name="push_address"
    )
    endpoint = models.TextField()
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=32)
    since = models.DateTimeField()

    class Meta:
        verbose_name_plural = "push addresses"

    def __str__(self) -> str:
        return f"browser of visit {self.visit_id}"


class PushSent(models.Model):
    """Something that waits, of which a browser was told. It is told once."""

    address = models.ForeignKey(PushAddress, on_delete=models.CASCADE, related_name="sent")
    waiting = models.ForeignKey("pitboss.Waiting", on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name_plural = "push sent"
        constraints = [
            models.UniqueConstraint(fields=["address", "waiting"], name="told_once"),
        ]

    def __str__(self) -> str:
        return f"{self.waiting_id} to {self.address_id}"
