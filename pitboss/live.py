"""Live screens: a poll every two seconds asks with the version it has, and mostly hears nothing.

A version is the sum of the heads of the journal chains that a screen shows: it grows with every act
and needs no counter of its own. The quiet answer costs two queries, the session and one more, both
plain; only news is worth a whole page's work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from functools import wraps
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.db import connection
from django.http import HttpResponse
from django.urls import reverse

from pitboss.confidential import COMPLIANCE_CHAIN
from pitboss.middleware import OPEN_UNTIL, SHOWN_LOCKED, FloorMiddleware
from pitboss.models.plain import prepared
from pitboss.rules.day.gaming_day import gaming_day
from pitboss.services import house


@dataclass(frozen=True, slots=True)
class Chains:
    """The chains of the journal that a screen shows, as a condition on `chain`."""

    sql: str
    values: tuple[Any, ...] = ()


# Which chains a screen shows, from the arguments of its address.
Scope = Callable[[dict[str, Any]], Chains]


def whole_floor(_: dict[str, Any]) -> Chains:
    """Every chain but that of compliance, whose acts no screen shows: for desks of all pits."""
    return Chains("chain.name <> %s", (COMPLIANCE_CHAIN,))


def of_pit(arguments: dict[str, Any]) -> Chains:
    """The chains of one pit's tables; none for a number that is too large for any pit."""
    return Chains(
        "chain.table_id IN (SELECT id FROM pitboss_table WHERE pit_id::numeric = %s)",
        (arguments["pit_id"],),
    )


def of_table(arguments: dict[str, Any]) -> Chains:
    """The chain of one table."""
    return Chains(
        "chain.table_id = (SELECT id FROM pitboss_table WHERE name = %s)", (arguments["name"],)
    )


def _heads(chains: Chains) -> str:
    """Return the version of what these chains tell of, as SQL."""
    return (
        "(SELECT coalesce(sum(chain.head_number), 0)::bigint FROM pitboss_journalchain AS chain"
        f" WHERE {chains.sql})"
    )


def version(chains: Chains) -> int:
    """Return the version of what these chains tell of."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_heads(chains)}", chains.values)
        (heads,) = cursor.fetchone()
    return int(heads)


def poll_url(path: str, chains: Chains) -> str:
    """Return where a page asks for news, with the version that it shows."""
    return f"{path}?v={version(chains)}"


def polled(scope: Scope) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Answer 204 when nothing changed since ?v=, else what the view sends."""
    full_checks = FloorMiddleware(lambda request: HttpResponse())

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def quiet_or_news(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
            current = None
            is_shut = request.session.get("locked") or _is_idle(request)
            is_readable = getattr(view, "readable_when_idle", False)
            if is_shut and is_readable and not request.session.get(SHOWN_LOCKED):
                # A whole request decides whether the page stays, and draws it without its acts.
                return HttpResponse(status=204, headers={"HX-Refresh": "true"})
            if not is_shut or is_readable:
                current = _version_for(request.session.get(SESSION_KEY), scope(kwargs))
            if current is None:
                # A whole request decides whether this goes to the lock or to the door.
                return HttpResponse(status=204, headers={"HX-Redirect": reverse("home")})
            if str(current) == request.GET.get("v"):
                return HttpResponse(status=204)
            refused = full_checks.process_view(request, view, args, kwargs)
            return refused or view(request, *args, **kwargs)

        # A page asks by itself: that keeps no tablet open.
        view.is_automatic = True  # type: ignore[attr-defined]
        quiet_or_news.answers_for_itself = True  # type: ignore[attr-defined]
        return quiet_or_news

    return decorate


def _is_idle(request: Any) -> bool:
    until = request.session.get(OPEN_UNTIL)
    return until is not None and house.now().timestamp() > until


def _version_for(person_id: str | None, chains: Chains) -> int | None:
    """Return the version, or None when this session's person may no longer go on. One query.

    Written out: two hundred tablets ask this every two seconds, and the query's own work is less
    than that of putting it together.
    """
    if person_id is None:
        return None
    row = prepared(
        f"SELECT licence_ends, {_heads(chains)} FROM pitboss_person WHERE id = %s AND is_active",
        [*chains.values, person_id],
    )
    if row is None:
        return None
    licence_ends, heads = row
    return None if _has_ended(licence_ends) else int(heads)


def _has_ended(licence_ends: date | None) -> bool:
    """Tell whether a license ended before this gaming day, by the property's clock."""
    now = house.now()
    # No clock on earth is a day behind; who has that long needs no property to be asked for.
    if licence_ends is None or licence_ends > now.astimezone(UTC).date() + timedelta(days=1):
        return False
    return licence_ends < gaming_day(house.the_property().clock_at(now), now)
