"""What each wager of a stay is worth to the house: by the rules of its round, its stake, its meter.

A wager may have been dealt by several rules in one stay, so its edge is what all of its stakes give
together: exactly the sum of stake times edge, over the stakes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pitboss.rules.games.games import TableRules
from pitboss.rules.odds.deal_counting import DEALS
from pitboss.rules.odds.odds import raise_the_roof_table
from pitboss.rules.odds.raise_the_roof_odds import raise_the_roof_odds
from pitboss.rules.odds.side_bet_odds import side_bet_odds
from pitboss.rules.paytables.paytables import STAKES_CENTS, MeterShare, PayTable, read_by
from pitboss.rules.ratings.bets import ToldBet
from pitboss.rules.ratings.theo import Spread, metered_edge
from pitboss.rules.refusal import Refused

RAISED: Final = ".raise"
_ROOF: Final = "raise_the_roof"
_WHOLE: Final = 100


@dataclass(frozen=True, slots=True)
class MeterPrice:
    """A meter as a bet is priced by it: what wagers add, and what the house puts there itself.

    The house pays a posted amount whatever was wagered; of a counted meter it pays the seed.
    """

    level: str
    seed_cents: int
    rate_ppm: int = 0
    is_posted: bool = False


@dataclass(frozen=True, slots=True)
class PriceKey:
    """What a price hangs on: which rules of the stay, which wager, which stake, raised or not."""

    place: int
    wager: str
    # 0 where every stake is priced alike.
    stake_cents: int = 0
    is_raised: bool = False


@dataclass(frozen=True, slots=True)
class Staked:
    """What lay on a wager at one price: the sum of the stakes, and of their squares."""

    action: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)

    def and_also(self, action: Fraction, squares: Fraction) -> Staked:
        return Staked(self.action + action, self.squares + squares)


Stakes = dict[PriceKey, Staked]


def key_of(place: int, wager: str, stake_cents: int, *, is_raised: bool = False) -> PriceKey:
    """Return what the price of a stake hangs on.

    >>> key_of(0, "trilux", 500).stake_cents, key_of(0, "lucky_ladies", 500).stake_cents
    (0, 500)
    """
    return PriceKey(place, wager, stake_cents if wager in STAKES_CENTS else 0, is_raised)


def told_stakes(rounds: Iterable[tuple[int, Sequence[Sequence[ToldBet]]]]) -> Stakes:
    """Return what lay on each wager, by price, in rounds: each with the rules that it was dealt by.

    As in `told_play`, only the player's own first stakes in cash count.
    """
    found: Stakes = {}
    for place, seats in rounds:
        for bet in (bet for seat in seats for bet in seat if bet.is_players and not bet.coupon):
            raised = bool(bet.raise_cents)
            lines = [(key_of(place, bet.wager, bet.stake_cents, is_raised=raised), bet.stake_cents)]
            if raised:
                lines.append((PriceKey(place, f"{bet.wager}{RAISED}"), bet.raise_cents))
            for key, cents in lines:
                before = found.get(key, Staked())
                found[key] = before.and_also(Fraction(cents), Fraction(cents**2))
    return found


def raise_crosses(rounds: Iterable[Sequence[Sequence[ToldBet]]]) -> dict[str, int]:
    """Return how far antes and their raises stray together: twice the one times the other."""
    crosses: dict[str, int] = {}
    for seats in rounds:
        for bet in (bet for seat in seats for bet in seat if bet.is_players and not bet.coupon):
            if bet.raise_cents:
                wager = f"{bet.wager}{RAISED}"
                both = 2 * bet.stake_cents * bet.raise_cents
                crosses[wager] = crosses.get(wager, 0) + both
    return crosses


def seen_stakes(
    main: str,
    average: Fraction,
    decisions: Mapping[int, Fraction],
    sides: Sequence[Mapping[str, int]],
    *,
    hands: Fraction = Fraction(1),
) -> Stakes:
    """Return what lay on each wager where bets were seen and rounds follow from the pace.

    `decisions` are by the rules that they were dealt by. Of side bets the mean over all looks
    counts. `hands` is over how many hands the main bet was spread: squared, it is so much less.
    """
    found: Stakes = {}
    for place, count in decisions.items():
        found[PriceKey(place, main)] = Staked(average * count, average**2 * count / hands)
        for side in sides:
            for wager, cents in side.items():
                key = key_of(place, wager, cents)
                share = count / len(sides)
                before = found.get(key, Staked())
                found[key] = before.and_also(cents * share, cents**2 * share)
    return found


def side_price(
    rules: TableRules, key: PriceKey, meters: Sequence[MeterPrice] = ()
) -> Spread | None:
    """Return edge and variance of a side bet as a table offers it; none where it has no odds.

    The meters are those of its wager that the table plays for.
    """
    name, _, part = key.wager.partition(".")
    offer = rules.side_bets.get(name)
    if offer is None or (name != _ROOF and name not in DEALS):
        return None
    try:
        if name == _ROOF:
            return _roof_price(rules, key.is_raised, bool(part))
        table = read_by(offer.table(name), rules.options)
        return _metered_price(rules, table, key.stake_cents, meters)
    except Refused:
        return None


def _roof_price(rules: TableRules, is_raised: bool, is_the_raise: bool) -> Spread | None:
    offer, options = rules.side_bets[_ROOF], rules.options
    table = raise_the_roof_table(offer.paytable, rules.soft_17)
    odds = raise_the_roof_odds(table, rules.decks, options=options)
    assert odds.raising is not None, "Raise the Roof can be raised"
    assert odds.variance is not None, "and says how far it strays"
    if is_the_raise:
        return Spread(odds.raising.raise_edge, odds.raising.raise_variance)
    if is_raised and options.ante_with_raise == "table_odds":
        return Spread(odds.edge, odds.variance)
    return Spread(odds.raising.ante_only_edge, odds.raising.ante_only_variance)


def _metered_price(
    rules: TableRules, table: PayTable, stake_cents: int, meters: Sequence[MeterPrice]
) -> Spread:
    """Return the price of a bet on a full shoe, in the long run of its meters."""
    stake = stake_cents if stake_cents in table.stakes_cents else None

    def odds(amounts: Mapping[str, int]) -> tuple[Spread, Mapping[str, Fraction]]:
        found = side_bet_odds(
            table, rules.decks, options=rules.options, meters=amounts, stake_cents=stake
        )
        assert found.variance is not None, "a bet on the first cards says how far it strays"
        chances = {row: row_odds.probability for row, row_odds in found.rows.items()}
        return Spread(found.edge, found.variance), chances

    posted = {meter.level: meter.seed_cents for meter in meters if meter.is_posted}
    plain, chances = odds(posted)
    counted = [meter for meter in meters if not meter.is_posted]
    if not counted:
        return plain
    edge, paid_on = plain.edge, stake or min(table.stakes_cents)
    for meter in counted:
        whole = sum((chances[row] for row in _whole_rows(table, meter.level, paid_on)), Fraction(0))
        edge = metered_edge(edge, meter.rate_ppm, whole, meter.seed_cents, paid_on)
    # What lies above a seed is the players' own: chance is reckoned on the seed.
    seeds = {meter.level: meter.seed_cents for meter in meters}
    return Spread(edge, odds(seeds)[0].variance)


def _whole_rows(table: PayTable, level: str, stake_cents: int) -> list[str]:
    """Return the rows that win the whole of a meter."""
    return [
        row
        for row, pay in table.pays.items()
        if isinstance(pay, MeterShare)
        and pay.meter == level
        and pay.percent_by_stake[stake_cents] == _WHOLE
    ]


@dataclass(frozen=True, slots=True)
class Blend:
    """One wager of a stay over all of its prices.

    `parts` are action and edge by price, where there is more than one. The edge is none where no
    price is known; what has no price adds nothing to it.
    """

    action: Fraction
    squares: Fraction
    edge: Fraction | None
    variance: Fraction | None
    parts: tuple[tuple[Fraction, Fraction], ...] = ()


def blended(parts: Sequence[tuple[Staked, Spread | None]]) -> Blend:
    """Return one wager of a stay from what lay on it at each price.

    >>> half = Staked(Fraction(100), Fraction(100))
    >>> prices = [Spread(Fraction(1, 10), Fraction(1)), Spread(Fraction(1, 5), Fraction(2))]
    >>> found = blended([(half, each) for each in prices])
    >>> found.edge, found.variance
    (Fraction(3, 20), Fraction(3, 2))
    """
    action = sum((staked.action for staked, _ in parts), Fraction(0))
    squares = sum((staked.squares for staked, _ in parts), Fraction(0))
    known = [(staked, price) for staked, price in parts if price is not None]
    if not known or not action:
        return Blend(action, squares, None, None)
    by_edge: dict[Fraction, Fraction] = {}
    for staked, price in known:
        by_edge[price.edge] = by_edge.get(price.edge, Fraction(0)) + staked.action
    edge = sum((cents * fraction for fraction, cents in by_edge.items()), Fraction(0)) / action
    stray = sum((staked.squares * price.variance for staked, price in known), Fraction(0))
    lines = (
        tuple((cents, fraction) for fraction, cents in by_edge.items()) if len(by_edge) > 1 else ()
    )
    return Blend(action, squares, edge, stray / squares, lines)
