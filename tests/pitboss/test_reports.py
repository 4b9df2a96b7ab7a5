"""The desk of reports: who reads which, one way to show, print and file them, and the seal."""

from __future__ import annotations

import csv
import re
from datetime import timedelta
from html import unescape
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from pitboss.access import PAGES
from pitboss.models import JournalSeal, Slip
from pitboss.reports.book import BOOK, readable_by
from pitboss.reports.heading import choice_words
from pitboss.reports.report import Cell, Report, ReportChoice, Tone
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.pins import prove_pin
from tests.floor.cast import LOCKOUT, Cast, ServerClock
from tests.floor.house import propose
from tests.floor.tablets import words
from tests.test_access import signed_in, someone

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}


def test_each_role_reads_the_reports_of_its_pages_and_no_others(cast: Cast) -> None:
    assert len(BOOK) >= 11
    for role in Role:
        client = signed_in(someone(cast, role), cast.devices[Place.OFFICE])
        readable = {entry.key for group in readable_by(role).values() for entry in group}
        for key, entry in BOOK.items():
            allowed = role in PAGES[entry.page]
            assert (key in readable) == allowed
            if allowed:
                assert role in PAGES["reports"], f"a {role} may read {key} and not open the desk"
        if role not in PAGES["reports"]:
            continue
        desk = words(client.get(reverse("reports")))
        for key in BOOK:
            assert (reverse("report", args=[key]) in desk) == (key in readable)


def answered(client: Client, name: str, key: str, **asked: str) -> Any:
    return client.get(reverse(name, args=[key]), asked)


def test_a_report_is_kept_from_whoever_may_not_read_it(cast: Cast) -> None:
    for key, entry in BOOK.items():
        outsider = next(role for role in PAGES["reports"] if role not in PAGES[entry.page])
        client = signed_in(someone(cast, outsider), cast.devices[Place.OFFICE])
        for name in ("report", "report-pdf", "report-csv"):
            assert answered(client, name, key).status_code == 403


@pytest.fixture
def seal(cast: Cast) -> JournalSeal:
    return JournalSeal.objects.create(
        number=412, at=house.now(), text="{}", key_name="journal-1", link="ab12" * 16
    )


def today_of(cast: Cast, **asked: Any) -> ReportChoice:
    today = house.period_at(house.now()).gaming_day
    return ReportChoice(today, today, **asked)


def made(key: str, choice: ReportChoice) -> Report:
    return BOOK[key].make(choice)


def values(report: Report, section: int = 0) -> list[tuple[Any, ...]]:
    return [tuple(cell.value for cell in row.cells) for row in report.sections[section].rows]


