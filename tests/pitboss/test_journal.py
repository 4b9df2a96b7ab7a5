"""The journal: nobody can alter it, or whatever it vouches for, without its showing."""

from __future__ import annotations

import itertools
import json
import re
import threading
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, connections, transaction

from inventory.models import ChequeTransfer, TrayCount
from pitboss.models import (
    Device,
    JournalChain,
    JournalEntry,
    Person,
    Signature,
    Slip,
    SlipPrint,
    Table,
)
from pitboss.rules.canonical import canonical
from pitboss.services import house, journal
from pitboss.services.verification import Wrong, verify
from tests.floor.cast import Cast
from tests.tampering import Owner, chain_of, entry, only, sealed_night, tamper

pytestmark = pytest.mark.django_db(transaction=True)

INK = {
    "pitboss_signature": "reason",
    "pitboss_slipprint": "copy",
    "pitboss_journalentry": "text",
    "pitboss_journalseal": "text",
    "inventory_chequetransfer": "count",
    "inventory_traycount": "tray_sequence",
}


@pytest.fixture
def floor(cast: Cast) -> Cast:
    return sealed_night(cast)


def test_an_untouched_record_is_sound(floor: Cast, capsys: Any) -> None:
    call_command("verify_journal")

    report = verify()
    assert report.findings == []
    assert report.is_sound
    assert report.entries == JournalEntry.objects.count()
    assert report.chains == JournalChain.objects.count()
    assert report.seals == 1
    models = (Signature, Slip, SlipPrint, ChequeTransfer, TrayCount, Person, Device, Table)
    assert all(model._default_manager.exists() for model in models)
    assert report.rows == sum(model._default_manager.count() for model in models)
    assert "all as written" in capsys.readouterr().out


def test_an_empty_record_is_sound(db: None) -> None:
    assert verify().is_sound


def test_quiet_says_nothing_when_all_is_well(floor: Cast, capsys: Any) -> None:
    call_command("verify_journal", "--quiet")

    assert capsys.readouterr() == ("", "")


def test_the_command_names_what_is_wrong_and_ends_with_1(
    floor: Cast, owner_connection: Owner, capsys: Any
) -> None:
    tamper(
        owner_connection,
        "pitboss_journalentry",
        "UPDATE pitboss_journalentry SET text = replace(text, '250000', '150000') WHERE id = %s",
        [entry(floor, 1).pk],
    )

    with pytest.raises(SystemExit) as ended:
        call_command("verify_journal", "--quiet")

    assert ended.value.code == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(f"{chain_of(floor)} 1: ")
    assert first.endswith("[changed]")


# Time never falls.


def test_an_entry_by_a_clock_that_is_behind_is_of_the_time_of_the_one_before(cast: Cast) -> None:
    now = house.now()
    for at in (now, now - timedelta(seconds=2), now + timedelta(seconds=1)):
        with transaction.atomic():
            journal.write(chain=journal.CAGE, kind="x", body={}, at=at)
    one, two, three = JournalEntry.objects.filter(chain__name=journal.CAGE).order_by("number")
    assert one.at == two.at < three.at
    assert json.loads(two.text)["clock"] == journal.plain_time(now - timedelta(seconds=2))
    assert "clock" not in json.loads(one.text)
    assert verify().is_sound


def test_a_clock_that_was_far_behind_is_named_once_a_chain(cast: Cast) -> None:
    now = house.now()
    for hours in (0, 1, 2):
        with transaction.atomic():
            at = now - timedelta(hours=hours)
            journal.write(chain=journal.CAGE, kind="x", body={}, at=at)
    finding = only(verify())
    assert (finding.code, finding.where, finding.number) == (Wrong.CLOCK_WENT_BACK, "cage", 2)


