"""A payment by check, by wire or from front money of the wrong patron or amount is put right."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from inventory.kinds.marker_payment_means import (
    MARKER_PAYMENT_FRONT,
    MARKER_PAYMENT_ISSUED,
    MARKER_PAYMENT_WIRE,
)
from inventory.models import DepositAccount, Patron, PaymentInstrument
from inventory.reports.instruments import instruments
from inventory.selectors.checks import personal_checks
from inventory.selectors.credit import credit_of
from inventory.selectors.deposits import balance_cents
from inventory.selectors.marker_log import log_differences
from pitboss.models import FloorException, Person, Slip
from pitboss.reports.report import ReportChoice
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from tests.floor.cage import open_with, receive
from tests.floor.cast import Cast, ServerClock, add_person, refused
from tests.floor.check_bank import deposit_checks, send_back
from tests.floor.corrections import approve, propose
from tests.floor.deposits import begin, by_patron, deposit
from tests.floor.markers import TRAY, grant, issue, lend, make_patron, transfer
from tests.floor.tablets import signed_in, words
from tests.inventory.test_payment_means import bring_back, check

pytestmark = pytest.mark.django_db(transaction=True)
KIND = "payment_correction"
FRONT = DepositAccount.FRONT_MONEY


def owing(cast: Cast, cents: int, first: str = "Ana", **more: Any) -> Patron:
    """Return a patron who owes so much on a marker at the cage, of a line of $10,000."""
    patron = make_patron(cast, first, **more)
    grant(cast, patron, 1_000_000)
    transfer(cast, [str(lend(cast, patron, cents))])
    return patron


@pytest.fixture
def ana(cast: Cast) -> Patron:
    receive(cast, {10_000: 400, 2_500: 400})
    open_with(cast, TRAY)
    return owing(cast, 600_000, tax_id="123-45-6789")


@pytest.fixture
def anna(cast: Cast, ana: Patron) -> Patron:
    return owing(cast, 400_000, "Anna", tax_id="987-65-4321")


@pytest.fixture
def carl(cast: Cast) -> Person:
    """A cashier who took no payment."""
    return add_person("carl", "951", Role.CASHIER)


@pytest.fixture
def tina(cast: Cast) -> Person:
    """A cage manager who verified none."""
    return add_person("tina", "952", Role.CAGE_MANAGER)


@pytest.fixture
def others() -> tuple[Person, Person]:
    return add_person("cleo", "953", Role.CASHIER), add_person("tom", "954", Role.CAGE_MANAGER)


def corrected(cast: Cast, slip: Slip, carl: Person, tina: Person, **given: Any) -> Slip:
    proposed = propose(cast, KIND, slip, {}, by=carl, place=Place.CAGE, **given)
    return approve(cast, proposed, tina, place=Place.CAGE)


def owes(patron: Patron) -> tuple[int, int]:
    """Return what a patron owes, and what they can draw now."""
    credit = credit_of(patron, house.now())
    return credit.outstanding_cents, credit.remaining_cents


def wire(cast: Cast, patron: Patron, cents: int) -> Slip:
    slip = begin(cast, MARKER_PAYMENT_WIRE, patron, amount=cents, issuer="Harbor", reference="W-77")
    cast.sign(slip, "wire_credited", cast.trent, Place.CAGE)
    return slip


def listed() -> list[tuple[object, object]]:
    """Return the amount and the name on each line of today's instrument list."""
    day = house.period_at(house.now()).gaming_day
    (section,) = instruments(ReportChoice(day, day)).sections
    return [(row.cells[1].value, row.cells[2].value) for row in section.rows]


def is_sound(slip: Slip) -> bool:
    return log_differences(slip.gaming_day) == [] and verify().is_sound


