"""The file of patrons: who keeps it, what it hides, and that every look at a secret is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import psycopg
import pytest
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.urls import reverse

from inventory.models import Patron, PatronDocument
from inventory.selectors.patrons import (
    identity_documents,
    newest_document,
    patron_of_card,
    patron_of_tax_id,
    patrons_named,
)
from inventory.services.patrons import (
    NewDocument,
    add_document,
    add_patron,
    change_patron,
    lock_patron,
    read_content,
    read_number,
    read_tax_id,
    tax_id_place,
)
from pitboss.ciphers import BOUND, decrypt
from pitboss.models import FloorException, JournalEntry
from pitboss.pictures import CONTENT_MAX_BYTES
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.row_seals import tell_of_altered
from pitboss.services.verification import verify
from tests.floor.cast import Cast, refused
from tests.floor.tablets import signed_in, signing, words
from tests.rules.test_id_scan import CARD

ANA = {
    "first_name": "Ana",
    "last_name": "Ruiz",
    "street": "1 Ocean Ave",
    "city": "Atlantic City",
    "region": "NJ",
    "postal_code": "08401",
    "born_on": "1980-05-01",
    "player_card": "PC-1001",
    "tax_id": "123-45-6789",
}
PNG = b"\x89PNG\r\n\x1a\nnot much of a picture"


@pytest.fixture
def ana(cast: Cast) -> Patron:
    return add_patron(keyed=ANA, pen=cast.pen(cast.alice))


def test_a_patron_is_found_by_card_name_and_tax_id(ana: Patron) -> None:
    assert patron_of_card(" PC-1001 ") == ana
    assert patron_of_card("") is None
    assert list(patrons_named("ruiz a")) == [ana]
    assert list(patrons_named("PC-1001")) == [ana]
    assert list(patrons_named("%")) == list(patrons_named(" ")) == []
    assert patron_of_tax_id("123 45 6789") == ana
    assert patron_of_tax_id("") is None


def test_a_tax_id_stands_nowhere_in_the_clear(cast: Cast, ana: Patron) -> None:
    ana.refresh_from_db()
    stored = " ".join(str(value) for value in vars(ana).values())
    told = " ".join(JournalEntry.objects.values_list("text", flat=True))
    assert "123456789" not in stored + told
    assert ana.masked_tax_id == "•••6789"


def test_each_reading_of_a_tax_id_is_in_the_journal(cast: Cast, ana: Patron) -> None:
    assert read_tax_id(patron=ana, purpose="W-2G 7", person=cast.alice) == "123456789"
    entry = JournalEntry.objects.latest("pk")
    assert (entry.kind, entry.person) == ("tax_id_read", cast.alice)
    assert "W-2G 7" in entry.text


def test_an_older_key_still_reads(ana: Patron, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = settings.KEYS
    newest = Fernet.generate_key().decode()
    rotated = replace(keys, field_keys=(newest, *keys.field_keys))
    monkeypatch.setattr(settings, "KEYS", rotated)
    assert read_tax_id(patron=ana, purpose="a test", person=cast.alice) == "123456789"


def test_a_second_tap_adds_one_patron(cast: Cast) -> None:
    pen = cast.pen(cast.erin, Place.CAGE)
    assert add_patron(keyed=ANA, pen=pen) == add_patron(keyed=ANA, pen=pen)
    assert Patron.objects.count() == 1


def test_a_dealer_does_not_keep_the_file(cast: Cast) -> None:
    with refused("wrong_role", journal=["act_refused"]):
        add_patron(keyed=ANA, pen=cast.pen(cast.dan))


def test_nobody_is_on_file_twice(cast: Cast, ana: Patron) -> None:
    with refused("card_taken", "tax_id_taken", journal=["act_refused"]):
        add_patron(keyed={**ANA, "first_name": "Anna"}, pen=cast.pen(cast.bob))


@pytest.mark.parametrize(
    "columns",
    [{"player_card": "PC-1001"}, {"tax_id_index": "i", "tax_id_cipher": "c", "tax_id_kind": "ssn"}],
)
def test_the_database_refuses_one_person_twice(
    cast: Cast, ana: Patron, columns: dict[str, str]
) -> None:
    other = add_patron(keyed={"first_name": "Bo", "last_name": "Li"}, pen=cast.pen(cast.alice))
    if "tax_id_index" in columns:
        columns = {**columns, "tax_id_index": ana.tax_id_index}
    with pytest.raises(IntegrityError, match="is_one_patron"), transaction.atomic():
        Patron.objects.filter(pk=other.pk).update(**columns)


def test_the_database_refuses_a_tax_id_without_its_index(ana: Patron) -> None:
    with pytest.raises(IntegrityError, match="in_cipher"), transaction.atomic():
        Patron.objects.filter(pk=ana.pk).update(tax_id_index="")


def test_a_correction_keeps_what_stood_there(cast: Cast, ana: Patron) -> None:
    keyed = {**ANA, "street": "9 Pacific Ave", "tax_id": ""}
    changed = change_patron(patron_id=ana.pk, keyed=keyed, pen=cast.pen(cast.alice))
    changed.refresh_from_db()
    assert changed.street == "9 Pacific Ave"
    assert changed.tax_id_index == ana.tax_id_index
    entry = JournalEntry.objects.latest("pk")
    assert entry.kind == "patron_changed"
    assert "1 Ocean Ave" in entry.text
    assert "9 Pacific Ave" in entry.text
    again = JournalEntry.objects.count()
    change_patron(patron_id=ana.pk, keyed=keyed, pen=cast.pen(cast.alice))
    assert JournalEntry.objects.count() == again


def test_an_unknown_patron_cannot_be_corrected(cast: Cast, ana: Patron) -> None:
    with refused("unknown_patron", journal=["act_refused"]):
        change_patron(patron_id=ana.pk + 1, keyed=ANA, pen=cast.pen(cast.alice))


def test_a_photo_is_kept_in_cipher_and_each_look_at_it_is_kept(cast: Cast, ana: Patron) -> None:
    new = NewDocument(DocumentKind.PHOTO, content=PNG)
    pen = cast.pen(cast.alice)
    photo = add_document(patron_id=ana.pk, new=new, pen=pen)
    assert add_document(patron_id=ana.pk, new=new, pen=pen) == photo
    assert "not much" not in photo.content_cipher
    assert photo.media_type == "image/png"
    device = cast.devices[Place.PIT]
    assert read_content(document=photo, person=cast.alice, device=device) == PNG
    entry = JournalEntry.objects.latest("pk")
    assert (entry.kind, entry.person) == ("patron_document_read", cast.alice)
    assert newest_document(ana, DocumentKind.PHOTO) == photo
    assert verify().is_sound


def test_an_id_is_on_file_until_it_ends(cast: Cast, ana: Patron) -> None:
    today = house.period_at(house.now()).gaming_day
    new = NewDocument(DocumentKind.PASSPORT, number="X12345678", issuer="ES", expires_on=today)
    passport = add_document(patron_id=ana.pk, new=new, pen=cast.pen(cast.alice))
    assert str(passport) == "passport …5678"
    assert list(identity_documents(ana, today)) == [passport]
    assert list(identity_documents(ana, today.replace(year=today.year + 1))) == []
    assert read_number(document=passport, purpose="W-2G 7", person=None) == "X12345678"
    assert JournalEntry.objects.latest("pk").kind == "patron_document_number_read"


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ({"kind": DocumentKind.PHOTO}, "field_missing"),
        ({"kind": DocumentKind.PHOTO, "content": b"GIF89a"}, "picture_unknown"),
        (
            {"kind": DocumentKind.PHOTO, "content": PNG + bytes(CONTENT_MAX_BYTES)},
            "picture_too_large",
        ),
        ({"kind": DocumentKind.PASSPORT}, "field_missing"),
        ({"kind": DocumentKind.PASSPORT, "number": "1" * 61}, "text_too_long"),
        ({"kind": DocumentKind.PASSPORT, "number": "1", "issuer": "a\x00"}, "text_too_long"),
    ],
)
def test_a_paper_that_proves_nothing_is_refused(
    cast: Cast, ana: Patron, new: dict[str, Any], code: str
) -> None:
    with refused(code, journal=["act_refused"]):
        add_document(patron_id=ana.pk, new=NewDocument(**new), pen=cast.pen(cast.alice))


def test_an_id_that_has_ended_is_refused(cast: Cast, ana: Patron) -> None:
    ended = house.now().date().replace(year=2020)
    new = NewDocument(DocumentKind.PASSPORT, number="X1", expires_on=ended)
    with refused("id_expired", journal=["act_refused"]):
        add_document(patron_id=ana.pk, new=new, pen=cast.pen(cast.alice))


def test_nobody_changes_a_paper_on_file(
    cast: Cast, ana: Patron, owner_connection: psycopg.Connection[tuple[object, ...]]
) -> None:
    new = NewDocument(DocumentKind.PHOTO, content=PNG)
    photo = add_document(patron_id=ana.pk, new=new, pen=cast.pen(cast.alice))
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        PatronDocument.objects.filter(pk=photo.pk).update(content_cipher="other")
    for table in ("patrondocument", "patronstanding", "creditline"):
        with pytest.raises(psycopg.errors.RestrictViolation, match="never changed"):
            owner_connection.execute(f"TRUNCATE inventory_{table} CASCADE")


def _swap(ana: Patron, ben: Patron) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE inventory_patron AS one SET tax_id_cipher = other.tax_id_cipher,"
            " version = one.version + 1 FROM inventory_patron AS other"
            " WHERE one.id IN (%(ana)s, %(ben)s) AND other.id IN (%(ana)s, %(ben)s)"
            " AND one.id <> other.id",
            {"ana": ana.pk, "ben": ben.pk},
        )
        assert cursor.rowcount == 2


@pytest.fixture
def ben(cast: Cast) -> Patron:
    keyed = ANA | {"first_name": "Ben", "player_card": "PC-1002", "tax_id": "123-45-6788"}
    return add_patron(keyed=keyed, pen=cast.pen(cast.alice))


def test_a_tax_id_swapped_by_sql_is_read_by_nobody(cast: Cast, ana: Patron, ben: Patron) -> None:
    _swap(ana, ben)
    for patron in Patron.objects.all():
        with pytest.raises(Refused) as refused_by:
            read_tax_id(patron=patron, purpose="test", person=cast.erin)
        assert refused_by.value.codes == ("record_altered",)
    with pytest.raises(Refused) as refused_by, transaction.atomic():
        lock_patron(ana.pk)
    assert refused_by.value.codes == ("record_altered",)
    tell_of_altered()
    floor_exceptions = FloorException.objects.filter(code="record_altered")
    assert {floor_exception.details["row"] for floor_exception in floor_exceptions} == {
        ana.pk,
        ben.pk,
    }


def test_a_cipher_is_bound_to_its_patron(cast: Cast, ana: Patron, ben: Patron) -> None:
    """Who could seal a row could still not have one patron's number read as another's."""
    Patron.objects.filter(pk=ana.pk).update(tax_id_cipher=ben.tax_id_cipher)
    patron = Patron.objects.get(pk=ana.pk)
    assert patron.is_sealed()
    with pytest.raises(InvalidToken):
        read_tax_id(patron=patron, purpose="test", person=cast.erin)
    for broken in ("b1:", "b1:*", "b1:" + "A" * 60):
        with pytest.raises(InvalidToken):
            decrypt(broken, tax_id_place(ana.request_id))


def test_a_tax_id_of_an_earlier_release_is_read_and_bound(cast: Cast, ana: Patron) -> None:
    old = Fernet(settings.KEYS.field_keys[0]).encrypt(b"123456789").decode()
    Patron.objects.filter(pk=ana.pk).update(tax_id_cipher=old)
    assert read_tax_id(patron=Patron.objects.get(), purpose="test", person=None) == "123456789"

    call_command("bind_ciphers")
    patron = Patron.objects.get()
    assert patron.tax_id_cipher.startswith(BOUND)
    assert read_tax_id(patron=patron, purpose="test", person=None) == "123456789"
    assert JournalEntry.objects.filter(kind="tax_id_bound").count() == 1
    call_command("bind_ciphers")
    assert Patron.objects.get().version == patron.version


def test_a_cipher_is_read_after_the_field_key_rotated(ana: Patron, settings: Any) -> None:
    new = Fernet.generate_key().decode()
    settings.KEYS = replace(settings.KEYS, field_keys=(new, *settings.KEYS.field_keys))
    assert read_tax_id(patron=ana, purpose="test", person=None) == "123456789"
    settings.KEYS = replace(settings.KEYS, field_keys=(new,))
    with pytest.raises(InvalidToken):
        read_tax_id(patron=ana, purpose="test", person=None)


def test_an_id_that_is_scanned_fills_the_file_and_leads_back_to_where_it_was_asked(
    cast: Cast,
) -> None:
    pit = signed_in(cast.alice, cast)
    choose = words(pit.get(reverse("slip-new", args=["marker"]), {"table": "BJ-11", "q": "neil"}))
    assert "New patron" in choose
    own, then = reverse("patron-new"), f"{reverse('cash-new', args=['BJ-11'])}?who=p"
    wrong = pit.post(own, {"scan": "70014412", "then": then})
    assert (wrong.status_code, Patron.objects.count()) == (422, 0)
    page = words(pit.post(own, {"scan": CARD, "then": then}))
    assert 'value="O\'Neil"' in page
    fields = {"first_name": "Tom", "last_name": "O'Neil", "born_on": "1971-03-04"}
    done = pit.post(own, signing(page, cast.alice, **fields))
    tom = Patron.objects.get()
    assert done["Location"] == f"{then}{tom.pk}"
    assert "Tom O'Neil" in words(pit.get(done["Location"]))
    document = tom.documents.get()
    assert (document.kind, document.number_ends) == ("driving_licence", "1234")
    away = words(pit.get(own, {"then": "https://example.com/?who=p", "entity": "yes"}))
    assert "//example.com" not in away
    assert "New company" in away
    company = signing(away, cast.alice, last_name="Acme LLC", tax_id="12-7654321")
    assert pit.post(own, company).status_code == 302
    acme = Patron.objects.get(is_entity=True)
    assert (acme.full_name, acme.tax_id_kind) == ("Acme LLC", "ein")
    assert not patrons_named("acme").exists()
    assert list(patrons_named("acme", entities=True)) == [acme]
    changed = change_patron(
        patron_id=acme.pk, keyed={"last_name": "Acme Inc"}, pen=cast.pen(cast.alice)
    )
    assert changed.is_entity
