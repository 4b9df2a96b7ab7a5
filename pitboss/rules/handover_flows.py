"""Shift managers hand over to each other: a shift, and the gaming day with its last shift."""

from __future__ import annotations

from pitboss.rules.flows import Flow, Step
from pitboss.rules.roles import Role


def _handover(
    *, kind: str, title: str, series: str, over: str, taken_on: str, then: str, void: str
) -> Flow:
    """Return a flow that whoever goes and whoever comes on sign, with what is open by name."""
    return Flow(
        kind=kind,
        title=title,
        series=series,
        steps=(
            Step(
                "handed_over",
                by=Role.SHIFT_MANAGER,
                at=None,
                attests=f"{over} What is still open stands here, all of it.",
            ),
            Step(
                taken_on,
                by=Role.SHIFT_MANAGER,
                at=None,
                attests="I come on, and answer from now on for what is carried over by name.",
                then=then,
            ),
        ),
        void=(
            Step(
                "voided",
                by=Role.SHIFT_MANAGER,
                at=None,
                may_repeat="handed_over",
                needs_reason=True,
                attests=void,
            ),
            Step(
                "void_witnessed",
                by=(Role.PIT_MANAGER, Role.ACCOUNTING),
                at=None,
                attests="I saw this hand-over voided.",
                then="slip_voided",
            ),
        ),
        desk="house",
    )


SHIFT_CLOSE = _handover(
    kind="shift_close",
    title="Hand-over of the shift",
    series="S",
    over="This shift is over.",
    taken_on="shift_taken_on",
    then="shift_closed",
    void="This hand-over is void. The shift is not closed.",
)

DAY_CLOSE = _handover(
    kind="day_close",
    title="Close of the day",
    series="Z",
    over="This gaming day is over.",
    taken_on="day_taken_on",
    then="day_closed",
    void="This close is void. The day stays open.",
)

HANDOVERS = frozenset({SHIFT_CLOSE.kind, DAY_CLOSE.kind})
