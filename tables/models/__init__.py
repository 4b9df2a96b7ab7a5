"""What tables keep besides their slips."""

from tables.models.advice import AdviceAnswer, AdviceTaken
from tables.models.checks import PayoutCheck
from tables.models.comps import (
    Comp,
    CompEntry,
    CompKind,
    CompMove,
    PatronHost,
    PointsEntry,
    Relation,
    Scope,
    SystemScope,
    ValuedBy,
)
from tables.models.dealing import Call, Dealing, StringCall
from tables.models.drills import DrillAnswer
from tables.models.drops import DropEstimate, DropWait, PulledBox
from tables.models.envy import EnvyLine
from tables.models.floor_log import FloorEntry, FloorRequest
from tables.models.live_changes import SignChange
from tables.models.mismatches import Mismatch, MismatchSettlement, PayoutConfirmation, PayoutWord
from tables.models.orders import KeyLoan, TableOrder
from tables.models.ratings import (
    Away,
    Look,
    MainEdge,
    MoneyKind,
    PlayRating,
    RatingFigures,
    RatingMoney,
    SeatHeld,
    StayEnd,
)
from tables.models.rebates import RebateAgreement, RebateSettlement
from tables.models.rounds import Round
from tables.models.serials import SerialExplanation
from tables.models.settled import SettledWin
from tables.models.shoes import ShoeMark

__all__ = [
    "AdviceAnswer",
    "AdviceTaken",
    "Away",
    "Call",
    "Comp",
    "CompEntry",
    "CompKind",
    "CompMove",
    "Dealing",
    "DrillAnswer",
    "DropEstimate",
    "DropWait",
    "EnvyLine",
    "FloorEntry",
    "FloorRequest",
    "KeyLoan",
    "Look",
    "MainEdge",
    "Mismatch",
    "MismatchSettlement",
    "MoneyKind",
    "PatronHost",
    "PayoutCheck",
    "PayoutConfirmation",
    "PayoutWord",
    "PlayRating",
    "PointsEntry",
    "PulledBox",
    "RatingFigures",
    "RatingMoney",
    "RebateAgreement",
    "RebateSettlement",
    "Relation",
    "Round",
    "Scope",
    "SeatHeld",
    "SerialExplanation",
    "SettledWin",
    "ShoeMark",
    "SignChange",
    "StayEnd",
    "StringCall",
    "SystemScope",
    "TableOrder",
    "ValuedBy",
]
