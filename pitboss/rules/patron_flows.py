"""The flows of a patron's credit: a line granted by two, a stop that holds at once, its end.

Nobody of the pit proposes a line: whoever lends at a table does not say how much may be lent.
"""

from __future__ import annotations

from typing import Final

from pitboss.rules.flows import Flow, Step
from pitboss.rules.roles import Role

_PROPOSERS: Final = (Role.CASHIER, Role.CAGE_MANAGER, Role.ACCOUNTING)
_APPROVERS: Final = (Role.CAGE_MANAGER, Role.SHIFT_MANAGER)
_STOPPERS: Final = (
    Role.SUPERVISOR,
    Role.PIT_MANAGER,
    Role.SHIFT_MANAGER,
    Role.CASHIER,
    Role.CAGE_MANAGER,
    Role.SECURITY_MANAGER,
    Role.COMPLIANCE,
)
_CONFIRMERS: Final = (Role.SHIFT_MANAGER, Role.CAGE_MANAGER, Role.COMPLIANCE)

CREDIT_LINE = Flow(
    kind="credit_line",
    title="Credit line",
    series="CL",
    steps=(
        Step(
            "proposed",
            by=_PROPOSERS,
            at=None,
            needs_reason=True,
            attests="I checked the patron's identity, bank and history, and propose this line.",
        ),
        Step(
            "approved",
            by=_APPROVERS,
            at=None,
            attests="I read the file, and grant this line.",
            then="credit_line_granted",
        ),
    ),
    void=(
        Step(
            "refused",
            by=_APPROVERS,
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="This line is not granted. Everything stays as it is.",
            then="slip_voided",
        ),
    ),
)

# No cheque goes out after the first signature; the second says that it was right.
CREDIT_STOP = Flow(
    kind="credit_stop",
    title="Credit stopped",
    series="CS",
    steps=(
        Step(
            "credit_stopped",
            by=_STOPPERS,
            at=None,
            needs_reason=True,
            attests="From this moment this patron is lent nothing here.",
            then="credit_stopped",
        ),
        Step(
            "confirmed",
            by=_CONFIRMERS,
            at=None,
            attests="I looked into this, and it is right.",
        ),
    ),
    void=(
        Step(
            "taken_back",
            by=_CONFIRMERS,
            at=None,
            needs_reason=True,
            attests="This stop was wrong. The patron stands as before.",
            then="credit_stop_taken_back",
        ),
    ),
)

CREDIT_RESTORE = Flow(
    kind="credit_restore",
    title="Credit restored",
    series="CS",
    steps=(
        Step(
            "proposed",
            by=_PROPOSERS,
            at=None,
            needs_reason=True,
            attests="What stopped this patron's credit is over, and the file shows it.",
        ),
        Step(
            "approved",
            by=_CONFIRMERS,
            at=None,
            attests="I read the file. The patron may be lent to again.",
            then="credit_restored",
        ),
    ),
    void=(
        Step(
            "refused",
            by=_CONFIRMERS,
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="The stop stays.",
            then="slip_voided",
        ),
    ),
)
