"""A table that holds two sets of cheques: opened, filled and closed through the real screens."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.selectors.cheques import tray_holding
from pitboss.models import Device, Person, Slip, Table
from pitboss.rules.roles import Place
from tests.browser import OpenTablet
from tests.floor.cast import Cast, ServerClock
from tests.floor.hands import be_device, sign_in, sign_on_pad, tick_every_line
from tests.floor.house_cheques import BLACK_2, GREEN_2, PROMO_25, PROMO_SET, SECOND_SET, add_set

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BOOK = {2_500: 20, GREEN_2: 20, 500: 40}


def opened(
    open_tablet: OpenTablet, live_server: LiveServer, device: Device, person: Person
) -> Page:
    page = open_tablet()
    be_device(page.context, device, live_server.url)
    sign_in(page, person)
    return page


def key_count(page: Page, counted: dict[int, int]) -> None:
    """Key how many of each cheque there are; every other tube is empty."""
    page.locator("fieldset").get_by_text("Cheques").click()
    for cell in page.locator("[data-part=cheques]").all():
        key = int((cell.get_attribute("name") or "").removeprefix("cheques_"))
        cell.fill(str(counted.get(key, 0)))


def count(page: Page, kind: str, counted: dict[int, int], cast: Cast) -> None:
    page.goto(f"/slips/new/{kind}/?table=BJ-11&colours=all")
    key_count(page, counted)
    page.get_by_role("button", name="Review and sign").click()
    sign_on_pad(page, cast.dan, "Sign as dealer")
    expect(page.locator("#toasts")).to_contain_text("The supervisor verifies it.")
    tick_every_line(page)
    sign_on_pad(page, cast.alice, "Sign as supervisor")


def test_a_table_with_a_second_set_is_opened_filled_and_closed(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer, server_clock: ServerClock
) -> None:
    add_set(cast, 2_500, 10_000, **SECOND_SET)
    add_set(cast, 2_500, **PROMO_SET)
    server_clock.move(days=1)
    cast.deliver(cast.ask(BOOK))
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)

    # The pad has a row for each of the two, and none for what lies in no tray.
    pit.goto("/slips/new/opener/?table=BJ-11&colours=all")
    row = pit.locator(f"[data-row='{GREEN_2}']")
    expect(row).to_contain_text("GS")
    expect(pit.locator(f"[data-row='{PROMO_25}']")).to_have_count(0)
    key_count(pit, BOOK)
    expect(pit.locator("[data-say=total]")).to_have_text("$1,200")
    expect(row.locator("[data-amount]")).to_have_text("$500")
    count(pit, "opener", BOOK, cast)
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")
    pit.goto("/tables/BJ-11/")
    expect(pit.locator(".tray").first).to_be_visible()
    assert pit.locator(f"#edge-{GREEN_2}").count() == 1
    assert pit.locator(f"[fill='url(#edge-{GREEN_2})']").count() > 0

    # A fill of the second set: the total counts its face.
    pit.goto("/slips/new/fill/?table=BJ-11&colours=all&start=empty")
    pit.get_by_label("$100 black (Second), cheques").fill("20")
    expect(pit.locator("[data-total]")).to_have_text("$2,000")
    pit.get_by_role("button", name="Request").click()
    expect(pit.locator("#main")).to_contain_text("KS")
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("Waiting for the cage")
    fill = Slip.objects.filter(kind="fill").latest("id")
    assert fill.cheques_by_cents == {BLACK_2: 20}
    cast.deliver(fill)

    closing = {**BOOK, BLACK_2: 18}
    count(pit, "closer", closing, cast)
    expect(pit.locator("#toasts")).to_contain_text("Verified")
    sign_on_pad(pit, cast.carol, "Sign as pit manager")
    expect(pit.locator("#toasts")).to_contain_text("Top-signed")
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")
    expect(pit.locator("#main")).to_contain_text("$3,000")
    assert tray_holding(Table.objects.get(name="BJ-11")) == {
        BLACK_2: 18,
        2_500: 20,
        GREEN_2: 20,
        500: 40,
    }
