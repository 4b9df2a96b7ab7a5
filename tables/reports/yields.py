"""Yield: what tables brought by seat hour, and what was done about advice."""

from __future__ import annotations

from collections import defaultdict

from django.urls import reverse

from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Asked,
    Choice,
    Column,
    Link,
    Report,
    Section,
    Shape,
    report_link,
    row_of,
)
from pitboss.services import house
from tables.models import AdviceAnswer, AdviceTaken
from tables.selectors.rated_play import rated_between
from tables.selectors.yields import outcome_of

PAGE = "yield"


@report(
    key="yield",
    title="Yield by table",
    group=Group.GAMES,
    says="Rated time and theo of each table, and theo for one hour of one seat.",
    page=PAGE,
    asked=Asked(days_max=31, pit=True),
)
def yield_by_table(choice: Choice) -> Report:
    """Return what tables brought by hour of rated play."""
    seconds: dict[str, int] = defaultdict(int)
    theo: dict[str, int] = defaultdict(int)
    for each in rated_between(choice.first, choice.last, choice.pit):
        if each.counts and each.figures is not None:
            seconds[each.rating.table.name] += each.figures.seconds
            theo[each.rating.table.name] += each.theo_cents or 0
    rows = [
        row_of(
            name,
            seconds[name],
            theo[name],
            theo[name] * 3_600 // seconds[name] if seconds[name] else None,
            opens=report_link("ratings", "report_players", choice, of=f"table {name}"),
        )
        for name in sorted(seconds)
    ]
    columns = (
        Column("table", "Table"),
        Column("rated", "Rated, min", Shape.MINUTES),
        Column("theo", "Theo", Shape.CHANGE),
        Column("an_hour", "Theo/h of a player", Shape.CHANGE),
    )
    return Report(
        (Section("By table", columns, tuple(rows), "No one was rated."),),
        formulas=("Theo/h of a player = theo ÷ hours of rated play.",),
    )


@report(
    key="advice",
    title="Advice",
    group=Group.GAMES,
    says="Suggestions of the yield view that were answered, by whom, and what came of them.",
    page=PAGE,
    asked=Asked(days_max=92, days_before=6, pit=True),
)
def advice(choice: Choice) -> Report:
    """Return how advice was answered."""
    found = AdviceTaken.objects.filter(gaming_day__range=(choice.first, choice.last))
    if choice.pit is not None:
        found = found.filter(table__pit=choice.pit)
    now = house.now()
    rows = [
        row_of(
            each.table.name,
            each.gaming_day,
            each.at,
            each.sentence,
            "Done" if each.answer == AdviceAnswer.DONE else "Not now",
            each.reason,
            str(each.by),
            outcome_of(each, now),
            opens=Link(reverse("yield"), PAGE),
        )
        for each in found.select_related("table", "by").order_by("-at")[:1_000]
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
