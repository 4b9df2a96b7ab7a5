"""Markers paid by check, by wire, from front money: what each needs, and when credit is back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from inventory.kinds.check_return import CHECK_RETURN
from inventory.kinds.deposits import FRONT_DEPOSIT, FRONT_WITHDRAWAL
from inventory.kinds.marker_payment_means import (
    MARKER_PAYMENT_CHECK,
    MARKER_PAYMENT_FRONT,
    MARKER_PAYMENT_ISSUED,
    MARKER_PAYMENT_MAIL,
    MARKER_PAYMENT_WIRE,
)
from inventory.models import CashEntry, DepositAccount, DepositEntry, Patron, PaymentInstrument
from inventory.reports.instruments import instruments, mail_payments
from inventory.selectors.credit import credit_of
from inventory.selectors.deposits import balance_cents, usable_cents
from inventory.selectors.marker_log import log_differences
from pitboss.models import Person, Slip
from pitboss.reports.report import Finding, ReportChoice, Tone
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cage import open_with
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.deposits import begin, by_patron, deposit
from tests.floor.exclusion import RUIZ, put_on
from tests.floor.markers import TRAY, grant, issue, lend, make_patron, pay, transfer

FRONT = DepositAccount.FRONT_MONEY


@pytest.fixture
def ana(cast: Cast) -> Patron:
    open_with(cast, TRAY)
    patron = make_patron(cast, tax_id="123-45-6789", tax_id_kind="ssn")
    grant(cast, patron, 1_000_000)
    return patron


@pytest.fixture
def owes(cast: Cast, ana: Patron) -> Patron:
    """Ana owes $6,000 on a marker at the cage."""
    transfer(cast, [str(lend(cast, ana, 600_000))])
    return ana


def check(cast: Cast, patron: Patron, cents: int = 500_000, **given: Any) -> Slip:
    given = {"issuer": "First Bank", "reference": "1042", **given}
    slip = begin(cast, MARKER_PAYMENT_CHECK, patron, amount=cents, **given)
    cast.sign(slip, "payment_verified", cast.trent, Place.CAGE)
    return slip


def available(patron: Patron) -> int:
    return credit_of(patron, house.now()).remaining_cents


def test_a133_a_personal_check_pays_at_once_and_frees_the_line_when_it_clears(
    cast: Cast, owes: Patron, server_clock: ServerClock
) -> None:
    slip = check(cast, owes)
    credit = credit_of(owes, house.now())
    assert (credit.outstanding_cents, credit.remaining_cents) == (100_000, 400_000)
    instrument = PaymentInstrument.objects.get(slip=slip)
    assert (instrument.means, instrument.reference) == ("personal_check", "1042")
    with refused("over_line"):
        issue(cast, owes, 400_100, cheques={10_000: 40, 100: 1})
    server_clock.now = instrument.free_at - timedelta(seconds=1)
    assert available(owes) == 400_000
    server_clock.now = instrument.free_at
    assert available(owes) == 900_000
    assert verify().is_sound


def test_a133_a_wire_counts_with_two_signatures_of_two_people(cast: Cast, owes: Patron) -> None:
    slip = begin(cast, MARKER_PAYMENT_WIRE, owes, amount=600_000, issuer="Harbor", reference="W-77")
    assert available(owes) == 400_000
    with refused("signed_before", "wrong_role"):
        cast.sign(slip, "wire_credited", cast.erin, Place.CAGE)
    cast.sign(slip, "wire_credited", cast.trent, Place.CAGE)
    assert available(owes) == 1_000_000


@pytest.mark.parametrize("means", ["cashiers_check", "money_order", "travelers_check"])
def test_an_instrument_that_its_issuer_confirmed_frees_the_line(
    cast: Cast, owes: Patron, means: str
) -> None:
    slip = begin(
        cast,
        MARKER_PAYMENT_ISSUED,
        owes,
        means=means,
        amount=300_000,
        issuer="Harbor",
        reference="9",
    )
    assert available(owes) == 400_000
    cast.sign(slip, "payment_verified", cast.trent, Place.CAGE)
    assert available(owes) == 700_000
    assert PaymentInstrument.objects.get(slip=slip).means == means


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"issuer": ""}, "issuer_missing"),
        ({"reference": ""}, "reference_missing"),
        ({"cents": 0}, "bad_amount"),
        ({"cents": 600_001}, "more_than_owed"),
    ],
)
def test_a_check_that_lacks_something_is_refused(
    cast: Cast, owes: Patron, given: dict[str, Any], code: str
) -> None:
    with refused(code):
        check(cast, owes, **given)


def test_front_money_pays_a_marker_once_the_patron_has_signed(cast: Cast, owes: Patron) -> None:
    deposit(cast, owes, 500_000)
    slip = begin(cast, MARKER_PAYMENT_FRONT, owes, amount=300_000)
    with refused("out_of_order"):
        cast.sign(slip, "payment_verified", cast.trent, Place.CAGE)
    by_patron(cast, slip)
    cast.sign(slip, "payment_verified", cast.trent, Place.CAGE)
    assert (available(owes), balance_cents(owes, FRONT)) == (700_000, 200_000)
    # No cash changed hands: the deposit alone is in the log.
    assert [entry.kind for entry in CashEntry.objects.all()] == ["deposit"]
    with refused("deposit_short"):
        begin(cast, MARKER_PAYMENT_FRONT, owes, amount=200_001)
    assert verify().is_sound


def test_one_payment_at_a_time_whatever_it_is_paid_with(cast: Cast, owes: Patron) -> None:
    deposit(cast, owes, 500_000)
    begin(cast, MARKER_PAYMENT_FRONT, owes, amount=300_000)
    with refused("payment_under_way"):
        check(cast, owes, 100_000)


def test_a_deposited_check_can_be_used_when_it_has_cleared(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    slip = deposit(cast, ana, 100_000, means="personal_check", issuer="First Bank", reference="7")
    entry = DepositEntry.objects.get(slip=slip)
    assert (balance_cents(ana, FRONT), usable_cents(ana, FRONT, house.now())) == (100_000, 0)
    with refused("deposit_short"):
        begin(cast, FRONT_WITHDRAWAL, ana, account="front_money", amount=1)
    server_clock.now = entry.usable_at
    assert usable_cents(ana, FRONT, house.now()) == 100_000


def test_a_withdrawal_needs_the_patron_and_what_is_there(cast: Cast, ana: Patron) -> None:
    deposit(cast, ana, 2_000_000, account="safekeeping")
    with refused("deposit_short"):
        begin(cast, FRONT_WITHDRAWAL, ana, account="front_money", amount=100)
    slip = begin(cast, FRONT_WITHDRAWAL, ana, account="safekeeping", amount=500_000)
    with refused("withdrawal_under_way"):
        begin(cast, FRONT_WITHDRAWAL, ana, account="safekeeping", amount=500_000)
    with refused("drawing_missing", "id_not_matched"):
        cast.sign(slip, "patron_signed", cast.erin, Place.CAGE)
    by_patron(cast, slip)
    slip.refresh_from_db()
    assert slip.status == SlipStatus.DONE
    assert balance_cents(ana, DepositAccount.SAFEKEEPING) == 1_500_000
    assert CashEntry.objects.get(slip=slip).kind == "withdrawal"


def test_a_deposit_needs_to_know_whose_it_is(cast: Cast) -> None:
    nobody = make_patron(cast, "Bea", "Stone")
    with refused("no_tax_id"):
        deposit(cast, nobody, 100_000)


def test_a_void_deposit_was_never_there(cast: Cast, ana: Patron) -> None:
    slip = begin(cast, FRONT_DEPOSIT, ana, account="front_money", means="cash", amount=100_000)
    entry = Entry(reason="Miscounted.")
    cast.sign(slip, "voided", cast.erin, Place.CAGE, entry=entry, track=Track.VOID)
    cast.sign(slip, "void_witnessed", cast.ivan, Place.SURVEILLANCE, track=Track.VOID)
    assert balance_cents(ana, FRONT) == 0


def test_the_database_gives_out_no_more_than_is_on_deposit(cast: Cast, ana: Patron) -> None:
    slip = deposit(cast, ana, 100_000)
    entry = DepositEntry.objects.get(slip=slip)
    entry.pk = None
    entry.move = "withdrawn"
    with pytest.raises(DatabaseError, match="not signed by all"), transaction.atomic():
        entry.save(force_insert=True)
    with pytest.raises(DatabaseError), transaction.atomic():
        DepositEntry.objects.update(amount_cents=1)


@pytest.mark.django_db(transaction=True)
def test_a147_a_deposit_and_a_withdrawal_of_who_is_on_a_list_are_stopped(cast: Cast) -> None:
    open_with(cast, TRAY)
    ana = make_patron(cast, tax_id="123-45-6789", born_on="1980-02-03")
    deposit(cast, ana, 100_000)
    put_on(cast, RUIZ)
    stopped = (
        "inventory.ExclusionCase",
        "inventory.ListCheck",
        "pitboss.FloorException",
        "pitboss.Waiting",
    )
    row = ("sign_refused", "exception_opened", "patron_stopped")
    with refused("exclusion_stop", journal=row, ignoring=stopped):
        deposit(cast, ana, 100_000)
    with refused("exclusion_stop", journal=("sign_refused", "patron_stopped"), ignoring=stopped):
        begin(cast, FRONT_WITHDRAWAL, ana, account="front_money", amount=100)


def bring_back(cast: Cast, paid: Slip, by: Person | None = None) -> Slip:
    paid.refresh_from_db()
    returned = CHECK_RETURN.at(original=paid)
    pen = cast.pen(by or cast.ruth, Place.OFFICE)
    return raise_kind(returned, pen=pen, shown=shown_before(returned), reason="No funds.")


def test_a132_a_returned_check_is_owed_again_and_stops_credit_in_the_same_transaction(
    cast: Cast, owes: Patron, server_clock: ServerClock
) -> None:
    paid = check(cast, owes)
    with refused("wrong_role"):
        bring_back(cast, paid, cast.erin)
    server_clock.move(hours=1)
    slip = bring_back(cast, paid)
    credit = credit_of(owes, house.now())
    assert (credit.outstanding_cents, credit.uncleared_cents) == (600_000, 0)
    assert credit.standing is Standing.SUSPENDED
    server_clock.move(seconds=1)
    with refused("credit_stopped"):
        issue(cast, owes, 100_000)
    with refused("already_returned"):
        bring_back(cast, paid)
    assert log_differences(slip.gaming_day) == []
    # It is paid in another way after all.
    pay(cast, owes, cash_cents=600_000, at_cage=True)
    assert credit_of(owes, house.now()).outstanding_cents == 0
    assert verify().is_sound


def listed(cast: Cast) -> list[list[object]]:
    """Return amount, name, type, issuer and number of each line of today's instrument list."""
    day = house.period_at(house.now()).gaming_day
    (section,) = instruments(ReportChoice(day, day)).sections
    told = [[cell.value for cell in row.cells] for row in section.rows]
    return [[*cells[1:3], *cells[4:7]] for cells in told]


