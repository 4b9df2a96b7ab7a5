"""Win from real slips: every figure, the papers behind it, estimate and final apart."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from inventory.models import TrayCount
from pitboss.models import SeriesCounter, Slip, Table
from pitboss.rules.day.win import Drop, table_win
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import PlanFacts
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.exceptions import open_exception
from pitboss.services.numbering import SlipNumber
from pitboss.services.signing import Entry
from pitboss.services.verification import verify as verify_journal
from tables.models import DropEstimate
from tables.reports.win import TableWin, day_report, table_report
from tables.services.drops import estimate_drop
from tables.services.open_items import open_items
from tables.services.serials import explain_gap
from tests.floor.cage import ask_credit, bring_back, carry_off, refuse_at_the_cage, send_credit
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.days import close_the_day
from tests.floor.drop_box import count_and_post, count_tray, pull
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db

TRAY = {10_000: 20, 2_500: 20}  # $2,500
FILL = {10_000: 10}  # $1,000


def report(cast: Cast, shift: str | None = None) -> TableWin:
    table = Table.objects.get(pk=cast.table.pk)
    return table_report(table, house.period_at(house.now()).gaming_day, shift)


def amounts(win: TableWin) -> dict[str, int]:
    return {line.key: line.amount_cents for line in win.lines if line.amount_cents}


def play(cast: Cast) -> Slip:
    """Open on $2,500, fill $1,000, close on $2,000: the patrons have $1,500 more in cheques."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    cast.deliver(cast.ask(FILL))
    return cast.close_table({10_000: 15, 2_500: 20})


def test_a57_final_win_to_the_cent_with_every_slip_behind_each_figure(cast: Cast) -> None:
    closer = play(cast)
    opener, fill = Slip.objects.get(kind="opener"), Slip.objects.filter(kind="fill").last()
    assert fill is not None
    box = pull(cast)
    figures = {
        "cash_10000": 150_000,
        "cash_2000": 60_000,
        "cash_100": 1_300,
        "coupons": 2_500,
        "foreign_cheques": 10_050,
    }
    count = count_and_post(cast, box, figures)

    win = report(cast)
    assert amounts(win) == {
        "closing": 200_000,
        "cash": 211_300,
        "foreign_cheques": 10_050,
        "opening": 250_000,
        "fills": 100_000,
        "coupons": 2_500,
    }
    # 2,000 + 2,113 + 100.50 - 2,500 - 1,000
    assert win.final is not None
    assert win.final.win_cents == 71_350
    assert win.final.before_payouts_cents == 73_850
    assert win.final.after_payouts_cents == 71_350
    behind = {line.key: [item.serial for item in line.behind] for line in win.lines if line.behind}
    assert behind == {
        "closing": [closer.serial],
        "cash": [count.serial],
        "foreign_cheques": [count.serial],
        "opening": [opener.serial],
        "fills": [fill.serial],
        "coupons": [count.serial],
    }
    for line in win.lines:
        assert sum(item.amount_cents for item in line.behind) == line.amount_cents
    counted = sum(line.sign * line.amount_cents for line in win.lines)
    assert counted == win.final.win_cents


def test_a57_the_estimate_is_shown_apart_and_never_overwritten(cast: Cast) -> None:
    play(cast)
    assert report(cast).estimated is None
    first = estimate_drop(table=cast.table, cash_cents=160_000, pen=cast.pen(cast.alice))
    estimate_drop(table=cast.table, cash_cents=190_000, pen=cast.pen(cast.bob))

    win = report(cast)
    assert win.final is None
    assert win.estimated is not None
    assert win.estimated.win_cents == 200_000 + 190_000 - 250_000 - 100_000
    assert [estimate.cash_cents for estimate in win.estimates] == [160_000, 190_000]

    count_and_post(cast, pull(cast), {"cash_10000": 210_000})
    win = report(cast)
    assert win.final is not None
    assert win.estimated is not None
    assert (win.estimated.win_cents, win.final.win_cents) == (40_000, 60_000)
    first.refresh_from_db()
    assert first.cash_cents == 160_000


def test_an_estimate_is_a_supervisors_and_a_second_tap_is_one(cast: Cast) -> None:
    pen = cast.pen(cast.alice)
    first = estimate_drop(table=cast.table, cash_cents=100, pen=pen)
    assert estimate_drop(table=cast.table, cash_cents=100, pen=pen) == first
    with refused("request_reused", journal=("act_refused",)):
        estimate_drop(table=cast.table, cash_cents=200, pen=pen)
    with refused("wrong_role", journal=("act_refused",)):
        estimate_drop(table=cast.table, cash_cents=200, pen=cast.pen(cast.dan))
    with refused("figure_malformed", journal=("act_refused",)):
        estimate_drop(table=cast.table, cash_cents=-1, pen=cast.pen(cast.alice))
    assert DropEstimate.objects.count() == 1


