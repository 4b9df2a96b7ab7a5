"""What a table is worth by the hour: seats filled, labor, minimums, tables to open, fills due."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from statistics import median
from typing import Final

from pitboss.rules.ratings.reckoning import (
    PaceTable,
    Span,
    Unreckoned,
    half_up,
    in_basis_points,
    of_basis_points,
    rate_of,
    seconds_within,
)
from pitboss.rules.ratings.theo import Chance, ChanceBand, band

STAY_STEP: Final = Fraction(3, 2)
PLAYERS_LEAST: Final = 3
WEEKS_LEAST: Final = 4
_HOUR: Final = 3_600


@dataclass(frozen=True, slots=True)
class Occupancy:
    """How full a table's seats were while it was open."""

    occupied_seconds: int
    occupancy_bp: int
    mean_players: Fraction


def occupancy(open_seconds: int, seats: int, spans: Sequence[Span]) -> Occupancy:
    """Return how full a table was. Raises Unreckoned for one that was not open."""
    if open_seconds < 1:
        raise Unreckoned("not_open")
    occupied = seconds_within(spans, 0, open_seconds)
    return Occupancy(
        occupied,
        in_basis_points(occupied, open_seconds * seats),
        Fraction(occupied, open_seconds),
    )


@dataclass(frozen=True, slots=True)
class HourHeads:
    """How many players sat in one hour: on average, and at the most."""

    mean: Fraction
    most: int


def headcount(hours: int, spans: Sequence[Span]) -> list[HourHeads]:
    """Return the players of each hour."""
    found = []
    for begins in range(0, hours * _HOUR, _HOUR):
        ends = begins + _HOUR
        # A count can only rise at the beginning of the hour, or where someone sits down.
        moments = [begins, *(since for since, _ in spans if begins <= since < ends)]
        most = max(sum(since <= at < until for since, until in spans) for at in moments)
        found.append(HourHeads(Fraction(seconds_within(spans, begins, ends), _HOUR), most))
    return found


@dataclass(frozen=True, slots=True)
class Labor:
    """How many dealers a table takes with reliefs, and what an hour of it costs."""

    dealers: Fraction
    cost: Fraction


def labor(
    dealer_cents_hour: int,
    relief_after: int,
    break_for: int,
    supervisor_cents_hour: int,
    tables_per_supervisor: int,
) -> Labor:
    """Return what the people at one table cost an hour."""
    dealers = Fraction(relief_after + break_for, relief_after)
    supervision = Fraction(supervisor_cents_hour, tables_per_supervisor)
    return Labor(dealers, dealer_cents_hour * dealers + supervision)


@dataclass(frozen=True, slots=True)
class SideTaken:
    """A side bet as players take it: stake, share of hands, edge."""

    stake_cents: int
    take_up_bp: int
    edge: Fraction


@dataclass(frozen=True, slots=True)
class YieldTerms:
    """What an hour of a table brings a player, and what it costs the house."""

    pace: PaceTable
    average_cents: int
    edge: Fraction
    labor_cents: int
    tax_bp: int
    comp_bp: int
    side: Sequence[SideTaken] = ()


@dataclass(frozen=True, slots=True)
class YieldHour:
    """An hour of a table: theo, and what is left after tax, comps and labor."""

    theo: Fraction
    net: Fraction


def hour(players: int, terms: YieldTerms) -> YieldHour:
    """Return what an hour with so many players brings. An empty table costs its labor."""
    side = (term.stake_cents * of_basis_points(term.take_up_bp) * term.edge for term in terms.side)
    a_round = terms.average_cents * terms.edge + sum(side, Fraction(0))
    theo = players * rate_of(terms.pace, players) * a_round if players else Fraction(0)
    kept = 1 - of_basis_points(terms.tax_bp) - of_basis_points(terms.comp_bp)
    return YieldHour(theo, theo * kept - terms.labor_cents)


@dataclass(frozen=True, slots=True)
class Spreading:
    """What players bring over one table, two, and so on; and how many tables are best."""

    best: int
    net: Mapping[int, Fraction]


def spread(players: int, seats: int, tables_most: int, terms: YieldTerms) -> Spreading:
    """Return how many tables so many players are best spread over, the fewest of equals."""
    net: dict[int, Fraction] = {}
    for tables in range(1, tables_most + 1):
        fewer, more = divmod(players, tables)
        at_fewer = hour(min(fewer, seats), terms).net
        at_more = hour(min(fewer + 1, seats), terms).net if more else Fraction(0)
        net[tables] = (tables - more) * at_fewer + more * at_more
    return Spreading(max(net, key=lambda tables: (net[tables], -tables)), net)


