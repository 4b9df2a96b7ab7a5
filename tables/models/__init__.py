"""What tables keep besides their slips."""

from tables.models.advice import AdviceAnswer, AdviceTaken
from tables.models.checks import PayoutCheck
from tables.models.comps import (
    Comp,
    CompEntry,
    CompKind,
    CompMove,
    LossLimit,
    PatronHost,
    PatronTier,
    PointsEntry,
    Relation,
    ValuedBy,
)
from tables.models.count_deliveries import CountDelivery
from tables.models.count_sessions import BoxTally, CountFile, MachineMap, RoomMove
from tables.models.dealing import Call, Dealing, StringCall
from tables.models.drills import DrillAnswer
from tables.models.drop_runs import CompartmentTurn, DropBox, RunPit, RunStop, RunWatch
from tables.models.drops import DropEstimate, DropWait, PulledBox
from tables.models.envy import EnvyLine
from tables.models.evaluations import EvaluationAnswer
from tables.models.floor_log import FloorEntry, FloorRequest, RequestWithdrawal
from tables.models.incidents import Incident, IncidentReport
from tables.models.keys import KeyTaken
from tables.models.live_changes import SignChange
from tables.models.mismatches import Mismatch, MismatchSettlement, PayoutConfirmation, PayoutWord
from tables.models.orders import KeyLoan, TableOrder
from tables.models.rating_audits import Agreement, RatingDraw, RatingSeen
from tables.models.ratings import (
    Away,
    FiguresAwaited,
    Look,
    MainEdge,
    MoneyKind,
    PlayRating,
    RatingFigures,
    RatingMoney,
    SeatHeld,
    SkillSeen,
    StayEnd,
)
from tables.models.rebates import RebateAgreement, RebateSettlement
from tables.models.rounds import Round
from tables.models.serials import SerialExplanation
from tables.models.settled import SettledHours, SettledWin
from tables.models.shoes import ShoeMark
from tables.models.statements import DayStatement
from tables.models.systems import Scope, SystemCall, SystemScope

__all__ = [
    "AdviceAnswer",
    "AdviceTaken",
    "Agreement",
    "Away",
    "BoxTally",
    "Call",
    "Comp",
    "CompEntry",
    "CompKind",
    "CompMove",
    "CompartmentTurn",
    "CountDelivery",
    "CountFile",
    "DayStatement",
    "Dealing",
    "DrillAnswer",
    "DropBox",
    "DropEstimate",
    "DropWait",
    "EnvyLine",
    "EvaluationAnswer",
    "FiguresAwaited",
    "FloorEntry",
    "FloorRequest",
    "Incident",
    "IncidentReport",
    "KeyLoan",
    "KeyTaken",
    "Look",
    "LossLimit",
    "MachineMap",
    "MainEdge",
    "Mismatch",
    "MismatchSettlement",
    "MoneyKind",
    "PatronHost",
    "PatronTier",
    "PayoutCheck",
    "PayoutConfirmation",
    "PayoutWord",
    "PlayRating",
    "PointsEntry",
    "PulledBox",
    "RatingDraw",
    "RatingFigures",
    "RatingMoney",
    "RatingSeen",
    "RebateAgreement",
    "RebateSettlement",
    "Relation",
    "RequestWithdrawal",
    "RoomMove",
    "Round",
    "RunPit",
    "RunStop",
    "RunWatch",
    "Scope",
    "SeatHeld",
    "SerialExplanation",
    "SettledHours",
    "SettledWin",
    "ShoeMark",
    "SignChange",
    "SkillSeen",
    "StayEnd",
    "StringCall",
    "SystemCall",
    "SystemScope",
    "TableOrder",
    "ValuedBy",
]
