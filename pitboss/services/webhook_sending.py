"""Send events to other systems: from the outbox to each webhook that is on, until it is taken.

An act leaves its event in the outbox in its own transaction, whether any webhook is on or not. It
is handed to webhooks afterwards, by whoever reads it committed: a webhook that was on when the act
was committed is on then, or was switched off since. So none that was on loses an event.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from pitboss import outgoing
from pitboss.models import JournalEntry, OutboxEvent, Webhook, WebhookDelivery
from pitboss.models.sealed import RecordAltered
from pitboss.rules.floor.table_events import house_event_of
from pitboss.rules.people.webhooks import is_dead, next_try, signature_header
from pitboss.services import house, journal
from pitboss.services.webhooks import secrets_of

HANDED_AT_ONCE: Final = 200
SENT_AT_ONCE: Final = 50
KEPT: Final = timedelta(days=30)


def send_due(*, now: datetime) -> None:
    """Hand out what is in the outbox, and send what is due."""
    hand_out(now=now)
    for webhook in Webhook.objects.filter(is_on=True):
        try:
            webhook.require_seal()
        except RecordAltered:
            continue
        for _ in range(SENT_AT_ONCE):
            if not _send_next(webhook.pk):
                break


def hand_out(*, now: datetime) -> int:
    """Make a delivery of each event for each webhook that is on; return how many events."""
    handed = 0
    while batch := _hand_out_some(now):
        handed += batch
    return handed


@transaction.atomic
def _hand_out_some(now: datetime) -> int:
    waiting = OutboxEvent.objects.filter(handed_at=None).order_by("pk")
    events = list(
        waiting.select_for_update(skip_locked=True, of=("self",)).select_related(
            "entry__slip", "entry__chain__table"
        )[:HANDED_AT_ONCE]
    )
    # Read after the events: what was switched on before one of them was committed is seen.
    webhooks = list(Webhook.objects.filter(is_on=True))
    deliveries = [
        WebhookDelivery(
            webhook=webhook, event=event, name=body["event"], body=json.dumps(body), next_at=now
        )
        for event in events
        if (body := body_of(event.entry)) is not None
        for webhook in webhooks
        if body["event"] in webhook.events
    ]
    WebhookDelivery.objects.bulk_create(deliveries, ignore_conflicts=True)
    OutboxEvent.objects.filter(pk__in=[event.pk for event in events]).update(handed_at=now)
    return len(events)


def body_of(entry: JournalEntry) -> dict[str, Any] | None:
    """Return what other systems are told of an entry; none where nothing."""
    found = house_event_of(entry.kind, json.loads(entry.text)["body"])
    if found is None:
        return None
    name, facts = found
    table = entry.chain.table
    named = entry.slip.details.get("is", {}).get("name") if entry.slip and not table else None
    return {
        "id": entry.pk,
        "event": name.value,
        "at": entry.at.isoformat(),
        "table": table.name if table else named,
        **facts,
    }


@transaction.atomic
def _send_next(webhook_id: int) -> bool:
    """Send the oldest event that is due; tell whether to go on with this webhook now."""
    now = house.now()
    due = WebhookDelivery.objects.filter(webhook_id=webhook_id, next_at__lte=now)
    delivery = (
        due.order_by("event_id")
        .select_for_update(skip_locked=True, of=("self",))
        .select_related("webhook")
        .first()
    )
    if delivery is None or not delivery.webhook.is_on:
        return False
    webhook = delivery.webhook
    webhook.require_seal()
    sent = _sent(webhook, delivery, now)
    delivery.tries += 1
    delivery.tried_at, delivery.said = now, sent
    is_taken = sent.startswith("2")
    delivery.taken_at = now if is_taken else None
    delivery.next_at = None if is_taken else next_try(delivery.tries, now)
    delivery.save()
    _note(webhook, now, is_taken=is_taken)
    return is_taken


def _sent(webhook: Webhook, delivery: WebhookDelivery, now: datetime) -> str:
    """Send an event; return the status of the answer, or why there is none."""
    body = delivery.body.encode()
    signed_at = int(now.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Pitboss",
        "Pitboss-Event": delivery.name,
        "Pitboss-Delivery": str(delivery.pk),
        "Pitboss-Signature": signature_header(secrets_of(webhook, now), signed_at, body),
    }
    try:
        return str(outgoing.post(webhook.url, body, headers, listed=settings.WEBHOOK_HOSTS))
    except outgoing.NotSent as why:
        return str(why)[:120]


def _note(webhook: Webhook, now: datetime, *, is_taken: bool) -> None:
    """Note whether a webhook answers; switch off one that has not for a day."""
    if is_taken and webhook.failing_since is None:
        return
    if is_taken or webhook.failing_since is None:
        webhook.failing_since = None if is_taken else now
        webhook.save(update_fields=["failing_since"])
        return
    if not is_dead(webhook.failing_since, now):
        return
    webhook.is_on, webhook.died, webhook.switched_at = False, True, now
    webhook.save()
    journal.write(
        chain=journal.HOUSE,
        kind="webhook_died",
        body={"webhook": webhook.pk, "name": webhook.name, "url": webhook.url},
        at=now,
    )


def sweep(*, now: datetime) -> None:
    """Forget events of a month ago: the journal has them."""
    old = OutboxEvent.objects.filter(entry__at__lt=now - KEPT).exclude(handed_at=None)
    WebhookDelivery.objects.filter(event__in=old).delete()
    old.filter(~Q(deliveries__isnull=False)).delete()
