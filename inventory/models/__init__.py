"""What the inventory keeps: cheques and what stands behind them."""

from inventory.models.cheques import CageCount, ChequeTransfer, Holder, TrayCount

__all__ = ["CageCount", "ChequeTransfer", "Holder", "TrayCount"]