@dataclass(frozen=True, slots=True)
class MinimumTried:
    """What a minimum would bring an hour, who would sit, and whom it turns away."""

    theo: Fraction
    seated: int
    turned_away: int


@dataclass(frozen=True, slots=True)
class MinimumAdvice:
    """What each minimum would bring; the best of those that leave enough players."""

    best_cents: int | None
    tried: Mapping[int, MinimumTried]


def minimum(
    bets: Sequence[int],
    candidates: Sequence[int],
    *,
    seats: int,
    pace: PaceTable,
    edge: Fraction,
    step: Fraction = STAY_STEP,
    players_least: int = PLAYERS_LEAST,
) -> MinimumAdvice:
    """Return which minimum is worth most: a player stays whose bet is near enough to it."""
    tried = {}
    for least in candidates:
        staying = [max(bet, least) for bet in bets if bet * step >= least]
        seated = min(len(staying), seats)
        worth = Fraction(0)
        if seated:
            worth = seated * rate_of(pace, seated) * Fraction(sum(staying), len(staying)) * edge
        tried[least] = MinimumTried(worth, seated, len(bets) - seated)
    enough = [
        cents for cents, minimum_tried in tried.items() if minimum_tried.seated >= players_least
    ]
    best = max(enough, key=lambda cents: (tried[cents].theo, -cents), default=None)
    return MinimumAdvice(best, tried)


@dataclass(frozen=True, slots=True)
class Forecast:
    """How many players to expect, and for how many tables they are enough."""

    players: Fraction
    tables: int
    to_open: int


def forecast(
    history: Sequence[int],
    *,
    target: Fraction,
    least: int,
    most: int,
    open_now: int,
    weeks_least: int = WEEKS_LEAST,
) -> Forecast:
    """Return what the same weekday and hour of past weeks foretell. Raises Unreckoned."""
    if len(history) < weeks_least:
        raise Unreckoned("too_few_weeks")
    players = median(Fraction(count) for count in history)
    tables = min(max(ceil(players / target), least), most)
    return Forecast(players, tables, tables - open_now)


@dataclass(frozen=True, slots=True)
class FillDue:
    """How fast cheques of one denomination leave a tray, and in how many minutes it is low."""

    out_an_hour: Fraction
    minutes_left: int | None


def fill_due(held: int, floor_count: int, window_seconds: int, moves: Sequence[int]) -> FillDue:
    """Return when a tray falls to its floor; never, while it gains."""
    out = Fraction(-sum(moves) * _HOUR, window_seconds)
    if out <= 0:
        return FillDue(out, None)
    return FillDue(out, max(0, floor((held - floor_count) / out * 60)))


@dataclass(frozen=True, slots=True)
class SidePlayed:
    """A side bet over so many hands of the main game: how often it was taken, and for how much."""

    main_wagers: int
    wagers: int
    staked_cents: int
    squares: int
    edge: Fraction
    variance: Fraction
    house_win_cents: int | None = None


@dataclass(frozen=True, slots=True)
class SideBetYield:
    """How a side bet does: who takes it, what it is worth, how far chance may stray."""

    take_up_bp: int
    theo: Fraction
    band: ChanceBand

    @property
    def theo_cents(self) -> int:
        return half_up(self.theo)


def side_bet(played: SidePlayed) -> SideBetYield:
    """Return how a side bet does. Raises Unreckoned."""
    if not played.main_wagers:
        raise Unreckoned("nothing_bet")
    theo = played.staked_cents * played.edge
    chance = Chance(played.variance, played.squares)
    return SideBetYield(
        in_basis_points(played.wagers, played.main_wagers),
        theo,
        band(theo, played.house_win_cents, [chance]),
    )


@dataclass(frozen=True, slots=True)
class HoldGap:
    """Hold as expected and as it was, in basis points of the drop; none without a drop."""

    expected_bp: int | None = None
    hold_bp: int | None = None
    gap_bp: int | None = None


def hold_gap(theo_cents: int, drop_cents: int, win_cents: int) -> HoldGap:
    """Return how far a hold lies from what the play was worth."""
    if not drop_cents:
        return HoldGap()
    return HoldGap(
        in_basis_points(theo_cents, drop_cents),
        in_basis_points(win_cents, drop_cents),
        in_basis_points(win_cents - theo_cents, drop_cents),
    )
