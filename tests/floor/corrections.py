"""Correct finished slips as two people do who signed nothing of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitboss.models import Person, Slip, Table
from pitboss.rules.roles import Place
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast

EVIDENCE = "The video of 21:40 shows it."


def propose(
    cast: Cast,
    kind: str,
    original: Slip,
    cheques: Mapping[int, int] | None = None,
    *,
    by: Person | None = None,
    place: Place = Place.PIT,
    **given: Any,
) -> Slip:
    """Propose a correction as Bob, or as somebody else."""
    original = Slip.objects.get(pk=original.pk)
    table = Table.objects.get(pk=original.table_id) if original.table_id else None
    raising = the_kind(kind).at(table, cheques, original, **given)
    return raise_kind(
        raising, pen=cast.pen(by or cast.bob, place), shown=shown_before(raising), reason=EVIDENCE
    )


def approve(
    cast: Cast,
    correction: Slip,
    by: Person | None = None,
    restates: Person | None = None,
    place: Place = Place.PIT,
) -> Slip:
    """Approve a correction as Heidi, or as somebody else, and restate its day if that is closed."""
    cast.sign(correction, "approved", by or cast.heidi, place)
    if any(step["name"] == "restated" for step in correction.plan):
        cast.sign(correction, "restated", restates or cast.mike, Place.PIT)
    correction.refresh_from_db()
    return correction
