"""A dealer's request carried through the real screens: from the terminal to a nod and back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tables.models import FloorEntry
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in, sign_on_pad
from tests.floor.house import change
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Where a terminal keeps the token that its enrolment gave it.
KEEP_TOKEN = "(token) => localStorage.setItem('pitboss-terminal-token', JSON.stringify(token))"
COUNTED = {100_000: 20, 10_000: 40, 2_500: 80, 500: 100, 100: 40}


def test_a_dealer_asks_at_the_terminal_and_the_supervisor_grants_on_a_tablet(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    tablet = open_tablet()
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    tablet.goto("/tables/BJ-11/")
    terminal = open_tablet()
    terminal.goto("/terminal/")
    token = make_terminal(cast.table).name
    terminal.evaluate(KEEP_TOKEN, token)
    terminal.reload()

    terminal.get_by_role("button", name="Ask", exact=True).click()
    terminal.get_by_role("button", name="Buy-in or change").click()
    terminal.get_by_label("Cash, $").fill("200")
    terminal.get_by_role("button", name="Ask the supervisor").click()
    expect(terminal.get_by_role("alert")).to_contain_text("No approval needed below $300. Go on.")
    terminal.get_by_label("Cash, $").fill("1000")
    assert troubles(terminal) == []
    terminal.get_by_role("button", name="Ask the supervisor").click()
    expect(terminal.get_by_role("main")).to_contain_text("Waits")

    # The table says so by itself.
    expect(tablet.locator("#asked")).to_contain_text("Buy-in or change of $1,000.")
    tablet.get_by_role("link", name="Respond").click()
    expect(tablet.locator("#floor-send")).to_contain_text("Send $1,000")
    assert troubles(tablet) == []
    tablet.get_by_role("button", name="Grant").click()
    expect(tablet.locator("#toasts")).to_contain_text("Granted: Buy-in or change of $1,000.")

    # And so does the terminal, with the cheques to send.
    main = terminal.get_by_role("main")
    expect(main).to_contain_text("Granted")
    expect(main).to_contain_text("5 black")
    expect(main).to_contain_text("20 green")
    assert troubles(terminal) == []


def test_a_dealer_withdraws_a_request_at_the_terminal_and_the_tablet_has_nothing_to_answer(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    client = TerminalClient(make_terminal(cast.table))
    pen = cast.pen(cast.dan)
    tapped = client.post("dealer/in", {"badge": pen.badge, "pin": pen.pin})
    assert tapped.status_code == 200, tapped.content
    tablet = open_tablet()
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    tablet.goto("/tables/BJ-11/")
    terminal = open_tablet()
    terminal.goto("/terminal/")
    terminal.evaluate(KEEP_TOKEN, client.device.name)
    terminal.reload()

    terminal.get_by_role("button", name="Ask", exact=True).click()
    terminal.get_by_role("button", name="Buy-in or change").click()
    terminal.get_by_label("Cash, $").fill("1000")
    terminal.get_by_role("button", name="Ask the supervisor").click()
    withdraw = terminal.get_by_role("button", name="Withdraw")
    expect(withdraw).to_be_visible()
    assert troubles(terminal) == []
    tablet.get_by_role("link", name="Respond").click()
    expect(tablet.get_by_role("button", name="Grant")).to_be_visible()

    withdraw.click()
    expect(terminal.get_by_role("main")).to_contain_text("Withdrawn")
    expect(withdraw).to_have_count(0)
    assert troubles(terminal) == []
    # Granted a moment too late, on the page as it was.
    tablet.get_by_role("button", name="Grant").click()
    main = tablet.get_by_role("main")
    expect(main).to_contain_text("This request was withdrawn at the table.")
    expect(main).to_contain_text("Withdrawn by D. Danson")
    assert troubles(tablet) == []


def test_a_nod_of_the_second_amount_is_two_taps_and_a_signature_away(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    # Below the amount that asks for a name, and signed in this house.
    change(cast, "nod.signed_from", "2000")
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    page = open_tablet()
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    sign_in(page, cast.alice)
    page.goto("/tables/BJ-11/")
    page.get_by_role("link", name="Floor log").click()
    page.get_by_role("link", name="Buy-in or change").click()
    page.get_by_label("Cash, $").fill("2000")
    # As it is keyed.
    expect(page.locator("#floor-send")).to_contain_text("Send $2,000")
    page.get_by_role("button", name="Grant").click()
    assert troubles(page) == []
    sign_on_pad(page, cast.alice, "Sign as supervisor")
    expect(page.locator("#toasts")).to_contain_text("Granted: Buy-in or change of $2,000.")
    assert FloorEntry.objects.latest("pk").is_signed
    expect(page.locator("#timeline")).to_contain_text("Buy-in or change of $2,000.")
