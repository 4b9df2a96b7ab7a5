"""The journal: nobody can alter it, or whatever it vouches for, without its showing."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, connections, transaction
from django.db.models import QuerySet

from inventory.models import ChequeTransfer, TrayCount
from pitboss.models import (
    JournalChain,
    JournalEntry,
    Signature,
    Slip,
    SlipPrint,
)
from pitboss.rules.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house, journal, seals
from pitboss.services.signing import Entry
from pitboss.services.verification import Finding, Report, Wrong, verify
from tests.cast import SOME_CHEQUES, Cast

pytestmark = pytest.mark.django_db(transaction=True)

Owner = psycopg.Connection[tuple[object, ...]]

INK = {
    "pitboss_signature": "reason",
    "pitboss_slipprint": "copy",
    "pitboss_journalentry": "text",
    "pitboss_journalseal": "text",
    "inventory_chequetransfer": "count",
    "inventory_traycount": "tray_sequence",
}


@pytest.fixture(autouse=True)
def seal_file(settings: Any, tmp_path: Any) -> Any:
    """Give each test a seal file of its own."""
    settings.SEAL_FILE = tmp_path / "seals.log"
    return settings.SEAL_FILE


@pytest.fixture
def floor(cast: Cast) -> Cast:
    """A night on one table: a fill delivered and printed, one voided, one sent back, one refused
    signature, a count of the tray; all of it sealed."""
    delivered = cast.ask(SOME_CHEQUES)
    with pytest.raises(Refused):
        cast.sign(delivered, "issued", cast.alice, Place.CAGE)
    cast.deliver(delivered)

    voided = cast.ask(SOME_CHEQUES)
    reason = Entry(reason="Asked for at the wrong table.")
    cast.sign(voided, "voided", cast.erin, Place.CAGE, entry=reason, track=Track.VOID)
    cast.sign(voided, "void_witnessed", cast.grace, Place.SECURITY, track=Track.VOID)

    wrong = cast.ask(SOME_CHEQUES)
    cast.carry(wrong)
    back = cast.send_back(wrong)
    cast.sign(back, "carried_back", cast.frank)
    counted = Entry(counted=SOME_CHEQUES)
    cast.sign(back, "counted_in", cast.erin, Place.CAGE, entry=counted)

    under_way = cast.ask(SOME_CHEQUES)
    cast.carry(under_way)
    with transaction.atomic():
        now = house.now()
        printed = SlipPrint.objects.create(
            slip=delivered, copy=1, printed_by=cast.erin, printed_at=now
        )
        count = TrayCount.objects.create(
            table=cast.table, slip=delivered, tray_sequence=2, cheques={"2500": 20}, at=now
        )
        journal.write(
            chain=journal.chain_of(cast.table, journal.CAGE),
            kind="slip.printed",
            body={},
            at=now,
            rows=[printed, count],
        )
    seals.write_seal(now=house.now())
    return cast


def chain_of(cast: Cast) -> str:
    return journal.chain_of(cast.table, journal.CAGE)


def entry(cast: Cast, number: int) -> JournalEntry:
    return JournalEntry.objects.get(chain__name=chain_of(cast), number=number)


def tamper(owner: Owner, table: str, sql: str, parameters: list[Any] | None = None) -> None:
    """Change a table as its owner, who can switch the triggers off."""
    owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    changed = owner.execute(sql, parameters)
    assert changed.rowcount > 0, "the test changes nothing"
    owner.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def found(report: Report) -> set[tuple[Wrong, str, int]]:
    return {(each.code, each.where, each.number) for each in report.findings}


def only(report: Report) -> Finding:
    assert [str(each) for each in report.findings] == [str(report.first)]
    assert report.first is not None
    return report.first


def test_an_untouched_record_is_sound(floor: Cast, capsys: Any) -> None:
    call_command("verify_journal")

    report = verify()
    assert report.findings == []
    assert report.is_sound
    assert report.entries == JournalEntry.objects.count()
    assert report.chains == JournalChain.objects.count()
    assert report.seals == 1
    models = (Signature, Slip, SlipPrint, ChequeTransfer, TrayCount)
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


# What verify_journal finds when the owner switches the triggers off.


def test_a_changed_text_is_named(floor: Cast, owner_connection: Owner) -> None:
    tamper(
        owner_connection,
        "pitboss_journalentry",
        "UPDATE pitboss_journalentry SET text = replace(text, 'kind', 'sort') WHERE id = %s",
        [entry(floor, 5).pk],
    )

    report = verify()
    assert report.first is not None
    assert (report.first.code, report.first.where, report.first.number) == (
        Wrong.CHANGED,
        chain_of(floor),
        5,
    )
    # The entries that follow fit the link that stayed, so they are not under suspicion.
    assert not [each for each in report.findings if each.where == chain_of(floor)][1:]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("kind", "'fill.carried_by_nobody'"),
        ("at", "at + interval '1 microsecond'"),
        ("person_id", "NULL"),
        ("slip_id", "NULL"),
    ],
)
def test_a_changed_column_is_named(
    floor: Cast, owner_connection: Owner, column: str, value: str
) -> None:
    tamper(
        owner_connection,
        "pitboss_journalentry",
        f"UPDATE pitboss_journalentry SET {column} = {value} WHERE id = %s",
        [entry(floor, 3).pk],
    )

    finding = only(verify())
    assert (finding.code, finding.number) == (Wrong.COLUMN_DIFFERS, 3)
    assert column.removesuffix("_id") in finding.sentence


def test_an_unknown_key_is_named(floor: Cast, owner_connection: Owner) -> None:
    tamper(
        owner_connection,
        "pitboss_journalentry",
        "UPDATE pitboss_journalentry SET key_name = 'mine' WHERE id = %s",
        [entry(floor, 3).pk],
    )

    assert (Wrong.UNKNOWN_KEY, chain_of(floor), 3) in found(verify())


def test_a_deleted_entry_is_named(floor: Cast, owner_connection: Owner) -> None:
    tamper(
        owner_connection,
        "pitboss_journalentry",
        "DELETE FROM pitboss_journalentry WHERE id = %s",
        [entry(floor, 4).pk],
    )

    report = verify()
    assert report.first is not None
    assert (report.first.code, report.first.where, report.first.number) == (
        Wrong.MISSING,
        chain_of(floor),
        4,
    )
    assert not [each for each in report.findings if each.where == chain_of(floor)][1:]
    # And what it vouched for stands without a witness.
    assert Wrong.ROW_INSERTED in {each.code for each in report.findings}


def cut_off_newest(owner: Owner, cast: Cast, count: int) -> int:
    """Delete the newest entries of the table's chain, set its head back; return the first gone."""
    head = JournalChain.objects.get(name=chain_of(cast))
    last = head.head_number - count
    tamper(
        owner,
        "pitboss_journalentry",
        "DELETE FROM pitboss_journalentry WHERE chain_id = %s AND number > %s",
        [head.pk, last],
    )
    tamper(
        owner,
        "pitboss_journalchain",
        "UPDATE pitboss_journalchain SET head_number = %s, head_link = %s WHERE id = %s",
        [last, entry(cast, last).link, head.pk],
    )
    return last + 1


