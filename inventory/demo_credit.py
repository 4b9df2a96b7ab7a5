"""Credit of the demo: a marker that the bank returned, one in collection, others not due yet."""

from __future__ import annotations

from uuid import uuid4

from inventory.demo_patrons import borrow, patron_on_file
from inventory.kinds.check_deposit import CHECK_DEPOSIT
from inventory.kinds.check_return import CHECK_RETURN
from inventory.kinds.marker_transfer import MARKER_TRANSFER
from inventory.models import CheckDeposit, Marker
from inventory.services.collecting import log_contact
from pitboss.demo import demo_device, demo_pen, demo_person
from pitboss.demo_clock import let_time_pass
from pitboss.models import Pit, Slip, Table
from pitboss.rules.roles import Place, Role
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, sign
from pitboss.slips.raising import raise_kind, shown_before

# Who borrowed on the first day, and how much: the last two checks come back from the bank.
_BORROWED = ((0, 100_000), (4, 150_000), (5, 300_000))
_RETURNED = (4, 5)
_COLLECTED = 5


def lend_on_the_first_day() -> None:
    """Let patrons borrow at a table that is open, and bring the markers to the cage."""
    table = Table.objects.filter(is_open=True).select_related("pit").order_by("name")[0]
    serials = []
    for index, cents in _BORROWED:
        borrow(table, patron_on_file(index), cents)
        serials.append(str(Marker.objects.latest("id")))
    _to_the_cage(table.pit, serials)


def _to_the_cage(pit: Pit, serials: list[str]) -> None:
    sent = MARKER_TRANSFER.at(pit=pit, marker=serials)
    pen = demo_pen(demo_person(Role.SUPERVISOR), demo_device(Place.PIT, pit))
    slip = raise_kind(sent, pen=pen, shown=shown_before(sent))
    _sign(slip, "taken_by_cage", Role.CASHIER, Place.CAGE)


def bring_checks_to_the_bank() -> None:
    """Put some markers in a batch for the bank, which gives its receipt."""
    patrons = [patron_on_file(index) for index in _RETURNED]
    markers = Marker.objects.filter(patron__in=patrons).order_by("id")
    batch = CHECK_DEPOSIT.at(check=[str(marker) for marker in markers])
    pen = demo_pen(demo_person(Role.CASHIER), demo_device(Place.CAGE))
    slip = raise_kind(batch, pen=pen, shown=shown_before(batch))
    entry = Entry(said={"bank_receipt": "GSB-204418"})
    _sign(slip, "batch_verified", Role.ACCOUNTING, Place.OFFICE, entry)


def get_checks_back() -> None:
    """Let the bank return what it did not pay; a collector calls about one of them."""
    for index in _RETURNED:
        patron = patron_on_file(index)
        deposit = CheckDeposit.objects.get(patron=patron)
        original = Slip.objects.get(pk=deposit.slip_id)
        back = CHECK_RETURN.at(original=original, deposit=deposit)
        pen = demo_pen(demo_person(Role.ACCOUNTING), demo_device(Place.OFFICE))
        raise_kind(back, pen=pen, shown=shown_before(back), reason="Insufficient funds.")
    let_time_pass()
    log_contact(
        patron=patron_on_file(_COLLECTED),
        how="phone",
        says="Says that the bank was changed. Brings a cashier’s check on Friday.",
        next_on=None,
        person=demo_person(Role.COLLECTOR),
        device=demo_device(Place.OFFICE),
        request_id=uuid4(),
    )


def _sign(slip: Slip, step: str, role: Role, place: Place, entry: Entry | None = None) -> None:
    sign(
        slip_id=slip.pk,
        step=step,
        pen=demo_pen(demo_person(role), demo_device(place)),
        shown=slip_shown(Slip.objects.get(pk=slip.pk)),
        entry=entry or Entry(),
    )
