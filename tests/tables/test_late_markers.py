"""Markers and payments that were written on paper in an outage, entered afterwards (A127, F18)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from inventory.models import ExclusionCase, ListCheck, Marker, Patron
from inventory.selectors.cash_log import DayPerson, day_sum
from inventory.selectors.cheques import tray_holding
from inventory.selectors.credit import credit_of
from inventory.selectors.marker_log import log_differences
from pitboss.models import FloorException, PaperFormEnd, Slip, Table
from pitboss.rules.patrons.cash_log import Direction
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.verification import verify
from pitboss.slips.kind import Kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.late_marker import LATE_MARKER, LATE_PAYMENT
from tables.reports.win import table_report
from tests.floor.cage import open_with, receive
from tests.floor.cast import Cast, ServerClock, add_person, refused
from tests.floor.corrections import approve as put_right
from tests.floor.corrections import propose
from tests.floor.drop_box import count_tray
from tests.floor.exclusion import put_on
from tests.floor.house import change
from tests.floor.markers import TRAY, grant, lend, make_patron
from tests.floor.outages import declare, end, ready

pytestmark = pytest.mark.django_db
THREE_THOUSAND = {10_000: 30}


def enter(
    cast: Cast,
    kind: Kind,
    patron: Patron,
    true_time: datetime,
    *,
    cheques: Mapping[int, int] = THREE_THOUSAND,
    number: str = "",
    **given: Any,
) -> Slip:
    """Enter a form about a patron as Alice."""
    assert kind.on_paper is not None
    number = number or ready(cast, kind.on_paper.code, true_time)
    table = Table.objects.get(pk=cast.table.pk)
    paper = kind.at(
        table,
        dict(cheques),
        patron=patron,
        paper_number=number,
        true_time=true_time.isoformat(),
        signers="A. Aliceson, Ana Ruiz",
        **given,
    )
    return raise_kind(paper, pen=cast.pen(cast.alice), shown=shown_before(paper))


def approve(cast: Cast, slip: Slip) -> Slip:
    cast.sign(slip, "approved", cast.carol)
    slip.refresh_from_db()
    return slip


def won(cast: Cast) -> int:
    table = Table.objects.get(pk=cast.table.pk)
    report = table_report(table, house.period_at(house.now()).gaming_day)
    return sum(line.sign * line.amount_cents for line in report.lines)


@pytest.fixture
def patron(cast: Cast, server_clock: ServerClock) -> Patron:
    """Ana Ruiz with a line of $10,000, who owes $6,000 at an open table."""
    receive(cast, {10_000: 400, 2_500: 400})
    open_with(cast, TRAY)
    found = make_patron(cast)
    grant(cast, found, 1_000_000)
    lend(cast, found, 600_000)
    server_clock.move(minutes=10)
    return found


@pytest.mark.django_db(transaction=True)
def test_a127_f18_a_paper_marker_is_owed_and_leaves_the_tray_at_its_time(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    outage = declare(cast)
    server_clock.move(minutes=20)
    at = house.now()
    held = tray_holding(cast.table)
    server_clock.move(minutes=90)
    end(cast, outage)
    slip = enter(cast, LATE_MARKER, patron, at)
    assert credit_of(patron, house.now()).owed_cents == 600_000
    approve(cast, slip)
    assert slip.title == "Late marker"
    assert slip.details["outage"] == outage.serial
    credit = credit_of(patron, house.now())
    assert (credit.owed_cents, credit.remaining_cents) == (900_000, 100_000)
    assert tray_holding(cast.table)[10_000] == held[10_000] - 30
    assert Marker.objects.get(slip=slip).issued_at == at
    assert PaperFormEnd.objects.get(slip=slip).how == "entered"
    assert not FloorException.objects.filter(code="late_over_line").exists()
    # Nobody counted in between: the cheques and the marker make each other up.
    before = won(cast)
    count_tray(cast, tray_holding(Table.objects.get(pk=cast.table.pk)))
    assert won(cast) == before
    assert log_differences(slip.gaming_day) == []
    assert not verify().findings


@pytest.mark.django_db(transaction=True)
def test_a127_f18_where_the_tray_was_counted_since_its_period_wins_what_was_missing(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    outage = declare(cast)
    server_clock.move(minutes=20)
    at = house.now()
    server_clock.move(minutes=20)
    tray = tray_holding(cast.table)
    # The cheques were gone and the marker was missing: the count took them for a loss.
    count_tray(cast, {**tray, 10_000: tray[10_000] - 30})
    counted, before = tray_holding(cast.table), won(cast)
    end(cast, outage)
    approve(cast, enter(cast, LATE_MARKER, patron, at))
    assert won(cast) == before + 300_000
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == counted
    assert not verify().findings


def test_a127_a_number_twice_a_wrong_digit_and_a_time_outside_are_refused(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    outage = declare(cast)
    server_clock.move(minutes=20)
    at = house.now()
    end(cast, outage)
    server_clock.move(minutes=20)
    number = ready(cast, "MK", at)
    with refused("form_digit_wrong"):
        enter(cast, LATE_MARKER, patron, at, number="P-MK-000031-7")
    with refused("outside_outage"):
        enter(cast, LATE_MARKER, patron, at - timedelta(minutes=25), number=number)
    with refused("outside_outage"):
        enter(cast, LATE_MARKER, patron, house.now(), number=number)
    with refused("form_of_another_kind"):
        enter(cast, LATE_PAYMENT, patron, at, number=number)
    approve(cast, enter(cast, LATE_MARKER, patron, at, number=number))
    with refused("paper_used"):
        enter(cast, LATE_MARKER, patron, at, number=number)


def test_a_paper_marker_of_somebody_on_a_list_is_posted_and_opens_the_case(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    outage = declare(cast)
    at = house.now()
    server_clock.move(minutes=20)
    end(cast, outage)
    put_on(cast, "SX-1,Ruiz,Ana,,,,,,,")
    slip = approve(cast, enter(cast, LATE_MARKER, patron, at))
    case = ExclusionCase.objects.get()
    assert (case.patron, case.moment) == (patron, "marker")
    assert ListCheck.objects.get(slip=slip, case=case).stopped is False


def test_a_marker_over_the_line_is_posted_and_flagged_for_the_cage_manager(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    declare(cast)
    server_clock.move(minutes=20)
    slip = approve(cast, enter(cast, LATE_MARKER, patron, house.now(), cheques={10_000: 50}))
    assert credit_of(patron, house.now()).owed_cents == 1_100_000
    flag = FloorException.objects.get(code="late_over_line", slip=slip)
    assert "$1,000 over the line" in flag.sentence


@pytest.mark.django_db(transaction=True)
def test_a_late_payment_comes_off_the_newest_marker_with_its_cash(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    declare(cast)
    server_clock.move(minutes=20)
    at = house.now()
    slip = enter(cast, LATE_PAYMENT, patron, at, cheques={10_000: 10}, cash=50_000)
    approve(cast, slip)
    assert credit_of(patron, house.now()).owed_cents == 450_000
    number = ready(cast, "MP", at)
    with refused("more_than_owed"):
        enter(cast, LATE_PAYMENT, patron, at, cheques={10_000: 100}, number=number)
    assert not verify().findings


def test_a_late_payment_goes_to_what_was_lent_by_its_time_before_what_was_lent_since(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    outage = declare(cast)
    server_clock.move(minutes=20)
    at = house.now()
    end(cast, outage)
    server_clock.move(minutes=20)
    since = lend(cast, patron, 100_000)
    first = Marker.objects.exclude(pk=since.pk).get()
    slip = enter(cast, LATE_PAYMENT, patron, at, cheques={10_000: 2})
    assert slip.details["parts"] == [[first.pk, first.slip.serial, 20_000]]
    approve(cast, slip)
    slip = enter(cast, LATE_PAYMENT, patron, at, cheques={10_000: 60})
    assert [part[1:] for part in slip.details["parts"]] == [
        [first.slip.serial, 580_000],
        [since.slip.serial, 20_000],
    ]


@pytest.mark.django_db(transaction=True)
def test_a_late_marker_of_another_patron_is_corrected_like_any_marker(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    anna = make_patron(cast, "Anna")
    grant(cast, anna, 1_000_000)
    outage = declare(cast)
    server_clock.move(minutes=20)
    at = house.now()
    server_clock.move(minutes=20)
    tray = tray_holding(cast.table)
    count_tray(cast, {**tray, 10_000: tray[10_000] - 40})
    end(cast, outage)
    entered = approve(cast, enter(cast, LATE_MARKER, patron, at))
    counted, before = tray_holding(cast.table), won(cast)
    # Anna signed the form, and it was for $4,000: the count took the rest for a loss.
    proposed = propose(cast, "marker_correction", entered, {10_000: 40}, patron=anna, signed=True)
    correction = put_right(cast, proposed, cast.trent, place=Place.CAGE)
    now = house.now()
    assert credit_of(patron, now).owed_cents == 600_000
    assert credit_of(anna, now).owed_cents == 400_000
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == counted
    assert won(cast) == before + 100_000
    assert ["Ana Ruiz owes", "$9,000", "$6,000"] in correction.details["restated"]
    assert log_differences(correction.gaming_day) == []
    assert not verify().findings


@pytest.mark.django_db(transaction=True)
def test_a_late_payment_of_another_amount_is_corrected_like_any_payment(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    outage = declare(cast)
    server_clock.move(minutes=20)
    at = house.now()
    server_clock.move(minutes=20)
    tray = tray_holding(cast.table)
    count_tray(cast, {**tray, 10_000: tray[10_000] + 20})
    end(cast, outage)
    entered = approve(
        cast, enter(cast, LATE_PAYMENT, patron, at, cheques={10_000: 10}, cash=50_000)
    )
    counted, before = tray_holding(cast.table), won(cast)
    carl = add_person("carl", "951", Role.CASHIER)
    proposed = propose(
        cast, "payment_correction", entered, {10_000: 20}, by=carl, place=Place.CAGE, cash=30_000
    )
    correction = put_right(cast, proposed, cast.trent, place=Place.CAGE)
    assert credit_of(patron, house.now()).owed_cents == 600_000 - 230_000
    # $1,000 more of what the count found was a payment and no win.
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == counted
    assert won(cast) == before - 80_000
    day = house.period_at(at).gaming_day
    assert day_sum(DayPerson(patron), day, Direction.IN) == 30_000
    assert log_differences(correction.gaming_day) == []
    assert not verify().findings


def test_money_that_comes_later_than_the_house_asks_is_flagged(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    outage = declare(cast)
    server_clock.move(minutes=20)
    at = house.now()
    number = ready(cast, "MK", at)
    end(cast, outage)
    server_clock.move(hours=20)
    change(cast, "late.money_due", "12")
    slip = approve(cast, enter(cast, LATE_MARKER, patron, at, number=number))
    assert FloorException.objects.filter(code="late_money", slip=slip).exists()


def test_a_form_without_a_picture_or_signers_is_not_entered(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    declare(cast)
    server_clock.move(minutes=20)
    at = house.now()
    first = ready(cast, "MK", at)
    without = "P-MK-000002-6"
    assert first == "P-MK-000001-8"
    with refused("picture_missing"):
        enter(cast, LATE_MARKER, patron, at, number=without)
    change(cast, "late.picture", "no")
    assert enter(cast, LATE_MARKER, patron, at, number=without).status == "open"


def test_the_database_takes_no_late_marker_that_is_not_signed(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    declare(cast)
    server_clock.move(minutes=20)
    slip = enter(cast, LATE_MARKER, patron, house.now())
    marker = Marker(
        slip=slip,
        patron=patron,
        amount_cents=300_000,
        line_cents=1_000_000,
        remaining_cents=100_000,
        issued_at=house.now(),
    )
    with pytest.raises(DatabaseError, match="no open marker"), transaction.atomic():
        marker.save(force_insert=True)
