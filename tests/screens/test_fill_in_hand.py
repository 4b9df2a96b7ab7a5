"""A fill carried through the real screens: five people, four devices, one tray."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.selectors.cheques import tray_holding
from pitboss.models import Device, Person, Signature, Slip, Table
from pitboss.rules.roles import Place
from tests.browser import OpenTablet
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


def test_a_fill_goes_from_request_to_tray_through_five_people_on_four_devices(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)
    office = opened(open_tablet, live_server, cast.devices[Place.OFFICE], cast.carol)
    cage = opened(open_tablet, live_server, cast.devices[Place.CAGE], cast.erin)
    security = opened(open_tablet, live_server, cast.devices[Place.SECURITY], cast.frank)

    # A second tablet watches the board; nobody touches it.
    watching = office
    watching.goto(f"/board/{cast.pit.pk}/")
    tile = watching.locator("#t-BJ-11")
    expect(tile).to_contain_text("No open items")

    # Three choices to the pad: the table's fill, the amount, the PIN.
    pit.goto("/tables/BJ-11/")
    pit.get_by_role("link", name="Fill").click()
    pit.get_by_label("$5,000 gray, cheques").fill("2")
    pit.get_by_role("button", name="Request").click()
    # What was asked for is there again, to be changed; more colours keep it, a new start does not.
    pit.get_by_role("link", name="Change it").click()
    expect(pit.get_by_label("$5,000 gray, cheques")).to_have_value("2")
    expect(pit.get_by_label("$20,000 teal, cheques")).to_have_count(0)
    pit.get_by_label("$5,000 gray, cheques").fill("3")
    pit.get_by_role("link", name="Other denominations…").click()
    expect(pit.get_by_label("$20,000 teal, cheques")).to_have_value("0")
    expect(pit.get_by_label("$5,000 gray, cheques")).to_have_value("3")
    pit.get_by_role("link", name="Empty").click()
    expect(pit.locator("[data-total]")).to_have_text("$0")
    pit.get_by_label("$5,000 gray, cheques").fill("2")
    pit.get_by_role("button", name="Request").click()
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("Waiting for the pit manager")
    fill = Slip.objects.get()

    # It shows on the other tablet within three seconds, without a touch.
    expect(tile).to_contain_text("Fill")

    office.goto("/inbox/")
    office.get_by_role("link", name="Review and sign").click()
    sign_on_pad(office, cast.carol, "Sign as pit manager")
    expect(office.locator("#toasts")).to_contain_text("Top-signed")

    cage.goto("/cage/")
    cage.get_by_role("link", name="Review and sign").click()
    sign_on_pad(cage, cast.erin, "Sign as cashier")
    expect(cage.locator("#toasts")).to_contain_text("Issued")

    security.goto("/security/")
    expect(security.locator("#queue")).to_contain_text("Pick up at the cage")
    # The officer signs at the cage, on the cage's own device.
    sign_on_pad(cage, cast.frank, "Sign as security officer")
    expect(cage.locator("#toasts")).to_contain_text("Carried")

    pit.goto(f"/slips/{fill.serial}/")
    for box in pit.get_by_role("checkbox").all():
        box.check()
    pit.get_by_label("Badge of the officer").fill(cast.frank.badge)
    sign_on_pad(pit, cast.dan, "Sign as dealer")
    expect(pit.locator("#toasts")).to_contain_text("Agreed")
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")

    fill.refresh_from_db()
    assert fill.status == "done"
    assert list(Signature.objects.values_list("step", "person__first_name", "place")) == [
        ("requested", "Alice", "pit"),
        ("top_signed", "Carol", "office"),
        ("issued", "Erin", "cage"),
        ("carried", "Frank", "cage"),
        ("agreed", "Dan", "pit"),
        ("received", "Alice", "pit"),
    ]
    assert tray_holding(Table.objects.get(name="BJ-11"))[500_000] == 2


def test_a_wrong_fill_stops_in_red_goes_back_and_is_replaced(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    fill = cast.ask({2_500: 100})
    cast.carry(fill)
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)
    cage = opened(open_tablet, live_server, cast.devices[Place.CAGE], cast.erin)

    pit.goto(f"/slips/{fill.serial}/")
    pit.get_by_role("link", name="A line doesn’t match…").click()
    pit.get_by_label("$25 green, cheques counted").fill("80")
    pit.get_by_label("$100 black, cheques counted").fill("5")
    pit.get_by_label("Badge of the officer").fill(cast.frank.badge)
    sign_on_pad(pit, cast.dan, "Sign as dealer")
    alert = pit.get_by_role("alert")
    expect(alert).to_contain_text("Count doesn’t match: $25 green. Slip says 100, you counted 80.")
    expect(alert).to_be_focused()

    pit.locator("#sign-pad").get_by_role("link", name="Send it back…").click()
    pit.get_by_label("What is wrong").fill("80 greens and 5 blacks came")
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("goes back")
    sign_on_pad(pit, cast.frank, "Sign as security officer")

    cage.goto("/cage/")
    cage.get_by_role("link", name="Review and sign").click()
    cage.get_by_label("$25 green, cheques counted").fill("80")
    cage.get_by_label("$100 black, cheques counted").fill("5")
    sign_on_pad(cage, cast.erin, "Sign as cashier")
    expect(cage.locator("#main")).to_contain_text("All signatures complete.")

    pit.goto(f"/slips/{fill.serial}/")
    pit.get_by_role("link", name="Request a new fill").click()
    expect(pit.locator("#main")).to_contain_text(f"Replaces {fill.serial}")
    pit.get_by_role("button", name="Request $2,500").click()
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("Waiting for the cage")

    fill.refresh_from_db()
    assert fill.status == "returned"
    assert Slip.objects.get(kind="fill", refers_to=fill).status == "open"
    assert tray_holding(Table.objects.get(name="BJ-11")) == {}
