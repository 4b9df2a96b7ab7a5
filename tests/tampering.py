"""A night on one table, all of it sealed, and ways to change it past the site."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.db import connection, models, transaction

from inventory.models import TrayCount
from pitboss.models import JournalEntry, Person, SlipPrint
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house, journal, seals
from pitboss.services.signing import Entry
from pitboss.services.verification import RecordFault, VerificationReport, Wrong
from tests.floor.cast import SOME_CHEQUES, Cast

Owner = psycopg.Connection[tuple[object, ...]]


def columns_of(model: type[models.Model]) -> list[str]:
    """Return the columns of a table that a copy of its row brings along: all but its number."""
    columns = [field.column for field in model._meta.concrete_fields]
    return [column for column in columns if column is not None and column != "id"]


def explain_by_sql(person: Person) -> None:
    """Close every exception in somebody's name, past the services, as the site's role."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pitboss_floorexception SET resolved_at = now(), resolved_by_id = %s,"
            " resolution = 'All well.', version = version + 1",
            [person.pk],
        )


def sealed_night(cast: Cast) -> Cast:
    """Deliver and print a fill, void one, send one back, refuse a signature, count, and seal it."""
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


def found(report: VerificationReport) -> set[tuple[Wrong, str, int]]:
    return {(finding.code, finding.where, finding.number) for finding in report.findings}


def only(report: VerificationReport) -> RecordFault:
    assert [str(finding) for finding in report.findings] == [str(report.first)]
    assert report.first is not None
    return report.first
