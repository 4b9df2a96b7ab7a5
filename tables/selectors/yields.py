"""The yield of a pit: players by hour, what an hour brings, and advice with its working."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from django.db.models import Q

from pitboss.models import Pit, Table
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.ratings.reckoning import Unreckoned, half_up, of_basis_points, rate_of
from pitboss.rules.ratings.wager_prices import key_of
from pitboss.rules.ratings.yields import (
    MinimumAdvice,
    SideTaken,
    YieldHour,
    YieldTerms,
    forecast,
    hour,
    labor,
    minimum,
)
from pitboss.rules.refusal import Refused
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.rules.settings.yields import target_at
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services import house
from tables.models import AdviceTaken, Look, PlayRating, SeatHeld
from tables.selectors.settled_hours import settled_seat_seconds
from tables.selectors.tray_flow import draining
from tables.services.main_edges import main_edge_of
from tables.services.rating_facts import SEATS
from tables.services.rating_prices import Prices

HOURS_BACK = 5
_HOUR = timedelta(hours=1)
# The minimums that are tried: those that signs are printed with.
_MINIMUMS = (1_000, 1_500, 2_500, 5_000, 10_000)
_ANSWERED_FOR = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class Advice:
    """What might be done, and how that was found. `key` names it while it is given."""

    key: str
    table: Table
    what: str
    sentence: str
    working: tuple[tuple[str, str], ...]


def hours_of(now: datetime) -> list[datetime]:
    """Return the beginnings of the last hours, the present one last."""
    this = now.replace(minute=0, second=0, microsecond=0)
    return [this - _HOUR * back for back in range(HOURS_BACK - 1, -1, -1)]


def held_between(tables: Sequence[Table], since: datetime, until: datetime) -> list[SeatHeld]:
    """Return the seats that were held at any time between two instants."""
    return list(
        SeatHeld.objects.filter(
            Q(until=None) | Q(until__gt=since), table__in=tables, from_at__lt=until
        )
    )


def mean_players(held: Sequence[SeatHeld], since: datetime, until: datetime) -> Fraction:
    """Return how many players sat between two instants, on average."""
    whole = int((until - since).total_seconds())
    return Fraction(seat_seconds(held, since, until), whole) if whole > 0 else Fraction(0)


def seat_seconds(held: Sequence[SeatHeld], since: datetime, until: datetime) -> int:
    """Return how long seats were held between two instants, all together."""
    return sum(
        max(0, int((min(item.until or until, until) - max(item.from_at, since)).total_seconds()))
        for item in held
    )


@dataclass(frozen=True, slots=True)
class DealtTable:
    """One table as it is dealt now."""

    table: Table
    minimum_cents: int
    players: int
    bets: tuple[int, ...]
    edge: Fraction | None
    hour: YieldHour | None
    has_labor: bool
    terms: YieldTerms | None = None

    def working(self) -> list[tuple[str, str]]:
        """Return what the theo and net of an hour are made of, line by line."""
        if self.terms is None or self.hour is None or not self.players:
            return []
        terms, seated = self.terms, min(self.players, SEATS)
        lines = [
            ("Players", str(seated)),
            ("Rounds an hour", str(rate_of(terms.pace, seated))),
            ("Average bet", format_money(terms.average_cents)),
            ("Edge with skill", _percent(terms.edge)),
        ]
        lines += [
            (
                "Side bets",
                f"{format_money(term.stake_cents)} on {_percent(of_basis_points(term.take_up_bp))}"
                f" of hands at {_percent(term.edge)}",
            )
            for term in terms.side
        ]
        lines.append(("Theo", format_money(half_up(self.hour.theo))))
        if self.has_labor:
            kept = of_basis_points(terms.tax_bp) + of_basis_points(terms.comp_bp)
            lines.append(("Less tax and comps", _percent(kept)))
            lines.append(("Less labor", format_money(terms.labor_cents)))
            lines.append(("Net", format_money(half_up(self.hour.net))))
        return lines


def labor_cents(in_force: SettingsInForce) -> int | None:
    """Return what the people at one table cost an hour; none where the house has not said."""
    if in_force["labor.dealer"] is None or in_force["labor.supervisor"] is None:
        return None
    found = labor(
        in_force["labor.dealer"],
        in_force["dealers.relief_after"],
        in_force["dealers.break"],
        in_force["labor.supervisor"],
        in_force["labor.tables"],
    )
    return half_up(found.cost)


def terms_of(
    in_force: SettingsInForce,
    game_id: str,
    average_cents: int,
    edge: Fraction,
    side: Sequence[SideTaken],
) -> YieldTerms:
    """Return what an hour of a table brings and costs."""
    return YieldTerms(
        in_force.pace_of(game_id),
        average_cents,
        edge,
        labor_cents(in_force) or 0,
        in_force["tax.table_win"],
        in_force["comp.share"],
        side,
    )


@dataclass(slots=True)
class BetsNow:
    """The last bets seen at a table: the main bet of each seat, and side bets by wager."""

    main: list[int] = field(default_factory=list)
    side: dict[str, list[int]] = field(default_factory=dict)


def bets_now(tables: Sequence[Table]) -> dict[int, BetsNow]:
    """Return the last bets seen of each player who is rated now, by table."""
    open_now = PlayRating.objects.filter(table__in=tables, ended_at=None)
    last = Look.objects.filter(rating__in=open_now).order_by("rating", "-at", "-id")
    found: dict[int, BetsNow] = {}
    for table_id, cents, seats, side in last.distinct("rating").values_list(
        "rating__table", "bet_cents", "seats", "side"
    ):
        bets = found.setdefault(table_id, BetsNow())
        bets.main.extend([cents // max(1, seats)] * max(1, seats))
        for wager, staked in side.items():
            bets.side.setdefault(wager, []).append(staked)
    return found


def sides_taken(table: Table, bets: BetsNow, now: datetime) -> list[SideTaken]:
    """Return the side bets as they are taken now, of all seats whose bet was seen."""
    if not bets.side:
        return []
    prices = Prices(table, now, now)
    found = []
    for wager, stakes in sorted(bets.side.items()):
        average = sum(stakes) // len(stakes)
        price = prices.side(key_of(0, wager, average))
        if price is not None:
            taken_bp = min(10_000, 10_000 * len(stakes) // len(bets.main))
            found.append(SideTaken(average, taken_bp, price.edge))
    return found


def table_now(
    table: Table, players: int, bets: BetsNow, in_force: SettingsInForce, now: datetime
) -> DealtTable | None:
    """Return what a table is worth as it is dealt now; none without rules in force."""
    try:
        rules = rules_in_force(table, in_force, now)
    except Refused:
        return None
    known = main_edge_of(rules, in_force)
    edge = known.edge
    if edge is not None and known.is_exact:
        edge += of_basis_points(in_force["rating.skill"])
    average = sum(bets.main) // len(bets.main) if bets.main else rules.minimum_cents
    terms = worth = None
    if edge is not None:
        terms = terms_of(in_force, rules.game.id, average, edge, sides_taken(table, bets, now))
        worth = hour(min(players, SEATS), terms)
    return DealtTable(
        table,
        rules.minimum_cents,
        players,
        tuple(sorted(bets.main)),
        edge,
        worth,
        labor_cents(in_force) is not None,
        terms,
    )


def history_at(tables: Sequence[Table], at: datetime, weeks: int) -> list[int]:
    """Return the players of one hour in past weeks, of the weeks in which someone was seated.

    The hour is that of the house's clock: players come at nine, before the clocks change and after.
    Of days whose hours are settled those are read, of others the seats as they were held.
    """
    local = at.astimezone(house.the_property().zone)
    found = []
    for back in range(1, weeks + 1):
        since = (local - timedelta(weeks=back)).astimezone(UTC)
        seconds = settled_seat_seconds(tables, since)
        if seconds is None:
            held = held_between(tables, since, since + _HOUR)
            seconds = seat_seconds(held, since, since + _HOUR)
        if seconds:
            found.append(half_up(Fraction(seconds, int(_HOUR.total_seconds()))))
    return found


def yield_of(pit: Pit, now: datetime, in_force: SettingsInForce) -> dict[str, Any]:
    """Return what the yield view shows of a pit."""
    tables = list(Table.objects.filter(pit=pit).select_related("pit").order_by("name"))
    hours = hours_of(now)
    held = held_between(tables, hours[0], now)
    by_table: dict[int, list[SeatHeld]] = {}
    for item in held:
        by_table.setdefault(item.table_id, []).append(item)
    bets = bets_now(tables)
    rows, standing = [], []
    for table in tables:
        own = by_table.get(table.pk, [])
        if not table.is_open and not own:
            continue
        players = sum(item.until is None for item in own)
        found = table_now(table, players, bets.get(table.pk, BetsNow()), in_force, now)
        if found is None:
            continue
        if table.is_open:
            standing.append(found)
        rows.append(_row(found, own, hours, now))
    totals = [half_up(mean_players(held, since, min(since + _HOUR, now))) for since in hours]
    advice = advise(tables, standing, now, in_force)
    return {
        "hours": hours,
        "rows": rows,
        "totals": totals,
        "seats": len(standing) * SEATS,
        "theo_cents": sum(row["theo_cents"] or 0 for row in rows),
        "net_cents": sum(row["net_cents"] or 0 for row in rows)
        if labor_cents(in_force) is not None
        else None,
        "advice": advice,
        "answers": answers_of(tables, now),
    }


def _row(
    found: DealtTable, own: Sequence[SeatHeld], hours: Sequence[datetime], now: datetime
) -> dict[str, Any]:
    strips = []
    for since in hours:
        mean = mean_players(own, since, min(since + _HOUR, now))
        players = half_up(mean)
        strips.append(
            {
                "players": players,
                "was_open": bool(mean) or (since + _HOUR > now and found.table.is_open),
                "is_full": players >= SEATS,
                "tenths": min(10, half_up(mean * 10 / SEATS)),
            }
        )
    worth = found.hour if found.table.is_open else None
    return {
        "table": found.table,
        "minimum_cents": found.minimum_cents,
        "strips": strips,
        "theo_cents": half_up(worth.theo) if worth else None,
        "net_cents": half_up(worth.net) if worth and found.has_labor else None,
        "working": found.working() if worth else [],
    }


def advise(
    tables: Sequence[Table],
    standing: Sequence[DealtTable],
    now: datetime,
    in_force: SettingsInForce,
) -> list[Advice]:
    """Return what might be done now, less what was answered a short while ago."""
    found = [
        *_to_open(tables, standing, now, in_force),
        *_minimums(standing, in_force),
        *_fills([item.table for item in standing], now),
    ]
    since = now - _ANSWERED_FOR
    answered = AdviceTaken.objects.filter(table__in=tables, at__gte=since)
    known = set(answered.values_list("table", "what"))
    return [item for item in found if (item.table.pk, item.what) not in known]


def _to_open(
    tables: Sequence[Table],
    standing: Sequence[DealtTable],
    now: datetime,
    in_force: SettingsInForce,
) -> list[Advice]:
    """Return which table to open for the players who are expected in the next hour."""
    closed = [table for table in tables if not table.is_open]
    if not standing or not closed:
        return []
    at = hours_of(now)[-1] + _HOUR
    history = history_at(tables, at, in_force["yield.weeks"])
    least = min(item.minimum_cents for item in standing)
    target = target_at(in_force["yield.target"], least)
    try:
        expected = forecast(
            history, target=target, least=1, most=len(tables), open_now=len(standing)
        )
    except Unreckoned:
        return []
    if expected.to_open < 1:
        return []
    table, local = closed[0], at.astimezone(house.the_property().zone)
    past = ", ".join(map(str, history))
    return [
        Advice(
            f"open-{table.pk}",
            table,
            "open",
            f"Open {table} by {local:%H:%M}.",
            (
                ("Expected", f"{_number(expected.players)}: median of {past} on {local:%A}s"),
                ("Target", f"{_number(target)} a table, so {expected.tables} tables"),
                ("Open now", f"{len(standing)}"),
            ),
        )
    ]


def _minimums(standing: Sequence[DealtTable], in_force: SettingsInForce) -> list[Advice]:
    """Return the tables whose players would bring more at another minimum."""
    found = []
    for item in standing:
        if item.edge is None or len(item.bets) < in_force["yield.least_players"]:
            continue
        tried = minimum(
            item.bets,
            sorted({item.minimum_cents, *_MINIMUMS}),
            seats=SEATS,
            pace=in_force.pace_of(item.table.game),
            edge=item.edge,
            step=Fraction(in_force["yield.step"]),
            players_least=in_force["yield.least_players"],
        )
        best = tried.best_cents
        if best is None or best <= item.minimum_cents:
            continue
        found.append(_minimum_advice(item, tried, best))
    return found


def _minimum_advice(now: DealtTable, tried: MinimumAdvice, best: int) -> Advice:
    theo = {cents: format_money(half_up(item.theo)) for cents, item in tried.tried.items()}
    bets = " ".join(str(cents // 100) for cents in now.bets)
    here, there = format_money(now.minimum_cents), format_money(best)
    away = tried.tried[best].turned_away
    return Advice(
        f"minimum-{now.table.pk}-{best}",
        now.table,
        f"minimum {best}",
        f"Raise {now.table} to {there}.",
        (
            ("Bets seen", f"${bets}"),
            ("Theo an hour", f"{theo[now.minimum_cents]} at {here}, {theo[best]} at {there}"),
            ("Turns away", f"{away} of {len(now.bets)} players"),
        ),
    )


def _fills(tables: Sequence[Table], now: datetime) -> list[Advice]:
    """Return which tray wants a fill before it is low on a color."""
    zone = house.the_property().zone
    return [
        Advice(
            f"fill-{table.table.pk}-{table.key}",
            table.table,
            f"fill {table.key}",
            f"Fill {table.table} with {table.color} within {table.minutes_left} min.",
            (
                (
                    f"{table.color.capitalize()} in the tray",
                    f"{table.held} counted {table.counted_at.astimezone(zone):%H:%M}",
                ),
                (
                    "Going out",
                    f"{_number(table.out_an_hour)} an hour since "
                    f"{table.before_at.astimezone(zone):%H:%M}",
                ),
                ("Low below", f"{table.floor}"),
            ),
        )
        for table in draining(tables, now)
    ]


def _number(value: Fraction) -> str:
    return f"{float(round(value, 1)):g}"


def _percent(value: Fraction) -> str:
    return f"{float(round(value * 100, 3)):g}%"


def answers_of(tables: Sequence[Table], now: datetime) -> list[dict[str, Any]]:
    """Return what was answered in the last hours, with what came of it an hour later."""
    rows = AdviceTaken.objects.filter(table__in=tables, at__gte=now - timedelta(hours=12))
    rows = rows.select_related("table", "by").order_by("-at", "-id")
    return [{"row": row, "outcome": outcome_of(row, now)} for row in rows[:20]]


def outcome_of(row: AdviceTaken, now: datetime) -> str:
    """Say how many players a table had an hour after its advice was answered."""
    at = row.at + _HOUR
    if at > now:
        return "too early to say"
    held = held_between([row.table], at, at + timedelta(seconds=1))
    return f"{len(held)} player{'' if len(held) == 1 else 's'} an hour later"


def advice_named(pit: Pit, key: str, now: datetime, in_force: SettingsInForce) -> Advice | None:
    """Return a piece of advice that is still given."""
    given: Mapping[str, Advice] = {
        item.key: item for item in yield_of(pit, now, in_force)["advice"]
    }
    return given.get(key)
