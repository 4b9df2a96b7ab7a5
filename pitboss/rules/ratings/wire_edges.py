"""The exact edge of the main game, and what a move off the chart costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from pitboss.rules.facts import choice
from pitboss.rules.games.dealer import SOFT_17
from pitboss.rules.games.strategy import Move
from pitboss.rules.odds.odds import DECKS_MAX
from pitboss.rules.quoting import quoted
from pitboss.rules.ratings.main_odds import (
    ACE,
    NONE_GONE,
    TEN,
    MainRules,
    Play,
    held,
    main_edge,
    without,
)
from pitboss.rules.ratings.reckoning import Unreckoned
from pitboss.rules.ratings.wire_reading import Answer, Ask, Fields
from pitboss.rules.refusal import refuse

HANDS_MAX: Final = 4


def _main_edge(case: Fields) -> Answer:
    return {"edge": str(main_edge(_main_rules(case, case.ratio("blackjack_pays"))))}


def _departure(case: Fields) -> Answer:
    # What a blackjack pays plays no part in a hand that is none.
    rules = _main_rules(case, Fraction(3, 2))
    values = [_value(name) for name in case.names("hand")]
    up, move = _value(case.text("up")), case.choice("move", Move)
    hand = held(values)
    if hand.cards < 2 or hand.total > 21 or sorted(values) == [ACE, TEN]:
        raise Unreckoned("bad_hand")
    is_pair = hand.cards == 2 and values[0] == values[1]
    if (move is Move.SPLIT and not is_pair) or (move is Move.DOUBLE and hand.cards > 2):
        raise Unreckoned("bad_move")
    gone = without(NONE_GONE, up, *values)
    if any(count > of for count, of in zip(gone, rules.shoe, strict=True)):
        raise Unreckoned("bad_hand")
    play = Play(rules, up)
    usual = play.chart_says(hand, values[0] if is_pair else None)
    cost = play.worth(hand, gone, usual) - play.worth(hand, gone, move)
    return {"chart": usual.value, "cost": str(cost / play.no_blackjack(gone))}


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
    """Return the value of a rank: 1 for an ace, 10 for tens and faces."""
    ranks: Sequence[str] = "A23456789TJQK"
    if len(name) != 1 or name not in ranks:
        raise refuse("bad_rank", f"{quoted(name)} is not a rank: use A, 2 to 9, T, J, Q or K.")
    return min(ranks.index(name) + 1, TEN)


ASKS: Final[Mapping[str, Ask]] = {
    "main_edge": _main_edge,
    "departure": _departure,
}
