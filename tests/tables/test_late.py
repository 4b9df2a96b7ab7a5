"""What was done on paper while the line was down, keyed afterwards by two people."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import psycopg
import pytest
from django.db import transaction
from django.db.utils import IntegrityError

from inventory.models import Holder
from inventory.selectors.cheques import cage_holding, holding_of, public_holding, tray_holding
from pitboss.flow_book_rows import rows_of
from pitboss.models import Slip, Table
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Flow, Track
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.late import LATE_FILL
from tables.reports.win import TableWin, table_report
from tests.floor.cage import count_cage, receive
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.days import close_the_day
from tests.floor.drop_box import count_tray
from tests.floor.late_papers import LATE, approve, key, late_paper
from tests.floor.outages import ready

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}


def report(cast: Cast) -> TableWin:
    day = house.period_at(house.now()).gaming_day
    return table_report(Table.objects.get(pk=cast.table.pk), day)


def the_house() -> dict[int, int]:
    """Return all cheques of the house wherever they are; it is nothing while nothing was made."""
    parts = [holding_of(holder) for holder in Holder]
    return {c: n for c in {*TRAY} if (n := sum(p.get(c, 0) for p in parts))}


def test_a25_a_late_fill_is_marked_with_its_paper_and_lands_in_its_own_day_and_shift(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(hours=1)
    true_time = house.now()
    # The next gaming day has begun when the line is back.
    server_clock.move(hours=22)
    slip = key(cast, "fill", true_time)
    assert slip.title == "Late fill"
    assert slip.serial.startswith("L-2026-")
    assert slip.details["paper_number"] == "P-FL-000001-8"
    assert datetime.fromisoformat(slip.details["true_time"]) == true_time
    when = house.period_at(true_time)
    assert (slip.gaming_day, slip.shift) == (when.gaming_day, "Day")
    assert slip.gaming_day < house.period_at(house.now()).gaming_day
    assert slip.raised_at == house.now()
    assert tray_holding(cast.table) == TRAY
    approve(cast, slip)
    assert slip.status == "done"
    assert [s.step for s in slip.signatures.all()] == [
        "keyed",
        "approved",
    ]
    assert tray_holding(cast.table) == {10_000: 30, 2_500: 20}


def test_a25_whoever_enters_a_paper_does_not_approve_it_and_both_have_their_rank(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.open_table({})
    server_clock.move(hours=1)
    before = house.now() - timedelta(minutes=10)
    ready(cast, "FL", before)
    with refused("wrong_role"):
        key(cast, "fill", before, by=cast.dan)
    ready(cast, "FL", before)
    with refused("reason_missing"):
        key(cast, "fill", before, reason=" ")
    slip = key(cast, "fill", before, by=cast.carol)
    with refused("signed_before"):
        cast.sign(slip, "approved", cast.carol)
    with refused("wrong_role"):
        cast.sign(slip, "approved", cast.alice)
    cast.sign(slip, "approved", cast.heidi)


def test_a25_a_paper_is_keyed_once_at_any_table_until_it_is_voided(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.open_table({})
    server_clock.move(hours=1)
    before = house.now() - timedelta(minutes=10)
    number = ready(cast, "FL", before)
    first = key(cast, "fill", before, number=f"{number.lower()} ")
    with refused("paper_used", "tray_did_not_hold"):
        key(cast, "credit", before, number=number)
    with refused("paper_used"):
        key(cast, "fill", before, number=number, table=cast.other_table)
    twin = Slip.objects.get(pk=first.pk)
    twin.pk, twin.number, twin.serial = None, 99, "L-2026-000099"
    with pytest.raises(IntegrityError, match="one_entry_a_paper"), transaction.atomic():
        twin.save(force_insert=True)
    why = Entry(reason="Keyed a wrong figure.")
    cast.sign(first, "voided", cast.alice, entry=why, track=Track.VOID)
    cast.sign(first, "void_witnessed", cast.carol, track=Track.VOID)
    assert key(cast, "fill", before, number=number).status == "open"


@pytest.mark.parametrize(
    ("ago", "change", "code"),
    [
        (timedelta(minutes=-1), {}, "true_time_ahead"),
        (timedelta(minutes=5), {"number": "?"}, "form_number_malformed"),
        (timedelta(minutes=5), {"number": "P-FL-000001-7"}, "form_digit_wrong"),
        (timedelta(minutes=5), {"number": "P-FL-000999-3"}, "form_unknown"),
        (timedelta(minutes=5), {"cheques": {}}, "nothing_asked"),
        (timedelta(minutes=5), {"corrects": True}, "day_open"),
    ],
)
def test_a_late_entry_that_cannot_be_is_refused(
    cast: Cast, server_clock: ServerClock, ago: timedelta, change: dict[str, object], code: str
) -> None:
    cast.open_table({})
    server_clock.move(hours=1)
    ready(cast, "FL", house.now() - ago)
    with refused(code):
        key(cast, "fill", house.now() - ago, **change)  # type: ignore[arg-type]


def test_nothing_was_filled_while_the_tray_was_locked(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.open_table({})
    server_clock.move(hours=1)
    cast.close_table({})
    server_clock.move(hours=1)
    ready(cast, "FL", house.now() - timedelta(minutes=90))
    with refused("table_was_closed"):
        key(cast, "fill", house.now() - timedelta(minutes=10))
    key(cast, "fill", house.now() - timedelta(minutes=90))


def test_a_late_fill_that_a_count_has_seen_restates_win_and_moves_no_tray(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask({10_000: 40, 2_500: 20}))
    cast.open_table({10_000: 40, 2_500: 20})
    # Patrons walk off with twenty blacks, of which ten come back on a paper fill.
    count_tray(cast, TRAY)
    server_clock.move(minutes=30)
    true_time = house.now()
    server_clock.move(minutes=30)
    count_tray(cast, {10_000: 30, 2_500: 20})
    won_before = sum(line.sign * line.amount_cents for line in report(cast).lines)
    public = public_holding()

    slip = key(cast, "fill", true_time)
    approve(cast, slip)
    assert list(slip.transfers.order_by("id").values_list("source", "target", "count")) == [
        ("cage", "tray", 10),
        ("tray", "public", 10),
    ]
    assert tray_holding(cast.table) == {10_000: 30, 2_500: 20}
    assert public_holding()[10_000] == public.get(10_000, 0) + 10
    assert the_house() == {}
    win = report(cast)
    assert sum(line.sign * line.amount_cents for line in win.lines) == won_before - 100_000
    fills = next(line for line in win.lines if line.key == "fills")
    assert [(fill.serial, fill.words) for fill in fills.behind] == [
        (slip.serial, "Late fill, paper slip P-FL-000001-8")
    ]


def test_a_late_credit_that_a_count_has_seen_takes_back_what_it_took_for_a_loss(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask({10_000: 40, 2_500: 20}))
    cast.open_table({10_000: 40, 2_500: 20})
    server_clock.move(minutes=30)
    true_time = house.now()
    server_clock.move(minutes=30)
    count_tray(cast, {10_000: 30, 2_500: 20})
    assert public_holding() == {10_000: 10}
    slip = key(cast, "credit", true_time)
    approve(cast, slip)
    assert public_holding() == {}
    assert tray_holding(cast.table) == {10_000: 30, 2_500: 20}
    assert sum(line.sign * line.amount_cents for line in report(cast).lines) == 0


def test_what_a_count_could_not_explain_goes_back_to_variance(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(minutes=30)
    true_time = house.now()
    server_clock.move(minutes=30)
    # Nobody outside has a cheque, so the count puts the ten blacks down to variance.
    count_tray(cast, {10_000: 30, 2_500: 20})
    assert holding_of(Holder.VARIANCE) == {10_000: -10}
    slip = key(cast, "fill", true_time)
    approve(cast, slip)
    assert holding_of(Holder.VARIANCE) == {}
    assert public_holding() == {}
    assert tray_holding(cast.table) == {10_000: 30, 2_500: 20}


def test_a_late_fill_that_the_cage_was_counted_without_leaves_the_cage_as_counted(
    cast: Cast, server_clock: ServerClock
) -> None:
    receive(cast, {10_000: 200, 2_500: 200})
    cast.deliver(cast.ask({10_000: 40, 2_500: 20}))
    cast.open_table({10_000: 40, 2_500: 20})
    server_clock.move(minutes=30)
    true_time = house.now()
    server_clock.move(minutes=30)
    # Ten blacks went to the table on paper; nobody has counted the tray since.
    count_cage(cast, {10_000: 150, 2_500: 180})
    assert (public_holding(), holding_of(Holder.VARIANCE)) == ({}, {10_000: 10})
    slip = key(cast, "fill", true_time)
    approve(cast, slip)
    assert holding_of(Holder.VARIANCE) == {}
    assert cage_holding() == {10_000: 150, 2_500: 180}
    assert public_holding() == {}
    assert tray_holding(cast.table) == {10_000: 50, 2_500: 20}


def test_a51_after_the_close_only_a_correction_and_the_original_stays(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(minutes=30)
    true_time = house.now()
    server_clock.move(minutes=30)
    closer = cast.close_table(TRAY)
    closed_on = house.period_at(house.now()).gaming_day
    server_clock.move(hours=23)
    close_the_day(cast, closed_on)
    ready(cast, "CR", true_time)
    with refused("day_closed"):
        key(cast, "credit", true_time)
    slip = key(cast, "credit", true_time, corrects=True)
    with refused("wrong_role"):
        cast.sign(slip, "approved", cast.carol, entry=Entry(reason="Seen."))
    cast.sign(slip, "approved", cast.heidi, entry=Entry(reason="I hold the paper in my hand."))
    assert slip.gaming_day == house.period_at(house.now()).gaming_day
    assert slip.details["restates"] == closed_on.isoformat()
    win = table_report(Table.objects.get(pk=cast.table.pk), closed_on)
    (line,) = win.corrections
    assert (line.sign, line.amount_cents) == (1, 100_000)
    assert line.behind[0].serial == slip.serial
    closer.refresh_from_db()
    assert (closer.gaming_day, closer.cheques) == (closed_on, {"10000": 20, "2500": 20})
    assert tray_holding(cast.table) == TRAY


def write_book(owner: psycopg.Connection[tuple[object, ...]], flow: Flow) -> None:
    """Write the steps of a flow into the database's book, as a release does."""
    owner.execute("DELETE FROM pitboss_flowstep WHERE kind = %s", [flow.kind])
    for row in rows_of(flow):
        owner.execute(
            "INSERT INTO pitboss_flowstep (kind, position, step, is_always, follows)"
            " VALUES (%s, %s, %s, %s, %s)",
            row,
        )
    owner.commit()


