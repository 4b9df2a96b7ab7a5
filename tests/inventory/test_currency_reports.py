"""Currency reports: exactly one when a day's cash passes the limit, wherever it was logged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction

from inventory.models import (
    CashEntry,
    CurrencyReport,
    CurrencyReportClosing,
    Patron,
    Stranger,
    StrangerMatch,
)
from inventory.selectors.cash_log import DayPerson, day_sum, known_and_missing, open_reports
from inventory.services import cash_log
from inventory.services.cash_log import log_cash
from pitboss.models import FloorException, JournalEntry, Signature, Slip, Waiting
from pitboss.rules.patrons.cash_log import CashKind, Direction
from pitboss.rules.roles import Place, Role
from pitboss.selectors.waiting import waiting_for
from pitboss.services import house
from pitboss.services.explaining import resolve_exception
from pitboss.services.verification import verify
from tables.services.open_items import open_items
from tests.floor import markers
from tests.floor.cage import open_with
from tests.floor.cash_log import (
    RED_JACKET,
    close,
    log,
    log_elsewhere,
    make_patron,
    match,
    table_of_other_pit,
    take_back,
    today,
)
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.currency_reports import BSA_ID, file_whole
from tests.races import at_once, hold_before, while_held

pytestmark = pytest.mark.django_db(transaction=True)
REFUSED = ("act_refused",)


@pytest.fixture
def ana(cast: Cast) -> Patron:
    return make_patron(cast)


def reports() -> list[tuple[str, date, str, int]]:
    """Return every report: whose, on which day, which way, and the dollars it was opened on."""
    return [
        (
            str(currency_report.patron or currency_report.stranger),
            currency_report.gaming_day,
            currency_report.direction,
            currency_report.sum_cents // 100,
        )
        for currency_report in CurrencyReport.objects.order_by("id")
    ]


def test_more_than_the_limit_opens_a_report_and_the_limit_itself_does_not(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    log(cast, ana, 6_000)
    log_elsewhere(cast, ana, 4_000)
    assert reports() == []
    log(cast, ana, 0, amount_cents=1)
    assert reports() == [("Ana Ruiz", date(2026, 5, 1), "in", 10_000)]
    report = CurrencyReport.objects.get()
    assert (report.sum_cents, report.limit_cents, report.due_on) == (
        1_000_001,
        1_000_000,
        date(2026, 5, 16),
    )
    assert CashEntry.objects.latest("id").was_warned
    assert verify().is_sound


def test_what_comes_after_goes_into_the_same_report(cast: Cast, ana: Patron) -> None:
    for dollars in (9_000, 2_000, 3_000):
        log(cast, ana, dollars)
    assert len(reports()) == 1
    log(cast, ana, 10_500, table=None, kind=CashKind.CASH_OUT)
    assert [way for _, _, way, _ in reports()] == ["in", "out"]


def test_the_report_waits_in_the_inbox_of_compliance_until_it_is_due(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    log(cast, ana, 11_000)
    (wait,) = waiting_for(cast.petra, Role.COMPLIANCE)
    assert wait.exception is not None
    assert wait.exception.sentence == ("Currency report: Ana Ruiz, cash in $11,000 on May 1, 2026.")
    assert wait.limit_seconds == 15 * 24 * 60 * 60
    for person, role in ((cast.heidi, Role.SHIFT_MANAGER), (cast.carol, Role.PIT_MANAGER)):
        assert waiting_for(person, role) == []


def test_an_open_report_does_not_hold_the_close_of_its_day(cast: Cast, ana: Patron) -> None:
    log(cast, ana, 11_000)
    assert open_items(today()) == []


def test_a_report_is_not_explained_away_on_the_page_of_exceptions(cast: Cast, ana: Patron) -> None:
    log(cast, ana, 11_000)
    pen = cast.pen(cast.petra, Place.OFFICE)
    with refused("answered_elsewhere", journal=REFUSED):
        resolve_exception(
            exception_id=FloorException.objects.get().pk,
            resolution="Fine.",
            badge=pen.badge,
            pin=pen.pin,
            request_id=pen.request_id,
            device=pen.device,
        )


def test_two_pits_that_log_at_once_open_one_report_and_the_second_sees_the_warning(
    cast: Cast, ana: Patron, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_of_other_pit(cast)
    hold_before(monkeypatch, cash_log, "entry_refusals")
    results = at_once(lambda: log(cast, ana, 6_000), lambda: log_elsewhere(cast, ana, 5_000))
    # Whoever came second had looked at a sum without the first.
    assert results.count(("stale_screen",)) == 1
    assert reports() == []
    if results[0] == ("stale_screen",):
        log(cast, ana, 6_000)
    else:
        log_elsewhere(cast, ana, 5_000)
    assert [dollars for *_, dollars in reports()] == [11_000]
    assert verify().is_sound


def slip_in(cast: Cast, table_name: str) -> tuple[Slip, Signature]:
    """Return a signed slip at a table, to stand for the act that moved cash there."""
    slip = cast.ask()
    if table_name != cast.table.name:
        slip.table = table_of_other_pit(cast)
    return slip, slip.signatures.get()


def paid(ana: Patron, slip: Slip, signature: Signature, dollars: int) -> None:
    with transaction.atomic():
        log_cash(
            patron=ana,
            kind=CashKind.MARKER_PAYMENT,
            amount_cents=dollars * 100,
            slip=slip,
            signature=signature,
            at=house.now(),
        )


def test_two_acts_that_move_cash_at_once_open_exactly_one_report(
    cast: Cast, ana: Patron, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = slip_in(cast, "BJ-11"), slip_in(cast, "BJ-21")
    # Between the sum that is read and the entry that is written.
    hold_before(monkeypatch, cash_log, "day_sum")
    at_once(lambda: paid(ana, *here, 6_000), lambda: paid(ana, *there, 5_000))
    assert [dollars for *_, dollars in reports()] == [11_000]
    assert sorted(CashEntry.objects.values_list("day_sum_cents", flat=True))[1] == 1_100_000
    assert FloorException.objects.filter(code="currency_report").count() == 1


def test_the_database_holds_one_report_a_patron_day_and_way(cast: Cast, ana: Patron) -> None:
    values: dict[str, Any] = {
        "patron": ana,
        "gaming_day": today(),
        "direction": "in",
        "sum_cents": 1_000_001,
        "limit_cents": 1_000_000,
        "due_on": today(),
        "opened_at": house.now(),
    }
    CurrencyReport.objects.create(**values)
    for said, changed in (
        ("one_report_a_patron_day_and_way", {}),
        ("a_report_is_over_the_limit", {"direction": "out", "sum_cents": 1_000_000}),
        ("a_report_is_about_somebody", {"direction": "out", "patron": None}),
    ):
        with pytest.raises(DatabaseError, match=said), transaction.atomic():
            CurrencyReport.objects.create(**{**values, **changed})


# Strangers, and who they turned out to be.


def stranger_with(cast: Cast, dollars: int) -> Stranger:
    stranger = log(cast, RED_JACKET, dollars).stranger
    assert stranger is not None
    return stranger


def test_a_stranger_who_was_known_again_counts_with_the_patron(cast: Cast, ana: Patron) -> None:
    log_elsewhere(cast, ana, 5_000)
    stranger = stranger_with(cast, 6_000)
    assert reports() == []
    match(cast, stranger, ana)
    assert [(name, dollars) for name, _, _, dollars in reports()] == [("Ana Ruiz", 11_000)]
    # From now on what is logged of either goes into both.
    assert log(cast, stranger, 100).day_sum_cents == 1_110_000
    assert log(cast, ana, 100).day_sum_cents == 1_120_000
    assert len(reports()) == 1
    entry = JournalEntry.objects.filter(kind="stranger_matched").get()
    assert entry.person == cast.alice
    assert verify().is_sound


def test_a75_a_match_opens_one_report_that_stays_when_the_match_is_undone(
    cast: Cast, ana: Patron
) -> None:
    log_elsewhere(cast, ana, 5_000)
    stranger = stranger_with(cast, 6_000)
    assert reports() == []
    match(cast, stranger, ana)
    assert len(reports()) == 1
    match(cast, stranger, None, by=cast.petra, reason="Another person on the tape.")
    assert len(reports()) == 1
    assert not CurrencyReportClosing.objects.exists()


def test_a_strangers_report_stays_one_when_they_are_known(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    stranger = stranger_with(cast, 11_000)
    assert reports() == [(RED_JACKET, date(2026, 5, 1), "in", 11_000)]
    match(cast, stranger, ana)
    log(cast, ana, 500)
    assert len(reports()) == 1


def test_only_compliance_says_that_a_match_was_wrong(cast: Cast, ana: Patron) -> None:
    stranger = stranger_with(cast, 6_000)
    log(cast, ana, 5_000)
    match(cast, stranger, ana)
    with refused("match_stands", journal=REFUSED):
        match(cast, stranger, None, by=cast.bob)
    with refused("nothing_changes", journal=REFUSED):
        match(cast, stranger, ana, by=cast.petra)
    match(cast, stranger, None, by=cast.petra, reason="Another person on the tape.")
    assert day_sum(DayPerson(ana), today(), Direction.IN) == 500_000
    assert StrangerMatch.objects.count() == 2
    with refused("signed_before", journal=REFUSED):
        match(cast, stranger, ana, by=cast.petra)


Change = Callable[[Cast], dict[str, Any]]
MATCH_REFUSALS: list[tuple[str, Change]] = [
    ("wrong_role", lambda cast: {"by": cast.dan}),
    ("wrong_role", lambda cast: {"by": cast.frank}),
    ("reason_missing", lambda cast: {"reason": "  "}),
    ("text_malformed", lambda cast: {"reason": "a\x00b"}),
]


@pytest.mark.parametrize(("code", "changed"), MATCH_REFUSALS)
def test_one_change_is_one_reason_to_refuse_a_match(
    cast: Cast, ana: Patron, code: str, changed: Change
) -> None:
    stranger = stranger_with(cast, 100)
    with refused(code, journal=REFUSED):
        match(cast, stranger, ana, **changed(cast))
    match(cast, stranger, ana)


def test_a_match_that_is_sent_twice_is_one(cast: Cast, ana: Patron) -> None:
    stranger = stranger_with(cast, 100)
    pen = cast.pen(cast.alice)
    assert match(cast, stranger, ana, pen=pen) == match(cast, stranger, ana, pen=pen)
    with refused("request_reused", journal=REFUSED):
        match(cast, stranger, None, pen=pen)


def test_a_match_and_an_entry_at_once_miss_no_report(
    cast: Cast, ana: Patron, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry is written and nobody else sees it yet; the match must wait and count it."""
    stranger = stranger_with(cast, 6_000)
    while_held(
        monkeypatch,
        cash_log,
        "_write",
        lambda: log(cast, ana, 5_000, by=cast.bob, confirmed=False),
        lambda: match(cast, stranger, ana),
    )
    assert [dollars for *_, dollars in reports()] == [11_000]


