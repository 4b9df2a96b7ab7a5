"""After a signature: where to go on. Before it: the badge of who is signed in is filled in."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from pitboss.rules.roles import Place
from pitboss.templatetags.floor import tubes
from tests.floor.cage import open_with, send_credit
from tests.floor.cast import Cast
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db


def badge_on(page: str) -> str:
    found = re.search(r'id="badge" name="badge" value="([^"]*)"', page)
    assert found
    return found[1]


def test_the_badge_of_who_is_signed_in_is_filled_in_where_the_step_is_theirs(cast: Cast) -> None:
    slip = cast.ask()
    address = reverse("slip", args=[slip.serial])
    page = words(signed_in(cast.erin, cast, Place.CAGE).get(address))
    assert badge_on(page) == cast.erin.badge
    # Who cannot sign this step scans the badge of who can.
    page = words(signed_in(cast.olga, cast, Place.CAGE).get(address))
    assert badge_on(page) == ""


def test_a_slip_that_needs_nothing_here_leads_to_the_next_and_back_to_its_table(
    cast: Cast,
) -> None:
    first, second = cast.ask(), cast.ask({2_500: 40})
    cast.deliver(first)
    page = words(signed_in(cast.alice, cast).get(reverse("slip", args=[first.serial])))
    assert "Back to BJ-11" in page
    assert "Next:" not in page
    page = words(signed_in(cast.erin, cast, Place.CAGE).get(reverse("slip", args=[first.serial])))
    assert "Next: BJ-11 · Fill $1,000" in page
    assert reverse("slip", args=[second.serial]) in page
    assert "Back to Cage" in page


def test_a_tray_says_that_it_is_expected_and_never_draws_less_than_nothing(cast: Cast) -> None:
    open_with(cast, {2_500: 40, 500: 60})
    send_credit(cast, {2_500: 60})
    page = words(signed_in(cast.alice, cast).get(reverse("table", args=["BJ-11"])))
    assert "expected, last counted" in page
    assert "More $25 green went out than the last count showed." in page
    assert "$25 green: 0 cheques" in page
    assert [tube.held for tube in tubes({2_500: -20, 500: 60})] in ([60, 0], [0, 60])
