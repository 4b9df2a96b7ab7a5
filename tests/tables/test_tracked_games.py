"""Tables of games without rules here: tracked in full, with no verdict on a payout."""

from __future__ import annotations

import pytest
from django.urls import reverse

from pitboss.models import Pit, Table
from pitboss.rules.games_tracked import TRACKED_GAMES
from pitboss.rules.roles import Place
from pitboss.rules.table_setup import read_setup, stored_setup
from pitboss.services import house
from pitboss.services.shown import request_shown
from pitboss.services.table_changes import new_setup, propose_table, rules_in_force
from tables.models import PayoutCheck
from tests.cast import Cast
from tests.tablets import signed_in, words
from tests.terminal_client import TerminalClient, make_terminal

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 40}
RO_1 = {
    "name": "RO-1",
    "pit": "Pit 1",
    "game": "roulette",
    "minimum": "15",
    "maximum": "2,000",
    "par_2500": "100",
}


@pytest.fixture
def wheel(cast: Cast) -> Cast:
    """The cast at roulette RO-1, set up by two managers."""
    new = new_setup(read_setup(RO_1), None)
    slip = propose_table(
        new,
        reason="A wheel beside the pit.",
        pen=cast.pen(cast.carol, Place.OFFICE),
        shown=request_shown(new, None),
    )
    cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    cast.table = Table.objects.get(name="RO-1")
    return cast


def test_a103_roulette_is_opened_filled_credited_dropped_and_closed(wheel: Cast) -> None:
    wheel.deliver(wheel.ask(TRAY))
    assert wheel.open_table(TRAY).status == "done"
    wheel.deliver(wheel.ask({2_500: 20}))
    more = {10_000: 20, 2_500: 60}
    assert wheel.close_table(more).status == "done"
    assert wheel.table.cards == "none", "no card keeps a wheel shut"


def test_a103_a_check_answers_that_there_are_no_rules(wheel: Cast) -> None:
    wheel.deliver(wheel.ask(TRAY))
    wheel.open_table(TRAY)
    terminal = TerminalClient(make_terminal(wheel.table))
    for wager in ("roulette", "blackjack"):
        told = terminal.post(
            "checks", {"wager": wager, "stake_cents": 10_000, "paid_cents": 350_000}
        ).json()
        assert told["verdict"] == "cannot_verify", told
        assert [each["code"] for each in told["reasons"]] == ["no_rules_for_game"]
    assert PayoutCheck.objects.count() == 2
    refused = terminal.post("rounds", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_rules_for_game")
    table = terminal.get("table").json()
    assert table["wagers"] == []


def test_a103_every_page_of_the_table_opens(wheel: Cast) -> None:
    wheel.deliver(wheel.ask(TRAY))
    wheel.open_table(TRAY)
    client = signed_in(wheel.heidi, wheel)
    for url in (
        reverse("board"),
        reverse("table", args=["RO-1"]),
        "/tables/RO-1/cards/",
        reverse("house-tables"),
        reverse("table-edit", args=["RO-1"]),
        reverse("drills"),
        reverse("what-if", args=["RO-1"]),
    ):
        page = client.get(url)
        assert page.status_code == 200, url
    assert "Roulette" in words(client.get(reverse("house-tables")))
    form = words(client.get(reverse("table-edit", args=["RO-1"])))
    assert "Blackjack pays" not in form
    assert "Soft 17" not in form


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_a103_each_of_the_others_is_set_up_and_has_rules_without_bets(
    cast: Cast, game: str
) -> None:
    asked = {"decks": "8", "cards": "none"} if game == "baccarat" else {"cards": "none"}
    if game == "spanish_21":
        asked = {"decks": "6", "cards": "shuffler"}
    setup = read_setup({**RO_1, "name": "TG-1", "game": game, **asked})
    assert stored_setup(setup.stored()) == setup
    assert "tracked without verdicts" in setup.words()["Game"]
    assert set(setup.term_words()) == {"VIP"}
    table = Table.objects.create(
        name="TG-1",
        pit=Pit.objects.all()[0],
        game=game,
        minimum_cents=1_500,
        maximum_cents=200_000,
        decks=setup.decks,
    )
    rules = rules_in_force(table, house.settings_at(house.now()))
    assert not rules.side_bets
