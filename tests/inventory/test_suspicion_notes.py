"""Notes on suspicious activity: written by the pit, read by compliance, hidden from all others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.sites import site as default_site
from django.db import connection

from inventory.models import NoteReading, SuspicionNote
from inventory.services.compliance import read_note, write_note
from pitboss.admin import reading_room
from pitboss.models import JournalEntry
from pitboss.rules.roles import Place
from pitboss.services.verification import verify
from tests.floor.cash_log import make_patron
from tests.floor.cast import Cast, refused

pytestmark = pytest.mark.django_db(transaction=True)
# Kept in the chain of compliance, whose entries have numbers of their own.
REFUSED: tuple[str, ...] = ()
SEEN = "Asked twice how much he may pay before papers are made."


def write(cast: Cast, **changed: Any) -> SuspicionNote:
    values = {"text": SEEN, "pen": cast.pen(cast.dan), "table": cast.table}
    return write_note(**{**values, **changed})


def read(cast: Cast, note: SuspicionNote, who: str = "petra") -> str:
    return read_note(note=note, reader=getattr(cast, who), device=cast.devices[Place.OFFICE])


def test_a_dealers_note_reaches_compliance_and_its_reading_is_kept(cast: Cast) -> None:
    note = write(cast)
    assert read(cast, note) == SEEN
    assert read(cast, note) == SEEN
    assert [note_reading.read_by for note_reading in NoteReading.objects.all()] == [cast.petra] * 2
    entries = JournalEntry.objects.filter(chain__name="compliance").order_by("number")
    kinds = list(entries.values_list("kind", flat=True))
    assert kinds == ["compliance_note", "compliance_note_read", "compliance_note_read"]
    assert verify().is_sound


@pytest.mark.parametrize("who", ["alice", "carol", "heidi", "olga", "ruth", "judy", "dan"])
def test_nobody_but_compliance_reads_a_note_its_writer_neither(cast: Cast, who: str) -> None:
    note = write(cast)
    with refused("wrong_role", journal=()):
        read(cast, note, who)
    assert not NoteReading.objects.exists()


REFUSALS: list[tuple[str, Callable[[Cast], dict[str, Any]]]] = [
    ("wrong_role", lambda cast: {"pen": cast.pen(cast.frank)}),
    ("wrong_role", lambda cast: {"pen": cast.pen(cast.petra)}),
    ("reason_missing", lambda cast: {"text": "  "}),
    ("reason_too_long", lambda cast: {"text": "x" * 2_001}),
]


@pytest.mark.parametrize(("code", "changed"), REFUSALS)
def test_one_change_is_one_reason_to_refuse_a_note(
    cast: Cast, code: str, changed: Callable[[Cast], dict[str, Any]]
) -> None:
    with refused(code, journal=REFUSED):
        write(cast, **changed(cast))
    write(cast)


def test_a_note_that_is_sent_twice_is_one(cast: Cast) -> None:
    pen = cast.pen(cast.dan)
    assert write(cast, pen=pen) == write(cast, pen=pen)
    with refused("request_reused", journal=REFUSED):
        write(cast, pen=pen, text="Something else.")


def test_neither_the_table_nor_the_journal_holds_what_a_note_says(cast: Cast) -> None:
    ana = make_patron(cast)
    write(cast, patron=ana)
    with connection.cursor() as cursor:
        cursor.execute("SELECT text_cipher FROM inventory_suspicionnote")
        (stored,) = cursor.fetchone()
    assert "papers" not in stored
    entry = JournalEntry.objects.get(kind="compliance_note")
    assert "papers" not in entry.text
    assert '"body":{}' in entry.text


def test_the_records_that_auditors_read_hold_no_notes(cast: Cast) -> None:
    hidden = {apps.get_model("inventory", name) for name in ("SuspicionNote", "NoteReading")}
    assert hidden.isdisjoint(reading_room._registry)
    assert hidden.isdisjoint(default_site._registry)
