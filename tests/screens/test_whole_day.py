"""A whole gaming day in hand, across its turn: opened, filled, credited, counted, dropped, closed.

Every act goes through the screens of the people who do it; the server's clock is moved, nobody
waits. In the end the win of the day and of each shift is what hand and pencil make of the papers.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.selectors.cheques import balances, counts_off_the_ledger, tray_holding
from pitboss.models import Device, Person, Slip, Table
from pitboss.rules.roles import Place
from pitboss.services.verification import verify
from tables.selectors.box_papers import copies_expected
from tests.browser import OpenTablet
from tests.floor.cast import PAR, Cast, ServerClock
from tests.floor.hands import be_device, sign_in, sign_on_pad, tick_every_line

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = {10_000: "$100 black", 2_500: "$25 green", 500: "$5 red", 250: "$2.50 pink"}

STOCK = {10_000: 40, 2_500: 60, 500: 100}  # $6,000.00
FILL = {10_000: 20}  # $2,000.00
CREDIT = {2_500: 20}  # $500.00
AT_HALF_PAST_ONE = {10_000: 58, 2_500: 38, 500: 65}  # $7,075.00
LATE_FILL = {250: 41}  # $102.50
CLOSING = {10_000: 51, 2_500: 40, 500: 81, 250: 37}  # $6,597.50


class Floor:
    """The tablets of one day, and what hands do on them."""

    def __init__(self, cast: Cast, open_tablet: OpenTablet, live_server: LiveServer) -> None:
        self.cast = cast
        self.url = live_server.url
        self.pit = self._tablet(open_tablet, cast.devices[Place.PIT], cast.alice)
        self.cage = self._tablet(open_tablet, cast.devices[Place.CAGE], cast.erin)
        self.office = self._tablet(open_tablet, cast.devices[Place.OFFICE], cast.carol)

    def _tablet(self, open_tablet: OpenTablet, device: Device, person: Person) -> Page:
        page = open_tablet()
        be_device(page.context, device, self.url)
        sign_in(page, person)
        return page

    def later(self, clock: ServerClock, **by: int) -> None:
        """Let time go by. Idle tablets lock, so everyone signs in again where they were."""
        clock.move(**by)
        for page, person in (
            (self.pit, self.cast.alice),
            (self.cage, self.cast.erin),
            (self.office, self.cast.carol),
        ):
            url = page.url
            page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
            sign_in(page, person)
            page.goto(url)

    def begin(self, act: str) -> None:
        """Choose an act on the table's page."""
        self.pit.goto("/tables/BJ-11/")
        self.pit.locator("#acts").get_by_role("link", name=act).click()

    def ask(self, act: str, send: str, cheques: Mapping[int, int], by: Person) -> Slip:
        """Request a fill or a credit of exactly these cheques."""
        self.begin(act)
        # Followed by hand: a click would leave the suggested figures there for a moment.
        empty = self.pit.get_by_role("link", name="Empty", exact=True).get_attribute("href")
        self.pit.goto(str(empty))
        for cents, number in cheques.items():
            self.pit.get_by_label(f"{NAMES[cents]}, cheques").fill(str(number))
        self.pit.get_by_role("button", name=send).click()
        sign_on_pad(self.pit, by, "Sign as supervisor")
        expect(self.pit.locator("#toasts")).to_contain_text(
            "next" if act == "Credit" else "Waiting for the cage"
        )
        slip = Slip.objects.filter(kind=act.lower()).latest("pk")
        assert slip.cheques_by_cents == cheques
        return slip

    def fill(self, cheques: Mapping[int, int], *, dealer: Person, supervisor: Person) -> Slip:
        """Bring cheques from the cage into the tray."""
        slip = self.ask("Fill", "Request", cheques, supervisor)
        self.open_queued(self.cage)
        sign_on_pad(self.cage, self.cast.erin, "Sign as cashier")
        expect(self.cage.locator("#toasts")).to_contain_text("Issued")
        sign_on_pad(self.cage, self.cast.frank, "Sign as security officer")
        expect(self.cage.locator("#toasts")).to_contain_text("Carried")
        self.pit.goto(f"/slips/{slip.serial}/")
        tick_every_line(self.pit)
        self.pit.get_by_label("Badge of the officer").fill(self.cast.frank.badge)
        sign_on_pad(self.pit, dealer, "Sign as dealer")
        expect(self.pit.locator("#toasts")).to_contain_text("Agreed")
        sign_on_pad(self.pit, supervisor, "Sign as supervisor")
        expect(self.pit.locator("#main")).to_contain_text("All signatures complete.")
        return slip

    def credit(self, cheques: Mapping[int, int], *, dealer: Person, supervisor: Person) -> Slip:
        """Send cheques from the tray to the cage, and match the papers."""
        slip = self.ask("Credit", "Send", cheques, supervisor)
        tick_every_line(self.pit)
        sign_on_pad(self.pit, dealer, "Sign as dealer")
        expect(self.pit.locator("#toasts")).to_contain_text("Proved")
        sign_on_pad(self.pit, self.cast.frank, "Sign as security officer")
        expect(self.pit.locator("#toasts")).to_contain_text("Carried")
        self.open_queued(self.cage)
        tick_every_line(self.cage)
        self.cage.get_by_label("Badge of the officer").fill(self.cast.frank.badge)
        sign_on_pad(self.cage, self.cast.erin, "Sign as cashier")
        expect(self.cage.locator("#toasts")).to_contain_text("Acknowledged")
        self.pit.goto(f"/slips/{slip.serial}/")
        tick_every_line(self.pit)
        self.pit.get_by_label("Badge of the officer").fill(self.cast.frank.badge)
        sign_on_pad(self.pit, supervisor, "Sign as supervisor")
        expect(self.pit.locator("#main")).to_contain_text("All signatures complete.")
        return slip

    def open_queued(self, page: Page) -> None:
        page.goto("/cage/")
        page.locator("#queue").get_by_role("link", name="Review and sign").click()

    def count(self, kind: str, counted: Mapping[int, int], dealer: Person) -> Slip:
        """Key a count by stacks and odd cheques, and sign it as the dealer."""
        self.pit.goto(f"/tables/BJ-11/{kind}/")
        for cents in PAR:
            stacks, odd = divmod(counted.get(cents, 0), 20)
            self.pit.locator(f"[name=stacks_{cents}]").fill(str(stacks))
            self.pit.locator(f"[name=odd_{cents}]").fill(str(odd))
        self.pit.get_by_role("button", name="Review and sign").click()
        sign_on_pad(self.pit, dealer, "Sign as dealer")
        expect(self.pit.locator("#toasts")).to_contain_text("The supervisor verifies it.")
        return Slip.objects.filter(kind=kind).latest("pk")

    def verify(self, supervisor: Person) -> None:
        tick_every_line(self.pit)
        sign_on_pad(self.pit, supervisor, "Sign as supervisor")

    def drop(self, new_box: str, bills: Mapping[str, str], witness: Person) -> Slip:
        """Pull the box, count it twice and post it."""
        self.pit.goto("/tables/BJ-11/drop/")
        self.pit.get_by_label("New box number").fill(new_box)
        self.pit.get_by_role("button", name="Pull the box").click()
        sign_on_pad(self.pit, self.cast.frank, "Sign as security officer")
        expect(self.pit.locator("#toasts")).to_contain_text("pulled on")
        sign_on_pad(self.pit, witness, "Sign as supervisor")
        expect(self.pit.locator("#main")).to_contain_text("All signatures complete.")

        sign_in(self.office, self.cast.paul)
        self.office.goto("/boxes/")
        self.office.get_by_role("link", name="Count this box").click()
        box = Slip.objects.filter(kind="drop_pull").latest("pk")
        codes = [copy.code for copy in copies_expected([box])[box.serial]]
        self._key_box(bills, len(codes))
        for code in codes:
            self.office.get_by_role("button", name=code).click()
        self.office.get_by_role("button", name="Review and sign").click()
        sign_on_pad(self.office, self.cast.paul, "Sign as count team member")
        expect(self.office.locator("#toasts")).to_contain_text("Another of the team counts again")
        count = Slip.objects.filter(kind="drop_count").latest("pk")
        self.office.goto(f"/slips/{count.serial}/")
        self._key_box(bills, len(codes))
        sign_on_pad(self.office, self.cast.quinn, "Sign as count team member")
        expect(self.office.locator("#toasts")).to_contain_text("Verified")
        sign_on_pad(self.office, self.cast.ruth, "Sign as accountant")
        expect(self.office.locator("#main")).to_contain_text("All signatures complete.")
        return count

    def _key_box(self, bills: Mapping[str, str], documents: int) -> None:
        for label, amount in bills.items():
            self.office.get_by_label(label, exact=True).fill(amount)
        self.office.get_by_label("Documents", exact=True).fill(str(documents))


