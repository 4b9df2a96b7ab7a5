"""Price the wagers of a stay: each by the rules, the stake and the meter of its own round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any

from pitboss.models import Table
from pitboss.rules.ratings.reckoning import half_up
from pitboss.rules.ratings.theo import MainAction, SideAction, Spread, Theo, theo
from pitboss.rules.ratings.wager_prices import (
    MeterPrice,
    PriceKey,
    Staked,
    Stakes,
    blended,
    side_price,
)
from pitboss.rules.settings.in_force import SettingsInForce
from tables.selectors.past_rules import DealtBy
from tables.services.main_edges import MainEdgeKnown, main_edge_of


@dataclass(frozen=True, slots=True)
class DatedMeter:
    """A meter that a bet of a table plays for, as it is priced from an instant on."""

    wager: str
    from_at: datetime
    price: MeterPrice


MeterPricer = Callable[[Table, datetime, datetime], list[DatedMeter]]
_meter_pricers: list[MeterPricer] = []


def prices_meters(pricer: MeterPricer) -> MeterPricer:
    """Register how the meters of a table are priced, by the person who keeps them."""
    _meter_pricers.append(pricer)
    return pricer


@dataclass(frozen=True, slots=True)
class PricedStay:
    """What a stay bet, wager by wager, and what the house expects of it.

    `edges` are as figures store them. No theo where the edge of the main game is not known.
    """

    action: Mapping[str, Fraction]
    squares: Mapping[str, int]
    edges: Mapping[str, Mapping[str, Any]]
    skill_bp: int
    theo: Theo | None
    # False while the edge of some of its rules is still being worked out.
    is_complete: bool = True
    crosses: Mapping[str, int] = field(default_factory=dict)


class Prices:
    """The prices of one table over the time of a stay, each worked out once."""

    def __init__(self, table: Table, since: datetime, until: datetime) -> None:
        self._meters = [
            dated_meter for price in _meter_pricers for dated_meter in price(table, since, until)
        ]
        also = {meter.from_at for meter in self._meters}
        self.dealt = DealtBy(table, since, until, also=also)
        self._main: dict[int, MainEdgeKnown] = {}
        self._side: dict[PriceKey, Spread | None] = {}

    def main(self, place: int) -> MainEdgeKnown:
        if place not in self._main:
            rules, in_force = self.dealt.rules(place), self.dealt.settings(place)
            self._main[place] = main_edge_of(rules, in_force)
        return self._main[place]

    def side(self, key: PriceKey) -> Spread | None:
        if key not in self._side:
            rules = self.dealt.rules(key.place)
            self._side[key] = side_price(rules, key, self._meters_of(key))
        return self._side[key]

    def _meters_of(self, key: PriceKey) -> list[MeterPrice]:
        """Return the meters of a bet at the time of its rounds: of each level the newest."""
        at = self.dealt.began(key.place)
        begun = [
            meter for meter in self._meters if meter.wager == key.wager and meter.from_at <= at
        ]
        by_level = {
            item.price.level: item.price
            for item in sorted(begun, key=lambda dated_meter: dated_meter.from_at)
        }
        return list(by_level.values())


def price_stay(
    prices: Prices,
    main: str,
    stakes: Stakes,
    in_force: SettingsInForce,
    *,
    skill_bp: int,
    crosses: Mapping[str, int],
) -> PricedStay:
    """Return what a stay bet and what that is worth, each stake at its own price."""
    of_wager: dict[str, list[tuple[PriceKey, Staked]]] = {}
    for key, staked in stakes.items():
        of_wager.setdefault(key.wager, []).append((key, staked))
    known = [(prices.main(key.place), staked) for key, staked in of_wager.pop(main, [])]
    variance = Fraction(in_force["rating.main_variance"])
    mains = blended(
        [
            (staked, Spread(edge.edge, variance) if edge.edge is not None else None)
            for edge, staked in known
        ]
    )
    # What a player gives up is measured against the chart, and a set edge knows none.
    is_exact = all(edge.is_exact for edge, _ in known)
    edges: dict[str, dict[str, Any]] = {
        main: {
            **_row(mains.edge, variance, mains.parts),
            "from": known[0][0].source if known else "",
            "covariance": in_force["rating.main_covariance"],
        }
    }
    action, squares = {main: mains.action}, {main: half_up(mains.squares)}
    sides = []
    for wager, parts in sorted(of_wager.items()):
        found = blended([(staked, prices.side(key)) for key, staked in parts])
        action[wager], squares[wager] = found.action, half_up(found.squares)
        edges[wager] = {
            **_row(found.edge, found.variance, found.parts),
            "from": "exact" if found.edge is not None else "",
        }
        if wager in crosses and found.variance is not None:
            edges[wager]["covariance"] = str(found.variance)
        sides.append(SideAction(wager, found.action, found.edge or Fraction(0)))
    expected = None
    gives_up = skill_bp if is_exact else 0
    if mains.edge is not None and all(edge.edge is not None for edge, _ in known):
        expected = theo(MainAction(mains.action, mains.edge, gives_up), sides)
    return PricedStay(
        action=action,
        squares=squares,
        edges=edges,
        skill_bp=gives_up,
        theo=expected,
        is_complete=all(edge != MainEdgeKnown.AWAITED for edge, _ in known),
        crosses={wager: both for wager, both in crosses.items() if both},
    )


def _row(
    edge: Fraction | None,
    variance: Fraction | None,
    parts: Sequence[tuple[Fraction, Fraction]],
) -> dict[str, Any]:
    """Return the price of a wager as figures store it: fractions as texts, in lowest terms."""
    row: dict[str, Any] = {"edge": "" if edge is None else str(edge)}
    if variance is not None:
        row["variance"] = str(variance)
    if parts:
        row["parts"] = [[str(cents), str(fraction)] for cents, fraction in parts]
    return row