def test_there_is_no_final_win_until_the_box_is_pulled_counted_and_posted(cast: Cast) -> None:
    closer = play(cast)
    assert report(cast).open_reasons == (f"The box was not pulled after {closer.serial}.",)
    box = pull(cast)
    (reason,) = report(cast).open_reasons
    assert box.serial in reason
    assert report(cast).final is None
    count_and_post(cast, box, {"cash_100": 100})
    assert report(cast).open_reasons == ()
    assert report(cast).final is not None


def test_counts_between_cancel_and_each_shift_reads_its_own(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    count_tray(cast, {10_000: 25, 2_500: 20})
    count_and_post(cast, pull(cast), {"cash_10000": 50_000})
    server_clock.move(hours=7)
    cast.close_table({10_000: 18, 2_500: 20})
    count_and_post(cast, pull(cast), {"cash_10000": 90_000})

    day, first, second = report(cast), report(cast, "Day"), report(cast, "Swing")
    assert first.final is not None
    assert second.final is not None
    assert day.final is not None
    assert first.final.win_cents == 50_000 + 50_000
    assert second.final.win_cents == -70_000 + 90_000
    assert day.final.win_cents == first.final.win_cents + second.final.win_cents
    assert amounts(day)["opening"] == 250_000
    assert amounts(day)["closing"] == 230_000


def test_a_box_that_was_not_emptied_before_belongs_to_two_periods_and_says_so(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    count = count_tray(cast, TRAY)
    server_clock.move(hours=7)
    cast.close_table(TRAY)
    count_and_post(cast, pull(cast), {"cash_10000": 90_000})
    swing = report(cast, "Swing")
    assert swing.final is None
    assert any(count.serial in reason for reason in swing.open_reasons)
    assert report(cast).final is not None


def test_an_opener_variance_is_no_part_of_win(cast: Cast) -> None:
    closer = play(cast)
    count_and_post(cast, pull(cast), {"cash_10000": 100_000})
    short = {10_000: 15, 2_500: 19}
    opener = cast.count("opener", short)
    because = Entry(reason="One green is gone.")
    cast.sign(opener, "verified", cast.bob, entry=Entry(counted=short))
    for step in [s["name"] for s in opener.plan if s["track"] == "main"][2:]:
        who, place = {
            "accepted": (cast.heidi, Place.PIT),
            "security_reported": (cast.frank, Place.SECURITY),
            "surveillance_reported": (cast.ivan, Place.SURVEILLANCE),
        }[step]
        cast.sign(opener, step, who, place, entry=because)
    cast.close_table(short)
    count_and_post(cast, pull(cast), {})
    win = report(cast)
    assert win.final is not None
    # The first stretch lost $500 with $1,000 in the box; the second nothing at all.
    assert win.final.win_cents == 200_000 + 100_000 - 250_000 - 100_000
    assert amounts(win)["opening"] == 250_000 + 197_500
    assert amounts(win)["closing"] == 200_000 + 197_500
    assert closer.status == "done"


def test_a_credit_adds_to_win_and_one_that_came_back_does_not(cast: Cast) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    credit = send_credit(cast, {2_500: 4})
    wrong = ask_credit(cast, {2_500: 8})
    carry_off(cast, wrong)
    back = refuse_at_the_cage(cast, wrong)
    bring_back(cast, back, {2_500: 8})
    cast.close_table({10_000: 20, 2_500: 16})
    count_and_post(cast, pull(cast), {})
    win = report(cast)
    assert amounts(win)["credits"] == 10_000
    line = next(win_line for win_line in win.lines if win_line.key == "credits")
    assert [(behind.serial, behind.amount_cents) for behind in line.behind] == [
        (credit.serial, 10_000),
        (wrong.serial, 20_000),
        (back.serial, -20_000),
    ]
    assert win.final is not None
    assert win.final.win_cents == 0


def test_the_journal_vouches_for_every_row_of_a_whole_day(
    cast: Cast, server_clock: ServerClock
) -> None:
    play(cast)
    estimate_drop(table=cast.table, cash_cents=190_000, pen=cast.pen(cast.bob))
    count_and_post(cast, pull(cast), {"cash_10000": 210_000})
    day = house.period_at(house.now()).gaming_day
    SeriesCounter.objects.filter(series="F").update(last_number=3)
    number = SlipNumber("F", day.year, 3)
    explain_gap(number=number, reason="Lost in a restore.", pen=cast.pen(cast.ruth))
    server_clock.move(days=1)
    exception = open_exception(
        code="count_differs",
        sentence="A count differs.",
        details={},
        at=house.now() - timedelta(days=1),
        person=cast.dan,
        table=cast.table,
    )
    carry = [item.key for item in open_items(day)]
    assert f"exception:{exception.pk}" in carry
    close_the_day(cast, day, carry)
    verification_report = verify_journal()
    assert verification_report.is_sound, verification_report


def test_the_house_is_the_sum_of_its_pits_and_waits_for_every_table(cast: Cast) -> None:
    play(cast)
    day = house.period_at(house.now()).gaming_day
    pits, whole = day_report(day)
    assert [group.name for group in pits] == ["Pit 1"]
    assert whole.final is None
    count_and_post(cast, pull(cast), {"cash_10000": 210_000})
    estimate_drop(table=cast.table, cash_cents=200_000, pen=cast.pen(cast.alice))
    pits, whole = day_report(day)
    assert whole.final is not None
    assert whole.final.win_cents == 60_000
    assert (whole.estimated_cents, whole.drop_cents) == (50_000, 210_000)
    assert pits[0].final == whole.final


def test_a_day_without_play_has_no_win_at_all(cast: Cast) -> None:
    win = report(cast)
    assert (win.lines, win.estimated, win.final, win.open_reasons) == ((), None, None, ())
    assert table_win(win.figures, Drop(0)).win_cents == 0


def tables_that_played(cast: Cast, tables: int) -> None:
    """Give tables an opener, a closer and a guess: rows alone, which a report only reads."""
    now, when = house.now(), house.period_at(house.now())
    made = Table.objects.bulk_create(
        Table(
            name=f"X-{index}",
            pit=cast.pit,
            game="classic",
            minimum_cents=2_500,
            maximum_cents=300_000,
            par={"2500": 100},
        )
        for index in range(tables)
    )

    def slips_of(kind: str, offset: int) -> list[Slip]:
        return Slip.objects.bulk_create(
            Slip(
                kind=kind,
                series="X",
                year=2026,
                number=offset + index,
                serial=f"X-2026-{offset + index}",
                table=table,
                gaming_day=when.gaming_day,
                shift=when.shift,
                raised_at=now,
                cheques={"2500": 5},
                total_cents=12_500,
                plan=FLOWS[kind].plan(PlanFacts({2_500: 5})),
            )
            for index, table in enumerate(made)
        )

    openers, closers = slips_of("opener", 0), slips_of("closer", 1_000)
    TrayCount.objects.bulk_create(
        TrayCount(table=slip.table, slip=slip, tray_sequence=number, cheques={"2500": 5}, at=now)
        for number, slips in enumerate((openers, closers))
        for slip in slips
    )
    DropEstimate.objects.bulk_create(
        DropEstimate(
            table=table,
            gaming_day=when.gaming_day,
            shift=when.shift,
            cash_cents=100,
            keyed_by=cast.alice,
            keyed_at=now,
            request_id=uuid4(),
        )
        for table in made
    )


def test_the_report_of_two_hundred_tables_asks_as_much_as_that_of_two(
    cast: Cast, server_clock: ServerClock, django_assert_num_queries: Any
) -> None:
    play(cast)
    server_clock.move(days=1)
    cast.open_table({10_000: 15, 2_500: 20})
    cast.close_table(TRAY)
    count_and_post(cast, pull(cast), {"cash_10000": 210_000})
    day = house.period_at(house.now()).gaming_day
    with django_assert_num_queries(18):
        day_report(day)
    tables_that_played(cast, 200)
    with django_assert_num_queries(18):
        _, whole = day_report(day)
    assert sum(table.has_played for table in whole.tables) == 201
    one = next(table for table in whole.tables if table.table.name == "X-7")
    assert one.open_reasons == ("The box was not pulled after X-2026-1007.",)
    assert one.estimated_cents == 100


def test_the_page_of_a_day_asks_as_much_for_two_hundred_tables_as_for_two(cast: Cast) -> None:
    play(cast)
    client = signed_in(cast.ruth, cast)
    url = reverse("day-win", args=[house.period_at(house.now()).gaming_day.isoformat()])
    client.get(url)
    with CaptureQueriesContext(connection) as few:
        client.get(url)
    tables_that_played(cast, 200)
    with CaptureQueriesContext(connection) as many:
        page = client.get(url)
    assert words(page).count("X-") >= 200
    assert len(many) == len(few)


def test_the_report_of_a_table_is_its_part_of_the_days(
    cast: Cast, server_clock: ServerClock
) -> None:
    play(cast)
    server_clock.move(hours=9)
    cast.open_table({10_000: 15, 2_500: 20})
    cast.deliver(cast.ask(FILL))
    count_tray(cast, {10_000: 20, 2_500: 18})
    server_clock.move(minutes=5)
    cast.close_table({10_000: 19, 2_500: 18})
    day = house.period_at(house.now()).gaming_day
    for shift in (None, *house.the_property().shifts_on(day)):
        _, whole = day_report(day, shift)
        alone = [table_report(table.table, day, shift) for table in whole.tables]
        assert list(whole.tables) == alone
