"""The jackpot room: who is waited for and since when, one line a step; and what was paid."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from jackpots.selectors.jackpots import (
    closed_hits,
    envy_between,
    figure_words,
    jackpots,
    minutes_per_step,
    open_hits,
    payments_between,
    source_words,
)
from jackpots.selectors.meters import meters_now
from jackpots.selectors.tax_register import forms_of, totals_of
from jackpots.views.meters import DAYS_MAX
from pitboss.access import may_open, page
from pitboss.live import poll_url, polled, whole_floor
from pitboss.middleware import PitRequest
from pitboss.rules.payouts.jackpot_flows import JACKPOT
from pitboss.rules.payouts.jackpots import worked_example
from pitboss.rules.roles import Place
from pitboss.selectors.slips import step_title
from pitboss.selectors.waiting import waiting_at
from pitboss.views.forms import day_of
from pitboss.views.inbox_cards import item_of
from tables.selectors.rating_audits import draws_waiting


@require_GET
@page("jackpots")
def room(request: PitRequest) -> HttpResponse:
    """Show every jackpot that is open, and those closed last."""
    return render(request, "jackpots/room.html", _room(request))


@require_GET
@polled(whole_floor)
@page("jackpots")
def room_poll(request: PitRequest) -> HttpResponse:
    """Send the room again when something moved."""
    return render(request, "jackpots/_room_poll.html", _room(request))


def _room(request: PitRequest) -> dict[str, Any]:
    poll = poll_url(reverse("jackpots-poll"), whole_floor({}))
    sevens = [meter for meter in meters_now() if not meter.meter.is_posted]
    shown_cents = sevens[0].shown_cents if sevens else 10_000_00
    same, mixed = worked_example(shown_cents, request.house.options)
    return {
        "open": open_hits(),
        "closed": closed_hits(),
        "examples": (
            ("Two seats hold the same jackpot hand", same),
            ("One seat wins a tenth, the other the whole meter", mixed),
        ),
        "poll_url": poll,
    }


_SURVEILLANCE_GROUPS = (
    ("Review and confirm", "confirmed"),
    ("Report on a variance", "surveillance_reported"),
)


@require_GET
@page("surveillance")
def surveillance(request: PitRequest) -> HttpResponse:
    """Show what waits for surveillance, longest first."""
    context = _surveillance()
    if may_open(request.role, "rating_audit"):
        context |= {"audits_url": reverse("rating-audits"), "audits": draws_waiting().count()}
    return render(request, "jackpots/surveillance.html", context)


@require_GET
@polled(whole_floor)
@page("surveillance")
def surveillance_poll(request: PitRequest) -> HttpResponse:
    """Send surveillance's queue again when something moved."""
    return render(request, "jackpots/_surveillance_poll.html", _surveillance())


def _surveillance() -> dict[str, Any]:
    poll = poll_url(reverse("surveillance-poll"), whole_floor({}))
    waits = (
        waiting_at(Place.SURVEILLANCE)
        .filter(slip__isnull=False)
        .select_related("slip__table__pit")
        .prefetch_related("slip__signatures")
    )
    own = {step: heading for heading, step in _SURVEILLANCE_GROUPS}
    cards: dict[str, list[dict[str, Any]]] = {}
    for wait in waits:
        assert wait.slip is not None, "only slips are asked for"
        heading = own.get(wait.step) or step_title(wait.slip.kind, wait.step)
        cards.setdefault(heading, []).append(item_of(wait))
    return {
        "groups": [{"heading": heading, "cards": group} for heading, group in cards.items()],
        "nothing": {
            "title": "Nothing to review",
            "text": "A jackpot appears here once a supervisor has verified it.",
            "icon": "eye",
        },
        "poll_url": poll,
    }


@require_GET
@page("jackpots")
def report(request: PitRequest) -> HttpResponse:
    """Show jackpots paid and held, how long each step took, the envy, and what is owed."""
    last = day_of(request.GET, "to") or request.period.gaming_day
    first = day_of(request.GET, "from") or last
    first = max(min(first, last), last - timedelta(days=DAYS_MAX))
    paid = payments_between(first, last)
    standing = open_hits()
    entered = [jackpot.slip for jackpot in jackpots().filter(slip__gaming_day__range=(first, last))]
    envy = envy_between(first, last)
    context = {
        "heading": "Jackpots paid and on hold",
        "back": {"url": reverse("jackpots"), "label": "Jackpots"},
        "first": first,
        "last": last,
        "paid": [
            {
                "payment": jackpot_payment,
                "slip": jackpot_payment.jackpot.slip,
                "source": source_words(jackpot_payment.source),
                "meter": jackpot_payment.jackpot.freeze.meter
                if jackpot_payment.jackpot.freeze
                else None,
            }
            for jackpot_payment in paid
        ],
        "paid_cents": sum(jackpot_payment.award_cents for jackpot_payment in paid),
        "standing": standing,
        "owed_cents": sum(hit_shown.figure.award_cents for hit_shown in standing),
        "meters_cents": sum(meter.shown_cents for meter in meters_now()),
        "withheld_cents": sum(
            total.federal_cents + total.state_cents + total.local_cents
            for total in totals_of(forms_of(last.year))
        ),
        "register_url": f"{reverse('tax-register')}?year={last.year}"
        if may_open(request.role, "tax_register")
        else "",
        "times": [
            {"title": step_title(JACKPOT, minute.step), "time": minute}
            for minute in minutes_per_step(entered)
        ],
        "envy": envy,
        "envy_cents": sum(item["cents"] for item in envy),
        "moved": [
            {
                "slip": hit.slip,
                "figures": [figure_words(earlier_figure) for earlier_figure in hit.earlier_figures],
            }
            for hit in standing
            if hit.earlier_figures
        ],
    }
    return render(request, "jackpots/report.html", context)
