"""What a page asks of a table's set-up: the choices that its game leaves, and its side bets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pitboss.rules.games import Game, spoken
from pitboss.rules.paytables import ROWS
from pitboss.rules.play_options import (
    LABELS,
    blackjack_pays_of,
    decks_of,
    options_of,
    soft_17_of,
)
from pitboss.rules.table_setup import (
    AUTO_STANDS,
    HOUSE_TABLE,
    KEEP_STANDOFF_BET,
    STADIUM_READINGS,
    CardProfile,
    blackjack_words,
    is_stadium,
)

# On the wire each field has this before its name: the pad has a badge and a reason of its own.
SET: Final = "set_"


def fields_of(game: Game, keyed: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the choices that a game leaves to its table."""
    choices: list[tuple[str, str, dict[str, str]]] = [
        ("decks", "Decks", {str(each): str(each) for each in decks_of(game)}),
        ("soft_17", "Dealer on soft 17", {each: f"{each}s" for each in soft_17_of(game)}),
        (
            "blackjack_pays",
            "Blackjack pays",
            {each: blackjack_words(each) for each in blackjack_pays_of(game)},
        ),
        ("cards", "Cards", {each.value: each.label for each in CardProfile}),
    ]
    if is_stadium(game):
        choices.append(("keep_standoff_bet", "Tied bets", dict(KEEP_STANDOFF_BET)))
        timer = {each: f"soft {each.replace('/', ', hard ')}" for each in AUTO_STANDS}
        choices.append(("auto_stand", "Expired timer stands on", timer))
        choices += [
            (each.name, each.question, {str(value): words for value, words in each.choices.items()})
            for each in STADIUM_READINGS
        ]
    choices += [(name, LABELS[name], allowed) for name, allowed in options_of(game).items()]
    return [
        {
            "name": f"{SET}{name}",
            "label": label,
            "choices": [
                {"value": value, "label": words, "is_chosen": value == keyed.get(name)}
                for value, words in allowed.items()
            ],
        }
        for name, label, allowed in choices
    ]


def bets_of(
    game: Game, keyed: Mapping[str, str], edges: Mapping[str, Mapping[str, str]]
) -> list[dict[str, Any]]:
    """Return the side bets of a game, each with its pay tables, what is keyed, and its edge."""
    return [
        {
            "name": f"{SET}bet_{bet.wager}",
            "label": spoken(bet.wager),
            "edge": edges.get(bet.wager),
            "tables": [
                {"value": each, "is_chosen": each == keyed.get(f"bet_{bet.wager}")}
                for each in bet.paytables
            ],
            "is_house": keyed.get(f"bet_{bet.wager}") == HOUSE_TABLE,
            "rows": keyed.get(f"bet_{bet.wager}_rows", ""),
            "row_names": ", ".join(ROWS[bet.wager]).replace("_", " "),
            "envy": keyed.get(f"bet_{bet.wager}_envy", ""),
            "minimum": keyed.get(f"bet_{bet.wager}_minimum", ""),
            "maximum": keyed.get(f"bet_{bet.wager}_maximum", ""),
        }
        for bet in game.side_bets
    ]
