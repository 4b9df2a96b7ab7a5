"""What follows from nods: the cash of whoever was named or described goes into the day's sum."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import models

from inventory.models import Stranger
from inventory.services.cash_log import Transaction, log_noted_cash
from pitboss.rules.floor.nods import BUY_IN
from pitboss.rules.patrons.cash_log import CashKind
from tables.models import FloorEntry
from tables.services.floor_log import NewEntry, follows


@follows(BUY_IN.code)
def _cash_of_patron(entry: FloorEntry, new: NewEntry) -> Sequence[models.Model]:
    """Log the cash of a buy-in where it was told whose it is."""
    stranger = Stranger.objects.filter(pk=new.stranger_id or 0).first()
    if entry.amount_cents is None or not (entry.patron or stranger or new.description):
        return []
    return log_noted_cash(
        new=Transaction(
            CashKind.BUY_IN,
            entry.amount_cents,
            entry.table,
            patron=entry.patron,
            stranger=None if entry.patron else stranger,
            description="" if entry.patron or stranger else new.description,
        ),
        person=entry.by,
        device=entry.device,
        is_signed=entry.is_signed,
        confirmed=new.is_confirmed,
        at=entry.at,
    )
