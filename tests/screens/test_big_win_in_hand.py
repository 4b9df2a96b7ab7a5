"""A big win in a browser: from the dealer's check to the supervisor's tablet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from jackpots.models import Jackpot
from pitboss.models import Slip
from pitboss.rules.roles import Place
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.big_wins import set_up
from tests.floor.cast import Cast, pin_of
from tests.floor.felt import Felt, felt_at
from tests.floor.hands import be_device, sign_in, sign_on_pad

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def taps(cast: Cast, open_tablet: OpenTablet) -> Iterator[Felt]:
    """Open a table, and put a terminal at it."""
    yield from felt_at(cast, open_tablet)


def test_a81_the_dealer_enters_a_big_win_with_one_tap_and_a_pin_and_sees_who_signs_next(
    cast: Cast, taps: Felt, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    set_up(cast, "raise_the_roof", "raise_the_roof", "H17_6_8_B")
    taps.page.reload()
    taps.bet(3, "raise_the_roof", 500, 500)
    taps.tap("bets-3", "wager-raise_the_roof", "raise-5", "bets-done")
    # By their ranks alone it is known that 4-5-6-7 bust, not whether it is suited.
    taps.ranks("6 4 5 7")
    expect(taps.seat(3)).to_contain_text("Suits")
    taps.tap("suited")
    taps.owes(3, "$30,000", "suited")
    # A big win names every card: each is tapped, then its suit.
    expect(taps.seat(3)).to_contain_text("Tap each card, then its suit.")
    for place in range(4):
        taps.tap(f"card-dealer-0-{place}", "suit-h")
    taps.tap("enter-3")
    main = taps.page.locator("#main")
    expect(main).to_contain_text("Right. Pay $30,000.")
    expect(main).to_contain_text("W-2G")
    taps.tap("big-win")
    assert troubles(taps.page) == []
    taps.page.get_by_label("Badge").fill(cast.dan.badge)
    taps.page.get_by_label("PIN").fill(pin_of(cast.dan.badge))
    taps.page.get_by_role("button", name="Enter big win").tap()
    expect(main).to_contain_text("Waiting for supervisor.")
    win = Jackpot.objects.get()
    assert (win.player_cards, win.dealer_cards) == ([], ["6h", "4h", "5h", "7h"])
    assert (win.stake_cents, win.raise_cents, win.seat) == (1_000, 5_000, 3)
    assert troubles(taps.page) == []

    supervisor = open_tablet()
    be_device(supervisor.context, cast.devices[Place.PIT], live_server.url)
    sign_in(supervisor, cast.alice)
    slip = Slip.objects.get(kind="big_win")
    supervisor.goto(f"/slips/{slip.serial}/")
    expect(supervisor.locator("#main")).to_contain_text("$30,000")
    assert troubles(supervisor) == []
    sign_on_pad(supervisor, cast.alice, "Sign")
    expect(main).to_contain_text("Waiting for surveillance officer.", timeout=8_000)
    supervisor.goto("/jackpots/")
    expect(supervisor.locator("#room")).to_contain_text("This win owes a W-2G.")
    assert troubles(supervisor) == []
    supervisor.goto(f"/slips/new/big_win/?table={cast.table.name}&wager=raise_the_roof")
    expect(supervisor.get_by_label("Dealer, card 4")).to_be_visible()
    assert troubles(supervisor) == []
