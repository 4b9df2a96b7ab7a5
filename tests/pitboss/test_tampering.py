"""What verify_journal finds when the owner of the database switches the triggers off."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from inventory.models import ChequeTransfer
from pitboss.models import JournalChain, JournalEntry, Signature, Slip, SlipPrint
from pitboss.rules.refusal import Refused
from pitboss.services import house, journal, seals
from pitboss.services.verification import Position, Wrong, verify
from tests.floor.cast import Cast
from tests.floor.jackpots import hit, open_tables
from tests.tampering import Owner, chain_of, entry, found, only, sealed_night, tamper

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def floor(cast: Cast) -> Cast:
    return sealed_night(cast)


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
    assert not [finding for finding in report.findings if finding.where == chain_of(floor)][1:]


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
    owner_connection.execute(
        "DELETE FROM pitboss_outboxevent WHERE entry_id = %s", [entry(floor, 4).pk]
    )
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
    assert not [finding for finding in report.findings if finding.where == chain_of(floor)][1:]
    # And what it vouched for stands without a witness.
    assert Wrong.ROW_INSERTED in {finding.code for finding in report.findings}


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
    with pytest.raises(Refused, match="not found"):
        verify(chain="table:nowhere")


def test_a_flood_of_findings_is_counted_and_not_kept(
    floor: Cast, owner_connection: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.services.verification.findings.FINDINGS_KEPT_MAX", 3)
    tamper(owner_connection, "pitboss_signature", "UPDATE pitboss_signature SET reason = 'x'")

    report = verify()
    assert len(report.findings) == 3
    assert report.findings_total == Signature.objects.count()


def test_what_tables_and_meters_keep_in_pencil_is_worked_out_again(
    cast: Cast, owner_connection: Owner
) -> None:
    meter = open_tables(cast)
    hit(cast)
    assert verify().is_sound
    closed, trays = cast.other_table.pk, cast.table.pk
    as_site = connection.cursor()
    as_site.execute("UPDATE pitboss_table SET is_open = false WHERE id = %s", [closed])
    owner_connection.execute(
        "UPDATE pitboss_table SET tray_sequence = tray_sequence + 1 WHERE id = %s", [trays]
    )
    as_site.execute("UPDATE jackpots_meter SET epoch = epoch + 1 WHERE id = %s", [meter.pk])
    findings = {
        (Wrong.DERIVED_DIFFERS, "table", closed),
        (Wrong.DERIVED_DIFFERS, "table", trays),
        (Wrong.DERIVED_DIFFERS, "meter", meter.pk),
    }
    assert found(verify()) == findings
    # Each hour too, when only what is new is followed.
    assert findings <= found(verify(since=Position()))


def test_a_table_that_sql_opened_is_named(cast: Cast) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE pitboss_table SET is_open = true WHERE id = %s", [cast.table.pk])
    assert found(verify()) == {(Wrong.DERIVED_DIFFERS, "table", cast.table.pk)}
