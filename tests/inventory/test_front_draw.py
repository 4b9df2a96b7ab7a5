"""Front money at a table: the controls of a marker, one pit at a time, safekeeping never."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from inventory.kinds.front_draw import FRONT_DRAW
from inventory.kinds.marker import cut_of
from inventory.models import (
    DepositAccount,
    DepositEntry,
    ExclusionCase,
    Holder,
    ListCheck,
    Patron,
)
from inventory.reports.credit import dormant
from inventory.selectors.cheques import holding_of, tray_holding
from inventory.selectors.deposits import balance_cents, usable_cents
from pitboss.models import Person, Slip, Table
from pitboss.reports.report import ReportChoice
from pitboss.rules.flows.drawn import Drawn
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cage import open_with
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.deposits import deposit
from tests.floor.exclusion import RUIZ, put_on
from tests.floor.markers import STROKES, TRAY, drawn, make_patron

FRONT = DepositAccount.FRONT_MONEY
STOPPED = (
    "inventory.ExclusionCase",
    "inventory.ListCheck",
    "pitboss.FloorException",
    "pitboss.Waiting",
)


@pytest.fixture
def ana(cast: Cast) -> Patron:
    open_with(cast, TRAY)
    return make_patron(cast, tax_id="123-45-6789", tax_id_kind="ssn")


def draw(cast: Cast, patron: Patron, cents: int, by: Person | None = None) -> Slip:
    table = Table.objects.get(pk=cast.table.pk)
    new = FRONT_DRAW.at(table, cut_of(table, cents), patron=patron)
    return raise_kind(new, pen=cast.pen(by or cast.alice), shown=shown_before(new))


def sign_out(cast: Cast, slip: Slip) -> None:
    cast.sign(slip, "patron_signed", cast.alice, entry=Entry(drawn=drawn(slip)))
    cast.sign(slip, "dealer_signed", cast.dan)
    cast.sign(slip, "approved", cast.alice)


@pytest.mark.django_db(transaction=True)
def test_a135_front_money_is_drawn_with_the_controls_of_a_marker(cast: Cast, ana: Patron) -> None:
    deposit(cast, ana, 500_000)
    before = tray_holding(cast.table)
    slip = draw(cast, ana, 300_000)
    # Set aside by the first signature: no other pit can draw it.
    assert usable_cents(ana, FRONT, house.now()) == 200_000
    with refused("out_of_order"):
        cast.sign(slip, "dealer_signed", cast.dan)
    sign_out(cast, slip)
    assert balance_cents(ana, FRONT) == 200_000
    left = sum(cents * n for cents, n in tray_holding(cast.table).items())
    assert left == sum(cents * n for cents, n in before.items()) - 300_000
    assert sum(cents * n for cents, n in holding_of(Holder.PUBLIC).items()) == 300_000
    assert verify().is_sound


def test_a135_safekeeping_is_never_drawn_at_a_table(cast: Cast, ana: Patron) -> None:
    deposit(cast, ana, 2_000_000, account="safekeeping")
    with refused("deposit_short", "safekeeping_stays"):
        draw(cast, ana, 300_000)
    deposit(cast, ana, 100_000)
    with refused("deposit_short", "safekeeping_stays"):
        draw(cast, ana, 300_000)
    draw(cast, ana, 100_000)


def test_a135_without_an_id_that_matches_nothing_is_drawn(cast: Cast, ana: Patron) -> None:
    deposit(cast, ana, 500_000)
    slip = draw(cast, ana, 300_000)
    with refused("id_not_matched"):
        cast.sign(slip, "patron_signed", cast.alice, entry=Entry(drawn=Drawn(STROKES, None)))
    with refused("id_not_matched"):
        cast.sign(slip, "patron_signed", cast.alice, entry=Entry(drawn=Drawn(STROKES, 10**9)))


@pytest.mark.django_db(transaction=True)
def test_a147_who_is_on_a_list_draws_no_front_money_at_the_first_signature_or_the_last(
    cast: Cast,
) -> None:
    open_with(cast, TRAY)
    ana = make_patron(cast, tax_id="123-45-6789", tax_id_kind="ssn", born_on="1980-02-03")
    deposit(cast, ana, 500_000)
    slip = draw(cast, ana, 100_000)
    cast.sign(slip, "patron_signed", cast.alice, entry=Entry(drawn=drawn(slip)))
    cast.sign(slip, "dealer_signed", cast.dan)
    put_on(cast, RUIZ)
    before = tray_holding(cast.table)
    row = ("sign_refused", "exception_opened", "patron_stopped")
    with refused("exclusion_stop", journal=row, ignoring=STOPPED):
        cast.sign(slip, "approved", cast.alice)
    with refused("exclusion_stop", journal=("sign_refused", "patron_stopped"), ignoring=STOPPED):
        draw(cast, ana, 100_000)
    assert tray_holding(cast.table) == before
    kept = ListCheck.objects.filter(moment="withdrawal", stopped=True).order_by("pk")
    assert [list_check.slip for list_check in kept] == [slip, None]
    assert all(list_check.case == ExclusionCase.objects.get() for list_check in kept)
    assert verify().is_sound


@pytest.mark.django_db(transaction=True)
def test_a_voided_draw_puts_the_money_back_once(cast: Cast, ana: Patron) -> None:
    deposit(cast, ana, 500_000)
    slip = draw(cast, ana, 500_000)
    with refused("deposit_short"):
        draw(cast, ana, 2_500)
    entry = Entry(reason="The patron went home.")
    cast.sign(slip, "voided", cast.alice, entry=entry, track=Track.VOID)
    cast.sign(slip, "void_witnessed", cast.ivan, Place.SURVEILLANCE, track=Track.VOID)
    assert usable_cents(ana, FRONT, house.now()) == 500_000
    assert [e.move for e in DepositEntry.objects.order_by("id")] == [
        "deposited",
        "drawn",
        "put_back",
    ]
    assert verify().is_sound


@pytest.mark.parametrize(
    "change",
    [
        {"move": "drawn", "amount_cents": 500_001},
        {"move": "drawn", "account": "safekeeping"},
        {"move": "put_back"},
        {"move": "withdrawn"},
    ],
)
def test_past_the_service_a_deposit_is_drawn_only_as_its_slip_says(
    cast: Cast, ana: Patron, change: dict[str, Any]
) -> None:
    deposit(cast, ana, 500_000)
    slip = draw(cast, ana, 100_000)
    columns = {
        "patron": ana,
        "account": "front_money",
        "move": "drawn",
        "amount_cents": 100_000,
        "usable_at": house.now(),
        "slip": slip,
        "gaming_day": slip.gaming_day,
        "shift": slip.shift,
        "at": house.now(),
    }
    with pytest.raises(DatabaseError), transaction.atomic():
        DepositEntry.objects.create(**(columns | change))


def test_a_deposit_that_nobody_moved_for_a_year_is_unclaimed(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    deposit(cast, ana, 500_000)
    day = house.period_at(house.now()).gaming_day
    server_clock.move(days=364)
    assert dormant(ReportChoice(day, day)).sections[0].rows == ()
    server_clock.move(days=1)
    (row,) = dormant(ReportChoice(day, day)).sections[0].rows
    assert [cell.value for cell in row.cells[1:]] == ["Front money", day, 365, 500_000]
