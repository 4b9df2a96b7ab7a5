"""How much a player bet and how often: from looks, from told rounds, from the table's pace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pitboss.rules.ratings.reckoning import (
    PaceTable,
    Span,
    Unreckoned,
    merged_spans,
    rate_of,
    seconds_within,
)

LOOKS_LEAST: Final = 3
# As of a dealer's pace: less says nothing.
SAMPLE_LEAST: Final = 300


@dataclass(frozen=True, slots=True)
class BetSeen:
    """A bet as someone saw it, so many seconds into the stay."""

    at: int
    bet_cents: int
    prompted: bool = False


@dataclass(frozen=True, slots=True)
class AverageBet:
    """The average of a stay, over the seconds that the player was there."""

    average: Fraction
    looks_used: int
    seconds: int


def average_bet(
    seconds: int,
    looks: Sequence[BetSeen],
    away: Sequence[Span] = (),
    *,
    looks_least: int = LOOKS_LEAST,
) -> AverageBet:
    """Return the bet of a stay, each look weighed by how long it held. Raises Unreckoned.

    A look holds until the next one used, the first from the beginning. If enough looks were
    prompted, only those are used: a player who bets up when watched gains nothing.
    """
    absences = merged_spans(away)
    present = seconds - seconds_within(absences, 0, seconds)
    if present <= 0:
        raise Unreckoned("no_time")
    if not looks:
        raise Unreckoned("no_look")
    if any(not 0 <= look.at <= seconds for look in looks):
        raise Unreckoned("look_outside")
    if any(begins <= look.at < ends for look in looks for begins, ends in absences):
        raise Unreckoned("look_while_away")
    used = _used(looks, looks_least)
    starts = [0, *(look.at for look in used[1:])]
    weighed = 0
    for look, begins, ends in zip(used, starts, [*starts[1:], seconds], strict=True):
        weighed += look.bet_cents * (ends - begins - seconds_within(absences, begins, ends))
    return AverageBet(Fraction(weighed, present), len(used), present)


def _used(looks: Sequence[BetSeen], looks_least: int) -> list[BetSeen]:
    """Return the looks that count, in order; of one second the last."""
    prompted = [look for look in looks if look.prompted]
    counting = prompted if len(prompted) >= looks_least else looks
    by_second = {look.at: look for look in counting}
    return [by_second[at] for at in sorted(by_second)]


@dataclass(frozen=True, slots=True)
class ToldBet:
    """One bet that a terminal told of a round."""

    wager: str
    stake_cents: int
    raise_cents: int = 0
    is_players: bool = True
    coupon: bool = False


@dataclass(frozen=True, slots=True)
class ToldPlay:
    """What told rounds say of one player: action and squares by wager."""

    rounds: int
    decisions: int
    hands: int
    action_cents: Mapping[str, int]
    squares: Mapping[str, int]
    crosses: int
    coupon_cents: int
    average: Fraction


def told_play(main: str, rounds: Sequence[Sequence[Sequence[ToldBet]]]) -> ToldPlay:
    """Return what was bet in rounds, each a list of the player's seats. Raises Unreckoned.

    Only the player's own first stakes in cash count; a raise counts as a wager of its own.
    """
    action: Counter[str] = Counter()
    squares: Counter[str] = Counter()
    decisions = hands = crosses = coupons = 0
    for seats in rounds:
        own = [bet for seat in seats for bet in seat if bet.is_players]
        coupons += sum(bet.stake_cents for bet in own if bet.coupon)
        stakes = [stake for bet in own if not bet.coupon for stake in _stakes(bet)]
        for wager, cents in stakes:
            action[wager] += cents
            squares[wager] += cents**2
        mains = [cents for wager, cents in stakes if wager == main]
        decisions += bool(mains)
        hands += len(mains)
        crosses += sum(mains) ** 2 - sum(cents**2 for cents in mains)
    if not decisions:
        raise Unreckoned("nothing_bet")
    return ToldPlay(
        rounds=len(rounds),
        decisions=decisions,
        hands=hands,
        action_cents=dict(action),
        squares=dict(squares),
        crosses=crosses,
        coupon_cents=coupons,
        average=Fraction(action[main], decisions),
    )


def _stakes(bet: ToldBet) -> list[tuple[str, int]]:
    stakes = [(bet.wager, bet.stake_cents)]
    return [*stakes, (f"{bet.wager}.raise", bet.raise_cents)] if bet.raise_cents else stakes


def decisions_by_pace(players: Sequence[tuple[int, int]], pace: PaceTable) -> Fraction:
    """Return the rounds dealt in spans of so many seconds with so many players. Raises Unreckoned.

    >>> decisions_by_pace([(1_200, 3), (2_400, 6)], {3: 105, 6: 60})
    Fraction(75, 1)
    """
    return sum((Fraction(s * rate_of(pace, seated), 3600) for s, seated in players), Fraction(0))


# From when to when, in seconds of the stay, and how many players sat at the table then.
Seated = tuple[int, int, int]


def seated_within(segments: Sequence[Seated], begins: int, ends: int) -> list[tuple[int, int]]:
    """Return for how long how many players sat there between two instants.

    >>> seated_within([(0, 600, 2), (600, 900, 3)], 300, 700)
    [(300, 2), (100, 3)]
    """
    clipped = ((max(since, begins), min(until, ends), n) for since, until, n in segments)
    return [(until - since, players) for since, until, players in clipped if until > since]


@dataclass(frozen=True, slots=True)
class PaceSample:
    """Rounds that were counted at the table between two instants of the stay."""

    begins: int
    ends: int
    rounds: int


def own_pace(
    segments: Sequence[Seated], samples: Sequence[PaceSample], pace: PaceTable
) -> Fraction:
    """Return how fast a table was dealt against its pace by players, from rounds counted there.

    Raises Unreckoned where less than five minutes of the stay were counted.

    >>> own_pace([(0, 3_600, 2)], [PaceSample(0, 1_800, 60)], {1: 209, 2: 120})
    Fraction(1, 1)
    """
    counted = [seated_within(segments, sample.begins, sample.ends) for sample in samples]
    if sum(seconds for spans in counted for seconds, _ in spans) < SAMPLE_LEAST:
        raise Unreckoned("too_little_counted")
    expected = sum((decisions_by_pace(spans, pace) for spans in counted), Fraction(0))
    return sum(sample.rounds for sample in samples) / expected


def stretches(at: Sequence[int], gap: int) -> list[PaceSample]:
    """Return the stretches in which rounds followed one another within a gap.

    >>> stretches([0, 60, 130, 2_000, 2_050], 600)
    [PaceSample(begins=0, ends=130, rounds=2), PaceSample(begins=2000, ends=2050, rounds=1)]
    """
    found: list[PaceSample] = []
    for second in at:
        last = found[-1] if found else None
        if last is not None and second - last.ends <= gap:
            found[-1] = PaceSample(last.begins, second, last.rounds + 1)
        else:
            found.append(PaceSample(second, second, 0))
    return found
