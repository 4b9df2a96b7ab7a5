"""How drills went: of one person, newest first, and by week."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

from django.db.models import QuerySet

from pitboss.models import Person
from tables.models import DrillAnswer

NEWEST = 10


@dataclass(frozen=True, slots=True)
class DrillTally:
    """So many drills, how many right, and how long an answer took."""

    name: str
    count: int
    right: int
    milliseconds: int

    @property
    def right_percent(self) -> int:
        """Hundredths of a percent."""
        return self.right * 10_000 // self.count

    @property
    def seconds(self) -> str:
        return f"{self.milliseconds / 1000:.1f}"


def tally(name: str, answers: Iterable[DrillAnswer]) -> DrillTally | None:
    """Return what some drills come to; none where there are none."""
    answers = list(answers)
    if not answers:
        return None
    took = round(median(answer.milliseconds for answer in answers))
    return DrillTally(name, len(answers), sum(answer.is_right for answer in answers), took)


def newest_of(person: Person) -> list[DrillAnswer]:
    """Return the last drills of a person, newest first."""
    return list(DrillAnswer.objects.filter(person=person).order_by("-id")[:NEWEST])


def answers_between(first: date, last: date) -> QuerySet[DrillAnswer]:
    """Return the drills of some gaming days, with who answered them."""
    answers = DrillAnswer.objects.filter(gaming_day__range=(first, last))
    return answers.select_related("person", "table").order_by("id")


def this_week(person: Person, today: date) -> DrillTally | None:
    """Return how the drills of the last seven gaming days went."""
    answers = answers_between(today - timedelta(days=6), today).filter(person=person)
    return tally("Last 7 days", answers)
