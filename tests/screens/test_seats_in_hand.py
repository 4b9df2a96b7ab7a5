"""A table of seven is rated on a tablet and on a phone: two taps a player, two taps a bet."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tables.models import Look, PlayRating, RatingFigures
from tests.browser import OpenTablet
from tests.cast import Cast
from tests.hands import be_device, sign_in
from tests.rating import add_patron, know_edge, open_tables

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHOTS = os.environ.get("PITBOSS_SHOTS")


def picture(page: Page, name: str) -> None:
    """Keep a picture where someone asks for one, to look at."""
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)


def test_a_table_of_seven_is_rated_by_two_taps_each(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    open_tables(cast.table, cast.other_table)
    know_edge(cast.table)
    names = ("Moreau", "Whitaker", "Kim", "Okafor", "Delacroix", "Ruiz")
    for number, name in enumerate(names, 1):
        add_patron(cast, name, card=f"77{number}")
    tablet = open_tablet()
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    tablet.goto("/tables/BJ-11/")
    for number in range(1, 7):
        tablet.locator(f"#seat-{number}").tap()
        # A card reader types the card and ends with Enter.
        tablet.get_by_label("Player card").fill(f"77{number}")
        tablet.keyboard.press("Enter")
        expect(tablet.locator(f".sb-{number}")).to_contain_text("Look wanted")
    tablet.locator("#seat-7").tap()
    picture(tablet, "seat-empty")
    tablet.get_by_role("button", name="Taken").tap()
    expect(tablet.locator(".sb-7")).to_contain_text("Taken")
    for number in range(1, 5):
        tablet.locator(f"#seat-{number}").tap()
        tablet.get_by_role("button", name="$75").tap()
        expect(tablet.locator(f".sb-{number}")).to_contain_text("$75")
    assert (PlayRating.objects.count(), Look.objects.count()) == (6, 4)
    tablet.locator("#seat-2").tap()
    expect(tablet.get_by_role("heading", name="Seat 2")).to_be_visible()
    picture(tablet, "seats")
    tablet.get_by_role("button", name="Away").tap()
    expect(tablet.locator(".sb-2")).to_contain_text("Away")
    tablet.locator("#seat-1").tap()
    tablet.get_by_role("button", name="Left", exact=True).tap()
    expect(tablet.locator(".sb-1")).to_contain_text("Empty")
    assert RatingFigures.objects.count() == 1
    phone = open_tablet(viewport={"width": 390, "height": 844})
    be_device(phone.context, cast.devices[Place.PIT], live_server.url)
    sign_in(phone, cast.bob)
    phone.goto("/tables/BJ-11/")
    phone.locator("#seat-3").tap()
    expect(phone.get_by_text("What is the bet now?")).to_be_in_viewport()
    picture(phone, "seats-phone")
    phone.get_by_role("button", name="double").tap()
    expect(phone.locator(".sb-3")).to_contain_text("$150")
    # The other tablet hears of it without a tap.
    expect(tablet.locator(".sb-3")).to_contain_text("$150")
