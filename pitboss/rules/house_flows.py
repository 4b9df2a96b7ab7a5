"""The flows by which the house changes itself: one manager proposes, another approves.

Nothing of this has cheques or a table under lock; it is written in the journal of its own desk. The
way out is one signature with a reason, also of whoever proposed it.
"""

from __future__ import annotations

from pitboss.rules.flows import Flow, Step
from pitboss.rules.roles import Role

# Named one by one, though rank lifts a pit manager to a shift manager: the inbox goes by these.
MANAGERS = (
    Role.PIT_MANAGER,
    Role.SHIFT_MANAGER,
    Role.CAGE_MANAGER,
    Role.SECURITY_MANAGER,
    Role.SURVEILLANCE_MANAGER,
)

REFUSED = (
    Step(
        "refused",
        by=MANAGERS,
        at=None,
        may_repeat="proposed",
        needs_reason=True,
        attests="This is not to be done. Everything stays as it is.",
        then="slip_voided",
    ),
)

SETTING_CHANGE = Flow(
    kind="setting_change",
    title="Setting",
    series="HS",
    steps=(
        Step(
            "proposed",
            by=MANAGERS,
            at=None,
            needs_reason=True,
            attests="I propose this value, from the time that stands here.",
        ),
        Step(
            "approved",
            by=MANAGERS,
            at=None,
            attests="I read what this changes, and approve it.",
            then="setting_holds",
        ),
    ),
    void=REFUSED,
    desk="house",
)

PERSON_CHANGE = Flow(
    kind="person_change",
    title="People",
    series="HP",
    steps=(
        Step(
            "proposed",
            by=MANAGERS,
            at=None,
            needs_reason=True,
            attests="I know these people, and what stands here about them is true.",
            then="person_change_begins",
        ),
        Step(
            "approved",
            by=MANAGERS,
            at=None,
            attests="I compared this with their papers, and approve it.",
            then="person_changed",
        ),
    ),
    void=REFUSED,
    desk="people",
)

# Whoever must not sign any more is stopped by one signature; the second says that it was right.
PERSON_LEAVES = Flow(
    kind="person_leaves",
    title="Leaves",
    series="HP",
    steps=(
        Step(
            "put_out",
            by=MANAGERS,
            at=None,
            needs_reason=True,
            attests="From this moment this person signs nothing here.",
            then="person_put_out",
        ),
        Step(
            "confirmed",
            by=MANAGERS,
            at=None,
            attests="I looked into this, and it is right.",
            then="person_stays_out",
        ),
    ),
    void=(
        Step(
            "taken_back",
            by=MANAGERS,
            at=None,
            needs_reason=True,
            attests="This was wrong. The person works here as before.",
            then="person_taken_back",
        ),
    ),
    desk="people",
)

LIMIT_CHANGE = Flow(
    kind="limit_change",
    title="Limit",
    series="HL",
    steps=(
        Step(
            "proposed",
            by=MANAGERS,
            at=None,
            needs_reason=True,
            attests="I propose that this person signs for so much, from the time that stands here.",
            then="limit_begins",
        ),
        Step(
            "approved",
            by=MANAGERS,
            at=None,
            attests="I know what this person signs for, and approve it.",
            then="limit_holds",
        ),
    ),
    void=REFUSED,
    desk="people",
)

TABLE_CHANGE = Flow(
    kind="table_change",
    title="Table",
    series="HT",
    steps=(
        Step(
            "proposed",
            by=(Role.PIT_MANAGER, Role.SHIFT_MANAGER),
            at=None,
            needs_reason=True,
            attests="I propose that this table is set up so, from its next opening.",
        ),
        Step(
            "approved",
            by=MANAGERS,
            at=None,
            attests="I read its game, limits and pay tables with their edges, and approve them.",
            then="table_set_up",
        ),
    ),
    void=REFUSED,
    desk="house",
)

# What is refused rather than voided: no cheque hangs on it.
HOUSE_KINDS = frozenset(
    flow.kind for flow in (SETTING_CHANGE, PERSON_CHANGE, PERSON_LEAVES, LIMIT_CHANGE, TABLE_CHANGE)
)
