"""Cash through the real screens: logged until the warning, and the report that compliance gets."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.models import CashEntry, CurrencyReport
from pitboss.models import Device, Person
from pitboss.rules.roles import Place
from tests.browser import OpenTablet
from tests.floor.cash_log import make_patron
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in, sign_on_pad

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def opened(
    open_tablet: OpenTablet, live_server: LiveServer, device: Device, person: Person
) -> Page:
    page = open_tablet()
    be_device(page.context, device, live_server.url)
    sign_in(page, person)
    return page


def test_cash_is_logged_until_the_warning_and_the_report_waits_for_compliance(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    make_patron(cast)
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)
    office = opened(open_tablet, live_server, cast.devices[Place.OFFICE], cast.petra)
    office.goto("/compliance/")
    expect(office.locator("#main")).to_contain_text("No reports waiting")

    pit.goto("/tables/BJ-11/")
    pit.get_by_role("link", name="Cash log a buy-in").click()
    pit.get_by_label("Player card or name").fill("ruiz")
    pit.get_by_label("Cash, in dollars").fill("6,000")
    pit.get_by_role("button", name="Review the day").click()
    expect(pit.locator("#main")).to_contain_text("Cash of $3,000 or more")
    sign_on_pad(pit, cast.alice, "Log it")
    expect(pit.locator("#toasts")).to_contain_text("Ana Ruiz: $6,000 in today.")

    # The same person again: one tap, the amount, and the warning before anything is stored.
    pit.get_by_role("link", name="Cash log a buy-in").click()
    pit.get_by_role("radio", name="Ana Ruiz").check()
    pit.get_by_label("Cash, in dollars").fill("5,000")
    pit.get_by_role("button", name="Review the day").click()
    expect(pit.get_by_role("alert")).to_contain_text("over $10,000")
    assert CashEntry.objects.count() == 1
    sign_on_pad(pit, cast.alice, "Log it")
    # The browser itself asks for the tick, and for whose cash it is.
    assert CashEntry.objects.count() == 1
    pit.get_by_label("Whose cash it is").select_option(label="Their own")
    pit.get_by_label("I reviewed the warning").check()
    pit.get_by_role("button", name="Log it").click()
    expect(pit.locator("#toasts")).to_contain_text("Ana Ruiz: $11,000 in today.")
    report = CurrencyReport.objects.get()

    office.goto("/inbox/")
    expect(office.locator("#main")).to_contain_text("Ana Ruiz, cash in $11,000")
    office.get_by_role("link", name="Open", exact=True).click()
    expect(office.locator("#main")).to_contain_text("The gaming day is not over.")
    assert office.url.endswith(f"/compliance/reports/{report.pk}/")
