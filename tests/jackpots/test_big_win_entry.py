"""Enter big wins: from the check at the terminal, by hand on a tablet, each once."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from jackpots.models import Jackpot
from pitboss.models import FloorException, Slip
from pitboss.rules.roles import Place
from pitboss.slips.addresses import new_url
from tables.models import PayoutConfirmation
from tests.floor.big_wins import F05, F09, SUITED, opened, released, roof, set_up, won
from tests.floor.cast import Cast, pin_of
from tests.floor.payouts import checked
from tests.floor.tablets import signed_in, words
from tests.floor.tax_papers import make_winner
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = pytest.mark.django_db(transaction=True)


def codes(answer: Any) -> list[str]:
    return [refusal["code"] for refusal in answer.json()["refusals"]]


def dealer(cast: Cast) -> dict[str, Any]:
    return {"badge": cast.dan.badge, "pin": pin_of(cast.dan.badge)}


def test_a81_the_terminal_enters_a_check_with_the_pin_alone_and_follows_who_signs_next(
    cast: Cast,
) -> None:
    terminal = roof(cast)
    check, key = checked(terminal, F05), str(uuid4())
    first = terminal.post(f"checks/{check}/big-win", dealer(cast), key)
    assert first.status_code == 201, first.content
    body = first.json()
    assert (body["amount_cents"], body["wager_cents"], body["seat"]) == (3_000_000, 6_000, 3)
    assert (body["due"], body["waits_for"], body["check"]) == ("verified", "supervisor", check)
    again = terminal.post(f"checks/{check}/big-win", dealer(cast), key)
    assert again.json()["serial"] == body["serial"]
    assert Slip.objects.filter(kind="big_win").count() == 1
    twice = terminal.post(f"checks/{check}/big-win", dealer(cast))
    assert codes(twice) == ["already_entered"]
    assert [item["serial"] for item in terminal.get("big-wins").json()] == [body["serial"]]
    cast.sign(Slip.objects.get(kind="big_win"), "verified", cast.alice)
    assert terminal.get(f"big-wins/{body['serial']}").json()["due"] == "confirmed"
    assert terminal.get("jackpots").json() == []


def test_a_terminal_of_another_table_enters_and_follows_nothing_of_this_one(cast: Cast) -> None:
    terminal = roof(cast)
    check = checked(terminal, F05)
    slip = won(cast, terminal, seat=4)
    other = TerminalClient(make_terminal(cast.other_table))
    assert other.post(f"checks/{check}/big-win", dealer(cast)).status_code == 404
    assert other.get(f"big-wins/{slip.serial}").status_code == 404
    assert other.get("big-wins").json() == []


@pytest.mark.parametrize(
    ("change", "body", "refused"),
    [
        ({"seat": None}, {}, ["seat_missing"]),
        ({"extra": None, "paid_cents": 1_000}, {}, ["no_big_win"]),
        ({}, {"pin": "999999"}, ["wrong_pin"]),
    ],
)
def test_each_entry_that_cannot_be_is_refused(
    cast: Cast, change: dict[str, Any], body: dict[str, Any], refused: list[str]
) -> None:
    terminal = roof(cast)
    check = checked(terminal, F05, **change)
    answer = terminal.post(f"checks/{check}/big-win", {**dealer(cast), **body})
    assert codes(answer) == refused
    assert not Jackpot.objects.exists()


def test_a_check_without_a_seat_is_entered_with_one(cast: Cast) -> None:
    terminal = roof(cast)
    check = checked(terminal, F05, seat=None)
    answer = terminal.post(f"checks/{check}/big-win", {**dealer(cast), "seat": 6})
    assert (answer.status_code, answer.json()["seat"]) == (201, 6)


def test_a_big_win_is_paid_on_its_slip_and_what_is_out_already_is_flagged(cast: Cast) -> None:
    terminal = roof(cast)
    check = checked(terminal, F05)
    paid = {"paid_cents": 3_000_000}
    response = terminal.post(f"checks/{check}/paid", paid)
    assert (response.status_code, codes(response)) == (409, ["big_win_not_entered"])
    assert codes(terminal.post(f"checks/{check}/approval", {})) == ["big_win_not_entered"]
    terminal.post(f"checks/{check}/big-win", dealer(cast))
    assert codes(terminal.post(f"checks/{check}/paid", paid)) == ["paid_on_its_slip"]
    assert not PayoutConfirmation.objects.exists()
    out = checked(terminal, F05, seat=5)
    stored = terminal.post(f"checks/{out}/paid", {**paid, "already_paid": True})
    assert stored.json()["is_unapproved"]
    assert FloorException.objects.filter(code="paid_without_approval").count() == 1
    late = terminal.post(f"checks/{out}/big-win", dealer(cast))
    assert codes(late) == ["already_confirmed"]


def shown_on(page: str) -> str:
    return page.split('name="shown" value="', 1)[1].split('"', 1)[0].replace("&quot;", '"')


def test_a89_a_tablet_asks_for_as_many_cards_as_the_bet_has_and_the_dealer_signs(
    cast: Cast,
) -> None:
    opened(cast)
    set_up(cast, "face_up", "four_card_bonus", {"straight_flush": "500:1"})
    tablet = signed_in(cast.alice, cast)
    url = new_url("big_win", table=cast.table.name)
    assert "Which bet won?" in words(tablet.get(url))
    page = words(tablet.get(f"{url}&wager=four_card_bonus"))
    for name in ("player_2", "dealer_2"):
        assert f'name="{name}"' in page
    assert 'name="player_3"' not in page
    assert 'name="dealer_3"' not in page
    assert "selected" not in page.split('name="player_1"')[1], "no card is chosen for anybody"
    assert '<option value=""></option>' in page
    hand = {
        "wager": "four_card_bonus",
        "seat": "2",
        "stake": "5",
        "player_1": "8h",
        "player_2": "9h",
        "dealer_1": "Th",
    }
    short = tablet.post(url, hand)
    assert "Enter them all." in words(short)
    pad = words(tablet.post(url, {**hand, "dealer_2": "Jh"}))
    assert "$2,500" in pad
    signature = {"request_id": str(uuid4()), **dealer(cast), "shown": shown_on(pad)}
    raised = tablet.post(url, {**hand, "dealer_2": "Jh", **signature})
    slip = Slip.objects.get(kind="big_win")
    assert raised.headers["Location"] == f"/slips/{slip.serial}/"
    page = words(tablet.get(raised.headers["Location"]))
    assert "A big win" in page
    assert "Verify" in words(tablet.get("/inbox/"))


def test_a81_the_room_shows_who_signs_next_and_the_tax_beside_it(cast: Cast) -> None:
    terminal = roof(cast)
    slip = won(cast, terminal)
    cast.sign(slip, "verified", cast.alice)
    tablet = signed_in(cast.alice, cast)
    room = words(tablet.get("/jackpots/"))
    assert "Big win" in room
    assert "on surveillance officer" in room
    assert "This win owes a W-2G." in room
    assert "$60" in words(tablet.get(f"/slips/{slip.serial}/"))
    watching = signed_in(cast.ivan, cast, Place.SURVEILLANCE)
    assert slip.serial in words(watching.get("/surveillance/"))
    assert "Verify" not in words(tablet.get("/inbox/"))


def test_a83_the_page_of_papers_offers_the_other_bets_of_the_round(cast: Cast) -> None:
    terminal = roof(cast)
    first, second = won(cast, terminal, F09), won(cast, terminal, F09, seat=4)
    for slip in (first, second):
        released(cast, slip)
    patron = make_winner(cast)
    tablet = signed_in(cast.alice, cast)
    url = new_url("tax_papers", of=first.serial)
    assert f"{second.serial}, seat 4" in words(tablet.get(f"{url}&patron={patron.pk}"))
    keyed = {
        "patron": str(patron.pk),
        "also": "",
        f"covers_{second.pk}": "yes",
        "id_first": str(patron.documents.order_by("pk")[0].pk),
        "id_second": str(patron.documents.order_by("pk")[1].pk),
    }
    pad = words(tablet.post(url, keyed))
    assert "W-2G" in pad
    assert "$2,000" in pad
    signature = {"request_id": str(uuid4()), "shown": shown_on(pad)}
    signature |= {"badge": cast.alice.badge, "pin": pin_of(cast.alice.badge)}
    done = tablet.post(url, {**keyed, **signature})
    papers = Slip.objects.get(kind="tax_papers")
    assert done.headers["Location"] == f"/slips/{papers.serial}/"
    assert papers.details["covers"] == [second.pk]


def test_the_dealers_hand_of_raise_the_roof_is_entered_without_a_card_of_the_player(
    cast: Cast,
) -> None:
    roof(cast)
    tablet = signed_in(cast.alice, cast)
    url = new_url("big_win", table=cast.table.name)
    page = words(tablet.get(f"{url}&wager=raise_the_roof"))
    assert 'name="player_1"' not in page
    hand = {"wager": "raise_the_roof", "seat": "2", "stake": "10", "raise": "50"}
    hand |= {f"dealer_{place}": card for place, card in enumerate(SUITED, 1)}
    assert "$30,000" in words(tablet.post(url, hand))
