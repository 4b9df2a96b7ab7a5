"""A closed month in one file: proven by itself, and one chain with the database."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from inventory.models import TrayCount
from pitboss.models import Attempt, JournalEntry, JournalSeal, Signature, Slip
from pitboss.rules.canonical import canonical
from pitboss.rules.refusal import Refused
from pitboss.services import archives, house, seals
from pitboss.services.archive_file import MANIFEST, MARK
from pitboss.services.archives import archive_month
from pitboss.services.journal import make_link
from pitboss.services.verification import verify
from pitboss.services.verification.archived import check_archive
from pitboss.services.verification.findings import VerificationReport
from pitboss.tasks import digest_days
from tables.models import PayoutCheck, Round
from tests.floor.cast import Cast, ServerClock
from tests.floor.days import close_the_day
from tests.floor.ratings import tell_round
from tests.floor.terminals import make_terminal
from tests.tables.test_check_digests import check
from tests.tampering import Owner, tamper

pytestmark = pytest.mark.django_db(transaction=True)
TRAY = {10_000: 20, 2_500: 20}
MAY, JUNE = "2026-05", "2026-06"
CHECKS = "tables.payoutcheck.jsonl"
# In the text of an entry, as a line of the file has it.
ISSUED = '\\"kind\\":\\"fill.issued\\"'


@pytest.fixture
def may(cast: Cast, server_clock: ServerClock) -> Cast:
    """A day of May with a fill, a count, checks and a round; it is June by now, and all closed."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    day = house.period_at(house.now()).gaming_day
    for cents in (1_500, 3_000):
        check(cast, cents)
    bets = {1: {"blackjack": 2_500}}
    tell_round(make_terminal(cast.table), cast.table, house.now(), bets, every=False)
    Attempt.objects.create(badge="104", kind=Attempt.Kind.PIN, at=house.now())
    seals.write_seal(now=house.now())
    server_clock.move(days=32)
    close_the_day(cast, day)
    digest_days.delay()
    seals.write_seal(now=house.now())
    return cast


def codes(folder: Path) -> list[str]:
    return sorted({finding.code.value for finding in verify(archives=folder).findings})


