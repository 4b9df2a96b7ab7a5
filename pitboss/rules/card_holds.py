"""The flows of cards that leave their ordinary life: held, let go, or missing at a table.

The others, from the maker's box to the shredder, are in `card_flows`.
"""

from __future__ import annotations

from pitboss.rules.flows import Flow, Step
from pitboss.rules.roles import Role

CARDS_DESK = "cards"

# One signature holds a set at once; the second says that it was right.
CARD_HOLD = Flow(
    kind="card_hold",
    title="Cards held",
    series="KH",
    steps=(
        Step(
            "held",
            by=(Role.SUPERVISOR, Role.SURVEILLANCE),
            at=None,
            needs_reason=True,
            attests="This set is kept as it is, outside the way to the shredder.",
            then="card_set_held",
        ),
        Step(
            "confirmed",
            by=(Role.SHIFT_MANAGER, Role.SURVEILLANCE),
            at=None,
            attests="I was told, and know why this set is held.",
        ),
    ),
    desk=CARDS_DESK,
)

CARD_RELEASE = Flow(
    kind="card_release",
    title="Held cards released",
    series="KE",
    steps=(
        Step(
            "let_go",
            by=Role.SURVEILLANCE,
            at=None,
            needs_reason=True,
            attests="This set is needed as evidence no longer.",
        ),
        Step(
            "confirmed",
            by=Role.SHIFT_MANAGER,
            at=None,
            attests="I agree. The set may be cancelled and destroyed.",
        ),
        Step(
            "collected",
            by=Role.SECURITY,
            at=None,
            attests="I took the set with me, to be cancelled.",
            then="card_set_released",
        ),
    ),
    void=(
        Step(
            "refused",
            by=(Role.SURVEILLANCE, Role.SHIFT_MANAGER),
            at=None,
            may_repeat="let_go",
            needs_reason=True,
            attests="The set stays held.",
            then="slip_voided",
        ),
    ),
    desk=CARDS_DESK,
)

CARD_WAIVER = Flow(
    kind="card_waiver",
    title="Opened or closed without cards",
    series="KW",
    steps=(
        Step(
            "waived",
            by=Role.SHIFT_MANAGER,
            at=None,
            needs_reason=True,
            attests="The cards of this table are not as they should be. I let it go on once.",
        ),
        Step(
            "witnessed",
            by=(Role.PIT_MANAGER, Role.SECURITY, Role.SURVEILLANCE),
            at=None,
            attests="I was told what is missing, and why the table goes on.",
        ),
    ),
    void=(
        Step(
            "refused",
            by=(Role.SHIFT_MANAGER, Role.PIT_MANAGER, Role.SECURITY, Role.SURVEILLANCE),
            at=None,
            may_repeat="waived",
            needs_reason=True,
            attests="The table waits for its cards.",
            then="slip_voided",
        ),
    ),
    desk=CARDS_DESK,
)
