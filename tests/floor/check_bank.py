"""How the cast brings checks to the bank, gets them back, collects them, and gives them up."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import uuid4

from inventory.kinds.check_deposit import CHECK_DEPOSIT
from inventory.kinds.check_return import CHECK_RETURN
from inventory.kinds.consolidation import CONSOLIDATION
from inventory.kinds.write_off import MARKER_RECOVERY, WRITE_OFF
from inventory.models import CheckDeposit, CollectionContact, Marker, Patron
from inventory.services.collecting import log_contact
from pitboss.models import Person, Slip
from pitboss.rules.roles import Place
from pitboss.services.signing import Entry
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast
from tests.floor.markers import drawn

RECEIPT = Entry(said={"bank_receipt": "FB-20260116"})


def consolidate(cast: Cast, patron: Patron, serials: Collection[str]) -> Slip:
    """Let Erin replace markers by one check, which waits for its patron."""
    new = CONSOLIDATION.at(patron=patron, marker=list(serials))
    return raise_kind(new, pen=cast.pen(cast.erin, Place.CAGE), shown=shown_before(new))


def join(cast: Cast, patron: Patron, serials: Collection[str]) -> Marker:
    """Replace markers by one check that its patron and Trent sign."""
    slip = consolidate(cast, patron, serials)
    cast.sign(slip, "patron_signed", cast.erin, Place.CAGE, entry=Entry(drawn=drawn(slip)))
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    return Marker.objects.get(slip=slip)


def prepare(cast: Cast, serials: Collection[str], by: Person | None = None) -> Slip:
    """Let Erin put checks in a batch."""
    new = CHECK_DEPOSIT.at(check=list(serials))
    return raise_kind(new, pen=cast.pen(by or cast.erin, Place.CAGE), shown=shown_before(new))


def deposit_checks(cast: Cast, serials: Collection[str]) -> list[CheckDeposit]:
    """Bring checks to the bank: Ruth verifies the batch with the receipt."""
    slip = prepare(cast, serials)
    cast.sign(slip, "batch_verified", cast.ruth, Place.OFFICE, entry=RECEIPT)
    return list(CheckDeposit.objects.filter(slip=slip).order_by("id"))


def send_back(cast: Cast, deposit: CheckDeposit, by: Person | None = None) -> Slip:
    """Enter that the bank returned a check of a batch."""
    original = Slip.objects.get(pk=deposit.slip_id)
    back = CHECK_RETURN.at(original=original, deposit=deposit)
    pen = cast.pen(by or cast.ruth, Place.OFFICE)
    return raise_kind(back, pen=pen, shown=shown_before(back), reason="No funds.")


def contact(cast: Cast, patron: Patron, by: Person | None = None) -> CollectionContact:
    """Log a call of Colin."""
    return log_contact(
        patron=patron,
        how="phone",
        says="Promised to pay on Friday.",
        next_on=None,
        person=by or cast.colin,
        device=cast.devices[Place.OFFICE],
        request_id=uuid4(),
    )


def give_up(
    cast: Cast, marker: Marker, cents: int, *, by: Person | None = None, what: str = "write_off"
) -> Slip:
    """Propose to write a marker off as Colin, or as somebody else."""
    original = Slip.objects.get(pk=marker.slip_id)
    new = WRITE_OFF.at(original=original, what=what, amount=cents)
    pen = cast.pen(by or cast.colin, Place.OFFICE)
    return raise_kind(new, pen=pen, shown=shown_before(new), reason="Moved abroad.")


def write_off(cast: Cast, marker: Marker, cents: int, what: str = "write_off") -> Slip:
    """Write a marker off: Colin proposes, Nora approves."""
    slip = give_up(cast, marker, cents, what=what)
    cast.sign(slip, "approved", cast.nora, Place.OFFICE)
    slip.refresh_from_db()
    return slip


def recover(cast: Cast, written: Slip, cents: int, means: str = "cash", **given: Any) -> Slip:
    """Take money for what was written off."""
    original = Slip.objects.get(pk=written.pk)
    new = MARKER_RECOVERY.at(original=original, means=means, amount=cents, **given)
    slip = raise_kind(new, pen=cast.pen(cast.erin, Place.CAGE), shown=shown_before(new))
    cast.sign(slip, "payment_verified", cast.trent, Place.CAGE)
    return slip
