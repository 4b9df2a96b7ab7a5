"""Two people of the pit and a paper: what they cannot move out of a tray, by any way in."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from inventory.models import ChequeTransfer, Holder
from inventory.selectors.cheques import cage_holding, holding_of, public_holding, tray_holding
from pitboss.models import FloorException, Person, Signature, Slip, Table
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.slips.addresses import new_url
from tables.kinds import late
from tests.floor.cage import begin_cage_count, count_cage, receive, send_credit
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.drop_box import count_tray
from tests.floor.house import change
from tests.floor.late_papers import LATE, approve, key
from tests.floor.outages import ready
from tests.floor.tablets import words
from tests.pitboss.test_limits import limit
from tests.races import at_once, hold_before
from tests.tables.test_day_pages import by, pad_of, signed_in

pytestmark = pytest.mark.django_db
committed = pytest.mark.django_db(transaction=True)
STOCK = {500_000: 40, 10_000: 200, 2_500: 200}
TRAY = {500_000: 4, 10_000: 20, 2_500: 20}
A_HUNDRED_AND_FORTY_THOUSAND = {500_000: 28}


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    """An open table on a tray that two people counted an hour ago, and a cage with stock."""
    receive(cast, STOCK)
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(hours=1)
    return cast


def a_while_ago() -> datetime:
    return house.now() - timedelta(minutes=30)


def test_a25_no_paper_takes_out_of_a_tray_what_it_did_not_hold(floor: Cast) -> None:
    ready(floor, "CR", a_while_ago())
    with refused("tray_did_not_hold"):
        key(floor, "credit", a_while_ago(), cheques=A_HUNDRED_AND_FORTY_THOUSAND)
    assert tray_holding(floor.table) == TRAY


def test_a25_whoever_entered_a_paper_moves_nothing_alone(floor: Cast) -> None:
    slip = key(floor, "credit", a_while_ago(), by=floor.carol)
    with refused("signed_before"):
        floor.sign(slip, "approved", floor.carol)
    with refused("wrong_role"):
        floor.sign(slip, "approved", floor.trent, Place.CAGE)
    assert tray_holding(floor.table) == TRAY
    floor.sign(slip, "approved", floor.heidi)
    assert tray_holding(floor.table)[10_000] == 10


def test_a25_the_screen_refuses_what_the_tray_did_not_hold(floor: Cast) -> None:
    client = signed_in(floor, floor.alice)
    keyed = {
        "what": "credit",
        "paper_number": ready(floor, "CR", a_while_ago()),
        "signers": "A. Smith, B. Jones",
        "true_time": "2026-05-01T09:30",
        "cheques_500000": "28",
    }
    url = new_url("late_fill", table="BJ-11")
    response = client.post(url, keyed)
    assert response.status_code == 422
    assert "the tray didn’t have that many $5,000 gray then" in words(response)
    # Past the form, with the pad of a paper that the tray did hold.
    pad = pad_of(client.post(url, {**keyed, "cheques_500000": "4"}))
    forged = {**pad, **by(floor.alice), "cheques_500000": "28", "reason": "Outage."}
    sent = client.post(url, forged)
    assert sent.status_code == 409
    assert "the tray didn’t have that many $5,000 gray then" in words(sent)
    assert not Slip.objects.filter(kind="late_credit").exists()


def test_a25_the_screen_takes_no_approval_from_whoever_entered_it(floor: Cast) -> None:
    slip = key(floor, "credit", a_while_ago(), by=floor.carol)
    address = reverse("slip", args=[slip.serial])
    shown = pad_of(signed_in(floor, floor.heidi).get(address))
    client = signed_in(floor, floor.carol)
    url = reverse("slip-sign", args=[slip.serial, "main", "approved"])
    sent = client.post(url, {**shown, **by(floor.carol)})
    assert sent.status_code == 409
    slip.refresh_from_db()
    assert slip.status == "open"
    assert tray_holding(floor.table) == TRAY


def signed_past_the_service(slip: Slip, step: str, person: Person, role: str) -> None:
    Signature.objects.create(
        slip=slip,
        track="main",
        step=step,
        person=person,
        signed_as=person.signs_as,
        role=role,
        device=slip.signatures.get(step="keyed").device,
        place="pit",
        signed_at=house.now(),
        shown="{}",
        shown_hash=digest("{}"),
        request_id=uuid4(),
        request_hash="x",
    )


def test_a25_the_database_lets_no_paper_move_before_a_manager_approved_it(floor: Cast) -> None:
    slip = key(floor, "credit", a_while_ago(), cheques={500_000: 2})
    signed_past_the_service(slip, "top_signed", floor.carol, "pit_manager")
    with pytest.raises(DatabaseError, match="a manager signs"), transaction.atomic():
        take_out(slip, 500_000, 2)
    signed_past_the_service(slip, "approved", floor.heidi, "shift_manager")
    take_out(slip, 500_000, 2)


def test_no_slip_but_a_late_paper_moves_cheques_straight_between_cage_and_tray(
    floor: Cast,
) -> None:
    fill = Slip.objects.get(kind="fill")
    with pytest.raises(DatabaseError, match="a manager signs"), transaction.atomic():
        take_out(fill, 10_000, 10)


def test_a25_the_database_lets_no_paper_take_more_than_the_tray_held(floor: Cast) -> None:
    slip = key(floor, "credit", a_while_ago())
    approve(floor, slip)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS late_within_the_tray IMMEDIATE")
    with pytest.raises(DatabaseError, match="more out of a tray"), transaction.atomic():
        take_out(slip, 500_000, 28)


def take_out(slip: Slip, cents: int, count: int) -> None:
    ChequeTransfer.objects.create(
        slip=slip,
        denomination_cents=cents,
        count=count,
        source="tray",
        target="cage",
        table=slip.table,
        tray_sequence=9_999,
        at=house.now(),
    )


def test_high_cheques_on_a_paper_wait_for_the_top_sign_of_another(floor: Cast) -> None:
    slip = key(floor, "credit", a_while_ago(), cheques={500_000: 2})
    with refused("out_of_order"):
        floor.sign(slip, "approved", floor.carol)
    with refused("wrong_role"):
        floor.sign(slip, "top_signed", floor.bob)
    floor.sign(slip, "top_signed", floor.carol)
    with refused("signed_before"):
        floor.sign(slip, "approved", floor.carol)
    floor.sign(slip, "approved", floor.heidi)


def test_a_limit_by_rank_holds_for_a_paper_as_for_its_kind(floor: Cast) -> None:
    change(floor, "limit.credit.supervisor", "999")
    ready(floor, "CR", a_while_ago())
    with refused("over_limit_of_rank"):
        key(floor, "credit", a_while_ago())
    key(floor, "fill", a_while_ago())


@pytest.mark.parametrize("corrects", [False, True])
def test_a_limit_of_ones_own_holds_for_a_paper_as_for_its_kind(floor: Cast, corrects: bool) -> None:
    limit(floor, floor.alice, "999", kind="credit")
    ready(floor, "CR", a_while_ago())
    with refused("over_own_limit", *(["day_open"] if corrects else [])):
        key(floor, "credit", a_while_ago(), corrects=corrects)
    key(floor, "fill", a_while_ago())


def test_two_papers_take_the_same_cheques_once(floor: Cast) -> None:
    ready(floor, "CR", a_while_ago() - timedelta(minutes=5))
    first = key(floor, "credit", a_while_ago(), cheques={10_000: 15})
    second = key(floor, "credit", a_while_ago(), cheques={10_000: 15})
    approve(floor, first)
    with refused("tray_did_not_hold"):
        floor.sign(second, "approved", floor.carol)
    number = ready(floor, "CR", a_while_ago())
    with refused("tray_does_not_hold"):
        key(
            floor,
            "credit",
            a_while_ago() - timedelta(minutes=5),
            number=number,
            cheques={10_000: 6},
        )


@committed
def test_two_papers_approved_at_once_take_the_same_cheques_once(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each was judged when the tray still held the cheques; both managers sign together."""
    papers = [key(floor, "credit", a_while_ago(), cheques={10_000: 15}) for _ in range(2)]
    hold_before(monkeypatch, late, "_not_in_the_tray")
    results = at_once(
        lambda: floor.sign(papers[0], "approved", floor.carol).step,
        lambda: floor.sign(papers[1], "approved", floor.heidi).step,
    )
    assert sorted(results, key=str) == [("tray_did_not_hold",), "approved"]
    assert tray_holding(Table.objects.get(pk=floor.table.pk))[10_000] == 5
    assert sorted(Slip.objects.filter(kind="late_credit").values_list("status", flat=True)) == [
        "done",
        "open",
    ]


