"""How the cast changes the house's cheques, one or a whole set, and lets cheques be somewhere."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from inventory.kinds.cheque_change import CHEQUE_CHANGE_KIND
from inventory.models import Holder
from inventory.services.ledger import move_cheques
from pitboss.models import Person, Slip, Table
from pitboss.rules.cheques.keys import cheque_key
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast

TOMORROW = "2026-05-02"
DAY_AFTER = "2026-05-03"
# The numbers that the first set of each kind gets.
SECOND, PROMO, FRIDAY, WHEEL = 1, 5, 8, 11
SECOND_SET: dict[str, Any] = {"set": "Second", "kind": "value", "letter": "s", "colour": "gold"}
PROMO_SET: dict[str, Any] = {"set": "Promo", "kind": "promotional", "letter": "X", "colour": "lime"}
GREEN_2 = cheque_key(SECOND, 2_500)
BLACK_2 = cheque_key(SECOND, 10_000)
PROMO_25 = cheque_key(PROMO, 2_500)


def propose(cast: Cast, by: Person | None = None, **given: Any) -> Slip:
    """Propose a change of the cheques as Carol, or as somebody else."""
    raising = CHEQUE_CHANGE_KIND.at(**{"what": "add", "from": TOMORROW, **given})
    pen = cast.pen(by or cast.carol, Place.OFFICE)
    shown = shown_before(raising)
    return raise_kind(raising, pen=pen, shown=shown, reason="Players ask for it.")


def change(cast: Cast, **given: Any) -> Slip:
    """Let a change hold that Carol proposes, Trent approves and Heidi releases."""
    slip = propose(cast, **given)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    cast.sign(slip, "released", cast.heidi, Place.OFFICE)
    slip.refresh_from_db()
    return slip


def retire(cast: Cast, cents: int) -> Slip:
    return change(cast, what="retire", amount=cents)


def add_set(cast: Cast, *faces: int, **given: Any) -> None:
    """Put a set into play with some denominations in the colors of main."""
    change(cast, what="add_set", **given)
    for cents in faces:
        change(cast, set=given["set"], amount=cents, **{"from": given.get("from", TOMORROW)})


def hold(cast: Cast, cheques: dict[int, int], source: Holder, target: Holder) -> None:
    """Let cheques be somewhere."""
    slip = cast.ask()
    with transaction.atomic():
        slip.table = Table.objects.select_for_update().get(pk=cast.table.pk)
        move_cheques(slip=slip, cheques=cheques, source=source, target=target, at=house.now())
