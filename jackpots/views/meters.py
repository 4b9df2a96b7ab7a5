"""Meters on the screen: what each shows, its papers, and the display that patrons read."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from jackpots.models import Meter
from jackpots.selectors.meters import (
    RollForward,
    figures_version,
    history_of,
    meter_now,
    meters_now,
    roll_forward,
)
from jackpots.services.meter_reading import read_meter
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.live import poll_url, polled, whole_floor
from pitboss.middleware import PitRequest
from pitboss.rules.refusal import Refused
from pitboss.rules.settings.kinds import Amount
from pitboss.services.pads import attested_by
from pitboss.slips.addresses import new_url
from pitboss.views.forms import day_of, pen_of, text
from pitboss.views.pads import pad_of

_READ = Amount(0, 100_000_000_000)
# A roll-forward over more days than this is asked for in parts.
DAYS_MAX = 370


@require_GET
@page("meters")
def meters(request: PitRequest) -> HttpResponse:
    """Show every meter and what it shows now."""
    return render(request, "jackpots/meters.html", _meters(request))


@require_GET
@polled(whole_floor)
@page("meters")
def meters_poll(request: PitRequest) -> HttpResponse:
    """Send the meters again when something moved."""
    return render(request, "jackpots/_meters_poll.html", _meters(request))


def _meters(request: PitRequest) -> dict[str, Any]:
    poll = poll_url(reverse("meters-poll"), whole_floor({}))
    return {
        "meters": meters_now(),
        "may_start": may_open(request.role, "meter_change"),
        "poll_url": poll,
    }


@require_GET
@page("meters")
def meter(request: PitRequest, meter_id: int) -> HttpResponse:
    """Show one meter: its terms, its changes and its readings."""
    found = _meter(meter_id)
    return render(
        request,
        "jackpots/meter.html",
        {
            "heading": found.name,
            "back": {"url": reverse("meters"), "label": "Meters"},
            "now_shown": meter_now(found),
            "words": found.terms().words(),
            "history": history_of(found),
            "readings": found.readings.select_related("read_by").order_by("-id")[:14],
            "acts": _acts(request, found),
        },
    )


def _acts(request: PitRequest, found: Meter) -> list[dict[str, Any]]:
    adjust = "Post" if found.is_posted else "Adjust"
    adjust_url = new_url("meter_adjustment", meter=found.pk)
    terms_url = new_url("meter_change", meter=found.pk)
    acts = [
        ("Read", "eye", reverse("meter-read", args=[found.pk]), "meter_read", "and compare"),
        (adjust, "count", adjust_url, "meter_adjustment", "two people"),
        ("Terms", "house", terms_url, "meter_change", "two people"),
    ]
    return [
        {
            "label": label,
            "icon": icon,
            "url": url,
            "words": words,
            "refusal": "" if may_open(request.role, page_name) else "Not for your role.",
        }
        for label, icon, url, page_name, words in acts
    ]


def _meter(meter_id: int) -> Meter:
    return get_object_or_404(Meter.objects.prefetch_related("links__table"), pk=meter_id)


@require_http_methods(["GET", "POST"])
@page("meter_read")
def meter_read(request: PitRequest, meter_id: int) -> HttpResponse:
    """Take a reading. What the meter should show is not told before it is signed."""
    found = _meter(meter_id)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            pen = pen_of(request)
            cents = _READ.read(text(request.POST, "shows"))
            assert cents is not None
            reading = read_meter(
                meter_id=found.pk,
                read_cents=cents,
                badge=pen.badge,
                pin=pen.pin,
                request_id=pen.request_id,
                device=pen.device,
            )
        except Refused as error:
            refused = error
        else:
            if reading.difference_cents:
                messages.warning(
                    request,
                    "The reading doesn’t match. Accounting and the shift manager were notified.",
                )
            else:
                messages.success(request, "The reading matches.")
            return redirect("meter", meter_id=found.pk)
    context = {
        "heading": f"Read {found}",
        "back": {"url": reverse("meter", args=[found.pk]), "label": found.name},
        "pad": pad_of(
            request,
            url=reverse("meter-read", args=[found.pk]),
            attested=attested_by("read_meter"),
            button="Sign the reading",
            refused=refused,
            badge=request.user.badge,
            inputs=({"name": "shows", "label": "The meter shows, in dollars", "type": "text"},),
        ),
        "refusals": refused.refusals if refused else (),
        "words": found.terms().words(),
    }
    return render(
        request,
        "jackpots/meter_read.html",
        context,
        status=http_status(refused) if refused else 200,
    )


@require_GET
@page("meters")
def meter_report(request: PitRequest) -> HttpResponse:
    """Show how each meter came from one day's figure to another's, and what the house owes."""
    today = request.period.gaming_day
    last = day_of(request.GET, "to") or today
    first = day_of(request.GET, "from") or last
    first = max(min(first, last), last - timedelta(days=DAYS_MAX))
    found = [roll_forward(item, first, last) for item in Meter.objects.all()]
    context = {
        "heading": "Meter roll-forward",
        "back": {"url": reverse("meters"), "label": "Meters"},
        "first": first,
        "last": last,
        "rows": [_row(item) for item in found],
        "owed_cents": sum(item.closing_cents for item in found),
    }
    return render(request, "jackpots/meter_report.html", context)


def _row(each: RollForward) -> dict[str, Any]:
    return {
        "name": each.meter.name,
        "url": reverse("meter", args=[each.meter.pk]),
        "opening_cents": each.opening_cents,
        "wagers_cents": each.wagered_cents,
        "won_cents": each.won_cents,
        "seeded_cents": each.seeded_cents,
        "adjusted_cents": each.adjusted_cents,
        "closing_cents": each.closing_cents,
        "reserve_cents": each.reserve_cents,
        "variance_cents": each.difference_cents,
        "read_by": each.readings[-1].read_by if each.readings else None,
    }


@require_GET
@never_cache
def meter_display(request: HttpRequest) -> HttpResponse:
    """Show the jackpots in letters that a room can read. Nothing here is a secret."""
    return render(request, "jackpots/display.html", _display())


@require_GET
@never_cache
def meter_display_poll(request: HttpRequest) -> HttpResponse:
    """Send the jackpots again when one of them shows another amount."""
    if request.GET.get("v") == figures_version():
        return HttpResponse(status=204)
    return render(request, "jackpots/_display_poll.html", _display())


def _display() -> dict[str, Any]:
    # The version is read before the figures: what comes in between is news at the next poll.
    version = figures_version()
    return {
        "meters": meters_now(),
        "poll_url": f"{reverse('meter-display-poll')}?v={version}",
    }
