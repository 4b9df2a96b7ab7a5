"""The records: who reads which rows, what they filter by, and what no one is shown."""

from __future__ import annotations

import io
import re
from typing import Any
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from inventory.services.compliance import read_note, write_note
from pitboss.access import PAGES
from pitboss.admin import READERS, reading_room
from pitboss.confidential import (
    ADMINISTRATORS_READ,
    COMPLIANCE_ONLY,
    is_secret,
    shown_columns,
    without_compliance,
)
from pitboss.models import JournalAudit, JournalEntry, JournalSeal, Person, Slip
from pitboss.rules.roles import Place, Role
from pitboss.services import house, journal
from pitboss.services.audits import ask_audit, run_audit
from pitboss.services.seals import write_seal
from tests.databases import take_time
from tests.floor.cast import Cast, ServerClock
from tests.floor.jackpots import open_tables
from tests.floor.markers import grant, lend
from tests.floor.markers import make_patron as make_borrower
from tests.floor.tablets import words
from tests.test_access import address, routes, signed_in, someone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("unhurried")]
SEEN = "Asked twice how much he may pay before papers are made."


def listing(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def test_a_new_secret_is_hidden_by_its_name() -> None:
    secret = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if is_secret(field)
    }
    assert {
        "pitboss.Person.password",
        "pitboss.Person.pin_hash",
        "pitboss.Device.token_hash",
        "pitboss.DeviceEnrolment.code_hash",
        "inventory.Patron.tax_id_cipher",
        "inventory.PatronDocument.number_cipher",
        "inventory.PatronDocument.content_cipher",
        "jackpots.TaxForm.number_ciphers",
        "pitboss.JournalSeal.text",
    } <= secret
    assert "pitboss.Signature.shown_hash" not in secret
    named = re.compile(r"(hash|cipher|ciphers|token|password|secret)$")
    for model in apps.get_models():
        for field in shown_columns(model):
            is_open = f"{model._meta.label}.{field.name}" == "pitboss.Signature.shown_hash"
            assert is_open or not named.search(field.name), f"{model} shows {field.name}"


@pytest.mark.parametrize("person", ["olga", "judy"])
def test_no_filter_reads_a_hidden_column_or_a_part_of_one(cast: Cast, person: str) -> None:
    client = signed_in(getattr(cast, person), cast.devices[Place.OFFICE])
    page = listing(Person)
    assert client.get(page, {"badge": cast.dan.badge}).status_code == 200
    for lookup in (
        "pin_hash__startswith",
        "pin_hash",
        "pin_hash__gt",
        "password__startswith",
        "password__regex",
        "badge__startswith",
        "acting_roles__granted_by__pin_hash__startswith",
        "visits__person__password__startswith",
        "visits__device__token_hash__startswith",
    ):
        assert client.get(page, {lookup: "argon2"}).status_code == 400, lookup
    assert client.get(page, {"o": "1"}).status_code in (200, 302)
    everyone = client.get(page).content.count(b"field-__str__")
    assert client.get(page, {"q": "argon2"}).content.count(b"field-__str__") == everyone
    assert client.get(page, {"_to_field": "pin_hash"}).status_code == 400


def test_every_secret_column_of_every_row_refuses_to_filter(cast: Cast) -> None:
    client = signed_in(cast.olga, cast.devices[Place.OFFICE])
    tried = 0
    for model in reading_room._registry:
        for field in model._meta.concrete_fields:
            if is_secret(field):
                tried += 1
                for how in ("", "__startswith", "__isnull", "__contains"):
                    answer = client.get(listing(model), {f"{field.name}{how}": "1"})
                    assert answer.status_code == 400, f"{model} by {field.name}{how}"
    assert tried > 5


