"""The record of a slip's prints: the original and its reprints, who may print, who only looks."""

from __future__ import annotations

import hashlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Device, JournalEntry, Person, Pit, SlipPrint, Table
from pitboss.paper.content import Issue, SlipPaper
from pitboss.paper.slip import VIEWING_MARK, draw_slip
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.selectors.slip_papers import slip_paper
from pitboss.services import prints
from pitboss.services.prints import preview_slip, print_refusals, print_slip
from pitboss.slips.kind import form_of
from tests.floor.cast import Cast
from tests.floor.prints import PARTS, printed, words_of
from tests.floor.tablets import words


def sign_in(client: Client, person: Person, device: Device | None) -> None:
    client.force_login(person)
    if device is not None:
        # The token of a device of the cast is its name.
        client.cookies[DEVICE_COOKIE] = device.name


# The record


@pytest.mark.django_db
def test_a_slip_goes_on_saying_in_which_pit_its_table_stood_and_what_was_dealt(cast: Cast) -> None:
    fill = cast.ask({2_500: 20})
    elsewhere = Pit.objects.create(name="Pit 9")
    Table.objects.filter(pk=cast.table.pk).update(pit=elsewhere, game="spanish")
    fill.refresh_from_db()

    paper = slip_paper(fill, Issue(cast.alice.signs_as, fill.raised_at, copy=None))

    assert (paper.pit, paper.game) == ("Pit 1", "Classic blackjack")


@pytest.mark.django_db
def test_the_first_print_is_the_original_and_every_later_one_says_reprint(cast: Cast) -> None:
    fill = cast.ask()

    first, second, third = (printed(cast, fill) for _ in range(3))

    assert "REPRINT" not in first
    assert first.count(", copy 1.") == PARTS
    assert second.count("REPRINT · COPY 2") == PARTS
    assert third.count("REPRINT · COPY 3") == PARTS
    assert list(fill.prints.order_by("copy").values_list("copy", "printed_by")) == [
        (1, cast.erin.pk),
        (2, cast.erin.pk),
        (3, cast.erin.pk),
    ]


@pytest.mark.django_db
def test_each_print_is_one_entry_of_the_tables_journal_with_the_papers_hash(cast: Cast) -> None:
    fill = cast.ask()
    before = JournalEntry.objects.count()

    papers = [
        print_slip(slip_id=fill.pk, device=cast.devices[Place.CAGE], actor=cast.erin)
        for _ in range(2)
    ]

    entries = JournalEntry.objects.filter(kind="fill.printed", slip=fill).order_by("number")
    assert JournalEntry.objects.count() == before + 2
    for entry, made, row in zip(entries, papers, fill.prints.order_by("copy"), strict=True):
        assert entry.chain.table == cast.table
        assert entry.person == cast.erin
        text = json.loads(entry.text)
        assert text["body"]["copy"] == made.copy == row.copy
        assert text["body"]["pdf_hash"] == hashlib.sha256(made.pdf).hexdigest()
        assert text["where"]["place"] == "cage"
        assert [vouched[:2] for vouched in text["rows"]] == [["pitboss.SlipPrint", row.pk]]


@pytest.mark.django_db
def test_looking_at_a_slip_says_it_is_no_document_and_writes_nothing(cast: Cast) -> None:
    fill = cast.ask()

    with CaptureQueriesContext(
        connection,
    ) as queries:
        words = words_of(preview_slip(fill, actor=cast.olga))

    assert words.count(VIEWING_MARK) == PARTS
    assert words.count("Shown to O. Olgason TG-111") == PARTS
    assert "Printed by" not in words
    assert all(query["sql"].startswith("SELECT") for query in queries)