def test_what_left_since_on_an_ordinary_credit_is_not_there_for_a_paper(floor: Cast) -> None:
    earlier = a_while_ago()
    send_credit(floor, {10_000: 15})
    ready(floor, "CR", earlier)
    with refused("tray_does_not_hold"):
        key(floor, "credit", earlier)
    key(floor, "credit", earlier, cheques={10_000: 5})


def test_a_fill_on_paper_explains_a_credit_on_paper_after_it(floor: Cast) -> None:
    approve(floor, key(floor, "fill", a_while_ago()))
    ready(floor, "CR", a_while_ago() - timedelta(minutes=1))
    with refused("tray_did_not_hold"):
        key(floor, "credit", a_while_ago() - timedelta(minutes=1), cheques={10_000: 30})
    approve(floor, key(floor, "credit", a_while_ago(), cheques={10_000: 30}))
    assert tray_holding(floor.table) == {500_000: 4, 2_500: 20}


def test_a_count_since_then_asks_only_for_what_was_there_before_it(
    floor: Cast, server_clock: ServerClock
) -> None:
    earlier = a_while_ago()
    count_tray(floor, {500_000: 4, 2_500: 20})
    server_clock.move(minutes=5)
    send_credit(floor, {2_500: 20})
    ready(floor, "CR", earlier)
    with refused("tray_did_not_hold"):
        key(floor, "credit", earlier, cheques={10_000: 21})
    approve(floor, key(floor, "credit", earlier, cheques={10_000: 20}))
    assert tray_holding(floor.table) == {500_000: 4}
    assert public_holding() == {}


