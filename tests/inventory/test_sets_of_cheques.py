"""Sets of cheques: each with its rule, by the service and by the database."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import Error, connection, transaction

from inventory.models import ChequeTransfer, Holder
from inventory.selectors.cheques import balances, cage_holding, public_holding, tray_holding
from inventory.services.ledger import move_cheques
from pitboss.models import FloorException, SettingValue, Slip, Table
from pitboss.reports.report import ReportChoice
from pitboss.rules.cheques.keys import SETS, SetKind, cheque_key
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.explaining import resolve_exception
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.reports.coupons import coupons
from tables.services.withdrawn_sets import find_withdrawn_sets
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.deposits import deposit
from tests.floor.drop_box import count_and_post, count_tray, pull
from tests.floor.house_cheques import (
    BLACK_2,
    DAY_AFTER,
    FRIDAY,
    GREEN_2,
    PROMO_25,
    PROMO_SET,
    SECOND_SET,
    WHEEL,
    add_set,
    change,
    hold,
    propose,
)
from tests.floor.markers import make_patron
from tests.floor.payouts import open_with_terminal
from tests.floor.tablets import signed_in, words

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("server_clock")]

FRIDAY_100 = cheque_key(FRIDAY, 10_000)
BLACKJACK = {
    "wager": "blackjack",
    "player_cards": ["Th", "9d"],
    "dealer_cards": ["Td", "8c"],
}


def the_table(cast: Cast) -> Table:
    return Table.objects.get(pk=cast.table.pk)


# Sets are put into play as a cheque is


def test_three_people_sign_a_set_and_it_is_in_play_from_its_day(
    cast: Cast, server_clock: ServerClock
) -> None:
    add_set(cast, 2_500, 10_000, **SECOND_SET)
    keys = set(SettingValue.objects.values_list("key", flat=True))
    assert keys == {"cheques.set.1", "cheques.1.2500", "cheques.1.10000"}
    assert SETS[1].kind is SetKind.VALUE
    with refused("not_yet_in_play"):
        cast.ask({GREEN_2: 20})
    server_clock.move(days=1)
    fill = cast.ask({GREEN_2: 20, 2_500: 20})
    assert fill.total_cents == 100_000
    cast.deliver(fill)
    assert tray_holding(the_table(cast)) == {2_500: 20, GREEN_2: 20}
    assert verify().is_sound


def test_one_slip_moves_one_denomination_of_two_sets(cast: Cast, server_clock: ServerClock) -> None:
    add_set(cast, 2_500, **SECOND_SET)
    server_clock.move(days=1)
    fill = cast.ask({GREEN_2: 20, 2_500: 40})
    cast.deliver(fill)
    rows = ChequeTransfer.objects.filter(slip=fill, target=Holder.TRAY)
    assert dict(rows.values_list("denomination_cents", "count")) == {2_500: 40, GREEN_2: 20}
    places = {balance.cents: (balance.trays, balance.cage) for balance in balances()}
    assert places[GREEN_2] == (20, -20)
    assert places[2_500] == (40, -40)


def test_what_moved_before_there_were_sets_is_of_main(cast: Cast) -> None:
    """The key of a cheque of main is its cents: no row and no count of before changes."""
    cast.deliver(cast.ask({2_500: 40}))
    row = ChequeTransfer.objects.filter(target=Holder.TRAY).get()
    before = (row.denomination_cents, row.count)
    add_set(cast, 2_500, **SECOND_SET)
    row.refresh_from_db()
    assert (row.denomination_cents, row.count) == before == (2_500, 40)
    assert tray_holding(the_table(cast)) == {2_500: 40}
    assert verify().is_sound


def test_a_new_set_is_refused(cast: Cast) -> None:
    with refused("bad_set_kind", journal=()):
        propose(cast, what="add_set", set="Second")
    with refused("unknown_cheque_set", journal=()):
        propose(cast, what="withdraw_set", set="Second")
    with refused("unknown_cheque_set", journal=()):
        propose(cast, set="Second", amount=2_500)
    with refused("bad_letter", "bad_colour"):
        propose(cast, what="add_set", set="Second", kind="value")
    with refused("bad_tables"):
        propose(cast, what="add_set", **{**PROMO_SET, "tables": cast.table.name})
    with refused("bad_tables"):
        propose(cast, what="add_set", **{**PROMO_SET, "kind": "tournament", "tables": "XX-9"})
    add_set(cast, **SECOND_SET)
    with refused("nothing_changes"):
        propose(cast, what="add_set", **SECOND_SET)
    with refused("letter_taken", "colour_taken"):
        propose(cast, what="add_set", **{**SECOND_SET, "set": "Third"})
    with refused("not_in_main"):
        propose(cast, set="Second", amount=5_000, colour="brown", letter="F", unit="5")
    with refused("colour_taken"):
        propose(cast, set="Second", amount=2_500, colour="gold", letter="G", unit="4")


def test_two_new_sets_of_a_kind_are_told_apart_at_the_release(cast: Cast) -> None:
    first = propose(cast, what="add_set", **SECOND_SET)
    given: dict[str, Any] = {"set": "Third", "kind": "value", "letter": "T", "colour": "navy"}
    with refused("already_proposed"):
        propose(cast, what="add_set", **given)
    for step, by, place in (
        ("approved", cast.trent, Place.CAGE),
        ("released", cast.heidi, Place.OFFICE),
    ):
        cast.sign(first, step, by, place)
    change(cast, what="add_set", **given)
    house.cheques_now()
    assert {number: cheque_set.name for number, cheque_set in SETS.items()} == {
        0: "Main",
        1: "Second",
        2: "Third",
    }


# Promotional cheques


def test_a101_a_promotional_cheque_wins_and_is_paid_in_value_cheques(
    cast: Cast, server_clock: ServerClock
) -> None:
    add_set(cast, 2_500, **PROMO_SET)
    server_clock.move(days=1)
    terminal = open_with_terminal(cast)
    before = tray_holding(the_table(cast))
    response = terminal.post(
        "checks", {**BLACKJACK, "bet": {str(PROMO_25): 1}, "paid": {"2500": 1}}
    )
    answer = response.json()
    assert (answer["verdict"], answer["payable_cents"]) == ("right", 2_500)
    assert answer["cheques"] == {"2500": 1}
    [box] = [warning for warning in answer["warnings"] if warning["code"] == "promotional_to_box"]
    assert "into the drop box" in box["message"]
    number = answer["check"]
    paid = terminal.post(f"checks/{number}/paid", {"paid_cents": 2_500})
    assert paid.json()["mismatch"] is None
    # What is paid leaves the tray when it is counted; the promotional cheque never was in it.
    assert tray_holding(the_table(cast)) == before
    after = {**before, 2_500: before[2_500] - 1}
    count_tray(cast, after)
    assert tray_holding(the_table(cast)) == after
    box_pulled = pull(cast)
    day = box_pulled.gaming_day
    expected = coupons(ReportChoice(first=day, last=day)).sections[1].rows
    assert [row.cells[2].value for row in expected] == [2_500]
    assert [row.cells[4].value for row in expected] == [2_500]
    count_and_post(cast, box_pulled, {"cash_2000": 4_000, "promotional": 2_500})
    [row] = coupons(ReportChoice(first=day, last=day)).sections[1].rows
    assert [cell.value for cell in row.cells[2:]] == [2_500, 2_500, 0]


def test_a101_promotional_cheques_pay_nothing(cast: Cast, server_clock: ServerClock) -> None:
    add_set(cast, 2_500, **PROMO_SET)
    server_clock.move(days=1)
    terminal = open_with_terminal(cast)
    paid = {str(PROMO_25): 1}
    answer = terminal.post("checks", {**BLACKJACK, "bet": {"2500": 1}, "paid": paid}).json()
    assert [refusal["code"] for refusal in answer["refusals"]] == ["no_cash_value"]


def test_a101_the_cage_redeems_no_promotional_cheque(cast: Cast, server_clock: ServerClock) -> None:
    add_set(cast, 2_500, **PROMO_SET)
    server_clock.move(days=1)
    patron = make_patron(cast, tax_id="123-45-6789", tax_id_kind="ssn")
    with refused("no_cash_value", "bad_amount"):
        deposit(cast, patron, 0, means="cheques", cheques={PROMO_25: 4})
    assert PROMO_25 not in cage_holding()


@pytest.mark.parametrize("kind", ["fill", "credit"])
def test_a101_no_slip_of_a_tray_lists_a_promotional_cheque(
    cast: Cast, server_clock: ServerClock, kind: str
) -> None:
    add_set(cast, 2_500, **PROMO_SET)
    server_clock.move(days=1)
    cast.open_table({})
    raising = the_kind(kind).at(the_table(cast), {PROMO_25: 20})
    with refused("promotional_in_tray"):
        raise_kind(raising, pen=cast.pen(cast.alice), shown=shown_before(raising))
    page = words(
        signed_in(cast.alice, cast, Place.PIT).get(
            f"/slips/new/{kind}/?table={cast.table.name}&colours=all&start=empty"
        )
    )
    assert f"cheques_{PROMO_25}" not in page


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (Holder.CAGE, Holder.CARRIER),
        (Holder.PUBLIC, Holder.TRAY),
        (Holder.TRAY, Holder.VARIANCE),
    ],
)
def test_a101_the_database_keeps_promotional_cheques_off_the_floor(
    cast: Cast, server_clock: ServerClock, source: Holder, target: Holder
) -> None:
    add_set(cast, 2_500, **PROMO_SET)
    server_clock.move(days=1)
    with pytest.raises(Error, match="promotional_in_no_tray"):
        hold(cast, {PROMO_25: 1}, source, target)
    hold(cast, {PROMO_25: 4}, Holder.CAGE, Holder.PUBLIC)
    assert public_holding() == {PROMO_25: 4}


# Tournament and non-value cheques


def test_a101_tournament_cheques_are_counted_and_never_enter_win(
    cast: Cast, server_clock: ServerClock
) -> None:
    name = cast.table.name
    tournament = {"set": "Friday", "kind": "tournament", "letter": "F", "colour": "navy"}
    add_set(cast, 10_000, **tournament, tables=name)
    server_clock.move(days=1)
    cast.deliver(cast.ask({FRIDAY_100: 40, 500: 20}))
    opener = cast.open_table({FRIDAY_100: 40, 500: 20})
    assert opener.total_cents == 10_000
    count = count_tray(cast, {FRIDAY_100: 15, 500: 18})
    assert count.total_cents == 9_000
    assert tray_holding(the_table(cast)) == {500: 18, FRIDAY_100: 15}
    closer = cast.count("closer", {FRIDAY_100: 15, 500: 18})
    assert closer.total_cents == 9_000
    assert verify().is_sound


def test_a101_tournament_cheques_stay_at_their_tables(
    cast: Cast, server_clock: ServerClock
) -> None:
    tournament = {"set": "Friday", "kind": "tournament", "letter": "F", "colour": "navy"}
    add_set(cast, 10_000, **tournament, tables=cast.other_table.name)
    server_clock.move(days=1)
    with refused("not_of_this_table"):
        cast.ask({FRIDAY_100: 20})
    with pytest.raises(Error, match="not of this table"):
        hold(cast, {FRIDAY_100: 20}, Holder.CARRIER, Holder.TRAY)


def test_non_value_cheques_are_counted_in_pieces_at_their_table(
    cast: Cast, server_clock: ServerClock
) -> None:
    wheel = {"set": "Wheel", "kind": "non_value", "letter": "W", "colour": "navy"}
    change(cast, what="add_set", **wheel, tables=cast.table.name)
    change(cast, set="Wheel", colour="yellow", letter="Y", unit="5")
    server_clock.move(days=1)
    [yellow] = [key for key in house.cheques_now().in_play if key >= cheque_key(WHEEL, 0)]
    fill = cast.ask({yellow: 300})
    assert fill.total_cents == 0
    cast.deliver(fill)
    opener = cast.open_table({yellow: 300})
    assert (opener.total_cents, tray_holding(the_table(cast))) == (0, {yellow: 300})


# The primary set is withdrawn


def withdraw_main(cast: Cast, server_clock: ServerClock) -> None:
    """Stock the table from main and the second set, and withdraw main from the day after."""
    add_set(cast, 500, 2_500, 10_000, **SECOND_SET, rank="reserve")
    server_clock.move(days=1)
    cast.deliver(cast.ask({2_500: 40, 500: 40, GREEN_2: 20}))
    change(cast, what="withdraw_set", set="Main", **{"from": DAY_AFTER})


def test_a102_a_withdrawn_set_is_shipped_by_no_fill(cast: Cast, server_clock: ServerClock) -> None:
    withdraw_main(cast, server_clock)
    slip = cast.ask({2_500: 20})
    cast.sign(slip, "issued", cast.erin, Place.CAGE)
    server_clock.move(days=1)
    with refused("out_of_play"):
        cast.ask({2_500: 20})
    cast.ask({GREEN_2: 20, BLACK_2: 20})
    # What was asked for and issued before stays in the cage as well.
    with refused("out_of_play"):
        cast.sign(slip, "carried", cast.frank, Place.CAGE)
    with pytest.raises(Error, match="no fill ships it"):
        hold_of(slip, {2_500: 20})


def test_what_left_the_cage_before_its_set_was_withdrawn_arrives_and_what_did_not_is_voided(
    cast: Cast, server_clock: ServerClock
) -> None:
    withdraw_main(cast, server_clock)
    on_its_way, asked = cast.ask({2_500: 20}), cast.ask({500: 20})
    cast.carry(on_its_way)
    server_clock.move(days=1)
    cast.sign(on_its_way, "agreed", cast.dan, entry=cast.agreement(on_its_way))
    cast.sign(on_its_way, "received", cast.alice)
    cast.void(asked, "Its set is withdrawn.")
    asked.refresh_from_db()
    assert asked.status == SlipStatus.VOIDED


def test_a102_what_was_withdrawn_leaves_its_tray_on_a_credit(
    cast: Cast, server_clock: ServerClock
) -> None:
    withdraw_main(cast, server_clock)
    server_clock.move(days=1)
    cast.open_table({2_500: 40, 500: 40, GREEN_2: 20})
    credit = the_kind("credit").at(the_table(cast), {2_500: 40, 500: 40})
    raise_kind(credit, pen=cast.pen(cast.alice), shown=shown_before(credit))


def hold_of(slip: Slip, cheques: dict[int, int]) -> None:
    with transaction.atomic():
        move_cheques(
            slip=slip, cheques=cheques, source=Holder.CAGE, target=Holder.CARRIER, at=house.now()
        )


def test_a102_every_tray_with_a_withdrawn_cheque_is_an_exception(
    cast: Cast, server_clock: ServerClock
) -> None:
    withdraw_main(cast, server_clock)
    find_withdrawn_sets(now=house.now())
    assert not FloorException.objects.exists()
    server_clock.move(days=1)
    for _ in range(2):
        find_withdrawn_sets(now=house.now())
    [found] = FloorException.objects.filter(code="cheques_out_of_play")
    assert found.table == cast.table
    assert "40 × $25 green" in found.sentence
    assert "(Second)" not in found.sentence


def test_a_tray_that_was_answered_for_is_an_exception_again_the_next_day_while_it_holds_any(
    cast: Cast, server_clock: ServerClock
) -> None:
    withdraw_main(cast, server_clock)
    server_clock.move(days=1)
    find_withdrawn_sets(now=house.now())
    [found] = FloorException.objects.filter(code="cheques_out_of_play")
    resolve_exception(
        exception_id=found.pk,
        resolution="They go to the cage at the close.",
        badge=cast.heidi.badge,
        pin=pin_of(cast.heidi.badge),
        request_id=uuid4(),
        device=cast.devices[Place.OFFICE],
    )
    server_clock.move(hours=1)
    find_withdrawn_sets(now=house.now())
    [answered] = FloorException.objects.filter(code="cheques_out_of_play")
    assert (answered.pk, answered.resolved_by) == (found.pk, cast.heidi)
    server_clock.move(days=1)
    for _ in range(2):
        find_withdrawn_sets(now=house.now())
    again = FloorException.objects.get(code="cheques_out_of_play", resolved_at=None)
    assert again.sentence == found.sentence
    # The set comes back: nothing is out of play any more.
    change(cast, what="add_set", set="Main", **{"from": "2026-05-05"})
    resolve_exception(
        exception_id=again.pk,
        resolution="They stay: the set comes back.",
        badge=cast.heidi.badge,
        pin=pin_of(cast.heidi.badge),
        request_id=uuid4(),
        device=cast.devices[Place.OFFICE],
    )
    server_clock.move(days=1)
    find_withdrawn_sets(now=house.now())
    assert FloorException.objects.filter(code="cheques_out_of_play").count() == 2


def test_a102_the_cage_redeems_a_withdrawn_cheque_and_no_table_does(
    cast: Cast, server_clock: ServerClock
) -> None:
    withdraw_main(cast, server_clock)
    hold(cast, {2_500: 100}, Holder.CAGE, Holder.PUBLIC)
    server_clock.move(days=1)
    patron = make_patron(cast, tax_id="123-45-6789", tax_id_kind="ssn")
    slip = deposit(cast, patron, 0, means="cheques", cheques={2_500: 8})
    assert (slip.status, slip.total_cents) == (SlipStatus.DONE, 20_000)
    assert public_holding()[2_500] == 92
    house_now = house.cheques_now()
    assert [refusal.code for refusal in house_now.redeemed_at_cage({2_500: 8})] == [
        "redeem_at_cage"
    ]
    assert house_now.redeemed_at_cage({GREEN_2: 8}) == []


def test_a102_payouts_are_cut_from_the_set_in_play(cast: Cast, server_clock: ServerClock) -> None:
    withdraw_main(cast, server_clock)
    server_clock.move(days=1)
    options = house.settings_at(house.now()).cut_options
    assert options.denominations == (10_000, 2_500, 500)
    assert GREEN_2 in options.sets


def test_a102_the_last_set_that_pays_is_not_withdrawn(cast: Cast) -> None:
    with refused("last_denomination"):
        propose(cast, what="withdraw_set", set="main")


def test_a_withdrawn_set_comes_back_as_it_was(cast: Cast, server_clock: ServerClock) -> None:
    withdraw_main(cast, server_clock)
    server_clock.move(days=1)
    change(cast, what="add_set", set="Main", **{"from": "2026-05-04"})
    server_clock.move(days=1)
    assert 2_500 in house.cheques_now().in_play
    cast.ask({2_500: 20})


def test_the_database_takes_no_set_that_three_did_not_sign(cast: Cast) -> None:
    slip = propose(cast, what="add_set", **SECOND_SET)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (details->>'holds_from')::timestamptz FROM pitboss_slip WHERE id = %s",
            [slip.pk],
        )
        starts = cursor.fetchone()[0]
    with pytest.raises(Error, match="no slip signed"), transaction.atomic():
        SettingValue.objects.create(key="cheques.set.1", holds_from=starts, slip=slip)


def test_the_page_lists_each_set_with_its_rule(cast: Cast, server_clock: ServerClock) -> None:
    manager = signed_in(cast.carol, cast, Place.OFFICE)
    page = words(manager.get("/house/cheques/"))
    assert "Money at every table" not in page
    add_set(cast, 2_500, **PROMO_SET)
    page = words(manager.get("/house/cheques/"))
    assert "Promo" in page
    assert "into the drop box" in page
    assert "Not yet" in page
    assert "q-green e-lime" in page
    assert "GX" in page


def test_a_count_pad_offers_the_second_set_where_the_table_may_have_it(
    cast: Cast, server_clock: ServerClock
) -> None:
    add_set(cast, 2_500, **SECOND_SET)
    add_set(cast, 2_500, **PROMO_SET)
    server_clock.move(days=1)
    cast.open_table({})
    page = words(
        signed_in(cast.alice, cast, Place.PIT).get(
            f"/slips/new/count/?table={cast.table.name}&colours=all"
        )
    )
    assert f'name="stacks_{GREEN_2}"' in page
    assert f'name="stacks_{PROMO_25}"' not in page
    assert "$25" in page


def test_a_count_finds_the_second_set_by_itself(cast: Cast, server_clock: ServerClock) -> None:
    add_set(cast, 2_500, **SECOND_SET)
    server_clock.move(days=1)
    cast.deliver(cast.ask({2_500: 20, GREEN_2: 20}))
    opener = cast.count("opener", {2_500: 40})
    cast.sign(opener, "verified", cast.alice, entry=Entry(counted={2_500: 40}))
    opener.refresh_from_db()
    # Equal value in cheques of another set is a variance all the same.
    assert FloorException.objects.filter(code="tray_variance").exists()
