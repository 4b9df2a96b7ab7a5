"""Markers paid back: at any table or at the cage, newest first, and carried between the two."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction

from inventory.models import Holder, MarkerEntry, Patron
from inventory.selectors.cheques import holding_of, tray_holding
from inventory.selectors.credit import credit_of, outstanding, piles
from pitboss.models import Slip, Table
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from tables.reports.win import table_report
from tests.floor.cage import open_with
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.markers import (
    TRAY,
    grant,
    issue,
    lend,
    make_patron,
    pay,
    pay_out,
    recall,
    receive,
    send,
    transfer,
)

SOME = {10_000: 10}


@pytest.fixture
def ana(cast: Cast) -> Patron:
    open_with(cast, TRAY)
    patron = make_patron(cast)
    grant(cast, patron, 1_000_000)
    return patron


def open_other(cast: Cast) -> Cast:
    """Open the second table as well, and return the cast that works there."""
    there = replace(cast, table=cast.other_table)
    open_with(there, TRAY)
    return there


def owed(patron: Patron) -> int:
    return credit_of(patron, house.now()).outstanding_cents


@pytest.mark.django_db(transaction=True)
def test_a31_a_part_paid_at_another_table_leaves_the_rest_and_no_win_there(
    cast: Cast, ana: Patron
) -> None:
    marker = lend(cast, ana, 300_000)
    there = open_other(replace(cast, dan=cast.dora))
    slip = pay(there, ana, cheques=SOME, table=cast.other_table)
    assert owed(ana) == 200_000
    assert credit_of(ana, house.now()).remaining_cents == 800_000
    assert (slip.kind, slip.status, slip.table) == (
        "marker_payment",
        SlipStatus.DONE,
        cast.other_table,
    )
    paid = MarkerEntry.objects.get(slip=slip)
    assert (paid.marker, paid.amount_cents, paid.cash_cents) == (marker, 100_000, 0)
    assert tray_holding(cast.other_table) == {10_000: 110, 2_500: 100}
    there.close_table({10_000: 110, 2_500: 100})
    figures = table_report(cast.other_table, slip.gaming_day).figures
    # It came from a patron who paid, not from one who lost: it is no win of that table.
    assert figures.marker_payments_cents == 100_000
    assert figures.closing_cents - figures.opening_cents - figures.marker_payments_cents == 0
    assert verify().is_sound


def test_a_payment_in_cash_is_in_the_box_and_no_win_either(cast: Cast, ana: Patron) -> None:
    lend(cast, ana, 300_000)
    slip = pay(cast, ana, cheques=SOME, cash_cents=50_000)
    assert owed(ana) == 150_000
    assert MarkerEntry.objects.get(slip=slip).cash_cents == 50_000
    cast.close_table(tray_holding(cast.table))
    figures = table_report(cast.table, slip.gaming_day).figures
    assert figures.markers_issued_cents == 300_000
    assert figures.marker_payments_cents == 150_000


def test_the_newest_marker_is_redeemed_first(cast: Cast, ana: Patron) -> None:
    old, new = lend(cast, ana, 300_000), lend(cast, ana, 100_000)
    pay(cast, ana, cash_cents=150_000)
    left = {item.marker: item.balance_cents for item in outstanding(old.slip.gaming_day)}
    assert left == {old: 250_000}
    assert new.entries.get(move="paid").amount_cents == 100_000


def test_another_order_needs_a_waiver_that_says_why(cast: Cast, ana: Patron) -> None:
    old = lend(cast, ana, 300_000)
    new = lend(cast, ana, 100_000)
    with refused("out_of_redemption_order"):
        pay(cast, ana, cash_cents=50_000, first=str(old))
    slip = pay(cast, ana, cash_cents=50_000, first=str(old), waiver="The host promised it.")
    assert slip.details["waiver"] == "The host promised it."
    left = {item.marker: item.balance_cents for item in outstanding(old.slip.gaming_day)}
    assert left == {old: 250_000, new: 100_000}
    pay(cast, ana, cash_cents=50_000, first=str(new))


@pytest.mark.parametrize(
    ("cash", "code"),
    [(0, "bad_amount"), (-1, "bad_amount"), (300_100, "more_than_owed")],
)
def test_a_payment_that_cannot_be_is_refused(cast: Cast, ana: Patron, cash: int, code: str) -> None:
    lend(cast, ana, 300_000)
    with refused(code):
        pay(cast, ana, cash_cents=cash)


def test_a_waiver_that_is_too_long_is_refused(cast: Cast, ana: Patron) -> None:
    lend(cast, ana, 300_000)
    with refused("reason_too_long"):
        pay(cast, ana, cash_cents=100, waiver="w" * 501)


def test_one_payment_of_a_patron_is_signed_at_a_time(cast: Cast, ana: Patron) -> None:
    lend(cast, ana, 300_000)
    slip = receive(cast, ana, cash_cents=100_000)
    with refused("payment_under_way"):
        receive(cast, ana, cash_cents=100_000)
    entry = Entry(reason="Counted wrong.")
    cast.sign(slip, "voided", cast.alice, entry=entry, track=Track.VOID)
    cast.sign(slip, "void_witnessed", cast.carol, track=Track.VOID)
    assert owed(ana) == 300_000
    pay(cast, ana, cash_cents=300_000)
    assert owed(ana) == 0


def test_one_person_does_not_take_and_verify(cast: Cast, ana: Patron) -> None:
    transfer(cast, [str(lend(cast, ana, 300_000))])
    slip = receive(cast, ana, cash_cents=100_000, at_cage=True)
    with refused("signed_before"):
        cast.sign(slip, "payment_verified", cast.erin, Place.CAGE)


def test_a_marker_at_the_cage_is_paid_there(cast: Cast, ana: Patron) -> None:
    marker = lend(cast, ana, 300_000)
    with refused("marker_elsewhere"):
        pay(cast, ana, cash_cents=100_000, at_cage=True, first=str(marker))
    with refused("nothing_owed"):
        pay(cast, ana, cash_cents=100_000, at_cage=True)
    transfer(cast, [str(marker)])
    before = holding_of(Holder.CAGE)[10_000]
    pay(cast, ana, cheques=SOME, at_cage=True)
    assert holding_of(Holder.CAGE)[10_000] == before + 10
    assert owed(ana) == 200_000


@pytest.mark.django_db(transaction=True)
def test_a_pit_payment_after_the_transfer_needs_a_transfer_back(cast: Cast, ana: Patron) -> None:
    marker = lend(cast, ana, 300_000)
    transfer(cast, [str(marker)])
    with refused("marker_elsewhere"):
        pay(cast, ana, cash_cents=100_000, first=str(marker))
    recall(cast, [str(marker)])
    pay(cast, ana, cash_cents=100_000)
    assert owed(ana) == 200_000
    assert verify().is_sound


def test_all_of_a_pits_markers_go_on_one_slip(cast: Cast, ana: Patron) -> None:
    markers = [lend(cast, ana, 100_000) for _ in range(3)]
    pay(cast, ana, cash_cents=50_000)
    slip = transfer(cast, [str(marker) for marker in markers])
    assert slip.details["amount_cents"] == 250_000
    assert all(item.at_cage for item in outstanding(slip.gaming_day))
    sums = piles(outstanding(slip.gaming_day + timedelta(days=9)))
    assert [(pile.name, pile.balance_cents) for pile in sums["place"]] == [("cage", 250_000)]
    assert [(pile.name, pile.count) for pile in sums["age"]] == [("8 to 30 days", 3)]
    assert [(pile.name, pile.count) for pile in sums["patron"]] == [("Ana Ruiz", 3)]


def test_a_marker_goes_on_one_transfer_at_a_time(cast: Cast, ana: Patron) -> None:
    marker = lend(cast, ana, 100_000)
    slip = send(cast, [str(marker)])
    with refused("already_going"):
        send(cast, [str(marker)])
    with refused("nothing_chosen"):
        send(cast, ["M-0000-000000"])
    pay(cast, ana, cash_cents=10_000)
    with refused("balance_changed"):
        cast.sign(slip, "taken_by_cage", cast.erin, Place.CAGE)


def test_a_payment_taken_while_its_marker_left_is_refused(cast: Cast, ana: Patron) -> None:
    marker = lend(cast, ana, 100_000)
    going = send(cast, [str(marker)])
    paying = receive(cast, ana, cash_cents=10_000)
    cast.sign(going, "taken_by_cage", cast.erin, Place.CAGE)
    with refused("balance_changed"):
        cast.sign(paying, "payment_verified", cast.alice)


def test_a_marker_still_being_signed_can_be_neither_paid_nor_sent(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 100_000)
    with refused("nothing_owed"):
        pay(cast, ana, cash_cents=10_000)
    with refused("nothing_chosen"):
        send(cast, [slip.serial])


def test_the_database_takes_no_more_than_was_lent_and_only_where_it_is(
    cast: Cast, ana: Patron
) -> None:
    marker = lend(cast, ana, 100_000)
    slip = pay(cast, ana, cash_cents=50_000)
    columns = {
        "marker": lend(cast, ana, 20_000),
        "move": "paid",
        "amount_cents": 20_100,
        "pit": cast.pit,
        "table": cast.table,
        "slip": slip,
        "gaming_day": slip.gaming_day,
        "shift": slip.shift,
        "at": house.now(),
    }
    for change, words in (
        ({}, "more than was lent"),
        ({"amount_cents": 1, "table": None}, "not paid where it is"),
        ({"amount_cents": 1, "slip": marker.slip}, "no signed payment"),
        ({"move": "to_pit", "amount_cents": 20_000}, "no signed transfer"),
        ({"move": "to_cage", "amount_cents": 1}, "the balance is another"),
    ):
        with pytest.raises(DatabaseError, match=words), transaction.atomic():
            MarkerEntry.objects.create(**(columns | change))


def test_a_marker_belongs_to_the_day_on_which_it_was_asked_for(
    server_clock: ServerClock, cast: Cast, ana: Patron
) -> None:
    slip = issue(cast, ana, 100_000)
    day = Slip.objects.get(pk=slip.pk).gaming_day
    server_clock.move(days=1)
    marker = pay_out(cast, slip)
    assert {entry.gaming_day for entry in marker.entries.all()} == {day}
    assert outstanding(day + timedelta(days=1))[0].age_days == 1
    assert Table.objects.get(pk=cast.table.pk).is_open
