"""Which terminals report every round of their tables: only then are bets known without a look."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from pitboss.models import Device, JournalEntry, RoundsTold
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.devices import tell_rounds
from tables.models import RatingFigures
from tests.floor.cast import Cast, ServerClock
from tests.floor.ratings import add_patron, know_edge, left, look, open_tables, seat, tell_round
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import make_terminal

pytestmark = pytest.mark.django_db


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    open_tables(cast.table, cast.other_table)
    know_edge(cast.table)
    return cast


def _rounds(floor: Cast, device: Device, minutes: int, **said: Any) -> None:
    now = house.now()
    for minute in range(minutes):
        bets = {1: {"blackjack": 5_000}}
        tell_round(device, floor.table, now - timedelta(minutes=minute), bets, **said)


def test_a_terminal_that_no_manager_vouched_for_leaves_the_bet_to_looks(
    floor: Cast, server_clock: ServerClock
) -> None:
    terminal = make_terminal(floor.table)
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 2_500)
    server_clock.move(minutes=15)
    _rounds(floor, terminal, 15, every=False)
    page = signed_in(floor.alice, floor)
    assert "from rounds" not in words(page.get("/tables/BJ-11/"))
    server_clock.move(minutes=20)
    # A round that was told is a sign of play all the same, and no bound for when they left.
    left(floor, rating)
    figures = RatingFigures.objects.get()
    assert (figures.basis, figures.pace_basis, figures.average) == ("looked", "table", "2500")


def test_rounds_count_from_when_a_manager_says_that_all_are_told_until_they_say_no_more(
    floor: Cast, server_clock: ServerClock
) -> None:
    terminal = make_terminal(floor.table)
    for every, basis in ((True, "told"), (False, "looked")):
        tell_rounds(device_id=terminal.pk, every=every, actor=floor.carol)
        rating = seat(floor, add_patron(floor, f"Ruiz {basis}"))
        look(floor, rating, 2_500)
        server_clock.move(minutes=5)
        _rounds(floor, terminal, 5, every=False)
        server_clock.move(minutes=1)
        left(floor, rating)
        assert rating.figures.get().basis == basis
    # What was said afterwards changes nothing of a stay before it.
    assert [rating_figures.basis for rating_figures in RatingFigures.objects.order_by("id")] == [
        "told",
        "looked",
    ]
    assert JournalEntry.objects.filter(kind="rounds_told", person=floor.carol).count() == 2
    with pytest.raises(DatabaseError), transaction.atomic():
        RoundsTold.objects.update(tells_every_round=True)


def test_a_manager_says_so_on_the_list_of_devices_and_nobody_else(floor: Cast) -> None:
    terminal = make_terminal(floor.table)
    page = signed_in(floor.carol, floor)
    assert "reports some rounds" in words(page.get("/devices/"))
    for _ in range(2):
        said = page.post(f"/devices/{terminal.pk}/rounds", {"every": "yes"}, follow=True)
        assert "counts as reporting every round from now on" in words(said)
    assert RoundsTold.objects.count() == 1
    assert "reports every round" in words(page.get("/devices/"))
    supervisor = signed_in(floor.alice, floor)
    assert supervisor.post(f"/devices/{terminal.pk}/rounds", {"every": "no"}).status_code == 403
    tablet = floor.devices[Place.PIT]
    assert page.post(f"/devices/{tablet.pk}/rounds", {"every": "yes"}).status_code == 422
    with pytest.raises(Refused, match="Only a manager"):
        tell_rounds(device_id=terminal.pk, every=False, actor=floor.alice)
    page.post(f"/devices/{terminal.pk}/rounds", {"every": "no"})
    assert "reports some rounds" in words(page.get("/devices/"))
