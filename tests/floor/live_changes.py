"""Changes of an open table, for tests: signed by Carol, its sign changed by Alice."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from pitboss.models import Person, Slip, Table
from pitboss.rules.roles import Place
from pitboss.slips.kind import Raising
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.live_change import TABLE_LIVE_CHANGE
from tables.models import SignChange
from tables.services.floor_log import Tap
from tables.services.live_changes import change_sign
from tests.floor.cast import Cast


def asked(cast: Cast, when: str = "next_round", players: int = 0, **changes: str) -> Raising:
    """Return a change of the first table about to be signed, as its page has it."""
    more: dict[str, Any] = {"at": changes.pop("at")} if "at" in changes else {}
    table = Table.objects.select_related("pit").get(pk=cast.table.pk)
    return TABLE_LIVE_CHANGE.at(table, set=changes, when=when, players=players, **more)


def change(
    cast: Cast, when: str = "next_round", players: int = 0, by: Person | None = None, **changes: str
) -> Slip:
    """Sign a change of the first table as Carol, or as somebody else."""
    new = asked(cast, when, players, **changes)
    slip = raise_kind(
        new, pen=cast.pen(by or cast.carol), shown=shown_before(new), reason="A busy night."
    )
    slip.refresh_from_db()
    return slip


def tap(
    cast: Cast, slip: Slip, *seats: int, by: Person | None = None, place: Place = Place.PIT
) -> SignChange:
    """Change the sign as Alice, or as somebody else."""
    hand = Tap(by or cast.alice, cast.devices[place], uuid4())
    return change_sign(slip=Slip.objects.get(pk=slip.pk), seats=seats, hand=hand)
