"""What the inventory keeps: cheques and what stands behind them."""

from inventory.models.cash_log import (
    CashEntry,
    CurrencyReport,
    CurrencyReportClosing,
    NoteReading,
    Stranger,
    StrangerMatch,
    SuspicionNote,
)
from inventory.models.cheques import CageCount, ChequeTransfer, Holder, TrayCount
from inventory.models.patrons import CreditLine, Patron, PatronDocument, PatronStanding

__all__ = [
    "CageCount",
    "CashEntry",
    "ChequeTransfer",
    "CreditLine",
    "CurrencyReport",
    "CurrencyReportClosing",
    "Holder",
    "NoteReading",
    "Patron",
    "PatronDocument",
    "PatronStanding",
    "Stranger",
    "StrangerMatch",
    "SuspicionNote",
    "TrayCount",
]