def forge(owner: Owner, *, at: datetime, version: dict[str, int]) -> None:
    """Put an entry after the last one of the cage as only who has the key could."""
    chain = JournalChain.objects.get(name=journal.CAGE)
    number = chain.head_number + 1
    nothing: dict[str, Any] = {
        "person": None,
        "badge": None,
        "slip": None,
        "where": None,
        "body": {},
        "rows": [],
    }
    fields = {"chain": chain.name, "number": number, "at": journal.plain_time(at), "kind": "x"}
    text = canonical(fields | nothing | version)
    name = settings.KEYS.journal_key_name
    link = journal.make_link(settings.KEYS.journal_keys[name], chain.head_link, text)
    for statement, values in (
        (
            "INSERT INTO pitboss_journalentry (chain_id, number, at, kind, text, key_name, link) "
            "VALUES (%s, %s, %s, 'x', %s, %s, %s)",
            [chain.pk, number, at, text, name, link],
        ),
        ("ALTER TABLE pitboss_journalchain DISABLE TRIGGER USER", None),
        (
            "UPDATE pitboss_journalchain SET head_number = %s, head_link = %s WHERE id = %s",
            [number, link, chain.pk],
        ),
        ("ALTER TABLE pitboss_journalchain ENABLE TRIGGER USER", None),
    ):
        owner.execute(statement, values)


@pytest.mark.parametrize(
    ("seconds", "version", "found"),
    [
        (3600, {"v": 2}, [Wrong.TIME_FELL]),
        (1, {"v": 2}, [Wrong.TIME_FELL]),
        # Entries of the version before may have waited for their turn, but not for an hour.
        (1, {}, []),
        (3600, {}, [Wrong.TIME_FELL]),
    ],
)
def test_an_entry_back_in_time_is_named_though_it_was_made_with_the_key(
    cast: Cast, owner_connection: Owner, seconds: int, version: dict[str, int], found: list[Wrong]
) -> None:
    now = house.now()
    with transaction.atomic():
        journal.write(chain=journal.CAGE, kind="x", body={}, at=now)
    forge(owner_connection, at=now - timedelta(seconds=seconds), version=version)
    assert [finding.code for finding in verify().findings] == found


def test_the_database_lets_no_head_go_back_in_time(cast: Cast) -> None:
    now = house.now()
    with transaction.atomic():
        journal.write(chain=journal.CAGE, kind="x", body={}, at=now)
    chain = JournalChain.objects.get(name=journal.CAGE)
    number = chain.head_number + 1
    JournalEntry.objects.create(
        chain=chain, number=number, at=now - timedelta(seconds=1), kind="x", link="1" * 64
    )
    head = JournalChain.objects.filter(pk=chain.pk)
    with pytest.raises(DatabaseError, match="does not go back in time"), transaction.atomic():
        head.update(head_number=number, head_link="1" * 64)


# What the database refuses.


VERBS = ("UPDATE", "DELETE", "TRUNCATE")


def statement(verb: str, table: str) -> str:
    column = INK[table]
    return {
        "UPDATE": f"UPDATE {table} SET {column} = {column}",
        "DELETE": f"DELETE FROM {table}",
        "TRUNCATE": f"TRUNCATE {table} CASCADE",
    }[verb]


def assert_site_is_refused(sql: str, because: str) -> None:
    refused = ""
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql)
    except DatabaseError as error:
        refused = str(error)
    assert re.search(because, refused), f"{sql}: {refused or 'not refused'}"


def assert_owner_is_refused(owner: Owner, sql: str, because: str) -> None:
    refused = ""
    try:
        owner.execute(sql)
    except psycopg.errors.RestrictViolation as error:
        refused = str(error)
    assert re.search(because, refused), f"{sql}: {refused or 'not refused'}"


def test_neither_site_nor_owner_may_change_what_is_in_ink(
    floor: Cast, owner_connection: Owner
) -> None:
    for table, verb in itertools.product(INK, VERBS):
        assert_site_is_refused(statement(verb, table), "permission denied")
        assert_owner_is_refused(owner_connection, statement(verb, table), "never changed")
    assert verify().is_sound


def test_neither_site_nor_owner_may_change_a_slip_but_for_its_status(
    floor: Cast, owner_connection: Owner
) -> None:
    pencil = {"status"}
    for column in {field.attname for field in Slip._meta.concrete_fields} - pencil:
        # Another value of the same type, whatever that is.
        sql = f"""
            UPDATE pitboss_slip SET {column} =
                (jsonb_populate_record(NULL::pitboss_slip, {other_value(column)})).{column}
        """
        assert_site_is_refused(sql, "in ink")
        assert_owner_is_refused(owner_connection, sql, "in ink")
    for verb in ("DELETE FROM", "TRUNCATE"):
        cascade = "CASCADE" if verb == "TRUNCATE" else ""
        assert_site_is_refused(f"{verb} pitboss_slip {cascade}", "permission denied")
        assert_owner_is_refused(owner_connection, f"{verb} pitboss_slip {cascade}", "never changed")
    assert verify().is_sound


