"""The search in hand: a slash or one tap opens it, and one more opens what was found."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_slip_is_found_from_the_board_in_two_taps_and_the_typing(
    cast: Cast, tablet: Page, live_server: LiveServer
) -> None:
    slip = cast.ask()
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    tablet.goto(f"/board/{cast.pit.pk}/")
    tablet.get_by_role("link", name="Search").tap()
    field = tablet.get_by_role("searchbox")
    expect(field).to_be_focused()
    field.press_sequentially("BJ")
    expect(tablet.get_by_role("link", name="BJ-12")).to_be_visible()
    assert not troubles(tablet)
    field.fill(slip.serial[:-2])
    tablet.get_by_role("link", name=slip.serial).tap()
    expect(tablet).to_have_url(f"{live_server.url}/slips/{slip.serial}/")


def test_a_slash_opens_it_but_not_while_somebody_types(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    phone = open_tablet(viewport={"width": 390, "height": 844})
    be_device(phone.context, cast.devices[Place.PIT], live_server.url)
    sign_in(phone, cast.alice)
    phone.goto("/inbox/")
    phone.get_by_label("Find in inbox").fill("")
    phone.keyboard.type("/")
    expect(phone.get_by_label("Find in inbox")).to_have_value("/")
    phone.get_by_role("heading", name="Inbox").click()
    phone.keyboard.press("/")
    field = phone.get_by_role("searchbox")
    expect(field).to_be_focused()
    phone.keyboard.type("BJ-12")
    expect(phone.get_by_role("link", name="BJ-12")).to_be_visible()
    assert not troubles(phone)
    # A scanner ends with Enter: what can only be meant opens.
    field.press("Enter")
    expect(phone).to_have_url(f"{live_server.url}/tables/BJ-12/")
