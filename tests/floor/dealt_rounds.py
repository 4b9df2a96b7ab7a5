"""Rounds in tests: any table that the documents allow, dealt and played at random, and paid anew.

What a main bet is owed is worked out here without the rules package, by the manual's plain rules:
a second opinion on whoever calls a payout right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from pitboss.models import Table
from pitboss.rules.games.games import SideBetRules, Surrender, TableRules, table_rules
from pitboss.rules.games.play_options import (
    as_played,
    blackjack_pays_of,
    decks_of,
    not_printed,
    options_of,
    soft_17_of,
)
from pitboss.rules.games.printed import GAMES
from pitboss.rules.refusal import Refused
from tests.floor.big_wins import TRAY
from tests.floor.cast import Cast

DECK = [rank + suit for rank in "A23456789TJQK" for suit in "shcd"]


def worth(card: str) -> int:
    return 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def total(cards: list[str]) -> tuple[int, bool]:
    """Return what a hand counts, and whether an ace counts eleven in it."""
    hard = sum(map(worth, cards))
    is_soft = hard <= 11 and any(card[0] == "A" for card in cards)
    return (hard + 10, True) if is_soft else (hard, False)


def is_natural(cards: list[str]) -> bool:
    return len(cards) == 2 and total(cards)[0] == 21


@dataclass
class Dealt:
    """One seat of a round that was dealt and played."""

    number: int
    bets: list[dict[str, Any]]
    first: list[str]
    hands: list[list[str]] = field(default_factory=list)
    doubles: list[int] = field(default_factory=list)
    insurance_cents: int = 0
    surrenders: bool = False
    # What happened to the seat after the deal, in its order: a decision, or a card that fell.
    played: list[dict[str, Any]] = field(default_factory=list)

    @property
    def stake_cents(self) -> int:
        return int(self.bets[0]["stake_cents"])

    def on_the_felt(self) -> dict[str, Any]:
        hands = [
            {"cards": cards, **({"doubled": True, "double_cents": cents} if cents else {})}
            for cards, cents in zip(self.hands, self.doubles, strict=True)
        ]
        dealt = {"dealt": self.first} if len(self.hands) > 1 else {}
        given_up = {"surrender": True} if self.surrenders else {}
        return {"seat": self.number, "bets": self.bets, "hands": hands, **dealt, **given_up}

    def in_a_round(self) -> dict[str, Any]:
        hands = [
            {"cards": cards, **({"doubles": {"main": cents}} if cents else {})}
            for cards, cents in zip(self.hands, self.doubles, strict=True)
        ]
        insured = {"insurance_cents": self.insurance_cents} if self.insurance_cents else {}
        return {
            "seat": self.number,
            "bets": self.bets,
            "cards": self.first,
            "hands": hands,
            **insured,
            **({"surrender": True} if self.surrenders else {}),
        }


def setup_at_random(game_id: str, random: Random) -> dict[str, Any]:
    """Choose among all that the documents let a table of this game be."""
    game = GAMES[game_id]
    while True:
        choices: dict[str, Any] = {
            "decks": random.choice(decks_of(game)),
            "soft_17": random.choice(soft_17_of(game)),
            "blackjack_pays": random.choice(blackjack_pays_of(game)),
            "minimum_cents": 500,
            "maximum_cents": 1_000 if game_id == "bet_bigger" else 300_000,
        }
        side_bets: dict[str, dict[str, Any]] = {
            side_bet.wager: {
                "paytable": random.choice(side_bet.paytables),
                "minimum_cents": side_bet.minimum_cents or 100,
                "maximum_cents": side_bet.maximum_cents or 100_000,
            }
            for side_bet in game.side_bets
            if side_bet.paytables
        }
        chosen = {name: random.choice(list(item)) for name, item in options_of(game).items()}
        setup = {**choices, "game": game_id, "side_bets": side_bets}
        # A table that chose nothing stores nothing.
        play = not_printed(game, chosen) if random.random() < 0.7 else {}
        setup |= {"play": play} if play else {}
        try:
            # Not every pay table is printed for any number of decks.
            rules_of(setup)
        except Refused:
            continue
        return setup


def rules_of(setup: dict[str, Any]) -> TableRules:
    """Return by which rules a table of this set-up is played. Raises Refused."""
    game, told = as_played(GAMES[setup["game"]], setup.get("play", {}))
    choices = ("decks", "soft_17", "blackjack_pays", "minimum_cents", "maximum_cents")
    return table_rules(
        game,
        **{name: setup[name] for name in choices},
        side_bets={wager: SideBetRules(**item) for wager, item in setup["side_bets"].items()},
        **told,
    )


def set_up_at_random(cast: Cast, game_id: str, random: Random) -> dict[str, Any]:
    """Let the table be one of those."""
    return set_up(cast, setup_at_random(game_id, random))


def set_up(cast: Cast, chosen: dict[str, Any]) -> dict[str, Any]:
    """Let the table be what was chosen, as its set-up is stored."""
    setup = {
        **chosen,
        "name": cast.table.name,
        "pit": cast.pit.name,
        "is_vip": False,
        "cards": "none",
        "par": {str(cents): count for cents, count in TRAY.items()},
        "stadium": None,
    }
    Table.objects.filter(pk=cast.table.pk).update(
        game=setup["game"],
        decks=setup["decks"],
        minimum_cents=setup["minimum_cents"],
        maximum_cents=setup["maximum_cents"],
        setup=setup,
    )
    return setup


def bets_at_random(game_id: str, setup: dict[str, Any], random: Random) -> list[dict[str, Any]]:
    main = GAMES[game_id].main_wager
    most = setup["maximum_cents"] // 500
    bets = [{"wager": main, "stake_cents": 500 * random.randint(1, min(most, 60))}]
    for side_bet in GAMES[game_id].side_bets:
        has_needed = {bet["wager"] for bet in bets} >= set(side_bet.needs)
        if side_bet.wager in setup["side_bets"] and has_needed and random.random() < 0.6:
            stakes = side_bet.stakes_cents or (500, 1_000)
            bets.append({"wager": side_bet.wager, "stake_cents": random.choice(stakes)})
    return bets


def play_out(seat: Dealt, rules: TableRules, shoe: Iterator[str], random: Random) -> None:
    """Play a seat as its table lets anyone: give up, split, double, hit, stand."""
    if rules.surrender is not Surrender.DISABLED and random.random() < 0.1:
        seat.surrenders, seat.hands, seat.doubles = True, [list(seat.first)], [0]
        seat.played.append({"decision": "surrender"})
        return
    hands, doubles, at = [list(seat.first)], [0], 0
    while at < len(hands):
        hand = hands[at]
        if len(hand) == 1:
            _draw(seat, hand, at, shoe)
        is_ace = hand[0][0] == "A"
        most = rules.splitting.aces_hands_max if is_ace else rules.splitting.hands_max
        if hand[0][0] == hand[1][0] and len(hands) < most and random.random() < 0.7:
            split = {"decision": "split", "hand": at + 1, "amount_cents": seat.stake_cents}
            seat.played.append(split)
            hands[at : at + 1] = [[hand[0]], [hand[1]]]
            doubles.append(0)
            continue
        if not (is_ace and len(hands) > 1):
            doubles[at] = _double(seat, rules, hand, len(hands), random)
            if doubles[at]:
                double = {"decision": "double", "hand": at + 1, "amount_cents": doubles[at]}
                seat.played.append(double)
                _draw(seat, hand, at, shoe)
            stands_on = 0 if doubles[at] else random.randint(12, 18)
            while total(hand)[0] < stands_on:
                _draw(seat, hand, at, shoe)
        at += 1
    seat.hands, seat.doubles = hands, doubles


def _draw(seat: Dealt, hand: list[str], at: int, shoe: Iterator[str]) -> None:
    hand.append(next(shoe))
    seat.played.append({"card": hand[-1], "hand": at + 1})


def _double(seat: Dealt, rules: TableRules, hand: list[str], hands: int, random: Random) -> int:
    """Return for how much a hand of two cards is doubled, where the table lets it be."""
    rule, count = rules.doubling, total(hand)[0]
    low, high = max(rule.totals[0], 8), min(rule.totals[1], 12)
    held_back = (hands > 1 and not rule.after_split) or (not rule.with_ace and has_ace(hand))
    if held_back or not low <= count <= high or random.random() < 0.5:
        return 0
    if rule.for_less and random.random() < 0.5:
        return 500 * random.randint(1, seat.stake_cents // 500)
    return seat.stake_cents


def has_ace(hand: list[str]) -> bool:
    return any(card[0] == "A" for card in hand)


def round_at_random(
    game_id: str, setup: dict[str, Any], random: Random
) -> tuple[list[str], list[Dealt]]:
    """Deal a whole round from a shoe of this table's decks, and play it."""
    rules = rules_of(setup)
    # As many players as a deck or two can serve.
    shoe = iter(random.sample(DECK * setup["decks"], min(100, 52 * setup["decks"])))
    most = 3 if setup["decks"] == 1 else 7
    numbers = sorted(random.sample(range(1, 8), random.randint(1, most)))
    seats = [
        Dealt(number, bets_at_random(game_id, setup, random), [next(shoe), next(shoe)])
        for number in numbers
    ]
    dealer = [next(shoe), next(shoe)]
    for seat in seats:
        if is_natural(dealer) or is_natural(seat.first):
            seat.hands, seat.doubles = [list(seat.first)], [0]
        else:
            play_out(seat, rules, shoe, random)
    alive = any(
        total(hand)[0] <= 21 and not (is_natural(hand) and len(seat.hands) == 1)
        for seat in seats
        for hand in seat.hands
        if not seat.surrenders
    )
    # A bust ante is decided by the dealer's hand, whoever is left.
    alive = alive or any(bet["wager"] == "raise_the_roof" for seat in seats for bet in seat.bets)
    while alive:
        count, is_soft = total(dealer)
        if count > 17 or (count == 17 and not (is_soft and setup["soft_17"] == "hit")):
            break
        dealer.append(next(shoe))
    return dealer, seats


def second_opinion(seat: Dealt, hand: int, dealer: list[str], blackjack_pays: str) -> int:
    """Return what one hand of a main bet is paid beyond its stake, by the manual's plain rules."""
    mine, theirs = total(seat.hands[hand])[0], total(dealer)[0]
    wager = seat.stake_cents + seat.doubles[hand]
    has_natural = len(seat.hands) == 1 and is_natural(seat.hands[0])
    if mine > 21 or is_natural(dealer) or seat.surrenders:
        return 0
    if has_natural:
        won, staked = blackjack_pays.split(":")
        owed = wager * Fraction(int(won), int(staked))
        # The least cheque of these trays is $1, and $2.50 is pink.
        return max(cents for cents in range(0, int(owed) + 1, 50) if is_payable(cents))
    return wager if theirs > 21 or mine > theirs else 0


def is_payable(cents: int) -> bool:
    return cents % 100 == 0 or (cents >= 250 and (cents - 250) % 100 == 0)