@pytest.mark.django_db(transaction=True)
def test_a_late_slip_of_an_earlier_release_is_finished_by_the_four_of_its_own_plan(
    cast: Cast,
    server_clock: ServerClock,
    owner_connection: psycopg.Connection[tuple[object, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was raised when the cage and security compared late papers too, and is open since."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(hours=1)
    first, *_, approved = LATE_FILL.steps
    compared = replace(approved, then=None)
    four = replace(
        LATE_FILL,
        steps=(
            first,
            replace(compared, name="cage_compared", by=Role.CASHIER, at=Place.CAGE),
            replace(compared, name="carrier_compared", by=Role.SECURITY, at=None),
            approved,
        ),
    )
    table, at = Table.objects.get(pk=cast.table.pk), house.now()
    paper = late_paper("fill", table, at, number=ready(cast, "FL", at))
    paper = replace(paper, kind=four)
    pen, why = cast.pen(cast.alice), "The line was down."
    write_book(owner_connection, four)
    monkeypatch.setitem(FLOWS, four.kind, four)
    try:
        slip = raise_kind(paper, pen=pen, shown=shown_before(paper), reason=why)
    finally:
        monkeypatch.undo()
        write_book(owner_connection, LATE_FILL)
    assert [step["name"] for step in slip.plan if step["track"] == "main"] == [
        "keyed",
        "cage_compared",
        "carrier_compared",
        "approved",
    ]
    held = tray_holding(cast.table)
    with refused("out_of_order"):
        cast.sign(slip, "approved", cast.carol)
    cast.sign(slip, "cage_compared", cast.erin, Place.CAGE)
    cast.sign(slip, "carrier_compared", cast.frank)
    assert tray_holding(cast.table) == held
    cast.sign(slip, "approved", cast.carol)
    slip.refresh_from_db()
    assert slip.status == "done"
    assert tray_holding(cast.table)[10_000] == held[10_000] + LATE[10_000]
