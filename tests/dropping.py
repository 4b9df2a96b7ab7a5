"""What hands do with a drop box in tests: count the tray, pull the box, count it, post it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from pitboss.models import Person, Slip, Table
from pitboss.rules.drop_flows import read_figures
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.shown import request_shown
from pitboss.services.signing import Entry, Pen
from tables.services.drops import count_box, new_drop_count, new_pull, pull_box
from tests.cast import Cast


def count_tray(cast: Cast, counted: Mapping[int, int]) -> Slip:
    """Count the tray of the open table, signed by dealer and supervisor."""
    count = cast.count("count", counted)
    cast.sign(count, "verified", cast.alice, entry=Entry(counted=counted))
    count.refresh_from_db()
    return count


def begin_pull(cast: Cast, *, new_box: str = "B-207", by: Person | None = None) -> Slip:
    """Take the box off the first table as Frank; the supervisor has not signed yet."""
    table = Table.objects.get(pk=cast.table.pk)
    told_at = house.now() - timedelta(minutes=2)
    new = new_pull(table, new_box=new_box, emergency=False, surveillance_told_at=told_at)
    return pull_box(
        table=table,
        new_box=new_box,
        emergency=False,
        surveillance_told_at=told_at,
        pen=cast.pen(by or cast.frank),
        shown=request_shown(new, table),
    )


def pull(cast: Cast) -> Slip:
    """Pull the box of the first table: Frank takes it, Alice sees it go."""
    slip = begin_pull(cast)
    cast.sign(slip, "witnessed", cast.alice)
    slip.refresh_from_db()
    return slip


def begin_count(
    cast: Cast,
    box: Slip,
    figures: Mapping[str, int],
    documents: Sequence[str] = (),
    *,
    by: Person | None = None,
    pen: Pen | None = None,
) -> Slip:
    """Enter what a box held, as Paul."""
    figures = {"documents": len(documents), **figures}
    new = new_drop_count(box, figures, documents)
    return count_box(
        pull=box,
        figures=figures,
        documents=documents,
        pen=pen or cast.pen(by or cast.paul, Place.OFFICE),
        shown=request_shown(new, None),
    )


def verify(cast: Cast, count: Slip, figures: Mapping[str, int]) -> None:
    """Count a box again, as Quinn."""
    documents = {"documents": len(count.details["documents"])}
    entry = Entry(figures=read_figures({**documents, **figures}))
    cast.sign(count, "verified", cast.quinn, Place.OFFICE, entry=entry)


def count_and_post(
    cast: Cast, box: Slip, figures: Mapping[str, int], documents: Sequence[str] = ()
) -> Slip:
    """Count a box twice and let Ruth post it."""
    count = begin_count(cast, box, figures, documents)
    verify(cast, count, figures)
    cast.sign(count, "posted", cast.ruth, Place.OFFICE)
    count.refresh_from_db()
    return count
