"""A person's own limits as a screen shows them: what holds, what comes, what was, who signed."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from pitboss.models import Person, PersonLimit, Slip
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.house_flows import LIMIT_CHANGE
from pitboss.rules.flows.limits import LIMITED_KINDS, limit_words
from pitboss.rules.roles import Role
from pitboss.rules.settings.book import BOOK, LIMIT
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services import house


def limits_of(person: Person, in_force: SettingsInForce) -> list[dict[str, Any]]:
    """Return for each kind of slip what a person may sign for now, and what is under way."""
    now = house.now()
    waiting = {
        slip.details["kind"]: {"serial": slip.serial, "url": reverse("slip", args=[slip.serial])}
        for slip in Slip.objects.filter(
            kind=LIMIT_CHANGE, status=SlipStatus.OPEN.value, details__person=person.pk
        )
    }
    rows = []
    for kind in LIMITED_KINDS:
        own_cents = house.own_limit_of(person, kind, now)
        rows.append(
            {
                "kind": kind,
                "words": limit_words(own_cents) if own_cents is not None else "",
                "rank_words": _rank_words(kind, Role(person.role), in_force),
                "waiting": waiting.get(kind),
            }
        )
    return rows


def _rank_words(kind: str, role: Role, in_force: SettingsInForce) -> str:
    """Say what the rank alone allows."""
    key = f"{LIMIT}{kind}.{role.value}"
    return BOOK[key].words(in_force[key]) if key in BOOK else "no limit"


def limit_history(person: Person) -> list[dict[str, Any]]:
    """Return every limit of their own that someone ever had, newest first."""
    now = house.now()
    limits = (
        PersonLimit.objects.filter(person=person)
        .select_related("slip")
        .prefetch_related("slip__signatures")
        .order_by("-holds_from", "-id")
    )
    current: set[str] = set()
    rows = []
    for limit in limits:
        signed = {s.step: s for s in limit.slip.signatures.all()}
        is_past = limit.holds_from <= now and limit.kind in current
        if limit.holds_from <= now:
            current.add(limit.kind)
        rows.append(
            {
                "kind": limit.kind,
                "words": limit_words(limit.most_cents),
                "holds_from": limit.holds_from,
                "state": "past" if is_past else ("coming" if limit.holds_from > now else "now"),
                "signed_by": f"{signed['proposed'].signed_as}, {signed['approved'].signed_as}",
                "reason": signed["proposed"].reason,
                "serial": limit.slip.serial,
                "url": reverse("slip", args=[limit.slip.serial]),
            }
        )
    return rows
