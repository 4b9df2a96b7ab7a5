"""The question mark in hand: one tap says what the page is for, the next opens the terms."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("size", [(1024, 768), (390, 844)])
def test_a_page_explains_itself_and_leads_to_the_terms(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer, size: tuple[int, int]
) -> None:
    tablet = open_tablet(viewport={"width": size[0], "height": size[1]})
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    tablet.goto("/tables/BJ-12/")
    tablet.get_by_text("About this page").locator("..").tap()
    words = tablet.get_by_text("The buttons start slips.")
    expect(words).to_be_in_viewport(ratio=1)
    assert troubles(tablet) == []
    tablet.get_by_role("link", name="Floor terms").tap()
    expect(tablet.get_by_role("heading", name="Floor terms")).to_be_visible()
    tablet.get_by_role("link", name="T", exact=True).tap()
    expect(tablet.get_by_text("The pit manager’s second signature.")).to_be_in_viewport()
    assert troubles(tablet) == []
    wide = tablet.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
