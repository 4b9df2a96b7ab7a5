"""A board says that it is live only while it is."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tests.faulty_proxy import FaultyProxy
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_board_whose_database_is_gone_says_since_when_and_is_live_again_with_it(
    cast: Cast, database_proxy: FaultyProxy, live_server: LiveServer, tablet: Page
) -> None:
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    tablet.goto(f"/board/{cast.pit.pk}/")
    live = tablet.locator("[data-live]")
    expect(live).to_have_text("Live")
    database_proxy.drop()
    expect(live).to_have_text(re.compile(r"No answer since \d\d:\d\d:\d\d"))
    database_proxy.heal()
    expect(live).to_have_text("Live")


def test_a_page_that_asks_for_nothing_says_when_it_was_drawn_and_not_that_it_is_live(
    cast: Cast, live_server: LiveServer, tablet: Page
) -> None:
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    tablet.goto("/reports/")
    expect(tablet.locator("[data-live]")).to_have_text(re.compile(r"As of \d\d:\d\d"))