def test_an_auditor_reads_rows_of_patrons_and_an_administrator_reads_none(cast: Cast) -> None:
    open_tables(cast)
    patron = make_borrower(cast)
    grant(cast, patron, 500_000)
    lend(cast, patron, 100_000)
    auditor = signed_in(cast.olga, cast.devices[Place.OFFICE])
    keeper = signed_in(cast.judy, cast.devices[Place.SECURITY])
    index = words(keeper.get(reverse("admin:index")))
    for model in reading_room._registry:
        label = model._meta.label
        may = label in ADMINISTRATORS_READ
        assert auditor.get(listing(model)).status_code == 200, label
        answers = [keeper.get(listing(model))]
        row = model._default_manager.first()
        if row is not None:
            base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
            answers.append(keeper.get(reverse(f"{base}_change", args=[row.pk])))
            answers.append(keeper.get(reverse(f"{base}_history", args=[row.pk])))
        for answer in answers:
            assert (answer.status_code == 403) is not may, label
            assert "Ruiz" not in words(answer), label
        assert (f'href="{listing(model)}"' in index) is may, label


def test_a_page_of_records_asks_the_database_little_however_many_models_there_are(
    cast: Cast, django_assert_max_num_queries: Any
) -> None:
    auditor = signed_in(cast.olga, cast.devices[Place.OFFICE])
    for model in (Slip, Person):
        with django_assert_max_num_queries(14):
            assert auditor.get(listing(model)).status_code == 200


@pytest.mark.parametrize("role", list(Role))
def test_whoever_reads_no_records_is_refused_and_kept(cast: Cast, role: Role) -> None:
    client = signed_in(someone(cast, role), cast.devices[Place.OFFICE])
    answer = client.get(reverse("admin:index"))
    reads = role in (Role.AUDITOR, Role.ADMINISTRATOR)
    assert answer.status_code == (200 if reads else 403)
    assert JournalEntry.objects.filter(kind="page_refused").exists() is not reads
    assert Client().get(reverse("admin:index")).status_code == 302


# --------------------------------------------------------------- notes to compliance


def site_of(cast: Cast, client: Client, role: Role, slip: Any) -> dict[str, bytes]:
    """Return every page that a role opens, but for what differs at every look."""
    seen = {}
    for path, pattern in routes():
        page = getattr(pattern.callback, "page", None)
        if page is None or role not in PAGES[page]:
            continue
        if pattern.name in ("logout", "lock", "slip-pdf", "report-pdf", "drills"):
            continue
        take_time()
        answer = client.get(address(cast, slip, pattern))
        if answer.status_code not in (403, 405):
            seen[path] = plain(answer.content)
    return seen


