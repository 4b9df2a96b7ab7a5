"""What tables keep besides their slips."""

from tables.models.checks import PayoutCheck
from tables.models.dealing import Call, Dealing, StringCall
from tables.models.drills import DrillAnswer
from tables.models.drops import DropEstimate, DropWait, PulledBox
from tables.models.envy import EnvyLine
from tables.models.evaluations import EvaluationAnswer
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
from tables.models.rounds import Round
from tables.models.serials import SerialExplanation
from tables.models.settled import SettledWin
from tables.models.shoes import ShoeMark

__all__ = [
    "Away",
    "Call",
    "Dealing",
    "DrillAnswer",
    "DropEstimate",
    "DropWait",
    "EnvyLine",
    "EvaluationAnswer",
    "FloorEntry",
    "FloorRequest",
    "KeyLoan",
    "Look",
    "MainEdge",
    "Mismatch",
    "MismatchSettlement",
    "MoneyKind",
    "PayoutCheck",
    "PayoutConfirmation",
    "PayoutWord",
    "PlayRating",
    "PulledBox",
    "RatingFigures",
    "RatingMoney",
    "Round",
    "SeatHeld",
    "SerialExplanation",
    "SettledWin",
    "ShoeMark",
    "SignChange",
    "StayEnd",
    "StringCall",
    "TableOrder",
]
