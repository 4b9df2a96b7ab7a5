"""Job cards in hand: at the terminal with what is asked, and on the table's reference cards."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import Table
from pitboss.rules.roles import Place
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in
from tests.floor.terminals import make_terminal
from tests.screens.test_floor_log_in_hand import COUNTED, KEEP_TOKEN

WIDER_THAN_PANEL = """[...document.querySelectorAll(".wagergrid table")]
  .filter((each) => each.scrollWidth > each.parentElement.clientWidth)
  .map((each) => each.innerText)"""
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_dealer_reads_how_bills_are_laid_out_at_the_terminal(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    terminal = open_tablet()
    terminal.goto("/terminal/")
    terminal.evaluate(KEEP_TOKEN, make_terminal(cast.table).name)
    terminal.reload()
    terminal.get_by_role("button", name="Table", exact=True).click()
    expect(terminal.get_by_role("heading", name="How the job is done")).to_be_visible()
    terminal.locator("summary", has_text="Burning a card").click()
    expect(terminal.get_by_text("Show it only if a player asks to see it.")).to_be_visible()
    assert troubles(terminal) == []
    terminal.get_by_role("button", name="Ask", exact=True).click()
    terminal.get_by_role("button", name="Buy-in or change").click()
    terminal.locator("summary", has_text="Laying out bills").click()
    expect(terminal.get_by_text("rows of five", exact=False)).to_be_visible()
    assert troubles(terminal) == []


def test_a_dealer_who_taps_out_reads_what_comes_before_it(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    terminal = open_tablet()
    terminal.goto("/terminal/")
    terminal.evaluate(KEEP_TOKEN, make_terminal(cast.table).name)
    terminal.reload()
    terminal.locator("[data-k=dealer]").click()
    terminal.get_by_role("button", name="Tap out").first.click()
    terminal.locator("summary", has_text="Tapping out").click()
    expect(terminal.get_by_text("lammer off black and higher", exact=False)).to_be_visible()
    assert troubles(terminal) == []


def test_each_pay_table_fits_its_panel_at_the_terminal(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    Table.objects.filter(pk=cast.table.pk).update(game="blazing_7s", setup={})
    terminal = open_tablet()
    terminal.goto("/terminal/")
    terminal.evaluate(KEEP_TOKEN, make_terminal(cast.table).name)
    terminal.reload()
    terminal.get_by_role("button", name="Table", exact=True).click()
    expect(terminal.get_by_role("heading", name="1. Blazing 7's")).to_be_visible()
    assert terminal.evaluate(WIDER_THAN_PANEL) == []


def test_the_reference_cards_fit_a_tablet_and_a_phone(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    for width, height in ((1024, 768), (390, 844)):
        tablet = open_tablet(viewport={"width": width, "height": height})
        be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
        sign_in(tablet, cast.alice)
        tablet.goto("/tables/BJ-12/reference/")
        expect(tablet.get_by_text("Tray order and lammers")).to_be_visible()
        assert troubles(tablet) == []
        assert tablet.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        order = tablet.get_by_text("Work from the outside tubes in", exact=False)
        expect(order).to_be_hidden()
        tablet.evaluate("dispatchEvent(new Event('beforeprint'))")
        expect(order).to_be_visible()
        tablet.evaluate("dispatchEvent(new Event('afterprint'))")
        expect(order).to_be_hidden()
