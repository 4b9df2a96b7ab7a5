"""What a stay came to: average, rounds, theo and its range, from rounds told or bets looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pitboss.models import Table
from pitboss.rules.floor.records import PACE_CHECK
from pitboss.rules.ratings.bets import (
    BetSeen,
    PaceSample,
    Seated,
    ToldBet,
    ToldPlay,
    average_bet,
    decisions_by_pace,
    own_pace,
    seated_within,
    stretches,
    told_play,
)
from pitboss.rules.ratings.reckoning import Span, Unreckoned, half_up, seconds_within
from pitboss.rules.ratings.stay import StayMoney, house_win_cents
from pitboss.rules.ratings.theo import BetBasis, PaceBasis, Skill, Theo, TheoRange, theo_range
from pitboss.rules.ratings.wager_prices import raise_crosses, seen_stakes, told_stakes
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services import house
from tables.models import (
    FloorEntry,
    MoneyKind,
    PlayRating,
    RatingFigures,
    RatingMoney,
    SeatHeld,
)
from tables.selectors.past_rules import DealtBy
from tables.services.rating_facts import (
    own_seats,
    rounds_during,
    seconds_into,
    skill_now,
    spans_of,
    told_bets,
)
from tables.services.rating_prices import PricedStay, Prices, price_stay


@dataclass(frozen=True, slots=True)
class Worth:
    """What a stay came to, as far as it is known."""

    seconds: int
    basis: BetBasis | None = None
    pace_basis: PaceBasis | None = None
    looks: int = 0
    average: Fraction | None = None
    decisions: Fraction | None = None
    action: Mapping[str, Fraction] = field(default_factory=dict)
    squares: Mapping[str, int] = field(default_factory=dict)
    crosses: Mapping[str, int] = field(default_factory=dict)
    edges: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
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
    if present <= 0:
        return Worth(max(present, 0), theo=Theo({}), range=_NOTHING, result_cents=result)
    prices = Prices(Table.objects.get(pk=rating.table_id), rating.began_at, ended_at)
    rules = prices.dealt.rules(0)
    main, skill_bp = rules.game.main_wager, skill_of(rating, in_force)
    rounds = _rounds(rating, ended_at)
    told = _told(rounds, seconds, main, in_force)
    if told is not None:
        dealt = [
            (prices.dealt.place(round_told.at), round_told.own)
            for round_told in rounds
            if any(round_told.own)
        ]
        crosses = raise_crosses(own for _, own in dealt) | {main: told.crosses}
        priced = price_stay(
            prices, main, told_stakes(dealt), in_force, skill_bp=skill_bp, crosses=crosses
        )
        return _worth(
            priced,
            BetBasis.TOLD,
            PaceBasis.COUNTED,
            present,
            0,
            told.average,
            told.decisions,
            result,
        )
    try:
        basis, looks, average = _looked(rating, ended_at, away, in_force)
    except Unreckoned:
        return Worth(present, result_cents=result)
    segments = _segments(rating, ended_at, away)
    pace_basis, by_place = _decisions(
        rating, ended_at, prices, segments, rounds, in_force, rules.game.id
    )
    decisions = sum(by_place.values(), Fraction(0))
    sides, hands = _sides_and_hands(rating)
    stakes = seen_stakes(main, average, by_place, sides, hands=hands)
    crosses = {main: half_up(average**2 * decisions * (1 - 1 / hands))}
    priced = price_stay(prices, main, stakes, in_force, skill_bp=skill_bp, crosses=crosses)
    return _worth(priced, basis, pace_basis, present, looks, average, decisions, result)


_NOTHING = TheoRange(0, 0, 0, 0)


def skill_of(rating: PlayRating, in_force: SettingsInForce) -> int:
    """Return what a player gives up beyond the chart, as the person who rated them saw it last."""
    given_up: dict[Skill, int] = {
        Skill.CHART: in_force["rating.skill_chart"],
        Skill.USUAL: in_force["rating.skill"],
        Skill.WEAK: in_force["rating.skill_weak"],
    }
    return given_up[skill_now(rating)]


@dataclass(frozen=True, slots=True)
class _RoundTold:
    """A round of the table during a stay, and what it says of the player's own seats."""

    at: datetime
    second: int
    own: list[list[ToldBet]]


