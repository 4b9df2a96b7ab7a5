"""The cage: counted blind by two people, stocked by the maker, and never summed over the years."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from inventory.kinds.cage_count import CAGE_COUNT
from inventory.models import CageCount, ChequeTransfer, Holder
from inventory.selectors.cheques import (
    ChequeBalance,
    balances,
    cage_holding,
    colours_below_zero,
    counts_off_the_ledger,
    holding_of,
    public_holding,
    tray_holding,
)
from inventory.services import errands
from inventory.services.ledger import move_cheques
from pitboss.models import FloorException, JournalEntry, Person, Slip, Waiting
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services.explaining import resolve_exception
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cage import (
    begin_cage_count,
    begin_destruction,
    begin_receipt,
    count_cage,
    open_with,
    receive,
    send_credit,
)
from tests.floor.cast import Cast, make_cast, refused
from tests.floor.drop_box import count_tray
from tests.floor.house import change

pytestmark = pytest.mark.django_db

STOCK = {10_000: 500, 2_500: 1_000}
OPENED = ("sign_refused", "exception_opened")
TROUBLE = ("pitboss.FloorException", "pitboss.Waiting")


@pytest.fixture
def selling(house: Cast) -> Cast:
    """A house whose window sells many cheques, and takes what is missing for sold."""
    change(house, "cage.short_from", "50,000")
    return house


@pytest.fixture
def house(cast: Cast) -> Cast:
    """The cast, with house cheques from the maker in its cage."""
    receive(cast, STOCK)
    return cast


def both_identities_hold() -> bool:
    return all(balance.adds_up for balance in balances()) and counts_off_the_ledger() == []


def test_house_cheques_come_from_the_maker_into_the_cage(cast: Cast) -> None:
    receipt = receive(cast, STOCK)
    assert (receipt.status, receipt.serial[:3], receipt.table) == ("done", "HR-", None)
    assert cage_holding() == STOCK
    assert [(balance.cents, balance.received, balance.adds_up) for balance in balances()] == [
        (10_000, 500, True),
        (2_500, 1_000, True),
    ]
    assert set(JournalEntry.objects.filter(slip=receipt).values_list("chain__name", "kind")) == {
        ("cage", "house_receipt.counted"),
        ("cage", "house_receipt.taken_in"),
    }


def test_house_cheques_are_counted_in_by_two_people_of_two_departments(cast: Cast) -> None:
    def count_in(maker: str = "Invoice 1", place: Place = Place.CAGE) -> Slip:
        return begin_receipt(cast, STOCK, maker, cast.trent, place)

    with refused("reason_missing"):
        count_in(maker=" ")
    with refused("wrong_place"):
        count_in(place=Place.OFFICE)
    receipt = count_in()
    with refused("wrong_role"):
        cast.sign(receipt, "taken_in", cast.erin, Place.CAGE, entry=Entry(counted=STOCK))
    with refused("count_missing"):
        cast.sign(receipt, "taken_in", cast.frank, Place.CAGE)
    with refused("count_differs", journal=OPENED, ignoring=TROUBLE):
        cast.sign(receipt, "taken_in", cast.frank, Place.CAGE, entry=Entry(counted={2_500: 1}))
    assert cage_holding() == {}
    # The pit has nothing to explain here.
    wait = Waiting.objects.get(exception__isnull=False)
    assert (wait.by, wait.table) == (["cage_manager"], None)
    cast.sign(receipt, "taken_in", cast.frank, Place.CAGE, entry=Entry(counted=STOCK))
    assert cage_holding() == STOCK


def test_an_empty_receipt_is_refused(cast: Cast) -> None:
    with refused("nothing_counted"):
        receive(cast, {})


def test_cheques_are_destroyed_by_the_cage_manager_and_security_with_a_reason(
    house: Cast,
) -> None:
    worn = {2_500: 200}
    with refused("reason_missing"):
        begin_destruction(house, worn, reason="")
    with refused("wrong_role"):
        begin_destruction(house, worn, by=house.erin)
    slip = begin_destruction(house, worn)
    assert cage_holding() == STOCK
    house.sign(slip, "destroyed", house.frank, Place.CAGE, entry=Entry(counted=worn))
    assert cage_holding() == {10_000: 500, 2_500: 800}
    green = next(balance for balance in balances() if balance.cents == 2_500)
    assert (green.received, green.destroyed, green.adds_up) == (1_000, 200, True)


@pytest.mark.parametrize("kind", ["cage_count", "house_receipt", "house_destruction"])
def test_a_slip_of_the_cage_is_voided_by_two_people_and_moves_nothing(
    house: Cast, kind: str
) -> None:
    moved = ChequeTransfer.objects.count()
    if kind == "cage_count":
        slip = begin_cage_count(house, {2_500: 1})
    elif kind == "house_receipt":
        with pytest.raises(Refused):
            receive(house, {})
        slip = begin_receipt(house, {2_500: 1})
    else:
        slip = begin_destruction(house, {2_500: 1})
    voider = house.trent if kind == "house_destruction" else house.erin
    entry = Entry(reason="Keyed wrong.")
    house.sign(slip, "voided", voider, Place.CAGE, entry=entry, track=Track.VOID)
    house.sign(slip, "void_witnessed", house.grace, Place.SECURITY, track=Track.VOID)
    slip.refresh_from_db()
    assert (slip.status, ChequeTransfer.objects.count()) == ("voided", moved)
    assert cage_holding() == STOCK


def test_a_cage_count_is_made_by_two_people_and_the_difference_went_over_the_window(
    selling: Cast,
) -> None:
    house = selling
    # 120 black went out to patrons over the window and nobody wrote it down.
    counted = {10_000: 380, 2_500: 1_000}
    slip = begin_cage_count(house, counted)
    assert (slip.serial[:3], slip.table) == ("CC-", None)
    assert cage_holding() == STOCK, "one person's count is no count"
    with refused("signed_before"):
        house.sign(slip, "verified", house.erin, Place.CAGE, entry=Entry(counted=counted))
    with refused("wrong_role"):
        house.sign(slip, "verified", house.alice, Place.CAGE, entry=Entry(counted=counted))
    with refused("wrong_place"):
        house.sign(slip, "verified", house.trent, Place.OFFICE, entry=Entry(counted=counted))
    with refused("count_differs", journal=OPENED, ignoring=TROUBLE):
        house.sign(slip, "verified", house.trent, Place.CAGE, entry=Entry(counted=STOCK))
    house.sign(slip, "verified", house.trent, Place.CAGE, entry=Entry(counted=counted))

    assert cage_holding() == holding_of(Holder.CAGE) == counted
    assert holding_of(Holder.PUBLIC) == public_holding() == {10_000: 120}
    assert both_identities_hold()


def test_cheques_that_patrons_cashed_in_come_back_from_the_public(selling: Cast) -> None:
    house = selling
    count_cage(house, {10_000: 380, 2_500: 1_000})
    count_cage(house, {10_000: 410, 2_500: 990})
    assert holding_of(Holder.PUBLIC) == {10_000: 90, 2_500: 10}
    assert not FloorException.objects.exists()
    assert both_identities_hold()


def test_a_cage_that_holds_more_than_the_public_ever_had_is_an_exception(selling: Cast) -> None:
    house = selling
    count_cage(house, {10_000: 480, 2_500: 1_000})
    slip = count_cage(house, {10_000: 503, 2_500: 1_000})
    trouble = FloorException.objects.get()
    assert (trouble.code, trouble.slip) == ("cage_gained", slip)
    assert trouble.details == {"cheques": {"10000": 3}}
    assert holding_of(Holder.PUBLIC) == {}
    assert holding_of(Holder.VARIANCE) == {10_000: -3}
    assert cage_holding() == {10_000: 503, 2_500: 1_000}
    assert both_identities_hold()


def test_a_cage_that_is_short_is_looked_into_and_never_the_publics(house: Cast) -> None:
    slip = count_cage(house, {10_000: 499, 2_500: 1_000})
    told = {
        floor_exception.code: floor_exception for floor_exception in FloorException.objects.all()
    }
    assert told.keys() == {"cage_short", "cage_short_watched"}
    assert {floor_exception.slip for floor_exception in told.values()} == {slip}
    assert told["cage_short"].sentence == (
        f"{slip.serial}: the cage is short $100, 1 × $100 black. Find out where they went."
    )
    assert told["cage_short"].details == {"short_cents": 10_000, "cheques": {"10000": 1}}
    assert [wait.by for wait in Waiting.objects.filter(until=None).order_by("id")] == [
        ["accounting", "auditor"],
        ["surveillance"],
    ]
    assert holding_of(Holder.PUBLIC) == {}
    assert holding_of(Holder.VARIANCE) == {10_000: 1}
    assert both_identities_hold()


def test_what_patrons_cashed_in_hides_no_shortage(house: Cast) -> None:
    open_with(house, {2_500: 100})
    count_tray(house, {})
    assert holding_of(Holder.PUBLIC) == {2_500: 100}
    count_cage(house, {10_000: 499, 2_500: 1_000})
    assert FloorException.objects.filter(code="cage_short").exists()
    assert holding_of(Holder.PUBLIC) == {}
    assert holding_of(Holder.VARIANCE) == {10_000: 1}


def test_little_that_is_missing_was_sold_at_the_window(house: Cast) -> None:
    count_cage(house, {10_000: 500, 2_500: 997})
    assert not FloorException.objects.exists()
    assert holding_of(Holder.PUBLIC) == {2_500: 3}
    change(house, "cage.short_from", "25")
    count_cage(house, {10_000: 500, 2_500: 996})
    assert FloorException.objects.filter(code="cage_short").count() == 1


@pytest.mark.parametrize("name", ["erin", "heidi", "carol", "frank"])
def test_neither_cage_nor_pit_explains_a_short_cage_away(house: Cast, name: str) -> None:
    count_cage(house, {10_000: 480, 2_500: 1_000})
    for exception in FloorException.objects.all():
        with refused("wrong_role", journal=("act_refused",)):
            explain(house, exception, getattr(house, name))


def test_accounting_or_audit_and_surveillance_each_explain_a_short_cage(house: Cast) -> None:
    count_cage(house, {10_000: 480, 2_500: 1_000})
    explain(house, FloorException.objects.get(code="cage_short"), house.ruth)
    (left,) = FloorException.objects.filter(resolved_at=None)
    assert left.code == "cage_short_watched"
    explain(house, left, house.ivan)
    count_cage(house, {10_000: 470, 2_500: 1_000})
    explain(house, FloorException.objects.get(code="cage_short", resolved_at=None), house.olga)


def explain(cast: Cast, exception: FloorException, person: Person) -> None:
    pen = cast.pen(person, Place.OFFICE)
    resolve_exception(
        exception_id=exception.pk,
        resolution="Found behind the drawer.",
        badge=pen.badge,
        pin=pen.pin,
        request_id=pen.request_id,
        device=pen.device,
    )


def test_a_fill_that_leaves_between_count_and_verification_is_not_counted_twice(
    selling: Cast,
) -> None:
    house = selling
    counted = {10_000: 490, 2_500: 1_000}
    slip = begin_cage_count(house, counted)
    house.deliver(house.ask({2_500: 100}))
    house.sign(slip, "verified", house.trent, Place.CAGE, entry=Entry(counted=counted))
    assert cage_holding() == {10_000: 490, 2_500: 900}
    assert holding_of(Holder.PUBLIC) == {10_000: 10}
    count_cage(house, {10_000: 490, 2_500: 900})
    assert holding_of(Holder.PUBLIC) == {10_000: 10}
    assert both_identities_hold()


def test_a_whole_round_of_cheques_keeps_both_identities(house: Cast) -> None:
    open_with(house, {10_000: 100, 2_500: 100})
    send_credit(house, {2_500: 40})
    count_cage(house, {10_000: 395, 2_500: 940})
    house.deliver(house.ask({2_500: 20}))
    send_credit(house, {10_000: 20})
    assert tray_holding(house.table) == {10_000: 80, 2_500: 80}
    assert cage_holding() == {10_000: 415, 2_500: 920}
    assert both_identities_hold()


def test_a_balance_counts_what_every_place_holds() -> None:
    held = {"cage": 1, "trays": 2, "carriers": 4, "public": 8, "variance": 16}
    assert ChequeBalance(cents=100, **held, received=40, destroyed=9).adds_up
    for place, count in held.items():
        other = {**held, place: count + 1}
        assert not ChequeBalance(cents=100, **other, received=40, destroyed=9).adds_up, place


def test_a_second_count_waits_for_the_first(house: Cast) -> None:
    slip = begin_cage_count(house, STOCK)
    with refused("count_under_way"):
        begin_cage_count(house, STOCK, by=house.trent)
    house.sign(slip, "verified", house.trent, Place.CAGE, entry=Entry(counted=STOCK))
    begin_cage_count(house, STOCK)


def test_an_empty_cage_can_be_counted(cast: Cast) -> None:
    count_cage(cast, {})
    assert (cage_holding(), CageCount.objects.get().after_transfer) == ({}, 0)


def test_a_negative_holding_only_warns(cast: Cast) -> None:
    cast.deliver(cast.ask({2_500: 20}))
    assert colours_below_zero() == [2_500]
    receive(cast, {2_500: 100})
    assert colours_below_zero() == []


def test_the_count_is_blind_until_both_have_signed(house: Cast) -> None:
    """Nothing that the first or the second is shown tells what the ledger expects."""
    counted = {10_000: 380}
    slip = begin_cage_count(house, counted)
    for text in (shown_before(CAGE_COUNT.at(cheques=counted)), slip_shown(slip)):
        assert "500" not in text.replace("2500", "")
        assert "1000" not in text.replace("10000", "")


def test_the_cost_of_the_cages_holding_does_not_grow_with_its_history(house: Cast) -> None:
    for _ in range(3):
        count_cage(house, STOCK)
    house.deliver(house.ask({2_500: 20}))
    with CaptureQueriesContext(connection) as queries:
        cage_holding()
    assert len(queries) == 2
    assert f'"id" > {CageCount.objects.latest("id").after_transfer}' in queries[1]["sql"]


def test_a_count_of_the_cage_is_in_ink(house: Cast) -> None:
    count_cage(house, STOCK)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        CageCount.objects.update(cheques={})
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        CageCount.objects.all().delete()


@pytest.mark.django_db(transaction=True)
def test_a_count_waits_for_cheques_that_somebody_has_in_hand(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fill is held after it moved its cheques and before it is stored; the count must see it."""
    floor = make_cast()
    receive(floor, STOCK)
    fill = floor.ask({2_500: 100})
    floor.issue(fill)
    moved, go_on = threading.Event(), threading.Event()

    move = move_cheques

    def move_then_wait(**arguments: Any) -> list[ChequeTransfer]:
        transfers = move(**arguments)
        moved.set()
        go_on.wait(5)
        return transfers

    monkeypatch.setattr(errands, "move_cheques", move_then_wait)

    def carry_slowly() -> None:
        try:
            floor.sign(fill, "carried", floor.frank, Place.CAGE)
        finally:
            connection.close()

    def count() -> int:
        try:
            slip = begin_cage_count(floor, {10_000: 500, 2_500: 900})
            return CageCount.objects.get(slip=slip).after_transfer
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        carrying = pool.submit(carry_slowly)
        assert moved.wait(5)
        counting = pool.submit(count)
        with pytest.raises(TimeoutError):
            counting.result(timeout=0.4)
        go_on.set()
        carrying.result(timeout=5)
        after = counting.result(timeout=5)
    assert after == ChequeTransfer.objects.get(slip=fill).pk


@pytest.mark.django_db(transaction=True)
def test_two_counts_begun_at_once_are_one(transactional_db: None) -> None:
    floor = make_cast()
    receive(floor, STOCK)
    meeting = threading.Barrier(2)
    count = CAGE_COUNT.at(cheques=STOCK)
    shown = shown_before(count)

    def begin(person_name: str) -> tuple[str, ...]:
        pen = floor.pen(getattr(floor, person_name), Place.CAGE)
        meeting.wait(5)
        try:
            raise_kind(count, pen=pen, shown=shown)
        except Refused as refusal:
            return refusal.codes
        finally:
            connection.close()
        return ()

    with ThreadPoolExecutor(2) as pool:
        results = sorted(pool.map(begin, ["erin", "trent"]))
    assert results == [(), ("count_under_way", "stale_screen")]
    assert Slip.objects.filter(kind="cage_count").count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_journal_vouches_for_every_count_of_the_cage(transactional_db: None) -> None:
    floor = make_cast()
    receive(floor, STOCK)
    count_cage(floor, {10_000: 380, 2_500: 1_000})
    assert verify().is_sound
