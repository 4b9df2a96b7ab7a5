"""What two shift managers do at the end of a shift and of a gaming day in tests."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

from pitboss.models import Slip, Table
from pitboss.rules.day.gaming_day import Period
from pitboss.services import house
from pitboss.services.signing import Entry, Pen
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.handover import DAY_CLOSE, SHIFT_CLOSE
from tables.services.shifts import shift_before
from tests.floor.cast import Cast


def hand_over(
    cast: Cast, day: date, carry: Collection[str] = (), *, pen: Pen | None = None
) -> Slip:
    """Hand a gaming day over, as Heidi."""
    close = DAY_CLOSE.at(day=day.isoformat(), carry=carry)
    return raise_kind(close, pen=pen or cast.pen(cast.heidi), shown=shown_before(close))


def close_the_day(cast: Cast, day: date, carry: Collection[str] = ()) -> Slip:
    """Close a gaming day: Heidi hands it over, Mike takes it on."""
    slip = hand_over(cast, day, carry)
    cast.sign(slip, "day_taken_on", cast.mike)
    slip.refresh_from_db()
    return slip


def hand_over_shift(
    cast: Cast,
    carry: Collection[str] = (),
    *,
    shift: Period | None = None,
    pen: Pen | None = None,
) -> Slip:
    """Hand the shift over that ended last, as Heidi."""
    close = SHIFT_CLOSE.at(shift=shift or shift_before(house.now()), carry=carry)
    return raise_kind(close, pen=pen or cast.pen(cast.heidi), shown=shown_before(close))


def unsigned_closer(cast: Cast, table: Table) -> Slip:
    """Let Dora open another table on an empty tray, and count it to close: nobody else signed."""
    opener = _raise_on(cast, "opener", table)
    cast.sign(opener, "verified", cast.bob, entry=Entry(counted={}))
    return _raise_on(cast, "closer", table)


def _raise_on(cast: Cast, kind: str, table: Table) -> Slip:
    table = Table.objects.get(pk=table.pk)
    count = the_kind(kind).at(table)
    return raise_kind(count, pen=cast.pen(cast.dora), shown=shown_before(count))
