"""Baccarat: settle a bet on one coup, with its odds and its proof.

A case has the pay table, the player's cards and the banker's (`dealer_cards`) in the order in
which they were drawn, and in `extra` the `bet`. Cards that the third-card table does not draw are
refused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pitboss.rules.baccarat.counting import both_pairs_chance, outcomes, pair_chance
from pitboss.rules.baccarat.drawing import Coup, card_points, outcome_of, total
from pitboss.rules.cards.playing_cards import Card, check_decks
from pitboss.rules.facts import (
    LIMITED_BET,
    Case,
    dealer_hand,
    extra_of,
    player_hand,
    stake,
    terms,
)
from pitboss.rules.games.game_modules import PUSH, BetRule, GameModule, decided
from pitboss.rules.odds.wager_odds import RowOdds, WagerOdds
from pitboss.rules.paytables.pays import LOSE, Odds, Source
from pitboss.rules.refusal import refuse
from pitboss.rules.said import Said
from pitboss.rules.wagers.settlement import Settlement

COMMON: Final = Source("Common rules", "Baccarat")
DECKS: Final = tuple(range(1, 9))
_EVEN: Final = Odds(1)
_PAIRS: Final = frozenset({"player_pair", "banker_pair", "either_pair"})
# What a dragon bonus pays by how many points a hand wins that is no natural.
_DRAGON: Final[Mapping[int, Odds]] = {
    9: Odds(30),
    8: Odds(10),
    7: Odds(6),
    6: Odds(4),
    5: Odds(2),
    4: Odds(1),
}


@dataclass(frozen=True, slots=True)
class BankerPay:
    """How a winning banker is paid: less a commission, or in full but for one hand."""

    name: str
    banker: Odds
    # What a banker who wins with so many points, and cards where that matters, is paid instead.
    special: tuple[int, int | None, Odds] | None
    bets: frozenset[str]


_ALWAYS: Final = frozenset(
    {"player", "banker", "tie", "player_pair", "banker_pair", "either_pair"}
    | {"dragon_player", "dragon_banker"}
)
STYLES: Final[Mapping[str, BankerPay]] = {
    "commission": BankerPay("5% commission", Odds(19, 20), None, _ALWAYS),
    "ez": BankerPay("EZ, no commission", _EVEN, (7, 3, PUSH), _ALWAYS | {"dragon_7", "panda_8"}),
    "half_on_6": BankerPay("no commission, half on 6", _EVEN, (6, None, Odds(1, 2)), _ALWAYS),
}
_RULES: Final[Mapping[str, tuple[str, str]]] = {
    "player": ("Player", "The player's hand wins 1 to 1. A tie pushes."),
    "banker": (
        "Banker",
        "The banker's hand wins 19 to 20; without commission 1 to 1, with the one hand "
        "that the pay table names at its own odds. A tie pushes.",
    ),
    "tie": ("Tie", "Equal totals pay 8 to 1."),
    "player_pair": ("Player pair", "The player's first two cards of one rank pay 11 to 1."),
    "banker_pair": ("Banker pair", "The banker's first two cards of one rank pay 11 to 1."),
    "either_pair": ("Either pair", "A pair on either side pays 5 to 1, once."),
    "dragon_player": (
        "Player dragon bonus",
        "A natural that wins pays 1 to 1, naturals that tie push, and any other win by 4 points "
        "or more pays by the points.",
    ),
    "dragon_banker": ("Banker dragon bonus", "As the player's dragon bonus, on the banker."),
    "dragon_7": ("Dragon 7", "A banker hand that wins with three cards and 7 points pays 40 to 1."),
    "panda_8": ("Panda 8", "A player hand that wins with three cards and 8 points pays 25 to 1."),
}

# A row of a bet, and what it pays; none is lost.
Row = tuple[str, Odds | None]
_LOST: Final[Row] = (LOSE, None)
_PUSHED: Final[Row] = ("push", PUSH)


def row_of(style: BankerPay, bet: str, made: Coup) -> Row:
    """Return what an outcome does to a bet, all but pairs.

    >>> row_of(STYLES["ez"], "banker", Coup(3, 7, 2, 3))
    ('banker_7', Odds(to=0, per=1))
    """
    if bet == "tie":
        return ("tie", Odds(8)) if made.is_tie else _LOST
    if bet == "dragon_7":
        wins = made.banker == 7 and made.banker_cards == 3 and made.player < 7
        return ("dragon_7", Odds(40)) if wins else _LOST
    if bet == "panda_8":
        wins = made.player == 8 and made.player_cards == 3 and made.banker < 8
        return ("panda_8", Odds(25)) if wins else _LOST
    if bet == "dragon_player":
        return _dragon(made.player - made.banker, made.player_natural)
    if bet == "dragon_banker":
        return _dragon(made.banker - made.player, made.banker_natural)
    if made.is_tie:
        return _PUSHED
    if bet == "player":
        return ("player", _EVEN) if made.player > made.banker else _LOST
    if made.banker < made.player:
        return _LOST
    if style.special is not None:
        points_won, cards, odds = style.special
        if made.banker == points_won and cards in (None, made.banker_cards):
            return f"banker_{points_won}", odds
    return "banker", style.banker


def _dragon(ahead: int, is_natural: bool) -> Row:
    if is_natural:
        if ahead > 0:
            return "natural", _EVEN
        return _PUSHED if ahead == 0 else _LOST
    return (f"by_{ahead}", _DRAGON[ahead]) if ahead in _DRAGON else _LOST


def _is_pair(hand: tuple[Card, ...]) -> bool:
    return hand[0].rank == hand[1].rank


def _pair_row(bet: str, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Row:
    held = {"player_pair": _is_pair(player), "banker_pair": _is_pair(banker)}
    if bet == "either_pair":
        return (bet, Odds(5)) if any(held.values()) else _LOST
    return (bet, Odds(11)) if held[bet] else _LOST


def _style(case: Case, bet: str) -> BankerPay:
    style = STYLES[GAME.paytable(case)]
    if bet not in style.bets:
        raise refuse(
            "bet_not_offered",
            Said(
                "{bet} isn’t offered in {style}. Return the bet.",
                bet=_RULES[bet][0],
                style=style.name,
            ),
        )
    return style


def settle(case: Case) -> Settlement:
    """Settle one bet on one coup.

    >>> settle({"wager": "baccarat", "paytable": "commission", "stake_cents": 10_000,
    ...         "player_cards": ["Kh", "6d"], "dealer_cards": ["2c", "5s"],
    ...         "extra": {"bet": "banker"}}).working
    'Player 6, banker 7. Banker pays 19 to 20, 5% commission. $100 wins $95.'
    """
    stake_cents, extra = stake(case), extra_of(case, LIMITED_BET | {"bet"})
    bet = GAME.bet(extra)
    style = _style(case, bet)
    player, banker = player_hand(case), dealer_hand(case)
    check_decks(player, banker)
    made = outcome_of(player, banker)
    agreed = terms(stake_cents, {key: extra[key] for key in extra if key in LIMITED_BET})
    category, odds = _pair_row(bet, player, banker) if bet in _PAIRS else row_of(style, bet, made)
    named = _RULES[bet][0]
    text = f"Player {made.player}, banker {made.banker}."
    if odds is None:
        text += f" {named} loses."
    elif odds == PUSH:
        text += f" {named} pushes, {style.name}."
    else:
        text += f" {named} pays {odds}, {style.name}."
    return decided(
        agreed,
        odds,
        category=category,
        rule=f"baccarat.{bet}",
        text=text,
        detail={
            "player": made.player,
            "banker": made.banker,
            "proof": prove(case),
        },
    )


def odds(case: Case) -> WagerOdds:
    """Return the exact odds of a bet off a full shoe.

    >>> found = odds({"paytable": "commission", "decks": 8, "extra": {"bet": "player"}})
    >>> round(float(found.edge), 6)
    0.012351
    """
    bet = GAME.bet(extra_of(case, frozenset({"bet"})))
    style, decks = _style(case, bet), case.get("decks")
    if type(decks) is not int or decks not in DECKS:
        raise refuse("bad_decks", "decks must be a whole number from 1 to 8.")
    chances: dict[Row, Fraction] = defaultdict(Fraction)
    if bet in _PAIRS:
        won = pair_chance(decks)
        pays = Odds(11)
        if bet == "either_pair":
            won, pays = 2 * won - both_pairs_chance(decks), Odds(5)
        chances[bet, pays] = won
        chances[_LOST] = 1 - won
    else:
        for made, chance in outcomes(decks).items():
            chances[row_of(style, bet, made)] += chance
    rows = {
        name: RowOdds(chance, Fraction(-1) if pays is None else Fraction(pays.to, pays.per))
        for (name, pays), chance in sorted(chances.items(), key=_by_pay, reverse=True)
    }
    kept = -sum((row.probability * row.pays for row in rows.values()), Fraction(0))
    return WagerOdds(kept, rows)


def _by_pay(row: tuple[Row, Fraction]) -> Fraction:
    pays = row[0][1]
    return Fraction(-1) if pays is None else Fraction(pays.to, pays.per)


def prove(case: Case) -> list[str]:
    """Say how the cards were drawn and what each hand came to, as they lie on the layout."""
    player, banker = player_hand(case), dealer_hand(case)
    made = outcome_of(player, banker)
    lines = [_two("Player", player), _two("Banker", banker)]
    if made.player_natural or made.banker_natural:
        lines.append("A natural: no one draws.")
        return lines
    lines.append(_third("Player", player))
    lines.append(_third("Banker", banker))
    lines.append(f"Player {made.player}, banker {made.banker}.")
    return lines


def _two(who: str, hand: tuple[Card, ...]) -> str:
    return f"{who}: {hand[0].name} {hand[1].name} is {total(hand[:2])}."


def _third(who: str, hand: tuple[Card, ...]) -> str:
    if len(hand) == 2:
        return f"{who} stands on {total(hand)}."
    worth = card_points(hand[2])
    return f"{who} draws on {total(hand[:2])}: {hand[2].name}, {worth}, makes {total(hand)}."


GAME: Final = GameModule(
    id="baccarat",
    name="Baccarat",
    paytables={key: style.name for key, style in STYLES.items()},
    bets={bet: BetRule(bet, name, text, COMMON) for bet, (name, text) in _RULES.items()},
    settle=settle,
    odds=odds,
    prove=prove,
    main_bet="banker",
    cards=((2, 3), (2, 3)),
    reads_suits=False,
    without={key: frozenset(_RULES) - style.bets for key, style in STYLES.items()},
)
