"""What hands do with a drop box in tests: count the tray, pull the box, count it, post it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pitboss.models import Person, Slip, Table
from pitboss.rules.drop.figures import read_figures
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry, Pen
from pitboss.slips.kind import Raising
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.drop_count import DROP_COUNT
from tables.kinds.drop_pull import DROP_PULL
from tables.selectors.box_papers import copies_expected
from tests.floor.cast import Cast


def count_tray(cast: Cast, counted: Mapping[int, int]) -> Slip:
    """Count the tray of the open table, signed by dealer and supervisor."""
    count = cast.count("count", counted)
    cast.sign(count, "verified", cast.alice, entry=Entry(counted=counted))
    count.refresh_from_db()
    return count


def begin_pull(cast: Cast, *, new_box: str = "B-207", by: Person | None = None) -> Slip:
    """Take the box off the first table as Frank; the supervisor has not signed yet."""
    table = Table.objects.get(pk=cast.table.pk)
    box = box_off(table, new_box, house.now() - timedelta(minutes=2))
    return raise_kind(box, pen=cast.pen(by or cast.frank), shown=shown_before(box))


def box_off(table: Table, new_box: str, told_at: datetime | None) -> Raising:
    """Return a pull about to be raised; surveillance was told then, or was not."""
    if told_at is None:
        return DROP_PULL.at(table, new_box=new_box)
    clock = f"{told_at.astimezone(house.the_property().zone):%H:%M}"
    return DROP_PULL.at(table, new_box=new_box, told_at=clock)


def pull(cast: Cast, *, new_box: str = "B-207") -> Slip:
    """Pull the box of the first table: Frank takes it, Alice sees it go."""
    slip = begin_pull(cast, new_box=new_box)
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
    unreadable: int = 0,
) -> Slip:
    """Enter what a box held, as Paul."""
    figures = {"documents": len(documents) + unreadable, **figures}
    count = DROP_COUNT.at(
        original=box, figures=figures, documents=list(documents), unreadable=unreadable
    )
    pen = pen or cast.pen(by or cast.paul, Place.OFFICE)
    return raise_kind(count, pen=pen, shown=shown_before(count))


def verify(cast: Cast, count: Slip, figures: Mapping[str, int]) -> None:
    """Count a box again, as Quinn."""
    documents = {"documents": len(count.details["documents"]) + count.details["unreadable"]}
    entry = Entry(figures=read_figures({**documents, **figures}))
    cast.sign(count, "verified", cast.quinn, Place.OFFICE, entry=entry)


def count_and_post(
    cast: Cast, box: Slip, figures: Mapping[str, int], documents: Sequence[str] | None = None
) -> Slip:
    """Count a box twice and let Ruth post it; every copy is in it unless told."""
    if documents is None:
        documents = [copy.code for copy in copies_expected([box])[box.serial]]
    count = begin_count(cast, box, figures, documents)
    verify(cast, count, figures)
    cast.sign(count, "posted", cast.ruth, Place.OFFICE)
    count.refresh_from_db()
    return count
