"""A patron's card: what stands against them at a glance, and what a stay has come to so far."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from inventory.models import Patron
from inventory.services.patrons import NewDocument, add_document
from pitboss.rules.patrons.patrons import DocumentKind, Standing
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from tables.models import RatingFigures
from tables.selectors.rating_card import card_of, rating_page_of
from tests.floor.cast import Cast, ServerClock
from tests.floor.comps import assign_host
from tests.floor.exclusion import RUIZ, put_on
from tests.floor.markers import stop
from tests.floor.ratings import add_patron, know_edge, left, look, open_tables, seat, tell_round
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import make_terminal

pytestmark = pytest.mark.django_db
SMITH = "SX-9,Smith,John,,1970-02-03,,,,,"


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    open_tables(cast.table, cast.other_table)
    know_edge(cast.table)
    return cast


def read(cast: Cast, patron: Patron, role: Role = Role.PIT_MANAGER) -> Any:
    now = house.now()
    return card_of(patron, now, role, house.settings_at(now))


def checks(cast: Cast, patron: Patron, role: Role = Role.PIT_MANAGER) -> list[tuple[str, bool]]:
    return [(check["what"], check["is_good"]) for check in read(cast, patron, role)["checks"]]


def test_a_stay_that_goes_on_shows_what_it_came_to_so_far_and_nothing_is_stored(
    floor: Cast, server_clock: ServerClock
) -> None:
    ana = add_patron(floor)
    rating = seat(floor, ana)
    look(floor, rating, 5_000)
    server_clock.move(minutes=30)
    playing = read(floor, ana)
    facts = {item["name"]: item["value"] for item in playing["facts"]}
    assert (facts["Played"], facts["Average bet"]) == ("30 min", "$50")
    assert RatingFigures.objects.count() == 0
    page = signed_in(floor.carol, floor)
    card = words(page.get(f"/patrons/{ana.pk}/card/"))
    assert "From bets that were seen. The stay that goes on counts as if it ended now." in card
    assert "Comps left $0" in card
    opened = words(page.get(f"/ratings/{rating.pk}/"))
    assert "4059/1000000" in opened
    # There is nothing yet to correct.
    assert "Correct…" not in opened
    assert RatingFigures.objects.count() == 0
    # At its end it comes to just that.
    left(floor, rating)
    ended = read(floor, ana)
    assert ended["theo"]["cents"] == playing["theo"]["cents"]
    assert ended["theo"]["cents"] == rating.figures.get().theo_cents


def test_a_stay_whose_edge_is_not_known_shows_its_average_and_no_theo(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_tables(cast.table)
    rating = seat(cast, add_patron(cast))
    look(cast, rating, 5_000)
    server_clock.move(minutes=30)
    now = house.now()
    shown = rating_page_of(rating, now, Role.PIT_MANAGER, house.settings_at(now))
    assert (shown["average"], shown["figures"].theo_cents) == ("$50", None)
    assert rating.patron is not None
    assert read(cast, rating.patron)["theo"]["is_known"] is False


def test_a_card_says_at_a_glance_what_stands_against_a_player(
    floor: Cast, server_clock: ServerClock
) -> None:
    ana = add_patron(floor)
    good, no_id = ("In good standing", True), ("No valid ID", False)
    assert checks(floor, ana) == [good, ("No list on file", False), no_id]
    put_on(floor, SMITH)
    assert checks(floor, ana) == [good, ("No exclusion", True), no_id]
    today = house.period_at(house.now()).gaming_day
    for days, says in ((14, ("ID: 14 days left", False)), (400, ("Valid ID", True))):
        licence = NewDocument(
            DocumentKind.DRIVING_LICENCE,
            number=f"D-{days}",
            issuer="NJ",
            expires_on=today + timedelta(days=days),
        )
        add_document(patron_id=ana.pk, new=licence, pen=floor.pen(floor.erin, Place.CAGE))
        assert checks(floor, ana)[2] == says
    stop(floor, ana, Standing.SUSPENDED)
    assert checks(floor, ana)[0] == ("Suspended from credit", False)
    # Hosts are told nothing of credit, and who looks after a patron reads the same strip.
    assign_host(floor, ana, floor.hugo)
    assert checks(floor, ana, Role.HOST)[0] == ("In good standing", True)
    # As sitting down would be refused, though no one has looked at the match yet.
    put_on(floor, SMITH, RUIZ)
    assert checks(floor, ana)[1] == ("Not clear to play", False)
    server_clock.move(days=9)
    bea = add_patron(floor, "Lopez")
    assert checks(floor, bea)[1] == ("Old exclusion list", False)
    stop(floor, bea, Standing.SELF_EXCLUDED)
    assert checks(floor, bea, Role.HOST)[:2] == [("Self-excluded", False), ("Excluded", False)]


def test_a_told_stay_opens_to_every_round_that_it_is_priced_by(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating, terminal = seat(floor, add_patron(floor), 2), make_terminal(floor.table)
    rounds = []
    for minute in range(3):
        server_clock.move(minutes=5)
        bets = {2: {"blackjack": 2_500 + minute * 500, "trilux": 500}, 4: {"blackjack": 9_900}}
        rounds.append(tell_round(terminal, floor.table, house.now(), bets))
    shown = rating_page_of(rating, house.now(), Role.PIT_MANAGER, house.settings_at(house.now()))
    assert [item["number"] for item in shown["rounds"]] == [item.pk for item in rounds]
    left(floor, rating)
    opened = words(signed_in(floor.carol, floor).get(f"/ratings/{rating.pk}/"))
    assert "3 rounds with a bet" in opened
    # They come to what the theo is made of: another seat's bet is not theirs.
    assert "blackjack $35, TriLux $5" in opened
    assert "$99" not in opened
    assert rating.figures.get().action == {"blackjack": "9000", "trilux": "1500"}
