"""What each wager may carry besides its cards and its stake, as a program must write it.

The settlers refuse everything else. What the table itself decides (soft 17, meters, limits) is not
here: the server knows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pitboss.rules.games.game_modules import game_modules
from pitboss.rules.stadium.play import DECISIONS
from pitboss.rules.wagers.bet_bigger import ANTE, SPOTS
from pitboss.rules.wagers.settle import WAGERS

_CENTS: Final = {"type": "integer", "minimum": 0}
_FLAG: Final = {"type": "boolean"}
_CARDS: Final = {"type": "array", "items": {"type": "string"}}
_BETS: Final = (ANTE, *SPOTS)


def _object(properties: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


_CENTS_BY_BET: Final = _object(dict.fromkeys(_BETS, _CENTS))


def _split_hands(double: str, doubled: Mapping[str, Any]) -> dict[str, Any]:
    hand = _object({"cards": _CARDS, double: doubled}, required=["cards"])
    return {"type": "array", "items": hand, "minItems": 2}


@dataclass(frozen=True, slots=True)
class ExtraField:
    """One field: what it says, and its JSON Schema."""

    name: str
    says: str
    schema: Mapping[str, Any]


_DEALER_BET: Final = ExtraField("dealer_bet", "the bet is the dealer’s, a toke", _FLAG)
_TO_LIMIT: Final = ExtraField(
    "pay_or_take_to_limit", "a bet over the maximum is in action only up to the maximum", _FLAG
)
_EVEN_MONEY: Final = ExtraField("even_money", "the player took even money", _FLAG)
_SURRENDER: Final = ExtraField("surrender", "the player surrendered", _FLAG)
_FROM_SPLIT: Final = ExtraField("from_split", "this one hand comes from a split pair", _FLAG)
_INSURANCE: Final = ExtraField("insurance_cents", "the insurance bet next to the hand", _CENTS)
_LIMITED: Final = (_DEALER_BET, _TO_LIMIT)

FIELDS: Final[Mapping[str, tuple[ExtraField, ...]]] = {
    **dict.fromkeys(WAGERS, _LIMITED),
    "blackjack": (
        *_LIMITED,
        ExtraField("double_cents", "the amount doubled, up to the stake", _CENTS),
        ExtraField(
            "split_hands",
            "every hand of a split pair, left to right, each with its own double",
            _split_hands("double_cents", _CENTS),
        ),
        _FROM_SPLIT,
        _INSURANCE,
        _EVEN_MONEY,
        _SURRENDER,
        ExtraField("dealer_bj_is_21", "the dealer’s blackjack counts as 21", _FLAG),
        ExtraField("blackjack_already_paid", "the natural was paid before the dealer drew", _FLAG),
    ),
    "insurance": (
        _DEALER_BET,
        ExtraField("main_stake_cents", "the main bet: insurance is at most half of it", _CENTS),
    ),
    "free_bet_coupon": (
        _FROM_SPLIT,
        ExtraField("dealer_bj_is_21", "the dealer’s blackjack counts as 21", _FLAG),
    ),
    "bet_bigger": (
        _DEALER_BET,
        ExtraField(
            "spots",
            "the spots that have a bet",
            {
                "type": "array",
                "items": {"type": "string", "enum": list(SPOTS)},
                "uniqueItems": True,
            },
        ),
        ExtraField("double_cents_by_bet", "the amount doubled on each bet", _CENTS_BY_BET),
        ExtraField(
            "split_hands",
            "every hand of a split pair, left to right, each with its own doubles",
            _split_hands("double_cents_by_bet", _CENTS_BY_BET),
        ),
        _FROM_SPLIT,
        ExtraField("insurance_each_cents", "the insurance next to each bet", _CENTS),
        _EVEN_MONEY,
        _SURRENDER,
    ),
    "raise_the_roof": (
        *_LIMITED,
        ExtraField("raise_cents", "the raise; the stake is the ante", _CENTS),
    ),
    "lucky_ladies": (
        _DEALER_BET,
        ExtraField(
            "other_winner_stakes_cents",
            "the bets of the others who won the same jackpot on this hand",
            {"type": "array", "items": _CENTS},
        ),
    ),
    "blazing_7s": (
        _DEALER_BET,
        ExtraField(
            "winners_same_hand",
            "how many won the top award on this hand",
            {"type": "integer", "minimum": 1},
        ),
        ExtraField(
            "winner_number", "which of them this is, in order", {"type": "integer", "minimum": 1}
        ),
        ExtraField("taken_before_cents", "what those before took from the meter", _CENTS),
    ),
    "stadium_blackjack": (
        _DEALER_BET,
        ExtraField("community", "the community cards, in order", _CARDS),
        ExtraField(
            "decisions",
            "what the seat decided, in order",
            {"type": "array", "items": {"type": "string", "enum": list(DECISIONS)}},
        ),
        _INSURANCE,
    ),
    **{
        game.id: (
            ExtraField("bet", "which bet it is", {"type": "string", "enum": list(game.bets)}),
            *(ExtraField(name, says, schema) for name, (says, schema) in game.asks.items()),
            *_LIMITED,
        )
        for game in game_modules().values()
    },
}

# One that settles, for each wager that carries more than whose bet it is.
EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "blackjack": {"double_cents": 1000},
    "insurance": {"main_stake_cents": 2500},
    "bet_bigger": {"spots": ["2x", "3x"], "insurance_each_cents": 250},
    "raise_the_roof": {"raise_cents": 2500},
    "lucky_ladies": {"other_winner_stakes_cents": [500]},
    "blazing_7s": {"winners_same_hand": 3, "winner_number": 2},
    "stadium_blackjack": {"community": ["5c"], "decisions": ["stand"]},
    "roulette": {"bet": "split", "numbers": ["17", "20"], "result": "17"},
    "baccarat": {"bet": "banker"},
}


def extra_schema(wager: str) -> dict[str, Any]:
    """Return the JSON Schema of what a wager may carry."""
    return _object(
        {
            field.name: {**field.schema, "description": field.says[:1].upper() + field.says[1:]}
            for field in FIELDS[wager]
        }
    )


def extra_page() -> str:
    """Return the table of the API's page: every field of every wager."""
    lines = ["| Wager | Field | What it says |", "|---|---|---|"]
    for wager, fields in FIELDS.items():
        if fields == _LIMITED:
            continue
        for field in fields:
            lines.append(f"| `{wager}` | `{field.name}` | {field.says} |")
    others = ", ".join(f"`{wager}`" for wager, fields in FIELDS.items() if fields == _LIMITED)
    lines += [f"| {others} | `{field.name}` | {field.says} |" for field in _LIMITED]
    return "\n".join(lines)
