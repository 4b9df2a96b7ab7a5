"""What two shift managers do at the end of a shift and of a gaming day in tests."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

from pitboss.models import Slip, Table
from pitboss.rules.gaming_day import Period
from pitboss.services import house
from pitboss.services.shown import request_shown
from pitboss.services.signing import Entry, Pen
from tables.services.days import close_day, new_close
from tables.services.shifts import close_shift, new_handover, shift_before
from tables.services.trays import new_count, raise_count
from tests.cast import Cast


def hand_over(
    cast: Cast, day: date, carry: Collection[str] = (), *, pen: Pen | None = None
) -> Slip:
    """Hand a gaming day over, as Heidi."""
    return close_day(
        day=day,
        carry=carry,
        pen=pen or cast.pen(cast.heidi),
        shown=request_shown(new_close(day, carry), None),
    )


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
    shift = shift or shift_before(house.now())
    return close_shift(
        shift=shift,
        carry=carry,
        pen=pen or cast.pen(cast.heidi),
        shown=request_shown(new_handover(shift, carry), None),
    )


def unsigned_closer(cast: Cast, table: Table) -> Slip:
    """Let Dora open another table on an empty tray, and count it to close: nobody else signed."""
    opener = _raise_on(cast, "opener", table)
    cast.sign(opener, "verified", cast.bob, entry=Entry(counted={}))
    return _raise_on(cast, "closer", table)


def _raise_on(cast: Cast, kind: str, table: Table) -> Slip:
    table = Table.objects.get(pk=table.pk)
    return raise_count(
        kind,
        table=table,
        counted={},
        pen=cast.pen(cast.dora),
        shown=request_shown(new_count(kind, table, {}), table),
    )
