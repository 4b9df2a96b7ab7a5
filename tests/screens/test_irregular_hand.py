"""An irregular hand on the real screens: from the card to the check that follows it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in
from tests.floor.terminals import make_terminal

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

COUNTED = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
HAND: dict[str, Any] = {
    "wager": "blackjack",
    "stake_cents": 2_500,
    "player_cards": ["Th", "9c"],
    "dealer_cards": ["Kd", "8s"],
    "paid_cents": 0,
    "seat": 6,
}


def test_a_supervisor_rules_on_a_skipped_guest_and_times_the_next_shuffle(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    terminal = make_terminal(cast.table)
    page = open_tablet()
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    sign_in(page, cast.alice)

    def verdict() -> dict[str, Any]:
        token = {"Authorization": f"Device {terminal.name}", "Idempotency-Key": str(uuid4())}
        answer = page.request.post(f"{live_server.url}/api/v1/checks", headers=token, data=HAND)
        body: dict[str, Any] = answer.json()
        return body

    assert verdict()["verdict"] == "underpaid"
    page.goto("/tables/BJ-11/")
    page.get_by_role("link", name="Floor log").click()
    page.get_by_role("link", name="A player got no cards").click()
    expect(page.locator("blockquote")).to_contain_text("I am sorry")
    page.get_by_role("group", name="Whose hand").get_by_text("4", exact=True).click()
    page.get_by_role("group", name="Who steps out").get_by_text("6", exact=True).click()
    assert troubles(page) == []
    page.get_by_role("button", name="Note it").click()
    expect(page.locator("#timeline")).to_contain_text("A player got no cards at seat 4")
    told = verdict()
    assert (told["verdict"], told["orders"][0]["code"]) == ("right", "player_skipped")

    # The shuffle ends the hand, and what was ruled about it.
    page.get_by_role("link", name="Shoe").click()
    page.get_by_role("button", name="Shuffle").click()
    expect(page.get_by_role("heading", name="Shuffling")).to_be_visible()
    assert troubles(page) == []
    page.get_by_role("button", name="First card").click()
    expect(page.get_by_role("heading", name="Dealing")).to_be_visible()
    assert verdict()["verdict"] == "underpaid"
