"""A deposit, a withdrawal or a draw of the wrong patron, account or amount is put right by two."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from inventory.kinds.deposits import FRONT_WITHDRAWAL
from inventory.models import CashEntry, DepositAccount, DepositEntry, Holder, Patron
from inventory.selectors.cash_log import DayPerson, day_sum
from inventory.selectors.cheques import balances, counts_off_the_ledger, holding_of, tray_holding
from inventory.selectors.deposits import balance_cents, usable_cents
from pitboss.models import FloorException, Person, Slip
from pitboss.rules.flows.flows import Track
from pitboss.rules.patrons.cash_log import Direction
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from tables.kinds.late_front import LATE_DEPOSIT, LATE_WITHDRAWAL
from tables.reports.win import table_report
from tests.floor.cage import open_with, receive
from tests.floor.cast import Cast, ServerClock, add_person, refused
from tests.floor.corrections import approve, propose
from tests.floor.deposits import begin, by_patron, deposit
from tests.floor.drop_box import count_and_post, pull
from tests.floor.markers import TRAY, make_patron
from tests.floor.outages import declare
from tests.floor.tablets import signed_in, words
from tests.inventory.test_front_draw import draw, sign_out
from tests.tables.test_late_front import at_the_cage, by_trent, drawn

pytestmark = pytest.mark.django_db(transaction=True)
KIND = "deposit_correction"
FRONT, SAFE = DepositAccount.FRONT_MONEY, DepositAccount.SAFEKEEPING


@pytest.fixture
def ana(cast: Cast, server_clock: ServerClock) -> Patron:
    receive(cast, {10_000: 400, 2_500: 400})
    open_with(cast, TRAY)
    server_clock.move(minutes=10)
    return make_patron(cast, tax_id="123-45-6789")


@pytest.fixture
def anna(cast: Cast) -> Patron:
    return make_patron(cast, "Anna", tax_id="987-65-4321")


@pytest.fixture
def carl(cast: Cast) -> Person:
    """A cashier who took no deposit."""
    return add_person("carl", "951", Role.CASHIER)


@pytest.fixture
def tina(cast: Cast) -> Person:
    """A cage manager who verified none."""
    return add_person("tina", "952", Role.CAGE_MANAGER)


def corrected(
    cast: Cast,
    slip: Slip,
    carl: Person,
    tina: Person,
    cheques: dict[int, int] | None = None,
    **given: Any,
) -> Slip:
    correction = propose(cast, KIND, slip, cheques or {}, by=carl, place=Place.CAGE, **given)
    return approve(cast, correction, tina, place=Place.CAGE)


def cash_of(patron: Patron, way: Direction = Direction.IN) -> int:
    return day_sum(DayPerson(patron), house.period_at(house.now()).gaming_day, way)


def withdrawn(cast: Cast, patron: Patron, cents: int) -> Slip:
    slip = begin(cast, FRONT_WITHDRAWAL, patron, account="front_money", amount=cents)
    by_patron(cast, slip)
    slip.refresh_from_db()
    return slip


def is_sound() -> bool:
    adds_up = all(balance.adds_up for balance in balances()) and not counts_off_the_ledger()
    return adds_up and verify().is_sound


def test_a_deposit_of_another_patron_goes_to_their_account_with_its_cash(
    cast: Cast, ana: Patron, anna: Patron, carl: Person, tina: Person
) -> None:
    slip = deposit(cast, ana, 250_000)
    correction = corrected(
        cast, slip, carl, tina, patron=anna, amount=230_000, account="safekeeping"
    )
    assert correction.status == "done"
    assert (balance_cents(ana, FRONT), balance_cents(anna, SAFE)) == (0, 230_000)
    assert usable_cents(anna, SAFE, house.now()) == 230_000
    assert (cash_of(ana), cash_of(anna)) == (0, 230_000)
    assert ["Patron", str(ana), str(anna)] in correction.details["lines"]
    assert [f"Safekeeping of {anna}", "$0", "$2,300"] in correction.details["restated"]
    assert is_sound()


def test_the_amount_alone_moves_the_difference_and_a_correction_is_corrected(
    cast: Cast, ana: Patron, carl: Person, tina: Person
) -> None:
    slip = deposit(cast, ana, 250_000)
    first = corrected(cast, slip, carl, tina, amount=300_000)
    assert DepositEntry.objects.get(slip=first).amount_cents == 50_000
    others = add_person("cora", "953", Role.CASHIER), add_person("theo", "954", Role.CAGE_MANAGER)
    corrected(cast, first, *others, amount=200_000)
    assert balance_cents(ana, FRONT) == 200_000 == cash_of(ana)
    assert is_sound()


def test_a_withdrawal_is_given_back_and_taken_from_who_had_it(
    cast: Cast, ana: Patron, anna: Patron, carl: Person, tina: Person
) -> None:
    for patron in (ana, anna):
        deposit(cast, patron, 500_000)
    slip = withdrawn(cast, ana, 200_000)
    corrected(cast, slip, carl, tina, patron=anna)
    assert (balance_cents(ana, FRONT), balance_cents(anna, FRONT)) == (500_000, 300_000)
    assert (cash_of(ana, Direction.OUT), cash_of(anna, Direction.OUT)) == (0, 200_000)
    assert is_sound()


def test_money_that_was_used_already_is_asked_after(
    cast: Cast, ana: Patron, carl: Person, tina: Person
) -> None:
    slip = deposit(cast, ana, 500_000)
    withdrawn(cast, ana, 400_000)
    correction = corrected(cast, slip, carl, tina, amount=300_000)
    item = FloorException.objects.get(slip=correction, code="deposit_overdrawn")
    assert item.details["short_cents"] == 100_000
    assert balance_cents(ana, FRONT) == 0


def test_what_is_taken_of_a_check_that_has_not_cleared_leaves_other_money_usable(
    cast: Cast, ana: Patron, carl: Person, tina: Person
) -> None:
    deposit(cast, ana, 100_000)
    check = {"means": "personal_check", "issuer": "First Bank", "reference": "7"}
    slip = deposit(cast, ana, 100_000, **check)
    correction = corrected(cast, slip, carl, tina, amount=40_000)
    assert (balance_cents(ana, FRONT), usable_cents(ana, FRONT, house.now())) == (140_000, 100_000)
    clears = DepositEntry.objects.get(slip=correction).usable_at
    assert usable_cents(ana, FRONT, clears) == 140_000
    withdrawn(cast, ana, 100_000)
    assert (balance_cents(ana, FRONT), usable_cents(ana, FRONT, house.now())) == (40_000, 0)


def test_a_deposit_in_cheques_is_in_the_cage_as_it_was_brought(
    cast: Cast, ana: Patron, carl: Person, tina: Person
) -> None:
    deposit(cast, ana, 500_000)
    sign_out(cast, draw(cast, ana, 300_000))
    held = holding_of(Holder.CAGE)
    slip = deposit(cast, ana, 0, means="cheques", cheques={10_000: 20})
    corrected(cast, slip, carl, tina, {10_000: 15})
    assert holding_of(Holder.CAGE)[10_000] == held[10_000] + 15
    assert balance_cents(ana, FRONT) == 350_000
    assert is_sound()


def test_a_draw_restates_the_win_of_its_table(
    cast: Cast, ana: Patron, carl: Person, tina: Person, server_clock: ServerClock
) -> None:
    deposit(cast, ana, 500_000)
    slip = draw(cast, ana, 300_000)
    sign_out(cast, slip)
    slip.refresh_from_db()
    server_clock.move(minutes=30)
    cast.close_table(dict(tray_holding(cast.table)))
    count_and_post(cast, pull(cast), {"cash_10000": 800_000})
    day = house.period_at(house.now()).gaming_day
    before = table_report(cast.table, day).final
    corrected(cast, slip, carl, tina, {10_000: 20})
    after = table_report(cast.table, day).final
    assert before is not None
    assert after is not None
    assert after.win_cents == before.win_cents - 100_000
    assert balance_cents(ana, FRONT) == 300_000
    assert is_sound()


def test_late_money_is_corrected_as_any_other(
    cast: Cast,
    ana: Patron,
    anna: Patron,
    carl: Person,
    tina: Person,
    server_clock: ServerClock,
) -> None:
    declare(cast)
    server_clock.move(minutes=10)
    at = house.now()
    server_clock.move(minutes=10)
    put_in = by_trent(cast, at_the_cage(cast, LATE_DEPOSIT, ana, at, means="cash", amount=500_000))
    took = by_trent(cast, at_the_cage(cast, LATE_WITHDRAWAL, ana, at, amount=50_000))
    played = drawn(cast, ana, at)
    corrected(cast, put_in, carl, tina, amount=600_000)
    corrected(cast, took, carl, tina, amount=40_000)
    held = tray_holding(cast.table)
    corrected(cast, played, carl, tina, {10_000: 10})
    assert tray_holding(cast.table)[10_000] == held[10_000] + 20
    assert balance_cents(ana, FRONT) == 600_000 - 40_000 - 100_000
    assert {cash_entry.at for cash_entry in CashEntry.objects.filter(reverses=None)} >= {at}
    assert is_sound()


def test_who_signed_it_corrects_nothing_and_what_stays_is_no_correction(
    cast: Cast, ana: Patron, carl: Person, tina: Person
) -> None:
    slip = deposit(cast, ana, 250_000)
    with refused("signed_original"):
        propose(cast, KIND, slip, {}, by=cast.erin, place=Place.CAGE, amount=1)
    with refused("nothing_changes"):
        propose(cast, KIND, slip, {}, by=carl, place=Place.CAGE)
    open_one = propose(cast, KIND, slip, {}, by=carl, place=Place.CAGE, amount=100_000)
    with refused("already_corrected"):
        propose(cast, KIND, slip, {}, by=carl, place=Place.CAGE, amount=90_000)
    with refused("signed_original"):
        cast.sign(open_one, "approved", cast.trent, Place.CAGE)
    cast.sign(open_one, "refused", tina, Place.CAGE, entry=Entry(reason="No."), track=Track.VOID)
    assert balance_cents(ana, FRONT) == 250_000


@pytest.mark.parametrize(
    "change", [{"amount_cents": 1}, {"move": "raised"}, {"account": "safekeeping"}]
)
def test_past_the_service_a_deposit_moves_only_as_its_correction_says(
    cast: Cast, ana: Patron, carl: Person, tina: Person, change: dict[str, Any]
) -> None:
    slip = deposit(cast, ana, 250_000)
    correction = corrected(cast, slip, carl, tina, amount=200_000)
    entry = {
        "patron": ana,
        "account": "front_money",
        "move": "lowered",
        "amount_cents": 50_000,
        "usable_at": house.now(),
        "slip": correction,
        "gaming_day": correction.gaming_day,
        "shift": correction.shift,
        "at": house.now(),
    }
    with pytest.raises(DatabaseError, match=r"deposit .* refused"), transaction.atomic():
        DepositEntry.objects.create(**(entry | change))


def test_a_finished_deposit_leads_to_its_correction(cast: Cast, ana: Patron, carl: Person) -> None:
    slip = deposit(cast, ana, 250_000)
    cage = signed_in(carl, cast, Place.CAGE)
    assert "Correct…" in words(cage.get(f"/slips/{slip.serial}/"))
    page = words(cage.get(f"/slips/new/{KIND}/?of={slip.serial}"))
    assert "$2,500" in page
    assert "Another patron…" in page


def test_the_database_keeps_one_correction_a_deposit_and_its_signers_apart(
    cast: Cast, ana: Patron, carl: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    slip = deposit(cast, ana, 250_000)
    correction = propose(cast, KIND, slip, {}, by=carl, place=Place.CAGE, amount=100_000)
    twin = Slip.objects.get(pk=correction.pk)
    twin.pk, twin.number, twin.serial = None, 999_999, "X-1"
    with pytest.raises(IntegrityError, match="one_correction_a_document"), transaction.atomic():
        twin.save(force_insert=True)
    monkeypatch.setattr("pitboss.slips.correcting.signer_refusals", lambda *told: [])
    with pytest.raises(IntegrityError, match="they signed what this corrects"):
        cast.sign(correction, "approved", cast.trent, Place.CAGE)
