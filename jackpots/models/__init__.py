"""What jackpots keep: meters, what wagers add to them, and the hits that are paid from them."""

from jackpots.models.hits import (
    Because,
    FrozenAmount,
    Jackpot,
    JackpotFigure,
    JackpotPayment,
    MeterFreeze,
)
from jackpots.models.meters import (
    BACK,
    Meter,
    MeterContribution,
    MeterEntry,
    MeterLink,
    MeterReading,
)
from jackpots.models.tax import TaxForm, TaxPdf
from jackpots.models.tax_lines import TaxLine
from jackpots.models.withheld import WithheldEnd, WithheldWin

__all__ = [
    "BACK",
    "Because",
    "FrozenAmount",
    "Jackpot",
    "JackpotFigure",
    "JackpotPayment",
    "Meter",
    "MeterContribution",
    "MeterEntry",
    "MeterFreeze",
    "MeterLink",
    "MeterReading",
    "TaxForm",
    "TaxLine",
    "TaxPdf",
    "WithheldEnd",
    "WithheldWin",
]
