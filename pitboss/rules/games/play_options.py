"""How a table plays within its game: decks, surrender, doubling, splitting, insurance, tokes.

What a document prints comes first. Where it leaves more open (a stadium), or the manual knows that
houses differ (classic and double deck), a table may choose; it stores only what it chose otherwise,
so that one which chose nothing follows its game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from pitboss.rules.games.dealer import HIT, STAND
from pitboss.rules.games.games import Game, Surrender, Tokes

YES: Final = "yes"
NO: Final = "no"
LABELS: Final[Mapping[str, str]] = {
    "surrender": "Surrender",
    "doubles": "Doubles on",
    "double_for_less": "Double for less",
    "double_after_split": "Double after a split",
    "split_hands": "Hands after splits",
    "resplit_aces": "Aces split again",
    "insurance": "Insurance",
    "even_money": "Even money",
    "dealer_bets": "Dealer bets",
    "own_spot": "Piggyback only with an own spot",
    "coupons": "Coupons",
    "hands_each": "Hands of one player",
    "hands_minimum": "Minimum of several hands",
    "mid_shoe": "Mid-shoe entry",
}
# Of these the pit manager decides alone while the table is open, as of its minimum and maximum.
LIMIT_OPTIONS: Final = frozenset({"hands_each", "hands_minimum", "mid_shoe"})
LIMITS: Final = frozenset(LABELS[name] for name in LIMIT_OPTIONS)
# The manual's own blackjack, of which houses deal their own kind (Glossary, shoe: 1 to 8 decks).
_OF_THE_HOUSE: Final = frozenset({"classic", "double_deck"})
_DECKS: Final = {"classic": (6, 8, 1, 2, 3, 4, 5, 7)}
_SURRENDER: Final = {
    Surrender.DISABLED: "none",
    Surrender.ENABLED: "early, also against a blackjack",
    Surrender.NOT_AGAINST_BLACKJACK: "late, not against a blackjack",
}
_ANY_TWO: Final = (2, 20)
_PRINTED: Final = "printed"
_ONE: Final = "one"
_POSTED: Final = frozenset({"lucky_ladies"})


def decks_of(game: Game) -> tuple[int, ...]:
    """Return how many decks a table may be dealt from, the printed number first."""
    return _DECKS.get(game.id, game.decks)


def soft_17_of(game: Game) -> tuple[str, ...]:
    """Return what a dealer may do on soft 17."""
    return (STAND, HIT) if game.id in _OF_THE_HOUSE else game.soft_17


def blackjack_pays_of(game: Game) -> tuple[str, ...]:
    """Return what a blackjack may be paid."""
    return ("3:2", "6:5", "1:1") if game.id in _OF_THE_HOUSE else game.blackjack_pays


def options_of(game: Game) -> dict[str, dict[str, str]]:
    """Return what a game leaves to its table, by name: each choice in words, the printed first.

    >>> from pitboss.rules.games.printed import GAMES
    >>> options_of(GAMES["stadium"])["doubles"]
    {'2-20': 'any two cards', '10-11': '10 to 11'}
    """
    doublings, splittings = game.doubling, game.splitting
    found: dict[str, dict[str, str]] = {
        "surrender": {surrender.value: _SURRENDER[surrender] for surrender in game.surrender},
        "doubles": {
            _span(doubling.totals): _total_words(doubling.totals) for doubling in doublings
        },
        "double_after_split": _flags(doubling.after_split for doubling in doublings),
        "split_hands": _numbers(splitting.hands_max for splitting in splittings),
    }
    if game.id in _OF_THE_HOUSE:
        surrenders = (Surrender.DISABLED, Surrender.NOT_AGAINST_BLACKJACK, Surrender.ENABLED)
        totals = (_ANY_TWO, (9, 11), (10, 11))
        found = {
            "surrender": {surrender.value: _SURRENDER[surrender] for surrender in surrenders},
            "doubles": {_span(total): _total_words(total) for total in totals},
            "double_for_less": _flags((True, False)),
            "double_after_split": _flags((True, False)),
            "split_hands": _numbers((splittings[0].hands_max, 4, 3, 2)),
            "resplit_aces": _flags((False, True)),
            "insurance": _flags((True, False)),
            "even_money": {YES: "where insurance is offered", NO: "no"},
            "own_spot": _flags((False, True)),
            "coupons": _flags((True, False)),
            "hands_each": _numbers(range(game.hands.hands_max, 0, -1)),
            "hands_minimum": {
                _PRINTED: ", ".join(
                    f"{hands} hands: {times} times the minimum each"
                    for hands, times in game.hands.minimums.items()
                ),
                _ONE: "the table minimum each",
            },
            "mid_shoe": {YES: "allowed", NO: "not before the next shoe"},
        }
    # A document that is silent on dealer bets takes none unless the house says so.
    found["dealer_bets"] = _flags((True, False) if game.tokes is not None else (False, True))
    return {name: found[name] for name in LABELS if len(found.get(name, ())) > 1}


def _flags(values: Iterable[bool]) -> dict[str, str]:
    return {word: word for word in (YES if value else NO for value in values)}


def _numbers(values: Iterable[int]) -> dict[str, str]:
    return {str(value): str(value) for value in values}


def _span(totals: tuple[int, int]) -> str:
    return f"{totals[0]}-{totals[1]}"


def _total_words(totals: tuple[int, int]) -> str:
    return "any two cards" if totals == _ANY_TWO else f"{totals[0]} to {totals[1]}"


def not_printed(game: Game, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the choices that are other than the first of the game's own."""
    return {
        name: chosen[name]
        for name, choices in options_of(game).items()
        if name in chosen and chosen[name] != next(iter(choices))
    }