def other_value(column: str) -> str:
    """Return SQL for a JSON object with a value for one column of a slip that no slip has."""
    field = next(f for f in Slip._meta.concrete_fields if f.attname == column)
    value = {
        "JSONField": '["odd"]',
        "DateField": '"1999-01-01"',
        "DateTimeField": '"1999-01-01T00:00:00Z"',
        "CharField": '"odd"',
    }.get(field.get_internal_type(), "7")
    return f"""'{{"{column}": {value}}}'"""


def test_a_slip_cannot_be_ended_past_its_signatures(floor: Cast, owner_connection: Owner) -> None:
    assert Slip.objects.filter(status="open").exists()
    for status in ("done", "voided", "returning", "returned"):
        sql = f"UPDATE pitboss_slip SET status = '{status}' WHERE status = 'open'"
        assert_site_is_refused(sql, "cannot")
        assert_owner_is_refused(owner_connection, sql, "cannot")
    for status in ("open", "voided", "returning", "returned"):
        sql = f"UPDATE pitboss_slip SET status = '{status}' WHERE status = 'done'"
        assert_site_is_refused(sql, "cannot")
        assert_owner_is_refused(owner_connection, sql, "cannot")


def test_the_site_may_not_loosen_the_rules(floor: Cast) -> None:
    for sql in [
        *(f"ALTER TABLE {table} DISABLE TRIGGER ALL" for table in (*INK, "pitboss_slip")),
        *(f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in (*INK, "pitboss_slip")),
        "ALTER TABLE pitboss_journalentry ADD COLUMN more text",
        "DROP TRIGGER never_changed ON pitboss_signature",
        "DROP TABLE pitboss_journalentry",
        "CREATE TABLE more (id int)",
        "CREATE FUNCTION more() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE OR REPLACE FUNCTION pitboss_never_changed() RETURNS trigger "
        "LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "SET session_replication_role = replica",
        "SET ROLE pitboss_owner",
    ]:
        assert_site_is_refused(sql, "permission denied|must be owner")


# Two at one chain.


def write_from_two_threads(
    monkeypatch: pytest.MonkeyPatch, *, wait_seconds: float = 1.5
) -> tuple[bool, list[Exception]]:
    """Write to one chain from two threads that wait for each other between read and write.

    Return whether they met there, and what failed.
    """
    barrier = threading.Barrier(2)
    link = journal.make_link
    met: list[bool] = []
    errors: list[Exception] = []

    def wait_then_link(key: bytes, previous: str, text: str) -> str:
        try:
            barrier.wait(timeout=wait_seconds)
            met.append(True)
        except threading.BrokenBarrierError:
            met.append(False)
        return link(key, previous, text)

    def write() -> None:
        try:
            with transaction.atomic():
                journal.write(chain=journal.CAGE, kind="race", body={}, at=house.now())
        except IntegrityError as error:
            errors.append(error)
        finally:
            connections.close_all()

    monkeypatch.setattr(journal, "make_link", wait_then_link)
    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    monkeypatch.undo()
    return any(met), errors


def test_two_acts_on_one_chain_wait_for_each_other_and_do_not_fork_it(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    met, errors = write_from_two_threads(monkeypatch)

    assert not met
    assert errors == []
    numbers = JournalEntry.objects.filter(chain__name=journal.CAGE).order_by("number")
    assert list(numbers.values_list("number", flat=True)) == [1, 2]
    assert verify().is_sound


def test_without_the_lock_the_two_would_meet_and_the_database_refuses_the_fork(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Shows that the test above tests something, and that a constraint stands behind the lock.
    unlocked = journal._locking_head().replace("FOR UPDATE", "")
    monkeypatch.setattr(journal, "_locking_head", lambda: unlocked)
    # They come there one after the other only if one is held up for longer than this.
    met, errors = write_from_two_threads(monkeypatch, wait_seconds=60)

    assert met
    assert len(errors) == 1
    assert JournalEntry.objects.filter(chain__name=journal.CAGE).count() == 1
    assert verify().is_sound


def test_what_a_digest_covers_cannot_move_between_columns() -> None:
    assert journal.row_digest(["ab", "c"]) != journal.row_digest(["a", "bc"])
    assert journal.row_digest([None, ""]) != journal.row_digest(["", None])
    assert journal.row_digest(["-"]) != journal.row_digest([None])
