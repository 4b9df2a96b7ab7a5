"""What a stay came to: average, rounds, theo and its range, from rounds told or bets looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pitboss.models import Table
from pitboss.rules.games.games import TableRules
from pitboss.rules.odds.odds import odds_of
from pitboss.rules.ratings.bets import (
    BetSeen,
    ToldPlay,
    average_bet,
    decisions_by_pace,
    told_play,
)
from pitboss.rules.ratings.reckoning import Unreckoned, seconds_within
from pitboss.rules.ratings.stay import StayMoney, house_win_cents
from pitboss.rules.ratings.theo import (
    Basis,
    MainAction,
    PaceBasis,
    SideAction,
    Theo,
    TheoRange,
    theo,
    theo_range,
)
from pitboss.rules.refusal import Refused
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services import house
from pitboss.services.table_changes import rules_in_force
from tables.models import MoneyKind, PlayRating, RatingFigures, RatingMoney, SeatHeld
from tables.selectors.past_rules import rules_at
from tables.services.main_edges import MainEdgeKnown, main_edge_of
from tables.services.rating_facts import (
    own_seats,
    rounds_during,
    seconds_into,
    spans_of,
    told_bets,
)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a stay came to, as far as it is known."""

    seconds: int
    basis: Basis | None = None
    pace_basis: PaceBasis | None = None
    looks: int = 0
    average: Fraction | None = None
    decisions: Fraction | None = None
    action: Mapping[str, Fraction] = field(default_factory=dict)
    squares: Mapping[str, int] = field(default_factory=dict)
    edges: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    skill_bp: int = 0
    theo: Theo | None = None
    range: TheoRange | None = None
    result_cents: int | None = None
    # False while the edge of these rules is still being worked out.
    is_complete: bool = True


def worth_of(rating: PlayRating, ended_at: datetime, money: Sequence[RatingMoney]) -> Worth:
    """Return what a stay came to, had it ended then."""
    in_force = house.settings_at(rating.began_at)
    seconds, away = seconds_into(rating, ended_at), _absences(rating, ended_at)
    present = seconds - seconds_within(away, 0, seconds)
    result = house_win_cents(_stay_money(money))
    rules = _rules_of(rating, in_force)
    told = _told(rating, ended_at, rules.game.main_wager, in_force)
    if present <= 0:
        return Worth(max(present, 0), theo=Theo({}), range=_NOTHING, result_cents=result)
    main = rules.game.main_wager
    if told is not None:
        return _priced(
            rules,
            in_force,
            seconds=present,
            basis=Basis.TOLD,
            pace_basis=PaceBasis.COUNTED,
            looks=0,
            average=told.average,
            decisions=Fraction(told.decisions),
            action={wager: Fraction(cents) for wager, cents in told.action_cents.items()},
            squares=told.squares,
            result=result,
        )
    try:
        basis, looks, average = _looked(rating, ended_at, away, in_force)
    except Unreckoned:
        return Worth(present, result_cents=result)
    pace = dict(enumerate(in_force["rating.pace"], 1))
    decisions = decisions_by_pace(_players(rating, ended_at, away), pace)
    action = {main: average * decisions}
    action.update(_side_action(rating, decisions))
    return _priced(
        rules,
        in_force,
        seconds=present,
        basis=basis,
        pace_basis=PaceBasis.TABLE,
        looks=looks,
        average=average,
        decisions=decisions,
        action=action,
        squares={},
        result=result,
    )


_NOTHING = TheoRange(0, 0, 0, 0)


def _rules_of(rating: PlayRating, in_force: SettingsInForce) -> TableRules:
    """Return the rules by which the table was dealt when the stay began."""
    table = Table.objects.get(pk=rating.table_id)
    try:
        return rules_at(table, rating.began_at, in_force)
    except Refused:
        return rules_in_force(table, in_force)


def _absences(rating: PlayRating, ended_at: datetime) -> list[tuple[int, int]]:
    return [
        (seconds_into(rating, away.from_at), seconds_into(rating, away.until or ended_at))
        for away in rating.absences.order_by("from_at")
    ]


def _stay_money(money: Sequence[RatingMoney]) -> StayMoney:
    sums: dict[str, int] = {}
    for row in money:
        sums[row.kind] = sums.get(row.kind, 0) + row.amount_cents
    # What was carried to another table is seen there, not walked with.
    moved = sums.get(MoneyKind.MOVED_ON, 0)
    walked = sums.get(MoneyKind.WALKED, 0 if moved else None)
    return StayMoney(
        cash=sums.get(MoneyKind.CASH, 0),
        cheques=sums.get(MoneyKind.CHEQUES, 0),
        marker=sums.get(MoneyKind.MARKER, 0),
        walked=walked,
        moved_on=moved,
    )


def _told(
    rating: PlayRating, ended_at: datetime, main: str, in_force: SettingsInForce
) -> ToldPlay | None:
    """Return what a terminal told of the whole stay; none where its rounds leave too long a gap."""
    spans = spans_of(rating.seats.all())
    seats, last = [], rating.began_at
    gap = in_force["rating.told_gap"] * 60
    for each in rounds_during(rating.table_id, rating.began_at, ended_at).iterator():
        own = [told_bets(seat) for seat in own_seats(each, spans)]
        if not any(own):
            continue
        if (each.started_at - last).total_seconds() > gap:
            return None
        last = each.started_at
        seats.append(own)
    if (ended_at - last).total_seconds() > gap:
        return None
    try:
        return told_play(main, seats)
    except Unreckoned:
        return None


