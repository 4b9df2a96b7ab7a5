"""Drills: how each dealer does in practice, by week and by bet, for the person who coaches them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import timedelta

from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Column,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    row_of,
)
from pitboss.rules.games.games import spoken
from tables.models import DrillAnswer
from tables.selectors.drills import answers_between, tally

KEY, PAGE = "drills", "payouts"
_TALLIES = (
    Column("drills", "Drills", Shape.COUNT),
    Column("right", "Right", Shape.COUNT),
    Column("share", "Right, %", Shape.PERCENT),
    Column("seconds", "Median, s"),
)


@report(
    key=KEY,
    title="Drills",
    group=Group.PEOPLE,
    says="Practice hands that dealers answered: how many right, how fast, week by week.",
    page=PAGE,
    asked=ReportScope(days_max=92, days_before=27),
)
def drills(choice: ReportChoice) -> Report:
    """Return how drills went by dealer, by dealer and week, and by bet."""
    answers = list(answers_between(choice.first, choice.last))
    return Report(
        sections=(
            Section(
                "By dealer",
                (Column("dealer", "Dealer"), *_TALLIES),
                tuple(_rows(answers, lambda drill_answer: (str(drill_answer.person),))),
            ),
            Section(
                "By week",
                (Column("dealer", "Dealer"), Column("week", "Week of", Shape.DAY), *_TALLIES),
                tuple(
                    _rows(
                        answers,
                        lambda drill_answer: (str(drill_answer.person), _monday(drill_answer)),
                    )
                ),
            ),
            Section(
                "By bet",
                (Column("bet", "Bet"), *_TALLIES),
                tuple(_rows(answers, lambda drill_answer: (spoken(drill_answer.wager),))),
            ),
        ),
        formulas=("Seconds run from the page with the hand to the answer.",),
    )


def _monday(answer: DrillAnswer) -> object:
    return answer.gaming_day - timedelta(days=answer.gaming_day.weekday())


def _rows(
    answers: Iterable[DrillAnswer], key: Callable[[DrillAnswer], tuple[object, ...]]
) -> list[Row]:
    groups: dict[tuple[object, ...], list[DrillAnswer]] = defaultdict(list)
    for answer in answers:
        groups[key(answer)].append(answer)
    rows = []
    for names, group in sorted(groups.items(), key=lambda item: tuple(map(str, item[0]))):
        found = tally("", group)
        assert found is not None, "a group has answers"
        figures = (found.count, found.right, found.right_percent, found.seconds)
        rows.append(row_of(*names, *figures))  # type: ignore[arg-type]
    return rows