def test_a143_only_checks_from_the_amount_are_on_the_instrument_list(
    cast: Cast, owes: Patron, server_clock: ServerClock
) -> None:
    for cents, number in ((300_000, "1"), (299_999, "2")):
        given = {"issuer": "Harbor", "reference": number}
        slip = begin(
            cast, MARKER_PAYMENT_ISSUED, owes, means="cashiers_check", amount=cents, **given
        )
        cast.sign(slip, "payment_verified", cast.trent, Place.CAGE)
    marker = lend(cast, owes, 400_000)
    assert (marker.slip.status, marker.amount_cents) == ("done", 400_000)
    assert listed(cast) == [[300_000, "Ana Ruiz", "Cashier’s check", "Harbor", "1"]]


def test_a_check_that_is_deposited_is_on_the_instrument_list(cast: Cast, owes: Patron) -> None:
    """The list is of instruments, whatever the house takes them for."""
    for means, cents in (("personal_check", 500_000), ("wire", 700_000), ("cashiers_check", 1_000)):
        given = {"issuer": "Harbor", "reference": means, "account": "front_money"}
        deposit(cast, owes, cents, means=means, **given)
    assert listed(cast) == [[500_000, "Ana Ruiz", "Personal check", "Harbor", "personal_check"]]


def mailed(cast: Cast, patron: Patron, by: Person | None = None, **given: Any) -> Slip:
    """List a payment that came by mail, as Ruth of accounting or as somebody else."""
    fields: dict[str, Any] = {
        "means": "personal_check",
        "amount": 500_000,
        "issuer": "Harbor",
        "reference": "1042",
    }
    paid = MARKER_PAYMENT_MAIL.at(patron=patron, **(fields | given))
    return raise_kind(paid, pen=cast.pen(by or cast.ruth, Place.OFFICE), shown=shown_before(paid))