def as_played(game: Game, chosen: Mapping[str, str]) -> tuple[Game, dict[str, Any]]:
    """Return a game as a table plays it, and what `table_rules` is told besides.

    >>> from pitboss.rules.games.printed import GAMES
    >>> as_played(GAMES["classic"], {"doubles": "10-11"})[0].doubling[0].totals
    (10, 11)
    """
    given = {name: next(iter(choices)) for name, choices in options_of(game).items()}
    given |= chosen
    doubling, splitting = game.doubling[0], game.splitting[0]
    least, _, most = given.get("doubles", _span(doubling.totals)).partition("-")
    hands = int(given.get("split_hands", splitting.hands_max))
    doubling = replace(
        doubling,
        totals=(int(least), int(most)),
        for_less=_is(given, "double_for_less", doubling.for_less),
        after_split=_is(given, "double_after_split", doubling.after_split),
    )
    aces = hands if given.get("resplit_aces") == YES else splitting.aces_hands_max
    splitting = replace(splitting, hands_max=hands, aces_hands_max=aces)
    surrender = Surrender(given.get("surrender", game.surrender[0].value))
    is_insured = _is(given, "insurance", game.insurance.offered)
    insurance = replace(
        game.insurance,
        offered=is_insured,
        even_money=is_insured and _is(given, "even_money", game.insurance.even_money),
    )
    hands_each = int(given.get("hands_each", game.hands.hands_max))
    minimums = {} if given.get("hands_minimum") == _ONE else game.hands.minimums
    played = replace(
        game,
        decks=decks_of(game),
        soft_17=soft_17_of(game),
        blackjack_pays=blackjack_pays_of(game),
        doubling=(doubling,),
        splitting=(splitting,),
        surrender=(surrender,),
        insurance=insurance,
        coupons=_is(given, "coupons", game.coupons),
        hands=replace(game.hands, hands_max=hands_each, minimums=minimums),
    )
    takes_dealer_bets = _is(given, "dealer_bets", printed=False)
    if game.tokes is None and takes_dealer_bets:
        # A posted jackpot is won by players alone.
        offers = (replace(bet, dealer_bets=bet.wager not in _POSTED) for bet in game.side_bets)
        played = replace(played, tokes=Tokes(), side_bets=tuple(offers))
    fields = {
        "takes_dealer_bets": takes_dealer_bets,
        "piggyback_needs_own_spot": _is(given, "own_spot", printed=False),
    }
    return played, fields


def _is(given: Mapping[str, str], name: str, printed: bool) -> bool:
    return given[name] == YES if name in given else printed


def takes_mid_shoe(chosen: Mapping[str, str]) -> bool:
    """Tell whether a player may enter a table before its shoe ends.

    >>> takes_mid_shoe({}), takes_mid_shoe({"mid_shoe": "no"})
    (True, False)
    """
    return chosen.get("mid_shoe") != NO


def option_words(game: Game, chosen: Mapping[str, str]) -> dict[str, str]:
    """Say each option of a table, the printed ones too."""
    return {
        LABELS[name]: choices[chosen.get(name, next(iter(choices)))]
        for name, choices in options_of(game).items()
    }
