"""Make an exact amount from a limited supply of cheques, with as few of them as can be."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.rules.cheques import combined

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
    supply = {cents: count for cents, count in supply.items() if count > 0}
    pinks = supply.get(PINK, 0)
    for odd_pinks in range(min(1, pinks, amount_cents // PINK) + 1):
        rest_cents = amount_cents - odd_pinks * PINK
        counts = {PINK: odd_pinks}
        units = [(cents, cents, 1, count) for cents, count in supply.items() if cents != PINK]
        units.append((RED, PINK, 2, (pinks - odd_pinks) // 2))
        # Of equal value, one red goes before two pinks.
        for value, cents, cheques, available in sorted(units, key=lambda unit: (-unit[0], unit[2])):
            taken = min(available, rest_cents // value)
            rest_cents -= taken * value
            counts[cents] = counts.get(cents, 0) + taken * cheques
        if rest_cents == 0:
            ways.append(combined(counts))
    return min(ways, key=lambda way: sum(way.values()), default=None)


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
