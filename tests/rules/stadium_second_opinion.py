"""A stadium round worked out a second time, straight from the rules of play and their readings.

Written without a look at the code it checks, and simpler: one function, no reasons, no words. It
takes a well-formed case and answers with the category and the money, or raises `CannotBe`.
"""

from __future__ import annotations

from typing import Any

Hand = tuple[list[str], int]

ENDS = ("stand", "auto")


class CannotBe(Exception):
    """The round could not have been played so."""


class Waits(CannotBe):
    """A hand still waits for a decision."""


def value(card: str) -> int:
    return {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0])


def total(cards: list[str]) -> tuple[int, bool]:
    hard = sum(map(value, cards))
    soft = hard <= 11 and any(card[0] == "A" for card in cards)
    return hard + 10 * soft, soft


def is_blackjack(cards: list[str]) -> bool:
    return len(cards) == 2 and total(cards)[0] == 21


class Round:
    """One player's round: the cards and decisions still to come."""

    def __init__(self, case: dict[str, Any], *, answers_21: bool) -> None:
        self.stake: int = case["stake_cents"]
        self.blackjack_cents = self.stake * 3 // 2 if case["paytable"] == "3:2" else (
            self.stake * 6 // 5
        )  # fmt: skip
        self.player: list[str] = case["player_cards"]
        self.up: str = case["dealer_up"]
        self.insurance: int = case["extra"]["insurance_cents"]
        self.rules: dict[str, Any] = case["extra"]["rules"]
        self.community: list[str] = list(case["extra"]["community"])
        self.decisions: list[str] = list(case["extra"]["decisions"])
        # A list may say "stand" on every 21, or leave it out; never some of each.
        self.answers_21 = answers_21
        self.splits = 0

    def card(self) -> str:
        self.need(bool(self.community))
        return self.community.pop(0)

    def decide(self) -> str:
        if not self.decisions:
            raise Waits
        return self.decisions.pop(0)

    def need(self, condition: bool) -> None:
        if not condition:
            raise CannotBe

    def settle(self) -> tuple[str, int]:
        self.need(not self.insurance or value(self.up) == 1)
        self.need(2 * self.insurance <= self.stake)
        dealt = [*self.player, self.up, *self.community]
        self.need(all(dealt.count(card) <= 8 for card in dealt))
        if is_blackjack(self.player):
            return self.with_blackjack()
        if self.decisions[:1] == ["surrender"]:
            return self.surrender()
        hands = self.play(list(self.player), is_split=False)
        self.need(not self.decisions)
        return self.compare(hands)

    def with_blackjack(self) -> tuple[str, int]:
        if self.decisions == ["even_money"]:
            self.need(value(self.up) == 1 and not self.insurance)
            return "even_money", self.stake
        self.need(not self.decisions or (len(self.decisions) == 1 and self.decisions[0] in ENDS))
        if value(self.up) not in (1, 10):
            return "blackjack", self.blackjack_cents
        if not is_blackjack([self.up, self.card()]):
            return "blackjack", self.blackjack_cents - self.insurance
        keep = self.rules["keep_standoff_bet"]
        if keep == "disabled" or (keep == "when_not_insured" and self.insurance):
            return ("blackjack_insured", self.stake) if self.insurance else ("blackjack_push", 0)
        paid = 2 * self.insurance if keep == "always" else 0
        return "blackjack_standoff_kept", paid - self.stake

    def surrender(self) -> tuple[str, int]:
        self.need(self.rules["surrender"] != "disabled" and len(self.decisions) == 1)
        refusable = self.rules["surrender"] == "not_against_blackjack"
        beaten = False
        if self.insurance or (refusable and value(self.up) in (1, 10)):
            beaten = is_blackjack([self.up, self.card()])
        insured = 2 * self.insurance if beaten else -self.insurance
        if refusable and beaten:
            return "surrender_refused", insured - self.stake
        return "surrender", insured + self.stake // 2 - self.stake

    def play(self, cards: list[str], *, is_split: bool) -> list[Hand]:
        while True:
            held, soft = total(cards)
            if held >= 21:
                self.need(held > 21 or not self.answers_21 or self.decide() in ENDS)
                return [(cards, self.stake)]
            decision = self.decide()
            if decision == "auto":
                stands = held >= self.rules["auto_stand"]["soft" if soft else "hard"]
                decision = "stand" if stands else "hit"
            if decision == "stand":
                return [(cards, self.stake)]
            if decision == "hit":
                cards.append(self.card())
                continue
            self.need(len(cards) == 2)
            if decision == "double":
                low, high = self.rules["double_totals"]
                self.need(low <= held <= high and "A" not in cards[0] + cards[1])
                self.need(not is_split or self.rules["double_after_split"])
                return [([*cards, self.card()], 2 * self.stake)]
            self.need(decision == "split" and value(cards[0]) == value(cards[1]))
            return self.split(cards)

    def split(self, cards: list[str]) -> list[Hand]:
        self.splits += 1
        self.need(self.splits < self.rules["max_split_hands"])
        if cards[0][0] == "A":
            return [([ace, self.card()], self.stake) for ace in cards]
        left = self.play([cards[0], self.card()], is_split=True)
        return left + self.play([cards[1], self.card()], is_split=True)

    def dealer(self) -> list[str]:
        cards = [self.up, self.card()]
        while True:
            held, soft = total(cards)
            if held > 17 or (held == 17 and not (soft and self.rules["dealer_soft_17"] == "hit")):
                return cards
            cards.append(self.card())

    def compare(self, hands: list[Hand]) -> tuple[str, int]:
        if all(total(cards)[0] > 21 for cards, _ in hands):
            lost = sum(wager for _, wager in hands) + self.insurance
            return "split" if self.splits else "bust", -lost
        dealer = self.dealer()
        beaten = is_blackjack(dealer)
        money = 2 * self.insurance if beaten else -self.insurance
        keep = self.rules["keep_standoff_bet"]
        kept = keep.startswith("always") or (keep == "when_not_insured" and not self.insurance)
        category = ""
        for place, (cards, wager) in enumerate(hands):
            mine, theirs = total(cards)[0], total(dealer)[0]
            if mine > 21:
                category, won = "bust", -wager
            elif beaten:
                category, won = "dealer_blackjack", 0 if place else -self.stake
            elif theirs > 21 or mine > theirs:
                category, won = "win", wager
            elif mine < theirs:
                category, won = "lose", -wager
            else:
                category, won = ("standoff_kept", -wager) if kept else ("push", 0)
            money += won
        return "split" if self.splits else category, money


def waits(case: dict[str, Any]) -> bool:
    """Say whether all is well so far and the terminal asks for one more decision."""
    try:
        Round(case, answers_21=False).settle()
    except CannotBe as reason:
        return isinstance(reason, Waits)
    return False


def second_opinion(case: dict[str, Any]) -> tuple[str, int] | None:
    """Return the category and the money of a round, or None for one that cannot be."""
    for answers_21 in (False, True):
        try:
            return Round(case, answers_21=answers_21).settle()
        except CannotBe:
            continue
    return None
