"""How a hand was played, beside its cards: a payout is wrong by as much as this is left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from pitboss.rules.wagers.bet_bigger import ANTE, SPOTS

# What can be said of a hand, by its name on the wire and as it is said.
HAND: Final[Mapping[str, str]] = {
    "doubled": "Doubled",
    "split": "Split hand",
    "surrender": "Surrender",
    "even_money": "Even money",
}
# What can be said of which wager. A raise and an insured bet are amounts.
PLAYED: Final[Mapping[str, frozenset[str]]] = {
    "blackjack": frozenset(HAND),
    "bet_bigger": frozenset({*HAND, *SPOTS}),
    "free_bet_coupon": frozenset({"split"}),
}


def played_extra(
    wager: str, stake_cents: int, *, played: Collection[str] = (), raise_times: int = 0
) -> dict[str, Any]:
    """Return what a case says in `extra` of how its hand was played; what fits no hand is left out.

    >>> played_extra("raise_the_roof", 500, raise_times=2)
    {'raise_cents': 1000}
    >>> played_extra("bet_bigger", 1_000, played=["3x", "doubled"])
    {'spots': ['3x'], 'double_cents_by_bet': {'ante': 1000, '3x': 1000}}
    """
    if wager == "insurance":
        # An insurance bet is judged beside the bet that it insures.
        return {"main_stake_cents": 2 * stake_cents}
    if wager == "raise_the_roof" and raise_times:
        return {"raise_cents": raise_times * stake_cents}
    said = PLAYED.get(wager, frozenset()).intersection(played)
    extra: dict[str, Any] = {name: True for name in ("surrender", "even_money") if name in said}
    spots = [spot for spot in SPOTS if spot in said]
    if spots:
        extra["spots"] = spots
    if "split" in said:
        extra["from_split"] = True
    if "doubled" in said and wager == "bet_bigger":
        extra["double_cents_by_bet"] = dict.fromkeys([ANTE, *spots], stake_cents)
    elif "doubled" in said:
        extra["double_cents"] = stake_cents
    return extra
