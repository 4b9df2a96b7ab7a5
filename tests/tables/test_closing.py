"""Close a table: counted, verified, top-signed and locked, and the dealer stays until the lock."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from inventory.models import Holder
from inventory.selectors.cheques import holding_of, public_holding, tray_holding
from pitboss.models import FloorException, Signature, Slip, Table, Waiting
from pitboss.rules.flows.flows import Track
from pitboss.services.signing import Entry
from tables.selectors.board import tiles_of
from tables.selectors.counts import final_check
from tables.services.dealers import tap_in, tap_out
from tests.floor.cast import Cast, pin_of, refused
from tests.floor.drop_box import begin_pull, count_tray
from tests.floor.tablets import period_now, signed_in, words

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 40}
BECAUSE = Entry(reason="A typing error.")


@pytest.fixture
def floor(cast: Cast) -> Cast:
    """The cast, with the first table open on a stocked tray and Dan behind it."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    return cast


def verified(cast: Cast, counted: dict[int, int] = TRAY) -> Slip:
    closer = cast.count("closer", counted)
    cast.sign(closer, "verified", cast.alice, entry=Entry(counted=counted))
    return closer


def is_open(cast: Cast) -> bool:
    return Table.objects.get(pk=cast.table.pk).is_open


def test_what_a_closer_finds_missing_was_lost_to_the_public_and_what_it_gained_was_won(
    floor: Cast,
) -> None:
    floor.close_table({10_000: 15, 2_500: 40})
    assert holding_of(Holder.PUBLIC) == {10_000: 5}
    assert not is_open(floor)
    floor.open_table({10_000: 15, 2_500: 40})
    floor.close_table({10_000: 17, 2_500: 40})
    assert holding_of(Holder.PUBLIC) == {10_000: 3}
    assert holding_of(Holder.VARIANCE) == {}


def test_a_tray_that_gains_more_than_anyone_could_have_brought_is_asked_after(floor: Cast) -> None:
    floor.close_table(TRAY | {10_000: 23})
    assert tray_holding(floor.table)[10_000] == 23
    assert public_holding() == {}, "the public never owes cheques"
    assert holding_of(Holder.VARIANCE) == {10_000: -3}
    assert FloorException.objects.get().code == "more_than_exists"


def test_a05_whoever_signed_as_dealer_does_not_sign_as_supervisor(floor: Cast) -> None:
    closer = floor.count("closer", TRAY)
    # Dan was made a supervisor within the shift: it is the same person all the same.
    type(floor.dan).objects.filter(pk=floor.dan.pk).update(role="supervisor")
    with refused("dealt_here", "signed_before"):
        floor.sign(closer, "verified", floor.dan, entry=Entry(counted=TRAY))
    floor.sign(closer, "verified", floor.alice, entry=Entry(counted=TRAY))
    with refused("wrong_role", "signed_before"):
        floor.sign(closer, "top_signed", floor.alice)


def test_a06_without_the_top_sign_the_table_is_not_closed_and_stands_on_the_list(
    floor: Cast,
) -> None:
    closer = verified(floor)
    assert is_open(floor)
    wait = Waiting.objects.get(until=None)
    assert (wait.slip, wait.step, wait.by) == (closer, "top_signed", ["pit_manager"])
    with refused("out_of_order"):
        floor.sign(closer, "locked", floor.alice)
    tile = next(t for t in tiles_of(floor.pit, period_now()) if t["name"] == "BJ-11")
    assert tile["state"] == {"kind": "half", "word": "Closing"}
    assert tile["waits"]["words"] == "Waiting for pit manager"


def test_a06_a_top_signed_closer_is_not_closed_before_the_lock(floor: Cast) -> None:
    closer = verified(floor)
    floor.sign(closer, "top_signed", floor.carol)
    assert is_open(floor)
    tile = next(t for t in tiles_of(floor.pit, period_now()) if t["name"] == "BJ-11")
    assert tile["waits"]["title"] == "Closing: tray not locked"
    floor.sign(closer, "locked", floor.alice)
    assert not is_open(floor)
    tile = next(t for t in tiles_of(floor.pit, period_now()) if t["name"] == "BJ-11")
    assert tile["state"] == {"kind": "off", "word": "Closed"}
    assert tile["quiet"] == "Opener must match closer: $3,000"
    assert not Waiting.objects.filter(until=None).exists()


