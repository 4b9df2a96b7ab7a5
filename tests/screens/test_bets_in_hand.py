"""The terminal of a wheel in a browser: a bet is chosen, checked, and paid."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pitboss.models import Table
from pitboss.rules.games.table_setup import read_setup
from pitboss.rules.roles import Place
from pitboss.services.shown import request_shown
from pitboss.services.table_changes import new_setup, propose_table
from tables.models import PayoutCheck
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.felt import felt_at

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
    new = new_setup(read_setup(RO_1), None)
    pen = cast.pen(cast.carol, Place.OFFICE)
    slip = propose_table(new, reason="A wheel.", pen=pen, shown=request_shown(new, None))
    cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    cast.table = Table.objects.get(name="RO-1")
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
