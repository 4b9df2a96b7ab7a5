"""How fast a table is dealt, and how a dealer's shuffles, shoes and rounds move over the weeks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
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
    Sum,
)
from django.db.models.functions import Coalesce, Now

from pitboss.models import Person, Table
from pitboss.rules.standards import Mark, Pace, Timed, pace_of, per_hour
from tables.models import Dealing, Round, ShoeMark

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
    return None if mark.seconds is None else _timed(mark.mark, mark.decks, mark.seconds)


def pace_of_dealers(
    dealers: Iterable[Person], since: datetime, until: datetime
) -> list[DealersPace]:
    """Return the pace of dealers in a stretch of time, those who dealt in it only."""
    people = {dealer.pk: dealer for dealer in dealers}
    times: dict[int, list[Timed]] = defaultdict(list)
    marks = ShoeMark.objects.filter(
        dealer__in=people, at__gte=since, at__lt=until, seconds__isnull=False
    ).values_list("dealer_id", "mark", "decks", "seconds")
    for dealer_id, mark, decks, seconds in marks:
        assert seconds is not None
        times[dealer_id].append(_timed(mark, decks, seconds))
    rounds = _rounds(people, since, until)
    return [
        DealersPace(
            dealer,
            since,
            pace_of(times[pk]),
            *rounds.get(pk, (0, None)),
        )
        for pk, dealer in people.items()
        if pk in times or pk in rounds
    ]


def weeks_of(dealer: Person, until: datetime, weeks: int = WEEKS) -> list[DealersPace]:
    """Return a dealer's pace week by week, newest first; weeks without a time are left out."""
    found = []
    for week in range(weeks):
        ended = until - week * WEEK
        found += pace_of_dealers([dealer], ended - WEEK, ended)
    return found


def _timed(mark: str, decks: int, seconds: int) -> Timed:
    return Timed(decks, seconds, is_shuffle=mark == Mark.DEAL)


def _rounds(
    dealers: Iterable[int], since: datetime, until: datetime
) -> dict[int, tuple[int, int | None]]:
    """Return rounds and rounds an hour of dealers, over the stints in which rounds were told."""
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
            rounds=Coalesce(Subquery(told, output_field=IntegerField()), 0),
            dealt=ExpressionWrapper(
                Coalesce(F("ended_at"), Now()) - F("began_at"), output_field=DurationField()
            ),
        )
        .filter(rounds__gt=0)
        .order_by()
        .values("dealer_id")
        .annotate(total=Sum("rounds"), hours=Sum("dealt"))
    )
    return {
        each["dealer_id"]: (each["total"], per_hour(each["total"], each["hours"]))
        for each in stints
    }
