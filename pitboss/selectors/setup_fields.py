"""What a page asks of a table's set-up: the choices that its game leaves, and its side bets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pitboss.rules.games.games import Game, spoken
from pitboss.rules.games.play_options import (
    LABELS,
    blackjack_pays_of,
    decks_of,
    options_of,
    soft_17_of,
)
from pitboss.rules.games.setup_form import (
    AUTO_STANDS,
    HOUSE_TABLE,
    KEEP_STANDOFF_BET,
    STADIUM_READINGS,
    rows_keyed,
)
from pitboss.rules.games.table_setup import (
    BOUNDS,
    blackjack_words,
    bounds_of,
    edges_as_keyed,
    is_stadium,
    profiles_of,
    verified_by,
)
from pitboss.rules.games.tracked import is_tracked
from pitboss.rules.paytables.paytables import ROWS
from pitboss.rules.refusal import Refused
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.rules.settings.kinds import Percent

# On the wire each field has this before its name: the pad has a badge and a reason of its own.
SET: Final = "set_"
# As many oddities of a pay table as fit under it; mending the first mostly mends the rest.
_ODD_MAX: Final = 3
# No field of a set-up that an address fills in is longer.
_KEYED_MAX: Final = 2_000
_PERCENT: Final = Percent(0, 10_000)


def setup_keyed(posted: Mapping[str, object]) -> dict[str, str]:
    """Return what a form gives of a set-up, by its own names."""
    return {
        name.removeprefix(SET): str(value)[:_KEYED_MAX].replace("\x00", "")
        for name, value in posted.items()
        if name.startswith(SET)
    }


def fields_of(game: Game, keyed: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the choices that a game leaves to its table."""
    choices: list[tuple[str, str, dict[str, str]]] = [
        ("decks", "Decks", {str(deck): str(deck) for deck in decks_of(game)}),
        ("soft_17", "Dealer on soft 17", {item: f"{item}s" for item in soft_17_of(game)}),
        (
            "blackjack_pays",
            "Blackjack pays",
            {pay: blackjack_words(pay) for pay in blackjack_pays_of(game)},
        ),
        ("cards", "Cards", {profile.value: profile.label for profile in profiles_of(game)}),
    ]
    if is_tracked(game):
        # Nothing else is asked of a game that is none of the manual's.
        pays = ("blackjack_pays", "Payouts", verified_by(game))
        asked = (choices[0], pays, choices[-1])
        choices = [item for item in asked if len(item[2]) > 1]
    if is_stadium(game):
        choices.append(("keep_standoff_bet", "Tied bets", dict(KEEP_STANDOFF_BET)))
        timer = {
            auto_stand: f"soft {auto_stand.replace('/', ', hard ')}" for auto_stand in AUTO_STANDS
        }
        choices.append(("auto_stand", "Expired timer stands on", timer))
        choices += [
            (
                stadium_reading.name,
                stadium_reading.question,
                {str(value): words for value, words in stadium_reading.choices.items()},
            )
            for stadium_reading in STADIUM_READINGS
        ]
    choices += [(name, LABELS[name], allowed) for name, allowed in options_of(game).items()]
    return [
        {
            "name": f"{SET}{name}",
            "label": label,
            "source": _source(game, name),
            "choices": [
                {"value": value, "label": words, "is_chosen": value == keyed.get(name)}
                for value, words in allowed.items()
            ],
        }
        for name, label, allowed in choices
    ]


def amounts_of(game: Game, keyed: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the amounts that a table may set over its game's own, each with what is keyed.

    The limits of a raise are asked where there is one: at its own game, or once it is taken.
    """
    roof = "raise_the_roof"
    raises = game.id == roof or bool(keyed.get(f"bet_{roof}"))
    return [
        {"name": f"{SET}{name}", "label": BOUNDS[name], "value": keyed.get(name, "")}
        for name in bounds_of(game)
        if raises or not name.startswith("raise_")
    ]


# Which fact of a game's document an option goes with.
_SOURCES: Final = {
    "doubles": "doubling",
    "double_for_less": "doubling",
    "double_after_split": "doubling",
    "split_hands": "splitting",
    "resplit_aces": "splitting",
    "dealer_bets": "tokes",
    "own_spot": "piggyback",
    "even_money": "insurance",
    "hands_each": "hands",
    "hands_minimum": "hands",
}


def _source(game: Game, name: str) -> str:
    """Say where an option of a game is written; nothing where no document has it."""
    source = game.sources.get(_SOURCES.get(name, name))
    return str(source) if source else ""


def _rows_of(wager: str, keyed: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return as many rows to choose as a pay table can have, with those that are keyed."""
    chosen = rows_keyed(wager, keyed)
    lines = [*chosen, *[("", "")] * (len(ROWS[wager]) - len(chosen))]
    return [
        {
            "number": number,
            "odds": odds,
            "choices": [
                {"value": item, "label": item.replace("_", " "), "is_chosen": item == row}
                for item in ROWS[wager]
            ],
        }
        for number, (row, odds) in enumerate(lines, 1)
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
                {"value": paytable, "is_chosen": paytable == keyed.get(f"bet_{bet.wager}")}
                for paytable in bet.paytables
            ],
            "is_house": keyed.get(f"bet_{bet.wager}") == HOUSE_TABLE,
            "rows": _rows_of(bet.wager, keyed),
            "envy": keyed.get(f"bet_{bet.wager}_envy", ""),
            "minimum": keyed.get(f"bet_{bet.wager}_minimum", ""),
            "maximum": keyed.get(f"bet_{bet.wager}_maximum", ""),
        }
        for bet in game.takes
    ]


def edges_said(keyed: Mapping[str, str], in_force: SettingsInForce) -> dict[str, dict[str, str]]:
    """Return how each side bet stands: its edge in words, and whether that is well."""
    band = (in_force["paytable.edge_least"], in_force["paytable.edge_most"])
    fields = {}
    for wager, found in edges_as_keyed(keyed, in_force.options, band).items():
        if isinstance(found, Refused):
            fields[wager] = {"state": "wrong", "words": str(found)}
        elif found.favours_the_player:
            words = f"{found.words}: it would pay players more than they stake. Lower its odds."
            fields[wager] = {"state": "stop", "words": words}
        elif not found.is_in_band:
            least, most = (_PERCENT.words(item) for item in band)
            words = f"{found.words}, outside the band of the house, {least} to {most}"
            odd = "".join(f" {warning.message}" for warning in found.warnings[:_ODD_MAX])
            fields[wager] = {"state": "warn", "words": f"{words}.{odd}" if odd else words}
        elif found.warnings:
            odd = " ".join(warning.message for warning in found.warnings[:_ODD_MAX])
            fields[wager] = {"state": "warn", "words": f"{found.words}. {odd}"}
        else:
            fields[wager] = {"state": "fine", "words": found.words}
    return fields


def stops_of(edges: Mapping[str, dict[str, str]]) -> str:
    """Return which side bets cannot be proposed as they are keyed."""
    return ", ".join(spoken(wager) for wager, edge in edges.items() if edge["state"] == "stop")