def read(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path: Path, parts: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def found_in(path: Path) -> list[str]:
    report = VerificationReport()
    check_archive(path, report, settings.KEYS.journal_keys)
    assert all(finding.where.startswith(path.name) for finding in report.findings)
    return [finding.sentence for finding in report.findings]


def test_a_month_is_proven_by_its_file_and_is_one_chain_with_the_database(
    may: Cast, tmp_path: Path
) -> None:
    before = [m.objects.count() for m in (JournalEntry, JournalSeal, Slip, PayoutCheck, Attempt)]
    done = archive_month(MAY, tmp_path)
    assert done.path == tmp_path / "pitboss-2026-05.archive"
    assert done.path.stat().st_mode & 0o777 == 0o600
    assert done.report.is_sound
    assert found_in(done.path) == []
    # Nothing went: the journal has one entry more.
    after = [m.objects.count() for m in (JournalEntry, JournalSeal, Slip, PayoutCheck, Attempt)]
    assert after == [before[0] + 1, *before[1:]]
    body = json.loads(JournalEntry.objects.get(kind="month_archived").text)["body"]
    assert body == {"month": MAY, "manifest": done.manifest_sha256, "bytes": done.bytes}

    parts = read(done.path)
    assert hashlib.sha256(parts[MANIFEST]).hexdigest() == done.manifest_sha256
    rows = {
        name: [json.loads(line) for line in content.splitlines()]
        for name, content in parts.items()
        if name.endswith(".jsonl")
    }
    of_may = JournalEntry.objects.filter(at__lt=house.day_span(_first_of_june())[0])
    assert len(rows["entries.jsonl"]) == of_may.count() > 5
    assert len(rows["seals.jsonl"]) == 1
    assert (
        len(rows["pitboss.signature.jsonl"])
        == Signature.objects.filter(signed_at__lt=house.now() - timedelta(days=20)).count()
    )
    assert len(rows[CHECKS]) == PayoutCheck.objects.count() == 2
    assert len(rows["inventory.traycount.jsonl"]) == TrayCount.objects.count() == 1
    assert len(rows["tables.round.jsonl"]) == Round.objects.count() == 1
    assert len(rows["pitboss.attempt.jsonl"]) > 1

    report = verify(archives=tmp_path)
    assert report.is_sound, report.findings
    assert (report.archives, report.archived_entries) == (1, of_may.count())


def _first_of_june() -> Any:
    return archives.month_named(JUNE).first


def test_the_next_month_goes_on_where_the_one_before_ended(
    may: Cast, server_clock: ServerClock, tmp_path: Path
) -> None:
    archive_month(MAY, tmp_path)
    today = house.period_at(house.now()).gaming_day
    server_clock.move(days=31)
    close_the_day(may, today)
    digest_days.delay()
    seals.write_seal(now=house.now())
    said = StringIO()
    call_command("archive", JUNE, str(tmp_path), stdout=said)
    assert "proven." in said.getvalue()
    assert verify(archives=tmp_path).archives == 2
    said = StringIO()
    call_command("verify_journal", "--archives", str(tmp_path), stdout=said, stderr=StringIO())
    assert "2 archived months" in said.getvalue()
    assert "one chain with the database" in said.getvalue()
    first, second = (json.loads(read(path)[MANIFEST]) for path in sorted(tmp_path.iterdir()))
    for name, chain in second["chains"].items():
        ended = first["chains"].get(name, {"last": 0, "link": ""})
        assert [chain["first"] - 1, chain["before"]] == [ended["last"], ended["link"]]
    # Without the month between, the files tell no one story.
    (tmp_path / "pitboss-2026-05.archive").unlink()
    findings = [finding.sentence for finding in verify(archives=tmp_path).findings]
    assert any("does not follow from the archive before" in finding for finding in findings)
    assert any("names an archive of 2026-05, which is not" in finding for finding in findings)


def changed(name: str, old: str, new: str) -> Callable[[dict[str, bytes]], None]:
    def change(parts: dict[str, bytes]) -> None:
        assert old.encode() in parts[name]
        parts[name] = parts[name].replace(old.encode(), new.encode(), 1)

    return change


def without_last_row(name: str) -> Callable[[dict[str, bytes]], None]:
    def change(parts: dict[str, bytes]) -> None:
        parts[name] = b"\n".join(parts[name].splitlines()[:-1]) + b"\n"

    return change


def added(parts: dict[str, bytes]) -> None:
    parts["more.jsonl"] = b"[]\n"


def marked_anew(parts: dict[str, bytes]) -> None:
    parts[MANIFEST] = parts[MANIFEST].replace(MAY.encode(), b"2026-04")
    parts[MARK] = f"other:{make_link(b'o' * 32, 'archive', parts[MANIFEST].decode())}".encode()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (changed("entries.jsonl", "fill.issued", "fill.voided"), "not as it was written"),
        (changed(CHECKS, "1500", "9500"), "not as it was written"),
        (without_last_row("entries.jsonl"), "not as it was written"),
        (without_last_row("pitboss.attempt.jsonl"), "not as it was written"),
        (changed(MANIFEST, MAY, "2026-04"), "manifest was changed"),
        (changed(MARK, ":", ":0"), "manifest was changed"),
        (marked_anew, "which isn’t known here"),
        (added, "other parts than its manifest names"),
        (lambda parts: parts.pop("seals.jsonl"), "other parts than its manifest names"),
    ],
)
def test_whatever_is_changed_in_a_file_is_found(
    may: Cast, tmp_path: Path, change: Callable[[dict[str, bytes]], None], says: str
) -> None:
    path = archive_month(MAY, tmp_path).path
    parts = read(path)
    change(parts)
    write(path, parts)
    assert any(says in sentence for sentence in found_in(path)), found_in(path)
    assert codes(tmp_path) == ["archive_differs"]


@pytest.mark.parametrize("keep", [0, 10, 0.5, 0.99])
def test_a_torn_file_is_found(may: Cast, tmp_path: Path, keep: float) -> None:
    path = archive_month(MAY, tmp_path).path
    whole = path.read_bytes()
    path.write_bytes(whole[: int(keep if keep > 1 else keep * len(whole))])
    assert found_in(path) == ["It can’t be read as an archive."]


