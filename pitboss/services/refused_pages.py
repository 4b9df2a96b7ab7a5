"""Keep who was turned away from a page, once, so that asking again and again fills nothing."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from pitboss.models import Device, JournalChain, JournalEntry, Person
from pitboss.services import journal

KIND = "page_refused"
# One entry a page in this time, and so many pages; the last of them says that more were tried.
WITHIN = timedelta(minutes=10)
PAGES_MAX = 20
PATH_MAX = 120


def keep_refused_page(
    *, method: str, path: str, person: Person | None, device: Device | None, at: datetime
) -> JournalEntry | None:
    """Write down that someone, or some device, was refused a page, unless that is written already.

    Someone who is neither signed in nor on a known device was asked to sign in, not refused.
    """
    if person is None and device is None:
        return None
    fields = {"method": method[:12], "path": path[:PATH_MAX]}
    if not _is_news(fields, person, device, at):
        return None
    with transaction.atomic(durable=True):
        # Two at once wait here for each other, and the second finds the first's entry.
        JournalChain.objects.select_for_update().get(name=journal.PEOPLE)
        if not _is_news(fields, person, device, at):
            return None
        is_last = len(_lately(person, device, at)) + 1 == PAGES_MAX
        return journal.write(
            chain=journal.PEOPLE,
            kind=KIND,
            body={**fields, "more_are_not_listed": True} if is_last else fields,
            at=at,
            person=person,
            device=device,
        )


def _is_news(
    asked: dict[str, str], person: Person | None, device: Device | None, at: datetime
) -> bool:
    lately = _lately(person, device, at)
    return len(lately) < PAGES_MAX and not any(asked.items() <= body.items() for body in lately)


def _lately(person: Person | None, device: Device | None, at: datetime) -> list[dict[str, Any]]:
    """Return what this person was refused on this device in the last minutes."""
    entries = JournalEntry.objects.filter(kind=KIND, at__gt=at - WITHIN, person=person)
    told = [json.loads(text) for text in entries.values_list("text", flat=True)]
    where = device.where() if device else None
    return [item["body"] for item in told if item["where"] == where]
