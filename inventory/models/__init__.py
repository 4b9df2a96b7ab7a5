"""What the inventory keeps: cheques and what stands behind them, and the sets of cards."""

from inventory.models.cards import CardMove, CardPlace, CardSet
from inventory.models.cash_log import (
    CashEntry,
    CurrencyReport,
    CurrencyReportClosing,
    NoteReading,
    Stranger,
    StrangerMatch,
    SuspicionNote,
)
from inventory.models.cheques import (
    CageCount,
    ChequeTransfer,
    Holder,
    PublicBalance,
    TrayCount,
)
from inventory.models.deposits import (
    DepositAccount,
    DepositEntry,
    DepositMove,
    PaymentInstrument,
    ReturnedCheck,
)
from inventory.models.exclusion import (
    CaseEnd,
    ExclusionCase,
    ListCheck,
    ListRow,
    ListRowEnd,
    ListUpload,
    ListVersion,
)
from inventory.models.markers import Marker, MarkerEntry, MarkerMove
from inventory.models.patrons import CreditLine, Patron, PatronDocument, PatronStanding

__all__ = [
    "CageCount",
    "CardMove",
    "CardPlace",
    "CardSet",
    "CaseEnd",
    "CashEntry",
    "ChequeTransfer",
    "CreditLine",
    "CurrencyReport",
    "CurrencyReportClosing",
    "DepositAccount",
    "DepositEntry",
    "DepositMove",
    "ExclusionCase",
    "Holder",
    "ListCheck",
    "ListRow",
    "ListRowEnd",
    "ListUpload",
    "ListVersion",
    "Marker",
    "MarkerEntry",
    "MarkerMove",
    "NoteReading",
    "Patron",
    "PatronDocument",
    "PatronStanding",
    "PaymentInstrument",
    "PublicBalance",
    "ReturnedCheck",
    "Stranger",
    "StrangerMatch",
    "SuspicionNote",
    "TrayCount",
]
