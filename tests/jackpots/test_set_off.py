"""A win set off against markers: the patron signs, the tax stays, and no cash goes out."""

from __future__ import annotations

import pytest

from inventory.models import CashEntry, Patron
from inventory.selectors.credit import credit_of
from inventory.selectors.marker_log import log_differences
from jackpots.kinds.set_off import MARKER_SET_OFF
from jackpots.models import JackpotPayment, TaxForm
from pitboss.models import Slip
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast, refused
from tests.floor.jackpots import COLOURED, award, hit, open_tables, pay, reject, released
from tests.floor.markers import drawn, grant, lend, transfer
from tests.floor.tax_papers import complete, make_winner, name_payer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ana(cast: Cast) -> Patron:
    """Ana owes $3,000 on a marker at the cage."""
    name_payer(cast)
    open_tables(cast)
    patron = make_winner(cast)
    grant(cast, patron, 1_000_000)
    transfer(cast, [str(lend(cast, patron, 300_000))])
    return patron


@pytest.fixture
def win(cast: Cast, ana: Patron) -> Slip:
    """A hit of $2,431.05, released, with Ana's forms signed."""
    slip = hit(cast, COLOURED)
    released(cast, slip)
    complete(cast, slip, ana)
    assert award(slip) == 243_105
    return slip


def offer(cast: Cast, win: Slip, patron: Patron, cents: int) -> Slip:
    win.refresh_from_db()
    off = MARKER_SET_OFF.at(win.table, original=win, patron=patron, amount=cents)
    return raise_kind(off, pen=cast.pen(cast.erin, Place.CAGE), shown=shown_before(off))


def sign_off(cast: Cast, off: Slip) -> None:
    cast.sign(off, "patron_signed", cast.erin, Place.CAGE, entry=Entry(drawn=drawn(off)))
    cast.sign(off, "payment_verified", cast.trent, Place.CAGE)


def owed(patron: Patron) -> int:
    return credit_of(patron, house.now()).outstanding_cents


def test_a134_a_jackpot_set_off_with_the_patrons_signature_pays_the_marker_and_no_cash(
    cast: Cast, win: Slip, ana: Patron
) -> None:
    off = offer(cast, win, ana, 243_105)
    with refused("drawing_missing", "id_not_matched"):
        cast.sign(off, "patron_signed", cast.erin, Place.CAGE)
    with refused("set_off_under_way"):
        pay(cast, win)
    sign_off(cast, off)
    assert owed(ana) == 300_000
    assert log_differences(win.gaming_day) == []
    with refused("set_off_at_cage", "tray_pays_no_cents"):
        pay(cast, win, "tray", counted={10_000: 24})
    pay(cast, win)
    assert owed(ana) == 56_895
    payment = JackpotPayment.objects.get(jackpot__slip=win)
    assert (payment.award_cents, payment.paid_cents) == (243_105, 243_105)
    assert TaxForm.objects.get().boxes["1"] == "2426.05"
    assert not CashEntry.objects.exists()
    assert log_differences(win.gaming_day) == []
    assert verify().is_sound


def test_what_is_not_set_off_goes_out_in_cash(cast: Cast, win: Slip, ana: Patron) -> None:
    sign_off(cast, offer(cast, win, ana, 200_000))
    pay(cast, win)
    assert owed(ana) == 100_000
    assert CashEntry.objects.get().amount_cents == 43_105


def test_a_win_that_is_rejected_after_all_pays_no_marker(
    cast: Cast, win: Slip, ana: Patron
) -> None:
    sign_off(cast, offer(cast, win, ana, 243_105))
    reject(cast, win)
    assert owed(ana) == 300_000


def test_more_than_the_winner_gets_or_somebody_elses_win_is_refused(
    cast: Cast, win: Slip, ana: Patron
) -> None:
    with refused("set_off_too_large"):
        offer(cast, win, ana, 243_106)
    bea = make_winner(cast, "Bea", "Stone", tax_id="987-65-4321")
    with refused("winner_unnamed", "nothing_owed"):
        offer(cast, win, bea, 1_000)
    sign_off(cast, offer(cast, win, ana, 100_000))
    with refused("already_set_off", "payment_under_way"):
        offer(cast, win, ana, 1_000)


def test_a_win_that_is_not_released_is_not_set_off(cast: Cast, ana: Patron) -> None:
    slip = hit(cast, COLOURED)
    with refused("win_not_released", "winner_unnamed"):
        offer(cast, slip, ana, 1_000)
