"""What slips by which the house changes itself share: one manager proposes, another approves.

Nothing of this has cheques; it is written in the journal of its own desk. The way out is one
signature with a reason, also of the person who proposed it.
"""

from __future__ import annotations

from pitboss.rules.flows.flows import Step
from pitboss.rules.roles import Role

# Named one by one, though rank lifts a pit manager to a shift manager: the inbox goes by these.
MANAGERS = (
    Role.PIT_MANAGER,
    Role.SHIFT_MANAGER,
    Role.CAGE_MANAGER,
    Role.SECURITY_MANAGER,
    Role.SURVEILLANCE_MANAGER,
)

# Who signs about people. Which of them about whom: `roles.MAY_MANAGE`.
PEOPLE_MANAGERS = (*MANAGERS, Role.ACCOUNTING, Role.COMPLIANCE)

# What slips of the house are called wherever slips are told apart.
SETTING_CHANGE = "setting_change"
LIMIT_CHANGE = "limit_change"
PERSON_CHANGE = "person_change"
TABLE_CHANGE = "table_change"

REFUSED = (
    Step(
        "refused",
        done="Refused",
        do="Refuse",
        by=MANAGERS,
        at=None,
        may_repeat="proposed",
        needs_reason=True,
        attests="I decline this change. Nothing is changed by this slip.",
        then="slip_voided",
    ),
)
