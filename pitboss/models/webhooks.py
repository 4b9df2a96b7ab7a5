"""Webhooks: where events of the house are sent, what is to be sent, and what came of it."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from pitboss.models.sealed import Sealed, SealedManager


class Webhook(Sealed):
    """Another system that is told of events. One person asks for it, another switches it on."""

    # Whether it answers decides nothing by itself.
    PENCIL = frozenset({"failing_since"})

    name = models.CharField(max_length=40, unique=True)
    url = models.CharField(max_length=300)
    events = ArrayField(models.CharField(max_length=30))
    secret_cipher = models.TextField()
    # The secret before, which signs as well until the other system has changed over.
    old_secret_cipher = models.TextField(blank=True)
    old_secret_until = models.DateTimeField(null=True, blank=True)
    asked_by = models.ForeignKey("pitboss.Person", on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    switched_on_by = models.ForeignKey(
        "pitboss.Person", on_delete=models.PROTECT, null=True, related_name="+"
    )
    is_on = models.BooleanField(default=False)
    switched_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    # Whether it was switched off because nothing had answered for a day.
    died = models.BooleanField(default=False)

    objects = SealedManager["Webhook"]()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                name="a_webhook_is_switched_on_by_a_second_person",
                condition=Q(is_on=False)
                | (Q(switched_on_by__isnull=False) & ~Q(switched_on_by=F("asked_by"))),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class OutboxEvent(models.Model):
    """An entry of the journal that may be told, written by a trigger in the act's transaction."""

    entry = models.OneToOneField(
        "pitboss.JournalEntry", on_delete=models.PROTECT, related_name="outbox_event"
    )
    # When it was handed to every webhook that was on.
    handed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["id"], name="outbox_to_hand", condition=Q(handed_at=None)),
        ]

    def __str__(self) -> str:
        return f"event {self.entry_id}"


class WebhookDelivery(models.Model):
    """An event for one webhook: sent until the other system has taken it."""

    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="deliveries")
    event = models.ForeignKey(OutboxEvent, on_delete=models.CASCADE, related_name="deliveries")
    name = models.CharField(max_length=30)
    body = models.TextField()
    tries = models.PositiveIntegerField(default=0)
    # When it is sent next; none once it was taken.
    next_at = models.DateTimeField(null=True, blank=True)
    tried_at = models.DateTimeField(null=True, blank=True)
    taken_at = models.DateTimeField(null=True, blank=True)
    said = models.CharField(max_length=120, blank=True)

    class Meta:
        verbose_name_plural = "webhook deliveries"
        constraints = [
            models.UniqueConstraint(fields=["webhook", "event"], name="one_delivery_a_webhook"),
        ]
        indexes = [
            models.Index(
                fields=["webhook", "next_at"],
                name="delivery_due",
                condition=Q(next_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} to {self.webhook_id}"
