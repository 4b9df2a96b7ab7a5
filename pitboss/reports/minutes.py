"""Minutes lost: how long each step of each kind of slip waited for a signature."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, TypedDict

from django.db.models import (
    Avg,
    Count,
    DurationField,
    ExpressionWrapper,
    F,
    Max,
    Q,
    QuerySet,
    Sum,
    Value,
)
from django.db.models.functions import Coalesce

from pitboss.models import Waiting
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Chart,
    Column,
    Report,
    ReportChoice,
    ReportScope,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.roles import Role
from pitboss.selectors.slips import step_title
from pitboss.services import house

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

KEY, PAGE = "minutes-lost", "report_minutes"
BARS_MAX, ROWS_MAX = 12, 500

_STEPS = (
    Column("slip", "Slip"),
    Column("step", "Step"),
    Column("waits", "Waits", Shape.COUNT),
    Column("minutes", "Minutes", Shape.MINUTES),
    Column("mean_minutes", "Mean", Shape.MINUTES),
    Column("longest_minutes", "Longest", Shape.MINUTES),
    Column("over_limit", "Over limit", Shape.COUNT),
    Column("still_waiting", "Waits now", Shape.COUNT, is_minor=True),
)
_WAITS = (
    Column("slip", "Slip", Shape.CODE),
    Column("table", "Table"),
    Column("waits_for", "Waited for", is_minor=True),
    Column("since", "Since", Shape.TIME),
    Column("until", "Until", Shape.TIME, is_minor=True),
    Column("minutes", "Minutes", Shape.MINUTES),
)
_FORMULAS = (
    "Each wait runs from the signature before the step to the step’s own, as the inbox "
    "counted it. Open steps are counted to now.",
    "Over limit: waits longer than the limit in effect when the step began.",
)


@report(
    key=KEY,
    title="Minutes lost",
    group=Group.PEOPLE,
    says="How long each step of each slip waited for a signature, and which waited too long.",
    page=PAGE,
    asked=ReportScope(shift=True, pit=True),
)
def minutes_lost(choice: ReportChoice) -> Report:
    """Return how long steps waited, or every wait of one step."""
    waits = _waits(choice)
    kind, _, step = choice.of.partition(".")
    if kind in FLOWS:
        return Report((_one_step(waits.filter(slip__kind=kind, step=step), kind, step),))
    found = list(
        waits.values("slip__kind", "step")
        .annotate(
            waits=Count("id"),
            sum=Sum("took"),
            mean=Avg("took"),
            longest=Max("took"),
            over=Count("id", filter=Q(took__gt=F("limit_seconds") * timedelta(seconds=1))),
            still=Count("id", filter=Q(until=None)),
        )
        .order_by("-sum")
    )
    rows = []
    bars = []
    for item in found:
        name = f"{item['slip__kind']}.{item['step']}"
        link = report_link(KEY, PAGE, choice, of=name)
        title = FLOWS[item["slip__kind"]].title
        step = step_title(item["slip__kind"], item["step"])
        tone = Tone.BAD if item["over"] else Tone.PLAIN
        rows.append(
            row_of(
                title,
                step,
                item["waits"],
                _seconds(item["sum"]),
                _seconds(item["mean"]),
                _seconds(item["longest"]),
                item["over"],
                item["still"],
                tone=tone,
                opens=link,
            )
        )
        says = "over limit" if item["over"] else ""
        label = f"{title}: {step}"
        bars.append(Bar(label, _seconds(item["sum"]), tone=tone, link=link, says=says))
    section = Section("Steps, the longest first", _STEPS, tuple(rows), "Nothing waited.")
    chart = Chart("Total minutes waited", Shape.MINUTES, tuple(bars[:BARS_MAX]))
    return Report((section,), chart=chart, formulas=_FORMULAS)


class _Took(TypedDict):
    """How long something waited, read along with it."""

    took: timedelta


def _waits(choice: ReportChoice) -> QuerySet[WithAnnotations[Waiting, _Took]]:
    """Return what waited on slips of some days, with how long. Found by the day of its slip."""
    until = Coalesce("until", Value(house.now()))
    took = ExpressionWrapper(until - F("since"), output_field=DurationField())
    waits = Waiting.objects.filter(slip__gaming_day__range=(choice.first, choice.last))
    if choice.shift:
        waits = waits.filter(slip__shift=choice.shift)
    if choice.pit:
        waits = waits.filter(slip__table__pit=choice.pit)
    return waits.annotate(took=took)


def _one_step(waits: QuerySet[WithAnnotations[Waiting, _Took]], kind: str, step: str) -> Section:
    """Return the waits of one step, the longest first."""
    rows = [
        row_of(
            slip_cell(wait.slip.serial if wait.slip else None),
            str(wait.slip.table or "") if wait.slip else "",
            " or ".join(Role(value).label for value in wait.by),
            wait.since,
            wait.until,
            _seconds(wait.took),
            tone=Tone.BAD if wait.took > timedelta(seconds=wait.limit_seconds) else Tone.PLAIN,
            opens=slip_link(wait.slip.serial if wait.slip else None),
        )
        for wait in waits.select_related("slip__table").order_by("-took", "id")[:ROWS_MAX]
    ]
    found = len(rows) if len(rows) < ROWS_MAX else waits.count()
    title = f"{FLOWS[kind].title}: {step_title(kind, step)}"
    if found > len(rows):
        title = f"{title}, the longest {len(rows):,} of {found:,}"
    return Section(title, _WAITS, tuple(rows), "Nothing waited.")


def _seconds(took: timedelta) -> int:
    return int(took.total_seconds())
