"""The notice that a table closes after the shoe that is being dealt.

The house may close a table at any time, and tells its players so before the last shoe is dealt.
"""

from __future__ import annotations

from typing import Final

from pitboss.rules.floor.fields import Facts
from pitboss.rules.floor.log import FloorKind, Ground, LogGroup
from pitboss.rules.refusal import CONFLICT, Refusal

CLOSING: Final = "closing_notice"
STAYS_OPEN: Final = "closing_withdrawn"
WORDS: Final = "Closing after this shoe"


def _judge_closing(_: Facts, ground: Ground) -> list[Refusal]:
    if CLOSING in ground.standing:
        return [
            Refusal(
                "closing_said",
                f"{ground.table} already closes after this shoe. Nothing more is needed.",
                CONFLICT,
            )
        ]
    return []


def _judge_stays_open(_: Facts, ground: Ground) -> list[Refusal]:
    if CLOSING in ground.standing:
        return []
    return [
        Refusal(
            "no_closing_said",
            f"{ground.table} has no closing announcement. There is nothing to cancel.",
            CONFLICT,
        )
    ]


CLOSING_NOTICE: Final = FloorKind(
    code=CLOSING,
    title=WORDS,
    words="notify the players",
    group=LogGroup.TABLE,
    says=lambda facts: "The table closes after this shoe.",
    judge=_judge_closing,
    is_asked=False,
    is_approval=False,
)
CLOSING_WITHDRAWN: Final = FloorKind(
    code=STAYS_OPEN,
    title="Stays open after all",
    words="take the notice back",
    group=LogGroup.TABLE,
    says=lambda facts: "The table stays open after all.",
    judge=_judge_stays_open,
    is_asked=False,
    is_approval=False,
)
CLOSING_NOTICES: Final = (CLOSING_NOTICE, CLOSING_WITHDRAWN)