def test_newest_entries_cut_off_with_the_head_set_back_are_found_by_the_seal(
    floor: Cast, owner_connection: Owner
) -> None:
    # Refused signatures vouch for no row, so that nothing but the seal can tell.
    slip = Slip.objects.filter(status="open").get()
    for _ in range(2):
        with pytest.raises(Refused):
            floor.sign(slip, "agreed", floor.alice)
    seals.write_seal(now=house.now())
    first_gone = cut_off_newest(owner_connection, floor, 2)

    finding = only(verify())
    assert (finding.code, finding.where, finding.number) == (
        Wrong.MISSING,
        chain_of(floor),
        first_gone,
    )


def test_newest_entries_and_newest_seals_cut_off_are_found_by_the_file(
    floor: Cast, owner_connection: Owner
) -> None:
    slip = Slip.objects.filter(status="open").get()
    with pytest.raises(Refused):
        floor.sign(slip, "agreed", floor.alice)
    seals.write_seal(now=house.now())
    first_gone = cut_off_newest(owner_connection, floor, 1)
    tamper(
        owner_connection,
        "pitboss_journalseal",
        "DELETE FROM pitboss_journalseal WHERE number = 2",
    )

    assert found(verify()) == {
        (Wrong.SEAL_MISSING, "seals", 2),
        (Wrong.MISSING, chain_of(floor), first_gone),
    }


def test_a_chain_that_was_set_back_and_grew_again_is_found_by_an_old_seal(
    floor: Cast, owner_connection: Owner
) -> None:
    slip = Slip.objects.filter(status="open").get()
    with pytest.raises(Refused):
        floor.sign(slip, "agreed", floor.alice)
    seals.write_seal(now=house.now())
    rewritten = cut_off_newest(owner_connection, floor, 1)
    # The site itself goes on, with the key, on the shortened chain.
    for _ in range(2):
        with pytest.raises(Refused):
            floor.sign(slip, "agreed", floor.bob)
    seals.write_seal(now=house.now())

    finding = only(verify())
    assert (finding.code, finding.where, finding.number) == (
        Wrong.SEALED_OTHERWISE,
        chain_of(floor),
        rewritten,
    )


