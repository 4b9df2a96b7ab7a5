"""The flows of what happened on paper, and of the close of a gaming day.

When the line is down the pit works on numbered paper. What was done is keyed afterwards, with the
paper's number and the true time, and a second person approves it. Into a day that was closed
nothing is keyed any more; a correction, posted today, names the day that it restates.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from pitboss.rules.flows import Flow, Step
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Place, Role

_KEYED = Step(
    "keyed",
    by=Role.SUPERVISOR,
    at=Place.PIT,
    needs_reason=True,
    attests="I key this from the paper, figure for figure, with the time that stands on it.",
)


def _approved(then: str) -> Step:
    return Step(
        "approved",
        by=Role.PIT_MANAGER,
        at=None,
        attests="I compared this with the paper and its signatures, and it is the same.",
        then=then,
    )


_VOIDED = (
    Step(
        "voided",
        by=Role.SUPERVISOR,
        at=Place.PIT,
        may_repeat="keyed",
        needs_reason=True,
        attests="This was keyed wrong. Its paper is keyed again on a new slip.",
    ),
    Step(
        "void_witnessed",
        by=Role.PIT_MANAGER,
        at=None,
        attests="I compared it with the paper and saw it voided.",
        then="slip_voided",
    ),
)

LATE_FILL = Flow(
    kind="late_fill",
    title="Late fill",
    series="L",
    steps=(_KEYED, _approved("late_posted")),
    void=_VOIDED,
)

LATE_CREDIT = Flow(
    kind="late_credit",
    title="Late credit",
    series="L",
    steps=(_KEYED, _approved("late_posted")),
    void=_VOIDED,
)

CORRECTION = Flow(
    kind="correction",
    title="Correction",
    series="K",
    steps=(
        _KEYED,
        Step(
            "approved",
            by=Role.SHIFT_MANAGER,
            at=None,
            needs_reason=True,
            attests="The day is closed. I compared this with the paper and restate it.",
            then="late_posted",
        ),
    ),
    void=_VOIDED,
)

LATE_KINDS = frozenset({LATE_FILL.kind, LATE_CREDIT.kind, CORRECTION.kind})
_PAPER = re.compile(r"[A-Z0-9][A-Z0-9/-]{0,19}")


def read_paper_number(keyed: str) -> str | None:
    """Return the number of a paper in its one form, or None when it is none.

    >>> read_paper_number(" m-0031 "), read_paper_number("the one in the drawer")
    ('M-0031', None)
    """
    number = keyed.strip().upper()
    return number if _PAPER.fullmatch(number) else None


def true_time_refusals(true_time: datetime, now: datetime, within_days: int) -> list[Refusal]:
    """Return why something cannot have happened at the time keyed for it.

    >>> noon = datetime.fromisoformat("2026-05-01T12:00+00:00")
    >>> [r.code for r in true_time_refusals(noon, noon - timedelta(minutes=1), 7)]
    ['true_time_ahead']
    >>> [r.code for r in true_time_refusals(noon, noon + timedelta(days=7, minutes=1), 7)]
    ['true_time_too_old']
    """
    if true_time > now:
        return [Refusal("true_time_ahead", "The time on the paper lies ahead. Key it again.")]
    if now - true_time > timedelta(days=within_days):
        return [
            Refusal(
                "true_time_too_old",
                f"Paper is keyed within {within_days} days. Take this one to accounting.",
            )
        ]
    return []


def correction_refusals(restated: date, is_closed: bool) -> list[Refusal]:
    """Return why a day is not restated by a correction.

    >>> [r.code for r in correction_refusals(date(2026, 5, 1), is_closed=False)]
    ['day_open']
    """
    if is_closed:
        return []
    return [
        Refusal(
            "day_open",
            f"The gaming day {restated:%d %b %Y} is still open. Key it late, not as a correction.",
        )
    ]
