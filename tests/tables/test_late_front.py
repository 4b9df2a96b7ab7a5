"""Front money that moved on paper in an outage is entered afterwards, at its own time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from inventory.models import (
    CashEntry,
    DepositAccount,
    DepositEntry,
    ExclusionCase,
    Holder,
    ListCheck,
    Patron,
)
from inventory.selectors.cash_log import DayPerson, day_sum
from inventory.selectors.cheques import holding_of, tray_holding
from inventory.selectors.deposits import balance_cents, usable_cents
from pitboss.models import FloorException, PaperFormEnd, Slip, Table
from pitboss.rules.patrons.cash_log import Direction
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import Kind
from pitboss.slips.late import true_time_of
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.late_front import LATE_DEPOSIT, LATE_DRAW, LATE_WITHDRAWAL
from tables.kinds.late_marker import LATE_MARKER
from tables.reports.win import table_report
from tests.floor.cage import count_cage, open_with, receive
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.deposits import deposit
from tests.floor.drop_box import count_tray
from tests.floor.exclusion import put_on
from tests.floor.markers import TRAY, make_patron
from tests.floor.outages import declare, end, pack_of, ready
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db
FRONT = DepositAccount.FRONT_MONEY
THREE_THOUSAND = {10_000: 30}


@pytest.fixture
def ana(cast: Cast, server_clock: ServerClock) -> Patron:
    """Ana Ruiz, with $5,000 of front money, at an open table."""
    receive(cast, {10_000: 400, 2_500: 400})
    open_with(cast, TRAY)
    found = make_patron(cast, tax_id="123-45-6789", tax_id_kind="ssn")
    deposit(cast, found, 500_000)
    server_clock.move(minutes=10)
    return found


def cage_form(cast: Cast, code: str, at: datetime) -> str:
    """Return the number of a form of the cage, used at a time, with its picture."""
    pack_of(cast, code, 5, "cage")
    return ready(cast, code, at)


def at_the_cage(
    cast: Cast, kind: Kind, patron: Patron, at: datetime, *, number: str = "", **given: Any
) -> Slip:
    """Enter a form of the cage as Erin."""
    assert kind.on_paper is not None
    cheques: Mapping[int, int] = given.pop("cheques", {})
    paper = kind.at(
        None,
        dict(cheques),
        patron=patron,
        paper_number=number or cage_form(cast, kind.on_paper.code, at),
        true_time=at.isoformat(),
        signers="E. Erinson, Ana Ruiz, T. Trentson",
        **{"account": "front_money", **given},
    )
    return raise_kind(paper, pen=cast.pen(cast.erin, Place.CAGE), shown=shown_before(paper))


def drawn(
    cast: Cast, patron: Patron, at: datetime, cheques: Mapping[int, int] = THREE_THOUSAND
) -> Slip:
    """Enter a draw at the table as Alice; Carol approves it."""
    paper = LATE_DRAW.at(
        Table.objects.get(pk=cast.table.pk),
        dict(cheques),
        patron=patron,
        paper_number=ready(cast, "FT", at),
        true_time=at.isoformat(),
        signers="A. Aliceson, Ana Ruiz, D. Danson",
    )
    slip = raise_kind(paper, pen=cast.pen(cast.alice), shown=shown_before(paper))
    cast.sign(slip, "approved", cast.carol)
    slip.refresh_from_db()
    return slip


def by_trent(cast: Cast, slip: Slip) -> Slip:
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    slip.refresh_from_db()
    return slip


def won(cast: Cast) -> dict[str, int]:
    table = Table.objects.get(pk=cast.table.pk)
    report = table_report(table, house.period_at(house.now()).gaming_day)
    return {line.key: line.sign * line.amount_cents for line in report.lines}


@pytest.mark.django_db(transaction=True)
def test_a_deposit_on_paper_is_in_the_account_and_in_the_cash_of_its_own_day(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    outage = declare(cast)
    server_clock.move(minutes=10)
    at, day = house.now(), house.period_at(house.now()).gaming_day
    server_clock.move(hours=23)
    end(cast, outage)
    slip = at_the_cage(cast, LATE_DEPOSIT, ana, at, means="cash", amount=250_000)
    assert balance_cents(ana, FRONT) == 500_000
    with refused("wrong_role"):
        cast.sign(slip, "approved", cast.carol)
    by_trent(cast, slip)
    assert balance_cents(ana, FRONT) == usable_cents(ana, FRONT, house.now()) == 750_000
    assert day < house.period_at(house.now()).gaming_day
    # With the deposit that was made on the site the same day.
    assert day_sum(DayPerson(ana, None), day, Direction.IN) == 750_000
    assert CashEntry.objects.get(slip=slip).at == at
    entry = DepositEntry.objects.get(slip=slip)
    assert (entry.move, entry.gaming_day, entry.usable_at) == ("deposited", day, at)
    assert PaperFormEnd.objects.get(slip=slip).how == "entered"
    assert verify().is_sound


@pytest.mark.django_db(transaction=True)
def test_a_deposit_of_cheques_on_paper_is_in_the_cage(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    drawn(cast, ana, house.now())
    server_clock.move(minutes=10)
    held, at = holding_of(Holder.CAGE), house.now()
    given: dict[str, Any] = {"means": "cheques", "cheques": {10_000: 20}}
    by_trent(cast, at_the_cage(cast, LATE_DEPOSIT, ana, at, **given))
    assert holding_of(Holder.CAGE)[10_000] == held[10_000] + 20
    assert balance_cents(ana, FRONT) == 400_000
    assert verify().is_sound


@pytest.mark.django_db(transaction=True)
def test_where_the_cage_was_counted_since_it_keeps_what_was_counted(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    drawn(cast, ana, house.now())
    server_clock.move(minutes=10)
    at = house.now()
    server_clock.move(minutes=10)
    found = {**holding_of(Holder.CAGE)}
    found[10_000] += 20
    count_cage(cast, found)
    assert holding_of(Holder.CAGE) == found
    given: dict[str, Any] = {"means": "cheques", "cheques": {10_000: 20}}
    by_trent(cast, at_the_cage(cast, LATE_DEPOSIT, ana, at, **given))
    assert holding_of(Holder.CAGE) == found
    assert balance_cents(ana, FRONT) == 400_000
    assert verify().is_sound


def test_a_check_that_was_deposited_on_paper_clears_from_the_day_on_the_form(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    outage = declare(cast)
    server_clock.move(minutes=10)
    at = house.now()
    server_clock.move(days=4)
    end(cast, outage)
    given = {"means": "personal_check", "issuer": "First Bank", "reference": "1021"}
    slip = by_trent(cast, at_the_cage(cast, LATE_DEPOSIT, ana, at, amount=100_000, **given))
    online = deposit(cast, ana, 100_000, **given)
    late, now = (DepositEntry.objects.get(slip=item).usable_at for item in (slip, online))
    assert at < late < now
    assert usable_cents(ana, FRONT, late) == 600_000


@pytest.mark.django_db(transaction=True)
def test_a_withdrawal_and_its_deposit_come_in_any_order(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    declare(cast)
    server_clock.move(minutes=20)
    at = house.now()
    slip = by_trent(cast, at_the_cage(cast, LATE_WITHDRAWAL, ana, at, amount=600_000))
    flag = FloorException.objects.get(code="late_overdrawn")
    assert flag.slip == slip
    assert "$1,000 more" in flag.sentence
    assert balance_cents(ana, FRONT) == 0
    by_trent(cast, at_the_cage(cast, LATE_DEPOSIT, ana, at, means="cash", amount=150_000))
    assert balance_cents(ana, FRONT) == 50_000
    assert CashEntry.objects.get(slip=slip).kind == "withdrawal"
    assert verify().is_sound


def test_what_the_deposit_covers_is_withdrawn_without_a_flag(cast: Cast, ana: Patron) -> None:
    by_trent(cast, at_the_cage(cast, LATE_WITHDRAWAL, ana, house.now(), amount=500_000))
    assert balance_cents(ana, FRONT) == 0
    assert not FloorException.objects.filter(code="late_overdrawn").exists()


@pytest.mark.django_db(transaction=True)
def test_a_draw_on_paper_leaves_the_tray_at_its_time_and_counts_as_credit_issued(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    declare(cast)
    server_clock.move(minutes=20)
    held, at = tray_holding(cast.table), house.now()
    slip = drawn(cast, ana, at)
    assert tray_holding(cast.table)[10_000] == held[10_000] - 30
    assert balance_cents(ana, FRONT) == 200_000
    assert true_time_of(slip) == at
    count_tray(cast, tray_holding(Table.objects.get(pk=cast.table.pk)))
    assert won(cast)["markers"] == 300_000
    assert sum(won(cast).values()) == 0
    assert verify().is_sound


@pytest.mark.django_db(transaction=True)
def test_where_the_tray_was_counted_since_its_period_wins_what_was_missing(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    declare(cast)
    server_clock.move(minutes=20)
    at = house.now()
    server_clock.move(minutes=20)
    tray = tray_holding(cast.table)
    count_tray(cast, {**tray, 10_000: tray[10_000] - 30})
    counted, before = tray_holding(cast.table), sum(won(cast).values())
    drawn(cast, ana, at)
    assert sum(won(cast).values()) == before + 300_000
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == counted
    assert verify().is_sound


def test_more_than_front_money_drawn_on_paper_is_flagged(cast: Cast, ana: Patron) -> None:
    slip = drawn(cast, ana, house.now(), {10_000: 60})
    flag = FloorException.objects.get(code="late_overdrawn")
    assert (flag.slip, flag.details["over_cents"]) == (slip, 100_000)


def test_a_draw_of_somebody_on_a_list_is_posted_and_opens_the_case(cast: Cast, ana: Patron) -> None:
    put_on(cast, "SX-1,Ruiz,Ana,,,,,,,")
    slip = drawn(cast, ana, house.now())
    case = ExclusionCase.objects.get()
    assert (case.patron, case.moment) == (ana, "withdrawal")
    assert ListCheck.objects.get(slip=slip, case=case).stopped is False


def test_a_form_that_says_no_amount_or_not_what_was_brought_is_not_entered(
    cast: Cast, ana: Patron
) -> None:
    at = house.now()
    numbers = {code: cage_form(cast, code, at) for code in ("FD", "FW")}
    with refused("bad_amount"):
        at_the_cage(cast, LATE_WITHDRAWAL, ana, at, number=numbers["FW"], amount=0)
    with refused("bad_amount"):
        at_the_cage(cast, LATE_DEPOSIT, ana, at, number=numbers["FD"], means="cash", amount=0)
    with refused("means_differ"):
        given = {"means": "cash", "amount": 100_000, "cheques": {10_000: 10}}
        at_the_cage(cast, LATE_DEPOSIT, ana, at, number=numbers["FD"], **given)
    with refused("form_of_another_kind"):
        given = {"means": "cash", "amount": 100_000}
        at_the_cage(cast, LATE_DEPOSIT, ana, at, number=numbers["FW"], **given)


@pytest.mark.parametrize(
    "change",
    [{"move": "withdrawn"}, {"move": "deposited"}, {"amount_cents": 300_001}],
)
def test_past_the_service_a_late_draw_takes_only_what_its_approved_slip_says(
    cast: Cast, ana: Patron, change: dict[str, Any]
) -> None:
    slip = drawn(cast, ana, house.now())
    columns = {
        "patron": ana,
        "account": "front_money",
        "move": "drawn",
        "amount_cents": 300_000,
        "usable_at": house.now(),
        "slip": slip,
        "gaming_day": slip.gaming_day,
        "shift": slip.shift,
        "at": house.now(),
    }
    with pytest.raises(DatabaseError, match=r"deposit .* refused"), transaction.atomic():
        DepositEntry.objects.create(**(columns | change))


def test_past_the_service_a_late_withdrawal_waits_for_its_approval(cast: Cast, ana: Patron) -> None:
    slip = at_the_cage(cast, LATE_WITHDRAWAL, ana, house.now(), amount=100_000)
    with pytest.raises(DatabaseError, match="not signed by all"), transaction.atomic():
        DepositEntry.objects.create(
            patron=ana,
            account="front_money",
            move="withdrawn",
            amount_cents=100_000,
            usable_at=house.now(),
            slip=slip,
            gaming_day=slip.gaming_day,
            shift=slip.shift,
            at=house.now(),
        )


def test_the_page_of_a_form_names_the_patron_who_was_chosen(cast: Cast, ana: Patron) -> None:
    cage = signed_in(cast.erin, cast.devices[Place.CAGE])
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    of_the_cage = [(cage, LATE_DEPOSIT, None), (cage, LATE_WITHDRAWAL, None)]
    at_the_table = [(pit, LATE_DRAW, cast.table.name), (pit, LATE_MARKER, cast.table.name)]
    for client, kind, table in (*of_the_cage, *at_the_table):
        given = {"table": table} if table else {}
        page = client.get(new_url(kind.kind, patron=ana.pk, **given)).content.decode()
        assert f"Patron: <b>{ana}</b>" in page, kind.kind
