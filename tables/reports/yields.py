"""Yield: what tables brought by seat hour, and what was done about advice."""

from __future__ import annotations

from django.urls import reverse

from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Column,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Section,
    Shape,
    report_link,
    row_of,
)
from pitboss.rules.floor.irregularities import SEATS_AT_A_TABLE
from pitboss.rules.ratings.reckoning import in_basis_points
from pitboss.services import house
from tables.models import AdviceAnswer, AdviceTaken
from tables.selectors.settled_hours import Yield, hours_between, yields_between
from tables.selectors.yields import outcome_of

PAGE = "yield"


# Hours are read one by one, so a longer time is shown by table alone.
_HOURS_DAYS_MAX = 31


@report(
    key="yield",
    title="Yield by table",
    group=Group.GAMES,
    says="Time open, seats filled, rated time, and theo, by table and by hour.",
    page=PAGE,
    asked=ReportScope(days_max=366, pit=True),
)
def yield_by_table(choice: ReportChoice) -> Report:
    """Return what tables brought: settled days from their hours, others from their ratings."""
    yields = yields_between(choice.first, choice.last, choice.pit)
    rows = [
        row_of(
            item.table,
            item.open_seconds or None,
            _filled(item),
            item.rated_seconds,
            item.theo_cents,
            _an_hour(item.theo_cents, item.rated_seconds),
            item.labor_cents,
            opens=report_link("ratings", "report_players", choice, of=f"table {item.table}"),
        )
        for item in yields
    ]
    columns = (
        Column("table", "Table"),
        Column("open", "Open, min", Shape.MINUTES),
        Column("filled", "Seats filled", Shape.PERCENT),
        Column("rated", "Rated, min", Shape.MINUTES),
        Column("theo", "Theo", Shape.CHANGE),
        Column("an_hour", "Theo/h of a player", Shape.CHANGE),
        Column("labor", "Labor", Shape.MONEY),
    )
    sections = [Section("By table", columns, tuple(rows), "No one was rated.")]
    if (choice.last - choice.first).days < _HOURS_DAYS_MAX:
        sections.append(_by_hour(choice))
    return Report(
        tuple(sections),
        formulas=(
            "Theo/h of a player = theo ÷ hours of rated play.",
            "Seats filled = time that seats were taken ÷ (time open × seats).",
            "Time open, seats, labor, and hours are of days that are closed and settled.",
        ),
    )


def _by_hour(choice: ReportChoice) -> Section:
    hours = hours_between(choice.first, choice.last, choice.pit)
    columns = (
        Column("hour", "Hour"),
        Column("open", "Open, min", Shape.MINUTES),
        Column("filled", "Seats filled", Shape.PERCENT),
        Column("rounds", "Rounds", Shape.COUNT),
        Column("theo", "Theo", Shape.CHANGE),
        Column("labor", "Labor", Shape.MONEY),
    )
    rows = [
        row_of(
            f"{hour:02}:00",
            item.open_seconds or None,
            _filled(item),
            item.rounds,
            item.theo_cents,
            item.labor_cents,
        )
        for hour, item in hours.items()
    ]
    return Section("By hour", columns, tuple(rows), "None of these days is settled.")


def _filled(found: Yield) -> int | None:
    if not found.open_seconds:
        return None
    return in_basis_points(found.seat_seconds, found.open_seconds * SEATS_AT_A_TABLE)


def _an_hour(theo_cents: int, seconds: int) -> int | None:
    return theo_cents * 3_600 // seconds if seconds else None


@report(
    key="advice",
    title="Advice",
    group=Group.GAMES,
    says="Suggestions of the yield view that were answered, by whom, and with what result.",
    page=PAGE,
    asked=ReportScope(days_max=92, days_before=6, pit=True),
)
def advice(choice: ReportChoice) -> Report:
    """Return how advice was answered."""
    found = AdviceTaken.objects.filter(gaming_day__range=(choice.first, choice.last))
    if choice.pit is not None:
        found = found.filter(table__pit=choice.pit)
    now = house.now()
    rows = [
        row_of(
            advice_taken.table.name,
            advice_taken.gaming_day,
            advice_taken.at,
            advice_taken.sentence,
            "Done" if advice_taken.answer == AdviceAnswer.DONE else "Not now",
            advice_taken.reason,
            str(advice_taken.by),
            outcome_of(advice_taken, now),
            opens=Link(reverse("yield"), PAGE),
        )
        for advice_taken in found.select_related("table", "by").order_by("-at")[:1_000]
    ]
    columns = (
        Column("table", "Table"),
        Column("gaming_day", "Gaming day", Shape.DAY),
        Column("at", "At", Shape.TIME),
        Column("advice", "Suggestion"),
        Column("answer", "Answer"),
        Column("reason", "Reason"),
        Column("by", "By"),
        Column("outcome", "Outcome"),
    )
    return Report((Section("Advice", columns, tuple(rows), "No advice was answered."),))
