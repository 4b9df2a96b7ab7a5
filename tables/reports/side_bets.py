"""Side bets from reported rounds: who takes them, theo, and how far chance may stray."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from pitboss.models import RulesVersion, Table
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Asked,
    Choice,
    Column,
    Link,
    Report,
    Section,
    Shape,
    newest_of,
    report_link,
    row_of,
)
from pitboss.rules.games.games import TableRules, spoken
from pitboss.rules.odds.odds import odds_of
from pitboss.rules.ratings.theo import Outcome, variance
from pitboss.rules.ratings.yields import SideBet, SidePlayed, side_bet
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.told import Outcome as Ending
from pitboss.services import house
from pitboss.services.table_changes import rules_by
from tables.models import Round
from tables.selectors.past_rules import rules_at
from tables.services.rating_facts import told_bets

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
    """What was bet on one, over so many hands of the main game."""

    hands: int = 0
    wagers: int = 0
    staked_cents: int = 0
    squares: int = 0


class _Rules:
    """By which rules each round was dealt, read once for each version of a table's rules."""

    def __init__(self) -> None:
        self._tables = {table.pk: table for table in Table.objects.all()}
        self._versions: dict[int, list[RulesVersion]] = {}
        for version in RulesVersion.objects.select_related("slip").order_by("from_at", "id"):
            self._versions.setdefault(version.table_id, []).append(version)
        self._known: dict[tuple[int, int], TableRules | None] = {}

    def at(self, table_id: int, at: datetime) -> TableRules | None:
        versions = self._versions.get(table_id, [])
        place = bisect_right([each.from_at for each in versions], at)
        if (table_id, place) not in self._known:
            self._known[table_id, place] = self._read(table_id, versions[:place], at)
        return self._known[table_id, place]

    def _read(self, table_id: int, begun: list[RulesVersion], at: datetime) -> TableRules | None:
        in_force = house.settings_at(at)
        if begun:
            return rules_by(begun[-1], in_force)
        try:
            return rules_at(self._tables[table_id], at, in_force)
        except Refused:
            return None


def _taken(choice: Choice) -> tuple[dict[_Key, _Taken], list[tuple[_Key, dict[str, Any]]], int]:
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
    rules, taken, lines, count = _Rules(), dict[_Key, _Taken](), [], 0
    for row in rows[:READ_MAX].iterator():
        count += 1
        dealt = rules.at(row["table"], row["started_at"])
        if dealt is None:
            continue
        for key, bet in _in_round(row["log"], dealt):
            found = taken.setdefault(key, _Taken())
            found.hands += bet.hands
            found.wagers += bet.wagers
            found.staked_cents += bet.staked_cents
            found.squares += bet.squares
            if bet.wagers:
                lines.append((key, row | {"bet": bet}))
    return taken, lines, count


def _in_round(log: Mapping[str, Any], rules: TableRules) -> list[tuple[_Key, _Taken]]:
    """Return what lay on each side bet that a round offered."""
    seats = [told_bets(seat) for seat in log["seats"]]
    mine = [[bet for bet in bets if bet.is_players and not bet.coupon] for bets in seats]
    hands = sum(any(bet.wager == rules.game.main_wager for bet in bets) for bets in mine)
    found = []
    for wager, offer in rules.side_bets.items():
        stakes = [bet.stake_cents for bets in mine for bet in bets if bet.wager == wager]
        bet = _Taken(hands, len(stakes), sum(stakes), sum(cents**2 for cents in stakes))
        found.append((_Key(wager, str(offer.paytable), rules.decks), bet))
    return found


@lru_cache(maxsize=256)
def _priced(key: _Key) -> tuple[Fraction, Fraction] | None:
    """Return edge and variance of a side bet; none where it has no odds."""
    try:
        odds = odds_of({"wager": key.wager, "paytable": key.paytable, "decks": key.decks})
    except Refused:
        return None
    outcomes = [Outcome(row.probability, Fraction(row.pays)) for row in odds.rows.values()]
    return odds.edge, variance(outcomes).variance


def _worth(key: _Key, taken: _Taken) -> SideBet | None:
    priced = _priced(key)
    if priced is None or not taken.hands:
        return None
    edge, spread = priced
    return side_bet(
        SidePlayed(
            main_wagers=taken.hands,
            wagers=taken.wagers,
            staked_cents=taken.staked_cents,
            squares=taken.squares,
            edge=edge,
            variance=spread,
        )
    )


@report(
    key="side-bets",
    title="Side bets",
    group=Group.GAMES,
    says="How often each side bet is taken, its theo, and the band of chance, by pay table.",
    page=PAGE,
    asked=Asked(days_max=31, pit=True),
)
def side_bets(choice: Choice) -> Report:
    """Return how side bets do; opened, the rounds that one was bet in."""
    taken, lines, count = _taken(choice)
    if choice.of:
        return _opened(choice, lines)
    rows = []
    for key, found in sorted(taken.items(), key=lambda item: item[0].named):
        worth = _worth(key, found)
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
            "Theo = staked × exact edge of the pay table. 95 of 100 results end within the band.",
        ),
    )


def _opened(choice: Choice, lines: Sequence[tuple[_Key, dict[str, Any]]]) -> Report:
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
