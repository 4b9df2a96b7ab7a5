"""Approvals about the cards and the tray of a quiet table: a cut, a dead spread, hands in the tray.

From the manual's chapters on shuffling, dead games and rack maintenance.
"""

from __future__ import annotations

from typing import Final

from pitboss.rules.book.jobs.card import Job
from pitboss.rules.floor.fields import Facts, Pick
from pitboss.rules.floor.log import FloorKind, Ground, LogGroup
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.said import Said


def _judge_between_rounds(_: Facts, ground: Ground) -> list[Refusal]:
    if ground.has_round:
        return [
            Refusal(
                "round_is_on",
                Said("A round is in progress at {table}. Wait until it ends.", table=ground.table),
                CONFLICT,
            )
        ]
    return []


def _shuffler_keeps_its_cards(ground: Ground) -> list[Refusal]:
    if ground.cards is not CardProfile.CONTINUOUS:
        return []
    return [
        Refusal(
            "continuous_stays",
            "The cards stay in the continuous shuffler on a dead game (manual, "
            "line 193). Leave them there.",
        )
    ]


DEALER_CUT: Final = FloorKind(
    code="dealer_cut",
    title="Cut by the dealer",
    words="no player cuts",
    group=LogGroup.NOD,
    says=lambda facts: "No player takes the cut: the dealer cuts.",
    judge=_judge_between_rounds,
    may_stand=True,
    guide=("Each player was offered the cut, clockwise.",),
    teaches=(Job.CUT,),
)
DEAD_SPREAD: Final = FloorKind(
    code="dead_spread",
    title="Dead spread",
    words="last player has left",
    group=LogGroup.NOD,
    says=lambda facts: "Dead game: the shoe is broken down and the cards are spread.",
    judge=_judge_between_rounds,
    may_stand=True,
    barred=_shuffler_keeps_its_cards,
    guide=("Two half circles, within the insurance line.", "No one touches the bankroll."),
    teaches=(Job.DEAD_GAME,),
)
TOUCH_TRAY: Final = FloorKind(
    code="touch_tray",
    title="Touch the tray",
    words="on a dead game",
    group=LogGroup.NOD,
    asks=(
        Pick(
            name="why",
            label="What for",
            choices={
                "straighten": "Straighten the tray",
                "lammer": "Space or lammer cheques",
                "count": "Count a color",
                "other": "Something else, as ordered",
            },
        ),
    ),
    judge=_judge_between_rounds,
    guide=("Watch the dealer until the hands are cleared.",),
    teaches=(Job.TRAY,),
)
CARD_NODS: Final = (DEALER_CUT, DEAD_SPREAD, TOUCH_TRAY)
