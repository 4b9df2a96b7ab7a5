"""Ratings: ten thousand theos in pure Python, beside settling as many bets."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from bench.measuring import Measure, measure_in_turn
from pitboss.rules.cards.playing_cards import DECK
from pitboss.rules.ratings.theo import MainAction, SideAction, theo
from pitboss.rules.wagers import side_bets
from pitboss.rules.wagers.settle import settle

STAYS = 10_000
SEED = 21


def run() -> Iterator[Measure]:
    """Measure what theo promises."""
    yield from pure_theo()


def pure_theo() -> Iterator[Measure]:
    """Work out ten thousand theos beside settling as many TriLux bets."""
    random = Random(SEED)
    hands = [random.sample(DECK, 3) for _ in range(STAYS)]
    cases: list[dict[str, Any]] = [
        {
            "wager": "trilux",
            "paytable": "TRI-02",
            "stake_cents": 500,
            "player_cards": [hand[0].name, hand[1].name],
            "dealer_up": hand[2].name,
            "extra": {},
        }
        for hand in hands
    ]
    edge, side = Fraction(4_059, 1_000_000), Fraction(4_059, 125_333)
    # Whole cents, as told rounds add up to.
    actions = [Fraction(random.randint(1, 10**7)) for _ in range(STAYS)]

    def settle_all() -> None:
        for case in cases:
            settle(case)

    def theo_of(taken_bets: int) -> None:
        for action in actions:
            taken = [SideAction("trilux", action, side)] * taken_bets
            _ = theo(MainAction(action, edge, 80), taken).cents

    seconds = measure_in_turn(
        [
            (settle_all, side_bets.forget_verdicts),
            (lambda: theo_of(0), None),
            (lambda: theo_of(1), None),
        ]
    )
    bare = Measure("settle one TriLux bet, every hand new", seconds[0], STAYS)
    yield bare
    # One wager against one bet, two against two.
    for name, spent, wagers in (
        ("theo of a stay", seconds[1], 1),
        ("theo of a stay with a side bet", seconds[2], 2),
    ):
        limit = bare.seconds * wagers
        yield Measure(name, spent, STAYS, baseline=bare, limit_seconds=limit)
