"""The felt in a browser: a dealer's order of taps, what every seat is owed, what is stored."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import FloorException
from pitboss.rules.roles import Place
from tables.models import PayoutCheck, PayoutConfirmation, Round
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.felt import Felt, felt_at
from tests.floor.hands import be_device, sign_in
from tests.floor.house import change
from tests.floor.meters import play, sevens

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TAPS_MOST = 18


@pytest.fixture
def felt(cast: Cast, open_tablet: OpenTablet) -> Iterator[Felt]:
    """Open a table, and put a terminal at it."""
    yield from felt_at(cast, open_tablet)


def lay_bets(felt: Felt) -> None:
    """Put down the bets of the drawn round; they stay for the next."""
    felt.bet(5, "blackjack", 2_500, 2_500, 2_500)
    felt.bet(4, "blackjack", 2_500, 2_500)
    felt.bet(4, "trilux", 2_500, 500, 500, 500, 500)
    felt.bet(3, "blackjack", 2_500)
    felt.bet(2, "blackjack", 10_000)
    felt.bet(2, "trilux", 500)
    felt.bet(1, "blackjack", 2_500)


def test_five_seats_take_at_most_18_taps_and_every_seat_shows_what_it_is_owed(
    cast: Cast, felt: Felt, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    supervisor = open_tablet()
    be_device(supervisor.context, cast.devices[Place.PIT], live_server.url)
    sign_in(supervisor, cast.alice)
    lay_bets(felt)

    # The dealer's hand first, which closes itself; then from the right to the left.
    felt.is_next("dealer")
    felt.ranks("9 2 7")
    for seat, dealt in ((5, "T 9"), (4, "7 8 5"), (3, "A K"), (2, "T 4 4"), (1, "T 6 Q")):
        felt.is_next(f"seat {seat}")
        felt.ranks(dealt)
    felt.owes(5, "$75", "19 beats 18")
    felt.owes(4, "$455", "Straight, 9 to 1")
    felt.owes(3, "$37.50", "Blackjack, 3 to 2")
    felt.owes(1, "$0", "Bust")
    # Only TriLux at seat 2 turns on suits, and one tap says it.
    expect(felt.seat(2)).to_contain_text("TriLux: suits?")
    felt.tap("not-suited")
    felt.owes(2, "$0", "18 ties 18")
    expect(felt.page.locator(".rc--r")).to_contain_text("$567.50 owed")

    # $405 waits for the supervisor, who was asked without a tap.
    expect(felt.seat(4)).to_contain_text("Waiting for approval")
    assert troubles(felt.page) == []
    felt.tap("end")
    assert felt.count <= TAPS_MOST
    expect(felt.page.locator("#news")).to_contain_text("3 payouts stored.")
    paid = PayoutConfirmation.objects.order_by("check_of__paid_cents")
    assert [payout_confirmation.paid_cents for payout_confirmation in paid] == [3_750, 5_000, 7_500]
    assert set(PayoutCheck.objects.values_list("verdict", flat=True)) == {"right"}
    assert not FloorException.objects.filter(code="payout_differs").exists()
    supervisor.goto("/inbox/")
    expect(supervisor.locator("#inbox")).to_contain_text("$405")

    # The bets stay; the cards are gone, and the next round begins with the dealer.
    expect(felt.seat(4).locator(".rt__bets")).to_contain_text("$45")
    felt.is_next("dealer")
    assert felt.page.locator(".rt .rk").count() == 0
    # What waits is in sight until it is approved and paid, whatever is dealt meanwhile.
    left = felt.page.locator(".rleft")
    expect(left).to_contain_text("Seat 4, TriLux: $405 waiting for approval")
    assert troubles(felt.page) == []
    # On the board it is one tap, along the lower edge, whatever is scrolled.
    supervisor.goto(f"/board/{cast.pit.pk}/")
    asking = supervisor.locator("#asking")
    expect(asking).to_contain_text("Payout of $405 on TriLux, seat 4.")
    expect(asking).to_be_in_viewport(ratio=1)
    assert troubles(supervisor) == []
    asking.get_by_role("button", name="Approve").tap()
    expect(supervisor.locator("#board")).to_be_visible()
    expect(asking.get_by_role("button")).to_have_count(0)
    with felt.page.expect_response(lambda answer: answer.url.endswith("/paid")):
        left.get_by_role("button", name="Seat 4, TriLux: paid $405").tap()
    expect(left).to_have_count(0)
    assert PayoutConfirmation.objects.filter(paid_cents=40_500).count() == 1


def test_a_natural_is_paid_before_the_dealers_second_card_and_the_next_card_is_the_dealers(
    felt: Felt,
) -> None:
    felt.bet(5, "blackjack", 2_500, 2_500)
    felt.bet(3, "blackjack", 10_000)
    felt.ranks("9")
    felt.tap("seat-3")
    felt.ranks("A K")
    felt.owes(3, "$150", "Blackjack, 3 to 2")
    felt.is_next("dealer")
    felt.ranks("8")
    felt.is_next("seat 5")
    # A low hand that stood is left by going on; a soft one never closes itself.
    felt.ranks("A 6")
    felt.is_next("seat 5")
    felt.ranks("T")
    expect(felt.page.locator(".rc--l b")).to_have_text("All hands entered")
    felt.owes(5, "$0", "17 ties 17")
    # No hand is open: a rank that is tapped falls nowhere.
    felt.ranks("2")
    assert felt.page.locator(".rt .rk").count() == 5
    assert troubles(felt.page) == []


def test_a_double_has_an_amount_and_a_split_is_owed_hand_by_hand(felt: Felt) -> None:
    felt.bet(4, "blackjack", 10_000)
    felt.bet(2, "blackjack", 10_000)
    felt.ranks("9 8")
    felt.ranks("6 5")
    felt.tap("double", "for-less", "key-4", "key-0", "amount-done")
    felt.ranks("9")
    felt.owes(4, "$140", "20 beats 17")
    felt.is_next("seat 2")
    felt.ranks("8 8")
    felt.tap("split")
    felt.ranks("T T")
    felt.owes(2, "$200", "Hand 1: 18 beats 17")
    expect(felt.seat(2)).to_contain_text("Hand 2: 18 beats 17")
    # What is written of a hand is what was dealt to it.
    assert felt.seat(2).locator(".rkhand").count() == 2
    assert troubles(felt.page) == []
    felt.tap("undo", "undo", "undo")
    expect(felt.seat(2).locator(".rkhand")).to_have_count(1)


def test_no_key_moves_while_a_round_is_entered(felt: Felt) -> None:
    """A key that came or went would put the next one under the finger that is on its way."""
    felt.bet(4, "blackjack", 2_500)
    felt.bet(4, "trilux", 500)
    felt.bet(2, "blackjack", 2_500)
    keys = ("rank-A", "double", "split", "suited", "not-suited", "suit-s", "end", "undo")

    def places() -> list[list[float]]:
        """Read all at once: the felt is drawn again at every tap and every answer."""
        read: list[list[float]] = felt.page.evaluate(
            """keys => keys.map(key => {
                const box = document.querySelector(`[data-k="${key}"]`).getBoundingClientRect();
                return [box.x, box.y];
            })""",
            list(keys),
        )
        return read

    before = places()
    felt.ranks("9 8 T 4")
    expect(felt.seat(4)).to_contain_text("TriLux: suits?")
    assert places() == before
    felt.tap("double")
    expect(felt.seat(4)).to_contain_text("Doubled")
    assert places() == before
    felt.ranks("3")
    felt.tap("not-suited")
    felt.owes(4, "$0", "17 ties 17")
    assert places() == before


def test_cards_are_entered_by_a_keyboard_or_a_scanner(felt: Felt) -> None:
    felt.bet(5, "blackjack", 2_500)
    felt.bet(5, "trilux", 500)
    felt.bet(5, "super_3", 500)
    # A scanner types rank and suit; a ten is 10.
    felt.page.keyboard.type("9s8h")
    felt.page.keyboard.type("10h")
    felt.page.keyboard.type("9D")
    felt.owes(5, "$25", "19 beats 17")
    expect(felt.seat(5)).to_contain_text("No win")
    felt.page.keyboard.press("Backspace")
    felt.page.keyboard.press("Backspace")
    felt.is_next("seat 5")


def test_a_round_of_a_meter_starts_with_the_first_card_and_its_lit_seats_and_ends_with_the_felt(
    cast: Cast, felt: Felt
) -> None:
    play("blazing_7s", cast.table)
    felt.page.reload()
    felt.bet(2, "blackjack", 2_500)
    felt.bet(2, "blazing_7s", 500)
    # Only what this game has is on the screen.
    assert felt.page.locator('[data-k="surrender"]').count() == 0
    felt.ranks("9 8 T 9")
    expect(felt.page.locator('[data-k="end"]')).to_contain_text("End round ")
    felt.owes(2, "$25", "19 beats 17")
    felt.tap("end")
    expect(felt.page.locator("#news")).to_contain_text("1 payout stored.")
    expect(felt.page.locator('[data-k="end"]')).to_contain_text("Tap the dealer’s cards first")
    round_ = Round.objects.get()
    assert [(seat["seat"], seat["lit"]) for seat in round_.log["seats"]] == [(2, ["blazing_7s"])]
    assert round_.outcome == "unverified"


def test_a_jackpot_is_offered_by_the_cards_and_nothing_is_entered_twice(
    cast: Cast, felt: Felt
) -> None:
    sevens(cast)
    felt.page.reload()
    felt.bet(2, "blazing_7s", 500)
    felt.ranks("7d")
    felt.tap("seat-2")
    felt.ranks("7h 7h")
    felt.tap("enter-2")
    main = felt.page.locator("#main")
    expect(main.locator('[data-k="at-2"]')).to_have_attribute("aria-pressed", "true")
    expect(main.locator(".hand .pc")).to_have_count(3)
    expect(main.get_by_role("button", name="Stop the meter")).to_be_visible()


def test_a_house_may_ask_what_is_about_to_be_paid_before_it_says_what_is_owed(
    cast: Cast, felt: Felt
) -> None:
    change(cast, "felt.shows", "about_to_pay")
    felt.page.reload()
    felt.bet(5, "blackjack", 2_500)
    felt.bet(3, "blackjack", 2_500)
    felt.ranks("9 8 T 9 T T")
    expect(felt.seat(3)).to_contain_text("Pay?")
    assert felt.page.locator(".rt__owed").count() == 0
    felt.tap("line-5:blackjack:0", "key-2", "key-5", "amount-done")
    felt.owes(5, "$25", "19 beats 17")
    felt.tap("line-3:blackjack:0", "key-5", "key-0", "amount-done")
    expect(felt.seat(3)).to_contain_text("Wrong")
    felt.owes(3, "$25", "20 beats 17")
    assert troubles(felt.page) == []
    felt.tap("end")
    # What was right is paid with the round; what was wrong waits for what the dealer says.
    felt.tap("act-recent")
    expect(felt.page.locator("#main")).to_contain_text("Overpaid")
    expect(felt.page.locator("#bar")).to_have_text(re.compile("Live"))
    check = PayoutCheck.objects.get(verdict="right")
    assert PayoutConfirmation.objects.get().check_of == check


def test_a_house_may_want_every_bet_checked_and_hears_of_a_round_that_was_not(
    cast: Cast, felt: Felt
) -> None:
    change(cast, "felt.must_check", "all")
    felt.page.reload()
    felt.bet(5, "blackjack", 2_500)
    felt.bet(3, "blackjack", 2_500)
    felt.ranks("9 8 T 9")
    felt.tap("end")
    expect(felt.page.locator("#main")).to_contain_text("Seat 3 not checked.")
    assert troubles(felt.page) == []
    felt.tap("check-now")
    felt.is_next("seat 3")
    felt.tap("end", "end-unchecked")
    expect(felt.page.locator("#news")).to_contain_text("1 payout stored.")
    floor_exception = FloorException.objects.get(code="bets_unchecked")
    assert floor_exception.sentence.endswith("a round ended unchecked. Seat 3.")


def test_a_felt_is_read_in_spanish_and_back_with_its_round_as_it_was(felt: Felt) -> None:
    felt.bet(5, "blackjack", 2_500)
    felt.ranks("9 2 7 T")
    felt.tap("bar-es")
    root = felt.page.locator("html")
    expect(root).to_have_attribute("lang", "es")
    expect(felt.seat(5)).to_contain_text("Asiento 5")
    expect(felt.page.locator('[data-k="end"]')).to_contain_text("Terminar ronda")
    expect(felt.page.locator("#acts")).to_contain_text("Historial")
    # Without a connection too: the page brought its words along.
    felt.page.context.set_offline(True)
    expect(felt.page.locator("#bar")).to_contain_text("Sin conexión")
    felt.page.context.set_offline(False)
    expect(felt.page.locator("#bar")).to_contain_text("En línea")
    felt.page.reload()
    expect(felt.seat(5)).to_contain_text("Asiento 5")
    felt.tap("dealer")
    expect(felt.page.get_by_label("Gafete")).to_be_visible()
    assert troubles(felt.page) == []
    felt.tap("language-en")
    expect(felt.page.get_by_label("Badge")).to_be_visible()
    felt.tap("act-felt")
    expect(felt.seat(5)).to_contain_text("Seat 5")
