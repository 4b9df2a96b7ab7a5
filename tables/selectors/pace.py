"""How fast a table is dealt, and how a dealer's shuffles, shoes and rounds move over the weeks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import (
    Count,
    DurationField,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    Subquery,
)
from django.db.models.functions import Coalesce, Now

from pitboss.models import Person, Table
from pitboss.rules.floor.records import PACE_CHECK
from pitboss.rules.floor.standards import Mark, Pace, Timed, pace_of, per_hour
from tables.models import Dealing, FloorEntry, Round, ShoeMark

WEEK = timedelta(days=7)
WEEKS = 8


@dataclass(frozen=True, slots=True)
class DealersPace:
    """One dealer in one stretch of time."""

    dealer: Person
    since: datetime
    pace: Pace
    rounds: int
    rounds_an_hour: int | None
    # By a supervisor who counted, where the terminal wasn't sent every round.
    counted_an_hour: int | None


def times_at(table: Table, limit: int = 6) -> list[tuple[ShoeMark, Timed]]:
    """Return the shuffles and shoes last timed at a table, newest first."""
    marks = (
        ShoeMark.objects.filter(table=table, seconds__isnull=False)
        .select_related("dealer")
        .order_by("-id")[:limit]
    )
    return [(mark, took) for mark in marks if (took := timed_by(mark)) is not None]


def timed_by(mark: ShoeMark) -> Timed | None:
    """Return the shuffle or shoe that a mark ended, where it was timed."""
    if mark.seconds is None:
        return None
    return Timed(mark.decks, mark.seconds, is_shuffle=mark.mark == Mark.DEAL)


def pace_of_dealers(
    dealers: Iterable[Person], since: datetime, until: datetime
) -> list[DealersPace]:
    """Return the pace of dealers in a stretch of time, those who dealt in it only."""
    people = {dealer.pk: dealer for dealer in dealers}
    times: dict[int, list[Timed]] = defaultdict(list)
    for dealer_id, _, took in _times(people, since, until):
        times[dealer_id].append(took)
    stints: dict[int, list[_Stint]] = defaultdict(list)
    for dealer_id, _, stint in _stints(people, since, until):
        stints[dealer_id].append(stint)
    counts: dict[int, list[_Stint]] = defaultdict(list)
    for dealer_id, _, count in _counts(people.values(), since, until):
        counts[dealer_id].append(count)
    return [
        _pace(dealer, since, times[pk], stints[pk], counts[pk])
        for pk, dealer in people.items()
        if pk in times or pk in stints or pk in counts
    ]


def weeks_of(dealer: Person, until: datetime, weeks: int = WEEKS) -> list[DealersPace]:
    """Return a dealer's pace week by week, newest first; weeks without a time are left out."""
    since = until - weeks * WEEK
    times: dict[int, list[Timed]] = defaultdict(list)
    for _, at, took in _times([dealer.pk], since, until):
        times[(until - at) // WEEK].append(took)
    stints: dict[int, list[_Stint]] = defaultdict(list)
    for _, began_at, stint in _stints([dealer.pk], since, until):
        stints[(until - began_at) // WEEK].append(stint)
    counts: dict[int, list[_Stint]] = defaultdict(list)
    for _, at, count in _counts([dealer], since, until):
        counts[(until - at) // WEEK].append(count)
    return [
        _pace(dealer, until - (week + 1) * WEEK, times[week], stints[week], counts[week])
        for week in sorted({*times, *stints, *counts})
    ]


# Rounds told or counted in it, and how long it took.
_Stint = tuple[int, timedelta]


def _pace(
    dealer: Person,
    since: datetime,
    times: Iterable[Timed],
    stints: Iterable[_Stint],
    counts: Iterable[_Stint],
) -> DealersPace:
    rounds, told = _hourly(stints)
    _, counted = _hourly(counts)
    return DealersPace(dealer, since, pace_of(times), rounds, told, counted)


def _hourly(stints: Iterable[_Stint]) -> tuple[int, int | None]:
    stints = list(stints)
    rounds = sum(item for item, _ in stints)
    return rounds, per_hour(rounds, sum((dealt for _, dealt in stints), timedelta()))


def _counts(
    dealers: Iterable[Person], since: datetime, until: datetime
) -> Iterator[tuple[int, datetime, _Stint]]:
    """Yield the rounds of dealers that a supervisor counted, with the end of each count."""
    of_badge = {dealer.badge: dealer.pk for dealer in dealers}
    counts = FloorEntry.objects.filter(
        kind=PACE_CHECK, facts__badge__in=list(of_badge), at__gte=since, at__lt=until
    )
    for facts, at in counts.values_list("facts", "at"):
        minutes = timedelta(minutes=facts["minutes"])
        yield of_badge[facts["badge"]], at, (facts["rounds"], minutes)


def _times(
    dealers: Iterable[int], since: datetime, until: datetime
) -> Iterator[tuple[int, datetime, Timed]]:
    """Yield what dealers were timed at, with the end of each."""
    marks = ShoeMark.objects.filter(
        dealer__in=dealers, at__gte=since, at__lt=until, seconds__isnull=False
    )
    for mark in marks.only("dealer", "at", "mark", "decks", "seconds"):
        took = timed_by(mark)
        assert mark.dealer_id is not None, "a time has its dealer"
        assert took is not None, "only marks with a time were asked for"
        yield mark.dealer_id, mark.at, took


def _stints(
    dealers: Iterable[int], since: datetime, until: datetime
) -> Iterator[tuple[int, datetime, _Stint]]:
    """Yield the stints of dealers in which rounds were told."""
    told = (
        Round.objects.filter(
            table=OuterRef("table"),
            dealer=OuterRef("dealer"),
            started_at__gte=OuterRef("began_at"),
            started_at__lt=Coalesce(OuterRef("ended_at"), Now()),
        )
        .order_by()
        .values("table")
        .annotate(count=Count("pk"))
        .values("count")
    )
    stints = (
        Dealing.objects.filter(dealer__in=dealers, began_at__gte=since, began_at__lt=until)
        .annotate(
            rounds=Subquery(told, output_field=IntegerField()),
            dealt=ExpressionWrapper(
                Coalesce(F("ended_at"), Now()) - F("began_at"), output_field=DurationField()
            ),
        )
        .filter(rounds__gt=0)
        .values_list("dealer_id", "began_at", "rounds", "dealt")
    )
    for dealer_id, began_at, rounds, dealt in stints:
        yield dealer_id, began_at, (rounds, dealt)
