"""Live screens: a poll every two seconds asks with the version it has, and mostly hears nothing.

A version is the sum of the heads of the journal chains that a screen shows: it grows with every act
and needs no counter of its own. The quiet answer costs two queries, the session and one more; only
news is worth a whole page's work.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.db.models import BigIntegerField, Exists, F, Q, Subquery, Sum
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.urls import reverse

from pitboss.middleware import FloorMiddleware
from pitboss.models import JournalChain, Person, Property
from pitboss.rules.gaming_day import gaming_day
from pitboss.services import house

# Which chains a screen shows, from the arguments of its address.
Scope = Callable[[dict[str, Any]], Q]


def whole_floor(_: dict[str, Any]) -> Q:
    """Every chain: for desks that serve all pits."""
    return Q()


def of_pit(arguments: dict[str, Any]) -> Q:
    """The chains of one pit's tables."""
    return Q(table__pit=arguments["pit_id"])


def of_table(arguments: dict[str, Any]) -> Q:
    """The chain of one table."""
    return Q(table__name=arguments["name"])


def version(chains: Q) -> int:
    """Return the version of what these chains tell of."""
    heads = JournalChain.objects.filter(chains).aggregate(sum=Sum("head_number"))
    return int(heads["sum"] or 0)


def poll_url(path: str, chains: Q) -> str:
    """Return where a page asks for news, with the version that it shows."""
    return f"{path}?v={version(chains)}"


def polled(scope: Scope) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Answer 204 when nothing changed since ?v=, else what the view sends."""
    full_checks = FloorMiddleware(lambda request: HttpResponse())

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def quiet_or_news(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
            current = None
            if not request.session.get("locked"):
                current = _version_for(request.session.get(SESSION_KEY), scope(kwargs))
            if current is None:
                # A whole request decides whether this goes to the lock or to the door.
                return HttpResponse(status=204, headers={"HX-Redirect": reverse("home")})
            if str(current) == request.GET.get("v"):
                return HttpResponse(status=204)
            refused = full_checks.process_view(request, view, args, kwargs)
            return refused or view(request, *args, **kwargs)

        quiet_or_news.answers_for_itself = True  # type: ignore[attr-defined]
        return quiet_or_news

    return decorate


def _version_for(person_id: str | None, chains: Q) -> int | None:
    """Return the version, or None when this session's person may no longer go on. One query."""
    if person_id is None:
        return None
    person = Person.objects.filter(pk=person_id, is_active=True)
    heads = (
        JournalChain.objects.filter(chains)
        .annotate(everything=F("pk") * 0)
        .values("everything")
        .annotate(sum=Sum("head_number"))
        .values("sum")
    )
    here = Property.objects.annotate(
        works_here=Exists(person),
        licence_ends=Subquery(person.values("licence_ends")[:1]),
        version=Coalesce(Subquery(heads, output_field=BigIntegerField()), 0),
    ).first()
    if here is None or not here.works_here:
        return None
    now = house.now()
    ended = here.licence_ends is not None and here.licence_ends < gaming_day(
        here.clock_at(now), now
    )
    return None if ended else here.version