def _rounds(rating: PlayRating, ended_at: datetime) -> list[_RoundTold]:
    spans = spans_of(rating.seats.all())
    return [
        _RoundTold(
            item.started_at,
            seconds_into(rating, item.started_at),
            [told_bets(seat) for seat in own_seats(item, spans)],
        )
        for item in rounds_during(rating.table_id, rating.began_at, ended_at).iterator()
    ]


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
        front_money=sums.get(MoneyKind.FRONT_MONEY, 0),
        walked=walked,
        moved_on=moved,
    )


def _told(
    rounds: Sequence[_RoundTold], seconds: int, main: str, in_force: SettingsInForce
) -> ToldPlay | None:
    """Return what a terminal told of the whole stay; none where its rounds leave too long a gap."""
    own = [round_told for round_told in rounds if any(round_told.own)]
    if not _is_whole([round_told.second for round_told in own], seconds, in_force):
        return None
    try:
        return told_play(main, [round_told.own for round_told in own])
    except Unreckoned:
        return None


def _is_whole(at: Sequence[int], seconds: int, in_force: SettingsInForce) -> bool:
    """Tell whether rounds leave no longer gap than the house allows, from beginning to end."""
    gap = in_force["rating.told_gap"] * 60
    return all(later - earlier <= gap for earlier, later in pairwise([0, *at, seconds]))


def _looked(
    rating: PlayRating,
    ended_at: datetime,
    away: list[tuple[int, int]],
    in_force: SettingsInForce,
) -> tuple[BetBasis, int, Fraction]:
    """Return the basis, how many looks count, and the average. Raises Unreckoned."""
    seconds = seconds_into(rating, ended_at)
    looks = [
        BetSeen(seconds_into(rating, look.at), look.bet_cents, look.prompted)
        for look in rating.looks.order_by("at", "id")
    ]
    if not looks and rating.guess_cents is not None:
        return BetBasis.GUESSED, 0, Fraction(rating.guess_cents)
    found = average_bet(seconds, looks, away, looks_least=in_force["rating.looks_least"])
    return BetBasis.LOOKED, found.looks_used, found.average


def told_so_far(rating: PlayRating, now: datetime) -> ToldPlay | None:
    """Return what a terminal has told of a stay that goes on; none where it leaves a gap."""
    in_force = house.settings_at(rating.began_at)
    table = Table.objects.get(pk=rating.table_id)
    main = DealtBy(table, rating.began_at, now).rules(0).game.main_wager
    return _told(_rounds(rating, now), seconds_into(rating, now), main, in_force)


def average_so_far(rating: PlayRating, now: datetime) -> Fraction:
    """Return the average bet of a stay that goes on, from its looks. Raises Unreckoned."""
    in_force = house.settings_at(rating.began_at)
    return _looked(rating, now, _absences(rating, now), in_force)[2]


def _sides_and_hands(rating: PlayRating) -> tuple[list[dict[str, int]], Fraction]:
    """Return the side bets of each look, and over how many hands the main bets were spread."""
    looks = list(rating.looks.order_by("at", "id").values_list("side", "seats"))
    if not looks:
        return [], Fraction(1)
    spread = sum((Fraction(1, seats) for _, seats in looks), Fraction(0)) / len(looks)
    return [side for side, _ in looks], 1 / spread