# How a report ends.


@pytest.fixture
def filed(cast: Cast, ana: Patron, server_clock: ServerClock) -> CurrencyReport:
    """A report of a gaming day that is over."""
    log(cast, ana, 11_000)
    server_clock.move(days=1)
    return CurrencyReport.objects.get()


def test_a_report_is_closed_with_who_filed_it_when_and_under_which_number(
    cast: Cast, filed: CurrencyReport
) -> None:
    closing = file_whole(cast, filed)
    assert (closing.filer, closing.filed_on, closing.reference) == (
        "P. Petrason",
        date(2026, 5, 2),
        BSA_ID,
    )
    assert (closing.closed_by, closing.sum_cents) == (cast.petra, 1_100_000)
    assert not Waiting.objects.filter(until=None).exists()
    exception = FloorException.objects.get()
    assert (exception.resolved_by, exception.resolution) == (cast.petra, f"Filed as {BSA_ID}.")
    assert not open_reports().exists()
    assert verify().is_sound


CLOSING_REFUSALS: list[tuple[str, Change]] = [
    ("wrong_role", lambda cast: {"by": cast.heidi}),
    ("wrong_role", lambda cast: {"by": cast.ruth}),
    ("reason_missing", lambda cast: {"reason": " "}),
]


@pytest.mark.parametrize(("code", "changed"), CLOSING_REFUSALS)
def test_one_change_is_one_reason_to_keep_a_report_open(
    cast: Cast, filed: CurrencyReport, code: str, changed: Change
) -> None:
    with refused("report_is_due", journal=REFUSED):
        close(cast, filed.pk, "No.")
    take_back(cast, CashEntry.objects.get())
    with refused(code, journal=REFUSED):
        close(cast, filed.pk, **{"reason": "Keyed twice.", **changed(cast)})
    close(cast, filed.pk, "Keyed twice.")


