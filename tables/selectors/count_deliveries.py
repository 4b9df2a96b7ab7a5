"""Files that counting machines sent: which wait at a session, and what became of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db.models import Exists, OuterRef

from pitboss.models import Slip
from tables.models import CountDelivery, CountFile
from tables.selectors.count_sessions import open_sessions

WAITING: Final = "waiting"
IMPORTED: Final = "imported"
NOT_IMPORTED: Final = "not_imported"


def delivered_to(session: Slip, *, is_open: bool) -> list[CountDelivery]:
    """Return what machines sent since a session began, oldest first.

    Once it is closed, only what its own members took in; what another session took in never.
    """
    files = CountFile.objects.filter(sha256=OuterRef("sha256"))
    found = CountDelivery.objects.filter(at__gte=session.raised_at)
    found = found.defer("content").select_related("device").order_by("id")
    if is_open:
        return list(found.exclude(Exists(files.exclude(session=session))))
    return list(found.filter(Exists(files.filter(session=session))))


def imported_among(deliveries: Iterable[CountDelivery]) -> frozenset[str]:
    """Return the hashes of those that a member has taken in."""
    hashes = [delivery.sha256 for delivery in deliveries]
    files = CountFile.objects.filter(sha256__in=hashes)
    return frozenset(files.values_list("sha256", flat=True))


def state_of(delivery: CountDelivery) -> str:
    """Return what became of a delivery: no figure of it."""
    if imported_among([delivery]):
        return IMPORTED
    waits = any(session.raised_at <= delivery.at for session in open_sessions())
    return WAITING if waits else NOT_IMPORTED
