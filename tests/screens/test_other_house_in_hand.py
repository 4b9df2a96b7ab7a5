"""A day of a house that is not the manual’s, on screens: two sets, $10 cheques, three games."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.selectors.cheques import balances, counts_off_the_ledger, tray_holding
from pitboss.models import ClosedDay, Slip, Table
from pitboss.rules.cheques.cheques import total_cents
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from tests.browser import OpenTablet
from tests.floor.cast import Cast, ServerClock
from tests.floor.days import close_the_day
from tests.floor.drop_box import count_and_post, pull
from tests.floor.hands import be_device, sign_in, sign_on_pad, tick_every_line
from tests.floor.house_cheques import GREEN_2, SECOND_SET, add_set, change
from tests.floor.setups import set_up
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TEN = 1_000
LAYOUT = {"pit": "Pit 1", "minimum": "10", "maximum": "2,000", "par_2500": "40"}
ROULETTE = {**LAYOUT, "name": "RO-1", "game": "roulette", "blackjack_pays": "double_zero"}
BACCARAT = {
    **LAYOUT,
    "name": "BA-1",
    "game": "baccarat",
    "decks": "8",
    "cards": "none",
    "blackjack_pays": "commission",
}
STOCK = {2_500: 40, GREEN_2: 20, TEN: 40, 500: 40}  # $2,100
FILL = {TEN: 40}  # $400

# 17 and 20 are beside each other: 17 to 1.
SPLIT = {
    "wager": "roulette",
    "stake_cents": 1_000,
    "seat": 3,
    "extra": {"bet": "split", "numbers": ["17", "20"], "result": "17"},
}
# The banker has a natural eight over six: even money less 5%.
BANKER = {
    "wager": "baccarat",
    "stake_cents": 10_000,
    "seat": 2,
    "player_cards": ["9c", "7d"],
    "dealer_cards": ["Kc", "8d"],
    "extra": {"bet": "banker"},
}
TWENTY = {
    "wager": "blackjack",
    "stake_cents": 3_000,
    "seat": 1,
    "player_cards": ["Th", "Kd"],
    "dealer_cards": ["Td", "8c"],
}


class Hands:
    """Alice’s tablet in the pit, at one table after the other."""

    def __init__(self, cast: Cast, page: Page) -> None:
        self.cast, self.page = cast, page

    def count(self, kind: str, counted: Mapping[int, int]) -> None:
        """Count the tray of the table that is played, blind, and verify it."""
        page = self.page
        page.goto(f"/slips/new/{kind}/?table={self.cast.table.name}&colours=all")
        page.locator("fieldset").get_by_text("Cheques").click()
        for cell in page.locator("[data-part=cheques]").all():
            key = int((cell.get_attribute("name") or "").removeprefix("cheques_"))
            cell.fill(str(counted.get(key, 0)))
        page.get_by_role("button", name="Review and sign").click()
        sign_on_pad(page, self.cast.dan, "Sign as dealer")
        expect(page.locator("#toasts")).to_contain_text("The supervisor verifies it.")
        tick_every_line(page)
        sign_on_pad(page, self.cast.alice, "Sign as supervisor")

    def fill(self) -> None:
        """Bring $10 cheques from the cage into the tray."""
        page, cast = self.page, self.cast
        page.goto(f"/slips/new/fill/?table={cast.table.name}&colours=all&start=empty")
        page.get_by_label("$10 brown, cheques").fill(str(FILL[TEN]))
        page.get_by_role("button", name="Request").click()
        sign_on_pad(page, cast.alice, "Sign as supervisor")
        expect(page.locator("#toasts")).to_contain_text("Waiting for the cage")
        fill = Slip.objects.filter(kind="fill").latest("pk")
        cast.carry(fill)
        page.goto(f"/slips/{fill.serial}/")
        tick_every_line(page)
        page.get_by_label("Badge of the officer").fill(cast.frank.badge)
        sign_on_pad(page, cast.dan, "Sign as dealer")
        expect(page.locator("#toasts")).to_contain_text("Agreed")
        sign_on_pad(page, cast.alice, "Sign as supervisor")
        expect(page.locator("#main")).to_contain_text("All signatures complete.")

    def close(self, counted: Mapping[int, int]) -> None:
        page = self.page
        self.count("closer", counted)
        expect(page.locator("#toasts")).to_contain_text("Verified")
        sign_on_pad(page, self.cast.carol, "Sign as pit manager")
        expect(page.locator("#toasts")).to_contain_text("Top-signed")
        sign_on_pad(page, self.cast.alice, "Sign as supervisor")
        expect(page.locator("#main")).to_contain_text("All signatures complete.")


@pytest.mark.parametrize(
    ("keyed", "claim", "payable_cents"),
    [(None, TWENTY, 3_000), (ROULETTE, SPLIT, 17_000), (BACCARAT, BANKER, 9_500)],
    ids=["blackjack", "roulette", "baccarat"],
)
def test_a_day_of_a_house_with_other_cheques_and_two_sets(
    cast: Cast,
    open_tablet: OpenTablet,
    live_server: LiveServer,
    server_clock: ServerClock,
    keyed: dict[str, str] | None,
    claim: dict[str, Any],
    payable_cents: int,
) -> None:
    add_set(cast, 2_500, **SECOND_SET)
    change(cast, amount=TEN, colour="brown", letter="n", unit="5")
    server_clock.move(days=1)
    if keyed is not None:
        cast.table = set_up(cast, keyed)
    name = cast.table.name
    cast.deliver(cast.ask(STOCK))
    page = open_tablet()
    be_device(page.context, cast.devices[Place.PIT], live_server.url)
    sign_in(page, cast.alice)
    hands = Hands(cast, page)

    hands.count("opener", STOCK)
    expect(page.locator("#main")).to_contain_text("All signatures complete.")
    assert Table.objects.get(name=name).is_open
    hands.fill()

    terminal = TerminalClient(make_terminal(cast.table))
    right = terminal.post("checks", {**claim, "paid_cents": payable_cents}).json()
    assert (right["verdict"], right["payable_cents"]) == ("right", payable_cents), right
    cut = {int(key): count for key, count in right["cheques"].items()}
    assert total_cents(cut) == payable_cents
    assert set(cut) <= set(house.cheques_now().paying)
    over = terminal.post("checks", {**claim, "paid_cents": payable_cents + 500}).json()
    assert (over["verdict"], over["difference_cents"]) == ("overpaid", 500), over

    # It was paid: ten of the second set and a $10 cheque less are in the tray.
    closing = {**STOCK, GREEN_2: 10, TEN: 79}
    hands.close(closing)
    table = Table.objects.get(name=name)
    assert not table.is_open
    assert tray_holding(table) == closing
    count_and_post(cast, pull(cast), {"cash_2000": 100_000})
    # Closing $2,240, drop $1,000; opening $2,100 and the fill $400: $740 won.
    page.goto(f"/tables/{name}/win/?day=2026-05-02")
    win = page.get_by_role("region", name="Final win").locator(".big")
    expect(win).to_have_text("+$740")
    assert all(balance.adds_up and balance.public >= 0 for balance in balances())
    assert counts_off_the_ledger() == []
    assert verify().is_sound


def test_a_day_of_three_games_and_two_sets_is_closed_by_two_shift_managers(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer, server_clock: ServerClock
) -> None:
    add_set(cast, 2_500, **SECOND_SET)
    change(cast, amount=TEN, colour="brown", letter="n", unit="5")
    server_clock.move(days=1)
    day = house.period_at(house.now()).gaming_day
    close_the_day(cast, day - timedelta(days=1))
    pit, office = open_tablet(), open_tablet()
    be_device(pit.context, cast.devices[Place.PIT], live_server.url)
    sign_in(pit, cast.alice)
    hands = Hands(cast, pit)
    plays = [
        (cast.table, TWENTY),
        (set_up(cast, ROULETTE), SPLIT),
        (set_up(cast, BACCARAT), BANKER),
    ]
    closing = {**STOCK, GREEN_2: 10, TEN: 79}
    for number, (table, claim) in enumerate(plays):
        cast.table = table
        cast.deliver(cast.ask(STOCK))
        hands.count("opener", STOCK)
        expect(pit.locator("#main")).to_contain_text("All signatures complete.")
        hands.fill()
        terminal = TerminalClient(make_terminal(table))
        body = terminal.post("checks", {**claim, "paid_cents": 100}).json()
        assert body["verdict"] == "underpaid", body
        hands.close(closing)
        count_and_post(cast, pull(cast, new_box=f"B-{900 + number}"), {"cash_2000": 100_000})

    # The morning after, on the tablet of the shift managers.
    server_clock.move(days=1)
    be_device(office.context, cast.devices[Place.OFFICE], live_server.url)
    sign_in(office, cast.heidi)
    office.goto(f"/days/{day.isoformat()}/win/")
    expect(office.get_by_role("row", name="House")).to_contain_text("+$2,220")
    office.goto(new_url("day_close", day=day.isoformat()))
    for box in office.get_by_role("checkbox").all():
        box.check()
    sign_on_pad(office, cast.heidi, "Sign as shift manager")
    expect(office.locator("#toasts")).to_contain_text("The incoming shift manager signs next")
    close = Slip.objects.filter(kind="day_close").latest("pk")
    sign_in(office, cast.mike)
    office.goto(f"/slips/{close.serial}/")
    sign_on_pad(office, cast.mike, "Sign as shift manager")
    expect(office.locator("#main")).to_contain_text("All signatures complete.")
    assert ClosedDay.objects.latest("gaming_day").gaming_day == day
    assert house.is_closed(day)
    assert not Table.objects.filter(is_open=True).exists()
    assert all(balance.adds_up and balance.public >= 0 for balance in balances())
    assert counts_off_the_ledger() == []
    assert verify().is_sound
