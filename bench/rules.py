"""The rules: settling one bet, a round and a file of cases, and exact odds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

from pokerkit import Card as PokerKitCard
from pokerkit import RhodeIslandHoldemHand

from bench.measuring import Measure, measure, measure_in_turn
from pitboss.rules.cards.playing_cards import DECK, Card, cards
from pitboss.rules.games.eligibility import Bet
from pitboss.rules.games.games import table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.odds import deal_counting, dealer_odds, odds
from pitboss.rules.rounds.round import DealtRound, Seat, settle_round
from pitboss.rules.wagers import side_bets
from pitboss.rules.wagers.settle import settle

HANDS = 10_000
LINES = 10_000
SEED = 21

# Reads and writes the same lines without judging them: what any command of this kind must cost.
_ECHO = "import json, sys\nfor line in sys.stdin: print(json.dumps(json.loads(line)), flush=True)"


def run() -> Iterator[Measure]:
    """Measure everything the rules promise."""
    yield from one_bet()
    yield from a_round()
    yield from a_file()
    yield from exact_odds()


def one_bet() -> Iterator[Measure]:
    """Settle three-card bets beside PokerKit evaluating the same three cards.

    One deck, since PokerKit knows no hand with a card twice. It is timed on text, which is what our
    case holds, and on cards parsed beforehand. It answers with a rank, we with money and words.
    """
    random = Random(SEED)
    hands = [random.sample(DECK, 3) for _ in range(HANDS)]
    texts = ["".join(card.name for card in hand) for hand in hands]
    parsed = [tuple(PokerKitCard.parse(text)) for text in texts]
    cases = [
        {
            "wager": "trilux",
            "paytable": "TRI-02",
            "stake_cents": 500,
            "player_cards": [hand[0].name, hand[1].name],
            "dealer_up": hand[2].name,
            "extra": {},
        }
        for hand in hands
    ]

    def evaluate(given: list[Any]) -> None:
        for hand in given:
            _ = RhodeIslandHoldemHand(hand).entry

    def settle_all() -> None:
        for case in cases:
            settle(case)

    seconds = measure_in_turn(
        [
            (lambda: evaluate(texts), None),
            (lambda: evaluate(parsed), None),
            (settle_all, side_bets.forget_verdicts),
            (settle_all, None),
        ]
    )
    from_text = Measure("PokerKit from text", seconds[0], HANDS)
    from_cards = Measure("PokerKit from parsed cards", seconds[1], HANDS)
    yield from_text
    yield from_cards
    for name, spent, baseline in (
        ("settle one TriLux bet, every hand new", seconds[2], from_text),
        ("the same, beside cards parsed beforehand", seconds[2], from_cards),
        ("settle one TriLux bet, hands seen before", seconds[3], from_cards),
    ):
        # The promise: no slower than PokerKit.
        yield Measure(name, spent, HANDS, baseline=baseline, limit_seconds=baseline.seconds)


def a_round() -> Iterator[Measure]:
    """Settle seven seats with a main bet and three side bets each."""
    table = table_rules(GAMES["blazing_7s"], minimum_cents=500, maximum_cents=100_000)
    random = Random(SEED)
    rounds = [_a_round(random) for _ in range(200)]

    def settle_rounds() -> None:
        for round_ in rounds:
            settle_round(table, round_)

    yield Measure(
        "settle a round of seven seats, three side bets each",
        measure(settle_rounds),
        len(rounds),
        limit_seconds=1e-3,
        limit_each=True,
    )


def _a_round(random: Random) -> DealtRound:
    """Deal seven seats from six decks; players stand, and the dealer has 20."""
    shoe: list[Card] = random.sample(DECK * 6, 14)
    bets = (
        Bet("blackjack", 5_000),
        Bet("trilux", 1_000),
        Bet("super_3", 500),
        Bet("blazing_7s", 500),
    )
    seats = tuple(
        Seat(number, bets, (shoe[2 * number - 2], shoe[2 * number - 1])) for number in range(1, 8)
    )
    return DealtRound(seats, cards(["Kh", "Qs"]), meters={"JACKPOT": 10_000_000})


def a_file() -> Iterator[Measure]:
    """Settle a file of cases through the command line, start-up included."""
    lines = "".join(json.dumps(case) + "\n" for case in _mixed_cases())

    def pipe(*command: str) -> None:
        subprocess.run(
            [sys.executable, *command],
            input=lines,
            text=True,
            stdout=subprocess.DEVNULL,
            check=True,
        )

    echo = Measure(
        "read and write JSON lines", measure(lambda: pipe("-c", _ECHO), repeats=3), LINES
    )
    yield echo
    yield Measure(
        "python -m pitboss.rules settle",
        measure(lambda: pipe("-m", "pitboss.rules", "settle"), repeats=3),
        LINES,
        baseline=echo,
        limit_seconds=2.0,
    )


def _mixed_cases() -> Iterator[dict[str, Any]]:
    random = Random(SEED)
    for at in range(LINES):
        one, other, up, hole = (card.name for card in random.sample(DECK, 4))
        case = {
            "stake_cents": random.choice([500, 1_000]),
            "player_cards": [one, other],
            "extra": {},
        }
        match at % 5:
            case 0:
                yield case | {"wager": "trilux", "paytable": "TRI-01", "dealer_up": up}
            case 1:
                yield case | {"wager": "super_3", "paytable": "1", "dealer_up": up}
            case 2:
                yield case | {"wager": "blackjack", "paytable": "3:2", "dealer_cards": [up, hole]}
            case 3:
                yield case | {"wager": "match_the_dealer", "paytable": "A", "dealer_up": up}
            case _:
                yield case | {"wager": "royal_match_21", "paytable": "A"}


def exact_odds() -> Iterator[Measure]:
    """Work out odds on eight decks from nothing, with what was counted before forgotten."""
    for wager, paytable in (
        ("trilux", "TRI-02"),
        ("super_3", "1"),
        ("match_the_dealer", "A"),
        ("lucky_ladies", "A"),
        ("blazing_7s", "A"),
    ):
        yield _odds(wager, paytable, limit_seconds=0.05)
    yield _odds("four_card_bonus", {"pair": "1:1", "flush": "4:1"}, limit_seconds=None)
    yield _odds("raise_the_roof", "H17_6_8_A", limit_seconds=5.0)


def _odds(wager: str, paytable: object, *, limit_seconds: float | None) -> Measure:
    case = {"wager": wager, "paytable": paytable, "decks": 8}
    seconds = measure(lambda: odds.answer(case), repeats=3, before=_forget_counts)
    return Measure(f"exact odds of {wager}, 8 decks", seconds, limit_seconds=limit_seconds)


def _forget_counts() -> None:
    deal_counting.hand_patterns.cache_clear()
    dealer_odds.dealer_endings.cache_clear()
