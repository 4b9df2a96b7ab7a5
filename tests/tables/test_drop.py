"""A drop box: made to wait, pulled on a count, counted by two who see no figure of the other."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError, IntegrityError
from django.urls import reverse

from inventory.models import TrayCount
from pitboss.models import JournalEntry, Slip, Table
from pitboss.rules.drop.figures import Documents
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry
from pitboss.slips.addresses import new_url
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import Dealing, DropWait, PulledBox
from tables.services.drops import (
    ask_to_wait,
    boxes_to_count,
    lift_wait,
)
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.drop_box import (
    begin_count,
    begin_pull,
    box_off,
    count_and_post,
    count_tray,
    pull,
    verify,
)
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}
BOX = {"cash_10000": 900_000, "cash_2000": 106_000, "coupons": 2_500}


@pytest.fixture
def open_table(cast: Cast) -> Cast:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    return cast


def test_a10_an_open_table_is_counted_before_its_box_leaves_and_both_boxes_say_so(
    open_table: Cast,
) -> None:
    cast = open_table
    with refused("count_first"):
        begin_pull(cast)
    count = count_tray(cast, TRAY)
    assert {s.role for s in count.signatures.all()} == {"dealer", "supervisor"}
    box = pull(cast)
    assert box.status == "done"
    assert box.details["count"] == count.serial
    assert (box.details["box"], box.details["new_box"]) == ("BJ-11", "B-207")
    # One count, one box: for the next one the tray is counted anew, and that one names its own.
    with refused("already_pulled"):
        begin_pull(cast)
    later = count_tray(cast, {10_000: 22, 2_500: 20})
    assert pull(cast).details["count"] == later.serial


def test_a_count_grows_old_and_a_fill_in_between_ends_it(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    count_tray(cast, TRAY)
    server_clock.move(minutes=16)
    with refused("count_first"):
        begin_pull(cast)
    count_tray(cast, TRAY)
    cast.deliver(cast.ask({500: 20}))
    with refused("count_first"):
        begin_pull(cast)


def test_a_closed_table_gives_its_box_once(open_table: Cast) -> None:
    cast = open_table
    closer = cast.close_table(TRAY)
    assert pull(cast).details["count"] == closer.serial
    with refused("already_pulled"):
        begin_pull(cast)


def test_a_table_that_was_never_opened_has_no_box_to_pull(cast: Cast) -> None:
    with refused("nothing_to_pull"):
        begin_pull(cast)


def test_a_box_leaves_only_when_surveillance_was_told_and_another_goes_on(
    open_table: Cast,
) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    table = Table.objects.get(pk=cast.table.pk)
    for new_box, told_at, code in (
        ("", house.now() - timedelta(minutes=1), "box_missing"),
        ("B-207", None, "surveillance_not_told"),
        ("B-207", house.now() + timedelta(minutes=1), "surveillance_not_told"),
        ("B-207", house.now() - timedelta(hours=2), "surveillance_not_told"),
    ):
        box = box_off(table, new_box, told_at)
        with refused(code):
            raise_kind(box, pen=cast.pen(cast.frank), shown=shown_before(box))


def test_security_pulls_and_a_supervisor_witnesses_at_the_pit(open_table: Cast) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    with refused("wrong_role"):
        begin_pull(cast, by=cast.alice)
    box = begin_pull(cast)
    with refused("pull_under_way"):
        begin_pull(cast)
    with refused("wrong_role"):
        cast.sign(box, "witnessed", cast.grace)
    with refused("wrong_place"):
        cast.sign(box, "witnessed", cast.alice, Place.OFFICE)
    cast.sign(box, "witnessed", cast.alice)


def test_a_void_pull_frees_the_count_it_was_on(open_table: Cast) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    box = begin_pull(cast)
    why = Entry(reason="The new box does not lock.")
    cast.sign(box, "voided", cast.frank, entry=why, track=Track.VOID)
    cast.sign(box, "void_witnessed", cast.carol, track=Track.VOID)
    assert pull(cast).status == "done"


def test_a_box_waits_from_its_pull_until_somebody_begins_to_count_it(open_table: Cast) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    box = begin_pull(cast)
    assert not boxes_to_count().exists(), "it is on the table until a supervisor has signed"
    cast.sign(box, "witnessed", cast.alice)
    assert boxes_to_count().get() == box
    box.refresh_from_db()
    counting = begin_count(cast, box, {"cash_10000": 10_000})
    assert not boxes_to_count().exists()
    why = Entry(reason="Two boxes were mixed up.")
    cast.sign(counting, "voided", cast.paul, Place.OFFICE, entry=why, track=Track.VOID)
    assert not boxes_to_count().exists(), "it is not void until a second person has signed"
    cast.sign(counting, "void_witnessed", cast.ruth, Place.OFFICE, track=Track.VOID)
    assert boxes_to_count().get() == box
    with connection.cursor() as cursor:
        # A test's few slips would be read from end to end; a house's are not.
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert "box_that_waits" in boxes_to_count().explain(), "boxes of years are looked through"
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        PulledBox.objects.update(waits=False)


def test_the_dealer_makes_the_drop_team_wait_for_the_end_of_the_hand(open_table: Cast) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    wait = ask_to_wait(table=cast.table, pen=cast.pen(cast.dan))
    assert ask_to_wait(table=cast.table, pen=cast.pen(cast.dan)) == wait
    with refused("hand_is_on"):
        begin_pull(cast)
    with refused("wrong_role", journal=("act_refused",)):
        lift_wait(table=cast.table, pen=cast.pen(cast.alice))
    lift_wait(table=cast.table, pen=cast.pen(cast.dan))
    assert lift_wait(table=cast.table, pen=cast.pen(cast.dan)) is None
    assert pull(cast).status == "done"
    journal_entries = JournalEntry.objects.filter(kind__in=["drop_waits", "drop_goes_on"])
    assert [entry.chain.table for entry in journal_entries.order_by("id")] == [
        cast.table,
        cast.table,
    ]


def test_only_who_deals_at_an_open_table_can_make_the_team_wait(open_table: Cast) -> None:
    cast = open_table
    Dealing.objects.filter(table=cast.table, ended_at=None).update(dealer=cast.dora)
    with refused("other_dealer", journal=("act_refused",)):
        ask_to_wait(table=cast.table, pen=cast.pen(cast.dan))
    with refused("table_closed", journal=("act_refused",)):
        ask_to_wait(table=cast.other_table, pen=cast.pen(cast.dan))
    with refused("wrong_role", journal=("act_refused",)):
        ask_to_wait(table=cast.table, pen=cast.pen(cast.frank))
    assert not DropWait.objects.exists()


def test_two_of_the_count_team_find_the_same_and_accounting_posts(open_table: Cast) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    box = pull(cast)
    count = count_and_post(cast, box, BOX)
    assert count.status == "done"
    assert count.details["figures"]["cash_2000"] == 106_000
    assert [s.step for s in count.signatures.all()] == ["counted", "verified", "posted"]


@pytest.mark.parametrize(
    "figures",
    [
        {**BOX, "coupons": 2_400},
        {**BOX, "cash_100": 100},
        {**BOX, "cash_10000": 890_000, "cash_5000": 10_000},
        {"cash_10000": 900_000, "cash_2000": 106_000},
    ],
    ids=["one line less", "one more", "same total in other bills", "a line left out"],
)
def test_the_second_count_must_find_every_line_the_same(
    open_table: Cast, figures: dict[str, int]
) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    count = begin_count(cast, pull(cast), BOX)
    with refused("figures_differ"):
        verify(cast, count, figures)
    verify(cast, count, BOX)


def test_the_second_counts_without_seeing_the_firsts_figures(open_table: Cast) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    count = begin_count(cast, pull(cast), BOX)
    assert "900000" not in slip_shown(count)
    with refused("figures_missing"):
        cast.sign(count, "verified", cast.quinn, Place.OFFICE)
    verify(cast, count, BOX)
    count = Slip.objects.get(pk=count.pk)
    assert json.loads(slip_shown(count))["details"]["figures"]["cash_10000"] == 900_000


def test_the_count_team_is_two_people_and_accounting_is_a_third(open_table: Cast) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    box = pull(cast)
    with refused("wrong_role"):
        begin_count(cast, box, BOX, by=cast.ruth)
    with refused("wrong_place"):
        begin_count(cast, box, BOX, pen=cast.pen(cast.paul, Place.PIT))
    count = begin_count(cast, box, BOX)
    entry = Entry(figures=count.details["figures"])
    with refused("signed_before"):
        cast.sign(count, "verified", cast.paul, Place.OFFICE, entry=entry)
    with refused("out_of_order"):
        cast.sign(count, "posted", cast.ruth, Place.OFFICE)
    verify(cast, count, BOX)
    with refused("signed_before", "wrong_role"):
        cast.sign(count, "posted", cast.quinn, Place.OFFICE)


def test_a_box_is_counted_once_and_only_after_it_left(open_table: Cast) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    box = begin_pull(cast)
    with refused("box_not_pulled"):
        begin_count(cast, box, BOX)
    cast.sign(box, "witnessed", cast.alice)
    begin_count(cast, box, BOX)
    with refused("already_counted"):
        begin_count(cast, box, BOX, by=cast.quinn)
    with refused("not_a_box"):
        fill = Slip.objects.get(kind="fill")
        fill.details["box"] = "BJ-11"
        begin_count(cast, fill, BOX, by=cast.quinn)


def test_what_stops_a_box_is_told_on_its_page_before_anybody_signs(open_table: Cast) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    pit, office = signed_in(cast.alice, cast), signed_in(cast.paul, cast, Place.OFFICE)
    response = pit.post(new_url("drop_pull", table="BJ-11"), {"new_box": "", "told_at": ""})
    assert response.status_code == 422
    assert "Enter the number of the new box" in words(response)
    assert "Notify surveillance" in words(response)
    box = pull(cast)
    # Where counts of boxes were raised before.
    moved = office.get(f"/boxes/{box.serial}/")
    assert moved.headers["Location"] == new_url("drop_count", of=box.serial)
    found = {"figure_documents": "2", "documents": "m-0031"}
    again = office.post(moved.headers["Location"], found)
    assert again.status_code == 422
    assert "2 documents were counted, but 1 are listed" in words(again)
    assert 'name="figure_documents" value="2"' in words(again)


def test_the_papers_named_are_as_many_as_were_counted(open_table: Cast) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    box = pull(cast)
    with refused("documents_differ"):
        begin_count(cast, box, {**BOX, "documents": 2}, ["F-2026-000001"])


def test_serials_are_read_as_they_are_printed() -> None:
    documents = Documents(name="documents", label="Documents")
    assert documents.read("f-2026-000001/d\n m-0031,") == ["F-2026-000001/D", "M-0031"]


def test_the_database_keeps_one_pull_a_count_one_count_a_box_and_equal_figures(
    open_table: Cast,
) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    box = pull(cast)
    count = begin_count(cast, box, BOX)
    for slip in (box, count):
        twin = Slip.objects.get(pk=slip.pk)
        twin.pk, twin.number, twin.serial, twin.status = None, 999_999, f"X-{slip.pk}", "open"
        broken = r"one_(pull_a_count|count_a_box)"
        with pytest.raises(IntegrityError, match=broken), transaction.atomic():
            twin.save(force_insert=True)
    verify(cast, count, BOX)
    signature = count.signatures.get(step="verified")
    assert signature.facts["figures"] == count.details["figures"]
    assert TrayCount.objects.count() == 2


def test_a_signature_with_other_figures_is_refused_by_the_database_too(
    open_table: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast = open_table
    count_tray(cast, TRAY)
    count = begin_count(cast, pull(cast), BOX)
    monkeypatch.setattr("pitboss.rules.flows.signing.figure_refusals", lambda slip, keyed: [])
    with pytest.raises(IntegrityError, match="figures differ"):
        verify(cast, count, {**BOX, "coupons": 0})


# ------------------------------------------------------------------ the count room is live


def test_a_box_comes_up_in_the_count_room_by_itself(cast: Cast) -> None:
    client = signed_in(cast.paul, cast, Place.OFFICE)
    url = re.search(r'hx-get="([^"]+)"', words(client.get(reverse("count-room"))))
    assert url is not None, "the page asks for no news"
    assert client.get(url[1]).status_code == 204
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    cast.close_table(TRAY)
    box = pull(cast)
    news = client.get(url[1])
    assert news.status_code == 200
    shown = words(news)
    assert box.serial in shown
    assert 'id="queue" hx-swap-oob="true"' in shown
    # The answer carries the version it shows, and asks again with that.
    again = re.search(r'hx-get="([^"]+)"', shown)
    assert again is not None
    assert client.get(again[1]).status_code == 204
