"""A supervisor asks what a payout should be, now or by the rules of then: nothing is stored."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from pitboss.models import Table
from pitboss.rules.roles import Place
from tables.models import PayoutCheck
from tests.floor.cast import Cast, ServerClock, everything
from tests.floor.tablets import words
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db

COUNTED = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
# Somebody signs in to ask.
SIGNING_IN = ("sessions.Session", "pitboss.Visit", "pitboss.Person")
ASKED = {
    "wager": "super_3",
    "stake": "5",
    "player_cards": "9c 9D",
    "dealer_cards": "9s",
    "paid": "900",
}


def ask(cast: Cast, **changes: str) -> Any:
    client = signed_in(cast.alice, cast.devices[Place.PIT])
    return client.get(reverse("what-if", args=[cast.table.name]), {**ASKED, **changes})


def opened(cast: Cast) -> None:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)


def test_a_supervisor_is_told_the_verdict_and_nothing_is_stored(cast: Cast) -> None:
    opened(cast)
    before = everything(ignoring=SIGNING_IN)
    page = words(ask(cast))
    assert "Overpaid by $450" in page
    assert "super_3.three_of_a_kind" in page
    assert "Right" in words(ask(cast, paid="450"))
    assert "Cannot verify" in words(ask(cast, player_cards="9c"))
    assert everything(ignoring=SIGNING_IN) == before
    assert not PayoutCheck.objects.exists()


def test_how_the_hand_was_played_decides(cast: Cast) -> None:
    opened(cast)
    hand = {"wager": "blackjack", "stake": "25", "dealer_cards": "9c Td"}
    eleven = {**hand, "player_cards": "6h 5d Tc", "paid": "50"}
    assert "Overpaid by $25" in words(ask(cast, **eleven))
    assert "Right" in words(ask(cast, **eleven, played="doubled"))
    split = {**hand, "player_cards": "Ah Kd", "paid": "25"}
    assert "Underpaid by $12.50" in words(ask(cast, **split))
    assert "Right" in words(ask(cast, **split, played="split"))


def test_what_cannot_be_read_is_refused_on_the_page(cast: Cast) -> None:
    opened(cast)
    for changes in ({"player_cards": "9c zz"}, {"stake": "five"}, {"at": "yesterday"}):
        answer = ask(cast, **changes)
        assert answer.status_code == 422


def test_another_time_is_judged_by_the_rules_of_then(server_clock: ServerClock, cast: Cast) -> None:
    opened(cast)
    then = server_clock.now
    server_clock.move(days=3)
    told = words(ask(cast, at=then.strftime("%Y-%m-%dT%H:%M:59+00:00")))
    assert "Overpaid by $450" in told
    early = ask(cast, at="2026-04-01T10:00")
    assert early.status_code == 422
    assert "are on record for that time" in words(early)
    late = ask(cast, at="2027-04-01T10:00")
    assert "is in the future" in words(late)
    assert Table.objects.get(pk=cast.table.pk).is_open
