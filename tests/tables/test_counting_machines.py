"""Counting machines whose files have columns of their own, and a second count of all boxes."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from pitboss.models import JournalEntry, Person, Slip
from pitboss.rules.drop.sessions import SECOND, ColumnMap
from pitboss.rules.roles import Place
from tables.models import BoxTally, CountFile, MachineMap
from tables.selectors.count_sessions import session_state
from tables.services.count_sessions import enter_total, import_counts, machines, save_machine
from tests.floor.cast import Cast, refused
from tests.floor.count_sessions import accept, close, enter, ready
from tests.floor.house import change
from tests.floor.tablets import signed_in, words
from tests.tables.test_count_sessions import F15, REFUSED, pulled

pytestmark = pytest.mark.django_db
GLORY = ColumnMap("Bag ID", "", "Denom", "Qty", in_dollars=True)


def save(cast: Cast, columns: ColumnMap = GLORY, name: str = "Glory 2") -> MachineMap:
    return save_machine(
        name=name,
        columns=columns,
        by=cast.paul,
        device=cast.devices[Place.OFFICE],
        request_id=uuid4(),
    )


def bring(cast: Cast, session: Slip, text: str, machine: str = "Glory 2") -> CountFile:
    return import_counts(
        session=session,
        name="glory.csv",
        content=text.encode(),
        by=cast.paul,
        device=cast.devices[Place.OFFICE],
        request_id=uuid4(),
        machine=machine,
    )


def total(
    cast: Cast, session: Slip, figures: Mapping[str, int], by: Person | None = None
) -> list[BoxTally]:
    return enter_total(
        session=session,
        figures=figures,
        by=by or cast.quinn,
        device=cast.devices[Place.OFFICE],
        request_id=uuid4(),
    )


def test_a119_a_machine_with_columns_of_its_own_is_read_by_its_saved_map(cast: Cast) -> None:
    pulled(cast, tables=2)
    session = ready(cast)
    save(cast)
    rows = "Station,Bag ID,Denom,Qty\n1,4001,20,206\n1,4002,5.00,477\n1,4002,100,1\n"
    bring(cast, session, rows)
    counted = {
        box.pull.details["tag"]: {k: v for k, v in box.first.figures.items() if v}
        for box in session_state(session).boxes
        if box.first is not None
    }
    assert counted == {
        "4001": {"cash_2000": 412_000},
        "4002": {"cash_500": 238_500, "cash_10000": 10_000},
    }
    entry = JournalEntry.objects.get(kind="count_file_imported")
    assert '"machine":"Glory 2"' in entry.text


def test_a119_a_file_that_its_map_does_not_fit_stores_nothing(cast: Cast) -> None:
    pulled(cast, tables=1)
    session = ready(cast)
    save(cast)
    for rows, code in (
        ("Bag ID,Denom\n4001,20\n", "bad_header"),
        ("Bag ID,Denom,Qty,Qty\n4001,20,1,2\n", "bad_header"),
        ("Bag ID,Denom,Qty\n4001,30,1\n", "bad_denomination"),
        ("Bag ID,Denom,Qty\n4001,20,1.5\n", "not_a_multiple"),
        ("Bag ID,Denom,Qty\n4999,20,1\n4001,20,1\n", "unknown_box"),
    ):
        with refused(code, journal=REFUSED):
            bring(cast, session, rows)
    with refused("machine_unknown", journal=REFUSED):
        bring(cast, session, "Bag ID,Denom,Qty\n4001,20,1\n", machine="Other")
    assert not BoxTally.objects.exists()
    assert not CountFile.objects.exists()


def test_the_newest_map_of_a_machine_holds_and_none_is_ever_changed(cast: Cast) -> None:
    first = save(cast)
    assert save(cast, ColumnMap("Bag", "Comp", "Note", "Count")) != first
    assert machines()["Glory 2"].box_tag == "Bag"
    for columns, name, code in (
        (GLORY, " ", "machine_name"),
        (ColumnMap("Bag", "", "", "Qty"), "Glory", "columns_missing"),
        (ColumnMap("Bag", "", "bag", "Qty"), "Glory", "columns_twice"),
        (ColumnMap("Bag\x00", "", "Denom", "Qty"), "Glory", "text_malformed"),
    ):
        with refused(code, journal=()):
            save(cast, columns, name)
    first.box_tag = "Other"
    with pytest.raises(DatabaseError), transaction.atomic():
        first.save()


def test_a_machine_is_saved_and_chosen_on_the_screen(cast: Cast) -> None:
    paul = signed_in(cast.paul, cast, Place.OFFICE)
    url = reverse("count-machines")
    assert "No machines." in words(paul.get(url))
    given = {"name": "Glory 2", "box_tag": "Bag ID", "denomination": "Denom", "pieces": "Qty"}
    short = paul.post(url, {**given, "pieces": "", "request_id": str(uuid4())})
    assert short.status_code == 422
    paul.post(url, {**given, "unit": "dollars", "request_id": str(uuid4())})
    assert "in dollars" in words(paul.get(url))
    assert MachineMap.objects.get().compartment == ""
    assert signed_in(cast.alice, cast).get(url).status_code == 403


def test_a118_all_boxes_are_counted_again_together_where_the_house_says_so(cast: Cast) -> None:
    change(cast, "count.second", "total")
    boxes = pulled(cast)
    session = ready(cast)
    whole = {"cash_2000": 1_408_000, "cash_500": 238_500}
    enter(cast, session, boxes[0], F15[0], documents=[])
    enter(cast, session, boxes[1], F15[1], documents=[])
    with refused("second_in_total", journal=REFUSED):
        enter(cast, session, boxes[0], F15[0], turn=SECOND)
    with refused("first_missing", journal=REFUSED):
        total(cast, session, whole)
    enter(cast, session, boxes[2], F15[2], documents=[])
    with refused("counted_first", journal=REFUSED):
        total(cast, session, whole, by=cast.paul)
    with refused("counts_differ", journal=REFUSED):
        total(cast, session, {**whole, "cash_500": 238_000})
    with refused("not_a_member", journal=REFUSED):
        total(cast, session, whole, by=cast.ruth)
    assert not BoxTally.objects.filter(turn=SECOND).exists()
    tablet = signed_in(cast.quinn, cast, Place.OFFICE)
    url = reverse("count-session-total", args=[session.serial])
    assert url in tablet.get(reverse("count-session", args=[session.serial])).content.decode()
    page = words(tablet.get(url))
    assert "Second count of all boxes" in page
    assert "4,120" not in page
    wrong = tablet.post(url, {"request_id": str(uuid4()), "figure_cash_2000": "14,080"})
    assert wrong.status_code == 422
    right = {"figure_cash_2000": "14,080", "figure_cash_500": "2,385"}
    request_id = str(uuid4())
    for _ in range(2):
        tablet.post(url, {**right, "request_id": request_id})
    assert BoxTally.objects.filter(turn=SECOND, person=cast.quinn).count() == 3
    with refused("already_counted", journal=REFUSED):
        total(cast, session, whole)
    close(cast, session)
    accept(cast, session, "16,465")
    cast.sign(session, "posted", cast.ruth, Place.OFFICE)
    assert Slip.objects.filter(kind="drop_count", status="done").count() == 3


def test_no_total_where_each_box_is_counted_twice(cast: Cast) -> None:
    boxes = pulled(cast, tables=1)
    session = ready(cast)
    enter(cast, session, boxes[0], F15[0], documents=[])
    with refused("second_per_box", journal=REFUSED):
        total(cast, session, F15[0])
