"""Markers as checks: due days, consolidation, batches, returns, collection, write-off and aging."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from inventory.kinds import write_off as write_off_kind
from inventory.models import (
    CashEntry,
    CheckDeposit,
    CollectionContact,
    MarkerEntry,
    Patron,
    ReturnedDeposit,
)
from inventory.reports.credit import aging
from inventory.selectors.checks import (
    checks_at_hand,
    checks_owed,
    due_of,
    ledger_cents,
    personal_checks,
)
from inventory.selectors.credit import credit_of
from inventory.selectors.marker_log import log_differences
from inventory.services.collecting import log_contact
from pitboss.reports.report import ReportChoice, Tone
from pitboss.rules.flows.flows import Track
from pitboss.rules.patrons.checks import CheckState, age_of
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from tests.floor.cage import open_with
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.check_bank import (
    RECEIPT,
    consolidate,
    contact,
    deposit_checks,
    give_up,
    join,
    prepare,
    recover,
    send_back,
    write_off,
)
from tests.floor.house import change
from tests.floor.markers import TRAY, drawn, grant, issue, lend, make_patron, pay, restore, transfer
from tests.floor.tablets import signed_in, words
from tests.inventory.test_payment_means import bring_back, check


@pytest.fixture
def january(server_clock: ServerClock) -> ServerClock:
    """Friday, Jan 2, 2026, one in the afternoon in New York."""
    server_clock.now = datetime(2026, 1, 2, 18, tzinfo=UTC)
    return server_clock


@pytest.fixture
def ana(january: ServerClock, cast: Cast) -> Patron:
    open_with(cast, TRAY)
    patron = make_patron(cast, tax_id="123-45-6789", tax_id_kind="ssn")
    grant(cast, patron, 1_000_000)
    return patron


def at_the_cage(cast: Cast, patron: Patron, cents: int) -> Any:
    marker = lend(cast, patron, cents)
    transfer(cast, [str(marker)])
    return marker


def today() -> date:
    return house.period_at(house.now()).gaming_day


def ages(patron: Patron) -> list[str]:
    return [age_of(check_owed.check, today()) for check_owed in checks_owed(today(), patron)]


def ties(day: date | None = None) -> int:
    """Demand that the aging report says what the ledger says, and return it."""
    day = day or today()
    finding = aging(ReportChoice(day, day)).finding
    assert finding is not None
    assert finding.tone is Tone.GOOD, finding
    return ledger_cents(day)


def test_a130_markers_fall_due_by_their_amount_and_are_late_the_day_after(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    small, large = at_the_cage(cast, ana, 500_000), at_the_cage(cast, ana, 500_000 - 50_000)
    january.move(days=1)
    saturday = at_the_cage(cast, ana, 50_000)
    assert [due_of(item) for item in (small, large, saturday)] == [
        date(2026, 1, 16),
        date(2026, 1, 16),
        date(2026, 1, 12),
    ]
    assert ages(ana) == ["Not due"] * 3
    january.now = datetime(2026, 1, 12, 18, tzinfo=UTC)
    assert ages(ana)[0] == "Due today"
    january.move(days=1)
    assert ages(ana) == ["1–7 days past due", "Not due", "Not due"]
    assert ties() == 1_000_000
    section = aging(ReportChoice(today(), today())).sections[0]
    late = next(row for row in section.rows if row.cells[0].value == "1–7 days past due")
    assert (late.tone, late.cells[2].value) == (Tone.BAD, 50_000)
    # As the days ended it stays what it was.
    assert ties(date(2026, 1, 2)) == 950_000
    # And it is red for the cage manager, that one alone.
    january.now = datetime(2026, 1, 16, 18, tzinfo=UTC)
    desk = words(signed_in(cast.trent, cast, Place.CAGE).get(reverse("credit-desk")))
    (red,) = [row[: row.index("</tr>")] for row in desk.split('<tr class="is-bad">')[1:]]
    assert str(saturday) in red
    january.move(days=1)
    desk = words(signed_in(cast.trent, cast, Place.CAGE).get(reverse("credit-desk")))
    assert desk.count('<tr class="is-bad">') == 3


def test_a130_a_marker_above_5000_is_due_after_a_holiday(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    assert due_of(lend(cast, ana, 502_500)) == date(2026, 2, 17)
    change(cast, "credit.due", "$1,000: 3\nabove: 10")
    assert due_of(lend(cast, ana, 100_000)) == date(2026, 1, 5)
    # What was issued keeps its day.
    assert due_of(lend(cast, ana, 200_000)) == date(2026, 1, 12)


@pytest.mark.django_db(transaction=True)
def test_a131_one_check_replaces_two_and_delays_no_deposit(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    first = at_the_cage(cast, ana, 400_000)
    january.move(days=7)
    second = at_the_cage(cast, ana, 300_000)
    january.move(days=3)
    before = credit_of(ana, house.now())
    joined = join(cast, ana, [str(first), str(second)])
    assert credit_of(ana, house.now()) == before
    (owed,) = checks_owed(today(), ana)
    assert (owed.marker, owed.check.balance_cents) == (joined, 700_000)
    assert (owed.check.dated, owed.check.due_on) == (date(2026, 1, 2), date(2026, 1, 16))
    assert owed.check.at_cage
    assert log_differences(today()) == []
    assert ties() == 700_000
    # The one check is paid like any other.
    pay(cast, ana, cash_cents=700_000, at_cage=True)
    assert ties() == 0
    assert verify().is_sound


def test_a131_what_was_at_the_bank_is_not_consolidated(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    first, second = at_the_cage(cast, ana, 400_000), at_the_cage(cast, ana, 300_000)
    (sent,) = deposit_checks(cast, [str(first)])
    with refused("nothing_to_join"):
        consolidate(cast, ana, [str(first), str(second)])
    send_back(cast, sent)
    with refused("was_deposited"):
        consolidate(cast, ana, [str(first), str(second)])
    with refused("nothing_to_join", journal=()):
        consolidate(cast, ana, [])


def test_consolidation_is_refused_in_the_pit_past_due_or_once_paid(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    first, second = at_the_cage(cast, ana, 100_000), lend(cast, ana, 200_000)
    with refused("marker_elsewhere"):
        consolidate(cast, ana, [str(first), str(second)])
    transfer(cast, [str(second)])
    slip = consolidate(cast, ana, [str(first), str(second)])
    pay(cast, ana, cash_cents=50_000, at_cage=True)
    cast.sign(slip, "patron_signed", cast.erin, Place.CAGE, entry=Entry(drawn=drawn(slip)))
    with refused("balance_changed"):
        cast.sign(slip, "approved", cast.trent, Place.CAGE)
    january.now = datetime(2026, 1, 15, 18, tzinfo=UTC)
    with refused("past_due"):
        consolidate(cast, ana, [str(first), str(second)])


@pytest.mark.django_db(transaction=True)
def test_a_batch_takes_checks_off_what_is_owed_and_frees_the_line_when_cleared(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    marker, other = at_the_cage(cast, ana, 400_000), lend(cast, ana, 300_000)
    with refused("marker_elsewhere"):
        prepare(cast, [str(other)])
    with refused("nothing_chosen"):
        prepare(cast, [])
    with refused("wrong_role"):
        prepare(cast, [str(marker)], cast.alice)
    slip = prepare(cast, [str(marker)])
    with refused("already_going"):
        prepare(cast, [str(marker)])
    with refused("bank_receipt_missing"):
        cast.sign(slip, "batch_verified", cast.ruth, Place.OFFICE)
    with refused("signed_before", "wrong_role"):
        cast.sign(slip, "batch_verified", cast.erin, Place.CAGE, entry=RECEIPT)
    cast.sign(slip, "batch_verified", cast.ruth, Place.OFFICE, entry=RECEIPT)
    credit = credit_of(ana, house.now())
    assert (credit.outstanding_cents, credit.uncleared_cents) == (300_000, 400_000)
    assert ties() == 300_000
    assert log_differences(today()) == []
    sent = CheckDeposit.objects.get(slip=slip)
    january.now = sent.free_at
    assert credit_of(ana, house.now()).remaining_cents == 700_000
    assert verify().is_sound


def test_a_batch_does_not_take_what_was_paid_meanwhile(cast: Cast, ana: Patron) -> None:
    marker = at_the_cage(cast, ana, 400_000)
    slip = prepare(cast, [str(marker)])
    pay(cast, ana, cash_cents=100_000, at_cage=True)
    with refused("balance_changed"):
        cast.sign(slip, "batch_verified", cast.ruth, Place.OFFICE, entry=RECEIPT)


@pytest.mark.django_db(transaction=True)
def test_a132_a_deposited_marker_comes_back_goes_once_more_and_never_a_third_time(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    marker = at_the_cage(cast, ana, 400_000)
    (first,) = deposit_checks(cast, [str(marker)])
    with refused("wrong_role"):
        send_back(cast, first, cast.erin)
    send_back(cast, first)
    assert credit_of(ana, house.now()).standing is Standing.SUSPENDED
    january.move(seconds=1)
    with refused("credit_stopped"):
        issue(cast, ana, 100_000)
    with refused("already_returned"):
        send_back(cast, first)
    assert ages(ana) == ["Returned"]
    assert ties() == 400_000
    (second,) = deposit_checks(cast, [str(marker)])
    assert (second.attempt, ties()) == (2, 0)
    send_back(cast, second)
    assert ages(ana) == ["In collection"]
    with refused("deposited_twice"):
        prepare(cast, [str(marker)])
    assert ties() == 400_000
    assert verify().is_sound


@pytest.mark.django_db(transaction=True)
def test_a_personal_check_keeps_the_due_day_of_what_it_replaced_and_is_redeposited_once(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    marker = at_the_cage(cast, ana, 400_000)
    january.move(days=3)
    paid = check(cast, ana, 400_000)
    (held,) = personal_checks(ana)
    assert held.check.due_on == due_of(marker) == date(2026, 1, 16)
    (sent,) = deposit_checks(cast, [paid.serial])
    assert personal_checks(ana) == []
    assert credit_of(ana, house.now()).uncleared_cents == 400_000
    send_back(cast, sent)
    with refused("already_returned"):
        bring_back(cast, paid)
    # The marker was given back: only the check goes to the bank once more.
    with refused("replaced_by_check"):
        prepare(cast, [str(marker)])
    assert ages(ana) == ["Returned"]
    (again,) = deposit_checks(cast, [paid.serial])
    assert (again.attempt, ties()) == (2, 0)
    send_back(cast, again)
    assert (ages(ana), ties()) == (["In collection"], 400_000)
    assert personal_checks(ana) == []
    assert verify().is_sound


def test_a_returned_personal_check_that_was_paid_otherwise_is_not_offered(
    cast: Cast, ana: Patron
) -> None:
    at_the_cage(cast, ana, 400_000)
    paid = check(cast, ana, 400_000)
    bring_back(cast, paid)
    assert [
        check_owed.serial for check_owed in checks_at_hand(today()) if check_owed.instrument
    ] == [paid.serial]
    pay(cast, ana, cash_cents=100_000, at_cage=True)
    assert personal_checks(ana) == []


@pytest.mark.django_db(transaction=True)
def test_contacts_move_a_returned_check_into_collection(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    marker = at_the_cage(cast, ana, 400_000)
    told = ()
    with refused("nothing_to_collect", journal=told):
        contact(cast, ana)
    (sent,) = deposit_checks(cast, [str(marker)])
    send_back(cast, sent)
    january.move(minutes=5)
    with refused("not_a_collector", journal=told):
        contact(cast, ana, cast.erin)
    assert ages(ana) == ["Returned"]
    contact(cast, ana)
    assert ages(ana) == ["In collection"]
    (owed,) = checks_owed(today(), ana)
    assert owed.check.state is CheckState.IN_COLLECTION
    assert verify().is_sound


def test_a_contact_is_logged_once_and_never_with_something_else(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    (sent,) = deposit_checks(cast, [str(at_the_cage(cast, ana, 400_000))])
    send_back(cast, sent)
    one: dict[str, Any] = {
        "patron": ana,
        "how": "mail",
        "says": "Second letter.",
        "next_on": None,
        "person": cast.colin,
        "device": None,
        "request_id": uuid4(),
    }
    assert log_contact(**one) == log_contact(**one)
    with refused("request_reused", journal=()):
        log_contact(**one | {"says": "Third letter."})
    for change_, code in (
        ({"how": "pigeon"}, "contact_way_missing"),
        ({"says": " "}, "contact_missing"),
        ({"next_on": today()}, "next_past"),
    ):
        with refused(code, journal=()):
            log_contact(**one | {"request_id": uuid4()} | change_)
    with pytest.raises(DatabaseError), transaction.atomic():
        CollectionContact.objects.update(says="Paid.")


def test_a136_a_write_off_needs_somebody_who_had_no_part_in_that_credit(
    cast: Cast, ana: Patron, january: ServerClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = at_the_cage(cast, ana, 400_000)
    # Trent approved the line; Nora has talked to the patron, as a collector for a day.
    with refused("more_than_owed"):
        give_up(cast, marker, 400_001)
    with refused("bad_amount"):
        give_up(cast, marker, 0)
    slip = give_up(cast, marker, 400_000, by=cast.trent)
    with refused("already_proposed"):
        give_up(cast, marker, 100)
    CollectionContact.objects.create(
        patron=ana,
        how="phone",
        says="Once.",
        made_by=cast.nora,
        at=house.now(),
        request_id=uuid4(),
    )
    with refused("not_independent"):
        cast.sign(slip, "approved", cast.nora, Place.OFFICE)
    with refused("wrong_role"):
        cast.sign(slip, "approved", cast.ruth, Place.OFFICE)
    # As if the site had forgotten its rule.
    monkeypatch.setattr(write_off_kind, "involved_in", lambda _: frozenset())
    with pytest.raises(DatabaseError, match="everyone had a part in it"):
        cast.sign(slip, "approved", cast.nora, Place.OFFICE)
    assert ties() == 400_000


@pytest.mark.django_db(transaction=True)
def test_a136_what_is_paid_after_a_write_off_is_a_recovery_and_aging_still_ties(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    marker = at_the_cage(cast, ana, 400_000)
    (sent,) = deposit_checks(cast, [str(marker)])
    send_back(cast, sent)
    january.move(minutes=1)
    contact(cast, ana)
    written = write_off(cast, marker, 300_000)
    assert (credit_of(ana, house.now()).outstanding_cents, ties()) == (100_000, 100_000)
    pay(cast, ana, cash_cents=100_000, at_cage=True)
    with refused("nothing_owed"):
        pay(cast, ana, cash_cents=50_000, at_cage=True)
    recover(cast, written, 50_000)
    assert ties() == 0
    report = aging(ReportChoice(today(), today()))
    row = report.sections[2].rows[0]
    assert [cell.value for cell in row.cells[2:]] == [300_000, 50_000]
    cash = CashEntry.objects.filter(kind="marker_payment").values_list("amount_cents", flat=True)
    assert list(cash) == [100_000, 50_000]
    with refused("more_than_written_off"):
        recover(cast, written, 250_001)
    with refused("issuer_missing", "reference_missing"):
        recover(cast, written, 1_000, means="wire")
    recover(cast, written, 250_000, means="wire", issuer="Harbor", reference="W-1")
    assert log_differences(today()) == []
    assert verify().is_sound


def test_a_large_write_off_needs_the_shift_manager_and_a_good_patron_stops(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    change(cast, "credit.write_off_most", "1,000")
    marker = at_the_cage(cast, ana, 400_000)
    slip = give_up(cast, marker, 200_000, what="settlement")
    cast.sign(slip, "approved", cast.nora, Place.OFFICE)
    assert ties() == 400_000
    cast.sign(slip, "top_approved", cast.heidi, Place.OFFICE)
    assert ties() == 200_000
    assert credit_of(ana, house.now()).standing is Standing.SUSPENDED
    cast.sign(restore(cast, ana), "approved", cast.heidi, Place.CAGE)
    write_off(cast, marker, 50_000, what="discount")
    assert credit_of(ana, house.now()).standing is Standing.CLEAR


def test_a_marker_in_the_pit_is_not_written_off(cast: Cast, ana: Patron) -> None:
    marker = lend(cast, ana, 100_000)
    with refused("more_than_owed"):
        give_up(cast, marker, 100_000)


def test_a137_who_owes_and_has_not_paid_for_30_days_gets_no_credit(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    change(cast, "credit.no_payment_days", "30")
    lend(cast, ana, 200_000)
    january.move(days=30)
    lend(cast, ana, 100_000)
    january.move(days=1)
    with refused("no_payment_30_days"):
        issue(cast, ana, 100_000)
    pay(cast, ana, cash_cents=100_000)
    issue(cast, ana, 100_000)


@pytest.mark.parametrize(
    "change_",
    [
        {"move": "deposited"},
        {"move": "replaced"},
        {"move": "written_off"},
        {"move": "recovered"},
        {"move": "replaces"},
    ],
)
def test_past_the_service_no_marker_moves_without_its_signed_slip(
    cast: Cast, ana: Patron, change_: dict[str, Any]
) -> None:
    marker = at_the_cage(cast, ana, 400_000)
    columns = {
        "marker": marker,
        "amount_cents": 400_000,
        "slip": marker.slip,
        "gaming_day": today(),
        "shift": "Day",
        "at": house.now(),
        "pit": cast.pit,
    }
    with pytest.raises(DatabaseError), transaction.atomic():
        MarkerEntry.objects.create(**(columns | change_))


def test_past_the_service_no_check_is_deposited_or_returned_without_its_slip(
    cast: Cast, ana: Patron
) -> None:
    marker = at_the_cage(cast, ana, 400_000)
    (sent,) = deposit_checks(cast, [str(marker)])
    for row in (
        CheckDeposit(
            marker=marker,
            patron=ana,
            amount_cents=1,
            attempt=3,
            free_at=house.now(),
            slip=sent.slip,
            at=house.now(),
        ),
        CheckDeposit(
            marker=marker,
            patron=ana,
            amount_cents=1,
            attempt=2,
            free_at=house.now(),
            slip=marker.slip,
            at=house.now(),
        ),
        ReturnedDeposit(deposit=sent, slip=sent.slip, at=house.now()),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            row.save()


def test_a_batch_voided_leaves_every_check_at_the_cage(cast: Cast, ana: Patron) -> None:
    marker = at_the_cage(cast, ana, 400_000)
    slip = prepare(cast, [str(marker)])
    entry = Entry(reason="The bank is closed.")
    cast.sign(slip, "voided", cast.erin, Place.CAGE, entry=entry, track=Track.VOID)
    cast.sign(slip, "void_witnessed", cast.ivan, Place.SURVEILLANCE, track=Track.VOID)
    assert ties() == 400_000
    prepare(cast, [str(marker)])


def test_by_patron_and_by_officer_the_report_says_the_same(
    cast: Cast, ana: Patron, january: ServerClock
) -> None:
    lend(cast, ana, 100_000)
    for by in ("", "patron", "officer"):
        section = aging(replace(ReportChoice(today(), today()), by=by)).sections[1]
        assert section.sums is not None
        assert section.sums.cells[-1].value == 100_000
        assert section.rows[0].cells[-1].value == 100_000
    opened = aging(replace(ReportChoice(today(), today()), of=f"patron: {ana}")).sections[0]
    assert len(opened.rows) == 1
    january.move(days=10)
    assert aging(replace(ReportChoice(today(), today()), of="Not due")).sections[0].rows == ()
