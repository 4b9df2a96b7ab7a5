"""What a new property has still to do before its first table opens, in the order of doing it."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from pitboss.access import may_open
from pitboss.models import Device, Person, SettingValue, Slip, Table
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.house_flows import TABLE_CHANGE
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.roles import Place, Role
from pitboss.services.house import has_opened
from pitboss.slips.addresses import new_url

# Who signs on the way of cheques from their maker to a table that is opened.
_HANDS = (Role.DEALER, Role.SUPERVISOR, Role.CASHIER, Role.SECURITY)
_PLACES = (Place.PIT, Place.CAGE)


def first_steps(role: Role) -> list[dict[str, Any]]:
    """Return each step with what it still wants; the first that is not done is the next.

    Anyone who may not open the page of a step reads of it without a way there.

    A step that may be left as it is never stands in the way of the next.
    """
    people = _people_missing()
    without_pin = Person.objects.filter(is_active=True, pin_hash="").count()
    places = _places_missing()
    has_table = Table.objects.exists()
    steps = [
        _step(
            "Two managers",
            "No one changes settings alone: one manager proposes, another approves.",
            reverse("people"),
            page="people",
            is_done=True,
        ),
        _step(
            "Settings",
            "Shifts, approvals, limits, slip prefixes. Each has a default that applies "
            "until you choose.",
            reverse("house"),
            page="house",
            is_done=SettingValue.objects.exists(),
            is_optional=True,
        ),
        _step(
            "People",
            f"Add, or import from a list. Still missing: {people}."
            if people
            else "You have everyone you need for a first opening.",
            reverse("people-import" if people else "people"),
            page="people",
            is_done=not people,
        ),
        _step(
            "PINs",
            (
                f"{without_pin} without a PIN. Give each a code. They set their own PIN "
                "with a witness."
            )
            if without_pin
            else "Everyone signs with their own PIN.",
            reverse("people"),
            page="people",
            is_done=not without_pin and not people,
        ),
        _step(
            "A table",
            "Its pit, game, limits, pay tables with their exact edges, and its tray.",
            reverse("house-tables") if has_table else new_url(TABLE_CHANGE),
            page="house",
            is_done=has_table,
        ),
        _step(
            "Devices",
            f"Add one for {' and '.join(places)}. Each needs a code that works once."
            if places
            else "The pit and the cage have theirs.",
            reverse("devices"),
            page="devices",
            is_done=not places,
        ),
        _step(
            "House cheques",
            "The cashier counts them into the cage, and security counts them too.",
            reverse("cage"),
            page="cage",
            is_done=_done("house_receipt"),
        ),
        _step(
            "A first fill",
            "The supervisor asks for it on the table's page; the cage brings it.",
            reverse("board"),
            page="board",
            is_done=_done("fill"),
        ),
        _step(
            "Cards",
            "Sets are received, vaulted and issued to the pit; one comes to the table, where the "
            "dealer inspects it."
            if _wants_cards()
            else "No table here deals cards of its own.",
            reverse("board"),
            page="board",
            is_done=not _wants_cards() or _done("card_to_table"),
        ),
        _step(
            "A first opening",
            "The dealer counts the tray, the supervisor counts it too, and the table is open.",
            reverse("board"),
            page="board",
            is_done=has_opened(),
        ),
    ]
    due = next((step for step in steps if not step["is_done"] and not step["is_optional"]), None)
    for step in steps:
        step["is_next"] = step is due
        if not may_open(role, step["page"]):
            step["url"] = ""
    return steps


def _step(
    title: str,
    text: str,
    url: str,
    *,
    page: str,
    is_done: bool,
    is_optional: bool = False,
) -> dict[str, Any]:
    return {
        "title": title,
        "text": text,
        "page": page,
        "url": url,
        "is_done": is_done,
        "is_optional": is_optional,
    }


def _people_missing() -> str:
    present = set(Person.objects.filter(is_active=True).values_list("role", flat=True))
    return ", ".join(role.label for role in _HANDS if role.value not in present)


def _places_missing() -> list[str]:
    present = set(Device.objects.filter(revoked_at=None).values_list("place", flat=True))
    return [f"the {place.value}" for place in _PLACES if place.value not in present]


def _wants_cards() -> bool:
    """Tell whether a table stays shut until a set of cards lies on it."""
    return Table.objects.exclude(setup={}).exclude(cards=CardProfile.NONE.value).exists()


def _done(kind: str) -> bool:
    return Slip.objects.filter(kind=kind, status=SlipStatus.DONE.value).exists()