def test_a_payment_by_mail_is_listed_by_accounting_and_received_by_the_cage(
    cast: Cast, owes: Patron
) -> None:
    for other in (cast.erin, cast.trent, cast.alice):
        with refused("wrong_role"):
            mailed(cast, owes, by=other)
    slip = mailed(cast, owes)
    day = house.period_at(house.now()).gaming_day
    report = mail_payments(ReportChoice(day, day))
    assert report.finding == Finding(Tone.WAIT, "The cage has not received $5,000 of this mail.")
    # Nothing is paid by what a list says.
    assert credit_of(owes, house.now()).outstanding_cents == 600_000
    with refused("wrong_role", "signed_before"):
        cast.sign(slip, "payment_verified", cast.ruth, Place.CAGE)
    cast.sign(slip, "payment_verified", cast.erin, Place.CAGE)
    credit = credit_of(owes, house.now())
    assert (credit.outstanding_cents, credit.uncleared_cents) == (100_000, 500_000)
    report = mail_payments(ReportChoice(day, day))
    assert report.finding == Finding(Tone.GOOD, "The cage received or returned all of this mail.")
    assert str(report.sections[0].rows[0].cells[6].value).startswith("E. Erinson")
    assert listed(cast) == [[500_000, "Ana Ruiz", "Personal check", "Harbor", "1042"]]
    bring_back(cast, slip)
    assert credit_of(owes, house.now()).outstanding_cents == 600_000


def test_mail_that_goes_back_to_its_sender_takes_two(cast: Cast, owes: Patron) -> None:
    slip = mailed(cast, owes)
    entry = Entry(reason="Not signed by the drawer.")
    cast.sign(slip, "voided", cast.ruth, Place.OFFICE, entry=entry, track=Track.VOID)
    slip.refresh_from_db()
    assert slip.status == "open"
    cast.sign(slip, "void_witnessed", cast.ivan, Place.SURVEILLANCE, track=Track.VOID)
    day = house.period_at(house.now()).gaming_day
    (row,) = mail_payments(ReportChoice(day, day)).sections[0].rows
    assert row.cells[6].value == "void, returned to its sender"
    assert credit_of(owes, house.now()).outstanding_cents == 600_000
