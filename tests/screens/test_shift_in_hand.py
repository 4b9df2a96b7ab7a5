"""The shift and the replay in a hand: nothing slides sideways, and a slider moves the time."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [390, 1024])
def test_the_shift_fits_a_phone_and_a_tablet(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer, width: int
) -> None:
    page = open_tablet(viewport={"width": width, "height": 768})
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    sign_in(page, cast.alice)
    page.goto(reverse("pit-shift", args=[cast.pit.pk]))
    expect(page.get_by_role("heading", name="Minutes waited for")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert troubles(page) == []


@pytest.mark.parametrize(
    ("width", "place", "lights_more"),
    [(1024, "shift", False), (1024, "outages", True), (390, "shift", True), (390, "home", False)],
)
def test_more_is_lit_where_it_hides_the_place_that_one_is_at(
    cast: Cast,
    open_tablet: OpenTablet,
    live_server: LiveServer,
    width: int,
    place: str,
    lights_more: bool,
) -> None:
    """A phone has the shift under More; a tablet shows it in the rail, and lights that alone."""
    page = open_tablet(viewport={"width": width, "height": 768})
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    sign_in(page, cast.heidi)
    page.goto(reverse(place))
    rail = page.get_by_role("navigation", name="Main")
    more = rail.locator("summary")
    is_lit = more.evaluate("(each) => getComputedStyle(each).boxShadow !== 'none'")
    assert is_lit is lights_more
    # Whatever lights, it is one place.
    assert rail.locator("a[aria-current]:visible").count() == (0 if lights_more else 1)


def test_the_slider_of_the_replay_moves_the_time(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    page = open_tablet()
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    sign_in(page, cast.alice)
    page.goto(reverse("pit-replay", args=[cast.pit.pk]))
    shown = page.locator(".replay__time")
    before = shown.inner_text()
    page.get_by_role("link", name="−1 min").click()
    expect(shown).not_to_have_text(before)
    slider = page.get_by_role("slider")
    slider.fill("0")
    expect(page).to_have_url(re.compile("minute=0"))
    expect(page.get_by_role("link", name="−1 min")).to_have_count(0)
    assert troubles(page) == []
