"""Webhooks: other systems that are told of events, what they were told, and how they answered."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Webhook, WebhookDelivery
from pitboss.rules.floor.table_events import HouseEvent
from pitboss.rules.people.webhooks import NAME_MAX, URL_MAX
from pitboss.rules.refusal import Refused
from pitboss.services.pads import Attests, attested_by
from pitboss.services.webhooks import (
    KEEPERS,
    ask_webhook,
    renew_secret,
    send_again,
    switch_off,
    switch_on,
)
from pitboss.views.forms import pen_of, text
from pitboss.views.pads import pad_of, tried

SHOWN = 100


@require_http_methods(["GET", "POST"])
@page("webhooks")
def webhooks(request: PitRequest) -> HttpResponse:
    """List the webhooks, and let someone ask for a new one."""
    made: list[tuple[Webhook, str]] = []

    def act() -> None:
        pen = pen_of(request)
        made.append(
            ask_webhook(
                name=text(request.POST, "name"),
                url=text(request.POST, "url"),
                events=request.POST.getlist("events"),
                badge=pen.badge,
                pin=pen.pin,
                device=pen.device,
            )
        )

    refused = tried(request, act)
    if made:
        return _secret(request, *made[0])
    chosen = request.POST.getlist("events")
    pad = pad_of(
        request,
        url=reverse("webhooks"),
        attested=attested_by("webhook_asked"),
        button="Request webhook",
        refused=refused,
        passkey="prove",
        inputs=(
            {"name": "name", "label": "Name", "type": "text", "most": str(NAME_MAX)},
            {"name": "url", "label": "Address", "type": "url", "most": str(URL_MAX)},
        ),
        boxes={
            "name": "events",
            "label": "Events",
            "choices": [
                {
                    "value": house_event.value,
                    "label": _words(house_event.value),
                    "is_on": house_event.value in chosen,
                }
                for house_event in HouseEvent
            ],
        },
    )
    context: dict[str, Any] = {
        "heading": "Webhooks",
        "back": {"url": reverse("house"), "label": "House"},
        "webhooks": [
            {"row": row, "events": [_words(event) for event in row.events]}
            for row in Webhook.objects.select_related("asked_by", "switched_on_by")
        ],
        "pad": pad if request.role in KEEPERS else None,
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "pitboss/webhooks.html", context, status=status)


@require_GET
@page("webhooks")
def webhook(request: PitRequest, webhook_id: int) -> HttpResponse:
    """Show what a webhook was sent of late, and what it answered."""
    found = get_object_or_404(
        Webhook.objects.select_related("asked_by", "switched_on_by"), pk=webhook_id
    )
    deliveries = found.deliveries.order_by("-event_id")[:SHOWN]
    context = {
        "heading": found.name,
        "back": {"url": reverse("webhooks"), "label": "Webhooks"},
        "webhook": found,
        "events": [_words(event) for event in found.events],
        "waiting": found.deliveries.filter(taken_at=None).count(),
        "deliveries": [
            {"row": row, "event": _words(row.name), "about": _about(row)} for row in deliveries
        ],
        "may_change": request.role in KEEPERS,
    }
    return render(request, "pitboss/webhook.html", context)


@require_http_methods(["GET", "POST"])
@page("webhook_change")
def webhook_switch(request: PitRequest, webhook_id: int) -> HttpResponse:
    """Switch a webhook on, as the second person, or off."""
    found = get_object_or_404(Webhook.objects.select_related("asked_by"), pk=webhook_id)
    switch = switch_off if found.is_on else switch_on

    def act() -> None:
        pen = pen_of(request)
        switch(webhook_id=webhook_id, badge=pen.badge, pin=pen.pin, device=pen.device)

    refused = tried(request, act)
    if request.method == "POST" and refused is None:
        words = "is switched off" if found.is_on else "is switched on"
        messages.success(request, f"{found} {words}.")
        return redirect("webhook", webhook_id)
    if found.is_on:
        attested = attested_by("webhook_off", webhook=found, url=found.url)
        return _signed(request, found, refused, f"Switch {found} off", attested, "Switch off")
    attested = attested_by("webhook_on", webhook=found, url=found.url, person=found.asked_by)
    return _signed(request, found, refused, f"Switch {found} on", attested, "Switch on")


@require_http_methods(["GET", "POST"])
@page("webhook_change")
def webhook_secret(request: PitRequest, webhook_id: int) -> HttpResponse:
    """Give a webhook a new secret, and show it once."""
    found = get_object_or_404(Webhook, pk=webhook_id)
    made: list[str] = []

    def act() -> None:
        pen = pen_of(request)
        made.append(
            renew_secret(webhook_id=webhook_id, badge=pen.badge, pin=pen.pin, device=pen.device)
        )

    refused = tried(request, act)
    if made:
        return _secret(request, found, made[0])
    attested = attested_by("webhook_secret", webhook=found)
    return _signed(request, found, refused, f"New secret for {found}", attested, "Show new secret")


@require_http_methods(["GET", "POST"])
@page("webhook_change")
def webhook_again(request: PitRequest, delivery_id: int) -> HttpResponse:
    """Have one event sent again."""
    row = get_object_or_404(WebhookDelivery.objects.select_related("webhook"), pk=delivery_id)

    def act() -> None:
        pen = pen_of(request)
        send_again(delivery_id=delivery_id, badge=pen.badge, pin=pen.pin, device=pen.device)

    refused = tried(request, act)
    if request.method == "POST" and refused is None:
        messages.success(request, "The event is sent again within seconds.")
        return redirect("webhook", row.webhook_id)
    attested = attested_by("webhook_again", event=_words(row.name), webhook=row.webhook)
    return _signed(request, row.webhook, refused, "Send event again", attested, "Send again")


def _about(row: WebhookDelivery) -> str:
    """Return what an event is about, as far as a person finds it by that."""
    body = json.loads(row.body)
    return ", ".join(str(body[name]) for name in ("table", "serial") if body.get(name))


def _words(event: str) -> str:
    return event.replace("_", " ").capitalize()


def _secret(request: PitRequest, found: Webhook, secret: str) -> HttpResponse:
    context = {
        "heading": f"Secret of {found}",
        "code": secret,
        "sentence": "Copy this secret into the other system. It proves that an event comes from "
        "here. If it gets lost, request a new one.",
        "back": {"url": reverse("webhook", args=[found.pk]), "label": found.name},
    }
    return render(request, "pitboss/code.html", context)


def _signed(
    request: PitRequest,
    found: Webhook,
    refused: Refused | None,
    heading: str,
    attested: Attests,
    button: str,
) -> HttpResponse:
    context = {
        "heading": heading,
        "back": {"url": reverse("webhook", args=[found.pk]), "label": found.name},
        "pad": pad_of(
            request,
            url=request.path,
            attested=attested,
            button=button,
            refused=refused,
            passkey="prove",
        ),
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "pitboss/signed_act.html", context, status=status)
