"""The desks that serve the tables: the queues of the cage and of security, with clocks."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from inventory.kinds.promotional import PROMOTIONAL_ISSUE, PROMOTIONAL_RETURN
from inventory.selectors.cheques import cage_counts_found, colours_below_zero, last_cage_count
from pitboss.access import may_open, page
from pitboss.live import poll_url, polled, whole_floor
from pitboss.middleware import PitRequest
from pitboss.rules.cheques.cheques import BY_CENTS
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.roles import Place
from pitboss.selectors.waiting import waiting_at
from pitboss.slips.addresses import new_url
from pitboss.views.inbox_cards import item_of

_CAGE_GROUPS = {
    (Place.CAGE, "acknowledged"): "Count incoming credits",
    (Place.CAGE, "issued"): "Prepare",
    (Place.CAGE, "carried"): "Hand over",
    (Place.CAGE, "counted_in"): "Count what came back",
    (Place.CAGE, "verified"): "Verify the count of the cage",
    (Place.CAGE, "payment_verified"): "Verify a marker payment",
    (Place.CAGE, "taken_by_cage"): "Take markers from the pit",
    (Place.CAGE, "taken_in"): "Receive house cheques",
    (Place.CAGE, "destroyed"): "Destroy house cheques",
    (Place.PIT, "matched"): "Accepted, not yet matched at the table",
}
_SECURITY_GROUPS = {
    (Place.CAGE, "carried"): "Pick up at the cage",
    (Place.PIT, "carried"): "Fetch at the table",
    (Place.CAGE, "acknowledged"): "Being counted at the cage",
    (Place.PIT, "matched"): "Take the acknowledgment to the table",
    (Place.PIT, "carried_back"): "Return",
    (Place.PIT, "collected"): "Collect bags of cards",
    (Place.PIT, "agreed"): "Being counted at the table",
    (Place.CAGE, "taken_in"): "Witness house cheques at the cage",
    (Place.CAGE, "destroyed"): "Witness a destruction at the cage",
}


@require_GET
@page("cage")
def cage(request: PitRequest) -> HttpResponse:
    """Show what the cage prepares, takes in and counts, longest wait first."""
    return render(request, "inventory/cage.html", _cage(request))


@require_GET
@polled(whole_floor)
@page("cage")
def cage_poll(request: PitRequest) -> HttpResponse:
    """Send the cage's queue again when something moved."""
    return render(request, "inventory/_cage_poll.html", _cage(request))


def _cage(request: PitRequest) -> dict[str, Any]:
    poll = poll_url(reverse("cage-poll"), whole_floor({}))
    return {
        "groups": [*_groups(_CAGE_GROUPS), *_others(Place.CAGE, _CAGE_GROUPS)],
        "nothing": {
            "title": "Nothing to prepare",
            "text": "New fills and credits appear here automatically.",
            "icon": "cage",
        },
        "warning": _warning(colours_below_zero()),
        "last_count": last_cage_count(),
        "acts": _cage_acts(request),
        "poll_url": poll,
    }


def _warning(colours: list[int]) -> str:
    """Say that the ledger has gone below zero, never by how much: a count of the cage is blind."""
    if not colours:
        return ""
    names = ", ".join(BY_CENTS[cents].name for cents in colours)
    return f"The ledger is below zero for {names}. Count the cage."


