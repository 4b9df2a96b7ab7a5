"""Notifications in hand: the switch in the inbox, and what a device shows that is put away."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REGISTERED = """async () => {
    await navigator.serviceWorker.register("/worker.js");
    await navigator.serviceWorker.ready;
}"""
SHOWN = """async () => {
    const worker = await navigator.serviceWorker.ready;
    return (await worker.getNotifications()).map(({ title, body, tag }) => [title, body, tag]);
}"""


@pytest.fixture
def inbox(cast: Cast, open_tablet: OpenTablet, live_server: LiveServer, settings: Any) -> Page:
    settings.PUSH_CONTACT = "mailto:it@casino.example"
    tablet = open_tablet(service_workers="allow", permissions=["notifications"])
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    tablet.goto("/inbox/")
    return tablet


def deliver(tablet: Page, told: dict[str, str]) -> None:
    """Hand a message to the device's worker, as the browser does with one that it has decrypted."""
    line = tablet.context.new_cdp_session(tablet)
    versions: list[dict[str, Any]] = []
    line.on(
        "ServiceWorker.workerRegistrationUpdated", lambda e: versions.extend(e["registrations"])
    )
    line.send("ServiceWorker.enable")
    for _ in range(50):
        found = [
            version
            for version in versions
            if version["scopeURL"].endswith("/") and not version["isDeleted"]
        ]
        if found:
            break
        tablet.wait_for_timeout(100)
    else:
        pytest.fail("the worker is not registered")
    line.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": found[0]["scopeURL"].rstrip("/"),
            "registrationId": found[0]["registrationId"],
            "data": json.dumps(told),
        },
    )


def test_a_device_shows_the_table_and_two_words(inbox: Page) -> None:
    inbox.evaluate(REGISTERED)
    deliver(inbox, {"title": "BJ-15 calls", "tag": "71", "url": "/inbox/"})
    for _ in range(50):
        shown = inbox.evaluate(SHOWN)
        if shown:
            break
        inbox.wait_for_timeout(100)
    assert shown == [["BJ-15 calls", "", "71"]]


def test_the_switch_says_when_the_browser_has_no_service(inbox: Page) -> None:
    switch = inbox.get_by_role("button", name="Notifications off")
    expect(switch).to_have_attribute("aria-pressed", "false")
    assert troubles(inbox) == []
    switch.click()
    # This Chromium has none behind it.
    expect(inbox.get_by_role("button", name="Not turned on")).to_be_enabled()
