"""Two tablets at one tray: each act is held between its reading and its writing."""

from __future__ import annotations

import pytest

from inventory.models import ChequeTransfer, TrayCount
from inventory.selectors.cheques import tray_holding
from pitboss.models import Signature, Slip, Table
from pitboss.rules.roles import Place
from pitboss.services import house, signing
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.closer import CLOSER
from tables.kinds.opener import OPENER
from tables.models import Dealing
from tables.services import dealers
from tables.services.dealers import tap_in
from tests.floor.cast import Cast, make_cast, pin_of
from tests.races import at_once, hold_before, once_it_waits, refusals

pytestmark = pytest.mark.django_db(transaction=True)
TRAY = {10_000: 20, 2_500: 40}


@pytest.fixture
def floor(transactional_db: None) -> Cast:
    """The cast, committed, so that every thread sees it, and a stocked tray."""
    cast = make_cast()
    cast.deliver(cast.ask(TRAY))
    return cast


def shown_to_count(cast: Cast, kind: str, counted: dict[int, int]) -> str:
    table = Table.objects.get(pk=cast.table.pk)
    return shown_before(the_kind(kind).at(table, counted))


def test_two_tablets_open_one_table_and_one_opener_is_taken(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = shown_to_count(floor, "opener", TRAY)
    hold_before(monkeypatch, signing, "sign_refusals")
    results = at_once(
        *[
            lambda who=who: raise_kind(
                OPENER.at(floor.table, TRAY), pen=floor.pen(who), shown=shown
            )
            for who in (floor.dan, floor.dora)
        ]
    )
    assert refusals(results) == [("count_under_way", "stale_screen")]
    assert Slip.objects.filter(kind="opener").count() == 1


def test_two_supervisors_verify_one_opener_and_the_table_opens_once(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    opener = floor.count("opener", TRAY)
    hold_before(monkeypatch, signing, "sign_refusals")
    entry = Entry(counted=TRAY)
    results = at_once(
        lambda: floor.sign(opener, "verified", floor.alice, entry=entry),
        lambda: floor.sign(opener, "verified", floor.bob, entry=entry),
    )
    assert refusals(results) == [("already_signed", "stale_screen")]
    assert TrayCount.objects.count() == 1
    assert Table.objects.get(pk=floor.table.pk).is_open
    assert Dealing.objects.get().dealer == floor.dan


def test_a_double_tap_counts_a_tray_once(floor: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    pen, shown = floor.pen(floor.dan), shown_to_count(floor, "opener", TRAY)
    hold_before(monkeypatch, signing, "_earlier")
    act = lambda: raise_kind(  # noqa: E731
        OPENER.at(floor.table, TRAY), pen=pen, shown=shown
    )
    first, second = at_once(act, act)
    assert first == second == Slip.objects.get(kind="opener")


def test_a_double_tap_on_the_lock_closes_once(floor: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    floor.open_table(TRAY)
    closer = floor.count("closer", TRAY)
    floor.sign(closer, "verified", floor.alice, entry=Entry(counted=TRAY))
    floor.sign(closer, "top_signed", floor.carol)
    pen = floor.pen(floor.alice)
    shown = slip_shown(Slip.objects.get(pk=closer.pk))
    hold_before(monkeypatch, signing, "_earlier")
    act = lambda: floor.sign(closer, "locked", floor.alice, pen=pen, shown=shown)  # noqa: E731
    first, second = at_once(act, act)
    assert first == second == Signature.objects.get(slip=closer, step="locked")
    assert TrayCount.objects.filter(slip=closer).count() == 1


def test_a_closer_and_a_fill_asked_for_at_once_do_not_pass_each_other(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor.open_table(TRAY)
    to_close = shown_to_count(floor, "closer", TRAY)
    to_fill = floor.shown_to_ask({2_500: 20})
    hold_before(monkeypatch, signing, "sign_refusals")
    results = at_once(
        lambda: raise_kind(CLOSER.at(floor.table, TRAY), pen=floor.pen(floor.dan), shown=to_close),
        lambda: floor.ask({2_500: 20}, shown=to_fill),
    )
    (codes,) = refusals(results)
    assert "stale_screen" in codes
    assert Slip.objects.filter(status="open").count() == 1


def test_a_fill_received_while_the_count_is_verified_is_in_it_or_stops_it(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor.open_table(TRAY)
    fill = floor.ask({2_500: 20})
    count = floor.count("count", TRAY)
    floor.carry(fill)
    floor.sign(fill, "agreed", floor.dan, entry=floor.agreement(fill))
    hold_before(monkeypatch, signing, "sign_refusals")
    results = at_once(
        lambda: floor.sign(count, "verified", floor.alice, entry=Entry(counted=TRAY)),
        lambda: floor.sign(fill, "received", floor.alice),
    )
    count.refresh_from_db()
    assert refusals(results) in ([], [("tray_moved",)])
    assert (count.status == "done") == (not refusals(results))
    assert tray_holding(floor.table) == TRAY | {2_500: 60}
    moved = ChequeTransfer.objects.filter(slip=fill, target="tray").get()
    if count.status == "done":
        counted = TrayCount.objects.get(slip=count)
        assert moved.tray_sequence is not None
        assert counted.tray_sequence < moved.tray_sequence


def test_one_dealer_tapped_in_at_two_tables_at_once_deals_at_one(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    Table.objects.update(is_open=True)
    hold_before(monkeypatch, dealers, "_lock")
    at_once(
        *[
            lambda table=table: tap_in(
                table_id=table.pk, badge="104", pin=pin_of("104"), device=floor.devices[Place.PIT]
            )
            for table in (floor.table, floor.other_table)
        ]
    )
    assert Dealing.objects.filter(dealer=floor.dan, ended_at=None).count() == 1


def test_two_dealers_tap_in_at_one_table_at_once_and_one_relieves_the_other(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    Table.objects.update(is_open=True)
    hold_before(monkeypatch, dealers, "dealer_at")
    results = at_once(
        *[
            lambda badge=badge: tap_in(
                table_id=floor.table.pk,
                badge=badge,
                pin=pin_of(badge),
                device=floor.devices[Place.PIT],
            )
            for badge in ("104", "114")
        ]
    )
    assert refusals(results) == []
    assert Dealing.objects.filter(table=floor.table, ended_at=None).count() == 1
    assert Dealing.objects.count() == 2


def test_a_dealer_who_waited_for_the_table_relieves_the_one_who_came_first(floor: Cast) -> None:
    Table.objects.update(is_open=True)
    pit = floor.devices[Place.PIT]
    came = once_it_waits(
        lambda: tap_in(table_id=floor.table.pk, badge="114", pin=pin_of("114"), device=pit),
        lambda: dealers.put_at(floor.table, floor.dan, house.now()),
        floor.table.pk,
    )
    first = Dealing.objects.get(dealer=floor.dan)
    assert first.ended_at is not None
    assert first.began_at <= first.ended_at == came.began_at


def test_a_closer_that_waited_for_the_table_ends_what_began_meanwhile(floor: Cast) -> None:
    floor.open_table(TRAY)
    closer = floor.count("closer", TRAY)
    floor.sign(closer, "verified", floor.alice, entry=Entry(counted=TRAY))
    floor.sign(closer, "top_signed", floor.carol)
    Dealing.objects.update(ended_at=house.now())
    locked = once_it_waits(
        lambda: floor.sign(closer, "locked", floor.alice),
        lambda: dealers.put_at(floor.table, floor.dan, house.now()),
        floor.table.pk,
    )
    dealing = Dealing.objects.latest("pk")
    assert dealing.ended_at is not None
    assert dealing.began_at <= dealing.ended_at == locked.signed_at
