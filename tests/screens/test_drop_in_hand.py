"""A drop box through the real screens: made to wait, pulled, counted twice, posted, and won on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import Device, Person, Slip
from pitboss.rules.roles import Place
from tables.selectors.box_papers import copies_expected
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in, sign_on_pad

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TRAY = {10_000: 20, 2_500: 20}


def opened(
    open_tablet: OpenTablet, live_server: LiveServer, device: Device, person: Person
) -> Page:
    page = open_tablet()
    be_device(page.context, device, live_server.url)
    sign_in(page, person)
    return page


def key_the_box(page: Page) -> None:
    page.get_by_label("$100 bills").fill("1,500")
    page.get_by_label("$20 bills").fill("60")
    page.get_by_label("Coupons").fill("25")


def test_a_box_is_made_to_wait_pulled_counted_twice_posted_and_gives_the_final_win(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    cast.close_table({10_000: 15, 2_500: 20})
    fill = Slip.objects.get(kind="fill")
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)
    office = opened(open_tablet, live_server, cast.devices[Place.OFFICE], cast.paul)

    # The supervisor guesses first; the guess stays for good.
    pit.goto("/tables/BJ-11/win/")
    expect(pit.locator("#main")).to_contain_text("Not yet")
    pit.get_by_role("link", name="Estimate the drop…").click()
    pit.get_by_label("Cash in the box").fill("1,400")
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#main")).to_contain_text("+$900")

    pit.goto("/tables/BJ-11/drop/")
    pit.get_by_label("New box number").fill("B-207")
    pit.get_by_role("button", name="Pull the box").click()
    sign_on_pad(pit, cast.frank, "Sign as security officer")
    expect(pit.locator("#toasts")).to_contain_text("pulled on")
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")
    box = Slip.objects.get(kind="drop_pull")

    office.goto("/boxes/")
    office.get_by_role("link", name="Count this box").click()
    key_the_box(office)
    # A scanner types a code and ends it with Enter: the tile turns, and nothing is sent.
    office.get_by_label("Documents", exact=True).fill("3")
    codes = [copy.code for copy in copies_expected([box])[box.serial]]
    assert f"{fill.serial}/D" in codes
    for code in codes:
        expect(office.get_by_role("button", name=code)).to_have_attribute("aria-pressed", "false")
        office.get_by_label("Scan each copy").fill(code.lower())
        office.get_by_label("Scan each copy").press("Enter")
        expect(office.get_by_role("button", name=code)).to_have_attribute("aria-pressed", "true")
    expect(office.locator("#main")).to_contain_text("3 of 3 expected scanned")
    office.get_by_role("button", name="Review and sign").click()
    expect(office.locator("#main")).to_contain_text("$1,560")
    sign_on_pad(office, cast.paul, "Sign as count team member")
    expect(office.locator("#toasts")).to_contain_text("Another of the team counts again")
    count = Slip.objects.get(kind="drop_count")
    assert count.details["pull"] == box.serial

    # The second sees no figure, in no corner of the page.
    office.goto(f"/slips/{count.serial}/")
    assert "1,560" not in office.content()
    assert "156000" not in office.content()
    key_the_box(office)
    office.get_by_label("$20 bills").fill("80")
    office.get_by_label("Documents", exact=True).fill("3")
    sign_on_pad(office, cast.quinn, "Sign as count team member")
    expect(office.get_by_role("alert")).to_contain_text("The counts don’t match: cash 2000")
    expect(office.get_by_label("$20 bills")).to_have_value("80")
    office.get_by_label("$20 bills").fill("60")
    sign_on_pad(office, cast.quinn, "Sign as count team member")
    expect(office.locator("#toasts")).to_contain_text("Verified")
    expect(office.locator("#main")).to_contain_text("$1,560")
    sign_on_pad(office, cast.ruth, "Sign as accountant")
    expect(office.locator("#main")).to_contain_text("All signatures complete.")

    # 2,000 + 1,560 - 2,500 is 1,060; the estimate stands beside it as it was.
    pit.goto("/tables/BJ-11/win/")
    expect(pit.get_by_role("region", name="Final win")).to_contain_text("+$1,060")
    expect(pit.get_by_role("region", name="Final win")).to_contain_text("+$1,085")
    expect(pit.get_by_role("region", name="Estimated win")).to_contain_text("+$900")
    pit.get_by_text("Cash in the box", exact=True).click()
    expect(pit.get_by_role("link", name=count.serial).first).to_be_visible()
    pit.get_by_role("link", name="All tables of").click()
    expect(pit.get_by_role("row", name="House")).to_contain_text("+$1,060")


def test_the_dealer_makes_the_team_wait_and_lets_it_go_on(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.frank)
    pit.goto("/tables/BJ-11/drop/")
    expect(pit.get_by_role("alert")).to_contain_text("count the tray first")
    pit.get_by_role("link", name="Dealer: wait for the hand…").click()
    sign_on_pad(pit, cast.dan, "Ask them to wait")
    expect(pit.locator("#main")).to_contain_text("A hand is on.")
    pit.get_by_role("link", name="The hand is over…").click()
    sign_on_pad(pit, cast.dan, "Release the box")
    expect(pit.locator("#main")).not_to_contain_text("A hand is on.")
