"""Webhooks: asked for by one person, switched on by another, given a new secret, switched off."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.conf import settings

from pitboss.ciphers import decrypt, encrypt
from pitboss.models import Device, Person, Webhook, WebhookDelivery
from pitboss.rules.canonical import is_plain
from pitboss.rules.floor.table_events import HouseEvent
from pitboss.rules.people.webhooks import OLD_SECRET_HOLDS, new_refusals, url_refusals
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.services import house, journal
from pitboss.services.pins import demand_settled_pin, signed_act

# Who decides what leaves the house.
KEEPERS = frozenset({Role.ADMINISTRATOR, Role.SHIFT_MANAGER})


def ask_webhook(
    *, name: str, url: str, events: Sequence[str], badge: str, pin: str, device: Device | None
) -> tuple[Webhook, str]:
    """Add a webhook that is off; return it and its secret, which is shown this once.

    Raises Refused.
    """
    with signed_act(act="ask_webhook", badge=badge, pin=pin, device=device) as actor:
        now = house.now()
        _demand_keeper(actor, now)
        name, url = name.strip(), url.strip()
        refusals = [*new_refusals(name, events, HouseEvent), *_url_refusals(name, url)]
        if refusals:
            raise Refused(refusals)
        webhook = Webhook(
            name=name, url=url, events=sorted(set(events)), asked_by=actor, asked_at=now
        )
        webhook.take_id()
        secret = _new_secret(webhook)
        webhook.save()
        _write(webhook, "webhook_asked", actor, device, now)
    return webhook, secret


def _url_refusals(name: str, url: str) -> list[Refusal]:
    if not (is_plain(name) and is_plain(url)):
        return [Refusal("text_malformed", "That text can’t be saved. Enter a shorter one.")]
    if Webhook.objects.filter(name=name).exists():
        return [Refusal("name_taken", f"{name} is already the name of a webhook. Choose another.")]
    return list(url_refusals(url, settings.WEBHOOK_HOSTS))


def switch_on(*, webhook_id: int, badge: str, pin: str, device: Device | None) -> Webhook:
    """Switch a webhook on, signed by someone else than who asked for it. Raises Refused."""
    with signed_act(act="switch_on_webhook", badge=badge, pin=pin, device=device) as actor:
        now = house.now()
        _demand_keeper(actor, now)
        webhook = _locked(webhook_id)
        if webhook.is_on:
            raise refuse("webhook_is_on", f"{webhook} is already on. Reload the page.", CONFLICT)
        if webhook.asked_by_id == actor.pk:
            raise refuse("same_person", "Someone else must switch it on: you requested it.")
        refusals = list(url_refusals(webhook.url, settings.WEBHOOK_HOSTS))
        if refusals:
            raise Refused(refusals)
        webhook.is_on, webhook.died, webhook.failing_since = True, False, None
        webhook.switched_on_by, webhook.switched_at = actor, now
        webhook.save()
        # What had waited when it was switched off is sent now.
        WebhookDelivery.objects.filter(webhook=webhook, taken_at=None).update(next_at=now)
        _write(webhook, "webhook_on", actor, device, now)
    return webhook


def switch_off(*, webhook_id: int, badge: str, pin: str, device: Device | None) -> Webhook:
    """Switch a webhook off. Raises Refused."""
    with signed_act(act="switch_off_webhook", badge=badge, pin=pin, device=device) as actor:
        now = house.now()
        _demand_keeper(actor, now)
        webhook = _locked(webhook_id)
        if not webhook.is_on:
            raise refuse("webhook_is_off", f"{webhook} is already off. Reload the page.", CONFLICT)
        webhook.is_on, webhook.switched_at = False, now
        webhook.save()
        _write(webhook, "webhook_off", actor, device, now)
    return webhook


def renew_secret(*, webhook_id: int, badge: str, pin: str, device: Device | None) -> str:
    """Return a new secret of a webhook, shown this once; the old one signs for a day more.

    Raises Refused.
    """
    with signed_act(act="renew_webhook_secret", badge=badge, pin=pin, device=device) as actor:
        now = house.now()
        _demand_keeper(actor, now)
        webhook = _locked(webhook_id)
        old = decrypt(webhook.secret_cipher, _place(webhook, "secret"))
        webhook.old_secret_cipher = encrypt(old, _place(webhook, "old_secret"))
        webhook.old_secret_until = now + OLD_SECRET_HOLDS
        secret = _new_secret(webhook)
        webhook.save()
        _write(webhook, "webhook_secret", actor, device, now)
    return secret


def send_again(*, delivery_id: int, badge: str, pin: str, device: Device | None) -> WebhookDelivery:
    """Have an event sent again, whether it was taken or not. Raises Refused."""
    with signed_act(act="send_webhook_again", badge=badge, pin=pin, device=device) as actor:
        now = house.now()
        _demand_keeper(actor, now)
        found = WebhookDelivery.objects.filter(pk=delivery_id).first()
        if found is None:
            raise refuse(
                "unknown_delivery",
                "This event is no longer stored and can’t be sent again. Read it "
                "from the record instead.",
                404,
            )
        webhook = _locked(found.webhook_id)
        if not webhook.is_on:
            raise refuse("webhook_is_off", f"{webhook} is off. Switch it on first.", CONFLICT)
        delivery = WebhookDelivery.objects.select_for_update().get(pk=delivery_id)
        delivery.next_at, delivery.taken_at, delivery.tries = now, None, 0
        delivery.save()
        _write(webhook, "webhook_again", actor, device, now, event=delivery.event_id)
    return delivery


def secrets_of(webhook: Webhook, now: datetime) -> list[str]:
    """Return the secrets that sign now: the newest first."""
    found = [decrypt(webhook.secret_cipher, _place(webhook, "secret")).decode()]
    if webhook.old_secret_until is not None and now < webhook.old_secret_until:
        found.append(decrypt(webhook.old_secret_cipher, _place(webhook, "old_secret")).decode())
    return found


def _new_secret(webhook: Webhook) -> str:
    secret = f"whsec_{secrets.token_urlsafe(32)}"
    webhook.secret_cipher = encrypt(secret.encode(), _place(webhook, "secret"))
    return secret


def _place(webhook: Webhook, field: str) -> tuple[str, object, str]:
    return "pitboss.Webhook", webhook.pk, field


def _locked(webhook_id: int) -> Webhook:
    webhook = Webhook.objects.select_for_update().filter(pk=webhook_id).first()
    if webhook is None:
        raise refuse("unknown_webhook", "Webhook not found. Check the list.", 404)
    webhook.require_seal()
    return webhook


def _demand_keeper(actor: Person, now: datetime) -> None:
    demand_settled_pin(actor, now)
    if house.role_in(actor, house.period_at(now)) not in KEEPERS:
        words = "Only an administrator or a shift manager can change webhooks."
        raise refuse("wrong_role", words, NOT_YOURS)


def _write(
    webhook: Webhook,
    kind: str,
    actor: Person,
    device: Device | None,
    now: datetime,
    **more: int,
) -> None:
    journal.write(
        chain=journal.HOUSE,
        kind=kind,
        body={"webhook": webhook.pk, "name": webhook.name, "url": webhook.url, **more},
        at=now,
        person=actor,
        device=device,
    )
