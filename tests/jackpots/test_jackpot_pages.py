"""Jackpots on the screens: entered on a tablet, followed in the room, confirmed in the queue."""

from __future__ import annotations

from html import unescape
from typing import Any
from uuid import uuid4

import pytest

from jackpots.models import Jackpot, JackpotPayment
from pitboss.models import Person, Slip, Table
from pitboss.rules.roles import Place
from pitboss.services import house
from tables.reports.win import table_report
from tests.cast import Cast
from tests.hitting import (
    COLOURED,
    MIXED,
    SUITED,
    TRAY,
    confirm,
    hit,
    hold,
    open_tables,
    pay,
    reject,
    release,
    released,
    reviewed,
    verify_hand,
)
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)
KEYED = {
    "look": "1",
    "seat": "3",
    "wager": "blazing_7s",
    "card_1": "7h",
    "card_2": "7h",
    "up": "7h",
}


def signed(cast: Cast, person: Person, page: str, place: Place = Place.PIT) -> dict[str, str]:
    pen = cast.pen(person, place)
    shown = unescape(page.split('name="shown" value="')[1].split('"')[0])
    return {"badge": pen.badge, "pin": pen.pin, "request_id": str(uuid4()), "shown": shown}


def test_a_hit_is_entered_on_a_tablet_and_carried_to_its_payment(cast: Cast) -> None:
    open_tables(cast)
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    address = "/tables/BJ-11/jackpot/"
    assert "Dealer&#x27;s up card" in pit.get(address).content.decode() or "up card" in (
        pit.get(address).content.decode()
    )
    for wrong in ({"seat": "x"}, {"card_2": "8h"}, {"replaces": "J-1"}, {"stake": "much"}):
        assert pit.get(address, KEYED | wrong).status_code == 422, wrong
    mixed = KEYED | {"card_2": "7s"}
    looked = pit.get(address, mixed).content.decode()
    assert "$1,000" in looked
    posted = mixed | signed(cast, cast.dan, looked)
    assert pit.post(address, posted | {"pin": "0"}).status_code == 422
    assert pit.post(address, posted).status_code == 302
    slip = Slip.objects.get(kind="jackpot")
    table = pit.get("/tables/BJ-11/").content.decode()
    assert "PENDING" in table
    assert "PENDING" in pit.get(f"/board/{cast.pit.pk}/").content.decode()
    room = pit.get("/jackpots/").content.decode()
    assert slip.serial in room
    assert "Two hits in one round" in room

    page = f"/slips/{slip.serial}/"
    sign = f"{page}sign/main"
    pit.post(f"{sign}/verified", signed(cast, cast.alice, pit.get(page).content.decode()))
    watch = signed_in(cast.ivan, cast.devices[Place.SURVEILLANCE])
    assert slip.serial in watch.get("/surveillance/").content.decode()
    shown = watch.get(page).content.decode()
    assert "Review reference" in shown
    entry = signed(cast, cast.ivan, shown, Place.SURVEILLANCE) | {"said_review": "R-7"}
    missing = watch.post(f"{sign}/confirmed", entry | {"said_review": " "})
    assert missing.status_code == 422
    assert watch.post(f"{sign}/confirmed", entry).status_code == 302
    assert "R-7, I. Ivanson" in pit.get(page).content.decode()
    pit.post(f"{sign}/pending_cleared", signed(cast, cast.bob, pit.get(page).content.decode()))
    shown = pit.get(page).content.decode()
    assert 'name="counted_10000"' in shown
    assert 'value="bank_cheque"' in shown
    tray = signed(cast, cast.alice, shown) | {"said_source": "tray", "counted_10000": "9"}
    refused = pit.post(f"{sign}/paid", tray)
    assert refused.status_code == 409
    assert 'value="9"' in refused.content.decode()
    paid = pit.post(f"{sign}/paid", tray | {"counted_10000": "10"})
    assert paid.status_code == 302
    assert JackpotPayment.objects.get().source == "tray"
    assert "PENDING" not in pit.get("/tables/BJ-11/").content.decode()
    assert "Paid" in pit.get(page).content.decode()


