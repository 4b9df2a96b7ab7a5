"""A coupon on a bet that pays odds: only where the supervisor said so, and logged it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from pitboss.models import Table
from pitboss.rules.floor.log import LogOutcome
from pitboss.rules.floor.nods import COUPON
from pitboss.rules.games.games import TableRules
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.said import Said
from tables.models import FloorEntry

# The coupon is approved when it is bet; its round is told by the end of it.
APPROVED_WITHIN: Final = timedelta(minutes=30)
# What a terminal says of a round, and the log must bear out.
_APPROVED: Final = "coupons_approved"
_ON_ODDS: Final = "odds"


def coupon_refusals(
    table: Table, log: Mapping[str, Any], rules: TableRules, at: datetime
) -> list[Refusal]:
    """Return which coupons of a round are said to be approved, and no supervisor logged.

    On a bet that pays even money the manual allows every coupon.
    """
    told = Counter(
        bet["stake_cents"]
        for seat in log["seats"]
        for bet in seat["bets"]
        if bet.get("coupon") and bet["wager"] != rules.game.main_wager
    )
    if not told or not log.get(_APPROVED):
        return []
    entries = FloorEntry.objects.filter(
        table=table, kind=COUPON.code, at__gt=at - APPROVED_WITHIN, facts__bet=_ON_ODDS
    ).exclude(outcome=LogOutcome.DECLINED.value)
    approved = Counter(entries.values_list("facts__face_cents", flat=True))
    return [
        Refusal(
            "coupon_not_approved",
            Said(
                "No approval is logged for a coupon of {face_cents} on a bet that pays odds. Ask "
                "the supervisor.",
                face_cents=face_cents,
            ),
            CONFLICT,
        )
        for face_cents in (told - approved)
    ]