def plain(page: bytes) -> bytes:
    page = re.sub(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", b"", page)
    page = re.sub(rb'(csrfmiddlewaretoken" value="|X-CSRFToken": ")[A-Za-z0-9]+', b"", page)
    # A sealed pad says when it was sealed.
    page = re.sub(rb'name="pad" value="[^"]*"', b"", page)
    return re.sub(rb"[A-Za-z0-9]{64}", b"", page)


def exported(client: Client, clock: ServerClock) -> dict[str, bytes]:
    day = house.period_at(clock.now).gaming_day.isoformat()
    archive = client.post(reverse("audit-export"), {"day": day}).content
    with ZipFile(io.BytesIO(archive)) as files:
        return {name: files.read(name) for name in files.namelist()}


def rows_of(audit: JournalAudit) -> str:
    return audit.looked_at.partition(" rows")[0].rpartition(" ")[2]


def records(client: Client) -> dict[str, bytes]:
    return {
        model._meta.label: plain(client.get(listing(model)).content)
        for model in reading_room._registry
    }


def no_records(client: Client) -> dict[str, bytes]:
    return {}


def note(cast: Cast) -> None:
    """Write a note, be refused one, and read it."""
    kept = write_note(text=SEEN, pen=cast.pen(cast.dan), table=cast.table)
    with pytest.raises(Exception, match="Only the pit and the cage"):
        write_note(text=SEEN, pen=cast.pen(cast.frank), table=cast.table)
    read_note(note=kept, reader=cast.petra, device=cast.devices[Place.OFFICE])


def who_open_everything() -> list[Role]:
    """Return a few roles who open every page between them, whoever reads records first."""
    left = {page for page, roles in PAGES.items() if roles - {Role.COMPLIANCE}}
    chosen = sorted(READERS)
    for role in chosen:
        left -= {page for page in left if role in PAGES[page]}
    while left:
        others = [role for role in Role if role not in (*chosen, Role.COMPLIANCE)]
        chosen.append(max(others, key=lambda role: sum(role in PAGES[page] for page in left)))
        left -= {page for page in left if chosen[-1] in PAGES[page]}
    return chosen


@pytest.mark.parametrize("role", who_open_everything())
def test_no_page_of_anyone_else_differs_by_a_byte_with_a_note_and_without(
    server_clock: ServerClock, cast: Cast, role: Role
) -> None:
    fill = cast.ask()
    write_seal(now=server_clock.now)
    client = signed_in(someone(cast, role), cast.devices[Place.OFFICE])
    read = records if role in READERS else no_records
    read(client)
    before = site_of(cast, client, role, fill)
    if write_seal(now=server_clock.now) is not None:
        # Looking left something behind, such as a refusal: what comes now is the note alone.
        before = site_of(cast, client, role, fill)
    assert before
    rows = read(client)
    note(cast)
    assert write_seal(now=server_clock.now) is None
    after = site_of(cast, client, role, fill)
    assert [path for path, page in before.items() if after[path] != page] == []
    again = read(client)
    assert [label for label, page in rows.items() if again[label] != page] == []


@pytest.mark.django_db(transaction=True)
def test_audit_export_search_and_verification_tell_nothing_of_a_note(
    server_clock: ServerClock, cast: Cast
) -> None:
    client = signed_in(cast.olga, cast.devices[Place.OFFICE])
    cast.ask()
    write_seal(now=server_clock.now)

    def told() -> tuple[Any, ...]:
        found = [
            plain(client.get(reverse("audit"), {"person": who}).content)
            for who in (cast.dan.badge, cast.petra.badge, cast.frank.badge)
        ]
        return exported(client, server_clock), found

    files, found = told()
    audit = ask_audit(person=cast.olga)
    run_audit(audit.pk)
    audit.refresh_from_db()
    note(cast)
    write_seal(now=server_clock.now)
    assert not any(b"compliance" in content for content in exported(client, server_clock).values())
    assert "compliance_note" not in str(told()[1])
    again = ask_audit(person=cast.olga)
    run_audit(again.pk)
    again.refresh_from_db()
    assert again.findings_total == 0
    entries = JournalEntry.objects.filter(pk__gt=0).count()
    assert again.looked_at.startswith(f"{entries - 1} entries")
    assert (
        again.looked_at.split(" rows")[0].split()[-1]
        == audit.looked_at.split(" rows")[0].split()[-1]
    )
    assert files.keys() == told()[0].keys()
    assert found


def test_no_number_of_an_entry_or_a_seal_is_missing_where_a_note_was_written(
    server_clock: ServerClock, cast: Cast
) -> None:
    cast.ask()
    write_seal(now=server_clock.now)
    note(cast)
    assert write_seal(now=server_clock.now) is None
    cast.ask()
    assert write_seal(now=server_clock.now) is not None
    told = list(JournalEntry.objects.filter(pk__gt=0).order_by("pk").values_list("pk", flat=True))
    assert told == list(range(told[0], told[-1] + 1))
    kinds = set(JournalEntry.objects.filter(pk__lt=0).values_list("kind", flat=True))
    assert kinds == {"compliance_note", "act_refused", "compliance_note_read"}
    assert JournalSeal.objects.count() == 2


def test_what_an_earlier_release_wrote_of_notes_is_not_told_either(cast: Cast) -> None:
    for kind, body in (
        ("compliance_note", {}),
        ("compliance_note_read", {"note": 1}),
        ("act_refused", {"act": "compliance_note", "badge": "104", "codes": ["wrong_role"]}),
        ("act_refused", {"act": "match_stranger", "badge": "104", "codes": ["wrong_role"]}),
    ):
        journal.write(chain=journal.PEOPLE, kind=kind, body=body, at=house.now(), person=cast.dan)
    told = without_compliance(JournalEntry.objects.filter(person=cast.dan))
    assert [entry.kind for entry in told] == ["act_refused"]
    assert "match_stranger" in told.get().text


def test_attempts_at_a_pin_are_in_no_record() -> None:
    registered = {model._meta.label for model in reading_room._registry}
    assert not registered & COMPLIANCE_ONLY
    assert "pitboss.Attempt" in COMPLIANCE_ONLY
