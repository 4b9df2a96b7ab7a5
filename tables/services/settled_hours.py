"""Settle the hours of a day: players, rounds, theo and labor of each table, in ink, by the worker.

A day is settled whole, once it is closed and every rating of it has its figures. A rating that is
corrected afterward outdates its table's day, and the next run writes a revision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import cache
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, Subquery

from inventory.models import TrayCount
from pitboss.models import ClosedDay, Table
from pitboss.rules.cheques.tray_counts import CLOSERS, OPENERS
from pitboss.rules.ratings.hours import HOUR, HourOf, StayPlayed, hours_of, whole_cents
from pitboss.rules.ratings.reckoning import Span, half_up
from pitboss.rules.rounds.told import Outcome
from pitboss.services import house, journal
from pitboss.services.locks import lock_table
from tables.models import (
    FiguresAwaited,
    PlayRating,
    RatingFigures,
    Round,
    SeatHeld,
    SettledHours,
)
from tables.selectors.rating_figures import newest_by_rating, theo_of_wager
from tables.selectors.yields import labor_cents

# What one run takes on: a house that comes with years of days is settled in a few.
DAYS_A_RUN = 20


def settle_due_hours() -> int:
    """Settle every closed day whose hours are due, newest first; return how many rows."""
    return sum(settle_hours(day) for day in due_days()[:DAYS_A_RUN])


def due_days() -> list[date]:
    """Return the closed days with play that are not settled, or of which a rating was corrected.

    Not those of which a rating is still to end or waits for its edge: however many there are, they
    keep no other day waiting, and no table is locked for them.
    """
    rated = PlayRating.objects.filter(gaming_day=OuterRef("gaming_day"))
    settled = SettledHours.objects.filter(gaming_day=OuterRef("gaming_day"))
    new = ClosedDay.objects.filter(Exists(rated), ~Exists(settled))
    waiting = {
        *PlayRating.objects.filter(ended_at=None).values_list("gaming_day", flat=True),
        *FiguresAwaited.objects.values_list("rating__gaming_day", flat=True),
    }
    due = {*new.values_list("gaming_day", flat=True), *_corrected()}
    return sorted(due - waiting, reverse=True)


def _corrected() -> set[date]:
    """Return the settled days of which a rating was corrected since: by number, not by time."""
    settled = SettledHours.objects.filter(
        gaming_day=OuterRef("rating__gaming_day"), table=OuterRef("rating__table")
    )
    taken_in = settled.order_by("-revision").values("corrections")[:1]
    made = RatingFigures.objects.filter(revision__gt=0).order_by()
    by_table = made.values("rating__gaming_day", "rating__table").annotate(
        number=Count("pk"), taken_in=Subquery(taken_in)
    )
    found = by_table.filter(number__gt=F("taken_in"))
    return set(found.values_list("rating__gaming_day", flat=True))


@transaction.atomic(durable=True)
def settle_hours(day: date) -> int:
    """Write the hours of every table of a closed day; return how many rows.

    Under the locks of its tables: a correction is either seen or comes after, and is news then.
    """
    if not house.is_closed(day):
        return 0
    begins, ends = span = house.day_span(day)
    cost_at = _labor_by_hour()
    rated = set(PlayRating.objects.filter(gaming_day=day).values_list("table", flat=True))
    tables = [lock_table(key) for key in sorted(rated | _held_or_counted(begins, ends))]
    stays = list(PlayRating.objects.filter(gaming_day=day))
    figures = newest_by_rating(stays)
    if any(stay.pk not in figures for stay in stays):
        return 0  # One is still to end, or waits for its edge.
    now, before = house.now(), _before(day)
    made = [_row(table, day, span, stays, figures, cost_at, now) for table in tables]
    rows = []
    for row in made:
        newest = before.get(row.table_id)
        if newest is None and not row.hours and row.table_id not in rated:
            continue
        if newest is not None:
            if (newest.hours, newest.corrections) == (row.hours, row.corrections):
                continue
            row.revision = newest.revision + 1
        rows.append(row)
    SettledHours.objects.bulk_create(rows)
    if rows:
        journal.write(
            chain=journal.HOUSE,
            kind="hours_settled",
            body={"gaming_day": day.isoformat(), "tables": len(rows)},
            at=now,
            rows=rows,
        )
    return len(rows)


def _held_or_counted(begins: datetime, ends: datetime) -> set[int]:
    held = _held(begins, ends).values_list("table", flat=True)
    counts = TrayCount.objects.filter(at__gte=begins, at__lt=ends, slip__kind__in=OPENERS | CLOSERS)
    return {*held, *counts.values_list("table", flat=True)}


def _held(begins: datetime, ends: datetime) -> Any:
    return SeatHeld.objects.filter(Q(until=None) | Q(until__gt=begins), from_at__lt=ends)


def _before(day: date) -> Mapping[int, SettledHours]:
    rows = SettledHours.objects.filter(gaming_day=day).order_by("revision")
    return {row.table_id: row for row in rows}


def _row(
    table: Table,
    day: date,
    span: tuple[datetime, datetime],
    stays: Iterable[PlayRating],
    figures: Mapping[int, RatingFigures],
    cost_at: Callable[[int], int | None],
    now: datetime,
) -> SettledHours:
    begins, ends = span
    own = [stay for stay in stays if stay.table_id == table.pk]
    rounds = Round.objects.filter(table=table, started_at__gte=begins, started_at__lt=ends)
    told = rounds.exclude(outcome=Outcome.ABORTED.value).values_list("started_at", flat=True)
    hours = hours_of(
        opened=_opened(table, begins, ends),
        held=[
            (_second(max(item.from_at, begins)), _second(min(item.until or ends, ends)))
            for item in _held(begins, ends).filter(table=table)
        ],
        rounds=[_second(at) for at in told],
        stays=[_played(play_rating, figures[play_rating.pk]) for play_rating in own],
    )
    for second, hour in hours.items():
        cost = cost_at(second)
        hour.labor = None if cost is None else half_up(Fraction(cost * hour.open, HOUR))
    row = _summed(table, day, hours, now)
    row.corrections = sum(figures[play_rating.pk].revision for play_rating in own)
    return row


def _second(at: datetime) -> int:
    return int(at.timestamp())


def _opened(table: Table, begins: datetime, ends: datetime) -> list[Span]:
    """Return from when until when a table was open, by its openers and closers."""
    counts = TrayCount.objects.filter(table=table, slip__kind__in=OPENERS | CLOSERS, at__lt=ends)
    last = counts.filter(at__lt=begins).order_by("-at", "-id").values_list("slip__kind", flat=True)
    since = begins if last.first() in OPENERS else None
    spans = []
    within = counts.filter(at__gte=begins).order_by("at", "id")
    for kind, at in within.values_list("slip__kind", "at"):
        if kind in OPENERS:
            since = since or at
        elif since is not None:
            spans.append((_second(since), _second(at)))
            since = None
    if since is not None:
        spans.append((_second(since), _second(ends)))
    return spans


def _played(rating: PlayRating, figures: RatingFigures) -> StayPlayed:
    assert rating.ended_at is not None, "only what has ended has figures"
    span = (_second(rating.began_at), _second(rating.ended_at))
    if figures.is_void:
        return StayPlayed(span, 0)
    theo = {wager: theo_of_wager(figures, wager) for wager in sorted(figures.action)}
    return StayPlayed(
        span,
        figures.seconds,
        whole_cents({name: Fraction(cents) for name, cents in sorted(figures.action.items())}),
        whole_cents(theo, figures.theo_cents) if figures.theo_cents is not None else {},
    )


def _labor_by_hour() -> Callable[[int], int | None]:
    """Return what the people of one table cost in the hour that begins at a second.

    The house is read once: every table of the day is locked meanwhile.
    """
    here = house.the_property()

    @cache
    def cost_at(second: int) -> int | None:
        return labor_cents(here.settings_at(datetime.fromtimestamp(second, UTC)))

    return cost_at


def _summed(table: Table, day: date, hours: Mapping[int, HourOf], now: datetime) -> SettledHours:
    parts: Sequence[HourOf] = list(hours.values())
    theo: dict[str, int] = {}
    for part in parts:
        for wager, cents in part.theo.items():
            theo[wager] = theo.get(wager, 0) + cents
    labor = [part.labor for part in parts if part.labor is not None]
    return SettledHours(
        gaming_day=day,
        table=table,
        revision=0,
        corrections=0,
        pit=table.pit.name,
        hours={
            datetime.fromtimestamp(second, UTC).isoformat(): {
                "open": part.open,
                "seats": part.seats,
                "rated": part.rated,
                "rounds": part.rounds,
                "action": part.action,
                "theo": part.theo,
                "labor": part.labor,
            }
            for second, part in hours.items()
        },
        open_seconds=sum(part.open for part in parts),
        seat_seconds=sum(part.seats for part in parts),
        rated_seconds=sum(part.rated for part in parts),
        rounds=sum(part.rounds for part in parts),
        action_cents=sum(part.action for part in parts),
        theo=theo,
        theo_cents=sum(theo.values()),
        labor_cents=sum(labor) if labor else None,
        settled_at=now,
    )