def test_a_chain_removed_whole_is_found_by_the_seal(cast: Cast, owner_connection: Owner) -> None:
    with transaction.atomic():
        journal.write(chain=journal.METERS, kind="meter.read", body={}, at=house.now())
    seals.write_seal(now=house.now())
    tamper(owner_connection, "pitboss_journalentry", "DELETE FROM pitboss_journalentry")
    delete = "DELETE FROM pitboss_journalchain WHERE name = 'meters'"
    tamper(owner_connection, "pitboss_journalchain", delete)

    assert (Wrong.MISSING, "meters", 1) in found(verify())


def test_a_head_set_back_is_named(floor: Cast, owner_connection: Owner) -> None:
    number = JournalChain.objects.get(name=chain_of(floor)).head_number
    tamper(
        owner_connection,
        "pitboss_journalchain",
        "UPDATE pitboss_journalchain SET head_number = head_number - 1 WHERE name = %s",
        [chain_of(floor)],
    )

    finding = only(verify())
    assert (finding.code, finding.number) == (Wrong.HEAD_DIFFERS, number)


def test_an_entry_inserted_without_the_key_is_named(floor: Cast) -> None:
    # The site's role may INSERT; it is the key that it lacks, once it is no longer the site.
    head = JournalChain.objects.get(name=chain_of(floor))
    last = entry(floor, head.head_number)
    number = head.head_number + 1
    forged = last.text.replace(f'"number":{last.number}', f'"number":{number}')
    JournalEntry.objects.create(
        chain=head,
        number=number,
        at=last.at,
        kind=last.kind,
        text=forged,
        key_name=last.key_name,
        link=journal.make_link(b"a key of my own", last.link, forged),
    )

    report = verify()
    assert (Wrong.INSERTED, chain_of(floor), number) in found(report)

    # Advancing the head to it does not make it true.
    head.head_number = number
    head.head_link = JournalEntry.objects.get(chain=head, number=number).link
    head.save()
    assert (Wrong.CHANGED, chain_of(floor), number) in found(verify())


def test_swapped_entries_are_named(floor: Cast, owner_connection: Owner) -> None:
    one, other = entry(floor, 4), entry(floor, 5)
    owner_connection.execute("ALTER TABLE pitboss_journalentry DISABLE TRIGGER USER")
    for pk, number in ((one.pk, 0), (other.pk, 4), (one.pk, 5)):
        owner_connection.execute(
            "UPDATE pitboss_journalentry SET number = %s WHERE id = %s", [number, pk]
        )
    owner_connection.execute("ALTER TABLE pitboss_journalentry ENABLE TRIGGER USER")

    report = verify()
    assert report.first is not None
    assert (report.first.code, report.first.where, report.first.number) == (
        Wrong.REORDERED,
        chain_of(floor),
        4,
    )


@pytest.mark.parametrize(
    ("table", "sql", "code", "where"),
    [
        (
            "pitboss_signature",
            "UPDATE pitboss_signature SET signed_as = 'Nobody · 000' WHERE id = %(id)s",
            Wrong.ROW_CHANGED,
            "signature",
        ),
        (
            "pitboss_signature",
            "UPDATE pitboss_signature SET counted = '{\"2500\": 1.5}' WHERE id = %(id)s",
            Wrong.ROW_CHANGED,
            "signature",
        ),
        (
            "pitboss_signature",
            "DELETE FROM pitboss_signature WHERE id = %(id)s",
            Wrong.ROW_MISSING,
            "signature",
        ),
        (
            "pitboss_slip",
            "UPDATE pitboss_slip SET total_cents = total_cents + 1 WHERE id = %(id)s",
            Wrong.ROW_CHANGED,
            "slip",
        ),
        (
            "pitboss_slip",
            "UPDATE pitboss_slip SET reason = 'other' WHERE id = %(id)s",
            Wrong.ROW_CHANGED,
            "slip",
        ),
        (
            "inventory_chequetransfer",
            "UPDATE inventory_chequetransfer SET count = count + 1 WHERE id = %(id)s",
            Wrong.ROW_CHANGED,
            "cheque transfer",
        ),
        (
            "inventory_chequetransfer",
            "DELETE FROM inventory_chequetransfer WHERE id = %(id)s",
            Wrong.ROW_MISSING,
            "cheque transfer",
        ),
        (
            "inventory_traycount",
            "UPDATE inventory_traycount SET cheques = '{\"2500\": 21}' WHERE id = %(id)s",
            Wrong.ROW_CHANGED,
            "tray count",
        ),
        (
            "pitboss_slipprint",
            "DELETE FROM pitboss_slipprint WHERE id = %(id)s",
            Wrong.ROW_MISSING,
            "slip print",
        ),
    ],
)
def test_a_row_changed_or_deleted_past_the_site_is_named(
    floor: Cast, owner_connection: Owner, table: str, sql: str, code: Wrong, where: str
) -> None:
    row = owner_connection.execute(f"SELECT min(id) FROM {table}").fetchone()
    assert row is not None
    owner_connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    assert owner_connection.execute(sql, {"id": row[0]}).rowcount == 1

    assert (code, where, row[0]) in found(verify())
    # Also when the one chain that vouches for it is verified alone.
    assert (code, where, row[0]) in found(verify(chain=chain_of(floor)))