@pytest.mark.parametrize(
    ("part", "old", "new", "says"),
    [
        (CHECKS, "1500", "9500", "are not those of their digest"),
        ("pitboss.signature.jsonl", "supervisor", "dealer", "changed after the journal vouched"),
        ("entries.jsonl", ISSUED, ISSUED.replace("issued", "voided"), "does not follow from the"),
        ("entries.jsonl", "fill.issued", "fill.voided", "doesn’t match its columns"),
    ],
)
def test_rows_are_proven_by_entries_and_digests_not_by_the_manifest_alone(
    may: Cast, tmp_path: Path, part: str, old: str, new: str, says: str
) -> None:
    path = archive_month(MAY, tmp_path).path
    parts = read(path)
    changed(part, old, new)(parts)
    manifest = json.loads(parts[MANIFEST])
    for item in manifest["parts"]:
        if item["name"] == part:
            item["bytes"] = len(parts[part])
            item["sha256"] = hashlib.sha256(parts[part]).hexdigest()
    text = canonical(manifest)
    keys = settings.KEYS
    name = keys.journal_key_name
    parts[MANIFEST] = text.encode()
    parts[MARK] = f"{name}:{make_link(keys.journal_keys[name], 'archive', text)}".encode()
    write(path, parts)
    assert any(says in sentence for sentence in found_in(path)), found_in(path)
    findings = [finding.sentence for finding in verify(archives=tmp_path).findings]
    assert any("names another file for this month" in finding for finding in findings)


def test_a_database_that_tells_another_story_than_the_file_is_found(
    may: Cast, tmp_path: Path, owner_connection: Owner
) -> None:
    path = archive_month(MAY, tmp_path).path
    chains = json.loads(read(path)[MANIFEST])["chains"]
    chain = chains[f"table:{may.table.pk}"]
    tamper(
        owner_connection,
        "pitboss_journalentry",
        "UPDATE pitboss_journalentry SET link = repeat('0', 64) WHERE number = %s AND chain_id = "
        "(SELECT id FROM pitboss_journalchain WHERE name = %s)",
        [chain["last"], f"table:{may.table.pk}"],
    )
    sentences = [finding.sentence for finding in verify(archives=tmp_path).findings]
    assert f"The database has another table:{may.table.pk} {chain['last']}, or none." in sentences
    assert found_in(path) == []


def test_a_record_that_is_not_sound_is_not_archived(
    may: Cast, tmp_path: Path, owner_connection: Owner
) -> None:
    tamper(
        owner_connection,
        "pitboss_signature",
        "UPDATE pitboss_signature SET role = 'dealer' WHERE role = 'supervisor'",
    )
    with pytest.raises(Refused, match="doesn’t prove what it contains"):
        archive_month(MAY, tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert not JournalEntry.objects.filter(kind="month_archived").exists()


def test_a_month_waits_until_it_is_over_closed_digested_and_due(
    cast: Cast, server_clock: ServerClock, tmp_path: Path
) -> None:
    def refusal(name: str) -> str:
        with pytest.raises(Refused) as refused:
            archive_month(name, tmp_path)
        (code,) = refused.value.codes
        return str(code)

    cast.deliver(cast.ask(TRAY))
    check(cast)
    day = house.period_at(house.now()).gaming_day
    assert refusal("2026-13") == "no_month"
    assert refusal(MAY) == "month_not_over"
    server_clock.move(days=62)
    for other in ("2026-04", JUNE):
        assert refusal(other) == "month_skipped"
    assert refusal(MAY) == "month_open"
    close_the_day(cast, day)
    assert refusal(MAY) == "month_undigested"
    digest_days.delay()
    archive_month(MAY, tmp_path)
    assert refusal(MAY) == "month_archived"
    with pytest.raises(CommandError, match="already archived"):
        call_command("archive", MAY, str(tmp_path))
    with pytest.raises(Refused, match="isn’t a folder"):
        verify(archives=tmp_path / "nowhere")


def test_a_file_in_the_way_is_not_written_over(may: Cast, tmp_path: Path) -> None:
    (tmp_path / "pitboss-2026-05.archive").write_text("someone’s")
    with pytest.raises(Refused, match="already exists"):
        archive_month(MAY, tmp_path)
    assert (tmp_path / "pitboss-2026-05.archive").read_text() == "someone’s"
    with pytest.raises(Refused, match="cannot be made"):
        archive_month(MAY, tmp_path / "nowhere")
