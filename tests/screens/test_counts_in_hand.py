"""A table's day in hand: opened blind on a short tray, counted in between, closed and locked."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.selectors.cheques import tray_holding
from pitboss.models import Device, Person, Slip, Table
from pitboss.rules.roles import Place
from tests.browser import OpenTablet
from tests.floor.cast import PAR, Cast
from tests.floor.hands import be_device, sign_in, sign_on_pad
from tests.floor.house import keep_shut

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BOOK = {10_000: 40, 2_500: 60, 500: 100}


def opened(
    open_tablet: OpenTablet, live_server: LiveServer, device: Device, person: Person
) -> Page:
    page = open_tablet()
    be_device(page.context, device, live_server.url)
    sign_in(page, person)
    return page


def key_count(page: Page, counted: dict[int, int]) -> None:
    """Key a count by stacks and odd cheques on the keypad, as it is called."""
    keys = page.locator("[data-keys]")
    for cents in PAR:
        full, odd = divmod(counted.get(cents, 0), 20)
        for number in (full, odd):
            for digit in str(number):
                keys.get_by_role("button", name=digit, exact=True).click()
            keys.get_by_role("button", name="Next").click()


def verify(page: Page, person: Person) -> None:
    # However wide a line is, the box that must be ticked is inside the panel.
    lines = page.locator(".scroll", has=page.locator(".agrees")).first
    assert lines.evaluate("lines => lines.scrollWidth <= lines.clientWidth")
    for box in page.get_by_role("checkbox").all():
        box.check()
    sign_on_pad(page, person, "Sign as supervisor")


def test_a_table_is_opened_blind_counted_closed_and_locked(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    keep_shut(cast)
    cast.deliver(cast.ask(BOOK))
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)
    office = opened(open_tablet, live_server, cast.devices[Place.OFFICE], cast.heidi)
    office.goto(f"/board/{cast.pit.pk}/")
    tile = office.locator("#t-BJ-11")
    expect(tile).to_contain_text("Closed")

    # Opened blind; two red are gone.
    short = BOOK | {500: 98}
    pit.goto("/tables/BJ-11/")
    pit.locator("#acts").get_by_role("link", name="Open").click()
    done = pit.get_by_role("button", name="Review and sign")
    expect(done).to_have_attribute("aria-disabled", "true")
    key_count(pit, short)
    expect(pit.locator("[data-say=total]")).to_have_text("$5,990")
    expect(done).not_to_have_attribute("aria-disabled", "true")
    done.click()
    sign_on_pad(pit, cast.dan, "Sign as dealer")
    expect(pit.locator("#toasts")).to_contain_text("The supervisor verifies it.")
    expect(pit.locator("#main")).not_to_contain_text("Variance")
    expect(tile).to_contain_text("Opening")
    expect(tile).to_contain_text("Count in progress")
    verify(pit, cast.alice)
    expect(pit.locator("#main")).to_contain_text("−$10 against the expected count")
    expect(pit.locator("#main")).to_contain_text(
        "The shift manager is notified immediately and signs."
    )
    expect(tile).to_contain_text("Opener −$10")

    # The shift manager finds it in the inbox and looks into it.
    opener = Slip.objects.get(kind="opener")
    office.goto("/inbox/")
    office.get_by_role("link", name="Review and sign").click()
    office.get_by_label("Reason").fill("Two red lay in the chip cup.")
    sign_on_pad(office, cast.heidi, "Sign as shift manager")
    expect(office.locator("#main")).to_contain_text("All signatures complete.")
    assert Table.objects.get(name="BJ-11").is_open
    office.goto(f"/board/{cast.pit.pk}/")
    expect(office.locator("#t-BJ-11")).to_contain_text("D. Danson")

    # Dora relieves Dan.
    pit.goto("/tables/BJ-11/")
    pit.locator("#acts").get_by_role("link", name="Dealer").click()
    sign_on_pad(pit, cast.dora, "Tap in")
    expect(pit.locator("#toasts")).to_contain_text("deals at BJ-11")

    # A mid-shift count; the table lost three black.
    left = short | {10_000: 37}
    pit.goto("/slips/new/count/?table=BJ-11")
    key_count(pit, left)
    pit.get_by_role("button", name="Review and sign").click()
    sign_on_pad(pit, cast.dora, "Sign as dealer")
    expect(pit.locator("#toasts")).to_contain_text("The supervisor verifies it.")
    verify(pit, cast.alice)
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")
    assert tray_holding(Table.objects.get(name="BJ-11")) == left

    # Closed: final check, dealer, supervisor, top-sign, lock.
    pit.goto("/tables/BJ-11/")
    pit.locator("#acts").get_by_role("link", name="Close").click()
    key_count(pit, left)
    pit.get_by_role("button", name="Review and sign").click()
    expect(pit.locator("#main")).to_contain_text("Final check")
    expect(pit.get_by_role("link", name="Request a fill of")).to_be_visible()
    sign_on_pad(pit, cast.dora, "Sign as dealer")
    expect(pit.locator("#toasts")).to_contain_text("The supervisor verifies it.")
    closer = Slip.objects.get(kind="closer")
    verify(pit, cast.alice)
    expect(pit.locator("#toasts")).to_contain_text("Verified")

    # Dora wants her break; the tray is not locked.
    pit.goto("/tables/BJ-11/dealer/?tap=out")
    sign_on_pad(pit, cast.dora, "Tap out")
    expect(pit.get_by_role("alert")).to_contain_text("can’t leave until the tray is locked")

    pit.goto(f"/slips/{closer.serial}/")
    sign_on_pad(pit, cast.carol, "Sign as pit manager")
    expect(pit.locator("#toasts")).to_contain_text("Top-signed")
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")
    expect(office.locator("#t-BJ-11")).to_contain_text("Opener must match closer: $5,690")
    table = Table.objects.get(name="BJ-11")
    assert not table.is_open
    assert tray_holding(table) == left
    opener.refresh_from_db()
    closer.refresh_from_db()
    assert (opener.status, closer.status) == ("done", "done")


def test_a_count_survives_a_reload_and_a_phone_takes_it_too(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    page = open_tablet(viewport={"width": 390, "height": 844})
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    sign_in(page, cast.alice)
    page.goto("/slips/new/opener/?table=BJ-11")
    page.get_by_label("$25 green, full stacks of 20").fill("3")
    page.get_by_label("$25 green, odd cheques").fill("7")
    page.reload()
    expect(page.get_by_label("$25 green, full stacks of 20")).to_have_value("3")
    expect(page.locator("[data-say=total]")).to_have_text("$1,675")
    page.locator("fieldset").get_by_text("Dollars").click()
    expect(page.get_by_label("$25 green, dollars")).to_have_value("1675")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
