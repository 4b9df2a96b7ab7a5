"""The house's cheques as data: added and retired by three people, from a gaming day to come."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import Error, connection, transaction

from inventory.models import Holder
from inventory.selectors.cheques import tray_holding
from pitboss.models import SettingValue, Table
from pitboss.rules.cheques.counting import CountBy, read_colour
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house_cheques import change, hold, propose, retire
from tests.floor.tablets import signed_in, words

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("server_clock")]

TEN: dict[str, Any] = {"amount": 1_000, "colour": "brown", "letter": "n", "unit": "5"}
TEN_THOUSAND = {
    "amount": 1_000_000,
    "colour": "gold",
    "letter": "D",
    "unit": "5",
    "proof": True,
    "apart": True,
}


def test_a100_a_fill_lists_a_denomination_from_its_gaming_day_on(
    cast: Cast, server_clock: ServerClock
) -> None:
    slip = change(cast, **TEN)
    change(cast, **TEN_THOUSAND)
    assert slip.status == SlipStatus.DONE
    assert slip.serial.startswith("HC-")
    with refused("not_yet_in_play"):
        cast.ask({1_000: 20})
    with refused("not_yet_in_play"):
        cast.ask({1_000_000: 5, 500: 20})
    server_clock.move(days=1)
    fill = cast.ask({1_000_000: 5, 1_000: 20})
    assert fill.total_cents == 5_020_000
    # $10,000 is above the amount that a pit manager looks at.
    assert any(step["name"] == "top_signed" for step in fill.plan)
    cast.deliver(fill)
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == {1_000_000: 5, 1_000: 20}
    assert verify().is_sound


def test_a100_25_dollars_are_no_number_of_10_dollar_cheques(cast: Cast) -> None:
    change(cast, **TEN)
    assert 1_000 not in house.cheques_now().begun
    read = read_colour(CountBy.DOLLARS, 1_000, {"dollars_1000": "25"})
    assert isinstance(read, Refusal)
    assert read.code == "not_a_multiple"
    assert "$20 or $30" in read.message


@pytest.mark.parametrize(
    ("source", "target", "who"),
    [
        (Holder.OUTSIDE, Holder.CAGE, "The cage"),
        (Holder.CARRIER, Holder.TRAY, "BJ-24"),
        (Holder.CAGE, Holder.CARRIER, "Security"),
    ],
)
def test_a100_what_tray_cage_or_carrier_hold_is_not_retired(
    cast: Cast, source: Holder, target: Holder, who: str
) -> None:
    hold(cast, {250: 4}, source, target)
    with refused("denomination_held"):
        retire(cast, 250)
    who = cast.table.name if target == Holder.TRAY else who
    with pytest.raises(Exception, match=who):
        retire(cast, 250)


def test_a100_what_came_into_a_tray_before_the_release_stops_it(cast: Cast) -> None:
    slip = propose(cast, what="retire", amount=250)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    hold(cast, {250: 4}, Holder.PUBLIC, Holder.TRAY)
    with refused("denomination_held"):
        cast.sign(slip, "released", cast.heidi, Place.OFFICE)
    assert not SettingValue.objects.exists()


def test_a100_what_is_retired_is_shipped_no_more_and_comes_back_as_it_was(
    cast: Cast, server_clock: ServerClock
) -> None:
    retire(cast, 250)
    cast.ask({250: 20})
    server_clock.move(days=1)
    with refused("out_of_play"):
        cast.ask({250: 20})
    assert 250 not in house.settings_at(house.now()).cut_options.denominations
    with refused("look_differs"):
        propose(
            cast,
            amount=250,
            colour="coral",
            letter="P",
            unit="4",
            **dict[str, Any]({"from": "2026-05-03"}),
        )
    change(cast, amount=250, **{"from": "2026-05-03"})
    server_clock.move(days=1)
    cast.ask({250: 20})


def test_what_hands_out_cheques_of_a_tray_or_fills_it_ships() -> None:
    assert {kind for kind, flow in FLOWS.items() if flow.ships} == {"fill", "front_draw", "marker"}


def test_the_maker_delivers_before_the_day(cast: Cast) -> None:
    change(cast, **TEN)
    receipt = the_kind("house_receipt").at(cheques={1_000: 400})
    slip = raise_kind(
        receipt,
        pen=cast.pen(cast.erin, Place.CAGE),
        shown=shown_before(receipt),
        reason="Invoice 17",
    )
    cast.sign(slip, "taken_in", cast.frank, Place.CAGE, entry=Entry(counted={1_000: 400}))
    page = signed_in(cast.erin, cast, Place.CAGE).get("/slips/new/cage_count/")
    assert 'name="stacks_1000"' in words(page)


def test_pads_offer_what_is_in_play(cast: Cast, server_clock: ServerClock) -> None:
    change(cast, **TEN)
    retire(cast, 250)
    supervisor = signed_in(cast.alice, cast, Place.PIT)
    fill = f"/slips/new/fill/?table={cast.table.name}&colours=all&start=empty"
    count = f"/slips/new/count/?table={cast.table.name}&colours=all"
    assert 'name="cheques_1000"' not in words(supervisor.get(fill))
    server_clock.move(days=1)
    cast.open_table({})
    # Nobody stays signed in over night.
    supervisor = signed_in(cast.alice, cast, Place.PIT)
    offered = words(supervisor.get(fill))
    assert 'name="cheques_1000"' in offered
    assert "q-brown" in offered
    assert 'data-fillrow="250"' not in offered
    # A patron may still bring one: a count finds it.
    counted = words(supervisor.get(count))
    assert 'name="stacks_1000"' in counted
    assert 'name="stacks_250"' in counted
    response = supervisor.post(fill, {"cheques_250": "20", "colours": "all"})
    assert "out of play" in words(response)


def test_three_people_sign_and_the_shift_manager_is_another(cast: Cast) -> None:
    with refused("wrong_role"):
        propose(cast, by=cast.alice, **TEN)
    slip = propose(cast, by=cast.heidi, **TEN)
    with refused("out_of_order", "wrong_role"):
        cast.sign(slip, "released", cast.carol, Place.OFFICE)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    with pytest.raises(Exception, match="signed"):
        cast.sign(slip, "released", cast.heidi, Place.OFFICE)
    cast.sign(slip, "released", cast.mike, Place.OFFICE)
    assert SettingValue.objects.get(slip=slip).key == "cheques.main.1000"


def test_a_change_of_the_cheques_is_refused(cast: Cast, server_clock: ServerClock) -> None:
    with refused("holds_from_past", journal=()):
        propose(cast, **{**TEN, "from": "2026-05-01"})
    with refused("unknown_denomination", journal=()):
        propose(cast, what="retire", amount=1_000)
    with refused("bad_colour", "bad_letter", "bad_unit"):
        propose(cast, amount=1_000)
    slip = propose(cast, **TEN)
    with refused("already_proposed"):
        propose(cast, **TEN)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    server_clock.move(days=2)
    with refused("holds_from_past"):
        cast.sign(slip, "released", cast.heidi, Place.OFFICE)
    entry = Entry(reason="Too late.")
    cast.sign(slip, "refused", cast.carol, Place.OFFICE, entry=entry, track=Track.VOID)
    assert not SettingValue.objects.exists()


def test_two_changes_with_one_letter_are_told_apart_at_the_release(cast: Cast) -> None:
    first = propose(cast, **TEN)
    second = propose(cast, **{**TEN, "amount": 2_000, "colour": "yellow"})
    for slip in (first, second):
        cast.sign(slip, "approved", cast.trent, Place.CAGE)
    cast.sign(first, "released", cast.heidi, Place.OFFICE)
    with refused("letter_taken"):
        cast.sign(second, "released", cast.heidi, Place.OFFICE)


def test_the_database_takes_no_cheque_that_three_did_not_sign(cast: Cast) -> None:
    slip = propose(cast, **TEN)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (details->>'holds_from')::timestamptz FROM pitboss_slip WHERE id = %s",
            [slip.pk],
        )
        starts = cursor.fetchone()[0]
    for key in ("cheques.main.1000", "cheques.main.2000"):
        with pytest.raises(Error, match="no slip signed"), transaction.atomic():
            SettingValue.objects.create(key=key, holds_from=starts, slip=slip)


def test_the_page_lists_every_cheque_and_what_comes(cast: Cast, server_clock: ServerClock) -> None:
    slip = propose(cast, **TEN)
    manager = signed_in(cast.carol, cast, Place.OFFICE)
    page = words(manager.get("/house/cheques/"))
    assert slip.serial in page
    assert "$20,000" in page
    assert "q-brown" not in page
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    cast.sign(slip, "released", cast.heidi, Place.OFFICE)
    page = words(manager.get("/house/cheques/"))
    assert "Not yet" in page
    assert "q-brown" in page
    server_clock.move(days=1)
    manager = signed_in(cast.carol, cast, Place.OFFICE)
    assert "Not yet" not in words(manager.get("/house/cheques/"))
    paper = manager.get(f"/slips/{slip.serial}/")
    assert "brown" in words(paper)
