"""Evaluations of a dealer, newest first, with what the dealer answered."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.urls import reverse

from pitboss.models import Person
from pitboss.rules.floor.records import EVALUATION
from tables.models import FloorEntry

NEWEST = 10


def evaluations_of(dealer: Person, *, is_own: bool) -> list[dict[str, Any]]:
    """Return a dealer's newest evaluations; their own have a form to answer each once."""
    entries = FloorEntry.objects.filter(kind=EVALUATION, facts__badge=dealer.badge)
    entries = entries.select_related("table", "by", "evaluation_answer").order_by("-id")[:NEWEST]
    return [
        {
            "entry": entry,
            "answer": getattr(entry, "evaluation_answer", None),
            "url": reverse("evaluation-answer", args=[entry.pk]) if is_own else "",
            "request_id": uuid4(),
        }
        for entry in entries
    ]
