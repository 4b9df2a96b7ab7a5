"""Side bets from reported rounds: who takes them, theo, and how far chance may stray."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from pitboss.models import Table
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Column,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Section,
    Shape,
    newest_of,
    report_link,
    row_of,
)
from pitboss.rules.games.games import TableRules, spoken
from pitboss.rules.ratings.reckoning import half_up
from pitboss.rules.ratings.wager_prices import Staked, Stakes, blended, told_stakes
from pitboss.rules.ratings.yields import SideBetYield, SidePlayed, side_bet
from pitboss.rules.rounds.told import Outcome as Ending
from pitboss.services import house
from tables.models import Round
from tables.services.rating_facts import told_bets
from tables.services.rating_prices import Prices

PAGE = "report_statistics"
# More rounds than this are not read at once; the report says so.
READ_MAX = 50_000
_ROUNDS = 1_000


@dataclass(frozen=True, slots=True)
class _Key:
    """A side bet by its pay table and decks."""

    wager: str
    paytable: str
    decks: int

    @property
    def named(self) -> str:
        return f"{self.wager} {self.paytable} {self.decks}"


@dataclass(slots=True)
class _Taken:
    """What was bet on one, over so many hands of the main game, and at which prices."""

    hands: int = 0
    wagers: int = 0
    staked_cents: int = 0
    stakes: Stakes = field(default_factory=dict)

    def add(self, other: _Taken) -> None:
        self.hands += other.hands
        self.wagers += other.wagers
        self.staked_cents += other.staked_cents
        for key, staked in other.stakes.items():
            before = self.stakes.get(key, Staked())
            self.stakes[key] = before.and_also(staked.action, staked.squares)


class _Tables:
    """By which rules and meters each round was dealt, read once for each table."""

    def __init__(self, since: datetime, until: datetime) -> None:
        self._since, self._until = since, until
        self._tables = {table.pk: table for table in Table.objects.all()}
        self._prices: dict[int, Prices] = {}

    def prices(self, table_id: int) -> Prices:
        if table_id not in self._prices:
            table = self._tables[table_id]
            self._prices[table_id] = Prices(table, self._since, self._until)
        return self._prices[table_id]


@dataclass(slots=True)
class _Priced:
    """What was bet on one side bet at one table: its prices are those of that table."""

    prices: Prices
    taken: _Taken = field(default_factory=_Taken)


_Found = dict[_Key, dict[int, _Priced]]


def _taken(choice: ReportChoice) -> tuple[_Found, list[tuple[_Key, dict[str, Any]]], int]:
    """Return what was bet by side bet, each round with one, and how many rounds were read."""
    began, _ = house.day_span(choice.first)
    _, ended = house.day_span(choice.last)
    rounds = Round.objects.filter(started_at__gte=began, started_at__lt=ended)
    rounds = rounds.exclude(outcome=Ending.ABORTED.value).exclude(outcome="")
    if choice.pit is not None:
        rounds = rounds.filter(table__pit=choice.pit)
    rows = rounds.order_by("-started_at").values(
        "pk", "table", "table__name", "table__pit", "started_at", "log"
    )
    tables, found, lines, count = _Tables(began, ended), _Found(), [], 0
    for row in rows[:READ_MAX].iterator():
        count += 1
        prices = tables.prices(row["table"])
        place = prices.dealt.place(row["started_at"])
        for key, bet in _in_round(row["log"], place, prices.dealt.rules(place)):
            at_table = found.setdefault(key, {})
            at_table.setdefault(row["table"], _Priced(prices)).taken.add(bet)
            if bet.wagers:
                lines.append((key, row | {"bet": bet}))
    return found, lines, count


def _in_round(log: Mapping[str, Any], place: int, rules: TableRules) -> list[tuple[_Key, _Taken]]:
    """Return what lay on each side bet that a round offered."""
    seats = [told_bets(seat) for seat in log["seats"]]
    mine = [[bet for bet in bets if bet.is_players and not bet.coupon] for bets in seats]
    hands = sum(any(bet.wager == rules.game.main_wager for bet in bets) for bets in mine)
    found = []
    for wager, offer in rules.side_bets.items():
        own = [[bet for bet in bets if bet.wager == wager] for bets in mine]
        stakes = [bet.stake_cents for bets in own for bet in bets]
        bet = _Taken(hands, len(stakes), sum(stakes), told_stakes([(place, own)]))
        # A raise is action of its own, and of the same bet.
        bet.staked_cents += sum(bet.raise_cents for bets in own for bet in bets)
        found.append((_Key(wager, str(offer.paytable), rules.decks), bet))
    return found


def _sum(priced: Iterable[_Priced]) -> _Taken:
    total = _Taken()
    for item in priced:
        total.add(item.taken)
    return total


def _worth(priced: Collection[_Priced], taken: _Taken) -> SideBetYield | None:
    parts = [
        (staked, item.prices.side(key))
        for item in priced
        for key, staked in item.taken.stakes.items()
    ]
    blend = blended(parts)
    if blend.edge is None or blend.variance is None or not taken.hands:
        return None
    return side_bet(
        SidePlayed(
            main_wagers=taken.hands,
            wagers=taken.wagers,
            staked_cents=taken.staked_cents,
            squares=half_up(blend.squares),
            edge=blend.edge,
            variance=blend.variance,
        )
    )


@report(
    key="side-bets",
    title="Side bets",
    group=Group.GAMES,
    says="How often each side bet is taken, its theo, and the band of chance, by pay table.",
    page=PAGE,
    asked=ReportScope(days_max=31, pit=True),
)
def side_bets(choice: ReportChoice) -> Report:
    """Return how side bets do; opened, the rounds that one was bet in."""
    taken, lines, count = _taken(choice)
    if choice.of:
        return _opened(choice, lines)
    rows = []
    for key, at_tables in sorted(taken.items(), key=lambda item: item[0].named):
        found = _sum(at_tables.values())
        worth = _worth(at_tables.values(), found)
        rows.append(
            row_of(
                spoken(key.wager).capitalize(),
                key.paytable,
                key.decks,
                found.hands,
                found.wagers,
                worth.take_up_bp if worth else None,
                found.staked_cents,
                worth.theo_cents if worth else None,
                worth.band.low_cents if worth else None,
                worth.band.high_cents if worth else None,
                opens=report_link("side-bets", PAGE, choice, of=key.named),
            )
        )
    columns = (
        Column("wager", "Side bet"),
        Column("paytable", "Pay table", Shape.CODE),
        Column("decks", "Decks", Shape.COUNT),
        Column("hands", "Hands", Shape.COUNT),
        Column("wagers", "Taken", Shape.COUNT),
        Column("take_up", "Taken, %", Shape.PERCENT),
        Column("staked", "Staked", Shape.MONEY),
        Column("theo", "Theo", Shape.CHANGE),
        Column("low", "Band from", Shape.CHANGE),
        Column("high", "Band to", Shape.CHANGE),
    )
    title = "By pay table" if count < READ_MAX else f"By pay table, newest {READ_MAX:,} rounds"
    return Report(
        (Section(title, columns, tuple(rows), "No rounds were reported."),),
        formulas=(
            "Taken, % = hands with the side bet ÷ hands of the main game, as terminals report.",
            "Theo = staked × exact edge of the pay table, by the rules and meter of each round. "
            "95 of 100 results end within the band.",
        ),
    )


def _opened(choice: ReportChoice, lines: Sequence[tuple[_Key, dict[str, Any]]]) -> Report:
    own = [row for key, row in lines if key.named == choice.of]
    rows = []
    for row in own[:_ROUNDS]:
        day = house.period_at(row["started_at"]).gaming_day
        minute = int((row["started_at"] - house.day_span(day)[0]).total_seconds()) // 60
        at = urlencode({"day": day.isoformat(), "minute": minute, "table": row["table__name"]})
        link = Link(f"{reverse('pit-replay', args=[row['table__pit']])}?{at}", "replay")
        rows.append(
            row_of(
                row["pk"],
                row["table__name"],
                row["started_at"],
                row["bet"].wagers,
                row["bet"].staked_cents,
                opens=link,
            )
        )
    columns = (
        Column("round", "Round", Shape.CODE),
        Column("table", "Table"),
        Column("at", "At", Shape.TIME),
        Column("wagers", "Taken", Shape.COUNT),
        Column("staked", "Staked", Shape.MONEY),
    )
    title = newest_of("Rounds", len(rows), len(own))
    return Report((Section(title, columns, tuple(rows), "No one took it."),))
