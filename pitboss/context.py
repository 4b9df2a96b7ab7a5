"""What every page shows around its own content: where one may go, who one is, what time it is."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from pitboss.access import may_open
from pitboss.middleware import stays_readable
from pitboss.models import Property
from pitboss.rules.book.manual_places import part_for
from pitboss.rules.book.page_help import help_for
from pitboss.rules.cheques.keys import SETS
from pitboss.rules.roles import Role
from pitboss.selectors.waiting import count_waiting_for
from pitboss.services import house
from pitboss.standby import read_from

# Page of pitboss.access, label, icon and address.
_RAIL = (
    ("board", "Board", "board", "board"),
    ("hosts", "Patrons", "person", "hosts"),
    ("inbox", "Inbox", "inbox", "inbox"),
    ("own_payouts", "Payouts", "pay", "own-payouts"),
    ("dealers", "Dealers", "dealer", "dealers"),
    ("cage", "Cage", "cage", "cage"),
    ("cards", "Cards", "cards", "cards"),
    ("security", "Security", "security", "security"),
    ("markers", "Markers", "marker", "markers"),
    ("credit_desk", "Credit", "pay", "credit-desk"),
    ("drop_runs", "Drop", "box", "drop-runs"),
    ("incidents", "Incidents", "warn", "incidents"),
    ("keys", "Keys", "lock", "keys"),
    ("count_room", "Boxes", "box", "count-room"),
    ("surveillance", "Watch", "eye", "surveillance"),
    ("jackpots", "Jackpots", "jackpot", "jackpots"),
    ("compliance", "Reports", "eye", "compliance"),
    ("cash_log", "Cash", "pay", "cash-log"),
    ("yield", "Yield", "limits", "yield"),
    ("drills", "Drills", "check", "drills"),
    ("hold", "Hold", "count", "hold"),
    ("shift", "Shift", "shift", "shift"),
    ("days", "Days", "days", "days"),
    ("audit", "Audit", "audit", "audit"),
    ("people", "People", "person", "people"),
    ("devices", "Devices", "device", "devices"),
    ("outages", "Outages", "no-line", "outages"),
    ("house", "House", "house", "house"),
)

# So many places a tablet on its side shows above each other, with one more that opens the rest.
RAIL_MAX = 9
# What goes there first, for a role that may go to more places: no one opens these every hour.
_SELDOM = (
    "outages",
    "drills",
    "yield",
    "hold",
    "keys",
    "incidents",
    "devices",
    "people",
    "house",
    "audit",
    "drop_runs",
    "count_room",
    "surveillance",
    "security",
    "cash_log",
    "credit_desk",
    "markers",
    "cards",
)

# Pages that are reached from another light that one in the rail.
_LIT_BY = {
    "access_reviews": "people",
    "incident": "board",
    "table": "board",
    "rating": "board",
    "rating_audit": "surveillance",
    "seat": "board",
    "shoe": "board",
    "prove": "board",
    "round": "board",
    "pace": "board",
    "cash": "board",
    "cage_cash": "cage",
    "cash_match": "cash_log",
    "cash_refused": "cash_log",
    "currency_report": "compliance",
    "ctr_form": "compliance",
    "ctr_batches": "compliance",
    "sar": "compliance",
    "exclusion_lists": "compliance",
    "exclusion_case": "inbox",
    "withheld": "compliance",
    "winner": "jackpots",
    "drop": "board",
    "drop_boxes": "drop_runs",
    "count_machines": "count_room",
    "outage_form": "outages",
    "form_packs": "outages",
    "mismatch": "board",
    "payouts": "board",
    "estimate": "board",
    "patrons": "markers",
    "patron_file": "markers",
    "collection": "credit_desk",
    "win": "shift",
    "replay": "board",
    "serials": "days",
    "variances": "days",
    "reports": "days",
    "tax_form": "jackpots",
    "tax_register": "jackpots",
    "tax_lines": "jackpots",
    "instruments": "days",
    "tax_numbers": "jackpots",
    "meters": "jackpots",
    "meter_read": "jackpots",
    "webhooks": "house",
    "systems": "house",
    "webhook_change": "house",
}


def floor(request: HttpRequest) -> dict[str, Any]:
    """Return the shell's context. The door and errors, with no person on them, get little."""
    the_property = getattr(request, "the_property", None)
    if the_property is None:
        try:
            the_property = house.the_property()
        except Property.DoesNotExist:
            return {"is_demo": settings.IS_DEMO}
    now = house.now().astimezone(the_property.zone)
    source = read_from()
    device = getattr(request, "device", None)
    context: dict[str, Any] = {
        **_demo(request),
        "house": the_property.name,
        "now": now,
        "read_words": source.words(the_property.zone) if source else "",
        "is_demo": settings.IS_DEMO,
        "device": {"name": device.name, "place": device.place} if device else None,
    }
    role: Role | None = getattr(request, "role", None)
    person = getattr(request, "user", None)
    if role is None or person is None or not person.is_authenticated:
        return context
    period = request.period  # type: ignore[attr-defined]
    is_locked = getattr(request, "is_locked", False)
    here = getattr(request.resolver_match, "func", None)
    return {
        **context,
        "me": {"name": str(person), "role": role.label, "licence": person.licence_number},
        "day_text": f"{period.gaming_day:%a, %b %-d} · {period.shift}",
        **_rail(request, role),
        "reports_url": reverse("reports") if may_open(role, "reports") else None,
        # A tablet that waits for a PIN is locked already.
        "lock_url": None if is_locked else reverse("lock"),
        "is_locked": is_locked,
        "unlock_url": reverse("lock"),
        "stays": stays_readable(request, here) if here else False,  # type: ignore[arg-type]
        "awake_url": reverse("awake"),
        "search_url": reverse("search"),
        "help": help_for(_address(request), getattr(here, "page", "")),
        "glossary_url": reverse("glossary"),
        "manual_url": _manual_url(role, getattr(here, "page", "")),
        "sessions_url": reverse("sessions"),
        "leave_url": reverse("logout"),
        "idle_seconds": request.house["people.idle_lock"],  # type: ignore[attr-defined]
        # Read with the house's settings; one that is out of play still stands on old slips.
        "has_sets": len(SETS) > 1,
    }


