"""The flow by which a wrong entry of the cash log is taken out of the sums: never edited, reversed.

One person says what is wrong with it, another approves; both entries stay in the log.
"""

from __future__ import annotations

from pitboss.rules.flows import Flow, Step
from pitboss.rules.roles import Role

_APPROVING = (Role.PIT_MANAGER, Role.CAGE_MANAGER, Role.COMPLIANCE)

CASH_CORRECTION = Flow(
    kind="cash_correction",
    title="Cash log correction",
    series="CL",
    steps=(
        Step(
            "proposed",
            by=(Role.SUPERVISOR, Role.CASHIER),
            at=None,
            needs_reason=True,
            attests="This entry of the cash log is wrong, and I say why.",
        ),
        Step(
            "approved",
            by=_APPROVING,
            at=None,
            attests="I looked into this. The entry goes out of the day’s sum; both stay on record.",
            then="cash_reversed",
        ),
    ),
    void=(
        Step(
            "refused",
            by=(*_APPROVING, Role.SUPERVISOR, Role.CASHIER),
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="The entry is right. It stays in the day’s sum.",
            then="slip_voided",
        ),
    ),
    desk="cage",
)
