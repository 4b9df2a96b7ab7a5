"""Whose cash it is: asked from an amount on, and where small unnamed buy-ins at a seat add up."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from inventory.models import (
    CashEntry,
    CurrencyReport,
    ExclusionCase,
    ListCheck,
    ListVersion,
    Stranger,
)
from inventory.selectors.cheques import tray_holding
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services.verification import verify
from tables.models import FloorEntry, FloorRequest, SeatHeld
from tables.services.floor_log import NewEntry, Tap, answer, enter
from tables.services.ratings import Who, sit_down
from tests.floor.cage import open_with
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.exclusion import RUIZ, put_on
from tests.floor.markers import make_patron
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = pytest.mark.django_db(transaction=True)
TRAY = {10_000: 400, 2_500: 80, 500: 100, 100: 40}
LOOKS = "man, 40s, tall, red cap, picture 117"


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    open_with(cast, TRAY)
    return cast


def buy(
    cast: Cast, cents: int, seat: int | None = None, *, signed: bool = False, **whose: Any
) -> FloorEntry:
    given = {"amount_cents": cents, **({"seat": seat} if seat else {})}
    hand: Any = Tap(cast.alice, cast.devices[Place.PIT], uuid4())
    hand = cast.pen(cast.alice) if signed else hand
    return enter(table_id=cast.table.pk, new=NewEntry("buy_in", given, **whose), hand=hand)


def test_a138_three_buy_ins_of_9900_leave_a_trace(floor: Cast) -> None:
    with refused("who_missing", journal=("act_refused",)):
        buy(floor, 990_000, 3, signed=True)
    buy(floor, 990_000, 3, signed=True, description=LOOKS)
    him = Stranger.objects.get()
    # The second crosses the limit: the ID is asked for, and the warning is read.
    with refused("warning_unseen", journal=("act_refused",)):
        buy(floor, 990_000, 3, signed=True, stranger_id=him.pk)
    buy(floor, 990_000, 3, signed=True, stranger_id=him.pk, is_confirmed=True)
    buy(floor, 990_000, 3, signed=True, stranger_id=him.pk)
    assert [cash_entry.day_sum_cents for cash_entry in CashEntry.objects.order_by("pk")] == [
        990_000,
        1_980_000,
        2_970_000,
    ]
    assert CurrencyReport.objects.get().stranger == him


def test_a139_a_terminal_is_told_no_amount_and_refused_cash_moves_nothing(floor: Cast) -> None:
    terminal = TerminalClient(make_terminal(floor.table))
    before = tray_holding(floor.table)
    facts = {"amount_cents": 1_010_000, "seat": 3}
    reply = terminal.post("requests", {"kind": "buy_in", "facts": facts})
    assert (reply.status_code, reply.json()["state"]) == (201, "waiting")
    row = FloorRequest.objects.get()

    def tap() -> Tap:
        return Tap(floor.alice, floor.devices[Place.PIT], uuid4())

    with refused("who_missing", "signature_missing", journal=()):
        answer(asked=row, is_granted=True, hand=tap())
    answer(asked=row, is_granted=False, hand=tap(), reason="Return the cash. No cheques.")
    response = terminal.get(f"requests/{row.pk}")
    assert (response.json()["state"], response.json()["cheques"]) == ("declined", {})
    # No answer has an amount to stay under, or the name of a report.
    body = " ".join(item.content.decode() for item in (reply, response))
    for word in ("10,000", "1000000", "2,500", "250000", "3,000", "300000", "eport", "CTR"):
        assert word not in body, word
    # Nothing left the tray, and nothing is in the drop.
    assert tray_holding(floor.table) == before
    assert not CashEntry.objects.exists()
    assert not FloorEntry.objects.exclude(outcome="declined").exists()
    assert not CurrencyReport.objects.exists()


def test_a138_two_unnamed_of_1500_at_one_seat_in_an_hour_ask_who_at_the_second(
    floor: Cast, server_clock: ServerClock
) -> None:
    buy(floor, 150_000, 4)
    buy(floor, 150_000, 5)
    with refused("who_missing", journal=()):
        buy(floor, 150_000, 4)
    buy(floor, 100_000, 4)
    server_clock.move(minutes=61)
    buy(floor, 150_000, 4)


def test_who_was_named_at_a_seat_does_not_count_as_unnamed(floor: Cast) -> None:
    buy(floor, 150_000, 4, description=LOOKS)
    buy(floor, 150_000, 4)


def test_what_is_said_of_no_seat_is_not_taken_for_one_persons(floor: Cast) -> None:
    buy(floor, 150_000)
    buy(floor, 150_000)
    with refused("who_missing", "signature_missing", journal=()):
        buy(floor, 300_000)


def test_a_rated_seat_fills_the_name(floor: Cast) -> None:
    ana = make_patron(floor)
    hand = Tap(floor.alice, floor.devices[Place.PIT], uuid4())
    sit_down(table_id=floor.table.pk, seat=2, who=Who(patron_id=ana.pk), hand=hand)
    entry = buy(floor, 260_000, 2)
    assert entry.patron == ana
    assert CashEntry.objects.get().patron == ana


def test_a_description_of_another_day_is_refused(floor: Cast, server_clock: ServerClock) -> None:
    buy(floor, 150_000, 4, description=LOOKS)
    him = Stranger.objects.get()
    server_clock.move(days=1)
    with refused("described_another_day", journal=()):
        buy(floor, 150_000, 4, stranger_id=him.pk)


def test_the_page_offers_quick_picks_and_who_was_described_today(floor: Cast) -> None:
    tablet = signed_in(floor.alice, floor)
    url = reverse("floor-enter", args=[floor.table.name, "buy_in"])
    response = tablet.post(url, {"amount_cents": "2,600", "seat": "3", "request_id": uuid4()})
    page = words(response)
    assert "This much cash needs a name." in page
    looks = {"looks_sex": "woman", "looks_age": "60s", "looks_hair": "gray hair", "picture": "88"}
    made = tablet.post(url, {"amount_cents": "2,600", "seat": "3", "request_id": uuid4(), **looks})
    assert made.status_code == 302
    assert Stranger.objects.get().description == "woman, 60s, gray hair, picture 88"
    page = words(tablet.get(url))
    assert "woman, 60s, gray hair, picture 88" in page
    again = {"amount_cents": "2,600", "request_id": uuid4(), "same_as": Stranger.objects.get().pk}
    assert tablet.post(url, again).status_code == 302
    assert CashEntry.objects.count() == 2
    assert Stranger.objects.count() == 1


def test_a147_who_is_on_a_list_is_not_seated_and_the_check_is_kept(floor: Cast) -> None:
    ana = make_patron(floor, born_on="1980-02-03")
    version = ListVersion.objects.get(slip=put_on(floor, RUIZ))

    def seat(number: int) -> SeatHeld:
        hand = Tap(floor.alice, floor.devices[Place.PIT], uuid4())
        who = Who(patron_id=ana.pk)
        return sit_down(table_id=floor.table.pk, seat=number, who=who, hand=hand)

    with pytest.raises(Refused) as stopped:
        seat(2)
    assert stopped.value.codes == ("exclusion_stop",)
    assert not SeatHeld.objects.exists()
    check = ListCheck.objects.get()
    assert (check.moment, check.stopped, check.table) == ("seat", True, floor.table)
    assert check.versions == {"self_exclusion": version.pk}
    assert ExclusionCase.objects.get().patron == ana
    bea = make_patron(floor, "Bea", "Stone", born_on="1970-01-01")
    hand = Tap(floor.alice, floor.devices[Place.PIT], uuid4())
    sit_down(table_id=floor.table.pk, seat=3, who=Who(patron_id=bea.pk), hand=hand)
    kept = ListCheck.objects.get(patron=bea, moment="seat")
    assert (kept.stopped, kept.case) == (False, None)
    assert verify().is_sound
