"""Short ways to settle a round of community cards in a test."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules.refusal import Refused
from pitboss.rules.stadium import stadium
from pitboss.rules.wagers.settlement import Settlement

RULES: dict[str, Any] = {
    "dealer_soft_17": "stand",
    "surrender": "enabled",
    "keep_standoff_bet": "disabled",
    "double_totals": [2, 20],
    "double_after_split": True,
    "max_split_hands": 3,
    "auto_stand": {"soft": 17, "hard": 17},
}


def settled(
    player: str,
    up: str,
    community: str = "",
    decisions: str = "",
    *,
    stake_cents: int = 1_000,
    insurance_cents: int = 0,
    paytable: str = "3:2",
    **rules: Any,
) -> Settlement:
    return stadium.settle(
        {
            "paytable": paytable,
            "stake_cents": stake_cents,
            "player_cards": player.split(),
            "dealer_up": up,
            "extra": {
                "community": community.split(),
                "decisions": decisions.split(),
                "insurance_cents": insurance_cents,
                "rules": RULES | rules,
            },
        }
    )


def result(settlement: Settlement) -> tuple[str, int]:
    return settlement.category, settlement.payout_cents


def refused_codes(*args: Any, **kwargs: Any) -> tuple[str, ...]:
    with pytest.raises(Refused) as refused:
        settled(*args, **kwargs)
    return refused.value.codes
