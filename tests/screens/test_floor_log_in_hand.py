"""A dealer's request carried through the real screens: from the terminal to a nod and back."""

from __future__ import annotations

from uuid import uuid4

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tables.models import FloorEntry
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.cast import Cast
from tests.hands import be_device, sign_in, sign_on_pad
from tests.terminal_client import make_terminal

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

COUNTED = {100_000: 20, 10_000: 40, 2_500: 80, 500: 100, 100: 40}


def test_a_terminals_request_is_granted_on_a_tablet_and_read_at_the_table(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    terminal = make_terminal(cast.table)
    page = open_tablet()
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    sign_in(page, cast.alice)
    page.goto("/tables/BJ-11/")
    token = {"Authorization": f"Device {terminal.name}"}

    def ask(amount_cents: int) -> str:
        answer = page.request.post(
            f"{live_server.url}/api/v1/requests",
            headers={**token, "Idempotency-Key": str(uuid4())},
            data={"kind": "buy_in", "facts": {"amount_cents": amount_cents}},
        )
        assert answer.status == 201, answer.text()
        return f"{live_server.url}/api/v1/requests/{answer.json()['request']}"

    asked = ask(100_000)
    # The table says so by itself.
    expect(page.locator("#asked")).to_contain_text("Buy-in or change of $1,000.", timeout=4_000)
    page.get_by_role("link", name="Answer").click()
    expect(page.locator("#floor-send")).to_contain_text("Send $1,000")
    assert troubles(page) == []
    page.get_by_role("button", name="Grant").click()
    expect(page.locator("#toasts")).to_contain_text("Granted: Buy-in or change of $1,000.")
    read = page.request.get(asked, headers=token).json()
    assert (read["state"], read["cheques"]) == ("granted", {"10000": 5, "2500": 20})

    # A second amount: the nod is signed. Two taps from the table, and the cheques as it is keyed.
    page.get_by_role("link", name="Floor log").click()
    page.get_by_role("link", name="Buy-in or change").click()
    page.get_by_label("Cash, $").fill("5000")
    expect(page.locator("#floor-send")).to_contain_text("Send $5,000")
    page.get_by_role("button", name="Grant").click()
    assert troubles(page) == []
    sign_on_pad(page, cast.alice, "Sign as supervisor")
    expect(page.locator("#toasts")).to_contain_text("Granted: Buy-in or change of $5,000.")
    assert FloorEntry.objects.latest("pk").is_signed
    expect(page.locator("#timeline")).to_contain_text("Buy-in or change of $5,000.")
