"""Set up tables as two managers of the house do."""

from __future__ import annotations

from typing import Any

from pitboss.kinds.table_change import TABLE_SETUP
from pitboss.models import Person, Slip, Table
from pitboss.rules.roles import Place
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast


def propose(
    cast: Cast, keyed: dict[str, str], table: Table | None = None, by: Person | None = None
) -> Slip:
    """Propose a new table, or another setup of one, as Carol or someone else."""
    raising = TABLE_SETUP.at(set=keyed, **dict[str, Any]({"stands": table} if table else {}))
    return raise_kind(
        raising,
        reason="For the weekend.",
        pen=cast.pen(by or cast.carol, Place.OFFICE),
        shown=shown_before(raising),
    )


def approve(cast: Cast, slip: Slip, by: Person | None = None) -> None:
    cast.sign(slip, "approved", by or cast.heidi, Place.OFFICE)


def set_up(cast: Cast, keyed: dict[str, str]) -> Table:
    """Set a table up: Carol proposes, Heidi approves."""
    slip = propose(cast, keyed)
    approve(cast, slip)
    return Table.objects.get(name=slip.details["is"]["name"])
