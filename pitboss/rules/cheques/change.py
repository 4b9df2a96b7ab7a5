"""Make an exact amount from a limited supply of cheques, with as few of them as can be."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.rules.cheques.cheques import ordered

RED = 500
PINK = 250
QUARTER = 25


def holds(supply: Mapping[int, int], cheques: Mapping[int, int]) -> bool:
    """Say whether a supply holds these cheques, colour by colour.

    >>> holds({500: 3}, {500: 3}), holds({2500: 3}, {500: 3})
    (True, False)
    """
    return all(supply.get(cents, 0) >= count for cents, count in cheques.items())


def up_to(supply: Mapping[int, int], ceiling_cents: int) -> dict[int, int]:
    """Leave out what is worth more than the ceiling."""
    return {cents: count for cents, count in supply.items() if cents <= ceiling_cents}


def make_change(amount_cents: int, supply: Mapping[int, int]) -> dict[int, int] | None:
    """Make an exact amount with the fewest cheques of a limited supply, or return None.

    Every denomination divides the next but pink: $2.50 is not a number of dollars. So an odd pink
    is tried with and without, further pinks go in pairs worth a red, and in such a chain taking
    the largest first is exact and finds a way whenever there is one.

    A ledger may say that a tray holds less than nothing of a colour: players lost such cheques to
    it, and it gave them out before anybody counted it. Nothing is taken from there.

    >>> make_change(400, {250: 5, 100: 10}), make_change(400, {250: 5})
    ({100: 4}, None)
    >>> make_change(700, {500: -19, 250: 2, 100: 10})
    {250: 2, 100: 2}
    """
    ways = []
    pinks = max(supply.get(PINK, 0), 0)
    # Highest first; of equal value, one red goes before two pinks.
    units = sorted(((cents, 1) for cents in supply if cents != PINK), reverse=True)
    units.insert(sum(cents >= RED for cents, _ in units), (RED, 2))
    for odd_pinks in range(min(1, pinks, amount_cents // PINK) + 1):
        rest_cents = amount_cents - odd_pinks * PINK
        counts = {PINK: odd_pinks} if odd_pinks else {}
        for value, cheques in units:
            if value > rest_cents:
                continue
            cents, held = value, supply.get(value, 0)
            if cheques > 1:
                cents, held = PINK, (pinks - odd_pinks) // 2
            taken = min(held, rest_cents // value)
            if taken > 0:
                rest_cents -= taken * value
                counts[cents] = counts.get(cents, 0) + taken * cheques
        if rest_cents == 0:
            ways.append(counts)
    fewest = min(ways, key=lambda way: sum(way.values()), default=None)
    return None if fewest is None else {cents: fewest[cents] for cents in ordered(fewest)}


def nearest_payable(amount_cents: int, supply: Mapping[int, int], *, round_up: bool) -> int:
    """Return the nearest amount at or below (or above) that this supply can make.

    >>> nearest_payable(840, {100: 99, 250: 99}, round_up=False)
    800
    >>> nearest_payable(840, {100: 99, 250: 99}, round_up=True)
    850
    """
    step = QUARTER if round_up else -QUARTER
    payable_cents = amount_cents - amount_cents % -step
    while make_change(payable_cents, supply) is None:
        payable_cents += step
    return payable_cents
