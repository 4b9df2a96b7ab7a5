"""What the inventory keeps: cheques and what stands behind them."""

from inventory.models.cheques import CageCount, ChequeTransfer, Holder, TrayCount
from inventory.models.patrons import CreditLine, Patron, PatronDocument, PatronStanding

__all__ = [
    "CageCount",
    "ChequeTransfer",
    "CreditLine",
    "Holder",
    "Patron",
    "PatronDocument",
    "PatronStanding",
    "TrayCount",
]
