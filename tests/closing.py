"""What two shift managers do at the end of a gaming day in tests."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

from pitboss.models import Slip
from pitboss.services.shown import request_shown
from pitboss.services.signing import Pen
from tables.services.days import close_day, new_close
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