def final_win(page: Page) -> str:
    return page.get_by_role("region", name="Final win").locator(".big").inner_text().strip()


def test_a_gaming_day_is_played_through_the_screens_across_its_turn(
    server_clock: ServerClock, cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    stock = cast.ask(STOCK)
    cast.deliver(stock)
    floor = Floor(cast, open_tablet, live_server)
    pit, office = floor.pit, floor.office
    office.goto(f"/board/{cast.pit.pk}/")
    expect(office.locator("#t-BJ-11")).to_contain_text("Closed")

    # Nine in the morning, the day shift: opened blind, then a fill and a credit.
    floor.count("opener", STOCK, cast.dan)
    floor.verify(cast.alice)
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")
    expect(office.locator("#t-BJ-11")).to_contain_text("Open")
    floor.fill(FILL, dealer=cast.dan, supervisor=cast.alice)
    floor.credit(CREDIT, dealer=cast.dan, supervisor=cast.alice)

    # Half past one: the tray is counted and its box pulled, counted and posted.
    floor.later(server_clock, hours=4, minutes=30)
    floor.count("count", AT_HALF_PAST_ONE, cast.dan)
    floor.verify(cast.alice)
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")
    floor.later(server_clock, minutes=3)
    first_box = {
        "$100 bills": "1,500",
        "$20 bills": "340",
        "$1 bills": "13",
        "Coupons": "25.50",
        "Cheques of other houses": "10.25",
    }
    floor.drop("B-207", first_box, cast.alice)

    # Eight in the evening, the swing shift: other people, one more fill.
    floor.later(server_clock, hours=6, minutes=27)
    sign_in(pit, cast.bob)
    sign_in(floor.cage, cast.erin)
    floor.begin("Dealer")
    sign_on_pad(pit, cast.dora, "Tap in")
    expect(pit.locator("#toasts")).to_contain_text("deals at BJ-11")
    floor.fill(LATE_FILL, dealer=cast.dora, supervisor=cast.bob)

    # Five to six: the closer is counted. At six the day turns; the rest is signed in the next.
    floor.later(server_clock, hours=9, minutes=55)
    sign_in(pit, cast.bob)
    closer = floor.count("closer", CLOSING, cast.dora)
    floor.later(server_clock, minutes=7)
    floor.verify(cast.bob)
    expect(pit.locator("#toasts")).to_contain_text("Verified")
    sign_on_pad(pit, cast.carol, "Sign as pit manager")
    expect(pit.locator("#toasts")).to_contain_text("Top-signed")
    sign_on_pad(pit, cast.bob, "Sign as supervisor")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")
    closer.refresh_from_db()
    assert (closer.status, closer.gaming_day.isoformat(), closer.shift) == (
        "done",
        "2026-05-01",
        "Grave",
    )
    table = Table.objects.get(name="BJ-11")
    assert not table.is_open
    assert tray_holding(table) == CLOSING
    second_box = {"$100 bills": "900", "$5 bills": "45"}
    floor.drop("B-311", second_box, cast.bob)

    # Day shift: 7,075.00 + 500.00 + 1,853.00 + 10.25 - 6,000.00 - 2,000.00 = 1,438.25.
    # Grave, which counted what swing and grave played: 6,597.50 + 945.00 - 7,075.00 - 102.50 = 365.
    pit.goto("/tables/BJ-11/win/?day=2026-05-01")
    assert final_win(pit) == "+$1,803.25"
    figures = pit.get_by_role("region", name="Figures")
    for title, amount in (
        ("Closing count", "$6,597.50"),
        ("Credits to the cage", "$500"),
        ("Cash in the box", "$2,798"),
        ("Cheques of other houses", "$10.25"),
        ("Opening count", "−$6,000"),
        ("Fills from the cage", "−$2,102.50"),
        ("Coupons taken, paid from the tray", "$25.50"),
    ):
        line = figures.locator("summary").filter(has_text=title)
        expect(line.locator("b")).to_have_text(amount)
    figures.get_by_text("Closing count", exact=True).click()
    expect(pit.get_by_role("link", name=closer.serial)).to_be_visible()
    for shift, won in (("Day shift", "+$1,438.25"), ("Swing shift", "Not yet"),
                       ("Grave shift", "+$365")):  # fmt: skip
        pit.get_by_role("navigation", name="Period").get_by_role("link", name=shift).click()
        expect(pit.get_by_role("navigation", name="Period").locator("[aria-current]")).to_have_text(
            shift
        )
        assert final_win(pit) == won, shift
    pit.get_by_role("link", name="All tables of").click()
    expect(pit.get_by_role("row", name="House")).to_contain_text("+$1,803.25")

    # The new day has seen no play, and its opener is the closer.
    pit.goto("/tables/BJ-11/win/")
    expect(pit.locator("#main")).to_contain_text("No play was counted")
    pit.goto(f"/board/{cast.pit.pk}/")
    tile = pit.locator("#t-BJ-11")
    # Tables take no cheques of other houses: that comes first, until the pit manager explains it.
    expect(tile).to_contain_text("Other houses’ cheques")
    sign_in(office, cast.carol)
    office.goto(f"/board/{cast.pit.pk}/")
    office.locator("#t-BJ-11").get_by_role("link", name="Other houses’ cheques").click()
    office.get_by_label("Explanation").fill("A new dealer took them. He was told.")
    sign_on_pad(office, cast.carol, "Sign the explanation")
    expect(tile).to_contain_text("Opener must match closer: $6,597.50")
    assert all(balance.adds_up and balance.public >= 0 for balance in balances())
    assert counts_off_the_ledger() == []
    assert verify().is_sound
