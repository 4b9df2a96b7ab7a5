"""The auditor's desk: everything is found, nothing is writable, and a day leaves with its proof."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from datetime import date, timedelta

import psycopg
import pytest
from django.test import Client
from django.urls import reverse

from pitboss.confidential import COMPLIANCE_ONLY
from pitboss.models import JournalAudit, JournalEntry, JournalSeal, Slip
from pitboss.rules.roles import Place, Role
from pitboss.selectors.finding import Sought, find_entries, find_slips
from pitboss.services import house, seals
from pitboss.services.audits import ask_audit, audit_due, run_audit
from pitboss.services.exports import export_day
from pitboss.tasks import find_audits
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.tablets import words
from tests.races import at_once
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def desk(cast: Cast) -> Client:
    return signed_in(cast.olga, cast.devices[Place.OFFICE])


def serials(sought: Sought) -> list[str]:
    return [slip.serial for slip in find_slips(sought, Role.AUDITOR)]


def test_a59_a_slip_is_found_by_number_person_table_and_day(cast: Cast) -> None:
    fill = cast.ask()
    cast.issue(fill)
    other = cast.ask(by=cast.bob)
    day = house.period_at(house.now()).gaming_day
    assert serials(Sought(number=fill.serial[-6:])) == [fill.serial]
    assert serials(Sought(person=cast.erin.badge)) == [fill.serial]
    assert serials(Sought(person=cast.bob.last_name[:4].lower())) == [other.serial]
    assert serials(Sought(table=str(cast.table).lower(), day=day)) == [other.serial, fill.serial]
    assert serials(Sought(table=str(cast.other_table))) == []
    assert serials(Sought(day=day - timedelta(days=1))) == []
    assert serials(Sought(number=other.serial, person=cast.erin.badge)) == []


def test_a59_refused_attempts_are_found_too(cast: Cast) -> None:
    fill = cast.ask()
    with refused("wrong_role"):
        cast.sign(fill, "issued", cast.dan, Place.CAGE)
    found = find_entries(Sought(person=cast.dan.badge))
    assert [(entry.kind, entry.slip) for entry in found] == [("sign_refused", fill)]
    day = house.period_at(house.now()).gaming_day
    assert find_entries(Sought(number=fill.serial, day=day)).count() == 2
    assert not find_entries(Sought(number=fill.serial, day=day + timedelta(days=1)))


def test_a59_the_desk_shows_what_was_found_and_writes_nothing(cast: Cast, desk: Client) -> None:
    fill = cast.ask()
    shown = words(desk.get(reverse("audit"), {"number": fill.serial}))
    assert reverse("slip", args=[fill.serial]) in shown
    assert "fill.requested" in shown
    assert "No slip fits" in words(desk.get(reverse("audit"), {"number": "X-1"}))
    with refused("wrong_role"):
        cast.sign(fill, "issued", cast.olga, Place.CAGE)


def test_a60_a_record_of_five_years_ago_is_found_and_exported(
    cast: Cast, server_clock: ServerClock, desk: Client
) -> None:
    fill = cast.ask()
    day = house.period_at(house.now()).gaming_day
    server_clock.move(days=5 * 365)
    assert serials(Sought(number=fill.serial)) == [fill.serial]
    assert serials(Sought(day=day, table=str(cast.table))) == [fill.serial]
    archive, _ = exported(cast, day)
    assert [row["serial"] for row in rows_of(archive, "pitboss.slip")] == [fill.serial]


def exported(cast: Cast, day: date) -> tuple[zipfile.ZipFile, str]:
    file = io.BytesIO()
    fingerprint = export_day(day=day, person=cast.olga, device=None, to=file)
    return zipfile.ZipFile(file), fingerprint


def rows_of(archive: zipfile.ZipFile, label: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in archive.read(f"{label}.jsonl").splitlines()]


def test_a59_a_day_is_exported_with_the_hash_of_every_file(cast: Cast) -> None:
    cast.deliver(cast.ask())
    seals.write_seal(now=house.now())
    day = house.period_at(house.now()).gaming_day
    archive, fingerprint = exported(cast, day)

    manifest = json.loads(archive.read("manifest.json"))
    assert hashlib.sha256(archive.read("manifest.json")).hexdigest() == fingerprint
    assert manifest["gaming_day"] == day.isoformat()
    assert manifest["newest_seal"]["link"] == JournalSeal.objects.get().link
    files = {file["file"]: file for file in manifest["files"]}
    assert set(files) == set(archive.namelist()) - {"manifest.json", "SHA256SUMS"}
    for name, item in files.items():
        content = archive.read(name)
        assert hashlib.sha256(content).hexdigest() == item["sha256"]
        assert (len(content), content.count(b"\n")) == (item["bytes"], item["rows"])
    listed = archive.read("SHA256SUMS").decode().split("\n")[:-1]
    sums = {name: summed for summed, name in (line.split("  ") for line in listed)}
    hashes = {name: item["sha256"] for name, item in files.items()}
    assert sums == hashes | {"manifest.json": fingerprint}
    assert files["pitboss.slip.jsonl"]["rows"] == 1
    assert files["pitboss.signature.jsonl"]["rows"] == 5
    assert files["inventory.chequetransfer.jsonl"]["rows"] == 4
    entries = rows_of(archive, "pitboss.journalentry")
    assert [e["link"] for e in entries] == list(
        JournalEntry.objects.exclude(kind="day_exported")
        .order_by("pk")
        .values_list("link", flat=True)
    )
    assert fingerprint in JournalEntry.objects.get(kind="day_exported").text


def test_another_days_rows_and_compliances_notes_stay_behind(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.ask()
    day = house.period_at(house.now()).gaming_day
    server_clock.move(days=1)
    cast.ask(by=cast.bob)
    archive, _ = exported(cast, day)
    assert len(rows_of(archive, "pitboss.slip")) == 1
    entries = rows_of(archive, "pitboss.journalentry")
    assert [entry["kind"] for entry in entries] == ["cast", "fill.requested"]
    hidden = {f"{label.lower()}.jsonl" for label in COMPLIANCE_ONLY}
    assert hidden
    assert not hidden & set(archive.namelist())


def test_the_screen_hands_the_archive_over(cast: Cast, desk: Client) -> None:
    cast.ask()
    day = house.period_at(house.now()).gaming_day
    answer = desk.post(reverse("audit-export"), {"day": day.isoformat()})
    assert answer.headers["Content-Type"] == "application/zip"
    assert zipfile.ZipFile(io.BytesIO(answer.content)).testzip() is None
    assert desk.post(reverse("audit-export"), {"day": "yesterday"}).status_code == 302
    assert JournalEntry.objects.filter(kind="day_exported").count() == 1


def test_the_record_is_verified_from_the_screen(cast: Cast, desk: Client) -> None:
    cast.deliver(cast.ask())
    seals.write_seal(now=house.now())
    desk.post(reverse("audit-verify"))
    audit = JournalAudit.objects.get()
    assert audit.ended_at is not None
    assert audit.findings_total == 0
    assert "All as written" in words(desk.get(reverse("audit")))
    assert "All as written" in words(desk.get(reverse("audit-state")))


def test_the_desk_says_how_much_was_done_since_the_last_verification(
    cast: Cast, desk: Client
) -> None:
    desk.post(reverse("audit-verify"))
    assert "since then" not in words(desk.get(reverse("audit")))
    before = JournalEntry.objects.count()
    cast.ask()
    written = JournalEntry.objects.count() - before
    assert f"{written} act" in words(desk.get(reverse("audit")))


def test_what_was_altered_is_named_on_the_screen(
    cast: Cast, desk: Client, owner_connection: psycopg.Connection[tuple[object, ...]]
) -> None:
    fill = cast.ask()
    owner_connection.execute("ALTER TABLE pitboss_slip DISABLE TRIGGER USER")
    owner_connection.execute("UPDATE pitboss_slip SET total_cents = 1 WHERE id = %s", [fill.pk])
    owner_connection.execute("ALTER TABLE pitboss_slip ENABLE TRIGGER USER")
    desk.post(reverse("audit-verify"))
    assert JournalAudit.objects.get().findings_total >= 1
    shown = words(desk.get(reverse("audit")))
    assert "row_changed" in shown
    assert "All as written" not in shown


def test_one_verification_at_a_time_and_a_lost_one_is_begun_again(
    cast: Cast, server_clock: ServerClock
) -> None:
    first, second = at_once(
        lambda: ask_audit(person=cast.olga), lambda: ask_audit(person=cast.ruth)
    )
    assert first == second
    assert audit_due(now=house.now()) == first.pk, "its message may be lost"
    JournalAudit.objects.update(began_at=house.now(), heard_at=house.now())
    assert audit_due(now=house.now()) is None
    run_audit(first.pk)
    assert JournalAudit.objects.get().ended_at is None, "somebody else has it"
    server_clock.move(minutes=5)
    find_audits()
    assert JournalAudit.objects.get().ended_at is not None
    assert audit_due(now=house.now()) is None
    assert Slip.objects.count() == 0