def test_a07_the_dealer_who_signed_stays_until_the_tray_is_locked(floor: Cast) -> None:
    closer = floor.count("closer", TRAY)
    device = floor.pen(floor.dan).device
    dan: dict[str, Any] = {
        "badge": floor.dan.badge,
        "pin": pin_of(floor.dan.badge),
        "device": device,
    }
    Table.objects.filter(pk=floor.other_table.pk).update(is_open=True)
    with refused("dealer_held", journal=["act_refused"]):
        tap_in(table_id=floor.other_table.pk, **dan)
    with refused("dealer_held", journal=["act_refused"]):
        tap_out(table_id=floor.table.pk, **dan)
    # Nor does another dealer take the place of one who must stay.
    with refused("dealer_held", journal=["act_refused"]):
        tap_in(table_id=floor.table.pk, **dan | {"badge": "114", "pin": pin_of("114")})
    # Nor sign as the dealer of another table.
    other = Cast(**(vars(floor) | {"table": floor.other_table}))
    with refused("dealer_held"):
        other.count("count", {})

    floor.sign(closer, "verified", floor.alice, entry=Entry(counted=TRAY))
    floor.sign(closer, "top_signed", floor.carol)
    floor.sign(closer, "locked", floor.alice)
    assert tap_in(table_id=floor.other_table.pk, **dan).table == floor.other_table


def test_a07_a_shift_manager_and_a_second_count_let_the_dealer_go(floor: Cast) -> None:
    closer = verified(floor)
    ill = Entry(reason="Dan fell ill.")
    with refused("wrong_role"):
        floor.sign(closer, "released", floor.carol, entry=ill, track=Track.RELIEF)
    floor.sign(closer, "released", floor.heidi, entry=ill, track=Track.RELIEF)
    # Released is not yet gone: a second person counts first, and the closer waits for that.
    device = floor.pen(floor.dan).device
    dan: dict[str, Any] = {
        "badge": floor.dan.badge,
        "pin": pin_of(floor.dan.badge),
        "device": device,
    }
    with refused("dealer_held", journal=["act_refused"]):
        tap_out(table_id=floor.table.pk, **dan)
    with refused("out_of_order"):
        floor.sign(closer, "top_signed", floor.carol)
    again = Entry(counted=TRAY)
    with refused("signed_before"):
        floor.sign(closer, "counted_again", floor.alice, entry=again, track=Track.RELIEF)
    with refused(
        "count_differs",
        journal=["sign_refused", "exception_opened"],
        ignoring=["pitboss.FloorException", "pitboss.Waiting"],
    ):
        wrong = Entry(counted={10_000: 1})
        floor.sign(closer, "counted_again", floor.bob, entry=wrong, track=Track.RELIEF)
    floor.sign(closer, "counted_again", floor.bob, entry=again, track=Track.RELIEF)
    assert tap_out(table_id=floor.table.pk, **dan) is not None
    floor.sign(closer, "top_signed", floor.carol)
    floor.sign(closer, "locked", floor.alice)
    assert not is_open(floor)


def test_a11_a_signed_closer_is_not_edited_only_voided_and_made_anew(floor: Cast) -> None:
    closer = verified(floor, {10_000: 2, 2_500: 40})
    with pytest.raises(IntegrityError, match="written in ink"), transaction.atomic():
        Slip.objects.filter(pk=closer.pk).update(cheques={"10000": 20, "2500": 40})
    floor.sign(closer, "voided", floor.alice, entry=BECAUSE, track=Track.VOID)
    assert is_open(floor)
    with refused("signed_before", "wrong_role"):
        floor.sign(closer, "void_witnessed", floor.alice, track=Track.VOID)
    floor.sign(closer, "void_witnessed", floor.carol, track=Track.VOID)
    # Void, and the dealer is free; the new one names it, and both stay.
    replacing = floor.close_table(TRAY)
    closer.refresh_from_db()
    assert (closer.status, replacing.status) == ("voided", "done")
    assert replacing.refers_to == closer
    assert replacing.number == closer.number + 1
    assert tray_holding(floor.table) == TRAY
    client = signed_in(floor.alice, floor)
    for slip in (closer, replacing):
        assert client.get(reverse("slip", args=[slip.serial])).status_code == 200


def test_a11_a_locked_closer_cannot_be_voided_any_more(floor: Cast) -> None:
    closer = floor.close_table(TRAY)
    with refused("slip_closed"):
        floor.sign(closer, "voided", floor.bob, entry=BECAUSE, track=Track.VOID)