def _segments(rating: PlayRating, ended_at: datetime, away: Sequence[Span]) -> list[Seated]:
    """Return from when to when how many played at the table while this one was there."""
    seconds = seconds_into(rating, ended_at)
    others = SeatHeld.objects.filter(table=rating.table_id, from_at__lt=ended_at).exclude(
        until__lte=rating.began_at
    )
    spans: dict[Any, list[Span]] = {}
    for held in others.exclude(rating=rating):
        whose = held.rating_id or f"seat {held.pk}"
        until = seconds_into(rating, held.until or ended_at)
        spans.setdefault(whose, []).append((seconds_into(rating, held.from_at), until))
    edges = {
        0,
        seconds,
        *(at for group in [*spans.values(), away] for span in group for at in span),
    }
    cuts = sorted(at for at in edges if 0 <= at <= seconds)
    found = []
    for begins, ends in pairwise(cuts):
        if seconds_within(away, begins, ends):
            continue
        there = sum(bool(seconds_within(span, begins, ends)) for span in spans.values())
        found.append((begins, ends, 1 + there))
    return found


def _decisions(
    rating: PlayRating,
    ended_at: datetime,
    prices: Prices,
    segments: Sequence[Seated],
    rounds: Sequence[_RoundTold],
    in_force: SettingsInForce,
    game_id: str,
) -> tuple[PaceBasis, dict[int, Fraction]]:
    """Return how many rounds a player was dealt, by the rules of each, and how that is known.

    Counted where the table told every round; by its own pace where some of them were counted.
    """
    seconds = seconds_into(rating, ended_at)
    if rounds and _is_whole([round_told.second for round_told in rounds], seconds, in_force):
        counted: dict[int, Fraction] = {}
        for round_told in rounds:
            if any(begins <= round_told.second <= ends for begins, ends, _ in segments):
                place = prices.dealt.place(round_told.at)
                counted[place] = counted.get(place, Fraction(0)) + 1
        return PaceBasis.COUNTED, counted
    pace = in_force.pace_of(game_id)
    gap = in_force["rating.told_gap"] * 60
    samples = [
        *stretches([round_told.second for round_told in rounds], gap),
        *_pace_checks(rating, ended_at),
    ]
    basis, speed = PaceBasis.TABLE, Fraction(1)
    try:
        basis, speed = PaceBasis.OWN, own_pace(segments, samples, pace)
    except Unreckoned:
        basis = PaceBasis.TABLE
    cuts = [0, *(seconds_into(rating, at) for at in prices.dealt.changes), seconds]
    return basis, {
        place: speed * decisions_by_pace(seated_within(segments, begins, ends), pace)
        for place, (begins, ends) in enumerate(pairwise(cuts))
    }


def _pace_checks(rating: PlayRating, ended_at: datetime) -> list[PaceSample]:
    """Return the rounds that a supervisor counted at the table during a stay."""
    checks = FloorEntry.objects.filter(
        table=rating.table_id, kind=PACE_CHECK, at__gt=rating.began_at, at__lte=ended_at
    )
    samples = []
    for facts, at in checks.order_by("at").values_list("facts", "at"):
        ends = seconds_into(rating, at)
        begins = ends - facts["minutes"] * 60
        # A count that began before the stay says nothing of it alone.
        if begins >= 0:
            samples.append(PaceSample(begins, ends, facts["rounds"]))
    return samples


def _worth(
    priced: PricedStay,
    basis: BetBasis,
    pace_basis: PaceBasis,
    seconds: int,
    looks: int,
    average: Fraction,
    decisions: Fraction | int,
    result: int | None,
) -> Worth:
    """Return a priced stay with the range of its theo."""
    found = priced.theo
    return Worth(
        seconds=seconds,
        basis=basis,
        pace_basis=pace_basis,
        looks=looks,
        average=average,
        decisions=Fraction(decisions),
        action=priced.action,
        squares=priced.squares,
        crosses=priced.crosses,
        edges=priced.edges,
        skill_bp=priced.skill_bp,
        theo=found,
        range=theo_range(found.total, basis, pace_basis, looks) if found is not None else None,
        result_cents=result,
        is_complete=priced.is_complete,
    )


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
        "crosses": {wager: str(both) for wager, both in worth.crosses.items()},
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
