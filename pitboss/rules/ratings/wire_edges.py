"""The exact edge of the main game, and what a move off the chart costs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from pitboss.rules.facts import choice
from pitboss.rules.games.dealer import SOFT_17
from pitboss.rules.games.strategy import Move
from pitboss.rules.odds.odds import DECKS_MAX
from pitboss.rules.quoting import quoted
from pitboss.rules.ratings.departures import RANKS, Made, departure, value_of
from pitboss.rules.ratings.main_odds import MainRules, main_edge
from pitboss.rules.ratings.wire_reading import Answer, Ask, Fields
from pitboss.rules.refusal import refuse

HANDS_MAX: Final = 4


def _main_edge(case: Fields) -> Answer:
    return {"edge": str(main_edge(_main_rules(case, case.ratio("blackjack_pays"))))}


def _departure(case: Fields) -> Answer:
    # What a blackjack pays plays no part in a hand that is none.
    rules = _main_rules(case, Fraction(3, 2))
    values = tuple(_value(name) for name in case.names("hand"))
    up, move = _value(case.text("up")), case.choice("move", Move)
    found = departure(rules, up, Made(values, move))
    if found is None:
        return {"chart": move.value, "cost": "0"}
    return {"chart": found.chart.value, "cost": str(found.cost)}


def _main_rules(case: Fields, blackjack_pays: Fraction) -> MainRules:
    soft_17 = choice({"soft_17": case.text("soft_17")}, "soft_17", SOFT_17)
    hands_max = case.whole("hands_max", least=2)
    if hands_max > HANDS_MAX:
        raise refuse("bad_hands_max", f"hands_max must be from 2 to {HANDS_MAX}.")
    return MainRules(decks(case), str(soft_17), blackjack_pays, hands_max)


def decks(case: Fields) -> int:
    decks = case.whole("decks", least=1)
    if decks > DECKS_MAX:
        raise refuse("bad_decks", f"decks must be a whole number from 1 to {DECKS_MAX}.")
    return decks


def _value(name: str) -> int:
    """Return the value of a rank. Raises Refused for what is none."""
    if name not in RANKS:
        raise refuse("bad_rank", f"{quoted(name)} is not a rank: use A, 2 to 9, T, J, Q or K.")
    return value_of(name)


ASKS: Final[Mapping[str, Ask]] = {
    "main_edge": _main_edge,
    "departure": _departure,
}
