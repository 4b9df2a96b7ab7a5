"""Who looks after a patron."""

from __future__ import annotations

from django.db.models import OuterRef, QuerySet, Subquery

from inventory.models import Patron
from pitboss.models import Person
from tables.models import PatronHost, PatronTier


def host_of(patron: Patron) -> Person | None:
    """Return who looks after a patron now."""
    rows = PatronHost.objects.filter(patron=patron).select_related("host")
    newest = rows.order_by("-id").first()
    return newest.host if newest is not None else None


def tier_of(patron: Patron) -> str:
    """Return a patron's tier of the loyalty club; empty where its system told none."""
    newest = PatronTier.objects.filter(patron=patron).order_by("-id").first()
    return newest.tier if newest is not None else ""


def patrons_of(host: Person) -> QuerySet[Patron]:
    """Return the patrons whom someone looks after now."""
    newest = PatronHost.objects.filter(patron=OuterRef("pk")).order_by("-id").values("host")[:1]
    ever = PatronHost.objects.filter(host=host).values("patron")
    return Patron.objects.filter(pk__in=ever).annotate(now=Subquery(newest)).filter(now=host.pk)
