"""What stands at a table, and who has the keys of its pit."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from pitboss.models import Pit, Table
from pitboss.rules.floor.incidents import PIT_KEYS
from pitboss.services import house
from tables.models import FloorEntry, KeyLoan, TableOrder


def orders_standing(table: Table) -> list[FloorEntry]:
    """Return the entries of the floor log whose orders hold at a table now, oldest first."""
    orders = (
        TableOrder.objects.filter(
            Q(holds_until=None) | Q(holds_until__gt=house.now()), table=table, ended_at=None
        )
        .select_related("entry")
        .order_by("id")
    )
    return [order.entry for order in orders]


def keys_out(pit: Pit) -> list[str]:
    """Say who has which keys of a pit now, and since when."""
    loans = (
        KeyLoan.objects.filter(pit=pit, returned=None).select_related("taken__by").order_by("key")
    )
    return [
        (
            f"{loan.taken.by} has had the keys to the {PIT_KEYS[loan.key].lower()} since "
            f"{timezone.localtime(loan.taken.at):%H:%M}."
        )
        for loan in loans
    ]
