"""A table of seven is rated on a tablet and on a phone: two taps a player, two taps a bet."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tables.models import Look, PlayRating, RatingFigures
from tests.browser import OpenTablet
from tests.floor.cast import Cast, ServerClock
from tests.floor.hands import be_device, sign_in
from tests.floor.ratings import add_patron, know_edge, open_tables

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
        expect(tablet.locator(f".sb-{number}")).to_contain_text("Look due")
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


def test_seven_through_an_evening(
    server_clock: ServerClock, cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    open_tables(cast.table, cast.other_table)
    know_edge(cast.table)
    names = ("Moreau", "Whitaker", "Kim", "Okafor", "Delacroix", "Ruiz", "Novak")
    for number, name in enumerate(names, 1):
        add_patron(cast, name, card=f"77{number}")
    tablet = open_tablet()
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    taps = 0

    def tap(what: Locator) -> None:
        nonlocal taps
        what.tap()
        taps += 1

    def taken(most: int) -> None:
        nonlocal taps
        assert taps <= most
        taps = 0

    tablet.goto("/tables/BJ-11/")
    for number in range(1, 8):
        tap(tablet.locator(f"#seat-{number}"))
        tablet.get_by_label("Player card").fill(f"77{number}")
        tablet.keyboard.press("Enter")
        expect(tablet.locator(f".sb-{number}")).to_contain_text("Look due")
        taken(1)
    for quarter, bet in enumerate(("$50", "$100", "$50")):
        for number in range(1, 8):
            tap(tablet.locator(f"#seat-{number}"))
            tap(tablet.locator(".lad").filter(has_text=bet).first)
            expect(tablet.locator(f".sb-{number}")).to_contain_text(bet)
            taken(2)
        if not quarter:
            tap(tablet.locator("#seat-7"))
            tap(tablet.get_by_role("button", name="Weak"))
            expect(tablet.get_by_text("plays weakly")).to_be_visible()
            picture(tablet, "evening")
            taken(2)
        # Nobody touched it for as long: the tablet has locked itself.
        server_clock.move(minutes=20)
        tablet.context.clear_cookies()
        be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
        sign_in(tablet, cast.alice)
        tablet.goto("/tables/BJ-11/")
    for number in range(1, 7):
        tap(tablet.locator(f"#seat-{number}"))
        tap(tablet.get_by_role("button", name="Left", exact=True))
        expect(tablet.locator(f".sb-{number}")).to_contain_text("Empty")
        taken(2)
    tap(tablet.locator("#seat-7"))
    tap(tablet.get_by_role("link", name="Left with…"))
    tablet.get_by_label("$25 green, cheques counted").fill("10")
    tap(tablet.get_by_role("button", name="End rating"))
    expect(tablet.locator(".sb-7")).to_contain_text("Empty")
    taken(3)
    figures = RatingFigures.objects.order_by("rating")
    assert [figure.looks for figure in figures] == [3] * 7
    assert {(figure.average, figure.seconds) for figure in figures} == {("20000/3", 3_600)}
    assert (figures[6].skill_bp, figures[6].result_cents) == (160, -25_000)
    tablet.goto(f"/ratings/{figures[6].rating_id}/")
    picture(tablet, "rating")
    tablet.goto(f"/patrons/{figures[6].rating.patron_id}/card/")
    picture(tablet, "patron-card")
    phone = open_tablet(viewport={"width": 390, "height": 844})
    be_device(phone.context, cast.devices[Place.PIT], live_server.url)
    sign_in(phone, cast.bob)
    phone.goto(f"/ratings/{figures[6].rating_id}/")
    picture(phone, "rating-phone")
