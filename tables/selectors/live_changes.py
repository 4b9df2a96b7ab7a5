"""What the sign of a table says now, and what it will say: for its page, its tile and its terminal.

Read along with tables, so that a board of many asks no more often than a board of one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Subquery
from django.db.models.functions import JSONObject

from pitboss.models import RulesVersion, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.games.live_changes import LIVE_CHANGE, When
from pitboss.services import house
from tables.models import SignChange
from tables.services.live_changes import Coming


def with_limits(tables: Any) -> Any:
    """Add to tables the limits by which they are dealt now, and the newest change of them."""
    now = house.now()
    versions = RulesVersion.objects.filter(table=OuterRef("pk")).order_by("-id")
    newest = versions.values(at=JSONObject(id="id", slip="slip_id", from_at="from_at"))
    in_effect = versions.filter(from_at__lte=now).values(
        says=JSONObject(
            least="slip__details__is__minimum_cents",
            most="slip__details__is__maximum_cents",
            kept="kept",
        )
    )
    signed = Slip.objects.filter(
        table=OuterRef("pk"), kind=LIVE_CHANGE, status=SlipStatus.DONE.value
    )
    change = (
        signed.order_by("-id")
        .annotate(is_tapped=Exists(SignChange.objects.filter(slip=OuterRef("pk"))))
        .values(
            says=JSONObject(
                id="id",
                after="details__after_version",
                when="details__when",
                sign="details__sign",
                is_tapped=F("is_tapped"),
            )
        )
    )
    return tables.annotate(
        rules_newest=Subquery(newest[:1]),
        rules_now=Subquery(in_effect[:1]),
        rules_change=Subquery(change[:1]),
    )


@dataclass(frozen=True, slots=True)
class ToCome:
    """A change that a table read by `with_limits` has not begun."""

    slip_id: int
    sign: str
    words: str
    is_tapped: bool


def limits_now(table: Any) -> tuple[int, int]:
    """Return the minimum and maximum of a table, as it was read by `with_limits` or by itself."""
    now = vars(table).get("rules_now")
    return (now["least"], now["most"]) if now else (table.minimum_cents, table.maximum_cents)


def kept_at(table: Any) -> list[dict[str, Any]]:
    """Return the seats of a table that keep older limits, as they are said."""
    kept = ((vars(table).get("rules_now") or {}).get("kept") or {}).get("seats", {})
    return [
        {"seat": int(seat), "words": f"{format_money(least)} to {format_money(most)}"}
        for seat, (least, most) in sorted(kept.items())
    ]


def to_come(table: Any) -> ToCome | None:
    """Return what was signed for a table read by `with_limits` and has not begun."""
    change, newest = table.rules_change, table.rules_newest
    if change is None:
        return None
    from_at = None
    if newest is not None and newest["slip"] == change["id"]:
        from_at = datetime.fromisoformat(newest["from_at"])
        if from_at <= house.now():
            return None
    elif (newest["id"] if newest else 0) != change["after"]:
        return None
    words = _words(When(change["when"]), change["is_tapped"], from_at)
    return ToCome(change["id"], change["sign"], words, change["is_tapped"])


def coming_words(coming: Coming) -> str:
    """Say when a change begins."""
    return _words(coming.when, coming.is_tapped, coming.from_at)


def _words(when: When, is_tapped: bool, from_at: datetime | None) -> str:
    if not is_tapped:
        return "Waiting for the sign"
    if from_at is not None:
        return f"From {from_at.astimezone(house.the_property().zone):%H:%M}"
    return "From the next shoe"
