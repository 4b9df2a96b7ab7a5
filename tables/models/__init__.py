"""What tables keep besides their slips."""

from tables.models.checks import PayoutCheck
from tables.models.dealing import Call, Dealing, StringCall
from tables.models.drops import DropEstimate, DropWait, PulledBox
from tables.models.floor_log import FloorEntry, FloorRequest
from tables.models.mismatches import Mismatch, MismatchSettlement, PayoutConfirmation
from tables.models.orders import KeyLoan, TableOrder
from tables.models.rounds import Round
from tables.models.serials import SerialExplanation
from tables.models.settled import SettledWin
from tables.models.shoes import ShoeMark

__all__ = [
    "Call",
    "Dealing",
    "DropEstimate",
    "DropWait",
    "FloorEntry",
    "FloorRequest",
    "KeyLoan",
    "Mismatch",
    "MismatchSettlement",
    "PayoutCheck",
    "PayoutConfirmation",
    "PulledBox",
    "Round",
    "SerialExplanation",
    "SettledWin",
    "ShoeMark",
    "StringCall",
    "TableOrder",
]
