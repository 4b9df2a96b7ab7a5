"""A manager adds a passkey, signs in with it and changes a setting with it, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import CDPSession, Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import JournalEntry, Passkey, Slip
from pitboss.rules.roles import Place
from pitboss.services.verification import verify
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import PASSWORD, Cast
from tests.floor.hands import be_device, sign_in, sign_on_pad

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class VirtualKey:
    """The browser's own virtual authenticator, which can be taken away."""

    def __init__(self, page: Page) -> None:
        self._line: CDPSession = page.context.new_cdp_session(page)
        self._line.send("WebAuthn.enable")
        made = self._line.send(
            "WebAuthn.addVirtualAuthenticator",
            {
                "options": {
                    "protocol": "ctap2",
                    "transport": "usb",
                    "hasResidentKey": False,
                    "hasUserVerification": True,
                    "isUserVerified": True,
                }
            },
        )
        self._id = made["authenticatorId"]

    def take_away(self) -> None:
        self._line.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": self._id})


@pytest.fixture
def office(open_tablet: OpenTablet, cast: Cast, live_server: LiveServer) -> Page:
    page = open_tablet()
    be_device(page.context, cast.devices[Place.OFFICE], live_server.url)
    sign_in(page, cast.carol)
    return page


def propose_a_setting(page: Page, cast: Cast) -> None:
    page.goto("/house/people.wrong_on_device/")
    page.get_by_label("New value").fill("4")
    page.get_by_role("button", name="Review change").click()
    page.get_by_label("Reason").fill("Safer.")
    sign_on_pad(page, cast.carol, "Propose")


def test_a_manager_adds_a_passkey_and_works_with_it(office: Page, cast: Cast) -> None:
    key = VirtualKey(office)
    office.goto("/passkeys/")
    expect(office.locator("#main")).to_contain_text("You have none yet.")
    office.get_by_label("Name, such as").fill("Key on my ring")
    sign_on_pad(office, cast.carol, "Add a passkey")
    expect(office.locator("#toasts")).to_contain_text("“Key on my ring” added")
    expect(office.locator("#main")).to_contain_text("Key on my ring")

    propose_a_setting(office, cast)
    expect(office.locator("#toasts")).to_contain_text("Another manager must approve it")
    assert Slip.objects.filter(kind="setting_change").count() == 1

    # The next sign-in asks for it, after the password.
    office.context.clear_cookies(name="sessionid")
    office.goto("/login/")
    office.get_by_label("Badge").fill(cast.carol.badge)
    office.get_by_label("Password").fill(PASSWORD)
    office.get_by_role("button", name="Sign in").click()
    expect(office.get_by_role("heading", name="Use your passkey")).to_be_visible()
    office.goto("/house/")
    expect(office.get_by_role("heading", name="Sign in")).to_be_visible()
    office.goto("/passkeys/sign-in/")
    office.get_by_role("button", name="Use passkey").click()
    expect(office.locator(".who")).to_contain_text(str(cast.carol))
    used = JournalEntry.objects.filter(kind="passkey_used").order_by("pk")
    assert ['"for":"settings"' in used[0].text, '"for":"sign_in"' in used[1].text] == [True, True]

    # Lost, it is removed with the own PIN.
    key.take_away()
    office.goto("/passkeys/")
    office.get_by_role("link", name="Remove").click()
    expect(office.get_by_role("heading", name="Remove passkey")).to_be_visible()
    assert troubles(office) == []
    sign_on_pad(office, cast.carol, "Remove it")
    expect(office.locator("#toasts")).to_contain_text("removed")
    assert Passkey.objects.get().removed_at is not None
    assert verify().is_sound


def test_without_the_key_the_screen_says_what_to_do(office: Page, cast: Cast) -> None:
    key = VirtualKey(office)
    office.goto("/passkeys/")
    office.get_by_label("Name, such as").fill("Key on my ring")
    sign_on_pad(office, cast.carol, "Add a passkey")
    expect(office.locator("#toasts")).to_contain_text("added")
    key.take_away()
    VirtualKey(office)
    propose_a_setting(office, cast)
    expect(office.locator("[data-passkey-trouble]")).to_contain_text("No passkey answered.")
    assert not Slip.objects.filter(kind="setting_change").exists()
