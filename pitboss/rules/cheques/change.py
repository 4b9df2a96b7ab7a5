"""Make an exact amount from a limited supply of cheques, with as few of them as can be."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import gcd, lcm

from pitboss.rules.cheques.cheques import DENOMINATIONS, ordered

RED = 500
PINK = 250
QUARTER = 25
# In the manual's cheques every denomination divides the next, pink apart.
_CHAIN = frozenset(denomination.cents for denomination in DENOMINATIONS)


def holds(supply: Mapping[int, int], cheques: Mapping[int, int]) -> bool:
    """Say whether a supply holds these cheques, color by color.

    >>> holds({500: 3}, {500: 3}), holds({2500: 3}, {500: 3})
    (True, False)
    """
    return all(supply.get(cents, 0) >= count for cents, count in cheques.items())


def up_to(supply: Mapping[int, int], ceiling_cents: int) -> dict[int, int]:
    """Leave out what is worth more than the ceiling."""
    return {cents: count for cents, count in supply.items() if cents <= ceiling_cents}


def make_change(amount_cents: int, supply: Mapping[int, int]) -> dict[int, int] | None:
    """Make an exact amount with the fewest cheques of a limited supply, or return None.

    Of the manual's cheques every denomination divides the next but pink: $2.50 is not a number of
    dollars. So an odd pink is tried with and without, further pinks go in pairs worth a red, and in
    such a chain taking the largest first is exact and finds a way whenever there is one. A house
    with other cheques, such as $20 beside $25, is searched.

    A ledger may say that a tray holds less than nothing of a color: players lost such cheques to
    it, and it gave them out before anyone counted it. Nothing is taken from there.

    >>> make_change(400, {250: 5, 100: 10}), make_change(400, {250: 5})
    ({100: 4}, None)
    >>> make_change(700, {500: -19, 250: 2, 100: 10})
    {250: 2, 100: 2}
    >>> make_change(4_000, {2_500: 9, 2_000: 9, 500: 9})
    {2000: 2}
    """
    if not supply.keys() <= _CHAIN:
        return _searched(amount_cents, supply)
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


def _searched(amount_cents: int, supply: Mapping[int, int]) -> dict[int, int] | None:
    """Make an amount with the fewest cheques of any denominations, or return None.

    From the highest down, most of each first. With L the least common multiple of a denomination d
    and those below it, n of them: a way that leaves L/d of d lying, and takes L/e of some lower e,
    could swap them for fewer cheques. So the best way leaves less than n times L to those below,
    and fewer of d than that need not be tried.
    """
    values = [cents for cents in ordered(supply) if supply[cents] > 0]
    worth = [sum(cents * supply[cents] for cents in values[place:]) for place in range(len(values))]

    @cache
    def fewest(place: int, rest_cents: int) -> tuple[int, ...] | None:
        if rest_cents == 0:
            return ()
        if place == len(values) or rest_cents > worth[place] or rest_cents % gcd(*values[place:]):
            return None
        cents, below = values[place], values[place + 1 :]
        most = min(supply[cents], rest_cents // cents)
        least = max(0, most - max(1, len(below)) * lcm(cents, *below) // cents)
        best: tuple[int, ...] | None = None
        for taken in range(most, least - 1, -1):
            left_cents = rest_cents - taken * cents
            # At least so many more, and ever more of them the fewer of this one are taken.
            more = -(-left_cents // below[0]) if below else 0
            if best is not None and taken + more >= sum(best):
                break
            way = fewest(place + 1, left_cents)
            if way is not None and (best is None or taken + sum(way) < sum(best)):
                best = (taken, *way)
        return best

    way = fewest(0, amount_cents)
    if way is None:
        return None
    # What lies below the last that was needed was not asked for.
    return {cents: count for cents, count in zip(values, way, strict=False) if count}


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
