"""Told shoes: theo by the count, moves off the chart, and who may read of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pitboss.models import Device
from pitboss.reports.book import BOOK
from pitboss.reports.report import Report, ReportChoice
from pitboss.rules.floor.standards import Mark
from pitboss.rules.roles import Place
from tables.models import PlayRating, Round, ShoeMark
from tests.floor.cast import Cast, ServerClock
from tests.floor.ratings import (
    add_patron,
    know_edge,
    left,
    open_tables,
    seat,
    tells_every_round,
)
from tests.floor.tablets import signed_in
from tests.floor.terminals import make_terminal

pytestmark = pytest.mark.django_db
EDGE = Fraction(4_059, 1_000_000)


def tell_hands(
    cast: Cast,
    device: Device,
    clock: ServerClock,
    cents: int,
    dealer: str,
    *hands: str,
    **more: Any,
) -> None:
    """Tell a round of seat 1: the dealer's cards, and the hands of the seat."""
    clock.move(minutes=2)
    seat_1 = {
        "seat": 1,
        "bets": [{"wager": "blackjack", "stake_cents": cents}] if cents else [],
        "cards": hands[0].split()[:2],
        "hands": [{"cards": hand.split(), **more} for hand in hands],
    }
    Round.objects.create(
        table=cast.table,
        terminal=device,
        started_at=clock.now,
        ended_at=clock.now,
        outcome="settled",
        verdict={},
        log={"seats": [seat_1], "dealer_cards": dealer.split()},
    )


def deal(cast: Cast, device: Device, clock: ServerClock) -> None:
    ShoeMark.objects.create(
        table=cast.table, mark=Mark.DEAL.value, at=clock.now, decks=6, device=device
    )


@pytest.fixture
def told(cast: Cast, server_clock: ServerClock) -> PlayRating:
    """A stay of six hands over two shoes, three of its moves not the chart's."""
    open_tables(cast.table)
    know_edge(cast.table)
    device = make_terminal(cast.table)
    tells_every_round(device)
    deal(cast, device, server_clock)
    rating = seat(cast, add_patron(cast))
    # Hi-Lo of the first round: 7 and 9 count nothing, 6 and 5 one each, two tens against.
    tell_hands(cast, device, server_clock, 2_500, "7s 9d Th", "Tc 6d 5h")
    tell_hands(cast, device, server_clock, 5_000, "7c Kd", "Td 6h")
    # A split, a double by the chart, a surrender of nobody, and a dealer's blackjack.
    tell_hands(cast, device, server_clock, 5_000, "6c 5s 9h", "8s 2c 9c", "8d 9s")
    tell_hands(cast, device, server_clock, 20_000, "6h 4c 4d 5c", "6s 5d 9d", doubles={"main": 1})
    tell_hands(cast, device, server_clock, 20_000, "As Kc", "Th 3c")
    server_clock.move(minutes=1)
    deal(cast, device, server_clock)
    tell_hands(cast, device, server_clock, 2_500, "5h Td 8c", "Tc 2s 9h")
    left(cast, rating)
    return rating


def made(rating: PlayRating, of: str = "") -> Report:
    return BOOK["counts"].make(ReportChoice(rating.gaming_day, rating.gaming_day, of=of))


def lines(report: Report) -> list[dict[str, Any]]:
    (section,) = report.sections
    names = [column.key for column in section.columns]
    return [
        {name: cell.value for name, cell in zip(names, row.cells, strict=True)}
        for row in section.rows
    ]


def test_theo_by_the_count_is_a_second_opinion(told: PlayRating) -> None:
    (line,) = lines(made(told))
    # Running count and cards fallen before each round; the second shoe begins with none.
    before = [(0, 0), (0, 6), (-1, 10), (2, 18), (8, 25), (0, 0)]
    bets = [2_500, 5_000, 5_000, 20_000, 20_000, 2_500]
    step = Fraction(50, 10_000)
    counted = sum(
        bet * (EDGE - Fraction(running * 52, 312 - cards) * step)
        for bet, (running, cards) in zip(bets, before, strict=True)
    )
    assert (line["rounds"], line["staked"]) == (6, 55_000)
    assert line["flat"] == round(55_000 * EDGE)
    assert line["counted"] == round(counted) < line["flat"]
    assert (line["bet"], line["true"]) == (20_000, "+0.4")


def test_departures_are_listed_with_their_exact_cost(told: PlayRating) -> None:
    found = lines(made(told, of=str(told.pk)))
    assert [(line["cards"], line["up"], line["chart"], line["made"]) for line in found] == [
        ("Td 6h", "7c", "hit", "stand"),
        ("Tc 2s", "5h", "stand", "hit"),
    ]
    assert found[0]["exact"] == "27445807592216429/404491992711304410"


def test_counts_are_for_surveillance_alone(cast: Cast, told: PlayRating) -> None:
    for person, place, status in (
        (cast.ivan, Place.SURVEILLANCE, 200),
        (cast.carol, Place.PIT, 403),
        (cast.heidi, Place.OFFICE, 403),
        (cast.ruth, Place.OFFICE, 403),
    ):
        page = signed_in(person, cast, place).get(f"/reports/counts/?from={told.gaming_day}")
        assert page.status_code == status, person
