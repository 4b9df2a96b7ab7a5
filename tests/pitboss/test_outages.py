"""Outages: declared and ended, forms issued in packs, and a close that waits for every number."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, transaction
from django.urls import reverse
from pypdf import PdfReader

from pitboss.models import JournalEntry, PaperForm, PaperFormEnd, PaperPicture, Slip
from pitboss.rules.day.outages import THE_CAGE, FormState
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.selectors.outages import fallback_kinds, forms_of, missing_of
from pitboss.services import house
from pitboss.services.outages import print_pack
from pitboss.services.signing import Entry
from tables.services.open_items import open_items
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.late_papers import approve, key
from tests.floor.outages import (
    bring_home,
    close,
    declare,
    end,
    issue,
    numbers_of,
    pack_of,
    picture,
    send_home,
)
from tests.tables.test_day_pages import signed_in

pytestmark = pytest.mark.django_db


def test_a_pack_is_issued_by_accounting_and_received_where_it_is_used(cast: Cast) -> None:
    pack = issue(cast, "FL", 50)
    assert pack.serial.startswith("FP-2026-")
    assert numbers_of(pack)[0] == "P-FL-000001-8"
    assert len(numbers_of(pack)) == 50
    with refused("wrong_place"):
        cast.sign(pack, "received", cast.bob, Place.CAGE)
    with refused("wrong_role"):
        cast.sign(pack, "received", cast.erin)
    cast.sign(pack, "received", cast.bob)
    # The next pack goes on where this one ended, whoever gets it.
    cage = pack_of(cast, "FL", 2, THE_CAGE)
    assert [form.number for form in cage.forms.order_by("number")] == [51, 52]
    assert {step["name"] for step in cage.plan if step["track"] == "main"} == {
        "issued",
        "received_cage",
    }


def test_a_pack_that_cannot_be_is_refused(cast: Cast) -> None:
    with refused("form_kind"):
        issue(cast, "XX")
    with refused("form_holder"):
        issue(cast, "FL", holder="Pit 99")
    with refused("pack_size"):
        issue(cast, "FL", 0)


def test_forms_are_printed_while_a_pack_is_issued_and_only_viewed_afterwards(cast: Cast) -> None:
    pack = issue(cast, "FL", 2)
    office = cast.devices[Place.OFFICE]
    real = print_pack(pack=pack, by=cast.ruth, device=office, is_real=True)
    assert JournalEntry.objects.filter(kind="forms_printed", slip=pack).count() == 1
    assert b"%PDF" in real[:8]
    cast.sign(pack, "received", cast.bob)
    with refused("pack_handed_over", journal=()):
        print_pack(pack=pack, by=cast.ruth, device=office, is_real=True)
    print_pack(pack=pack, by=cast.alice, device=None, is_real=False)


def test_a_pack_is_void_until_it_was_received_and_so_are_its_numbers(cast: Cast) -> None:
    pack = issue(cast, "FL", 3)
    why = Entry(reason="Printed crooked.")
    cast.sign(pack, "voided", cast.ruth, Place.OFFICE, entry=why, track=Track.VOID)
    cast.sign(pack, "void_witnessed", cast.heidi, track=Track.VOID)
    assert set(PaperFormEnd.objects.values_list("how", flat=True)) == {"void"}
    assert issue(cast, "FL", 1).details["first"] == 4


def test_an_outage_is_declared_by_a_manager_and_ended_by_one_of_their_rank(
    cast: Cast, server_clock: ServerClock
) -> None:
    with refused("wrong_role"):
        declare(cast, by=cast.alice)
    with refused("scope_missing"):
        declare(cast, scope=[])
    with refused("starts_ahead"):
        declare(cast, house.now() + timedelta(minutes=1))
    with refused("started_long_ago"):
        declare(cast, house.now() - timedelta(days=8))
    outage = declare(cast, house.now() - timedelta(minutes=5), scope=[cast.pit.name])
    assert outage.serial.startswith("OU-2026-")
    with refused("already_down"):
        declare(cast, by=cast.trent)
    with refused("wrong_role"):
        cast.sign(outage, "ended", cast.alice)
    end(cast, outage)
    with refused("wrong_role"):
        cast.sign(outage, "closed", cast.heidi, Place.OFFICE)
    assert close(cast, outage).status == "done"


def test_a129_an_outage_does_not_close_while_a_number_is_missing(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.open_table({})
    pack = pack_of(cast, "FL", 50)
    outage = declare(cast)
    server_clock.move(minutes=10)
    used = numbers_of(pack)[0]
    picture(cast, used)
    true_time = house.now()
    server_clock.move(minutes=10)
    end(cast, outage)
    approve(cast, key(cast, "fill", true_time, number=used))
    bring_home(cast, pack, unused="3-47", void="2", why="Torn.")
    missing = numbers_of(pack)[47:]
    assert missing_of(outage) == missing
    with pytest.raises(Refused, match=", ".join(missing)):
        close(cast, outage)


def test_a129_the_day_close_lists_the_outage_with_its_missing_numbers(
    cast: Cast, server_clock: ServerClock
) -> None:
    pack = pack_of(cast, "MK" if "MK" in fallback_kinds() else "FL", 3)
    outage = end(cast, declare(cast))
    bring_home(cast, pack, unused="1-2")
    (item,) = [
        open_item
        for open_item in open_items(outage.gaming_day)
        if outage.serial in open_item.sentence
    ]
    assert numbers_of(pack)[2] in item.sentence
    assert numbers_of(pack)[1] not in item.sentence
    bring_home(cast, pack, void="3", why="Lost in the pit. Surveillance has looked for it.")
    assert close(cast, outage).status == "done"


@pytest.mark.django_db(transaction=True)
def test_the_database_closes_no_outage_while_a_form_is_out(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack_of(cast, "FL", 1)
    outage = end(cast, declare(cast))
    monkeypatch.setattr("pitboss.kinds.outage.missing_of", lambda slip: [])
    with pytest.raises(DatabaseError, match="forms are missing"):
        close(cast, outage)
    outage.refresh_from_db()
    assert outage.status == "open"


def test_a_form_ends_once_and_on_its_own_papers(cast: Cast) -> None:
    pack, other = pack_of(cast, "FL", 3), pack_of(cast, "CR", 3)
    slip = bring_home(cast, pack, unused="1")
    again = send_home(cast, pack, void="1", why="Torn.")
    with refused("form_ended"):
        cast.sign(again, "counted_in", cast.ruth, Place.OFFICE)
    # Past the service: a form of another pack, and one that ended already.
    theirs = PaperForm.objects.filter(pack=other).first()
    row = PaperFormEnd(form=theirs, how="unused", slip=slip, at=house.now())
    with pytest.raises(DatabaseError, match="does not end"), transaction.atomic():
        row.save(force_insert=True)
    row = PaperFormEnd(form=pack.forms.get(number=2), how="entered", slip=slip, at=house.now())
    with pytest.raises(DatabaseError, match="does not end"), transaction.atomic():
        row.save(force_insert=True)


@pytest.mark.parametrize(
    ("unused", "void", "why", "code"),
    [
        ("", "", "", "no_forms"),
        ("1-9", "", "", "form_not_of_pack"),
        ("1 1", "", "", "form_twice"),
        ("1", "1", "Torn.", "form_twice"),
        ("", "1", "", "void_reason"),
        ("P-FL-000001-7", "", "", "form_digit_wrong"),
    ],
)
def test_a_return_that_cannot_be_is_refused(
    cast: Cast, unused: str, void: str, why: str, code: str
) -> None:
    pack = pack_of(cast, "FL", 5)
    with refused(code):
        bring_home(cast, pack, unused=unused, void=void, why=why)


def test_a_form_that_is_being_entered_is_not_returned(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.open_table({})
    pack = pack_of(cast, "FL", 2)
    outage = declare(cast)
    server_clock.move(minutes=5)
    picture(cast, numbers_of(pack)[0])
    key(cast, "fill", house.now(), number=numbers_of(pack)[0])
    assert [form.state for form in forms_of(pack)] == [FormState.ENTERING, FormState.MISSING]
    back = send_home(cast, pack, unused="1")
    with refused("form_ended"):
        cast.sign(back, "counted_in", cast.ruth, Place.OFFICE)
    assert missing_of(outage) == numbers_of(pack)


def test_an_outage_declared_by_mistake_is_voided_unless_paper_came_from_it(
    cast: Cast, server_clock: ServerClock
) -> None:
    outage = declare(cast)
    why = Entry(reason="It was one tablet.")
    cast.sign(outage, "voided", cast.carol, entry=why, track=Track.VOID)
    cast.sign(outage, "void_witnessed", cast.heidi, track=Track.VOID)
    outage.refresh_from_db()
    assert outage.status == "voided"
    cast.open_table({})
    pack = pack_of(cast, "FL", 2)
    second = declare(cast)
    server_clock.move(minutes=5)
    picture(cast, numbers_of(pack)[0])
    approve(cast, key(cast, "fill", house.now(), number=numbers_of(pack)[0]))
    cast.sign(second, "voided", cast.carol, entry=why, track=Track.VOID)
    with refused("forms_entered"):
        cast.sign(second, "void_witnessed", cast.heidi, track=Track.VOID)


def test_every_form_is_drawn_with_all_its_parts_and_numbers(cast: Cast, tmp_path: Path) -> None:
    for code, kind in fallback_kinds().items():
        holder = None if kind.on_paper and kind.on_paper.at_a_table else THE_CAGE
        pack = issue(cast, code, 1, holder)
        pdf = print_pack(pack=pack, by=cast.ruth, device=None, is_real=True)
        file = tmp_path / f"{code}.pdf"
        file.write_bytes(pdf)
        text = "".join(page.extract_text() for page in PdfReader(file).pages)
        assert kind.on_paper is not None
        assert text.count(f"P-{code}-000001-8") == len(kind.on_paper.form.parts)
        for part in kind.on_paper.form.parts:
            assert part.name.upper() in text


def test_the_pages_show_the_grid_and_take_a_picture(cast: Cast) -> None:
    pack = pack_of(cast, "FL", 3)
    outage = declare(cast)
    client = signed_in(cast, cast.alice)
    assert pack.serial in client.get(reverse("outages")).content.decode()
    page = client.get(reverse("outage", args=[outage.serial])).content.decode()
    assert "3 forms not accounted for" in page
    number = numbers_of(pack)[0]
    address = reverse("outage-form", args=[number])
    assert "Enter late" in client.get(address).content.decode()
    add = reverse("outage-form-add-picture", args=[number])
    wrong = {"request_id": str(uuid4()), "content": SimpleUploadedFile("a.jpg", b"GIF89a")}
    assert client.post(add, wrong).status_code == 422
    right = SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\nforms")
    assert client.post(add, {"request_id": str(uuid4()), "content": right}).status_code == 302
    stored = PaperPicture.objects.get()
    assert "forms" not in stored.content_cipher
    shown = client.get(reverse("outage-form-picture", args=[number]))
    assert shown.content.endswith(b"forms")
    assert JournalEntry.objects.filter(kind="form_picture_read").count() == 1
    assert client.get(reverse("outage-form", args=["P-FL-000001-9"])).status_code == 404
    assert Slip.objects.filter(kind="outage").count() == 1
