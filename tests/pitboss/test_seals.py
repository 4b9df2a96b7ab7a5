"""Seals: the heads of all chains, chained themselves, in the database and in a file."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connections, transaction

from pitboss.models import FloorException, JournalChain, JournalSeal, SealingState
from pitboss.rules.canonical import canonical
from pitboss.services import house, journal, seals
from pitboss.services.seal_file import line_of, parsed
from pitboss.services.verification import Wrong, verify
from pitboss.tasks import write_seal as write_seal_task
from tests.full_disks import room_for

pytestmark = pytest.mark.django_db(transaction=True)

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
Owner = psycopg.Connection[tuple[object, ...]]


@pytest.fixture(autouse=True)
def seal_file(settings: Any, tmp_path: Path) -> Path:
    """Give each test a seal file of its own, in a folder that does not exist yet."""
    path = tmp_path / "seals" / "seals.log"
    settings.SEAL_FILE = path
    return path


def act(chain: str = journal.CAGE) -> None:
    """Let something happen on a chain."""
    with transaction.atomic():
        journal.write(chain=chain, kind="test.act", body={}, at=house.now())


def sealed(count: int, *, at: datetime | None = None) -> None:
    """Write so many seals, each after an act."""
    for _ in range(count):
        act()
        assert seals.write_seal(now=at or house.now()) is not None


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def numbers(path: Path) -> list[int]:
    return [json.loads(line)["seal"]["number"] for line in lines(path)]


def codes() -> list[tuple[Wrong, int]]:
    return [(finding.code, finding.number) for finding in verify().findings]


def test_a_seal_names_the_head_of_every_chain(seal_file: Path) -> None:
    act()
    act(journal.PEOPLE)
    seal = seals.write_seal(now=NOON)

    assert seal is not None
    content = json.loads(seal.text)
    assert content["number"] == 1
    assert content["at"] == "2026-05-01T12:00:00.000000+00:00"
    assert content["heads"] == {
        chain.name: [chain.head_number, chain.head_link] for chain in JournalChain.objects.all()
    }
    assert content["heads"]["cage"][0] == 1
    assert content["heads"]["meters"] == [0, ""]


def test_between_two_whole_seals_only_the_heads_that_moved_are_written(seal_file: Path) -> None:
    act()
    act(journal.PEOPLE)
    seals.write_seal(now=NOON)
    act()
    seals.write_seal(now=NOON + timedelta(minutes=1))
    act(journal.PEOPLE)
    act()
    seals.write_seal(now=NOON + timedelta(minutes=2))
    act(journal.METERS)
    seals.write_seal(now=NOON + timedelta(minutes=60))

    one, two, three, four = [json.loads(seal.text) for seal in JournalSeal.objects.order_by("pk")]
    assert set(one["heads"]) == set(four["heads"]) == set(journal.DESKS)
    assert {name: head[0] for name, head in two["moved"].items()} == {"cage": 2}
    assert {name: head[0] for name, head in three["moved"].items()} == {"cage": 3, "people": 2}
    assert "heads" not in two | three
    assert two["whole"] == three["whole"] == 1
    assert four["heads"]["cage"][0] == 3
    assert codes() == []


def test_a_chain_set_back_between_two_whole_seals_is_named(owner_connection: Owner) -> None:
    sealed(2, at=NOON)
    tamper(
        owner_connection,
        "UPDATE pitboss_journalchain SET head_number = 1, head_link = (SELECT link FROM "
        "pitboss_journalentry WHERE number = 1 AND chain_id = pitboss_journalchain.id) "
        "WHERE name = 'cage'",
        table="pitboss_journalchain",
    )
    seals.write_seal(now=NOON + timedelta(minutes=1))

    assert "moved" in json.loads(JournalSeal.objects.get(number=3).text)
    assert (Wrong.SEALED_OTHERWISE, 2) in codes()


def test_seals_of_the_release_before_verify_and_are_followed(
    seal_file: Path, settings: Any
) -> None:
    key_name = settings.KEYS.journal_key_name
    link = ""
    for number in (1, 2):
        act()
        heads = {
            chain.name: [chain.head_number, chain.head_link] for chain in JournalChain.objects.all()
        }
        at = NOON + timedelta(minutes=number)
        text = canonical({"number": number, "at": journal.plain_time(at), "heads": heads})
        link = journal.make_link(settings.KEYS.journal_keys[key_name], link, text)
        JournalSeal.objects.create(number=number, at=at, text=text, key_name=key_name, link=link)
        seal_file.parent.mkdir(exist_ok=True)
        with seal_file.open("a") as file:
            file.write(line_of(key_name, link, text) + "\n")
    assert codes() == []

    act()
    seals.write_seal(now=NOON + timedelta(minutes=3))
    assert numbers(seal_file) == [1, 2, 3]
    newest = json.loads(JournalSeal.objects.get(number=3).text)
    assert set(newest["moved"]) == {"cage"}
    assert newest["file"]["seal"] == 2
    assert codes() == []


def test_each_seal_is_linked_to_the_one_before(settings: Any) -> None:
    sealed(2)

    one, other = JournalSeal.objects.order_by("number")
    key = settings.KEYS.journal_keys[one.key_name]
    assert one.link == journal.make_link(key, "", one.text)
    assert other.link == journal.make_link(key, one.link, other.text)


def test_the_file_holds_one_canonical_line_a_seal(seal_file: Path) -> None:
    sealed(2)

    assert lines(seal_file) == [
        canonical({"seal": json.loads(seal.text), "key_name": seal.key_name, "link": seal.link})
        for seal in JournalSeal.objects.order_by("number")
    ]
    assert seal_file.stat().st_mode & 0o007 == 0


def test_a_seal_is_due_when_a_head_moved_and_at_least_every_hour() -> None:
    assert seals.write_seal(now=NOON) is not None
    assert seals.write_seal(now=NOON + timedelta(minutes=1)) is None
    act()
    assert seals.write_seal(now=NOON + timedelta(minutes=2)) is not None
    assert seals.write_seal(now=NOON + timedelta(minutes=61)) is None
    assert seals.write_seal(now=NOON + timedelta(minutes=62)) is not None


def test_the_task_seals(seal_file: Path) -> None:
    act()
    write_seal_task.delay()

    assert numbers(seal_file) == [1]


def test_seals_that_a_crash_kept_out_of_the_file_come_before_newer_ones(seal_file: Path) -> None:
    sealed(1)
    with room_for(seal_file):
        sealed(2)
    assert numbers(seal_file) == [1]

    # Nothing moved since, so no seal is due; the file is brought up to date all the same.
    assert seals.write_seal(now=house.now()) is None
    assert numbers(seal_file) == [1, 2, 3]
    sealed(1)
    assert numbers(seal_file) == [1, 2, 3, 4]
    assert codes() == []


def test_a_line_that_a_crash_tore_is_followed_by_the_whole_seal(seal_file: Path) -> None:
    sealed(1)
    whole = seal_file.read_bytes()
    with room_for(seal_file, 40):
        sealed(1)
    torn = seal_file.read_bytes()
    assert len(torn) == len(whole) + 40
    assert codes() == []

    assert seals.write_seal(now=house.now()) is None

    assert seal_file.read_bytes().startswith(torn + b"\n")
    assert [parsed(1, line).seal is None for line in lines(seal_file)] == [False, True, False]
    assert codes() == []
    sealed(1)
    assert codes() == []
    assert not FloorException.objects.filter(code="seal_file").exists()


def test_a_file_that_cannot_be_written_is_caught_up_with_later(
    seal_file: Path, settings: Any
) -> None:
    blocked = seal_file.parent.parent / "blocked"
    blocked.write_text("not a folder")
    settings.SEAL_FILE = blocked / "seals.log"
    act()
    seals.write_seal(now=house.now())
    assert "cannot be written" in SealingState.objects.get().trouble
    assert SealingState.objects.get().went_well_at is None
    assert JournalSeal.objects.count() == 1

    settings.SEAL_FILE = seal_file
    seals.write_seal(now=house.now())
    assert numbers(seal_file) == [1]
    assert SealingState.objects.get().trouble == ""
    assert SealingState.objects.get().went_well_at is not None


def test_writers_at_the_same_time_make_one_chain_and_one_file(seal_file: Path) -> None:
    errors: list[Exception] = []
    start = threading.Barrier(4)

    def seal(chain: str) -> None:
        try:
            start.wait(timeout=10)
            for _ in range(3):
                act(chain)
                seals.write_seal(now=house.now())
        except Exception as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=seal, args=[chain]) for chain in journal.DESKS[:4]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    count = JournalSeal.objects.count()
    assert 3 <= count <= 12
    assert numbers(seal_file) == list(range(1, count + 1))
    assert codes() == []


def tamper(owner: Owner, sql: str, table: str = "pitboss_journalseal") -> None:
    owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    assert owner.execute(sql).rowcount > 0
    owner.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def test_a_seal_deleted_from_the_database_is_found_by_the_file(owner_connection: Owner) -> None:
    sealed(3)
    tamper(owner_connection, "DELETE FROM pitboss_journalseal WHERE number >= 2")

    assert codes() == [(Wrong.SEAL_MISSING, 2), (Wrong.SEAL_MISSING, 3)]


def test_a_seal_gone_from_both_is_named(owner_connection: Owner, seal_file: Path) -> None:
    sealed(3)
    tamper(owner_connection, "DELETE FROM pitboss_journalseal WHERE number = 2")
    seal_file.write_text("".join(f"{lines(seal_file)[index]}\n" for index in (0, 2)))

    assert [code for code, _ in codes()] == [Wrong.SEAL_MISSING, Wrong.SEAL_FILE_BROKEN]


def test_a_seal_changed_in_the_database_is_named(owner_connection: Owner) -> None:
    sealed(3)
    tamper(
        owner_connection,
        "UPDATE pitboss_journalseal SET text = replace(text, 'cage', 'cave') WHERE number = 2",
    )

    assert codes() == [(Wrong.SEAL_FILE_DIFFERS, 2)]


def test_a_seal_changed_in_both_is_named(owner_connection: Owner, seal_file: Path) -> None:
    sealed(3)
    tamper(
        owner_connection,
        "UPDATE pitboss_journalseal SET text = replace(text, 'cage', 'cave') WHERE number = 2",
    )
    one, two, three = lines(seal_file)
    seal_file.write_text("\n".join([one, two.replace("cage", "cave"), three, ""]))

    assert codes() == [(Wrong.SEAL_CHANGED, 2)]


def test_a_seal_whose_columns_differ_from_its_text_is_named(owner_connection: Owner) -> None:
    sealed(2)
    tamper(
        owner_connection,
        "UPDATE pitboss_journalseal SET at = at - interval '1 day' WHERE number = 1",
    )

    assert codes() == [(Wrong.COLUMN_DIFFERS, 1)]


def test_a_seal_with_an_unknown_key_is_named(settings: Any, monkeypatch: Any) -> None:
    sealed(1)
    key_name = settings.KEYS.journal_key_name
    key = settings.KEYS.journal_keys.pop(key_name)
    try:
        assert (Wrong.UNKNOWN_KEY, 1) in codes()
    finally:
        settings.KEYS.journal_keys[key_name] = key


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (lambda text: "", [(Wrong.SEAL_FILE_BEHIND, 1)]),
        (lambda text: "".join(text.splitlines(True)[:1]), [(Wrong.SEAL_FILE_BEHIND, 2)]),
        (lambda text: "".join(text.splitlines(True)[1:]), [(Wrong.SEAL_FILE_BEHIND, 1)]),
        (lambda text: "rubbish\n" + text, [(Wrong.SEAL_FILE_DIFFERS, 1)]),
        (lambda text: text + text.splitlines(True)[0], [(Wrong.SEAL_FILE_DIFFERS, 4)]),
        (lambda text: text.replace("cage", "cave", 1), [(Wrong.SEAL_FILE_DIFFERS, 1)]),
        (lambda text: text.replace('"number":2', '"number": 2'), [(Wrong.SEAL_FILE_DIFFERS, 2)]),
    ],
)
def test_a_spoilt_file_is_named(
    seal_file: Path, spoil: Callable[[str], str], found: list[tuple[Wrong, int]]
) -> None:
    sealed(3, at=house.now() - timedelta(hours=2))
    seal_file.write_text(spoil(seal_file.read_text()))

    assert codes()[: len(found)] == found


def test_a_file_ahead_of_the_database_is_kept_and_what_follows_is_added(
    owner_connection: Owner, seal_file: Path
) -> None:
    sealed(3)
    before = lines(seal_file)
    tamper(owner_connection, "DELETE FROM pitboss_journalseal WHERE number >= 2")
    sealed(1)

    assert lines(seal_file)[:3] == before
    assert numbers(seal_file) == [1, 2, 3, 2]
    assert json.loads(JournalSeal.objects.get(number=2).text)["file"]["found"] == "ahead"
    assert (Wrong.RECORD_LOST, 2) in codes()
