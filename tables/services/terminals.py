"""Which terminal calls, and what its table stands on at that moment: one query for both."""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db.models import OuterRef, Subquery, TextField
from django.db.models.functions import MD5, Cast

from pitboss.models import Device, Property, SettingValue, Table
from pitboss.rules.canonical import digest, is_plain
from tables.models import Dealing


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal and its table, with the versions of all that its table is judged by.

    The table's own set-up is left out: it is large, and known by its version.
    """

    device: Device
    table: Table
    setup_version: str
    settings_version: int
    dealer_id: int | None
    # The house's own time: it says on which day something is paid.
    zone: ZoneInfo


def terminal_by_token(token: str) -> Terminal | None:
    """Return the terminal that holds a token, unless it was put out."""
    if not is_plain(token):
        return None
    dealing = Dealing.objects.filter(table=OuterRef("table"), ended_at=None)
    device = (
        Device.objects.filter(token_hash=digest(token), revoked_at=None, table__isnull=False)
        .select_related("table")
        .defer("table__setup")
        .annotate(
            setup_version=MD5(Cast("table__setup", TextField())),
            settings_version=Subquery(SettingValue.objects.order_by("-id").values("id")[:1]),
            dealer_at_table=Subquery(dealing.values("dealer_id")[:1]),
            time_zone=Subquery(Property.objects.values("time_zone")[:1]),
        )
        .first()
    )
    if device is None or device.table is None:
        return None
    return Terminal(
        device=device,
        table=device.table,
        setup_version=device.setup_version,
        settings_version=device.settings_version or 0,
        dealer_id=device.dealer_at_table,
        zone=ZoneInfo(device.time_zone),
    )
