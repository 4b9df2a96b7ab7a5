"""A session of the count team: counted twice, closed by all, accepted blind, posted at once."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.db import transaction
from django.db.utils import DatabaseError
from django.urls import reverse

from pitboss.models import Attempt, FloorException, JournalEntry, Signature, Slip, Table
from pitboss.rules.canonical import digest
from pitboss.rules.drop.sessions import SECOND
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place, Role
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry
from pitboss.slips.addresses import new_url
from tables.models import BoxTally, CountFile, DropBox
from tables.reports.win import table_report
from tables.services.count_sessions import import_counts
from tables.services.drops import boxes_to_count
from tests.floor.cast import Cast, add_person, refused
from tests.floor.count_sessions import (
    TEST,
    accept,
    close,
    count_twice,
    enter,
    open_session,
    ready,
    step_out,
)
from tests.floor.drop_box import begin_count
from tests.floor.drop_runs import end, forty_tables, join, register, scan, start, watch
from tests.floor.house import change
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db
HEAD = "box_tag,compartment,denomination_cents,pieces\n"
REFUSED = ("session_count_refused",)


def pulled(cast: Cast, tables: int = 3) -> list[Slip]:
    """Return the pulls of a run over some tables, tags from 4001."""
    made = forty_tables(cast, pits=1, tables=tables)
    register(cast, f"4001-{4000 + tables} 4501-{4500 + tables}")
    run = start(cast, f"4501-{4500 + tables}")
    watch(cast, run)
    join(cast, run)
    for number, table in enumerate(made, 1):
        scan(cast, run, table, str(4000 + number), str(4500 + number))
    end(cast, run)
    return list(boxes_to_count())


@pytest.fixture
def boxes(cast: Cast) -> list[Slip]:
    return pulled(cast)


# F15: $4,120, $2,385 and $9,960 are $16,465.
F15 = ({"cash_2000": 412_000}, {"cash_500": 238_500}, {"cash_2000": 996_000})


def test_a118_a_session_is_counted_twice_accepted_blind_and_posted_at_once(
    cast: Cast, boxes: list[Slip]
) -> None:
    pins = Attempt.objects.filter(kind=Attempt.Kind.PIN)
    before = pins.count()
    session = ready(cast)
    for pull, figures in zip(boxes, F15, strict=True):
        count_twice(cast, session, pull, figures)
    close(cast, session)
    # The main bank sees no total, in no corner of what it signs, and finds $20 less.
    assert "1646500" not in slip_shown(Slip.objects.get(pk=session.pk))
    cage = signed_in(cast.erin, cast, Place.CAGE)
    assert "16,465" not in words(cage.get(reverse("slip", args=[session.serial])))
    with refused("cash_differs"):
        accept(cast, session, "16,445")
    accept(cast, session, "16,465")
    assert not Slip.objects.filter(kind="drop_count").exists()
    cast.sign(session, "posted", cast.ruth, Place.OFFICE)
    assert pins.count() - before == 2 + 2 + 2 + 2 + 1

    counts = list(Slip.objects.filter(kind="drop_count").order_by("id"))
    assert [count.status for count in counts] == ["done"] * 3
    assert {count.details["session"] for count in counts} == {session.serial}
    for count in counts:
        people = {signature.step: signature.person for signature in count.signatures.all()}
        assert people == {"counted": cast.paul, "verified": cast.quinn, "posted": cast.ruth}
    assert not boxes_to_count().exists()
    assert not FloorException.objects.filter(code="drop_documents").exists()
    table = Table.objects.get(name=boxes[0].details["box"])
    assert table_report(table, counts[0].gaming_day).drop_cents == 412_000
    assert DropBox.objects.get(tag="4001").place == "store"
    for signature in Signature.objects.filter(slip__in=counts):
        # What was shown for all of them stands whole on the session alone.
        body = json.loads(signature.shown)
        on = Signature.objects.get(slip=session, step=body["step"])
        assert (body["on"], body["shown"]) == (session.serial, on.shown_hash)
        assert on.shown_hash == digest(on.shown)
    assert "16,465" in words(cage.get(reverse("slip", args=[session.serial])))


def test_a118_three_members_where_the_house_asks_for_them(cast: Cast, boxes: list[Slip]) -> None:
    change(cast, "count.team_least", "3")
    session = open_session(cast)
    cast.sign(session, "joined", cast.quinn, Place.OFFICE)
    with refused("session_paused", "not_tested", journal=REFUSED):
        enter(cast, session, boxes[0], F15[0])
    with refused("out_of_order"):
        cast.sign(session, "tested", cast.paul, Place.OFFICE, entry=TEST)
    uma = add_person("uma", "130", Role.COUNT_TEAM)
    cast.sign(session, "joined_third", uma, Place.OFFICE)
    cast.sign(session, "tested", cast.paul, Place.OFFICE, entry=TEST)
    cast.sign(session, "test_seen", uma, Place.OFFICE)
    enter(cast, session, boxes[0], F15[0])
    step_out(cast, session, uma)
    with refused("session_paused", journal=REFUSED):
        enter(cast, session, boxes[1], F15[1])
    step_out(cast, session, uma, is_back=True)
    enter(cast, session, boxes[1], F15[1])


def test_a118_the_second_count_is_another_members_and_finds_the_same(
    cast: Cast, boxes: list[Slip]
) -> None:
    session = ready(cast)
    with refused("first_missing", journal=REFUSED):
        enter(cast, session, boxes[0], F15[0], turn=SECOND)
    enter(cast, session, boxes[0], F15[0])
    with refused("counted_first", journal=REFUSED):
        enter(cast, session, boxes[0], F15[0], turn=SECOND, by=cast.paul)
    with refused("counts_differ", journal=REFUSED):
        enter(cast, session, boxes[0], F15[1], turn=SECOND)
    with refused("not_a_member", journal=REFUSED):
        enter(cast, session, boxes[0], F15[0], turn=SECOND, by=cast.ruth)
    # The first was wrong: Paul counts anew, and then both find the same.
    enter(cast, session, boxes[0], F15[1])
    enter(cast, session, boxes[0], F15[1], turn=SECOND)
    with refused("already_counted", journal=REFUSED):
        enter(cast, session, boxes[0], F15[0])
    with refused("boxes_left"):
        cast.sign(session, "closed", cast.paul, Place.OFFICE)
    with refused("in_a_session"):
        begin_count(cast, boxes[0], F15[0])


def test_no_member_posts_or_accepts_and_only_members_close(cast: Cast, boxes: list[Slip]) -> None:
    uma = add_person("uma", "130", Role.COUNT_TEAM)
    session = ready(cast)
    for pull, figures in zip(boxes, F15, strict=True):
        count_twice(cast, session, pull, figures)
    with refused("not_a_member"):
        cast.sign(session, "closed", uma, Place.OFFICE)
    close(cast, session)
    with refused("session_closed", journal=REFUSED):
        enter(cast, session, boxes[0], F15[0])
    with refused("out_of_order"):
        cast.sign(session, "posted", cast.ruth, Place.OFFICE)
    with refused("cash_missing"):
        cast.sign(session, "accepted", cast.erin, Place.CAGE)


def test_the_database_keeps_the_second_count_apart(cast: Cast, boxes: list[Slip]) -> None:
    session = ready(cast)
    first = enter(cast, session, boxes[0], F15[0])
    for change_, problem in (
        ({"person": cast.paul}, "they counted first"),
        ({"figures": {}}, "the counts differ"),
        ({"person": cast.ruth}, "they are no member"),
        ({"pull": session}, "no open session counts this box"),
    ):
        row = {
            "session": session,
            "pull": boxes[0],
            "turn": SECOND,
            "figures": first.figures,
            "person": cast.quinn,
            "at": first.at,
            "request_id": uuid4(),
        }
        tally = BoxTally(**{**row, **change_})
        with pytest.raises(DatabaseError, match=problem), transaction.atomic():
            tally.save()


def test_a_voided_session_leaves_its_boxes_to_another(cast: Cast, boxes: list[Slip]) -> None:
    session = ready(cast)
    enter(cast, session, boxes[0], F15[0])
    why = Entry(reason="The counter jams.")
    cast.sign(session, "voided", cast.paul, Place.OFFICE, entry=why, track=Track.VOID)
    cast.sign(session, "void_witnessed", cast.ruth, Place.OFFICE, track=Track.VOID)
    assert open_session(cast).details["pulls"] == [pull.serial for pull in boxes]
    with refused("no_boxes"):
        open_session(cast)


def bring(cast: Cast, session: Slip, rows: str) -> CountFile:
    return import_counts(
        session=session,
        name="counter-2.csv",
        content=(HEAD + rows).encode(),
        by=cast.paul,
        device=cast.devices[Place.OFFICE],
        request_id=uuid4(),
    )


def test_a119_a_file_is_taken_whole_or_not_at_all(cast: Cast, boxes: list[Slip]) -> None:
    session = ready(cast)
    with refused("unknown_box", "not_a_multiple", journal=REFUSED):
        bring(cast, session, "4001,A,10000,2\n4999,A,2000,3\n4002,A,2000,1.5\n")
    rows = "4001,A,2000,206\n4002,A,500,477\n"
    file = bring(cast, session, rows)
    assert BoxTally.objects.filter(session=session, file=file).count() == 2
    assert file.sha256 in JournalEntry.objects.get(kind="count_file_imported").text
    with refused("already_imported", journal=REFUSED):
        bring(cast, session, rows)
    tally = BoxTally.objects.get(pull=boxes[0])
    assert tally.figures["cash_2000"] == 412_000
    # Paul scans the copies of the box on top of what the machine has counted.
    enter(cast, session, boxes[0], F15[0])
    enter(cast, session, boxes[0], F15[0], turn=SECOND)


def test_a_count_is_entered_on_the_screen_and_the_second_sees_nothing_of_the_first(
    cast: Cast, boxes: list[Slip]
) -> None:
    paul = signed_in(cast.paul, cast, Place.OFFICE)
    assert "Open a count session" in words(paul.get(reverse("count-room")))
    assert "Boxes" in words(paul.get(new_url("count_session")))
    session = ready(cast)
    page = words(paul.get(reverse("count-session", args=[session.serial])))
    assert "0 of 3 counted twice" in page
    assert session.serial in page
    url = f"{reverse('count-session-count', args=[session.serial])}?box={boxes[0].serial}"
    assert "Save first count" in words(paul.get(url))
    sent = {"request_id": str(uuid4()), "figure_cash_2000": "4,120", "figure_documents": "0"}
    assert "are listed" not in words(paul.post(url, {**sent, "documents": ""}))
    assert BoxTally.objects.get().figures["cash_2000"] == 412_000
    quinn = signed_in(cast.quinn, cast, Place.OFFICE)
    page = words(quinn.get(url))
    assert "Save second count" in page
    assert "4,120" not in page
    wrong = quinn.post(url, {**sent, "request_id": str(uuid4()), "figure_cash_2000": "4,100"})
    assert "the counts don’t match in $20 bills" in words(wrong)
    assert "4,120" not in words(wrong)
    quinn.post(url, {**sent, "request_id": str(uuid4())})
    assert BoxTally.objects.count() == 2
    assert "1 of 3 counted twice" in words(
        paul.get(reverse("count-session", args=[session.serial]))
    )
    assert "1 of 3" in words(paul.get(reverse("count-room")))
    assert "I certify that I am leaving the count room." in words(
        paul.get(reverse("count-session-room", args=[session.serial, "leave"]))
    )


def test_one_signature_posts_forty_boxes(cast: Cast) -> None:
    boxes = pulled(cast, tables=40)
    session = ready(cast)
    for pull in boxes:
        count_twice(cast, session, pull, F15[0])
    close(cast, session)
    accept(cast, session)
    cast.sign(session, "posted", cast.ruth, Place.OFFICE)
    assert Slip.objects.filter(kind="drop_count", status="done").count() == 40
