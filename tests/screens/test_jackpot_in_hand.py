"""A jackpot carried through the real screens: from the terminal's button to the tray's cheques."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.selectors.cheques import tray_holding
from jackpots.models import JackpotPayment, TaxForm
from pitboss.models import Device, Person, Slip, Table
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.devices import NewDevice
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast, let_device_in, pin_of
from tests.floor.hands import be_device, draw_on_pad, sign_in, sign_on_pad
from tests.floor.jackpots import TRAY, open_tables, released
from tests.floor.tax_papers import make_winner, name_payer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def opened(
    open_tablet: OpenTablet, live_server: LiveServer, device: Device, person: Person
) -> Page:
    page = open_tablet()
    be_device(page.context, device, live_server.url)
    sign_in(page, person)
    return page


def press_jackpot(
    page: Page,
    live_server: LiveServer,
    table: Table,
    dealer: Person,
    player_cards: tuple[str, str],
) -> None:
    """Press the jackpot button on a table's terminal, as the dealer."""
    Device.objects.create(
        name="Terminal BJ-11",
        place=Place.PIT.value,
        table=table,
        token_hash=digest("terminal"),
        token_ends_at=house.now() + timedelta(days=3_650),
        enrolled_at=house.now(),
    )
    answer = page.request.post(
        f"{live_server.url}/api/v1/jackpots",
        headers={"Authorization": "Device terminal", "Idempotency-Key": str(uuid4())},
        data={
            "badge": dealer.badge,
            "pin": pin_of(dealer.badge),
            "seat": 3,
            "wager": "blazing_7s",
            "player_cards": list(player_cards),
            "dealer_cards": ["7h"],
        },
    )
    assert answer.status == 201, answer.text()


def hit_on_the_terminal(page: Page, cast: Cast) -> None:
    """Key three sevens on the terminal of the table, and stop the meter by badge and PIN."""
    new = NewDevice("Terminal BJ-11", Place.PIT, table=cast.table)
    code = let_device_in(cast, new, by=cast.carol, second=cast.alice)
    page.goto(f"/terminal/#code={code}")
    for name in ("act-jackpot", "at-3", "7h", "7s", "7h"):
        page.locator(f'[data-k="{name}"]').tap()
    assert troubles(page) == []
    page.get_by_label("Badge").fill(cast.dan.badge)
    page.get_by_label("PIN").fill(pin_of(cast.dan.badge))
    page.get_by_role("button", name="Stop the meter").tap()
    # The dealer reads there how far it has come, and who signed.
    expect(page.locator("#main")).to_contain_text("$1,000")
    expect(page.locator("#main")).to_contain_text("pending")


def test_a_thousand_dollar_hit_goes_from_the_terminal_to_the_tray_without_tax_papers(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    open_tables(cast)
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)
    watch = opened(open_tablet, live_server, cast.devices[Place.SURVEILLANCE], cast.ivan)
    pit.goto("/tables/BJ-11/")
    watch.goto("/surveillance/")
    expect(watch.locator("#queue")).to_contain_text("Nothing to review")

    terminal = open_tablet()
    hit_on_the_terminal(terminal, cast)
    slip = Slip.objects.get(kind="jackpot")
    # The table says so by itself.
    expect(pit.locator("#table-head")).to_contain_text("PENDING")
    pit.goto("/jackpots/")
    expect(pit.locator("#room")).to_contain_text("$1,000")
    pit.get_by_role("link", name="BJ-11, seat 3").click()
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("Verified")
    expect(terminal.locator("#main")).to_contain_text(str(cast.alice))

    expect(watch.locator("#queue")).to_contain_text("Review and confirm")
    watch.get_by_role("link", name="Review and sign").click()
    watch.get_by_label("Review reference").fill("Camera 2-11A, 21:41")
    sign_on_pad(watch, cast.ivan, "Sign as surveillance officer")
    expect(watch.locator("#toasts")).to_contain_text("Confirmed")

    pit.goto(f"/slips/{slip.serial}/")
    expect(pit.locator("#main")).to_contain_text("Camera 2-11A, 21:41")
    sign_on_pad(pit, cast.bob, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("Released")
    pit.get_by_label("Paid from").select_option("tray")
    pit.get_by_label("$100 black, cheques counted").fill("10")
    sign_on_pad(pit, cast.alice, "Sign as supervisor or cashier")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")

    slip.refresh_from_db()
    assert slip.status == "done"
    assert JackpotPayment.objects.get().paid_cents == 100_000
    assert tray_holding(Table.objects.get(pk=cast.table.pk))[10_000] == TRAY[10_000] - 10


def test_a_same_suit_hit_goes_from_the_terminal_to_the_signed_w2g_and_its_payment(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    open_tables(cast)
    name_payer(cast)
    patron = make_winner(cast)
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)
    press_jackpot(pit, live_server, cast.table, cast.dan, ("7h", "7h"))
    slip = Slip.objects.get(kind="jackpot")

    # The papers begin while nobody has looked at the cards yet.
    pit.goto("/jackpots/")
    expect(pit.locator("#room")).to_contain_text("owes a W-2G")
    pit.get_by_role("link", name="Prepare forms").click()
    pit.get_by_label("Player card or name").fill("ruiz")
    pit.get_by_role("button", name="Look up").click()
    pit.get_by_role("link", name=patron.full_name).click()
    expect(pit.locator("#main")).to_contain_text("•••6789")
    assert not troubles(pit)
    pit.get_by_label("First identification").select_option(label="Driver license …1234 NJ")
    pit.get_by_role("button", name="Review form").click()
    # Without a second ID there is no form yet.
    expect(pit.locator("#main")).to_contain_text("two forms of identification")
    pit.get_by_label("Second identification").select_option(index=1)
    pit.get_by_role("button", name="Review form").click()
    expect(pit.locator("#main")).to_contain_text("$5,833.33")
    expect(pit.locator("#main")).to_contain_text("Under penalties of perjury")
    assert not troubles(pit)
    sign_on_pad(pit, cast.alice, "Sign as supervisor or cashier")
    expect(pit.locator("#toasts")).to_contain_text("prepared")
    draw_on_pad(pit)
    pit.get_by_label("Face and signature match this ID").check()
    sign_on_pad(pit, cast.alice, "Sign as supervisor or cashier")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")

    released(cast, slip)
    pit.goto(f"/slips/{slip.serial}/")
    expect(pit.locator("#main")).to_contain_text("the winner gets $18,477.22")
    pit.get_by_label("Paid from").select_option("cage")
    sign_on_pad(pit, cast.alice, "Sign as supervisor or cashier")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")

    form = TaxForm.objects.get()
    assert JackpotPayment.objects.get().paid_cents == 1_847_722
    pit.goto(f"/tax/forms/{form.pk}/")
    expect(pit.locator("#main")).to_contain_text("24305.55")
    assert not troubles(pit)
    with pit.expect_popup() as given:
        pit.get_by_role("link", name="For the winner").click()
    assert given.value.url.endswith("winner.pdf")
