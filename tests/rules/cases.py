"""Short ways to write a case in a test."""

from __future__ import annotations

from typing import Any

from pitboss.rules.wagers.settle import settle_case


def case(
    wager: str,
    table: object,
    player: str = "",
    dealer: str = "",
    stake_cents: int = 1000,
    **extra: Any,
) -> dict[str, Any]:
    """Write a case; one dealer card is the up card, several are the dealer's hand."""
    written: dict[str, Any] = {
        "wager": wager,
        "paytable": table,
        "stake_cents": stake_cents,
        "player_cards": player.split(),
        "extra": extra,
    }
    dealt = dealer.split()
    if len(dealt) == 1:
        written["dealer_up"] = dealt[0]
    elif dealt:
        written["dealer_cards"] = dealt
    return written


def settled(*arguments: Any, **extra: Any) -> dict[str, Any]:
    """Settle a case that must be answered."""
    answer = settle_case(case(*arguments, **extra))
    assert "error" not in answer, answer
    return answer


def refused(*arguments: Any, **extra: Any) -> str:
    """Settle a case that must be refused, and return the code."""
    answer = settle_case(case(*arguments, **extra))
    assert set(answer) == {"error"}, answer
    assert answer["error"]["message"]
    code = answer["error"]["code"]
    assert isinstance(code, str)
    return code


def outcome(*arguments: Any, **extra: Any) -> tuple[str, int, bool | None]:
    """Return category, payout and whether the stake goes back."""
    answer = settled(*arguments, **extra)
    return answer["category"], answer["payout_cents"], answer["stake_returned"]
