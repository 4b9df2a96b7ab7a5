"""The dealer's terminal in a browser: payouts from the tap to the supervisor's signature."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import close_old_connections
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import Device, FloorException, JournalEntry
from pitboss.rules.roles import Place
from tables.models import (
    Mismatch,
    MismatchSettlement,
    PayoutCheck,
    PayoutConfirmation,
    ShoeMark,
)
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.faulty_proxy import FaultyProxy
from tests.floor.cast import Cast
from tests.floor.felt import Felt, felt_at
from tests.floor.hands import be_device, sign_in, sign_on_pad

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NINES = "9c 9d"


@pytest.fixture
def taps(cast: Cast, open_tablet: OpenTablet) -> Iterator[Felt]:
    """Open a table, and put a terminal at it by a code that a manager got."""
    yield from felt_at(cast, open_tablet)


def deal_nines(taps: Felt) -> None:
    """Three nines: the dealer's up card, then the seat, whose TriLux pays 9 to 1."""
    taps.ranks("9s")
    taps.tap("seat-5")
    taps.ranks(NINES)


def paid_otherwise(taps: Felt, line: str, dollars: int) -> None:
    """Say that a bet was paid another amount, and have that checked."""
    taps.tap(f"line-{line}", *(f"key-{digit}" for digit in str(dollars)), "amount-done")