@pytest.mark.django_db(transaction=True)
def test_two_prints_at_once_get_two_numbers(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold each print between reading the last number and writing its own."""
    fill = cast.ask()
    both_have_read = threading.Barrier(2)

    def meet_then_draw(paper: SlipPaper) -> bytes:
        with suppress(threading.BrokenBarrierError):
            both_have_read.wait(timeout=0.5)
        return draw_slip(paper)

    def try_to_print(person: Person) -> int:
        try:
            made = print_slip(slip_id=fill.pk, device=cast.devices[Place.CAGE], actor=person)
            return made.copy
        finally:
            connections.close_all()

    monkeypatch.setattr(prints, "draw_slip", meet_then_draw)
    with ThreadPoolExecutor(2) as pool:
        copies = sorted(pool.map(try_to_print, [cast.erin, cast.trent]))

    assert copies == [1, 2]
    assert SlipPrint.objects.filter(slip=fill).count() == 2
    of_the_table = JournalEntry.objects.filter(chain__table=cast.table).order_by("number")
    numbers = list(of_the_table.values_list("number", flat=True))
    assert all(later == earlier + 1 for earlier, later in pairwise(numbers))


# Who may


@pytest.mark.parametrize("role", Role)
def test_only_those_who_work_with_the_paper_print_it(role: Role) -> None:
    refusals = print_refusals(
        kind="fill", role=role, place=Place.CAGE, new_parts=form_of("fill").parts
    )

    prints_slips = {
        Role.SUPERVISOR,
        Role.PIT_MANAGER,
        Role.SHIFT_MANAGER,
        Role.CASHIER,
        Role.CAGE_MANAGER,
        Role.ACCOUNTING,
    }
    assert [refusal.code for refusal in refusals] == (
        [] if role in prints_slips else ["wrong_role"]
    )


@pytest.mark.django_db
def test_the_pit_cannot_print_the_original_of_the_fill_it_asked_for(cast: Cast) -> None:
    fill = cast.ask()

    with pytest.raises(Refused) as refused:
        printed(cast, fill, Place.PIT, by=cast.alice)
    assert refused.value.codes == ("wrong_place",)
    assert not SlipPrint.objects.exists()

    printed(cast, fill)
    assert "REPRINT · COPY 2" in printed(cast, fill, Place.PIT, by=cast.alice)


@pytest.mark.django_db
def test_a_return_is_printed_first_in_the_pit_where_it_is_raised(cast: Cast) -> None:
    fill = cast.ask()
    cast.carry(fill)
    back = cast.send_back(fill)

    assert ", copy 1." in printed(cast, back, Place.PIT, by=cast.alice)


@pytest.mark.django_db
def test_a_revoked_device_prints_nothing(cast: Cast) -> None:
    fill = cast.ask()
    device = cast.devices[Place.CAGE]
    device.revoked_at = fill.raised_at

    with pytest.raises(Refused) as refused:
        print_slip(slip_id=fill.pk, device=device, actor=cast.erin)

    assert refused.value.codes == ("unknown_device",)


@pytest.mark.django_db
def test_a_cashier_prints_and_gets_the_paper_in_the_browser(cast: Cast, client: Client) -> None:
    fill = cast.ask()
    sign_in(client, cast.erin, cast.devices[Place.CAGE])

    answer = client.post(f"/slips/{fill.serial}/print")

    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == f'inline; filename="{fill.serial}-copy-1.pdf"'
    assert answer["Cache-Control"] == "no-store"
    assert answer["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert VIEWING_MARK not in words_of(answer.content)
    assert fill.prints.get().printed_by == cast.erin


@pytest.mark.django_db
def test_an_auditor_looks_but_does_not_print(cast: Cast, client: Client) -> None:
    fill = cast.ask()
    sign_in(client, cast.olga, cast.devices[Place.OFFICE])

    looked = client.get(f"/slips/{fill.serial}/pdf")
    tried = client.post(f"/slips/{fill.serial}/print")

    assert looked.status_code == 200
    assert VIEWING_MARK in words_of(looked.content)
    assert tried.status_code == 403
    assert "can’t print slips" in words(tried)
    assert "default-src 'none'" in tried["Content-Security-Policy"]
    assert not SlipPrint.objects.exists()


@pytest.mark.django_db
def test_an_administrator_neither_looks_nor_prints(cast: Cast, client: Client) -> None:
    fill = cast.ask()
    sign_in(client, cast.judy, cast.devices[Place.OFFICE])

    assert client.get(f"/slips/{fill.serial}/pdf").status_code == 403
    assert client.post(f"/slips/{fill.serial}/print").status_code == 403
    assert not SlipPrint.objects.exists()


@pytest.mark.django_db
def test_nobody_prints_on_a_device_that_the_house_does_not_know(cast: Cast, client: Client) -> None:
    fill = cast.ask()
    sign_in(client, cast.erin, None)

    assert client.post(f"/slips/{fill.serial}/print").status_code == 403
    assert not SlipPrint.objects.exists()


@pytest.mark.django_db
def test_whoever_is_not_signed_in_is_sent_to_the_door(cast: Cast, client: Client) -> None:
    fill = cast.ask()

    for answer in (
        client.get(f"/slips/{fill.serial}/pdf"),
        client.post(f"/slips/{fill.serial}/print"),
    ):
        assert answer.status_code == 302
        assert answer["Location"].startswith("/login/")


@pytest.mark.django_db
def test_a_link_cannot_print_and_a_slip_that_is_not_there_is_not_found(
    cast: Cast, client: Client
) -> None:
    fill = cast.ask()
    sign_in(client, cast.erin, cast.devices[Place.CAGE])

    assert client.get(f"/slips/{fill.serial}/print").status_code == 405
    assert client.post(f"/slips/{fill.serial}/pdf").status_code == 405
    assert client.get("/slips/F-2026-999999/pdf").status_code == 404
    assert client.post("/slips/F-2026-999999/print").status_code == 404
    assert not SlipPrint.objects.exists()
