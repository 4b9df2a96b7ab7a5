"""Table games that are tracked in full without verdicts, and every game that a table may have.

Openers, counts, fills, drop, win and hold need no rules of a game. A game that is a module of its
own (`game_modules`) is one of them, so a house's own game is set up like the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pitboss.rules.games.game_modules import GameModule, game_modules
from pitboss.rules.games.games import (
    Doubling,
    Game,
    Hands,
    Insurance,
    PairBy,
    Splitting,
    Surrender,
    TableRules,
)
from pitboss.rules.games.printed import GAMES

# What stands for the main bet of a game whose bets no one settles here.
TRACKED: Final = "tracked"
_NO_DOUBLING: Final = Doubling((2, 20), False, False, False, False, False)
_NO_SPLITTING: Final = Splitting(PairBy.RANK, 1, 1, False)

# The decks of each game that is dealt from cards; none for dice, wheels and tiles.
_SHIPPED: Final[Mapping[str, tuple[str, tuple[int, ...]]]] = {
    "roulette": ("Roulette", ()),
    "baccarat": ("Baccarat", (8, 6)),
    "craps": ("Craps", ()),
    "sic_bo": ("Sic bo", ()),
    "pai_gow_poker": ("Pai gow poker", (1,)),
    "three_card_poker": ("Three card poker", (1,)),
    "four_card_poker": ("Four card poker", (1,)),
    "ultimate_holdem": ("Ultimate hold’em", (1,)),
    "let_it_ride": ("Let-It-Ride", (1,)),
    "caribbean_stud": ("Caribbean stud", (1,)),
    "mississippi_stud": ("Mississippi stud", (1,)),
    "spanish_21": ("Spanish 21", (6, 8)),
    "big_six": ("Big six", ()),
    "poker": ("Poker with rake", (1,)),
}


def _tracked(game_id: str, name: str, decks: tuple[int, ...]) -> Game:
    module = game_modules().get(game_id)
    return Game(
        id=game_id,
        name=name,
        main_wager=TRACKED,
        decks=decks or (1,),
        soft_17=("stand",),
        # A module settles its bets by the pay table that the house chooses, or not at all.
        blackjack_pays=(TRACKED, *(module.paytables if module else ())),
        doubling=(_NO_DOUBLING,),
        splitting=(_NO_SPLITTING,),
        insurance=Insurance(offered=False, even_money=False),
        surrender=(Surrender.DISABLED,),
        hands=Hands(1),
        side_bets=(),
        tokes=None,
        piggyback=False,
        coupons=False,
        maximum_cents=None,
        spots=(),
        flat_bet=False,
        peek=False,
        sources=MappingProxyType({}),
    )


_BY_CARDS: Final = frozenset(game_id for game_id, (_, decks) in _SHIPPED.items() if decks)
_OWN: Final = {
    game_module.id: _tracked(game_module.id, game_module.name, (1, 2, 4, 6, 8))
    for game_module in game_modules().values()
    if game_module.id not in _SHIPPED
}
TRACKED_GAMES: Final[Mapping[str, Game]] = {
    **{game_id: _tracked(game_id, name, decks) for game_id, (name, decks) in _SHIPPED.items()},
    **_OWN,
}
# Every game that a table may have.
TABLE_GAMES: Final[Mapping[str, Game]] = {**GAMES, **TRACKED_GAMES}
# What is the main bet of some game, and so nowhere a side bet.
MAIN_WAGERS: Final = frozenset(game.main_wager for game in TABLE_GAMES.values())


def is_tracked(game: Game) -> bool:
    """Tell whether a game is none of the manual's: no one settles it here, or a module does.

    >>> is_tracked(TABLE_GAMES["craps"]), is_tracked(TABLE_GAMES["classic"])
    (True, False)
    """
    return game.main_wager == TRACKED


def module_of(rules: TableRules) -> GameModule | None:
    """Return the module by which the bets of a table are settled; none where no one settles them.

    >>> from pitboss.rules.games.games import table_rules
    >>> wheel = TABLE_GAMES["roulette"]
    >>> module_of(table_rules(wheel, minimum_cents=500, maximum_cents=50_000)) is None
    True
    """
    if rules.blackjack_pays == TRACKED or not is_tracked(rules.game):
        return None
    return game_modules()[rules.game.id]


def has_cards(game: Game) -> bool:
    """Tell whether a game is dealt from cards; wheels, dice and tiles have none.

    >>> has_cards(TABLE_GAMES["roulette"]), has_cards(TABLE_GAMES["baccarat"])
    (False, True)
    """
    return not is_tracked(game) or game.id in _BY_CARDS or game.id in _OWN
