"""Win in ink: settled once a day is closed and counted, and restated by corrections."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import Error, connection, transaction
from django.test.utils import CaptureQueriesContext

from pitboss.models import Slip
from pitboss.reports.book import BOOK
from pitboss.reports.report import Report, ReportChoice, Tone
from pitboss.rules.day.hold import hold_basis_points
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from tables.models import SettledWin
from tables.selectors.table_days import table_days
from tables.services import settling
from tables.services.settling import due_days, settle_day, settle_due_days
from tests.floor.cast import Cast, ServerClock
from tests.floor.days import close_the_day
from tests.floor.drop_box import count_and_post, pull
from tests.floor.late_papers import approve, key
from tests.floor.markers import TRAY as LENT
from tests.floor.markers import grant, lend, make_patron
from tests.floor.markers import pay as repay
from tests.races import at_once, hold_before
from tests.tables.test_win_of_tables import FILL, TRAY, play, tables_that_played

pytestmark = pytest.mark.django_db(transaction=True)


def today() -> date:
    return house.period_at(house.now()).gaming_day


@pytest.fixture
def over(cast: Cast, server_clock: ServerClock) -> date:
    """A day on which a table won $600 on a drop of $2,100, and the morning after."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(minutes=30)
    cast.deliver(cast.ask(FILL))
    server_clock.move(minutes=30)
    cast.close_table({10_000: 15, 2_500: 20})
    day = today()
    post(cast)
    server_clock.move(days=1)
    return day


def post(cast: Cast, box: Slip | None = None) -> None:
    """Count a box with $2,100 in it."""
    count_and_post(cast, box or pull(cast), {"cash_10000": 210_000})


def made(key_: str, first: date, last: date, **asked: Any) -> Report:
    entry = BOOK[key_]
    return entry.make(ReportChoice(first, last, **{"by": next(iter(entry.asked.ways)), **asked}))


def test_a_closed_day_is_settled_once_as_its_papers_say(cast: Cast, over: date) -> None:
    assert settle_due_days() == 0, "the day is open"
    before = table_days(over, over)
    close_the_day(cast, over)
    assert due_days() == [over]
    assert settle_due_days() == 1
    row = SettledWin.objects.get()
    assert (row.table, row.revision, row.drop_cents, row.win_cents) == (
        cast.table,
        1,
        210_000,
        60_000,
    )
    assert table_days(over, over) == before
    assert due_days() == []
    assert settle_day(over) == 0
    assert not verify().findings


def test_a_day_is_not_settled_before_its_boxes_are_counted(
    cast: Cast, server_clock: ServerClock
) -> None:
    play(cast)
    day = today()
    box = pull(cast)
    server_clock.move(days=1)
    close_the_day(cast, day, [f"slip:{box.serial}"])
    assert settle_due_days() == 0
    post(cast, box)
    assert settle_due_days() == 1


def test_an_open_slip_of_the_day_keeps_its_table_from_being_settled(
    cast: Cast, server_clock: ServerClock
) -> None:
    closer = play(cast)
    post(cast)
    day, waiting = today(), cast.count("opener", closer.cheques_by_cents)
    server_clock.move(days=1)
    close_the_day(cast, day, [f"slip:{waiting.serial}"])
    assert settle_due_days() == 0
    cast.sign(waiting, "verified", cast.alice, entry=Entry(counted=closer.cheques_by_cents))
    assert settle_due_days() == 1


def test_a_correction_is_read_at_once_and_writes_a_new_revision(
    cast: Cast, over: date, server_clock: ServerClock
) -> None:
    close_the_day(cast, over)
    settle_due_days()
    fill = Slip.objects.filter(kind="fill").latest("pk")
    approve(cast, key(cast, "fill", fill.raised_at, cheques={10_000: 1}, corrects=True))
    (day,) = table_days(over, over)
    assert day.win_cents == 50_000, "$100 more came from the cage than anybody knew"
    assert due_days() == [over]
    assert settle_due_days() == 1
    assert [(row.revision, row.win_cents) for row in SettledWin.objects.order_by("revision")] == [
        (1, 60_000),
        (2, 50_000),
    ]
    assert table_days(over, over) == [day]
    assert due_days() == []
    assert not verify().findings


