"""A dealer's finger on the felt in browser tests: it taps what the page names, and counts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.sync_api import Locator, Page, expect

from pitboss.rules.roles import Place
from pitboss.services.devices import NewDevice
from tests.browser import OpenTablet
from tests.floor.cast import Cast, let_device_in
from tests.floor.payouts import TRAY


class Felt:
    """The felt of a terminal."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def tap(self, *names: str) -> None:
        """Tap what the page calls so in data-k."""
        for name in names:
            self.page.locator(f'[data-k="{name}"]').tap()
            self.count += 1

    def bet(self, seat: int, wager: str, *cheques: int) -> None:
        """Put cheques on a bet of a seat, as it was done before the round that is counted."""
        opens = f'[data-k="bets-{seat}"], .rt--empty[data-k="seat-{seat}"]'
        self.page.locator(opens).first.tap()
        self.tap(f"wager-{wager}", *(f"stake-{cents}" for cents in cheques), "bets-done")
        self.count = 0

    def ranks(self, dealt: str) -> None:
        """Tap cards as they lie: "9 2 7"; a card with a suit is two taps, "9s"."""
        for card in dealt.split():
            self.tap(f"rank-{card[0]}", *(f"suit-{suit}" for suit in card[1:]))

    def seat(self, number: int) -> Locator:
        return self.page.locator(f'[data-seat="{number}"]')

    def owes(self, seat: int, owed: str, words: str) -> None:
        """See what a seat is owed and in which words."""
        tile = self.seat(seat)
        expect(tile.locator(".rt__res")).to_contain_text(words)
        expect(tile.locator(".rt__owed b")).to_have_text(owed)

    def is_next(self, place: str) -> None:
        """See where the next card falls."""
        expect(self.page.locator(".rc--l b")).to_have_text(re.compile(f"Next: {place}"))


def felt_at(cast: Cast, open_tablet: OpenTablet) -> Iterator[Felt]:
    """Open a table, and put a terminal at it by a code that a manager got."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    new = NewDevice("Terminal BJ-11", Place.PIT, table=cast.table)
    code = let_device_in(cast, new, by=cast.carol, second=cast.alice)
    page = open_tablet()
    page.goto("/terminal/")
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Enroll").tap()
    expect(page.get_by_role("heading", name=cast.table.name)).to_be_visible()
    assert page.context.cookies() == [], "a terminal has a token and no session"
    yield Felt(page)
    assert page.context.cookies() == []