def test_a_rejected_hit_leads_to_its_correction(cast: Cast) -> None:
    open_tables(cast)
    wrong = hit(cast, COLOURED)
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    page = pit.get(f"/slips/{wrong.serial}/").content.decode()
    assert "Reject…" in page
    assert "Hold it…" in page
    reject(cast, wrong)
    page = pit.get(f"/slips/{wrong.serial}/").content.decode()
    assert f"/tables/BJ-11/jackpot/?replaces={wrong.serial}" in page
    keyed = KEYED | {"replaces": wrong.serial}
    looked = pit.get("/tables/BJ-11/jackpot/", keyed).content.decode()
    pit.post("/tables/BJ-11/jackpot/", keyed | signed(cast, cast.dan, looked))
    assert Slip.objects.get(kind="jackpot", status="open").refers_to == wrong


def test_the_room_tells_both_figures_and_whom_a_hit_waits_for(cast: Cast) -> None:
    open_tables(cast)
    hit(cast, SUITED, seat=2)
    right = hit(cast, SUITED, seat=5)
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    room = pit.get("/jackpots/").content.decode()
    assert "Was $24,310.55" in room
    assert f"{right.serial} is processed first" in room
    poll = unescape(room.split('hx-get="/jackpots/poll')[1].split('"')[0])
    assert pit.get(f"/jackpots/poll{poll}").status_code == 204
    verify_hand(cast, right)
    assert right.serial in pit.get(f"/jackpots/poll{poll}").content.decode()


def test_an_old_review_is_made_again_on_its_own_page(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    reviewed(cast, slip)
    watch = signed_in(cast.ivan, cast.devices[Place.SURVEILLANCE])
    address = f"/jackpots/{slip.serial}/review/"
    entry = signed(cast, cast.ivan, watch.get(address).content.decode(), Place.SURVEILLANCE)
    assert watch.post(address, entry).status_code == 422
    said = {"said_officer": "I. Ivanson", "said_review": "R-9"}
    assert watch.post(address, entry | said).status_code == 302
    assert "R-9, I. Ivanson" in watch.get(f"/slips/{slip.serial}/").content.decode()


def test_the_report_counts_what_was_paid_what_is_owed_and_the_envy(cast: Cast) -> None:
    open_tables(cast)
    paid = hit(cast, MIXED)
    released(cast, paid)
    pay(cast, paid, by=cast.bob)
    held = hit(cast, COLOURED)
    released(cast, held)
    hold(cast, held)
    auditor = signed_in(cast.olga, cast.devices[Place.OFFICE])
    report = auditor.get("/jackpots/report/").content.decode()
    for must in (paid.serial, "the cage", "$2,431.05", "held", "D. Danson", "$30", "Released"):
        assert must in report, must
    assert auditor.get("/jackpots/report/", {"from": "x", "to": "2020-01-01"}).status_code == 200


def test_the_win_of_a_table_counts_jackpots_and_envy_on_lines_of_their_own(cast: Cast) -> None:
    open_tables(cast)
    from_tray, from_cage = hit(cast, MIXED, seat=5), hit(cast, MIXED, seat=2)
    released(cast, from_tray)
    pay(cast, from_tray, "tray", by=cast.bob, counted={10_000: 10})
    released(cast, from_cage)
    pay(cast, from_cage, "cage", by=cast.bob)
    left = TRAY | {10_000: TRAY[10_000] - 10}
    cast.close_table(left)
    win = table_report(Table.objects.get(pk=cast.table.pk), house.period_at(house.now()).gaming_day)
    lines = {line.key: line.amount_cents for line in win.lines}
    assert lines["jackpots"] == 100_000
    assert lines["jackpots_cage"] == 100_000
    assert lines["envy"] == 1_000
    assert lines["markers"] == 0
    sums: dict[Any, int] = {
        (each.paid.value, each.source.value): each.amount_cents for each in win.figures.payouts
    }
    assert sums == {
        ("jackpot", "tray"): 100_000,
        ("jackpot", "cage"): 100_000,
        ("envy", "tray"): 1_000,
    }


def test_surveillance_hears_of_what_waits(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, MIXED)
    watch = signed_in(cast.ivan, cast.devices[Place.SURVEILLANCE])
    page = watch.get("/surveillance/").content.decode()
    assert "Nothing to review" in page
    poll = unescape(page.split('hx-get="/surveillance/poll')[1].split('"')[0])
    verify_hand(cast, slip)
    news = watch.get(f"/surveillance/poll{poll}").content.decode()
    assert slip.serial in news
    confirm(cast, slip)
    assert "Nothing to review" in watch.get("/surveillance/").content.decode()
    release(cast, slip, by=cast.bob)
    assert Jackpot.objects.count() == 1