def _manual_url(role: Role, page: str) -> str:
    """Return the manual of the reader's job, at the part that is about this page."""
    job, part = part_for(role, page)
    return f"{reverse('manual-job', args=[job])}{f'#{part}' if part else ''}"


def _address(request: HttpRequest) -> str:
    """Return the name of the address that is shown."""
    match = request.resolver_match
    return (match.url_name or "") if match else ""


def rail_place(page: str) -> dict[str, str]:
    """Return the way back to a place of the rail."""
    label, address = next((label, url) for name, label, _, url in _RAIL if name == page)
    return {"url": reverse(address), "label": label}


def places_for(role: Role) -> list[tuple[str, str]]:
    """Return the places of the rail that a role may go to: label and address."""
    return [(label, reverse(url)) for page, label, _, url in _RAIL if may_open(role, page)]


def _demo(request: HttpRequest) -> dict[str, Any]:
    """Return the demo's bar: where one may stand in one tap, and the tour."""
    if not settings.IS_DEMO:
        return {}
    from pitboss.demo_posts import post_of, posts_now
    from pitboss.views.demo import HIDDEN_COOKIE

    person, device = getattr(request, "user", None), getattr(request, "device", None)
    here = ""
    if person is not None and person.is_authenticated and device is not None:
        here = post_of(person, device.place, device.pit_id)
    return {
        "demo_posts": list(posts_now(here)),
        "demo_bar_hidden": bool(request.COOKIES.get(HIDDEN_COOKIE)),
    }


def _rail(request: HttpRequest, role: Role) -> dict[str, list[dict[str, Any]]]:
    """Return the places of the rail, and those that its last place opens."""
    here = getattr(request.resolver_match, "func", None)
    current = _LIT_BY.get(getattr(here, "page", ""), getattr(here, "page", ""))
    if kind := getattr(request, "kind", None):
        current = kind.lit_by
    # A page that has read the inbox already says how much waits there.
    count = getattr(request, "waiting_count", None)
    if count is None:
        device = getattr(request, "device", None)
        count = count_waiting_for(request.user, role, device)  # type: ignore[arg-type]
    waiting = {"inbox": count}
    open_to = [place for place in _RAIL if may_open(role, place[0])]
    seldom = [page for page in _SELDOM if may_open(role, page)]
    apart = {*seldom[: max(0, len(open_to) - RAIL_MAX)]}
    places = [
        {
            "label": label,
            "url": reverse(url_name),
            "icon": icon,
            "name": url_name,
            "is_current": current == page,
            "waiting": waiting.get(url_name, 0),
            "is_apart": page in apart,
        }
        for page, label, icon, url_name in open_to
    ]
    return {
        "rail": [place for place in places if not place["is_apart"]],
        "rail_more": [place for place in places if place["is_apart"]],
    }
