"""A game as a module: one that settles, knows its odds and proves a result, found by being there.

Roulette and baccarat are such modules. A house's own game is one file in `pitboss/rules/own_games`
with a `GAME` in it; nothing else has to know of it. Its bets are settled by `settle` and answered
by `odds` under the id of the game, with the bet named in `extra`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from pitboss.rules import own_games
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.facts import Case, Terms
from pitboss.rules.odds.wager_odds import WagerOdds
from pitboss.rules.paytables.pays import Odds, PayTable, Source
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import refuse
from pitboss.rules.rounding import odds_cents
from pitboss.rules.wagers.settlement import Settlement
from pitboss.rules.wagers.working import sentence, toke_notes

_SHIPPED: Final = ("pitboss.rules.roulette.game", "pitboss.rules.baccarat.game")
# What every winning bet of a game says where it has no words of its own.
PUSH: Final = Odds(0)


@dataclass(frozen=True, slots=True)
class BetRule:
    """One bet of a game: what it is called, and the rule that decides it, in our own words."""

    id: str
    name: str
    text: str
    source: Source
    # How many numbers it names, and from how many of a kind it chooses one; 0 where it does not.
    numbers: int = 0
    which: int = 0


@dataclass(frozen=True, slots=True)
class GameModule:
    """A game that can be settled without a hand of blackjack."""

    id: str
    name: str
    paytables: Mapping[str, str]
    bets: Mapping[str, BetRule]
    settle: Callable[[Case], Settlement]
    odds: Callable[[Case], WagerOdds]
    # What a supervisor reads to a player who asks, one sentence a step.
    prove: Callable[[Case], list[str]]
    # The bet by whose edge a manager compares the pay tables; the first where none is named.
    main_bet: str = ""
    # What a bet says besides its own name, by field: in words, and as a JSON Schema.
    asks: Mapping[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    # How many cards of the player and of the other hand decide a bet, at least and at most.
    cards: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    # Whether a suit can decide a bet; where none can, ranks are enough.
    reads_suits: bool = True
    # Bets that a pay table does not take.
    without: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def compared_by(self) -> BetRule:
        """The bet by whose edge pay tables are compared."""
        return self.bets[self.main_bet or next(iter(self.bets))]

    def offered(self, paytable: str) -> list[BetRule]:
        """Return the bets that a table with this pay table takes."""
        left_out = self.without.get(paytable, frozenset())
        return [bet_rule for bet, bet_rule in self.bets.items() if bet not in left_out]

    def pay_table(self, paytable: str) -> PayTable:
        """Return a pay table as a check names it. Its rows are the rules of the bets."""
        name = f"{self.name}, {self.paytables[paytable]}"
        source = next(iter(self.bets.values())).source
        return PayTable(self.id, paytable, name, {}, source)

    def paytable(self, case: Case) -> str:
        """Return the pay table that a case names. Raises Refused."""
        named = case.get("paytable")
        if isinstance(named, str) and named in self.paytables:
            return named
        raise refuse(
            "unknown_paytable",
            f"{self.name} has no pay table {quoted(named)}. "
            f"Choose one of: {', '.join(self.paytables)}.",
        )

    def bet(self, extra: Mapping[str, Any]) -> str:
        """Return the bet that a case names. Raises Refused."""
        named = extra.get("bet")
        if isinstance(named, str) and named in self.bets:
            return named
        raise refuse(
            "unknown_bet",
            f"{self.name} has no bet {quoted(named)}. Choose one of: {', '.join(self.bets)}.",
        )


@cache
def game_modules() -> Mapping[str, GameModule]:
    """Return every game that is a module, by its id. Two of one id are a mistake of the house."""
    own = [f"{own_games.__name__}.{module.name}" for module in iter_modules(own_games.__path__)]
    return by_id(import_module(name).GAME for name in (*_SHIPPED, *own))


def by_id(games: Iterable[GameModule]) -> Mapping[str, GameModule]:
    """Return games by their ids. Raises ValueError where two share one."""
    found: dict[str, GameModule] = {}
    for game in games:
        if found.setdefault(game.id, game) is not game:
            raise ValueError(f"there are two games called {game.id}")
    return found


def decided(
    agreed: Terms,
    odds: Odds | None,
    *,
    category: str,
    rule: str,
    text: str,
    detail: Mapping[str, Any],
) -> Settlement:
    """Return the verdict on a bet: won at these odds, pushed (`PUSH`), or lost (none).

    `text` says why; what becomes of the money is added to it.
    """
    stake_cents, options = agreed.stake_cents, agreed.options
    readings = agreed.readings
    if odds is None:
        payout_cents, money = -stake_cents, f"{format_money(stake_cents)} is taken."
    elif odds == PUSH:
        payout_cents, money = 0, f"{format_money(stake_cents)} is a push."
    else:
        payout_cents, is_rounded = odds_cents(odds, stake_cents, options.fractions_of_a_cent)
        money = f"{format_money(stake_cents)} wins {format_money(payout_cents)}."
        if is_rounded:
            money = sentence(money, options=options, used=[("fractions_of_a_cent", "R03")])
            readings = (*readings, "R03")
    notes = agreed.notes + toke_notes(agreed.is_dealer_bet, payout_cents)
    return Settlement(
        category,
        payout_cents,
        odds is not None,
        rule,
        sentence(f"{text} {money}", options=options, notes=notes),
        readings,
        detail,
    )
