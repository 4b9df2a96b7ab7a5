"""What every page shows around its own content: where one may go, who one is, what time it is."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from pitboss.access import may_open
from pitboss.models import Property
from pitboss.rules.roles import Role
from pitboss.selectors.waiting import count_waiting_for
from pitboss.services import house

# Page of pitboss.access, label, icon and address.
_RAIL = (
    ("board", "Board", "board", "board"),
    ("inbox", "Inbox", "inbox", "inbox"),
    ("own_payouts", "Payouts", "pay", "own-payouts"),
    ("dealers", "Dealers", "dealer", "dealers"),
    ("cage", "Cage", "cage", "cage"),
    ("cards", "Cards", "cards", "cards"),
    ("security", "Security", "security", "security"),
    ("markers", "Markers", "marker", "markers"),
    ("count_room", "Boxes", "box", "count-room"),
    ("surveillance", "Watch", "eye", "surveillance"),
    ("jackpots", "Jackpots", "jackpot", "jackpots"),
    ("compliance", "Reports", "eye", "compliance"),
    ("cash_log", "Cash", "pay", "cash-log"),
    ("days", "Days", "shift", "days"),
    ("audit", "Audit", "audit", "audit"),
    ("people", "People", "person", "people"),
    ("devices", "Devices", "device", "devices"),
    ("house", "House", "house", "house"),
)

# So many places a tablet on its side shows above each other, with one more that opens the rest.
RAIL_MAX = 9
# What goes there first, for a role that may go to more places: nobody opens these every hour.
_SELDOM = (
    "devices",
    "people",
    "house",
    "audit",
    "count_room",
    "surveillance",
    "security",
    "cash_log",
    "markers",
    "cards",
)

# Pages that are reached from another light that one in the rail.
_LIT_BY = {
    "table": "board",
    "card_desk": "cards",
    "card_room": "cards",
    "card_table": "cards",
    "card_hold": "cards",
    "card_release": "cards",
    "card_waiver": "cards",
    "fill": "board",
    "shoe": "board",
    "prove": "board",
    "pace": "board",
    "cash": "board",
    "cage_cash": "cage",
    "cash_correct": "cash_log",
    "cash_match": "cash_log",
    "currency_report": "compliance",
    "drop": "board",
    "mismatch": "board",
    "payouts": "board",
    "late": "board",
    "estimate": "board",
    "marker": "board",
    "marker_payment": "board",
    "marker_payment_cage": "cage",
    "marker_transfer": "markers",
    "marker_recall": "markers",
    "patrons": "markers",
    "patron_file": "markers",
    "credit_line": "markers",
    "credit_stop": "markers",
    "win": "days",
    "day_close": "days",
    "serials": "days",
    "variances": "days",
    "reports": "days",
    "drop_count": "count_room",
    "jackpot": "board",
    "jackpot_review": "jackpots",
    "tax_papers": "jackpots",
    "tax_form": "jackpots",
    "tax_register": "jackpots",
    "tax_numbers": "jackpots",
    "tax_correct": "jackpots",
    "meters": "jackpots",
    "meter_read": "jackpots",
    "meter_amount": "jackpots",
    "meter_terms": "jackpots",
}


def floor(request: HttpRequest) -> dict[str, Any]:
    """Return the shell's context. The door and errors, with no person on them, get little."""
    the_property = Property.objects.filter(pk=1).first()
    if the_property is None:
        return {"is_demo": settings.IS_DEMO}
    now = house.now().astimezone(the_property.zone)
    device = getattr(request, "device", None)
    context: dict[str, Any] = {
        **_demo(request),
        "house": the_property.name,
        "now": now,
        "is_demo": settings.IS_DEMO,
        "device": {"name": device.name, "place": device.place} if device else None,
    }
    role: Role | None = getattr(request, "role", None)
    person = getattr(request, "user", None)
    if role is None or person is None or not person.is_authenticated:
        return context
    period = request.period  # type: ignore[attr-defined]
    return {
        **context,
        "me": {"name": str(person), "role": role.label, "licence": person.licence_number},
        "day_text": f"{period.gaming_day:%a} {period.gaming_day.day} {period.gaming_day:%b}"
        f" · {period.shift}",
        **_rail(request, role),
        "reports_url": reverse("reports") if may_open(role, "reports") else None,
        "lock_url": reverse("lock"),
        "leave_url": reverse("logout"),
        "idle_seconds": request.house["people.idle_lock"],  # type: ignore[attr-defined]
    }


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
    # A page that has read the inbox already says how much waits there.
    count = getattr(request, "waiting_count", None)
    if count is None:
        count = count_waiting_for(request.user, role)  # type: ignore[arg-type]
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