def test_a_check_of_another_patron_pays_their_marker_and_waits_on_their_line(
    cast: Cast,
    ana: Patron,
    anna: Patron,
    carl: Person,
    tina: Person,
    server_clock: ServerClock,
) -> None:
    paid = check(cast, ana, 300_000)
    assert owes(ana) == (300_000, 400_000)
    assert [item.patron for item in personal_checks()] == [ana]
    with refused("signed_original"):
        propose(cast, KIND, paid, {}, by=cast.trent, place=Place.CAGE, patron=anna)
    with refused("nothing_changes"):
        propose(cast, KIND, paid, {}, by=carl, place=Place.CAGE, patron=ana)
    with refused("more_than_owed"):
        propose(cast, KIND, paid, {}, by=carl, place=Place.CAGE, patron=anna, amount=400_001)
    with refused("bad_amount"):
        propose(cast, KIND, paid, {}, by=carl, place=Place.CAGE, patron=anna, amount=-1)
    correction = corrected(cast, paid, carl, tina, patron=anna)
    # What Ana could draw before is hers at once; Anna's line waits for the check.
    assert owes(ana) == (600_000, 400_000)
    assert owes(anna) == (100_000, 600_000)
    assert ["Anna Ruiz owes", "$4,000", "$1,000"] in correction.details["restated"]
    # The check is hers now: it goes to the bank once, in her name.
    assert [(item.patron, item.serial) for item in personal_checks()] == [(anna, correction.serial)]
    assert listed() == [(300_000, "Anna Ruiz")]
    with refused("over_line"):
        issue(cast, anna, 600_100, cheques={10_000: 60, 100: 1})
    for patron in (ana, anna):
        page = words(signed_in(cast.trent, cast, Place.CAGE).get(f"/patrons/{patron.pk}/"))
        assert paid.serial in page
        assert correction.serial in page
    waits = PaymentInstrument.objects.get(slip=correction).free_at
    assert waits == PaymentInstrument.objects.get(slip=paid).free_at
    server_clock.now = waits
    assert owes(anna) == (100_000, 900_000)
    assert is_sound(correction)


def test_a_check_at_the_bank_is_corrected_when_it_has_cleared(
    cast: Cast,
    ana: Patron,
    anna: Patron,
    carl: Person,
    tina: Person,
    server_clock: ServerClock,
) -> None:
    paid = check(cast, ana, 300_000)
    proposed = propose(cast, KIND, paid, {}, by=carl, place=Place.CAGE, patron=anna)
    (sent,) = deposit_checks(cast, [paid.serial])
    with refused("check_at_bank"):
        cast.sign(proposed, "approved", tina, Place.CAGE)
    late = Entry(reason="It went to the bank.")
    cast.sign(proposed, "refused", tina, Place.CAGE, entry=late, track=Track.VOID)
    with refused("check_at_bank"):
        propose(cast, KIND, paid, {}, by=carl, place=Place.CAGE, patron=anna)
    server_clock.now = PaymentInstrument.objects.get(slip=paid).free_at + timedelta(minutes=1)
    correction = corrected(cast, paid, carl, tina, patron=anna)
    # It has cleared: neither line waits for it, and it does not go to the bank again.
    assert owes(ana) == (600_000, 400_000)
    assert owes(anna) == (100_000, 900_000)
    assert personal_checks() == []
    # What it pays now is not the bank's to take back.
    with refused("payment_corrected"):
        send_back(cast, sent)
    assert is_sound(correction)


def test_what_the_bank_returned_is_owed_already(
    cast: Cast, ana: Patron, anna: Patron, carl: Person
) -> None:
    paid = check(cast, ana, 300_000)
    bring_back(cast, paid)
    with refused("check_returned"):
        propose(cast, KIND, paid, {}, by=carl, place=Place.CAGE, patron=anna)


def test_a_corrected_check_comes_back_from_the_batch_that_it_went_in(
    cast: Cast, ana: Patron, anna: Patron, carl: Person, tina: Person
) -> None:
    paid = check(cast, ana, 300_000)
    correction = corrected(cast, paid, carl, tina, patron=anna)
    with refused("payment_corrected"):
        bring_back(cast, paid)
    (sent,) = deposit_checks(cast, [correction.serial])
    returned = send_back(cast, sent)
    assert owes(anna)[0] == 400_000
    assert owes(ana)[0] == 600_000
    assert is_sound(returned)


