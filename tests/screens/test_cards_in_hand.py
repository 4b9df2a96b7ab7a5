"""A change of day on a live game through the real screens, from the first scan to the last bag."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.models import CardPlace
from pitboss.rules.roles import Place
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cards import IN_PLAY, in_pit, put_on, seal_of, state_of, uses_cards
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in, sign_on_pad

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TRAY = {10_000: 20, 2_500: 20}


def bring(page: Page, cast: Cast, number: str, button: str) -> None:
    """Scan a set for the next step of the change: supervisor, then dealer."""
    page.get_by_role("link", name=button).click()
    page.get_by_label("Scan the label").fill(number.lower())
    page.get_by_label("Seal on the box").fill(seal_of(number))
    page.get_by_text("Seal whole").click()
    page.get_by_role("button", name="Inspected, sign").click()
    sign_on_pad(page, cast.alice, "Sign as supervisor")
    expect(page.locator("#toasts")).to_contain_text(f"{number} is at BJ-11")
    sign_on_pad(page, cast.dan, "Sign as dealer")
    expect(page.get_by_role("heading", name="Daily card change")).to_be_visible()


def bag(page: Page, cast: Cast, number: str, bag: str, **counted: str) -> None:
    """Bag what came off: dealer, then supervisor."""
    page.get_by_role("link", name=f"Bag {number}").click()
    for label, value in counted.items():
        page.locator(f"#{label}").fill(value)
    page.get_by_label("Bag", exact=True).fill(bag)
    page.get_by_role("button", name="Bag it, then have the dealer sign").click()
    sign_on_pad(page, cast.dan, "Sign as dealer")
    expect(page.locator("#toasts")).to_contain_text("The supervisor is next")
    sign_on_pad(page, cast.alice, "Sign as supervisor")
    expect(page.get_by_role("heading", name="Daily card change")).to_be_visible()


def test_the_day_is_changed_on_a_live_game_step_by_step(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    uses_cards(cast.table)
    old_red, new_red = in_pit(cast, sets=2)
    old_blue, new_blue = in_pit(cast, "blue", sets=2)
    put_on(cast, old_red)
    put_on(cast, old_blue, IN_PLAY)
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    page = open_tablet()
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    sign_in(page, cast.alice)

    page.goto("/tables/BJ-11/")
    page.get_by_role("link", name="Cards").last.click()
    expect(page.locator("[aria-current=step]")).to_contain_text("New set into the shuffler")

    # The same colour as what is in play cannot be picked at all.
    page.get_by_role("link", name="Begin the change").click()
    expect(page.locator(".pick.is-not")).to_contain_text(new_blue)
    page.go_back()
    bring(page, cast, new_red, "Begin the change")
    expect(page.locator("[aria-current=step]")).to_contain_text("Old set canceled, bagged")
    bag(page, cast, old_red, "B-0001", shuffler_shows="312")
    expect(page.locator("[aria-current=step]")).to_contain_text("second new set")
    bring(page, cast, new_blue, "End of the shoe")
    expect(page.locator("[aria-current=step]")).to_contain_text("Old set counted")
    bag(page, cast, old_blue, "B-0002", counted="312")

    expect(page.locator("#main")).to_contain_text("The change is done.")
    places = {
        place.card_set.number: place.state for place in CardPlace.objects.select_related("card_set")
    }
    assert places == {
        old_red: "bagged",
        old_blue: "bagged",
        new_red: "in_play",
        new_blue: "shuffler",
    }
    page.goto(f"/cards/sets/{old_blue}/")
    expect(page.locator("#main")).to_contain_text("counted 312")
    assert state_of(old_blue) == "bagged"


def test_the_pages_of_cards_are_sound_on_a_tablet_and_on_a_phone(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    uses_cards(cast.table)
    red, _ = in_pit(cast, sets=2)
    in_pit(cast, "blue", sets=2)
    put_on(cast, red)
    page = open_tablet()
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    sign_in(page, cast.alice)
    for path in (
        "/cards/?table=BJ-11",
        "/cards/reckoning/",
        "/cards/count/",
        "/cards/receive/",
        "/cards/move/put-back/",
        f"/cards/sets/{red}/",
        "/tables/BJ-11/cards/",
        "/tables/BJ-11/cards/bring/?slot=in_play",
        f"/tables/BJ-11/cards/bag/?set={red}",
        f"/tables/BJ-11/cards/replace/?set={red}",
    ):
        for width, height in ((1024, 768), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.goto(path)
            assert troubles(page) == [], f"{path} at {width}"
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{path} is {wide} wide at {width}"
