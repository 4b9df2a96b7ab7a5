"""How the cast takes deposits and payments at the cage that the patron signs."""

from __future__ import annotations

from typing import Any

from inventory.kinds.deposits import FRONT_DEPOSIT
from inventory.models import Patron
from pitboss.models import Slip
from pitboss.rules.roles import Place
from pitboss.services.signing import Entry
from pitboss.slips.kind import Kind
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast
from tests.floor.markers import drawn


def begin(cast: Cast, kind: Kind, patron: Patron, **given: Any) -> Slip:
    new = kind.at(patron=patron, **given)
    return raise_kind(new, pen=cast.pen(cast.erin, Place.CAGE), shown=shown_before(new))


def by_patron(cast: Cast, slip: Slip) -> None:
    cast.sign(slip, "patron_signed", cast.erin, Place.CAGE, entry=Entry(drawn=drawn(slip)))


def deposit(cast: Cast, patron: Patron, cents: int, **given: Any) -> Slip:
    given = {"account": "front_money", "means": "cash", "amount": cents, **given}
    slip = begin(cast, FRONT_DEPOSIT, patron, **given)
    by_patron(cast, slip)
    cast.sign(slip, "deposit_verified", cast.trent, Place.CAGE)
    slip.refresh_from_db()
    return slip
