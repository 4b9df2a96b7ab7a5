"""The limits of an open table, changed through the real screens by two people in a minute."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from pitboss.selectors.table_rules import minimum_now
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.hands import sign_on_pad
from tests.screens.test_drop_in_hand import TRAY, opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_pit_manager_changes_the_limits_and_a_supervisor_the_sign(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.carol)
    pit.goto("/tables/BJ-11/")
    pit.get_by_role("link", name="Limits").click()
    pit.get_by_label("Minimum ($)").first.fill("50")
    pit.get_by_role("button", name="Change limits…").click()
    expect(pit.locator("#main")).to_contain_text("$25 → $50")
    pit.get_by_label("Reason").fill("Saturday night.")
    sign_on_pad(pit, cast.carol, "Sign as pit manager")
    expect(pit.locator("#toasts")).to_contain_text("Change the sign to $50 to $3,000.")

    floor = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)
    floor.goto("/tables/BJ-11/")
    floor.get_by_role("link", name="Change the sign").click()
    floor.get_by_text("2", exact=True).click()
    floor.get_by_role("button", name="Sign changed").click()
    expect(floor.locator("#main")).to_contain_text("Seat 2 keeps $25 to $3,000.")
    expect(floor.locator("#table-head")).to_contain_text("$50–3,000")
    assert minimum_now(cast.table) == 5_000