def test_two_sweeps_at_once_settle_a_day_once(
    cast: Cast, over: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    close_the_day(cast, over)
    hold_before(monkeypatch, settling, "tables_report")
    assert sorted(at_once(lambda: settle_day(over), lambda: settle_day(over))) == [0, 1]
    assert SettledWin.objects.count() == 1


def test_a_correction_that_is_signed_while_a_day_is_settled_is_not_lost(
    cast: Cast, over: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    close_the_day(cast, over)
    fill = Slip.objects.filter(kind="fill").latest("pk")
    late = key(cast, "fill", fill.raised_at, cheques={10_000: 1}, corrects=True)
    hold_before(monkeypatch, settling, "tables_report")
    at_once(lambda: settle_day(over), lambda: approve(cast, late))
    (day,) = table_days(over, over)
    assert day.win_cents == 50_000
    settle_due_days()
    assert SettledWin.objects.latest("revision").win_cents == 50_000
    assert due_days() == []


def test_a152_hold_counts_markers_as_drop_and_leaves_out_cash_that_paid_one(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(LENT))
    cast.open_table(LENT)
    server_clock.move(minutes=1)
    ana = make_patron(cast)
    grant(cast, ana, 1_000_000)
    lend(cast, ana, 300_000)
    repay(cast, ana, cash_cents=100_000)
    server_clock.move(minutes=30)
    cast.close_table({10_000: 75, 2_500: 100})
    count_and_post(cast, pull(cast), {"cash_10000": 1_200_000}, [])
    day = today()
    (played,) = table_days(day, day)
    assert played.figures.marker_cash_cents == 100_000
    assert (played.drop_cents, played.statistical_drop_cents) == (1_200_000, 1_400_000)
    report = made("game", day, day)
    (row,) = report.sections[0].rows
    cells = dict(zip((c.key for c in report.sections[0].columns), row.cells, strict=True))
    assert cells["statistical_drop"].value == 1_400_000
    assert played.win_cents is not None
    assert cells["hold"].value == hold_basis_points(played.win_cents, 1_400_000)
    assert not verify().findings


def test_the_database_keeps_settled_win_and_its_sum(cast: Cast, over: date) -> None:
    close_the_day(cast, over)
    settle_due_days()
    row = SettledWin.objects.get()
    with pytest.raises(Error, match="permission denied"), transaction.atomic():
        SettledWin.objects.update(win_cents=1)
    row.pk, row.revision, row.win_cents = None, 2, row.win_cents + 1
    with pytest.raises(Error, match="settled_win_adds_up"), transaction.atomic():
        row.save(force_insert=True)
    row.revision, row.win_cents = 1, row.win_cents - 1
    with pytest.raises(Error, match="win_settled_once_a_revision"), transaction.atomic():
        row.save(force_insert=True)


def test_the_game_report_puts_days_together_and_keeps_estimate_and_final_apart(
    cast: Cast, over: date
) -> None:
    month = over.replace(day=1)
    for by in ("table", "game", "pit", "day"):
        report = made("game", month, over, by=by)
        (row,) = report.sections[0].rows
        cells = dict(zip((c.key for c in report.sections[0].columns), row.cells, strict=True))
        assert (cells["drop"].value, cells["final_win"].value) == (210_000, 60_000)
        assert cells["hold"].value == 2_857
        assert cells["estimated_win"].value is None
        assert cells["opening"].value == 250_000
        assert all(cells[key_].link for key_ in ("fills", "drop", "final_win"))
    by_shift = made("game", over, over, by="shift")
    assert [row.cells[0].value for row in by_shift.sections[0].rows] == ["Day"]
    assert made("game", over, over, shift="Grave").sections[0].rows == ()
    other = made("game", over, over, of="table BJ-12")
    assert other.sections[0].rows == ()
    long = made("game", over - timedelta(days=90), over, by="shift")
    assert long.finding is not None
    assert "31 days at most" in long.finding.words


def days_of_experience(cast: Cast, last: date, wins: list[int]) -> None:
    """Settle a day before another for each win, on a drop of $1,000 each."""
    SettledWin.objects.bulk_create(
        SettledWin(
            gaming_day=last - timedelta(days=number),
            table=cast.other_table,
            revision=1,
            pit=cast.pit.name,
            game="classic",
            opening_cents=0,
            closing_cents=win - 100_000,
            fills_cents=0,
            credits_cents=0,
            markers_cents=0,
            marker_payments_cents=0,
            drop_cents=100_000,
            jackpots_cents=0,
            win_cents=win,
            settled_at=house.now(),
        )
        for number, win in enumerate(wins, start=1)
    )


def test_statistics_say_whether_hold_lies_in_its_band(
    cast: Cast, server_clock: ServerClock
) -> None:
    play(cast)
    post(cast)
    day = today()
    few = made("statistics", day, day)
    assert few.sections[0].rows[0].cells[-1].value == "too few days"
    assert few.finding is not None
    assert few.finding.words.startswith("No band yet.")
    # 36 days around 20%, half of them 2% off: $600 of $2,100 is 28.57%.
    days_of_experience(cast, day, [18_000, 22_000] * 18)
    report = made("statistics", day, day)
    row = [cell.value for cell in report.sections[0].rows[0].cells]
    # v = 36 · 20² / 1000 / 35 dollars; 1.96 · √(v / 2100) = 2.74%.
    assert row[3:] == [210_000, 60_000, 2_857, 2_000, 1_726, 2_274, "outside"]
    assert report.finding is not None
    assert report.finding.tone is Tone.BAD
    by_game = made("statistics", day, day, by="game")
    assert by_game.sections[0].rows[0].cells[0].value == "Classic blackjack"


def test_a_year_of_two_hundred_tables_asks_as_much_as_that_of_one(cast: Cast, over: date) -> None:
    close_the_day(cast, over)
    settle_due_days()
    first = over - timedelta(days=300)
    with CaptureQueriesContext(connection) as few:
        table_days(first, over)
    days_of_experience(cast, over, [18_000, 22_000] * 50)
    with CaptureQueriesContext(connection) as many:
        assert len(table_days(first, over)) == 101
    assert len(many) == len(few)


def test_the_master_game_report_of_a_day_asks_as_much_for_two_hundred_tables_as_for_two(
    cast: Cast,
) -> None:
    play(cast)
    day = today()
    with CaptureQueriesContext(connection) as few:
        made("game", day, day)
    tables_that_played(cast, 200)
    with CaptureQueriesContext(connection) as many:
        assert len(made("game", day, day).sections[0].rows) == 201
    assert len(many) == len(few)
