"""A marker through the real screens: issued, drawn, paid out, part-paid, and sent to the cage."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.models import Marker, Patron
from inventory.selectors.cheques import tray_holding
from inventory.selectors.credit import credit_of, outstanding
from pitboss.models import Device, Person, Signature, Slip
from pitboss.rules.roles import Place
from pitboss.services import house
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cage import open_with
from tests.floor.cast import Cast
from tests.floor.hands import be_device, draw_on_pad, sign_in, sign_on_pad
from tests.floor.markers import TRAY, grant, make_patron

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def opened(
    open_tablet: OpenTablet, live_server: LiveServer, device: Device, person: Person
) -> Page:
    page = open_tablet()
    be_device(page.context, device, live_server.url)
    sign_in(page, person)
    return page


@pytest.fixture
def ana(cast: Cast) -> Patron:
    open_with(cast, TRAY)
    patron = make_patron(cast, player_card="70014412")
    grant(cast, patron, 1_000_000)
    return patron


def test_a_marker_is_issued_part_paid_and_transferred(
    cast: Cast, ana: Patron, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)
    cage = opened(open_tablet, live_server, cast.devices[Place.CAGE], cast.erin)

    pit.goto("/tables/BJ-11/")
    pit.get_by_role("link", name="Marker to a patron").click()
    # A card reader types the number and ends with Enter.
    pit.get_by_label("Player card or name").fill("70014412")
    pit.keyboard.press("Enter")
    expect(pit.get_by_role("main")).to_contain_text("$10,000 remains of $10,000")
    pit.get_by_label("Amount in dollars").fill("3000")
    pit.get_by_role("button", name="Cut the cheques").click()
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("Hand the tablet to the patron")

    assert troubles(pit) == []
    draw_on_pad(pit)
    pit.get_by_label("Face and signature match this ID").check()
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.get_by_role("main")).to_contain_text("matched with passport …5678")
    sign_on_pad(pit, cast.dan, "Sign as dealer")
    expect(pit.locator("#toasts")).to_contain_text("Dealer signed")
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.get_by_role("main")).to_contain_text("All signatures complete.")
    marker = Marker.objects.get()
    kept = Signature.objects.get(slip=marker.slip, step="patron_signed").facts["drawn"]
    assert len(kept["strokes"]) == 2
    assert tray_holding(cast.table) == {10_000: 75, 2_500: 80}

    pit.goto("/tables/BJ-11/")
    pit.get_by_role("link", name="Payment pay a marker").click()
    pit.get_by_label("Player card or name").fill("ruiz")
    pit.get_by_role("button", name="Look up").click()
    pit.get_by_role("link", name="Ana Ruiz").click()
    pit.get_by_label("$100 black, cheques").fill("10")
    pit.get_by_role("button", name="Review payment").click()
    expect(pit.get_by_role("main")).to_contain_text("$1,000 of it, $2,000 still owed")
    sign_on_pad(pit, cast.dan, "Sign as dealer")
    expect(pit.locator("#toasts")).to_contain_text("A second person verifies it")
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.get_by_role("main")).to_contain_text("All signatures complete.")
    assert credit_of(ana, house.now()).outstanding_cents == 200_000

    pit.goto("/markers/")
    expect(pit.get_by_role("main")).to_contain_text("$2,000")
    assert troubles(pit) == []
    pit.get_by_role("link", name="To the cage").click()
    pit.get_by_role("button", name="Review transfer").click()
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("The other side takes them")
    transfer = Slip.objects.get(kind="marker_transfer")

    cage.goto("/cage/")
    expect(cage.locator("#queue")).to_contain_text("Take markers from the pit")
    cage.locator("#queue").get_by_role("link", name="Review and sign").click()
    expect(cage.get_by_role("main")).to_contain_text(transfer.serial)
    sign_on_pad(cage, cast.erin, "Sign as cashier")
    expect(cage.get_by_role("main")).to_contain_text("All signatures complete.")
    (left,) = outstanding(transfer.gaming_day)
    assert (left.marker, left.balance_cents, left.at_cage) == (marker, 200_000, True)