def _looked(
    rating: PlayRating,
    ended_at: datetime,
    away: list[tuple[int, int]],
    in_force: SettingsInForce,
) -> tuple[Basis, int, Fraction]:
    """Return the basis, how many looks count, and the average. Raises Unreckoned."""
    seconds = seconds_into(rating, ended_at)
    looks = [
        BetSeen(seconds_into(rating, look.at), look.bet_cents, look.prompted)
        for look in rating.looks.order_by("at", "id")
    ]
    if not looks and rating.guess_cents is not None:
        return Basis.GUESSED, 0, Fraction(rating.guess_cents)
    found = average_bet(seconds, looks, away, looks_least=in_force["rating.looks_least"])
    return Basis.LOOKED, found.looks_used, found.average


def average_so_far(rating: PlayRating, now: datetime) -> Fraction:
    """Return the average bet of a stay that goes on, from its looks. Raises Unreckoned."""
    in_force = house.settings_at(rating.began_at)
    return _looked(rating, now, _absences(rating, now), in_force)[2]


def _side_action(rating: PlayRating, decisions: Fraction) -> dict[str, Fraction]:
    """Return what lay on side bets, as the mean over all looks times the rounds."""
    looks = list(rating.looks.values_list("side", flat=True))
    wagers = {wager for side in looks for wager in side}
    return {
        wager: Fraction(sum(side.get(wager, 0) for side in looks), len(looks)) * decisions
        for wager in sorted(wagers)
    }


def _players(
    rating: PlayRating, ended_at: datetime, away: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return for how long how many played at the table while this one was there."""
    seconds = seconds_into(rating, ended_at)
    others = SeatHeld.objects.filter(table=rating.table_id, from_at__lt=ended_at).exclude(
        until__lte=rating.began_at
    )
    spans: dict[Any, list[tuple[int, int]]] = {}
    for held in others.exclude(rating=rating):
        whose = held.rating_id or f"seat {held.pk}"
        until = seconds_into(rating, held.until or ended_at)
        spans.setdefault(whose, []).append((seconds_into(rating, held.from_at), until))
    edges = {0, seconds, *(at for each in [*spans.values(), away] for span in each for at in span)}
    cuts = sorted(at for at in edges if 0 <= at <= seconds)
    found = []
    for begins, ends in pairwise(cuts):
        if seconds_within(away, begins, ends):
            continue
        there = sum(bool(seconds_within(each, begins, ends)) for each in spans.values())
        found.append((ends - begins, 1 + there))
    return found


def _priced(
    rules: TableRules,
    in_force: SettingsInForce,
    *,
    seconds: int,
    basis: Basis,
    pace_basis: PaceBasis,
    looks: int,
    average: Fraction,
    decisions: Fraction,
    action: Mapping[str, Fraction],
    squares: Mapping[str, int],
    result: int | None,
) -> Worth:
    """Return a stay with its theo, by the edge of each wager under these rules."""
    main = rules.game.main_wager
    edge = main_edge_of(rules, in_force)
    edges = {main: edge.as_row()}
    sides = []
    for wager, cents in action.items():
        if wager != main:
            side_edge = _side_edge(rules, wager)
            edges[wager] = {"edge": str(side_edge or ""), "from": "exact" if side_edge else ""}
            sides.append(SideAction(wager, cents, side_edge or Fraction(0)))
    found = priced = None
    skill_bp = in_force["rating.skill"] if edge.is_exact else 0
    if edge.edge is not None:
        found = theo(MainAction(action.get(main, Fraction(0)), edge.edge, skill_bp), sides)
        priced = theo_range(found.total, basis, pace_basis, looks)
    return Worth(
        seconds=seconds,
        basis=basis,
        pace_basis=pace_basis,
        looks=looks,
        average=average,
        decisions=decisions,
        action=action,
        squares=squares,
        edges=edges,
        skill_bp=skill_bp,
        theo=found,
        range=priced,
        result_cents=result,
        is_complete=edge is not MainEdgeKnown.AWAITED,
    )


def _side_edge(rules: TableRules, wager: str) -> Fraction | None:
    """Return the exact edge of a side bet by its pay table; none where it has no odds."""
    name, _, raised = wager.partition(".")
    offer = rules.side_bets.get(name)
    if offer is None:
        return None
    case = {"wager": name, "paytable": offer.paytable, "decks": rules.decks}
    try:
        odds = odds_of(case)
    except Refused:
        return None
    if raised:
        return odds.raising.raise_edge if odds.raising else None
    return odds.edge


def figures_of(rating: PlayRating, worth: Worth, now: datetime, **more: Any) -> RatingFigures:
    """Return the figures of a stay as they are stored: fractions as texts, in lowest terms."""
    values: dict[str, Any] = {
        "rating": rating,
        "revision": 0,
        "made_at": now,
        "seconds": worth.seconds,
        "basis": worth.basis.value if worth.basis else "",
        "pace_basis": worth.pace_basis.value if worth.pace_basis else "",
        "looks": worth.looks,
        "average": _text(worth.average),
        "decisions": _text(worth.decisions),
        "action": {wager: str(cents) for wager, cents in worth.action.items()},
        "squares": {wager: str(square) for wager, square in worth.squares.items()},
        "edges": {wager: dict(edge) for wager, edge in worth.edges.items()},
        "skill_bp": worth.skill_bp,
        "result_cents": worth.result_cents,
    }
    if worth.theo is not None and worth.range is not None:
        values |= {
            "theo": str(worth.theo.total),
            "theo_cents": worth.theo.cents,
            # Rounded to the cent, a theo may leave its range by less than one.
            "low_cents": min(worth.range.low_cents, worth.theo.cents),
            "high_cents": max(worth.range.high_cents, worth.theo.cents),
        }
    return RatingFigures(**values | more)


def _text(value: Fraction | None) -> str:
    return "" if value is None else str(value)
