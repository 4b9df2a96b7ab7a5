"""The cash log: what is keyed, what it sums to, who may, and how an entry is taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from inventory.models import CashEntry, CurrencyReport, Patron, Stranger
from inventory.selectors.cash_log import DayPerson, day_sum, people_of
from inventory.services.cash_log import cash_shown, key_cash, log_cash, outlook_of
from pitboss.models import JournalEntry, Slip, Waiting
from pitboss.rules.flows.flows import Track
from pitboss.rules.patrons.cash_log import CashKind, CashLevel, Direction
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from tests.floor.cash_log import (
    RED_JACKET,
    log,
    log_elsewhere,
    make_patron,
    match,
    pen_of_other_pit,
    propose_back,
    table_of_other_pit,
    take_back,
    today,
)
from tests.floor.cash_log import transaction as cash
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change

pytestmark = pytest.mark.django_db(transaction=True)
REFUSED = ("act_refused",)


@pytest.fixture
def ana(cast: Cast) -> Patron:
    return make_patron(cast)


def sums(who: Patron | Stranger) -> tuple[int, int]:
    """Return a person's cash in and cash out of today, in dollars."""
    whose = DayPerson(who) if isinstance(who, Patron) else DayPerson(None, who)
    return (
        day_sum(whose, today(), Direction.IN) // 100,
        day_sum(whose, today(), Direction.OUT) // 100,
    )


