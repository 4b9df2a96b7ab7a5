"""The dealer's terminal in a browser: payouts from the tap to the supervisor's signature."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import FloorException
from pitboss.rules.roles import Place
from pitboss.services.devices import offer_device
from tables.models import (
    MismatchSettlement,
    PayoutCheck,
    PayoutConfirmation,
    Round,
    ShoeMark,
)
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.cast import Cast
from tests.hands import be_device, sign_in, sign_on_pad
from tests.paying import TRAY

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NINES = ("9c", "9d", "9s")
TAPS_MOST = 8


class Taps:
    """A finger on a terminal; it counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def tap(self, *names: str) -> None:
        """Tap what the page calls so in data-k."""
        for name in names:
            self.page.locator(f'[data-k="{name}"]').tap()
            self.count += 1

    def check(self, *names: str) -> str:
        """Key a payout and have it checked; return the verdict."""
        self.count = 0
        self.tap(*names, "check")
        verdict = self.page.locator("[data-verdict]")
        expect(verdict).to_be_visible()
        return verdict.get_attribute("data-verdict") or ""


@pytest.fixture
def taps(cast: Cast, open_tablet: OpenTablet) -> Iterator[Taps]:
    """Open a table, and put a terminal at it by a code that a manager got."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    code = offer_device(
        name="Terminal BJ-11", place=Place.PIT, pit=None, table=cast.table, actor=cast.carol
    )
    page = open_tablet()
    page.goto("/terminal/")
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Enrol").tap()
    expect(page.get_by_role("heading", name=cast.table.name)).to_be_visible()
    assert page.context.cookies() == [], "a terminal has a token and no session"
    yield Taps(page)
    assert page.context.cookies() == []


def test_a_right_an_overpaid_and_an_unverifiable_payout_go_from_terminal_to_supervisor(
    cast: Cast, taps: Taps, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    supervisor = open_tablet()
    be_device(supervisor.context, cast.devices[Place.PIT], live_server.url)
    sign_in(supervisor, cast.alice)
    supervisor.goto("/inbox/")
    inbox = supervisor.locator("#inbox")

    # Right: three nines, 90 to 1 on $5. Wager, stake, three cards, the row it pays, Check.
    assert taps.check("Wager-super_3", "stake-500", *NINES, "award-45000") == "right"
    assert taps.count <= TAPS_MOST
    main = taps.page.locator("#main")
    expect(main).to_contain_text("Right. Pay $450.")
    expect(main).to_contain_text("4 black")
    assert troubles(taps.page) == []
    taps.tap("paid-45000")
    expect(main).to_contain_text("As it should be.")
    expect(inbox).to_contain_text("Nothing waits for you")

    # Overpaid, and confirmed so: it stands before the supervisor within three seconds.
    taps.tap("next")
    assert taps.check(*NINES, "award-90000") == "overpaid"
    expect(main).to_contain_text("Do not pay $900. Owed $450.")
    assert not FloorException.objects.exists()
    taps.tap("paid-90000")
    expect(main).to_contain_text("The supervisor is told.")
    expect(inbox).to_contain_text("Super 3 overpaid by $450", timeout=3_000)
    inbox.get_by_role("link", name="See the proof").click()
    proof = supervisor.locator("#main")
    expect(proof).to_contain_text("super_3.three_of_a_kind")
    expect(proof).to_contain_text("Take back")
    assert troubles(supervisor) == []
    sign_on_pad(supervisor, cast.alice, "Corrected, $450 paid")
    expect(supervisor.locator("#inbox")).to_contain_text("Nothing waits for you")
    expect(main).to_contain_text("Corrected: $450 stands.", timeout=5_000)

    # Unverifiable: the dealer's hand is not played out, and the dealer pays all the same.
    taps.tap("next")
    keyed = ("Wager-blackjack", "stake-2500", "9c", "9d", "9s", "5h", "award-2500")
    assert taps.check(*keyed) == "cannot_verify"
    assert taps.count <= TAPS_MOST
    taps.tap("paid-2500")
    expect(main).to_contain_text("The supervisor is told.")
    expect(inbox).to_contain_text("paid $25 that nobody verified", timeout=3_000)
    inbox.get_by_role("link", name="See the proof").click()
    supervisor.get_by_role("link", name="Let it stand").click()
    expect(supervisor.locator("#main")).to_contain_text("for this reason")
    supervisor.get_by_label("Why").fill("Dealer had 14 and drew a ten.")
    sign_on_pad(supervisor, cast.alice, "Let $25 stand")
    expect(main).to_contain_text("$25 stands all the same.", timeout=5_000)
    ways = MismatchSettlement.objects.order_by("pk").values_list("way", "stands_cents")
    assert list(ways) == [("corrected", 45_000), ("overridden", 2_500)]

    # Ace and king pay 3 to 2; of a pair that was split they are 21, and pay even money.
    taps.tap("next")
    assert taps.check("Ah", "Kd", "9s", "Th", "award-2500") == "underpaid"
    taps.tap("next")
    # Even money goes with no split: the later tap takes the earlier one's place.
    keyed = ("Ah", "Kd", "9s", "Th", "played-even_money", "played-split", "award-2500")
    assert taps.check(*keyed) == "right"
    assert taps.count <= TAPS_MOST


def test_what_is_keyed_without_a_line_is_kept_and_sent_once_as_late(cast: Cast, taps: Taps) -> None:
    page = taps.page
    main = page.locator("#main")
    page.context.set_offline(True)
    expect(page.locator("#bar")).to_contain_text("No line")
    taps.tap("Wager-super_3", "stake-500", *NINES, "award-90000", "check")
    expect(main).to_contain_text("Not checked.")
    # The dealer pays by heart, and says so; that follows from an answer that has not come.
    taps.tap("paid-90000")
    expect(page.locator("#bar")).to_contain_text("2 kept")
    assert not PayoutCheck.objects.exists()

    # The first answer is lost on its way back: the server has it, the terminal does not know.
    lost: list[str] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.request.headers["idempotency-key"])
        assert route.fetch().status == 201
        route.abort()

    page.route("**/api/v1/checks", lose)
    page.context.set_offline(False)
    page.reload()
    expect(page.locator("#bar")).to_contain_text("Live")
    expect(page.locator("#bar")).not_to_contain_text("kept")
    taps.tap("act-recent")
    expect(main).to_contain_text("Sent late")
    expect(main).to_contain_text("Supervisor told")
    assert lost
    assert (PayoutCheck.objects.count(), PayoutConfirmation.objects.count()) == (1, 1)
    assert PayoutConfirmation.objects.get().paid_cents == 90_000


def test_a_round_is_told_and_the_dealer_reads_the_table_taps_out_and_calls(
    cast: Cast, taps: Taps
) -> None:
    page = taps.page
    main = page.locator("#main")
    taps.tap("act-round", "begin", "seat-3", "seats-done", "lay-2500", "bets-done")
    taps.tap("Ts", "9s", "Td", "8h", "end")
    expect(main).to_contain_text("The round has ended.")
    round_ = Round.objects.get()
    assert round_.ended_at is not None
    assert round_.log["dealer_cards"] == ["9s", "8h"]
    assert [seat["cards"] for seat in round_.log["seats"]] == [["Ts", "Td"]]

    # Between two rounds the shoe is marked; what is marked twice says why not.
    for mark, answer in (
        ("shuffle", "Shuffle marked."),
        ("deal", "The shuffle took"),
        ("deal", "is marked already"),
        ("stop", "Shoe broken down marked."),
    ):
        taps.tap(f"shoe-{mark}")
        expect(main).to_contain_text(answer)
    assert troubles(page) == []
    assert list(ShoeMark.objects.order_by("pk").values_list("mark", flat=True)) == [
        "shuffle",
        "deal",
        "stop",
    ]

    taps.tap("act-table")
    expect(main).to_contain_text("Paid in this order")
    expect(main).to_contain_text("270 to 1")
    assert troubles(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    taps.tap("act-check")
    assert troubles(page) == []
    taps.tap("call")
    expect(page.locator("#bar")).to_contain_text("Called")
    taps.tap("dealer")
    main.get_by_role("button", name="Tap out").tap()
    page.get_by_label("Badge").fill(cast.dan.badge)
    page.get_by_label("PIN").fill(cast.pen(cast.dan).pin)
    main.locator("[type=submit]").tap()
    expect(page.locator("#news")).to_contain_text("Tapped out.")
    assert FloorException.objects.get().code == "supervisor_called"