def test_a_right_an_overpaid_and_an_unverifiable_payout_go_from_terminal_to_supervisor(
    cast: Cast, taps: Felt, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    supervisor = open_tablet()
    be_device(supervisor.context, cast.devices[Place.PIT], live_server.url)
    sign_in(supervisor, cast.alice)
    supervisor.goto("/inbox/")
    inbox = supervisor.locator("#inbox")
    main, tile = taps.page.locator("#main"), taps.seat(5)

    # Right, before the dealer's second card. $450 waits for the supervisor, who is asked by itself.
    taps.bet(5, "trilux", 2_500, 2_500)
    deal_nines(taps)
    taps.owes(5, "$450", "Three of a kind, 9 to 1")
    expect(tile).to_contain_text("Waiting for approval")
    assert taps.page.locator('[data-k="paid-5"]').count() == 0
    taps.tap("open-5")
    expect(main).to_contain_text("Already paid")
    assert troubles(taps.page) == []
    expect(inbox).to_contain_text("Payout of $450 on TriLux")
    supervisor.goto(f"/tables/{cast.table.name}/")
    supervisor.get_by_role("button", name="Approve").tap()
    expect(main).to_contain_text(f"Approved by {cast.alice}")
    assert troubles(taps.page) == []
    taps.tap("paid-45000")
    expect(tile).to_contain_text("Paid")
    supervisor.goto("/inbox/")
    expect(inbox).to_contain_text("Your inbox is clear")
    taps.tap("entry-back", "end")

    # Overpaid, and confirmed so: it stands before the supervisor within three seconds.
    deal_nines(taps)
    expect(tile).to_contain_text("Waiting for approval")
    paid_otherwise(taps, "5:trilux:0", 900)
    expect(tile).to_contain_text("Wrong")
    assert not FloorException.objects.filter(code="payout_differs", resolved_at=None).exists()
    taps.tap("open-5")
    expect(main).to_contain_text("Do not pay $900.")
    taps.tap("paid-90000")
    expect(main).to_contain_text("Leave the cheques in place.")
    expect(inbox).to_contain_text("TriLux overpaid by $450")
    differs = inbox.get_by_role("article").filter(has_text="overpaid")
    differs.get_by_role("link").first.click()
    proof = supervisor.locator("#main")
    expect(proof).to_contain_text("trilux.three_of_a_kind")
    expect(proof).to_contain_text("Collect")
    assert troubles(supervisor) == []
    sign_on_pad(supervisor, cast.alice, "Corrected, $450 paid")
    expect(main).to_contain_text("Corrected: $450 stands.")
    taps.tap("entry-back", "end")

    # Unverifiable: the dealer's hand is not played out, and the dealer pays all the same.
    taps.bet(4, "blackjack", 2_500)
    taps.ranks("9 5")
    taps.tap("seat-4")
    taps.ranks("9 9")
    expect(taps.seat(4)).to_contain_text("Blackjack: waits")
    paid_otherwise(taps, "4:blackjack:0", 25)
    taps.tap("open-4", "paid-2500")
    expect(main).to_contain_text("Leave the cheques in place.")
    assert Mismatch.objects.order_by("pk").values_list("owed_cents", "paid_cents").last() == (
        None,
        2_500,
    )
    ways = MismatchSettlement.objects.values_list("way", "stands_cents")
    assert list(ways) == [("corrected", 45_000)]


def test_a_bet_under_the_minimum_is_right_with_a_warning(taps: Felt) -> None:
    taps.bet(3, "blackjack", 500)
    taps.ranks("9 8")
    taps.ranks("T 9")
    taps.owes(3, "$5", "19 beats 17")
    expect(taps.seat(3)).to_contain_text("minimum here is $25")


def test_what_is_entered_without_a_line_is_kept_and_sent_once_as_late(
    cast: Cast, taps: Felt
) -> None:
    page = taps.page
    tile = taps.seat(5)
    taps.bet(5, "trilux", 2_500, 2_500)
    page.context.set_offline(True)
    expect(page.locator("html")).to_have_class(re.compile("no-line"))
    deal_nines(taps)
    # Nothing is called right that nobody judged: the dealer pays by heart, and says how much.
    expect(tile).to_contain_text("Not checked")
    expect(page.locator(".rc--r")).to_contain_text("Not checked")
    assert troubles(page) == []
    paid_otherwise(taps, "5:trilux:0", 900)
    expect(tile).to_contain_text("$900")
    taps.tap("end")
    expect(page.locator("#bar")).to_contain_text("1 saved")
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

    page.route("**/api/v1/felt/paid", lose)
    page.context.set_offline(False)
    page.reload()
    expect(page.locator("#bar")).to_contain_text("Live")
    expect(page.locator("#news")).to_contain_text("1 payout doesn’t match.")
    expect(page.locator("#bar")).not_to_contain_text("saved")
    assert lost
    assert (PayoutCheck.objects.count(), PayoutConfirmation.objects.count()) == (1, 1)
    assert PayoutConfirmation.objects.get().paid_cents == 90_000


def test_a_card_put_right_ends_the_request_that_was_made_by_the_wrong_one(
    cast: Cast, taps: Felt
) -> None:
    taps.bet(5, "trilux", 2_500, 2_500)
    deal_nines(taps)
    expect(taps.seat(5)).to_contain_text("Waiting for approval")
    with taps.page.expect_response(
        lambda answer: answer.url.endswith("/checks") and answer.status == 201
    ):
        taps.tap("card-5-0-1")
        taps.ranks("8d")
    expect(taps.seat(5)).not_to_contain_text("Waiting for approval")
    first, second = PayoutCheck.objects.order_by("id")
    assert (second.corrects, second.verdict, second.payable_cents) == (first, "right", 0)
    assert not FloorException.objects.filter(code="floor_request", resolved_at=None).exists()


def test_the_terminal_loads_again_without_a_connection_and_says_so(
    cast: Cast, open_tablet: OpenTablet
) -> None:
    def keeping(**options: Any) -> Page:
        return open_tablet(service_workers="allow", **options)

    for taps in felt_at(cast, keeping):
        page = taps.page
        taps.bet(5, "trilux", 2_500, 2_500)
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-kept", "yes")
        page.context.set_offline(True)
        page.reload()
        expect(page.locator("#bar")).to_contain_text("Offline")
        expect(page.locator("#news")).to_contain_text("Payouts aren’t checked.")
        # The bets lie where they lay, the keys work, and nothing is called right.
        deal_nines(taps)
        expect(taps.seat(5)).to_contain_text("Not checked")
        paid_otherwise(taps, "5:trilux:0", 450)
        # A bust has lost, whoever is asked; all else waits for the server.
        taps.bet(4, "blackjack", 2_500)
        taps.bet(3, "blackjack", 2_500)
        taps.tap("seat-4")
        taps.ranks("T 6 Q")
        expect(taps.seat(4)).to_contain_text("bust, bet taken")
        expect(taps.seat(4)).to_contain_text("Lost")
        taps.tap("seat-3")
        taps.ranks("T 9")
        expect(taps.seat(3)).to_contain_text("Not checked")
        expect(taps.seat(3)).not_to_contain_text("Lost")
        taps.tap("end")
        expect(page.locator("#bar")).to_contain_text("1 saved")
        page.context.set_offline(False)
        expect(page.locator("#bar")).to_contain_text("Live")
        expect(page.locator("#bar")).not_to_contain_text("saved")
        assert PayoutConfirmation.objects.get().paid_cents == 45_000


def test_payouts_whose_commit_was_not_answered_are_sent_again_and_found(
    cast: Cast, database_proxy: FaultyProxy, taps: Felt
) -> None:
    """The database has stored them, and nobody was told: the terminal asks again by itself."""
    taps.bet(5, "blackjack", 2_500)
    taps.ranks("9 8")
    taps.ranks("T 9")
    taps.owes(5, "$25", "19 beats 17")
    database_proxy.cut_answer_of(b"COMMIT", after=b'INSERT INTO "tables_payoutconfirmation"')
    taps.tap("end")
    expect(taps.page.locator("html")).to_have_class(re.compile("no-line"))
    database_proxy.heal()
    expect(taps.page.locator("#news")).to_contain_text("1 payout stored.")
    assert database_proxy.cuts == 1
    close_old_connections()
    assert (PayoutCheck.objects.count(), PayoutConfirmation.objects.count()) == (1, 1)
    assert PayoutConfirmation.objects.get().paid_cents == 2_500


def test_a_wrong_card_is_put_right_in_two_taps_and_undone_in_one(taps: Felt) -> None:
    taps.bet(3, "blackjack", 2_500)
    taps.ranks("9 8")
    taps.ranks("T 9")
    taps.owes(3, "$25", "19 beats 17")
    # 9 for 6: the card, then the right one.
    taps.count = 0
    taps.tap("card-3-0-1", "rank-6")
    assert taps.count == 2
    taps.owes(3, "$0", "16 loses to 17")
    expect(taps.page.locator('[data-k="undo"]')).to_contain_text("Undo 9 to 6")
    taps.tap("undo")
    taps.owes(3, "$25", "19 beats 17")
    # A card that the dealer could not have drawn: nothing is called right.
    taps.tap("seat-dealer", "rank-2")
    expect(taps.seat(3)).to_contain_text("Can’t verify")
    assert taps.seat(3).locator(".rt__owed").count() == 0
    assert troubles(taps.page) == []


def test_the_dealer_marks_the_shoe_reads_the_table_taps_out_and_calls(
    cast: Cast, taps: Felt
) -> None:
    page = taps.page
    main = page.locator("#main")
    taps.tap("act-shoe")
    # Between two rounds the shoe is marked; what is marked twice says why not.
    for mark, answer in (
        ("shuffle", "Shuffle marked."),
        ("deal", "The shuffle took"),
        ("deal", "is already marked"),
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
    taps.tap("act-felt")
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


def test_a_terminal_renews_its_token_each_day_by_itself(cast: Cast, taps: Felt) -> None:
    page = taps.page
    terminal = Device.objects.get(table=cast.table)
    before = terminal.token_hash
    first = page.evaluate("localStorage['pitboss-terminal-token']")
    page.reload()
    expect(page.get_by_role("heading", name=cast.table.name)).to_be_visible()
    assert page.evaluate("localStorage['pitboss-terminal-token']") == first

    page.evaluate("localStorage['pitboss-terminal-token-at'] = Date.now() - 25 * 3600 * 1000")
    page.reload()
    expect(page.get_by_role("heading", name=cast.table.name)).to_be_visible()
    page.wait_for_function("(first) => localStorage['pitboss-terminal-token'] !== first", arg=first)
    # Its first use makes it the one that counts.
    page.reload()
    expect(page.get_by_role("heading", name=cast.table.name)).to_be_visible()
    terminal.refresh_from_db()
    assert terminal.token_hash not in (before, "")
    assert terminal.old_token_hash == before
    assert JournalEntry.objects.filter(kind="token_rotated").count() == 1