def test_a_report_is_not_closed_while_its_day_runs_nor_twice(cast: Cast, ana: Patron) -> None:
    log(cast, ana, 11_000)
    report = CurrencyReport.objects.get()
    with refused("day_still_runs", "report_is_due", journal=REFUSED):
        close(cast, report.pk, "No.")
    with refused("unknown_report", journal=REFUSED):
        close(cast, report.pk + 1, "No.")


def test_a_closed_report_stays_as_it_was_filed(cast: Cast, filed: CurrencyReport) -> None:
    take_back(cast, CashEntry.objects.get())
    pen = cast.pen(cast.petra, Place.OFFICE)
    first = close(cast, filed.pk, "Keyed twice.", pen=pen)
    assert close(cast, filed.pk, "Keyed twice.", pen=pen) == first
    with refused("already_closed", journal=REFUSED):
        close(cast, filed.pk, "Keyed twice.")


def test_a_sum_that_was_wrong_needs_no_report_once_it_is_put_right(
    cast: Cast, filed: CurrencyReport
) -> None:
    take_back(cast, CashEntry.objects.get())
    closing = close(cast, filed.pk, "Keyed for somebody else.")
    assert (closing.outcome, closing.reference, closing.filed_on) == ("not_due", "", None)
    assert FloorException.objects.get().resolution == "Keyed for somebody else."


