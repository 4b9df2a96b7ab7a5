"""The board of hooks."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.rules.floor.keys import INVENTORY_DAYS, KEYS, custodian_refusals
from pitboss.services import house
from pitboss.slips.addresses import new_url
from tables.selectors.keys import DRAW, INVENTORY, Hook, hooks, last_inventory


@require_GET
@page("keys")
def keys(request: PitRequest) -> HttpResponse:
    """Show every hook: what hangs there, and who has what does not."""
    now, grace = house.now(), request.house["keys.grace"]
    found = hooks(now, grace)
    last = last_inventory()
    context = {
        "heading": "Keys",
        "hooks": [
            {"hook": hook, "url": _url(request, hook), "back": hook.key.back} for hook in found
        ],
        "out_count": sum(hook.is_out for hook in found),
        "last": last,
        "next_due": last.raised_at + timedelta(days=INVENTORY_DAYS) if last else None,
        "inventory_url": new_url(INVENTORY) if may_open(request.role, INVENTORY) else "",
    }
    return render(request, "tables/keys.html", context)


def _url(request: PitRequest, hook: Hook) -> str:
    """Return where a key is handed out, or its slip signed on; nowhere for whoever does neither."""
    if hook.slip is not None:
        return reverse("slip", args=[hook.slip.serial])
    if not may_open(request.role, DRAW) or custodian_refusals(KEYS[hook.key.code], request.role):
        return ""
    return new_url(DRAW, key=hook.key.code)
