"""An adversary at a random table: tells rounds wrong, takes it back, sends twice, pays wrong.

However a round came to be stored, it names exactly the payouts that are not owed: those of main
bets and insurance by a second opinion, written without the rules package, and those of side bets
by what a single check of the same hand says. A check calls nothing else right.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any
from uuid import uuid4

import pytest

from pitboss.models import JournalEntry
from pitboss.rules.games.printed import GAMES
from pitboss.services.verification import verify
from tables.models import PayoutCheck, Round
from tests.floor.big_wins import opened
from tests.floor.cast import Cast
from tests.floor.dealt_rounds import (
    DECK,
    Dealt,
    is_natural,
    round_at_random,
    rules_of,
    second_opinion,
    set_up_at_random,
)
from tests.floor.terminals import TerminalClient

pytestmark = pytest.mark.django_db(transaction=True)

SEED = int(os.environ.get("PITBOSS_RANDOM_SEED", "108"))
TABLES = 3
ROUNDS_A_TABLE = 4
# A slow machine plays fewer rounds, but always some.
SECONDS_MOST = 40
CHECKS_A_ROUND = 4
# Seat, wager, and which hand where it is told by the hand.
Bet = tuple[int, str, int | None]


@dataclass
class Adversary:
    """Whoever sits at the terminal, and what became of what they sent."""

    terminal: TerminalClient
    random: Random
    setup: dict[str, Any]
    called: list[str] = field(default_factory=list)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def send(self, path: str, body: Any, wanted: tuple[int, ...] = (200, 201)) -> Any:
        """Send a request, at times twice under one key, at times under a key that was used."""
        key = str(uuid4())
        answer = self.terminal.post(path, body, key)
        assert answer.status_code in wanted, (path, body, answer.content)
        if answer.status_code in (200, 201) and self.chance(0.3):
            assert self.terminal.post(path, body, key).content == answer.content
            other = self.terminal.post(path, {**body, "surprise": 1}, key)
            assert other.json()["refusals"][0]["code"] in ("key_reused", "unknown_field")
        return answer.json()

    # ------------------------------------------------------------------------ what is owed

    def owed(self, dealer: list[str], seats: list[Dealt]) -> dict[Bet, int]:
        """Return what each hand or bet of a round is owed; a side bet by what the felt says."""
        felt = {"dealer": dealer, "seats": [seat.on_the_felt() for seat in seats]}
        response = self.terminal.post("felt", felt)
        assert response.status_code == 200, response.content
        due: dict[Bet, int] = {}
        for line in (line for seat in response.json()["seats"] for line in seat["lines"]):
            seat = next(seat for seat in seats if seat.number == line["seat"])
            hand = line["hand"] if len(seat.hands) > 1 else None
            owed = line["payable_cents"]
            if line["wager"] == "blackjack" and self.setup["game"] != "face_up":
                owed = second_opinion(
                    seat, (line["hand"] or 1) - 1, dealer, self.setup["blackjack_pays"]
                )
            assert owed is not None, line
            due[line["seat"], line["wager"], hand] = owed
        for seat in seats:
            if seat.insurance_cents:
                wins = is_natural(dealer)
                due[seat.number, "insurance", None] = 2 * seat.insurance_cents if wins else 0
        return due

    def paid(self, due: dict[Bet, int]) -> tuple[list[dict[str, Any]], dict[Bet, int]]:
        """Return what is told as paid, some of it wrong, and by how much each bet differs."""
        payouts, wrong = [], {}
        for (seat, wager, hand), owed in due.items():
            cents = owed
            if self.chance(0.25):
                # Too much, too little, what another bet is owed, nothing, or a loser that is paid.
                others = [owed + 500, max(owed - 500, 0), 0, self.random.choice([*due.values()])]
                cents = self.random.choice(others)
            # Insurance that is not told by itself was pushed with the bet that it insured.
            if cents or wager == "insurance" or self.chance(0.2):
                payouts.append(
                    {"seat": seat, "wager": wager, "paid_cents": cents}
                    | ({"hand": hand} if hand else {})
                )
            if cents != owed:
                wrong[seat, wager, hand] = cents - owed
        self.random.shuffle(payouts)
        return payouts, wrong

    # ------------------------------------------------------------------- a round is told whole

    def put(self, dealer: list[str], seats: list[Dealt], payouts: list[dict[str, Any]]) -> Any:
        """Send a whole round, again, changed under its key, and under another key."""
        sent = {
            "dealer_cards": dealer,
            "seats": [seat.in_a_round() for seat in seats],
            "payouts": payouts,
        }
        key = uuid4()
        first = self.terminal.put(f"rounds/{key}", sent)
        assert first.status_code == 200, (sent, first.content)
        assert self.terminal.put(f"rounds/{key}", sent).json() == first.json()
        changed = self.terminal.put(f"rounds/{key}", {**sent, "payouts": [*payouts, *payouts]})
        assert (changed.status_code, _codes(changed)) == (
            (200, []) if not payouts else (409, ["key_reused"])
        )
        again = self.terminal.put(f"rounds/{uuid4()}", sent)
        assert (again.status_code, _codes(again)) == (409, ["told_before"])
        return first.json()

    # -------------------------------------------------------------- a round is told bit by bit

    def tell(self, dealer: list[str], seats: list[Dealt], payouts: list[dict[str, Any]]) -> Any:
        """Tell a round as it is dealt, with cards that were keyed wrong and put right."""
        numbers = {"seats": [{"seat": seat.number} for seat in seats]}
        round_ = self.send("rounds", numbers)["round"]
        if self.chance(0.2):
            self.send(f"rounds/{round_}/abort", {"reason": "wrong_entry"})
            round_ = self.send("rounds", numbers)["round"]
        at = f"rounds/{round_}"
        for seat in seats:
            self.send(f"{at}/wagers", {"seat": seat.number, "bets": seat.bets})
        self.fall(at, [{"seat": seat.number, "card": seat.first[0]} for seat in seats])
        self.fall(at, [{"to": "dealer", "card": dealer[0]}])
        self.fall(at, [{"seat": seat.number, "card": seat.first[1]} for seat in seats])
        self.send(f"{at}/abort", {"reason": "misdeal"}, wanted=(409,))
        for seat in seats:
            self.play(at, seat)
        self.fall(at, [{"to": "dealer", "card": card} for card in dealer[1:]])
        if payouts:
            self.send(f"{at}/payouts", {"payouts": payouts})
            self.send(f"{at}/undo", {}, wanted=(409,))
        return self.send(f"{at}/end", {})

    def play(self, at: str, seat: Dealt) -> None:
        decided = {"seat": seat.number}
        if seat.insurance_cents:
            insured = {**decided, "decision": "insurance", "amount_cents": seat.insurance_cents}
            self.send(f"{at}/decisions", insured)
        for item in seat.played:
            if "decision" in item:
                self.send(f"{at}/decisions", {**decided, **item})
            else:
                self.fall(at, [{**decided, **item}])

    def fall(self, at: str, cards: list[dict[str, Any]]) -> None:
        """Tell cards as they fall: at times one of them wrong at first."""
        if not cards:
            return
        place = self.random.randrange(len(cards))
        wrong = [dict(card) for card in cards]
        wrong[place]["card"] = self.random.choice(DECK)
        told = self.random.random()
        if told < 0.15:
            self.send(f"{at}/cards", {"cards": wrong})
            self.send(f"{at}/undo", {})
        elif told < 0.3:
            part = self.send(f"{at}/cards", {"cards": wrong})["parts"][-1]["number"]
            right = {"part": part, "place": place + 1, "card": cards[place]["card"]}
            self.send(f"{at}/replace", right)
            return
        self.send(f"{at}/cards", {"cards": cards})

    # ------------------------------------------------------------------------ checks of the same

    def check(self, dealer: list[str], seats: list[Dealt], due: dict[Bet, int]) -> None:
        """Have payouts of the round checked, right and wrong, twice and under a used key."""
        felt = {"dealer": dealer, "seats": [seat.on_the_felt() for seat in seats]}
        told = self.terminal.post("felt", felt).json()["seats"]
        lines = [line for item in told for line in item["lines"]]
        for line in self.random.sample(lines, min(CHECKS_A_ROUND, len(lines))):
            seat = next(seat for seat in seats if seat.number == line["seat"])
            hand = line["hand"] if len(seat.hands) > 1 else None
            owed = due[line["seat"], line["wager"], hand]
            for cents in {owed, owed + self.random.randint(1, 40) * 100, owed // 2}:
                found = self.send("checks", {**line["claim"], "paid_cents": cents})
                assert (found["verdict"] == "right") == (cents == owed), (line, cents, owed)
                self.called.append(found["verdict"])


def _codes(answer: Any) -> list[str]:
    return [item["code"] for item in answer.json().get("refusals", [])]


def insured(setup: dict[str, Any], seats: list[Dealt], dealer: list[str], random: Random) -> None:
    """Let some players insure against an ace, where the table takes it."""
    if not rules_of(setup).game.insurance.offered:
        return
    for seat in seats:
        most = 0 if seat.surrenders else seat.stake_cents // 200 * 100
        if dealer[0][0] == "A" and most and random.random() < 0.5:
            seat.insurance_cents = most


def differences(ended: dict[str, Any]) -> dict[Bet, int]:
    """Return by how much each bet of a stored round was paid otherwise than it was settled."""
    found: dict[Bet, int] = {}
    for difference in ended["verdict"]["differences"]:
        bet = (difference["seat"], difference["wager"], difference.get("hand"))
        assert bet not in found, difference
        found[bet] = difference["difference_cents"]
    return found


@pytest.mark.parametrize("game_id", ["classic", "double_deck", "blazing_7s", "face_up"])
def test_no_sequence_of_calls_gets_right_for_a_payout_that_is_not_owed(
    cast: Cast, game_id: str
) -> None:
    random = Random(f"{SEED} {game_id}")
    terminal = opened(cast)
    until, settled, ways = monotonic() + SECONDS_MOST, 0, set()
    called: list[str] = []
    assert game_id in GAMES
    for _ in range(TABLES):
        setup = set_up_at_random(cast, game_id, random)
        adversary = Adversary(terminal, random, setup, called)
        for _ in range(ROUNDS_A_TABLE):
            dealer, seats = round_at_random(game_id, setup, random)
            insured(setup, seats, dealer, random)
            due = adversary.owed(dealer, seats)
            payouts, wrong = adversary.paid(due)
            way = random.choice((adversary.put, adversary.tell))
            ended = way(dealer, seats, payouts)
            ways.add(way.__name__)
            where = (setup, dealer, seats, payouts, ended["verdict"])
            assert ended["outcome"] == "settled", where
            # Of a round without a payout nothing is known: nothing differs, and nothing is right.
            assert differences(ended) == (wrong if payouts else {}), where
            settled += 1
            adversary.check(dealer, seats, due)
            if monotonic() > until:
                break
    assert settled
    assert {"right", "overpaid"} <= set(called)
    # Whatever was sent twice is stored once.
    stored = Round.objects.count()
    ended_rounds = JournalEntry.objects.filter(kind__in=("round_ended", "round_aborted"))
    assert ended_rounds.count() == stored
    assert PayoutCheck.objects.count() == len(called)
    assert verify().is_sound
