"""Where cash lies from box to main bank, and what moved the cage's own, as its report says."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from inventory.kinds.deposits import FRONT_WITHDRAWAL
from inventory.models import Patron
from inventory.selectors.cheques import cage_holding
from jackpots.models import JackpotPayment
from jackpots.reports.cash_places import cash_places
from pitboss.reports.report import Cell, Report, ReportChoice, Tone
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from tests.floor.big_wins import F09, count_out, released, roof, see_paid, won
from tests.floor.cage import count_cage, open_with, receive
from tests.floor.cash_log import log
from tests.floor.cast import Cast, ServerClock, add_person
from tests.floor.corrections import approve, propose
from tests.floor.count_sessions import accept, close, count_twice, ready
from tests.floor.deposits import begin, by_patron, deposit
from tests.floor.markers import TRAY, grant, lend, make_patron, transfer
from tests.floor.markers import pay as pay_marker
from tests.floor.tablets import signed_in, words
from tests.tables.test_count_sessions import F15, pulled
from tests.test_access import someone

pytestmark = pytest.mark.django_db


def now() -> Report:
    day = house.period_at(house.now()).gaming_day
    return cash_places(ReportChoice(day, day))


def told(report: Report, title: str) -> list[list[object]]:
    """Return what one section says, row by row."""
    (section,) = [item for item in report.sections if item.title == title]
    return [[cell.value for cell in row.cells] for row in section.rows]


def moved() -> dict[object, tuple[object, object, object]]:
    """Return how often each thing moved the cage's cash, and what came in and went out by it."""
    rows = told(now(), "Cash of the cage")
    return {name: (times, came, went) for name, times, came, went in rows}


def test_cash_of_boxes_is_followed_to_the_main_bank_and_told_when_that_has_counted(
    cast: Cast,
) -> None:
    assert told(now(), "Cash of boxes") == []
    boxes = pulled(cast)
    (row,) = told(now(), "Cash of boxes")
    assert row[:3] == ["Boxes, not in a session", 3, None]
    session = ready(cast)
    for pull, figures in zip(boxes, F15, strict=True):
        count_twice(cast, session, pull, figures)
    close(cast, session)
    (row,) = told(now(), "Cash of boxes")
    assert row[:3] == ["Count room", 3, None]
    assert row[4:] == [f"{cast.paul}, {cast.quinn}", session.serial]
    finding = now().finding
    assert finding is not None
    assert finding.tone is Tone.WAIT
    # The cage may read it, and is not told what it has still to count.
    url = reverse("report", args=["cash-places"])
    cage = signed_in(cast.erin, cast, Place.CAGE)
    assert "16,465" not in words(cage.get(url))
    assert "Drop from the count room" not in moved()
    accept(cast, session)
    (row,) = told(now(), "Cash of boxes")
    assert row[:3] == ["Main bank, not posted", 3, 1_646_500]
    assert moved()["Drop from the count room"] == (1, 1_646_500, 0)
    cast.sign(session, "posted", cast.ruth, Place.OFFICE)
    report = now()
    (row,) = told(report, "Cash of boxes")
    assert row[:3] == ["Main bank", 3, 1_646_500]
    assert report.finding is not None
    assert (report.finding.tone, report.finding.words) == (
        Tone.PLAIN,
        "The cage’s cash changed by +$16,465, bank receipts apart.",
    )
    assert "16,465" in words(cage.get(url))


def amount(cell: Cell) -> int:
    assert isinstance(cell.value, int)
    return cell.value


@pytest.fixture
def ana(cast: Cast, server_clock: ServerClock) -> Patron:
    receive(cast, {10_000: 400, 2_500: 400})
    open_with(cast, TRAY)
    patron = make_patron(cast, tax_id="123-45-6789")
    grant(cast, patron, 1_000_000)
    server_clock.move(minutes=5)
    return patron


def test_what_slips_counts_and_corrections_moved_is_added_up(cast: Cast, ana: Patron) -> None:
    transfer(cast, [str(lend(cast, ana, 600_000))])
    brought = deposit(cast, ana, 250_000)
    slip = begin(cast, FRONT_WITHDRAWAL, ana, account="front_money", amount=100_000)
    by_patron(cast, slip)
    pay_marker(cast, ana, cash_cents=80_000, cheques={10_000: 5}, at_cage=True)
    # At a table cash goes into the box: the cage never had it.
    lend(cast, ana, 100_000)
    pay_marker(cast, ana, cash_cents=40_000)
    held = cage_holding()
    count_cage(cast, {**held, 10_000: held[10_000] + 7})
    assert moved() == {
        "Deposit in cash": (1, 250_000, 0),
        "Withdrawal in cash": (1, 0, 100_000),
        "Marker payment": (1, 80_000, 0),
        "Cheques over the window, by counts": (1, 0, 70_000),
    }
    carl, tina = (
        add_person("carl", "951", Role.CASHIER),
        add_person("tina", "952", Role.CAGE_MANAGER),
    )
    right = propose(cast, "deposit_correction", brought, by=carl, place=Place.CAGE, amount=200_000)
    approve(cast, right, tina, place=Place.CAGE)
    # What was wrong, what took it back, and what was right.
    assert moved()["Deposit in cash"] == (3, 200_000, 0)
    day = house.period_at(house.now()).gaming_day
    (lines,) = cash_places(ReportChoice(day, day, of="Deposit in cash")).sections
    assert [row.cells[2].value for row in lines.rows] == [250_000, -250_000, 200_000]
    assert {row.cells[4].value for row in lines.rows} == {brought.serial, right.serial}
    assert all(row.cells[2].link for row in lines.rows)
    (lines,) = cash_places(ReportChoice(day, day, of="all")).sections
    assert sum(amount(row.cells[2]) - amount(row.cells[3]) for row in lines.rows) == 110_000
    report = now()
    assert report.finding is not None
    assert report.finding.words == "The cage’s cash changed by +$1,100, bank receipts apart."
    before = day - timedelta(days=1)
    assert told(cash_places(ReportChoice(before, before)), "Cash of the cage") == []


def test_a_win_that_the_cage_pays_leaves_its_cash_whoever_won(cast: Cast) -> None:
    win = released(cast, won(cast, roof(cast), F09))
    count_out(cast, win)
    see_paid(cast, win)
    paid = JackpotPayment.objects.get()
    assert (paid.source, paid.paid_cents) == ("cage", 100_000)
    assert moved()["Jackpots and big wins"] == (1, 0, 100_000)


def test_cash_that_is_exchanged_is_not_counted_twice(cast: Cast, ana: Patron) -> None:
    log(cast, ana, 3_000, table=None)
    log(cast, ana, 1_000, table=None, kind=CashKind.CHECK_CASHED)
    assert moved() == {"Check cashed": (1, 0, 100_000)}
    # No slip moved it: it opens to the log of its day.
    day = house.period_at(house.now()).gaming_day
    (line,) = cash_places(ReportChoice(day, day, of="Check cashed")).sections[0].rows
    link = line.cells[3].link
    assert link is not None
    assert link.url == reverse("cash-day", args=[day.isoformat()])


@pytest.mark.parametrize("role", [Role.DEALER, Role.COUNT_TEAM, Role.HOST, Role.SECURITY])
def test_who_has_no_part_in_the_cage_reads_no_cash_of_it(cast: Cast, role: Role) -> None:
    client = signed_in(someone(cast, role), cast, Place.OFFICE)
    assert client.get(reverse("report", args=["cash-places"])).status_code in (403, 404)
