"""A marker payment of the wrong patron or amount is taken back and applied to the newest first."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from inventory.models import CashEntry, MarkerEntry, MarkerMove, Patron
from inventory.selectors.cash_log import DayPerson, day_sum
from inventory.selectors.cheques import (
    balances,
    cage_holding,
    counts_off_the_ledger,
    tray_holding,
)
from inventory.selectors.credit import credit_of, outstanding
from inventory.selectors.marker_log import log_differences
from pitboss.models import Person, Slip
from pitboss.rules.cheques.cheques import total_cents
from pitboss.rules.flows.flows import Track
from pitboss.rules.patrons.cash_log import Direction
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from tables.reports.win import TableWin, table_report
from tests.floor.cast import Cast, ServerClock, add_person, refused
from tests.floor.corrections import approve, propose
from tests.floor.drop_box import count_and_post, pull
from tests.floor.markers import TRAY, grant, lend, make_patron, pay, transfer
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db(transaction=True)
KIND = "payment_correction"


@pytest.fixture
def ana(cast: Cast, server_clock: ServerClock) -> Patron:
    """Ana Ruiz, who owes $3,000 on one marker and $1,000 on a newer one."""
    ana = make_patron(cast)
    grant(cast, ana, 1_000_000)
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(minutes=10)
    lend(cast, ana, 300_000)
    server_clock.move(minutes=1)
    lend(cast, ana, 100_000)
    server_clock.move(minutes=10)
    return ana


@pytest.fixture
def carl(cast: Cast) -> Person:
    """A cashier who took no payment."""
    return add_person("carl", "951", Role.CASHIER)


@pytest.fixture
def tina(cast: Cast) -> Person:
    """A cage manager who granted no line."""
    return add_person("tina", "952", Role.CAGE_MANAGER)


def owed(patron: Patron) -> int:
    return credit_of(patron, house.now()).outstanding_cents


def left_of(patron: Patron) -> list[int]:
    """Return what is owed on each marker, the newest first."""
    return [
        item.balance_cents for item in outstanding(house.period_at(house.now()).gaming_day, patron)
    ]


def cash_of(patron: Patron) -> int:
    return day_sum(DayPerson(patron), house.period_at(house.now()).gaming_day, Direction.IN)


def report(cast: Cast) -> TableWin:
    return table_report(cast.table, house.period_at(house.now()).gaming_day)


def is_sound(day: Slip) -> bool:
    adds_up = all(balance.adds_up for balance in balances()) and not counts_off_the_ledger()
    return adds_up and not log_differences(day.gaming_day) and verify().is_sound


def test_a_payment_of_another_patron_is_taken_back_and_applied_to_theirs(
    cast: Cast, ana: Patron, carl: Person, tina: Person, server_clock: ServerClock
) -> None:
    anna = make_patron(cast, "Anna")
    grant(cast, anna, 1_000_000)
    lend(cast, anna, 200_000)
    paid = pay(cast, ana, cheques={10_000: 10}, cash_cents=50_000)
    assert (left_of(ana), cash_of(ana)) == ([250_000], 50_000)
    server_clock.move(hours=1)
    cast.close_table(dict(tray_holding(cast.table)))
    count_and_post(cast, pull(cast), {"cash_10000": 800_000})
    win, tray = report(cast).final_cents, tray_holding(cast.table)
    with refused("signed_original", "wrong_role", "wrong_place"):
        propose(cast, KIND, paid, {10_000: 10}, by=cast.dan, patron=anna, cash=50_000)
    with refused("nothing_changes"):
        propose(cast, KIND, paid, {10_000: 10}, by=carl, place=Place.CAGE, patron=ana, cash=50_000)
    with refused("more_than_owed"):
        propose(cast, KIND, paid, {10_000: 30}, by=carl, place=Place.CAGE, patron=anna, cash=50_000)
    proposed = propose(
        cast, KIND, paid, {10_000: 10}, by=carl, place=Place.CAGE, patron=anna, cash=50_000
    )
    correction = approve(cast, proposed, tina, place=Place.CAGE)
    assert left_of(ana) == [100_000, 300_000]
    assert left_of(anna) == [50_000]
    assert (cash_of(ana), cash_of(anna)) == (0, 50_000)
    assert (report(cast).final_cents, tray_holding(cast.table)) == (win, tray)
    restated = correction.details["restated"]
    assert ["Ana Ruiz owes", "$2,500", "$4,000"] in restated
    assert ["Anna Ruiz owes", "$2,000", "$500"] in restated
    for patron in (ana, anna):
        page = words(signed_in(cast.trent, cast, Place.CAGE).get(f"/patrons/{patron.pk}/"))
        assert paid.serial in page
        assert correction.serial in page
    assert is_sound(correction)


def test_a_wrong_amount_is_restated_in_tray_cash_and_win_and_once_more(
    cast: Cast, ana: Patron, carl: Person, tina: Person, server_clock: ServerClock
) -> None:
    paid = pay(cast, ana, cheques={10_000: 20}, cash_cents=20_000)
    assert left_of(ana) == [180_000]
    held = total_cents(tray_holding(cast.table))
    proposed = propose(cast, KIND, paid, {10_000: 2}, by=carl, place=Place.CAGE, cash=80_000)
    approve(cast, proposed, tina, place=Place.CAGE)
    # $1,000 in all: the newer marker is paid, the older one is owed whole again.
    assert (left_of(ana), cash_of(ana)) == ([300_000], 80_000)
    assert total_cents(tray_holding(cast.table)) == held - 180_000
    server_clock.move(hours=1)
    cast.close_table(dict(tray_holding(cast.table)))
    figures = report(cast).figures
    assert (figures.marker_payments_cents, figures.marker_cash_cents) == (100_000, 80_000)
    # Nothing was paid after all. What was corrected is corrected again, by others.
    others = add_person("cleo", "953", Role.CASHIER), add_person("tom", "954", Role.CAGE_MANAGER)
    again = propose(cast, KIND, proposed, {}, by=others[0], place=Place.CAGE, cash=0)
    approve(cast, again, others[1], place=Place.CAGE)
    assert (left_of(ana), cash_of(ana)) == ([100_000, 300_000], 0)
    figures = report(cast).figures
    assert (figures.marker_payments_cents, figures.marker_cash_cents) == (0, 0)
    assert CashEntry.objects.filter(reverses__isnull=False).count() == 2
    assert is_sound(again)


def test_at_the_cage_a_payment_is_corrected_in_the_cage(
    cast: Cast, ana: Patron, carl: Person, tina: Person
) -> None:
    day = house.period_at(house.now()).gaming_day
    transfer(cast, [item.marker.slip.serial for item in outstanding(day, ana)])
    paid = pay(cast, ana, cheques={10_000: 5}, at_cage=True)
    held = cage_holding()[10_000]
    cage = signed_in(carl, cast, Place.CAGE)
    address = f"/slips/new/{KIND}/?of={paid.serial}"
    assert address in words(cage.get(f"/slips/{paid.serial}/"))
    asked = words(cage.get(address))
    assert "Another patron…" in asked
    review = words(cage.post(address, {"cheques_10000": "8", "cash": ""}))
    assert "Ana Ruiz owes" in review
    proposed = propose(cast, KIND, paid, {10_000: 8}, by=carl, place=Place.CAGE)
    # While it waits another payment is taken: what it says of the markers is no longer true.
    later = pay(cast, ana, cheques={10_000: 6}, at_cage=True)
    assert later.status == "done"
    with refused("balance_changed"):
        cast.sign(proposed, "approved", tina, Place.CAGE)
    issued = MarkerEntry.objects.filter(move=MarkerMove.PAID).first()
    assert issued is not None
    issued.pk, issued.move = None, MarkerMove.REVERSED.value
    with pytest.raises(IntegrityError, match="no signed correction"), transaction.atomic():
        issued.save(force_insert=True)
    cast.sign(
        proposed, "refused", tina, Place.CAGE, entry=Entry(reason="Paid since."), track=Track.VOID
    )
    proposed = propose(cast, KIND, paid, {10_000: 8}, by=carl, place=Place.CAGE)
    correction = approve(cast, proposed, tina, place=Place.CAGE)
    assert owed(ana) == 400_000 - 140_000
    assert cage_holding()[10_000] == held + 6 + 3
    assert is_sound(correction)
