"""Read what tables' hours came to: from what is settled, and of other days from their ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Sum

from pitboss.models import ClosedDay, Pit, Table
from pitboss.services import house
from tables.models import PlayRating, SettledHours
from tables.selectors.rated_play import rated_between


@dataclass(slots=True)
class Yield:
    """What one table, or one hour of the day, came to over some days."""

    table: str = ""
    open_seconds: int = 0
    seat_seconds: int = 0
    rated_seconds: int = 0
    rounds: int = 0
    theo_cents: int = 0
    labor_cents: int | None = None

    def add(self, sums: dict[str, Any]) -> None:
        """Add what some rows come to."""
        for name, value in sums.items():
            if value is not None:
                setattr(self, name, (getattr(self, name) or 0) + value)


_SUMS = ("open_seconds", "seat_seconds", "rated_seconds", "rounds", "theo_cents", "labor_cents")


def newest(first: date, last: date) -> QuerySet[SettledHours]:
    """Return the settled hours of some gaming days, each in its last revision."""
    rows = SettledHours.objects.filter(gaming_day__range=(first, last))
    # Each revision outdates the one before it. They are few, so they are found first, and what is
    # left out is looked up in them.
    revised = rows.filter(
        gaming_day=OuterRef("gaming_day"),
        table=OuterRef("table"),
        revision=OuterRef("revision") + 1,
    )
    outdated = rows.filter(Exists(revised.filter(revision__gt=0)))
    return rows.exclude(pk__in=outdated.values("pk"))


def yields_between(first: date, last: date, pit: Pit | None) -> list[Yield]:
    """Return what each table came to over some gaming days, by name."""
    rows = newest(first, last)
    if pit is not None:
        rows = rows.filter(table__pit=pit)
    names = dict(Table.objects.values_list("pk", "name"))
    by_table = rows.order_by().values("table").annotate(*map(Sum, _SUMS))
    found: dict[str, Yield] = {}
    for table, *sums in by_table.values_list("table", *(f"{item}__sum" for item in _SUMS)):
        name = names[table]
        found.setdefault(name, Yield(name)).add(dict(zip(_SUMS, sums, strict=True)))
    for day in _days_not_settled(first, last):
        for rated in rated_between(day, day, pit):
            if rated.counts and rated.figures is not None:
                name = rated.rating.table.name
                seconds, theo = rated.figures.seconds, rated.theo_cents or 0
                found.setdefault(name, Yield(name)).add(
                    {"rated_seconds": seconds, "theo_cents": theo}
                )
    return [found[name] for name in sorted(found)]


def _days_not_settled(first: date, last: date) -> list[date]:
    """Return the days with play whose hours are not settled: mostly today."""
    rows = SettledHours.objects.filter(gaming_day=OuterRef("gaming_day"), revision=0)
    # Only a closed day is settled, and one row of it tells: a year is so many looks, not its rows.
    closed = ClosedDay.objects.filter(Exists(rows), gaming_day__range=(first, last))
    settled = set(closed.order_by().values_list("gaming_day", flat=True))
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    others = [day for day in days if day not in settled]
    rated = PlayRating.objects.filter(gaming_day__in=others).order_by()
    return sorted(set(rated.values_list("gaming_day", flat=True).distinct()))


def hours_between(first: date, last: date, pit: Pit | None) -> dict[int, Yield]:
    """Return what each hour of the house's clock came to over some settled days."""
    rows = newest(first, last)
    if pit is not None:
        rows = rows.filter(table__pit=pit)
    zone = house.the_property().zone
    found: dict[int, Yield] = {}
    for hours in rows.values_list("hours", flat=True):
        for begins, part in hours.items():
            hour = datetime.fromisoformat(begins).astimezone(zone).hour
            found.setdefault(hour, Yield()).add(
                {
                    "open_seconds": part["open"],
                    "seat_seconds": part["seats"],
                    "rated_seconds": part["rated"],
                    "rounds": part["rounds"],
                    "theo_cents": sum(part["theo"].values()),
                    "labor_cents": part["labor"],
                }
            )
    return {hour: found[hour] for hour in sorted(found)}


def settled_seat_seconds(tables: Sequence[Table], since: datetime) -> int | None:
    """Return how long seats of some tables were held in one hour; none where it is not settled."""
    day = house.period_at(since).gaming_day
    rows = list(newest(day, day).filter(table__in=tables).values_list("hours", flat=True))
    if not rows:
        return None
    begins = since.astimezone(UTC).isoformat()
    return sum(int(hours[begins]["seats"]) for hours in rows if begins in hours)