def test_a_transfer_inserted_past_the_site_is_named(floor: Cast) -> None:
    # The site's role may INSERT a transfer, and no constraint minds this one.
    inserted = ChequeTransfer.objects.create(
        slip=Slip.objects.get(status="voided"),
        denomination_cents=10_000,
        count=50,
        source="cage",
        target="public",
        at=house.now(),
    )

    finding = only(verify())
    assert (finding.code, finding.where, finding.number) == (
        Wrong.ROW_INSERTED,
        "cheque transfer",
        inserted.pk,
    )
    # Of one chain alone nobody can say so: another might vouch for it.
    assert verify(chain=chain_of(floor)).is_sound


def test_a_row_with_two_entries_to_vouch_for_it_is_named(floor: Cast) -> None:
    printed = SlipPrint.objects.get()
    with transaction.atomic():
        again = journal.write(
            chain=chain_of(floor), kind="slip.printed", body={}, at=house.now(), rows=[printed]
        )

    finding = only(verify())
    assert (finding.code, finding.where, finding.number) == (
        Wrong.ROW_VOUCHED_TWICE,
        chain_of(floor),
        again.number,
    )


@pytest.mark.parametrize("status", ["open", "returning", "done", "voided", "returned"])
def test_a_status_that_the_signatures_do_not_bear_out_is_named(
    floor: Cast, owner_connection: Owner, status: str
) -> None:
    others = list(Slip.objects.exclude(status=status).order_by("id"))
    tamper(
        owner_connection,
        "pitboss_slip",
        "UPDATE pitboss_slip SET status = %s WHERE status <> %s",
        [status, status],
    )

    assert found(verify()) == {(Wrong.STATUS_DIFFERS, "slip", slip.pk) for slip in others}
    assert others


def test_one_chain_can_be_verified_alone(floor: Cast, owner_connection: Owner) -> None:
    tamper(
        owner_connection,
        "pitboss_journalentry",
        "UPDATE pitboss_journalentry SET text = text || ' ' WHERE id = %s",
        [entry(floor, 2).pk],
    )

    report = verify(chain=journal.PEOPLE)
    assert report.is_sound
    assert report.chains == 1
    assert (Wrong.CHANGED, chain_of(floor), 2) in found(verify(chain=chain_of(floor)))
    with pytest.raises(Refused, match="no chain"):
        verify(chain="table:nowhere")


def test_a_flood_of_findings_is_counted_and_not_kept(
    floor: Cast, owner_connection: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.services.verification.findings.FINDINGS_KEPT_MAX", 3)
    tamper(owner_connection, "pitboss_signature", "UPDATE pitboss_signature SET reason = 'x'")

    report = verify()
    assert len(report.findings) == 3
    assert report.findings_total == Signature.objects.count()


# Two at one chain.


def write_from_two_threads(monkeypatch: pytest.MonkeyPatch) -> tuple[bool, list[Exception]]:
    """Write to one chain from two threads that wait for each other between read and write.

    Return whether they met there, and what failed.
    """
    barrier = threading.Barrier(2)
    link = journal.make_link
    met: list[bool] = []
    errors: list[Exception] = []

    def wait_then_link(key: bytes, previous: str, text: str) -> str:
        try:
            barrier.wait(timeout=1.5)
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
    unlocked: Callable[..., QuerySet[Any]] = lambda self, **_: self  # noqa: E731
    monkeypatch.setattr(QuerySet, "select_for_update", unlocked)
    met, errors = write_from_two_threads(monkeypatch)

    assert met
    assert len(errors) == 1
    assert JournalEntry.objects.filter(chain__name=journal.CAGE).count() == 1
    assert verify().is_sound


def test_what_a_digest_covers_cannot_move_between_columns() -> None:
    assert journal.row_digest(["ab", "c"]) != journal.row_digest(["a", "bc"])
    assert journal.row_digest([None, ""]) != journal.row_digest(["", None])
    assert journal.row_digest(["-"]) != journal.row_digest([None])