def test_what_a_table_had_won_goes_in_once_the_cage_was_counted_with_it(
    floor: Cast, server_clock: ServerClock
) -> None:
    """The tray won ten blacks of the public, and sent thirty of them away on paper."""
    count_tray(floor, {500_000: 4, 10_000: 10, 2_500: 20})
    assert public_holding() == {10_000: 10}
    server_clock.move(minutes=5)
    earlier = house.now()
    server_clock.move(minutes=5)
    ready(floor, "CR", earlier)
    with refused("tray_did_not_hold"):
        key(floor, "credit", earlier, cheques={10_000: 20})
    count_cage(floor, {500_000: 36, 10_000: 200, 2_500: 180})
    assert public_holding() == {}
    assert holding_of(Holder.VARIANCE) == {10_000: -10}
    ready(floor, "CR", earlier)
    with refused("tray_did_not_hold"):
        key(floor, "credit", earlier, cheques={10_000: 31})
    slip = key(floor, "credit", earlier, cheques={10_000: 20})
    approve(floor, slip)
    assert cage_holding()[10_000] == 200
    assert holding_of(Holder.VARIANCE) == {}
    assert public_holding() == {10_000: 10}
    assert not FloorException.objects.filter(code="cage_short").exists()
    # What one paper explained explains no second one.
    ready(floor, "CR", earlier)
    with refused("tray_did_not_hold"):
        key(floor, "credit", earlier, cheques={10_000: 1})


def test_a_paper_that_the_cage_was_counted_without_is_missing_from_it(
    floor: Cast, server_clock: ServerClock
) -> None:
    earlier = a_while_ago()
    count_cage(floor, {500_000: 36, 10_000: 180, 2_500: 180})
    server_clock.move(minutes=5)
    slip = key(floor, "credit", earlier)
    approve(floor, slip)
    assert (public_holding(), holding_of(Holder.VARIANCE)) == ({}, LATE)
    codes = FloorException.objects.filter(slip=slip).values_list("code", flat=True)
    assert set(codes) == {"cage_short", "cage_short_watched"}


def test_cheques_that_never_came_are_missed_by_the_next_count_of_the_cage(floor: Cast) -> None:
    approve(floor, key(floor, "credit", a_while_ago(), cheques={500_000: 4}))
    count = count_cage(floor, {500_000: 36, 10_000: 180, 2_500: 180})
    assert (public_holding(), holding_of(Holder.VARIANCE)) == ({}, {500_000: 4})
    floor_exception = FloorException.objects.get(code="cage_short", slip=count)
    assert floor_exception.details["short_cents"] == 2_000_000


def test_a_paper_waits_for_the_count_of_the_cage_that_is_under_way(floor: Cast) -> None:
    slip = key(floor, "fill", a_while_ago())
    counted = {500_000: 36, 10_000: 180, 2_500: 180}
    count = begin_cage_count(floor, counted, by=floor.trent)
    with refused("count_under_way"):
        floor.sign(slip, "approved", floor.carol)
    floor.sign(count, "verified", floor.erin, Place.CAGE, entry=Entry(counted=counted))
    floor.sign(slip, "approved", floor.carol)