def _cage_acts(request: PitRequest) -> list[dict[str, Any]]:
    acts: list[dict[str, Any]] = [
        {
            "label": "Count the cage",
            "icon": "count",
            "url": new_url("cage_count"),
            "words": "two people",
        },
        {
            "label": "Receive",
            "icon": "fill",
            "url": new_url("house_receipt"),
            "words": "house cheques",
        },
        {
            "label": "Destroy",
            "icon": "credit",
            "url": new_url("house_destruction"),
            "words": "house cheques",
        },
        {
            "label": "Payment",
            "icon": "pay",
            "url": new_url("marker_payment_cage"),
            "words": "on markers",
        },
        {
            "label": "Deposit",
            "icon": "fill",
            "url": new_url("front_deposit"),
            "words": "front money",
        },
        {
            "label": "Withdraw",
            "icon": "credit",
            "url": new_url("front_withdrawal"),
            "words": "from a deposit",
        },
        {
            "label": "Cash",
            "icon": "pay",
            "url": reverse("cage-cash"),
            "words": "log it",
        },
        {
            "label": "Counts",
            "icon": "shift",
            "url": reverse("cage-counts"),
            "words": "what each found",
        },
    ]
    if not may_open(request.role, "cage_count"):
        for act in acts[:6]:
            act["refusal"] = "The cage does this."
    if request.house.cheques.has_promotional and may_open(request.role, PROMOTIONAL_ISSUE):
        acts += [
            {
                "label": "Issue",
                "icon": "fill",
                "url": new_url(PROMOTIONAL_ISSUE),
                "words": "promotional cheques",
            },
            {
                "label": "Return",
                "icon": "credit",
                "url": new_url(PROMOTIONAL_RETURN),
                "words": "promotional cheques",
            },
        ]
    return acts


@require_GET
@page("cage")
def cage_counts(request: PitRequest) -> HttpResponse:
    """Show what the last verified counts found, and what had gone over the window unseen."""
    context = {
        "heading": "Counts of the cage",
        "back": {"url": reverse("cage"), "label": "Cage"},
        "counts": cage_counts_found(),
    }
    return render(request, "inventory/cage_counts.html", context)


@require_GET
@page("security")
def security(request: PitRequest) -> HttpResponse:
    """Show what security carries: between cage and tables, and back."""
    return render(request, "inventory/security.html", _security(request))


@require_GET
@polled(whole_floor)
@page("security")
def security_poll(request: PitRequest) -> HttpResponse:
    """Send security's queue again when something moved."""
    return render(request, "inventory/_queue_poll.html", _security(request))


def _security(request: PitRequest) -> dict[str, Any]:
    poll = poll_url(reverse("security-poll"), whole_floor({}))
    return {
        "groups": _groups(_SECURITY_GROUPS),
        "nothing": {
            "title": "Nothing to carry",
            "text": "New fills and credits appear here automatically.",
            "icon": "security",
        },
        "poll_url": poll,
    }


def _groups(headings: dict[tuple[Place, str], str]) -> list[dict[str, Any]]:
    """Return the queue of a desk in groups by place and step, longest wait first."""
    cards: dict[tuple[Place, str], list[dict[str, Any]]] = {key: [] for key in headings}
    for place in {place for place, _ in headings}:
        waits = (
            waiting_at(place)
            .filter(slip__isnull=False, step__in=[step for at, step in headings if at == place])
            .select_related("slip__table__pit")
            .prefetch_related("slip__signatures")
        )
        for wait in waits:
            cards[place, wait.step].append(item_of(wait))
    return [{"heading": headings[key], "cards": group} for key, group in cards.items() if group]


def _others(place: Place, headings: dict[tuple[Place, str], str]) -> list[dict[str, Any]]:
    """Return what else waits at a desk, kind by kind: nothing there waits for a list of names."""
    waits = (
        waiting_at(place)
        .filter(slip__isnull=False)
        .exclude(step__in=[step for at, step in headings if at == place])
        .select_related("slip__table__pit")
        .prefetch_related("slip__signatures")
    )
    cards: dict[str, list[dict[str, Any]]] = {}
    for wait in waits:
        assert wait.slip is not None
        step = FLOWS[wait.slip.kind].step_named(wait.step)
        if step is not None:
            cards.setdefault(f"{wait.slip.title}: {step.do}", []).append(item_of(wait))
    return [{"heading": heading, "cards": group} for heading, group in cards.items()]
