"""The terminal of a wheel in a browser: a bet is chosen, checked, and paid."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tables.models import PayoutCheck
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.felt import felt_at
from tests.floor.setups import set_up

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
RO_1 = {
    "name": "RO-1",
    "pit": "Pit 1",
    "game": "roulette",
    "minimum": "15",
    "maximum": "2,000",
    "par_2500": "100",
    "blackjack_pays": "double_zero",
}


def test_a_bet_at_a_wheel_is_checked_at_its_terminal(cast: Cast, open_tablet: OpenTablet) -> None:
    cast.table = set_up(cast, RO_1)
    for felt in felt_at(cast, open_tablet):
        page, main = felt.page, felt.page.locator("#main")
        page.get_by_label("Result", exact=True).fill("17")
        page.get_by_role("button", name="Dozen", exact=True).tap()
        page.get_by_role("group", name="Which").get_by_role("button", name="2").tap()
        page.get_by_label("Stake, $").fill("50")
        page.get_by_label("Payout on top, $").fill("100")
        assert troubles(page) == []
        page.get_by_role("button", name="Check", exact=True).tap()
        expect(main).to_contain_text("Right. Pay $100.")
        page.get_by_role("button", name="Paid $100").tap()
        expect(main).to_contain_text("$100 paid.")
        page.get_by_role("button", name="Next bet").tap()
        expect(page.get_by_label("Result", exact=True)).to_have_value("17")
    check = PayoutCheck.objects.get()
    assert (check.verdict, check.claim["extra"]["which"]) == ("right", 2)
