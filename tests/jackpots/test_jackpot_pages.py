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
from tests.floor.cast import Cast
from tests.floor.jackpots import (
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
from tests.floor.tablets import words
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)
KEYED = {
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
    address = "/slips/new/jackpot/?table=BJ-11"
    assert pit.get("/tables/BJ-11/jackpot/")["Location"] == address
    assert "Dealer's up card" in words(pit.get(address)) or "up card" in (words(pit.get(address)))
    for wrong in ({"seat": "x"}, {"card_2": "8h"}, {"stake": "much"}):
        assert pit.post(address, KEYED | wrong).status_code == 422, wrong
    assert pit.get(f"{address}&of=J-1").status_code == 404
    mixed = KEYED | {"card_2": "7s"}
    looked = words(pit.post(address, mixed))
    assert "$1,000" in looked
    posted = mixed | signed(cast, cast.dan, looked)
    assert pit.post(address, posted | {"pin": "0"}).status_code == 422
    assert pit.post(address, posted).status_code == 302
    slip = Slip.objects.get(kind="jackpot")
    table = words(pit.get("/tables/BJ-11/"))
    assert "PENDING" in table
    assert "PENDING" in words(pit.get(f"/board/{cast.pit.pk}/"))
    room = words(pit.get("/jackpots/"))
    assert slip.serial in room
    assert "Two hits in one round" in room

    page = f"/slips/{slip.serial}/"
    sign = f"{page}sign/main"
    pit.post(f"{sign}/verified", signed(cast, cast.alice, words(pit.get(page))))
    watch = signed_in(cast.ivan, cast.devices[Place.SURVEILLANCE])
    assert slip.serial in words(watch.get("/surveillance/"))
    shown = words(watch.get(page))
    assert "Review reference" in shown
    entry = signed(cast, cast.ivan, shown, Place.SURVEILLANCE) | {"said_review": "R-7"}
    missing = watch.post(f"{sign}/confirmed", entry | {"said_review": " "})
    assert missing.status_code == 422
    assert watch.post(f"{sign}/confirmed", entry).status_code == 302
    assert "R-7, I. Ivanson" in words(pit.get(page))
    pit.post(f"{sign}/pending_cleared", signed(cast, cast.bob, words(pit.get(page))))
    shown = words(pit.get(page))
    assert 'name="counted_10000"' in shown
    assert 'value="bank_cheque"' in shown
    tray = signed(cast, cast.alice, shown) | {"said_source": "tray", "counted_10000": "9"}
    refused = pit.post(f"{sign}/paid", tray)
    assert refused.status_code == 409
    assert 'value="9"' in words(refused)
    paid = pit.post(f"{sign}/paid", tray | {"counted_10000": "10"})
    assert paid.status_code == 302
    assert JackpotPayment.objects.get().source == "tray"
    assert "PENDING" not in words(pit.get("/tables/BJ-11/"))
    assert "Paid" in words(pit.get(page))


def test_a_rejected_hit_leads_to_its_correction(cast: Cast) -> None:
    open_tables(cast)
    wrong = hit(cast, COLOURED)
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    page = words(pit.get(f"/slips/{wrong.serial}/"))
    assert "Reject…" in page
    assert "Hold it…" in page
    reject(cast, wrong)
    page = words(pit.get(f"/slips/{wrong.serial}/"))
    address = f"/slips/new/jackpot/?of={wrong.serial}"
    assert address in page
    looked = words(pit.post(address, KEYED))
    pit.post(address, KEYED | signed(cast, cast.dan, looked))
    assert Slip.objects.get(kind="jackpot", status="open").refers_to == wrong


def test_the_room_tells_both_figures_and_whom_a_hit_waits_for(cast: Cast) -> None:
    open_tables(cast)
    hit(cast, SUITED, seat=2)
    right = hit(cast, SUITED, seat=5)
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    room = words(pit.get("/jackpots/"))
    assert "Was $24,310.55" in room
    assert f"{right.serial} is processed first" in room
    poll = unescape(room.split('hx-get="/jackpots/poll')[1].split('"')[0])
    assert pit.get(f"/jackpots/poll{poll}").status_code == 204
    verify_hand(cast, right)
    assert right.serial in words(pit.get(f"/jackpots/poll{poll}"))


def test_an_old_review_is_made_again_on_its_own_page(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    reviewed(cast, slip)
    watch = signed_in(cast.ivan, cast.devices[Place.SURVEILLANCE])
    address = f"/slips/new/jackpot_review/?of={slip.serial}"
    assert watch.get(f"/jackpots/{slip.serial}/review/")["Location"] == address
    assert "Review again…" in words(watch.get(f"/slips/{slip.serial}/"))
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    assert "Review again…" not in words(pit.get(f"/slips/{slip.serial}/"))
    entry = signed(cast, cast.ivan, words(watch.get(address)), Place.SURVEILLANCE)
    assert watch.post(address, entry).status_code == 422
    fields = {"said_officer": "I. Ivanson", "said_review": "R-9"}
    assert watch.post(address, entry | fields).status_code == 302
    assert "R-9, I. Ivanson" in words(watch.get(f"/slips/{slip.serial}/"))


def test_the_report_counts_what_was_paid_what_is_owed_and_the_envy(cast: Cast) -> None:
    open_tables(cast)
    paid = hit(cast, MIXED)
    released(cast, paid)
    pay(cast, paid, by=cast.bob)
    held = hit(cast, COLOURED)
    released(cast, held)
    hold(cast, held)
    auditor = signed_in(cast.olga, cast.devices[Place.OFFICE])
    report = words(auditor.get("/jackpots/report/"))
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
        (payout.paid.value, payout.source.value): payout.amount_cents
        for payout in win.figures.payouts
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
    page = words(watch.get("/surveillance/"))
    assert "Nothing to review" in page
    poll = unescape(page.split('hx-get="/surveillance/poll')[1].split('"')[0])
    verify_hand(cast, slip)
    news = words(watch.get(f"/surveillance/poll{poll}"))
    assert slip.serial in news
    confirm(cast, slip)
    assert "Nothing to review" in words(watch.get("/surveillance/"))
    release(cast, slip, by=cast.bob)
    assert Jackpot.objects.count() == 1