def test_a_buy_in_is_logged_with_who_where_when_and_by_whom(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    entry = log(cast, ana, 500)
    assert (entry.kind, entry.direction, entry.amount_cents) == ("buy_in", "in", 50_000)
    assert (entry.patron, entry.stranger, entry.table, entry.place) == (
        ana,
        None,
        cast.table,
        "pit",
    )
    assert (entry.gaming_day, entry.shift) == (date(2026, 5, 1), "Day")
    assert (entry.keyed_by, entry.signed_as) == (cast.alice, "A. Aliceson TG-101")
    assert entry.day_sum_cents == 50_000
    journal_entry = JournalEntry.objects.latest("id")
    assert (journal_entry.kind, journal_entry.chain.table, journal_entry.person) == (
        "cash_logged",
        cast.table,
        cast.alice,
    )
    assert verify().is_sound


def test_the_cage_logs_what_happens_at_its_window(cast: Cast, ana: Patron) -> None:
    entry = log(cast, ana, 700, table=None, kind=CashKind.CASH_OUT)
    assert (entry.place, entry.table, entry.keyed_by) == ("cage", None, cast.erin)
    assert JournalEntry.objects.latest("id").chain.name == "cage"
    assert verify().is_sound


def test_cash_in_and_cash_out_are_summed_apart(cast: Cast, ana: Patron) -> None:
    log(cast, ana, 6_000)
    log(cast, ana, 5_500, table=None, kind=CashKind.CASH_OUT)
    log(cast, ana, 2_000)
    assert sums(ana) == (8_000, 5_500)
    assert not CurrencyReport.objects.exists()


def test_two_people_are_never_summed_together(cast: Cast, ana: Patron) -> None:
    log(cast, ana, 9_000)
    log(cast, make_patron(cast, "Ben"), 9_000)
    assert sums(ana) == (9_000, 0)
    assert not CurrencyReport.objects.exists()


def test_an_unknown_person_is_described_and_known_again_the_same_day(
    cast: Cast, server_clock: ServerClock
) -> None:
    first = log(cast, RED_JACKET, 2_000)
    stranger = Stranger.objects.get()
    assert (first.patron, first.stranger) == (None, stranger)
    assert (stranger.description, stranger.described_by) == (RED_JACKET, cast.alice)
    again = log_elsewhere(cast, stranger, 1_500)
    assert again.day_sum_cents == 350_000
    assert sums(stranger) == (3_500, 0)
    server_clock.move(days=1)
    with refused("described_another_day", journal=REFUSED):
        log(cast, stranger, 100)
    assert verify().is_sound


def test_the_gaming_day_line_parts_two_sums(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    # 05:59 and 06:00 in New York.
    server_clock.now = datetime(2026, 5, 2, 9, 59, tzinfo=UTC)
    before = log(cast, ana, 6_000)
    server_clock.move(minutes=1)
    after = log_elsewhere(cast, ana, 5_000)
    assert (before.gaming_day, after.gaming_day) == (date(2026, 5, 1), date(2026, 5, 2))
    assert after.day_sum_cents == 500_000
    assert not CurrencyReport.objects.exists()


def test_a_second_tap_logs_once_and_another_sum_under_its_id_is_refused(
    cast: Cast, ana: Patron
) -> None:
    pen = cast.pen(cast.alice)
    new = cash(cast, ana, 500)
    shown = cash_shown(new, today(), outlook_of(new, today()))
    first = key_cash(new=new, confirmed=False, pen=pen, shown=shown)
    assert key_cash(new=new, confirmed=False, pen=pen, shown=shown) == first
    with refused("request_reused", journal=REFUSED):
        log(cast, ana, 600, pen=pen)
    assert CashEntry.objects.count() == 1


Change = Callable[[Cast, Patron], dict[str, Any]]
REFUSALS: list[tuple[str, Change]] = [
    ("wrong_role", lambda cast, ana: {"by": cast.dan}),
    ("wrong_role", lambda cast, ana: {"by": cast.erin}),
    ("wrong_role", lambda cast, ana: {"by": cast.petra}),
    ("wrong_place", lambda cast, ana: {"pen": cast.pen(cast.alice, Place.OFFICE)}),
    ("wrong_place", lambda cast, ana: {"table": None, "pen": cast.pen(cast.alice)}),
    ("wrong_pit", lambda cast, ana: {"pen": pen_of_other_pit(cast)}),
    ("kind_not_keyed", lambda cast, ana: {"kind": CashKind.MARKER_PAYMENT}),
    ("kind_not_keyed", lambda cast, ana: {"kind": CashKind.MARKER_ADVANCE}),
    ("amount_malformed", lambda cast, ana: {"amount_cents": 0}),
    ("amount_malformed", lambda cast, ana: {"amount_cents": -500}),
    ("who_missing", lambda cast, ana: {"patron": None}),
    ("who_missing", lambda cast, ana: {"description": RED_JACKET}),
    ("description_too_short", lambda cast, ana: {"patron": None, "description": "A man"}),
    ("stale_screen", lambda cast, ana: {"shown": "{}"}),
    (
        "warning_unseen",
        lambda cast, ana: {"amount_cents": 1_000_001, "confirmed": False},
    ),
]


@pytest.mark.parametrize(("code", "changed"), REFUSALS, ids=[code for code, _ in REFUSALS])
def test_one_change_is_one_reason_and_nothing_is_stored(
    cast: Cast, ana: Patron, code: str, changed: Change
) -> None:
    with refused(code, journal=REFUSED):
        log(cast, ana, 500, **changed(cast, ana))
    log(cast, ana, 500)


def test_a_form_that_shows_an_old_sum_is_refused(cast: Cast, ana: Patron) -> None:
    new = cash(cast, ana, 5_000)
    seen = cash_shown(new, today(), outlook_of(new, today()))
    log_elsewhere(cast, ana, 6_000)
    with refused("stale_screen", journal=REFUSED):
        log(cast, ana, 5_000, shown=seen)
    assert outlook_of(new, today()).level == CashLevel.CROSSES


def test_amounts_that_a_house_sets_hold_from_the_next_gaming_day(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    change(cast, "cash.log_from", "1,000", "2026-05-02")
    change(cast, "cash.near", "1,500", "2026-05-02")
    change(cast, "cash.report_over", "2,000", "2026-05-02")
    log(cast, ana, 2_500)
    assert not CurrencyReport.objects.exists()
    server_clock.move(days=1)
    with refused("warning_unseen", journal=REFUSED):
        log(cast, ana, 2_001, confirmed=False)
    log(cast, ana, 2_001)
    report = CurrencyReport.objects.get()
    assert (report.limit_cents, report.gaming_day) == (200_000, date(2026, 5, 2))


def test_people_of_a_day_are_read_in_a_fixed_number_of_queries(
    cast: Cast, ana: Patron, django_assert_num_queries: Any
) -> None:
    for name in ("Ben", "Cy", "Dee"):
        log(cast, make_patron(cast, name), 3_000)
    stranger = log(cast, RED_JACKET, 1_000).stranger
    assert stranger is not None
    match(cast, stranger, make_patron(cast, "Eve"))
    log(cast, f"{RED_JACKET}, alone", 4_000)
    log(cast, ana, 2_000)
    day = today()
    with django_assert_num_queries(6):
        people = people_of(day)
    assert [person.who.name for person in people] == [
        f"{RED_JACKET}, alone",
        "Ben Ruiz",
        "Cy Ruiz",
        "Dee Ruiz",
        "Ana Ruiz",
        "Eve Ruiz",
    ]
    assert [person.is_logged for person in people] == [True] * 4 + [False] * 2


# Taking an entry back.


def test_a_wrong_entry_is_reversed_by_two_people_and_both_stay(cast: Cast, ana: Patron) -> None:
    wrong = log(cast, ana, 6_000)
    reversal = take_back(cast, wrong)
    assert sums(ana) == (0, 0)
    assert (reversal.reverses, reversal.keyed_by, reversal.seconded_by) == (
        wrong,
        cast.alice,
        cast.carol,
    )
    assert (reversal.reason, reversal.day_sum_cents) == ("For the wrong person.", 0)
    assert reversal.slip is not None
    assert reversal.slip.serial.startswith("CL-")
    assert CashEntry.objects.count() == 2
    assert verify().is_sound


def test_one_person_alone_takes_nothing_back(cast: Cast, ana: Patron) -> None:
    entry = log(cast, ana, 6_000, by=cast.carol)
    slip = propose_back(cast, entry, by=cast.carol)
    with refused("signed_before"):
        cast.sign(slip, "approved", cast.carol)
    with refused("wrong_role"):
        cast.sign(slip, "approved", cast.bob)
    assert sums(ana) == (6_000, 0)


def test_an_entry_is_taken_back_once_and_a_reversal_never(cast: Cast, ana: Patron) -> None:
    entry = log(cast, ana, 6_000)
    propose_back(cast, entry)
    with refused("already_proposed"):
        propose_back(cast, entry, by=cast.bob)
    slip = Slip.objects.get(kind="cash_correction")
    cast.sign(slip, "approved", cast.carol)
    with refused("already_reversed"):
        propose_back(cast, entry)
    with refused("is_reversal"):
        propose_back(cast, CashEntry.objects.get(reverses=entry))


def test_a_reversal_belongs_to_the_day_of_what_it_reverses(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    entry = log(cast, ana, 6_000)
    server_clock.move(days=1)
    log(cast, ana, 1_000)
    reversal = take_back(cast, entry)
    assert (reversal.gaming_day, reversal.at) == (entry.gaming_day, server_clock.now)
    assert sums(ana) == (1_000, 0)


def test_a_correction_that_is_refused_leaves_the_entry(cast: Cast, ana: Patron) -> None:
    entry = log(cast, ana, 6_000)
    slip = propose_back(cast, entry)
    assert [wait.by for wait in Waiting.objects.filter(slip=slip, until=None)] == [
        ["pit_manager", "cage_manager", "compliance"]
    ]
    cast.sign(slip, "refused", cast.carol, entry=Entry(reason="It is right."), track=Track.VOID)
    assert sums(ana) == (6_000, 0)
    propose_back(cast, entry)


# Cash that another act moves.


def moved(cast: Cast, ana: Patron, dollars: int, slip: Slip) -> list[Any]:
    with transaction.atomic():
        return log_cash(
            patron=ana,
            kind=CashKind.MARKER_PAYMENT,
            amount_cents=dollars * 100,
            slip=slip,
            signature=slip.signatures.latest("id"),
            at=house.now(),
        )


def test_cash_that_an_act_moves_is_logged_with_its_slip_once(cast: Cast, ana: Patron) -> None:
    slip = cast.ask()
    (entry,) = moved(cast, ana, 500, slip)
    assert (entry.slip, entry.table, entry.signed_as) == (slip, cast.table, "A. Aliceson TG-101")
    with pytest.raises(DatabaseError, match="cash_of_a_slip_is_logged_once"):
        moved(cast, ana, 500, slip)
    with pytest.raises(Refused, match=r"from \$0.01"):
        moved(cast, ana, 0, slip)


# What the service refuses the database refuses too.


def row(cast: Cast, ana: Patron, **changed: Any) -> CashEntry:
    values: dict[str, Any] = {
        "kind": "buy_in",
        "direction": "in",
        "amount_cents": 100,
        "patron": ana,
        "place": "pit",
        "table": cast.table,
        "gaming_day": today(),
        "shift": "Day",
        "at": house.now(),
        "signed_as": "A. Aliceson",
        "keyed_by": cast.alice,
        "device": cast.devices[Place.PIT],
        "day_sum_cents": 100,
        "request_id": uuid4(),
    }
    return CashEntry(**(values | changed))


CONSTRAINTS: list[tuple[str, Change]] = [
    ("cash_is_an_amount", lambda cast, ana: {"amount_cents": 0}),
    ("cash_is_somebodys", lambda cast, ana: {"patron": None}),
    ("cash_goes_the_way_of_its_kind", lambda cast, ana: {"direction": "out"}),
    ("cash_goes_the_way_of_its_kind", lambda cast, ana: {"kind": "gift"}),
    ("cash_of_a_table_is_of_the_pit", lambda cast, ana: {"place": "cage"}),
    ("cash_of_a_table_is_of_the_pit", lambda cast, ana: {"table": None}),
    ("cash_that_a_slip_moves_names_it", lambda cast, ana: {"kind": "marker_payment"}),
    ("a_reversal_takes_a_slip_and_two_people", lambda cast, ana: {"reason": "x"}),
    ("a_reversal_takes_a_slip_and_two_people", lambda cast, ana: {"seconded_by": cast.bob}),
    (
        "described on another gaming day",
        lambda cast, ana: {
            "patron": None,
            "stranger": Stranger.objects.create(
                description=RED_JACKET,
                gaming_day=today() - timedelta(days=1),
                described_by=cast.alice,
                described_at=house.now(),
            ),
        },
    ),
]


@pytest.mark.parametrize(("said", "changed"), CONSTRAINTS, ids=[said for said, _ in CONSTRAINTS])
def test_the_database_refuses_an_entry_that_cannot_be(
    cast: Cast, ana: Patron, said: str, changed: Change
) -> None:
    row(cast, ana).save()
    with pytest.raises(DatabaseError, match=said), transaction.atomic():
        row(cast, ana, **changed(cast, ana)).save()


def test_the_database_refuses_a_reversal_that_two_people_did_not_sign(
    cast: Cast, ana: Patron
) -> None:
    entry, other = log(cast, ana, 1), log(cast, ana, 1)
    proposed = propose_back(cast, entry)
    signed = propose_back(cast, other)
    cast.sign(signed, "approved", cast.carol)
    reverses: dict[str, Any] = {"reverses": entry, "reason": "x", "seconded_by": cast.bob}
    for said, changed in (
        ("no slip signed by two people", {"slip": proposed}),
        ("no slip signed by two people", {"slip": signed}),
        ("not of an entry like this", {"slip": proposed, "amount_cents": 99}),
        (
            "not of an entry like this",
            {"slip": signed, "reverses": CashEntry.objects.get(reverses=other)},
        ),
    ):
        with pytest.raises(DatabaseError, match=said), transaction.atomic():
            row(cast, ana, **{**reverses, **changed}).save()


@pytest.mark.parametrize(
    "statement", ["DELETE FROM {}", "TRUNCATE {} CASCADE", "UPDATE {} SET id = id"]
)
@pytest.mark.parametrize(
    "table",
    [
        "inventory_cashentry",
        "inventory_currencyreport",
        "inventory_currencyreportclosing",
        "inventory_notereading",
        "inventory_stranger",
        "inventory_strangermatch",
        "inventory_suspicionnote",
    ],
)
def test_nothing_of_the_cash_log_is_ever_changed(cast: Cast, table: str, statement: str) -> None:
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        connection.cursor().execute(statement.format(table))


def test_pits_see_one_sum(cast: Cast, ana: Patron) -> None:
    log(cast, ana, 2_000)
    assert log_elsewhere(cast, ana, 2_000).day_sum_cents == 400_000
    new = replace(cash(cast, ana, 100), table=table_of_other_pit(cast))
    assert outlook_of(new, today()).before_cents == 400_000
