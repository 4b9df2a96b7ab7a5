"""A supervisor changes their own PIN and password on a tablet, and reads what others did."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import PASSWORD, Cast, pin_of
from tests.floor.hands import be_device, sign_in
from tests.floor.pins import NEW_PIN, give_pin

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OWN_PIN, OWN_PASSWORD = "902746", "brass rail and green felt"


def enter_pins(page: Page, old: str, new: str, again: str) -> None:
    form = page.get_by_role("form", name="Change PIN")
    form.locator("[name=old_pin]").fill(old)
    form.locator("[name=new_pin]").fill(new)
    form.locator("[name=new_pin_again]").fill(again)
    form.get_by_role("button", name="Change PIN").click()


def test_a_supervisor_changes_pin_and_password_and_signs_in_with_them(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    page = open_tablet()
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    sign_in(page, cast.alice)
    page.goto("/me/")
    assert troubles(page) == []

    old = pin_of(cast.alice.badge)
    enter_pins(page, old, OWN_PIN, "111222")
    expect(page.get_by_role("form", name="Change PIN")).to_contain_text("don’t match")
    enter_pins(page, "000111", OWN_PIN, OWN_PIN)
    expect(page.get_by_role("form", name="Change PIN")).to_contain_text("Wrong PIN")
    enter_pins(page, old, OWN_PIN, OWN_PIN)
    expect(page.locator("#toasts")).to_contain_text("Your PIN is changed.")

    form = page.get_by_role("form", name="Change password")
    form.get_by_label("Current password").fill(PASSWORD)
    form.get_by_label("New password", exact=True).fill(OWN_PASSWORD)
    form.get_by_label("New password again").fill(OWN_PASSWORD)
    form.get_by_role("button", name="Change password").click()
    expect(page.locator("#toasts")).to_contain_text("Your password is changed.")
    # The session goes on, and the lock takes the new PIN alone.
    expect(page.locator(".who")).to_contain_text(str(cast.alice))

    page.context.clear_cookies(name="sessionid")
    page.goto("/login/")
    page.get_by_label("Badge").fill(cast.alice.badge)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#main")).to_contain_text("Badge or password is wrong")
    page.get_by_label("Password").fill(OWN_PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".who")).to_contain_text(str(cast.alice))


def test_somebody_whose_pin_was_reset_reads_of_it_first(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask())
    give_pin(cast, cast.alice, cast.carol, cast.heidi)
    assert NEW_PIN
    page = open_tablet()
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    page.goto("/login/")
    page.get_by_label("Badge").fill(cast.alice.badge)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text(f"Your PIN was reset by {cast.carol}")
    assert troubles(page) == []