def test_a_wire_keyed_tenfold_is_restated_and_once_more_to_nothing(
    cast: Cast, ana: Patron, carl: Person, tina: Person, others: tuple[Person, Person]
) -> None:
    paid = wire(cast, ana, 500_000)
    correction = corrected(cast, paid, carl, tina, amount=50_000)
    assert owes(ana) == (550_000, 450_000)
    assert PaymentInstrument.objects.get(slip=correction).amount_cents == 50_000
    again = corrected(cast, correction, *others, amount=0)
    assert owes(ana) == (600_000, 400_000)
    assert not PaymentInstrument.objects.filter(slip=again).exists()
    assert is_sound(again)


def test_an_instrument_that_was_worth_more_is_listed_as_what_it_was(
    cast: Cast, ana: Patron, carl: Person, tina: Person
) -> None:
    taken = {"means": "cashiers_check", "issuer": "Harbor", "reference": "9"}
    paid = begin(cast, MARKER_PAYMENT_ISSUED, ana, amount=290_000, **taken)
    cast.sign(paid, "payment_verified", cast.trent, Place.CAGE)
    assert listed() == []
    corrected(cast, paid, carl, tina, amount=320_000)
    assert listed() == [(320_000, "Ana Ruiz")]
    assert owes(ana) == (280_000, 720_000)


def test_front_money_goes_back_to_one_and_comes_from_the_other(
    cast: Cast, ana: Patron, anna: Patron, carl: Person, tina: Person
) -> None:
    deposit(cast, ana, 500_000)
    deposit(cast, anna, 200_000)
    paid = begin(cast, MARKER_PAYMENT_FRONT, ana, amount=300_000)
    by_patron(cast, paid)
    cast.sign(paid, "payment_verified", cast.trent, Place.CAGE)
    assert balance_cents(ana, FRONT) == 200_000
    correction = corrected(cast, paid, carl, tina, patron=anna)
    assert (balance_cents(ana, FRONT), owes(ana)[0]) == (500_000, 600_000)
    # Anna has $1,000 less on deposit than it took: the cage manager looks for it.
    assert (balance_cents(anna, FRONT), owes(anna)[0]) == (0, 100_000)
    flag = FloorException.objects.get(code="deposit_overdrawn", slip=correction)
    assert "front money of Anna Ruiz is $1,000 short" in flag.sentence
    restated = correction.details["restated"]
    assert ["Front money of Ana Ruiz", "$2,000", "$5,000"] in restated
    assert is_sound(correction)


def test_the_page_asks_patron_and_amount_alone(cast: Cast, ana: Patron, carl: Person) -> None:
    paid = wire(cast, ana, 500_000)
    cage = signed_in(carl, cast, Place.CAGE)
    address = f"/slips/new/{KIND}/?of={paid.serial}"
    assert address in words(cage.get(f"/slips/{paid.serial}/"))
    asked = words(cage.get(address))
    assert "Another patron…" in asked
    assert 'name="amount"' in asked
    assert 'name="cash"' not in asked
    assert 'name="cheques_' not in asked
    review = words(cage.post(address, {"amount": "500"}))
    assert "Ana Ruiz owes" in review
    assert "$5,500" in review


def test_the_database_takes_no_instrument_that_a_correction_does_not_say(
    cast: Cast, ana: Patron, anna: Patron, carl: Person, tina: Person
) -> None:
    correction = corrected(cast, wire(cast, ana, 500_000), carl, tina, amount=50_000)
    made = PaymentInstrument.objects.get(slip=correction)
    other = issue(cast, anna, 100_000)
    for changed in ({"amount_cents": 60_000}, {"means": "money_order"}, {"slip_id": other.pk}):
        copy = PaymentInstrument.objects.get(pk=made.pk)
        copy.pk = None
        for name, value in changed.items():
            setattr(copy, name, value)
        said = pytest.raises(DatabaseError, match="no slip that all have signed")
        with said, transaction.atomic():
            copy.save(force_insert=True)