def test_a_sum_that_changes_after_filing_opens_one_report_to_amend(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    log(cast, ana, 11_000)
    small = log(cast, ana, 500)
    stranger = stranger_with(cast, 700)
    server_clock.move(days=1)
    first = CurrencyReport.objects.get()
    file_whole(cast, first)
    match(cast, stranger, ana, by=cast.petra)
    second = CurrencyReport.objects.exclude(pk=first.pk).get()
    assert (second.amends, second.sum_cents) == (first, 1_220_000)
    assert "to amend" in FloorException.objects.latest("id").sentence
    take_back(cast, small)
    assert CurrencyReport.objects.count() == 2
    file_whole(cast, second)
    assert CurrencyReportClosing.objects.latest("id").sum_cents == 1_170_000


def test_of_two_reports_of_one_person_one_is_filed_and_the_other_says_so(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    stranger = stranger_with(cast, 11_000)
    log(cast, ana, 12_000)
    match(cast, stranger, ana)
    of_stranger, of_ana = CurrencyReport.objects.order_by("id")
    server_clock.move(days=1)
    file_whole(cast, of_ana)
    close(cast, of_stranger.pk, "Filed with Ana Ruiz.")
    assert [
        currency_report_closing.sum_cents
        for currency_report_closing in CurrencyReportClosing.objects.all()
    ] == [2_300_000] * 2
    assert CurrencyReport.objects.count() == 2


def test_the_database_takes_no_closing_without_a_filing_or_a_reason(
    cast: Cast, filed: CurrencyReport
) -> None:
    values: dict[str, Any] = {
        "report": filed,
        "sum_cents": 1,
        "closed_by": cast.petra,
        "closed_at": house.now(),
        "request_id": uuid4(),
    }
    for changed in (
        {"outcome": "filed"},
        {"outcome": "filed", "filer": "P", "reference": "1"},
        {"outcome": "not_due"},
        {"outcome": "lost", "reason": "x"},
    ):
        with pytest.raises(DatabaseError, match="filed_or_explained"), transaction.atomic():
            CurrencyReportClosing.objects.create(**values, **changed)


def test_the_report_says_what_is_known_and_what_is_missing(cast: Cast, ana: Patron) -> None:
    assert known_and_missing(DayPerson(ana)) == (
        ["name"],
        ["address", "date of birth", "tax ID", "ID document"],
    )
    assert known_and_missing(DayPerson(None, stranger_with(cast, 100)))[0] == []


def in_other_pit(cast: Cast) -> Cast:
    """Return the cast that works at a table of the second pit."""
    devices = {**cast.devices, Place.PIT: cast.other_pit_tablet}
    return replace(cast, table=table_of_other_pit(cast), devices=devices)


def test_a32_markers_paid_in_cash_in_two_pits_open_a_report_and_a_new_day_does_not_aggregate(
    cast: Cast, server_clock: ServerClock
) -> None:
    there = replace(in_other_pit(cast), dan=cast.dora)
    people = [markers.make_patron(cast, name) for name in ("Ana", "Ben")]
    for pit in (cast, there):
        open_with(pit, {10_000: 200, 2_500: 100})
    for patron in people:
        markers.grant(cast, patron, 2_000_000)
        markers.lend(cast, patron, 600_000)
        markers.lend(there, patron, 500_000)
    ana, ben = people
    markers.pay(cast, ana, cash_cents=600_000)
    assert reports() == []
    markers.pay(there, ana, cash_cents=500_000)
    assert reports() == [("Ana Ruiz", date(2026, 5, 1), "in", 11_000)]
    entries = CashEntry.objects.filter(patron=ana).order_by("id")
    assert [(entry.kind, entry.table, entry.day_sum_cents) for entry in entries] == [
        ("marker_payment", cast.table, 600_000),
        ("marker_payment", there.table, 1_100_000),
    ]
    # Cheques lent are no cash, and the gaming day turns at six: 05:59 and 06:00 are two days.
    server_clock.now = datetime(2026, 5, 2, 9, 59, tzinfo=UTC)
    markers.pay(cast, ben, cash_cents=600_000)
    server_clock.now = datetime(2026, 5, 2, 10, 0, tzinfo=UTC)
    markers.pay(there, ben, cash_cents=500_000)
    assert len(reports()) == 1
    assert verify().is_sound
