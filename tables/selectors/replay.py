"""The board as it was: which tables were open, who dealt, what waited, at an instant that passed.

Trays are left out: what one was expected to contain a minute ago tells who counts it blind now.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import JSONObject

from inventory.models import TrayCount
from pitboss.models import Pit, Waiting
from pitboss.rules.cheques.tray_counts import CLOSERS, RECOUNT
from pitboss.rules.floor.urgency import in_order
from pitboss.rules.roles import Role
from tables.models import Dealing, SeatHeld
from tables.selectors.board_items import item_of
from tables.selectors.counts import last_count_of, with_last_count

# After these a tray was locked.
_SHUT = CLOSERS | {RECOUNT}


_LONGEST = timedelta(days=31)


def _then(began: str, ended: str, at: datetime) -> Q:
    return Q(**{f"{began}__lte": at}) & (Q(**{ended: None}) | Q(**{f"{ended}__gt": at}))


def board_then(pit: Pit, at: datetime, role: Role) -> list[dict[str, Any]]:
    """Return the tables of a pit as they were. Three queries, however many tables.

    What had waited for longer than a month by then is left out: so both are read by their day.
    """
    waits: dict[int | None, list[Waiting]] = defaultdict(list)
    rows = Waiting.objects.filter(_then("since", "until", at), table__pit=pit)
    rows = rows.select_related("slip", "exception", "table")
    days = (at.date() - _LONGEST, at.date() + timedelta(days=1))
    for of_day in ("slip__gaming_day__range", "exception__gaming_day__range"):
        for wait in rows.filter(**{of_day: days}):
            waits[wait.table_id].append(wait)
    dealt = Dealing.objects.filter(_then("began_at", "ended_at", at), table=OuterRef("pk"))
    dealer = dealt.order_by("-began_at").values(
        who=JSONObject(
            first_name="dealer__first_name", last_name="dealer__last_name", since="began_at"
        )
    )
    seats = SeatHeld.objects.filter(_then("from_at", "until", at), table=OuterRef("pk"))
    taken = seats.order_by().values("table").annotate(taken=Count("seat", distinct=True))
    counts = TrayCount.objects.filter(at__lte=at)
    tables = with_last_count(pit.tables.all(), counts).annotate(
        dealer=Subquery(dealer[:1]), seats_then=Subquery(taken.values("taken"))
    )
    return [_tile(table, waits[table.pk], at, role) for table in tables]


def _tile(table: Any, waits: list[Waiting], at: datetime, role: Role) -> dict[str, Any]:
    last = last_count_of(table)
    is_open = last is not None and last.kind not in _SHUT
    items = sorted(
        (item_of(wait, table.name, role=role) for wait in waits),
        key=lambda item: in_order(item["urgency"], item["since"]),
    )
    dealer = table.dealer
    return {
        "name": table.name,
        "is_open": is_open,
        "state": items[0]["state"]
        if items and items[0]["state"]
        else {"kind": "open", "word": "Open"}
        if is_open
        else {"kind": "off", "word": "Closed"},
        "tone": items[0]["tone"] if items else "" if is_open else "off",
        "dealer": f"{dealer['first_name'][:1]}. {dealer['last_name']}" if dealer else "",
        "dealt_minutes": int((at - datetime.fromisoformat(dealer["since"])).total_seconds()) // 60
        if dealer
        else None,
        "seats": table.seats_then or 0,
        "counted": last,
        "items": items,
    }
