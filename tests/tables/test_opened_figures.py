"""Each number of a report opens to what it is made of, and what opens adds up to the number."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.urls import reverse

from jackpots.models import Meter
from pitboss.access import may_open
from pitboss.models import SeriesCounter
from pitboss.reports.book import BOOK, ReportEntry
from pitboss.reports.report import Cell, Link, Report, ReportChoice, Section
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.pins import prove_pin
from tables.services.drops import estimate_drop
from tests.floor.cage import send_credit
from tests.floor.cards import in_pit
from tests.floor.cast import LOCKOUT, Cast, ServerClock
from tests.floor.drop_box import count_and_post, pull
from tests.floor.house import change
from tests.floor.jackpots import COLOURED, hit, open_tables, released
from tests.floor.jackpots import pay as pay_jackpot
from tests.floor.late_papers import approve, key
from tests.floor.markers import grant, lend, make_patron
from tests.floor.markers import pay as pay_back
from tests.floor.meters import read, wager
from tests.floor.payouts import UNKNOWN, checked, paid
from tests.floor.rated_day import rate_players
from tests.floor.tax_papers import complete, make_winner
from tests.floor.terminals import TerminalClient, make_terminal
from tests.test_access import signed_in, someone

pytestmark = pytest.mark.django_db

# Nineteen against seventeen: a stake of $25 wins as much.
NINETEEN = UNKNOWN | {"player_cards": ["Kc", "9d"], "dealer_cards": ["9s", "8d"], "dealer_up": None}
# Written by whoever keyed or judged it, and made of nothing else; docs/reports.md says so.
LEAVES = {
    ("access", "tries_left"),
    ("mismatches", "stake"),
    ("mismatches", "owed"),
    ("mismatches", "keyed"),
}


@pytest.fixture
def day(cast: Cast, server_clock: ServerClock) -> date:
    """A day with something for every report, at a table whose box is posted, and one more open."""
    meter = open_tables(cast)
    server_clock.move(minutes=5)
    terminal = TerminalClient(make_terminal(cast.table))
    checked(terminal, NINETEEN)
    checked(terminal, UNKNOWN)
    checked(terminal, NINETEEN, paid_cents=2_000)
    paid(terminal, NINETEEN, paid_cents=5_000)
    cast.deliver(cast.ask({10_000: 10}))
    cast.void(cast.ask({10_000: 5}))
    send_credit(cast, {2_500: 20})
    patron = make_patron(cast)
    grant(cast, patron, 1_000_000)
    lend(cast, patron, 200_000)
    pay_back(cast, patron, cheques={10_000: 5})
    pay_back(cast, patron, cash_cents=30_000)
    wager(cast.table, 7)
    won = hit(cast, COLOURED)
    released(cast, won)
    complete(cast, won, make_winner(cast))
    pay_jackpot(cast, won)
    wager(cast.table, 3, key="later")
    read(cast, meter, 2_200_000)
    in_pit(cast, sets=2)
    change(cast, "people.idle_lock", "180")
    with pytest.raises(Refused):
        prove_pin(
            badge=cast.dan.badge, pin="000000", device=cast.devices[Place.PIT], policy=LOCKOUT
        )
    rate_players(cast, server_clock)
    server_clock.move(minutes=5)
    late = house.now()
    server_clock.move(minutes=5)
    estimate_drop(table=cast.table, cash_cents=150_000, pen=cast.pen(cast.alice))
    cast.close_table({100_000: 4, 10_000: 40, 2_500: 70, 500: 90})
    approve(cast, key(cast, "fill", late))
    figures = {"cash_10000": 210_000, "foreign_cheques": 5_000}
    count_and_post(cast, pull(cast), figures)
    SeriesCounter.objects.filter(series="C").update(last_number=3)
    return house.period_at(house.now()).gaming_day


def made(key_: str, choice: ReportChoice) -> Report:
    return BOOK[key_].make(choice)


def looks_at(entry: ReportEntry, day: date) -> Iterator[ReportChoice]:
    for way in entry.asked.ways or ("",):
        yield ReportChoice(day, day, by=way)


def column(section: Section, name: str) -> list[Cell]:
    index = [item.key for item in section.columns].index(name)
    return [row.cells[index] for row in section.rows]


def sum_of(section: Section, name: str) -> Cell:
    assert section.sums is not None
    return section.sums.cells[[item.key for item in section.columns].index(name)]


def amounts(cells: list[Cell]) -> int:
    return sum(cell.value for cell in cells if isinstance(cell.value, int))


def opened(link: Link | None) -> Report:
    """Return the report that a number opens to, as its address asks for it."""
    assert link is not None
    parts = urlsplit(link.url)
    asked = dict(parse_qsl(parts.query))
    key_ = parts.path.removeprefix(reverse("reports")).strip("/")
    return made(
        key_,
        ReportChoice(
            date.fromisoformat(asked["from"]),
            date.fromisoformat(asked["to"]),
            shift=asked.get("shift"),
            by=asked.get("by", ""),
            of=asked.get("of", ""),
        ),
    )


def closed_numbers(key_: str, report: Report, *, is_opened: bool) -> Iterator[str]:
    """Yield every number of a report that opens to nothing which an auditor may read."""
    for section in report.sections:
        # The sum at the foot of what was opened is of the lines above it.
        sums = [section.sums] if section.sums and not is_opened else []
        for row in (*section.rows, *sums):
            for cell, head in zip(row.cells, section.columns, strict=True):
                if not head.shape.is_number or not isinstance(cell.value, int) or not cell.value:
                    continue
                if is_opened and (key_, head.key) in LEAVES:
                    continue
                if cell.link is None or not may_open(Role.AUDITOR, cell.link.page):
                    yield f"{key_}, {section.title}: {head.key} {cell.value}"
    for bar in report.chart.bars if report.chart else ():
        if bar.link is None:
            yield f"{key_}, chart: {bar.label}"


def links_of(report: Report) -> set[str]:
    rows = [
        row
        for section in report.sections
        for row in (*section.rows, *([section.sums] if section.sums else ()))
    ]
    cells = {cell.link.url for row in rows for cell in row.cells if cell.link and cell.value}
    return cells | {bar.link.url for bar in (report.chart.bars if report.chart else ()) if bar.link}


def test_every_number_of_every_report_opens_to_what_it_is_made_of(cast: Cast, day: date) -> None:
    client = signed_in(someone(cast, Role.AUDITOR), cast.devices[Place.OFFICE])
    closed, seen, empty = list[str](), set[str](), list[str]()
    for entry in BOOK.values():
        for choice in looks_at(entry, day):
            report = made(entry.key, choice)
            if not any(section.rows for section in report.sections):
                empty.append(entry.key)
            closed += closed_numbers(entry.key, report, is_opened=False)
            seen |= links_of(report)
    assert not closed
    # The floor log holds words alone, and drills are practice: no line of either is written here.
    # Nor was a check taken at the cage, a deposit left for a year, a copy missing in a box, or a
    # hand reported with its cards; no list is in use, and nobody’s cash comes near a limit.
    quiet = {"floor", "drills", "coupons", "instruments", "mail-payments", "compliance-binder"}
    assert set(empty) <= quiet | {"unclaimed", "box-papers", "counts"}
    for url in sorted(seen):
        assert client.get(url, follow=True).status_code == 200, url
    for url in sorted(seen):
        parts = urlsplit(url)
        if parts.path.startswith(reverse("reports")):
            key_ = parts.path.removeprefix(reverse("reports")).strip("/")
            report = opened(Link(url, ""))
            closed += closed_numbers(key_, report, is_opened="of=" in parts.query)
    assert not closed


def test_the_sums_of_the_game_report_are_those_of_the_papers_behind_them(day: date) -> None:
    for by in ("table", "game", "pit", "day", "shift"):
        (whole,) = made("game", ReportChoice(day, day, by=by)).sections
        numbers = {
            "fills": 200_000,
            "credits": 50_000,
            "markers": 200_000,
            "marker_payments": 80_000,
            "drop": 215_000,
            "jackpots": 243_175,
        }
        assert {name: sum_of(whole, name).value for name in numbers} == numbers
        for name in (*numbers, "opening", "closing", "final_win", "estimated_win"):
            total = sum_of(whole, name)
            (papers,) = opened(total.link).sections
            assert papers.rows, name
            assert amounts(column(papers, "amount")) == total.value, name
            assert sum_of(papers, "amount").value == total.value
    # What is over several days opens to its days, and a line of one table to its own papers alone.
    (week,) = made("game", ReportChoice(day - timedelta(days=6), day, by="table")).sections
    (days,) = opened(sum_of(week, "fills").link).sections
    assert amounts(column(days, "fills")) == sum_of(week, "fills").value
    (other,) = made("game", ReportChoice(day, day, by="table", of="fills, table BJ-12")).sections
    assert other.rows == ()
    (not_final,) = made("game", ReportChoice(day, day, by="table", of="not final")).sections
    assert not_final.rows == ()


def test_a_meters_figures_are_the_sums_of_its_changes(day: date) -> None:
    (meter,) = Meter.objects.all()
    rolled, _ = made("meters", ReportChoice(day, day)).sections
    figures = {
        head.key: cell for head, cell in zip(rolled.columns, rolled.rows[0].cells, strict=True)
    }
    changes, readings = opened(figures["closing"].link).sections
    counted = [cell.value for cell in column(changes, "counts_as")]
    each = column(changes, "amount")
    for name, title in (
        ("wagers", "Wagers"),
        ("won", "Won"),
        ("seeded", "Seeded"),
        ("adjusted", "Adjusted"),
    ):
        adds = [cell for cell, said in zip(each, counted, strict=True) if said == title]
        assert adds or not figures[name].value
        assert amounts(adds) == figures[name].value, name
    assert column(changes, "shows")[-1].value == sum_of(changes, "shows").value
    assert sum_of(changes, "shows").value == figures["closing"].value
    assert column(changes, "reserve")[-1].value == figures["reserve"].value != 0
    assert amounts(column(changes, "into_reserve")) == figures["reserve"].value
    assert column(readings, "differs")[-1].value == figures["differs"].value
    before, _ = opened(figures["opening"].link).sections
    assert sum_of(before, "shows").value == figures["opening"].value
    assert before.title == meter.name


def test_counts_are_those_of_the_lines_that_they_open_to(day: date) -> None:
    """Every count that opens to a list of the same report opens to as many lines."""
    tried = set()
    for key_ in ("mismatches", "serials", "cards", "access", "shared-devices", "minutes-lost"):
        for choice in looks_at(BOOK[key_], day):
            table = made(key_, choice).sections[0]
            for row in table.rows:
                for cell, head in zip(row.cells, table.columns, strict=True):
                    if head.key not in COUNTS[key_] or not cell.value:
                        continue
                    (lines,) = opened(cell.link).sections
                    assert len(lines.rows) == cell.value, f"{key_}: {head.key} of {row.cells[0]}"
                    tried.add((key_, head.key))
    assert len(tried) >= 12


COUNTS = {
    "mismatches": {"checks", "caught", "overpaid", "underpaid", "unverified"},
    "serials": {"used", "void", "missing", "explained"},
    "cards": {"opening", "received", "on_hand"},
    "access": {"wrong_pin"},
    "shared-devices": {"signatures", "people", "shared_slips"},
    "minutes-lost": {"waits"},
}


def test_what_was_withheld_is_the_sum_of_the_forms_behind_it(day: date) -> None:
    _, withheld, *_ = made("tax-forms", ReportChoice(day, day)).sections
    (row,) = withheld.rows
    for cell, head in zip(row.cells, withheld.columns, strict=True):
        if head.key in ("winnings", "federal", "state"):
            (forms,) = opened(cell.link).sections
            assert amounts(column(forms, head.key)) == cell.value
