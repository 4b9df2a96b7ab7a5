"""The flows of meters: one proposes what a meter is or shows, another approves it."""

from __future__ import annotations

from pitboss.rules.flows import Flow, Step
from pitboss.rules.house_flows import MANAGERS, REFUSED
from pitboss.rules.roles import Role

# Accounting reads the meters, and hears of every change before it holds.
_APPROVING = (*MANAGERS, Role.ACCOUNTING)

METER_CHANGE = Flow(
    kind="meter_change",
    title="Meter",
    series="JM",
    steps=(
        Step(
            "proposed",
            by=(Role.PIT_MANAGER, Role.SHIFT_MANAGER),
            at=None,
            needs_reason=True,
            attests="I propose that this meter starts, resets and grows so, at these tables.",
        ),
        Step(
            "approved",
            by=_APPROVING,
            at=None,
            attests="I read what this changes. No jackpot is pending on this meter.",
            then="meter_changed",
        ),
    ),
    void=REFUSED,
    desk="meters",
)

METER_ADJUSTMENT = Flow(
    kind="meter_adjustment",
    title="Meter amount",
    series="JA",
    steps=(
        Step(
            "proposed",
            by=(Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.ACCOUNTING),
            at=None,
            needs_reason=True,
            attests="I propose that this meter shows this amount, for the reason that stands here.",
        ),
        Step(
            "approved",
            by=_APPROVING,
            at=None,
            attests="I looked into the reason, and approve that the meter shows this amount.",
            then="meter_adjusted",
        ),
    ),
    void=REFUSED,
    desk="meters",
)