def test_a_table_does_not_close_while_a_fill_is_under_way(floor: Cast) -> None:
    fill = floor.ask({2_500: 20})
    with refused("slips_open"):
        floor.count("closer", TRAY)
    floor.deliver(fill)
    floor.close_table(TRAY | {2_500: 60})
    assert not is_open(floor)


@pytest.mark.parametrize("what", ["fill", "box"])
def test_open_slips_stop_a_closer_before_the_count(floor: Cast, what: str) -> None:
    client = signed_in(floor.alice, floor)
    url = "/slips/new/closer/?table=BJ-11"
    assert "This is a blind count." in words(client.get(url))
    if what == "box":
        count_tray(floor, TRAY)
    slip = floor.ask({2_500: 20}) if what == "fill" else begin_pull(floor)
    page = words(client.get(url))
    assert f"BJ-11 can’t close while slips are open. Finish {slip.serial}." in page.replace(
        "</b>", ""
    )
    assert "This is a blind count." not in page


def test_nothing_is_asked_for_while_a_table_closes(floor: Cast) -> None:
    closer = floor.count("closer", TRAY)
    with refused("table_closing"):
        floor.ask({2_500: 20})
    floor.sign(closer, "voided", floor.alice, entry=BECAUSE, track=Track.VOID)
    floor.sign(closer, "void_witnessed", floor.carol, track=Track.VOID)
    floor.deliver(floor.ask({2_500: 20}))
    floor.close_table(TRAY | {2_500: 60})


def test_a_closed_table_is_not_closed_again(cast: Cast) -> None:
    with refused("table_closed"):
        cast.count("closer", {})


def test_the_final_check_says_where_a_tray_comes_from_and_what_brings_it_to_par(
    floor: Cast,
) -> None:
    floor.deliver(floor.ask({10_000: 20, 500: 40}))
    panel = final_check(floor.table, {100_000: 25, 10_000: 61, 2_500: 40, 500: 40})
    by_cents = {row["cents"]: row for row in panel["rows"]}
    assert by_cents[10_000] == {
        "cents": 10_000,
        "opening": 20,
        "fills": 20,
        "credits": 0,
        "markers": 0,
        "closing": 61,
        "to_par": 39,
    }
    assert by_cents[500]["fills"] == 40
    assert panel["totals"]["opening"] == 300_000
    fill, credit = panel["proposals"]
    assert fill["url"].startswith("/slips/new/fill/?table=BJ-11&cheques_10000=40&cheques_2500=160")
    assert credit["url"] == "/slips/new/credit/?table=BJ-11&cheques_100000=5"
    # A count in between moved cheques to and from the public: no fill, no credit.
    counted = TRAY | {10_000: 33, 500: 40}
    count = floor.count("count", counted)
    floor.sign(count, "verified", floor.alice, entry=Entry(counted=counted))
    after = {row["cents"]: row for row in final_check(floor.table, counted)["rows"]}
    assert (after[10_000]["fills"], after[10_000]["credits"]) == (20, 0)


def test_a_resent_signature_closes_the_table_once(floor: Cast) -> None:
    closer = verified(floor)
    floor.sign(closer, "top_signed", floor.carol)
    pen = floor.pen(floor.alice)
    first = floor.sign(closer, "locked", floor.alice, pen=pen)
    assert floor.sign(closer, "locked", floor.alice, pen=pen, shown=first.shown) == first
    assert Signature.objects.filter(slip=closer, step="locked").count() == 1


def test_the_screen_offers_the_release_of_the_dealer_and_the_void(floor: Cast) -> None:
    closer = verified(floor)
    client: Client = signed_in(floor.heidi, floor)
    page = words(client.get(reverse("slip", args=[closer.serial])))
    assert "Release dealer…" in page
    assert "Void…" in page
    release = words(client.get(reverse("slip", args=[closer.serial]) + "?track=relief"))
    assert "must leave before the tray is locked" in release
    answer = client.post(
        reverse("slip-sign", args=[closer.serial, "relief", "released"]),
        {
            "request_id": str(uuid4()),
            "badge": floor.heidi.badge,
            "pin": pin_of(floor.heidi.badge),
            "shown": "",
            "reason": "Ill.",
        },
    )
    assert answer.status_code == 409, "a stale screen is refused"
