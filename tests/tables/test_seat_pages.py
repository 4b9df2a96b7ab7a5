"""The seats on a tablet: two taps rate, two taps look, and who may not rate only reads."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tables.models import Look, MainEdge, PlayRating, RatingFigures, RatingMoney, SeatHeld
from tables.services import main_edges
from tables.services.rating_ends import write_due_figures
from tables.tasks import end_ratings, work_out_edges
from tests.floor.cash_log import log
from tests.floor.cast import Cast, ServerClock, pin_of
from tests.floor.ratings import add_patron, know_edge, look, open_tables, seat
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = pytest.mark.django_db


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    open_tables(cast.table, cast.other_table)
    return cast


def post(page: Client, number: int, **said: object) -> Any:
    return page.post(f"/tables/BJ-11/seats/{number}/", {"request_id": str(uuid4()), **said})


def test_a_card_seats_a_player_and_one_more_tap_is_a_look(floor: Cast) -> None:
    add_patron(floor, card="77142208")
    page = signed_in(floor.alice, floor)
    assert "Seat 3" in words(page.get("/tables/BJ-11/?seat=3"))
    assert post(page, 3, act="card", find="77142208").status_code == 302
    rating = PlayRating.objects.get()
    assert (rating.by_card, rating.seats.get().seat) == (True, 3)
    shown = words(page.get("/tables/BJ-11/?seat=3"))
    assert "Look due" in shown
    assert "A. Ruiz" in shown
    assert post(page, 3, act="look", bet_cents="2500").status_code == 302
    assert Look.objects.get().bet_cents == 2_500
    assert "Look saved: A. Ruiz, $25." in words(page.get("/tables/BJ-11/?seat=3"))
    board = words(page.get(f"/board/{floor.pit.pk}/"))
    assert '1 of 7<span class="sr">seats taken' in board


def test_a_look_up_offers_who_is_seated_then_who_came_last_and_a_new_patron(floor: Cast) -> None:
    here, there = add_patron(floor, "Here"), add_patron(floor, "Elsewhere")
    add_patron(floor, "Nowhere")
    log(floor, add_patron(floor, "Cashed"), 2_600)
    seat(floor, here)
    seat(floor, there, table=floor.other_table)
    page = signed_in(floor.alice, floor)
    shown = words(page.get("/slips/new/marker/?table=BJ-11"))
    assert "Seated and recent" in shown
    assert 0 < shown.index("Ana Here") < shown.index("Ana Cashed")
    assert "Elsewhere" not in shown
    assert "Nowhere" not in shown
    # The window has no table: whoever is seated anywhere, the last one first.
    office = words(page.get("/patrons/"))
    assert office.index("Ana Elsewhere") < office.index("Ana Here") < office.index("Ana Cashed")
    for url in ("/slips/new/marker/?table=BJ-11", "/tables/BJ-11/seats/4/?do=search"):
        assert "/patrons/new/?then=" in page.get(url).content.decode()
    # Somebody who was put on file from a seat stands there to be tapped.
    assert "Ana Nowhere" in words(page.get(f"/tables/BJ-11/seats/4/?do=search&who={here.pk + 2}"))


def test_every_tap_of_a_seat_does_what_it_says(floor: Cast) -> None:
    patron = add_patron(floor)
    page = signed_in(floor.alice, floor)
    post(page, 1, act="taken")
    assert SeatHeld.objects.get().rating is None
    assert "Taken since" in words(page.get("/tables/BJ-11/?seat=1"))
    post(page, 1, act="free")
    post(page, 2, act="declined")
    post(page, 3, act="unknown", description="Tall man, about 50, gray beard, red cap")
    assert "Ruiz" in words(page.get("/tables/BJ-11/seats/4/?do=search&find=rui"))
    assert "No match" in words(page.get("/tables/BJ-11/seats/4/?do=search&find=zzz"))
    post(page, 4, act="patron", patron=patron.pk, ago="5")
    post(page, 4, act="add", to_seat="5")
    post(page, 4, act="look", bet="75", side_trilux="5")
    assert (Look.objects.get().seats, Look.objects.get().side) == (2, {"trilux": 500})
    post(page, 4, act="away")
    assert "Back" in words(page.get("/tables/BJ-11/?seat=4"))
    post(page, 4, act="back")
    post(page, 4, act="move", to_table="BJ-12", to_seat="1", cheques="400")
    assert PlayRating.objects.get(ended_at=None, patron=patron).table == floor.other_table
    assert "Enter the cheques, 0 if" in words(post(page, 2, act="left", seen="yes"))
    post(page, 2, act="left", seen="no", counted_2500="4")
    assert not RatingMoney.objects.filter(kind="walked").exists()
    for ask in ("look", "left", "move", "add"):
        assert page.get(f"/tables/BJ-11/seats/3/?do={ask}").status_code == 200
    assert PlayRating.objects.filter(ended_at=None).count() == 2


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ({"act": "card", "find": "none"}, "Card not found"),
        ({"act": "dance"}, "Choose what happened"),
        ({"act": "patron", "patron": "x"}, "Patron not found"),
        ({"act": "look", "bet": "25"}, "is empty now"),
        ({"act": "left"}, "is empty now"),
    ],
)
def test_what_cannot_be_done_at_a_seat_says_why(
    floor: Cast, said: dict[str, str], shown: str
) -> None:
    page = signed_in(floor.alice, floor)
    refused = post(page, 1, **said)
    assert refused.status_code in (409, 422)
    assert shown in words(refused)


def test_amounts_tables_and_seats_that_are_none_are_refused(floor: Cast) -> None:
    page = signed_in(floor.alice, floor)
    post(page, 1, act="taken")
    assert "isn’t rated" in words(post(page, 1, act="look", bet="25"))
    seat(floor, add_patron(floor), 2)
    assert "Enter the bet" in words(post(page, 2, act="look"))
    assert "isn’t valid" in words(post(page, 2, act="look", bet="many"))
    assert "Table not found" in words(post(page, 2, act="move", to_table="BJ-99", to_seat="1"))
    assert "no such seat" in words(post(page, 2, act="move", to_table="BJ-12", to_seat="x"))
    assert page.get("/tables/BJ-11/seats/8/").status_code == 404


def test_a_large_stay_asks_for_badge_and_pin_on_the_pad(
    floor: Cast, server_clock: ServerClock
) -> None:
    know_edge(floor.table)
    rating = seat(floor, add_patron(floor), 2)
    look(floor, rating, 25_000)
    server_clock.move(minutes=3)
    page = signed_in(floor.alice, floor)
    counted = {"seen": "yes", "counted_10000": "4", "counted_2500": "4", "counted_500": ""}
    response = post(page, 2, act="left", **counted)
    assert "Sign the end" in words(response)
    assert 'name="counted_10000" value="4"' in response.content.decode()
    signed = {"badge": floor.alice.badge, "pin": pin_of(floor.alice.badge)}
    assert post(page, 2, act="left", **counted, **signed).status_code == 302
    assert PlayRating.objects.get().is_signed
    walked = RatingMoney.objects.get()
    assert (walked.amount_cents, walked.cheques) == (50_000, {"10000": 4, "2500": 4})
    shown = words(page.get(f"/ratings/{rating.pk}/"))
    assert "4 × $100 black, 4 × $25 green" in shown


def test_who_does_not_rate_reads_the_seats_and_terminals_hear_nothing_of_them(
    floor: Cast,
) -> None:
    seat(floor, add_patron(floor), 2)
    page = signed_in(floor.ivan, floor)
    assert "A. Ruiz" in words(page.get("/tables/BJ-11/"))
    assert "What is the bet now?" not in words(page.get("/tables/BJ-11/?seat=2"))
    assert post(page, 2, act="left").status_code == 403
    assert signed_in(floor.dan, floor).get("/tables/BJ-11/").status_code == 403
    terminal = TerminalClient(make_terminal(floor.table))
    assert "Ruiz" not in terminal.get("table").content.decode()


def test_the_worker_works_an_edge_out_once_and_writes_what_waited_for_it(
    floor: Cast, server_clock: ServerClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    rating = seat(floor, add_patron(floor), 2)
    look(floor, rating, 5_000)
    server_clock.move(minutes=31)
    # The exact edge takes half a minute of a core; tests of the rules work it out.
    worked: list[Any] = []

    def half_a_percent(rules: Any) -> Fraction:
        worked.append(rules)
        return Fraction(1, 200)

    monkeypatch.setattr(main_edges, "main_edge", half_a_percent)
    end_ratings()
    assert PlayRating.objects.get().end == "unattended"
    assert RatingFigures.objects.get().theo_cents == 0
    again = seat(floor, add_patron(floor, "Kim"), 2)
    look(floor, again, 5_000)
    server_clock.move(minutes=10)
    page = signed_in(floor.alice, floor)
    post(page, 2, act="left")
    assert RatingFigures.objects.count() == 1
    work_out_edges()
    work_out_edges()
    assert (len(worked), MainEdge.objects.get().ppm) == (1, 5_000)
    assert main_edges.work_out(worked[0]) == MainEdge.objects.get()
    end_ratings()
    assert write_due_figures() == 0
    assert RatingFigures.objects.filter(rating=again, theo_cents__gt=0).count() == 1