def cell(report: Report, column: str, row: int = 0, section: int = 0) -> Cell:
    table = report.sections[section]
    keys = [item.key for item in table.columns]
    return table.rows[row].cells[keys.index(column)]


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    """A morning with something for most reports: a fill, a void, a relief, a wrong PIN."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    voided = cast.ask({10_000: 5})
    server_clock.move(minutes=4)
    cast.void(voided)
    carried = cast.ask({10_000: 10})
    server_clock.move(minutes=11)
    cast.carry(carried)
    cast.relieve(carried)
    for _ in range(2):
        with pytest.raises(Refused):
            prove_pin(
                badge=cast.dan.badge, pin="000000", device=cast.devices[Place.PIT], policy=LOCKOUT
            )
    return cast


def test_every_report_is_shown_printed_and_filed_with_the_newest_seal(
    floor: Cast, seal: JournalSeal
) -> None:
    readers = {
        Role(reader.role): signed_in(reader, floor.devices[Place.OFFICE])
        for reader in (floor.heidi, floor.vera, floor.petra)
    }
    for key, entry in BOOK.items():
        # What surveillance or compliance alone reads is no matter of a shift manager.
        client = next(readers[role] for role in readers if role in PAGES[entry.page])
        screen = answered(client, "report", key)
        assert screen.status_code == 200
        shown = unescape(words(screen))
        assert seal.link in shown
        for section in screen.context["sections"]:
            for row in section["rows"]:
                assert all(f">{cell['words']}</" in shown for cell in row["cells"])

        paper = answered(client, "report-pdf", key)
        pages = PdfReader(BytesIO(paper.content)).pages
        for page in pages:
            assert seal.link in page.extract_text(), "a page without the seal proves nothing"
        assert entry.title in pages[0].extract_text()
        assert f'filename="{key}-2026-0' in paper.headers["Content-Disposition"]

        content = answered(client, "report-csv", key).content.decode()
        file = list(csv.reader(StringIO(content)))
        assert file[1] == ["report", entry.title]
        assert file[4][0] == "newest seal"
        assert seal.link in file[4][1]
        for section in made(key, screen.context["choice"]).sections:
            heads = [column.key for column in section.columns]
            start = file.index([section.title]) + 1
            assert file[start] == heads
            assert len(set(heads)) == len(heads)
            assert all(len(row) == len(heads) for row in file[start:][: len(section.rows)])


def test_an_address_keeps_what_was_asked_for_and_forgives_what_cannot_be(floor: Cast) -> None:
    client = signed_in(floor.heidi, floor.devices[Place.PIT])
    fields = {"from": "2026-04-30", "to": "2026-05-01", "shift": "Day", "pit": str(floor.pit.pk)}
    screen = answered(client, "report", "game", by="pit", **fields)
    choice = screen.context["choice"]
    assert (choice.first.isoformat(), choice.last.isoformat()) == ("2026-04-30", "2026-05-01")
    assert (choice.shift, choice.pit, choice.by) == ("Day", floor.pit, "pit")
    assert choice.query() in screen.context["pdf_url"]
    assert (
        choice_words(BOOK["game"], choice)
        == "Apr 30, 2026 to May 1, 2026, Day shift, Pit 1, by pit"
    )

    odd = {"from": "never", "to": "2999-01-01", "shift": "Tea", "pit": "²", "by": "colour"}
    choice = answered(client, "report", "game", **odd).context["choice"]
    assert choice == ReportChoice(choice.last, choice.last, by="table", reader=choice.reader)
    assert choice.last.isoformat() == "2026-05-01"
    assert answered(client, "report", "game", to="0001-01-01").context["choice"] == choice
    long = answered(client, "report", "minutes-lost", **{"from": "2020-01-01"}).context["choice"]
    assert long.first == long.last - timedelta(days=BOOK["minutes-lost"].asked.days_max - 1)
    assert answered(client, "report", "nothing").status_code == 404


def test_minutes_lost_adds_up_waits_by_step_and_opens_each(floor: Cast) -> None:
    report = made("minutes-lost", today_of(floor))
    rows = {(row[0], row[1]): row[2:] for row in values(report)}
    # One fill was issued at once, one after eleven minutes; the void one waited four.
    waits, waited, mean, longest, over, still = rows["Fill", "Issued"]
    assert (waits, waited, mean, longest) == (3, 15 * 60, 5 * 60, 11 * 60)
    assert (over, still) == (1, 0), "over five minutes, as the house lets anything wait"
    assert report.chart is not None
    assert (report.chart.bars[0].label, report.chart.bars[0].value) == ("Fill: Issued", 15 * 60)

    opened = made("minutes-lost", today_of(floor, of="fill.issued"))
    assert [row[-1] for row in values(opened)] == [11 * 60, 4 * 60, 0]
    assert opened.sections[0].rows[0].tone is Tone.BAD
    elsewhere = made("minutes-lost", today_of(floor, pit=floor.other_pit_tablet.pit))
    assert elsewhere.sections[0].rows == ()
    assert made("minutes-lost", today_of(floor, shift="Swing")).sections[0].rows == ()


def test_shared_devices_names_slips_that_two_signed_on_one_screen(floor: Cast) -> None:
    report = made("shared-devices", today_of(floor))
    rows = {row[0]: row for row in values(report)}
    # Cashier and officer both signed each fill that left, at the cage's one screen.
    assert rows["cage"][4] == 2
    opened = made("shared-devices", today_of(floor, of="shared: cage"))
    signed = values(opened)[0]
    assert "Issued: E. Erinson TG-105" in signed[3]
    assert "Carried: F. Frankson TG-106" in signed[3]
    assert signed[4] == 0
    # Each alone: a person who signs twice on a screen shares it with nobody.
    alone = made("shared-devices", today_of(floor, of="shared: surveillance"))
    assert alone.sections[0].rows == ()


def test_access_counts_wrong_attempts_by_badge_from_the_journal(floor: Cast) -> None:
    report = made("access", today_of(floor))
    assert values(report)[0][:5] == ("104", "D. Danson", 2, 0, 0)
    assert report.finding is not None
    assert report.finding.tone is Tone.GOOD
    opened = made("access", today_of(floor, of="104"))
    assert [row[2] for row in values(opened)] == ["Pit 1 tablet", "Pit 1 tablet"]
    for _ in range(3):
        with pytest.raises(Refused):
            prove_pin(
                badge=floor.dan.badge, pin="000000", device=floor.devices[Place.PIT], policy=LOCKOUT
            )
    report = made("access", today_of(floor))
    assert values(report)[0][2:5] == (5, 0, 1)
    assert report.finding is not None
    assert report.finding.tone is Tone.BAD


def test_changes_lists_settings_with_both_signers_overrides_and_late_entries(floor: Cast) -> None:
    slip = propose(floor, "people.idle_lock", "180")
    floor.sign(slip, "approved", floor.heidi)
    report = made("changes", today_of(floor))
    changed = values(report)[0]
    assert changed[0] == slip.serial
    assert "Instead of: " in changed[2]
    assert "New value: " in changed[2]
    assert changed[3:5] == ("C. Carolson TG-103: Safer.", "H. Heidison TG-108")
    overridden = [row[2] for row in values(report, 1)]
    assert overridden == ["Fill: taken over", "Fill: officer relieved"]
    assert cell(report, "reason", row=1, section=1).value == "Frank fell ill."


def test_serials_lists_voids_with_reason_both_signers_and_minutes(floor: Cast) -> None:
    voided = Slip.objects.get(status="voided")
    report = made("serials", today_of(floor))
    row = values(report, 2)[0]
    assert row[:3] == (voided.serial, "Fill", "BJ-11")
    assert row[4:] == ("Asked for twice.", "E. Erinson TG-105, I. Ivanson TG-109", 4 * 60)
    series = {row[0]: row for row in values(report)}
    assert series["F-2026"][2:7] == (1, 3, 3, 1, 0)
    opened = made("serials", today_of(floor, of="F void"))
    assert [row[0] for row in values(opened)] == [voided.serial]
    assert len(values(made("serials", today_of(floor, of="F used")))) == 3


def test_open_items_says_for_whom_each_waits_and_since_when(floor: Cast) -> None:
    carried = Slip.objects.filter(kind="fill").latest("pk")
    report = made("open-items", today_of(floor))
    (row,) = values(report)
    assert row[0].startswith(carried.serial)
    assert row[1:3] == (carried.serial, "dealer")
    assert report.finding is not None
    assert report.finding.words == "Open now: 1."


def test_the_documents_tell_of_every_report_and_every_column(floor: Cast) -> None:
    page = (Path(__file__).parents[2] / "docs" / "reports.md").read_text()
    told = {
        chapter.partition("\n")[0]: chapter for chapter in re.split(r"^## ", page, flags=re.M)[1:]
    }
    assert set(told) == {entry.title for entry in BOOK.values()}
    for entry in BOOK.values():
        today = house.period_at(house.now()).gaming_day
        report = entry.make(ReportChoice(today, today, by=next(iter(entry.asked.ways), "")))
        keys = {column.key for section in report.sections for column in section.columns}
        # The first column of a report that is put together in ways is named after the way.
        missing = {
            key for key in keys - set(entry.asked.ways) if f"`{key}`" not in told[entry.title]
        }
        assert not missing, f"{entry.key}: {missing}"
