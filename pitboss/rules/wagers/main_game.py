"""Judge a blackjack hand against the dealer's: who wins, and by which clause. No money here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.cards.playing_cards import Card, is_blackjack, total_of, total_words
from pitboss.rules.games.dealer import check_finished, check_not_overdrawn
from pitboss.rules.refusal import refuse
from pitboss.rules.said import Said
from pitboss.rules.wagers.working import Used


class Result(StrEnum):
    """What becomes of the money on a hand."""

    BLACKJACK = "blackjack"
    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    ORIGINAL_LOST = "original_lost"


@dataclass(frozen=True, slots=True)
class HandJudgement:
    """The outcome of one hand: its category, the money's fate, the clause and the words."""

    category: str
    result: Result
    clause: str
    text: str
    used: tuple[Used, ...] = ()


@dataclass(frozen=True, slots=True)
class DealerHand:
    """The dealer's cards and how the house plays them.

    `counts_as_21` is the manual's irregularity 1: the hole card was shown by mistake, so a dealer
    blackjack is a plain 21.
    """

    cards: tuple[Card, ...]
    soft_17: str | None
    counts_as_21: bool = False

    @property
    def has_blackjack(self) -> bool:
        return is_blackjack(self.cards) and not self.counts_as_21

    @property
    def may_have_blackjack(self) -> bool:
        """Say whether the up card is an ace or a ten, so that the second card must be known."""
        return self.cards[0].is_ace or self.cards[0].is_ten

    def need_up_card(self) -> None:
        """Refuse a case that does not say what the dealer shows."""
        if not self.cards:
            raise refuse("missing_dealer_cards", "Enter the dealer's cards, up card first.")
        check_not_overdrawn(self.cards, self.soft_17)

    def need_blackjack_known(self) -> None:
        """Refuse a case that leaves open whether the dealer has blackjack."""
        self.need_up_card()
        if len(self.cards) < 2 and self.may_have_blackjack:
            raise refuse(
                "missing_dealer_cards",
                "The dealer shows an ace or a ten. Enter the second card: it decides.",
            )

    def need_finished(self) -> None:
        """Refuse a hand that is not played out."""
        check_finished(self.cards, self.soft_17)


@dataclass(frozen=True, slots=True)
class PlayerHand:
    """A player's hand as it was played."""

    cards: tuple[Card, ...]
    is_doubled: bool = False
    is_split: bool = False


def check_player_hand(hand: PlayerHand) -> None:
    """Refuse a hand that could not have been played so."""
    cards = hand.cards
    if len(cards) < 2:
        raise refuse("missing_player_cards", "A hand has at least two cards. Enter them all.")
    for drawn in range(2, len(cards)):
        total = total_of(cards[:drawn])
        if total > 21:
            raise refuse(
                "drew_after_bust",
                Said(
                    "The hand was over at {total}: no card may follow. Check the cards.",
                    total=total,
                ),
            )
        if total == 21:
            raise refuse("drew_after_21", "A hand of 21 takes no more cards. Check the cards.")
    if not hand.is_doubled:
        return
    if len(cards) == 2:
        if total_of(cards) == 21:
            raise refuse("double_on_21", "A hand of 21 can’t be doubled. Check the cards.")
        raise refuse("missing_player_cards", "A doubled hand takes one card. Enter all three.")
    if len(cards) > 3:
        raise refuse(
            "continued_after_double", "A doubled hand takes one card only. Check the cards."
        )


def judge(
    hand: PlayerHand,
    dealer: DealerHand,
    *,
    options: HouseOptions,
    dealer_wins_ties: bool = False,
    even_money_after_check: bool = False,
    already_paid: bool = False,
) -> HandJudgement:
    """Decide one hand. The hand and the dealer's cards are checked on the way."""
    check_player_hand(hand)
    total = total_of(hand.cards)
    if total > 21:
        check_not_overdrawn(dealer.cards, dealer.soft_17)
        return HandJudgement(
            "player_bust",
            Result.LOSE,
            "player_bust",
            f"Player busts with {total}: the wager is lost, whatever the dealer makes.",
        )
    is_two_card_21 = is_blackjack(hand.cards)
    used: tuple[Used, ...] = ()
    if is_two_card_21 and hand.is_split:
        used = (("split_ace_ten", "R13"),)
    if is_two_card_21 and (not hand.is_split or options.split_ace_ten == "blackjack"):
        return _judge_blackjack(
            dealer,
            options=options,
            used=used,
            dealer_wins_ties=dealer_wins_ties,
            even_money_after_check=even_money_after_check,
            already_paid=already_paid,
        )
    if already_paid:
        raise refuse(
            "no_blackjack_paid",
            "Only a player's blackjack is paid before the dealer. Check the cards.",
        )
    dealer.need_finished()
    if dealer.has_blackjack:
        return _lost_to_blackjack(hand, options, used)
    return _compare(hand.cards, dealer, dealer_wins_ties=dealer_wins_ties, used=used)


def _judge_blackjack(
    dealer: DealerHand,
    *,
    options: HouseOptions,
    used: tuple[Used, ...],
    dealer_wins_ties: bool,
    even_money_after_check: bool,
    already_paid: bool,
) -> HandJudgement:
    dealer.need_blackjack_known()
    if dealer.has_blackjack:
        if already_paid:
            used = (*used, ("paid_natural_v_late_blackjack", "R28"))
            if options.paid_natural_v_late_blackjack == "push":
                text = (
                    "Dealer blackjack came to light after this blackjack was paid: "
                    "take the payout back, the bet pushes."
                )
                return HandJudgement(
                    "push_blackjack", Result.PUSH, "paid_natural_reversed", text, used
                )
            text = "Player's blackjack was paid before the dealer's came to light."
            return HandJudgement(
                "player_blackjack", Result.BLACKJACK, "paid_natural_stays", text, used
            )
        if dealer_wins_ties:
            used = (*used, ("face_up_double_blackjack", "R21"))
            if options.face_up_double_blackjack == "dealer_wins":
                text = "Both have blackjack, and the dealer wins ties: the wager is lost."
                return HandJudgement("tie_lost", Result.LOSE, "tie_lost", text, used)
        text = "Player and dealer both have blackjack: the bet pushes."
        return HandJudgement("push_blackjack", Result.PUSH, "push_blackjack", text, used)
    if dealer.counts_as_21 and is_blackjack(dealer.cards):
        used = (*used, ("exposed_blackjack_v_natural", "R27"))
        if options.exposed_blackjack_v_natural == "push":
            text = "The dealer's exposed blackjack is a plain 21: the bet pushes."
            return HandJudgement("push", Result.PUSH, "exposed_hole_card", text, used)
        text = "The dealer's exposed blackjack is a plain 21 and player's blackjack beats it"
        return HandJudgement("player_blackjack", Result.BLACKJACK, "exposed_hole_card", text, used)
    reading = "R22" if dealer_wins_ties else "R11"
    if options.natural_v_drawn_21 == "tie":
        dealer.need_finished()
    if total_of(dealer.cards) == 21:
        used = (*used, ("natural_v_drawn_21", reading))
        if options.natural_v_drawn_21 == "tie":
            return _tie("21", dealer_wins_ties, used)
    if even_money_after_check and dealer.may_have_blackjack:
        used = (*used, ("natural_after_check", "R12"))
        if options.natural_after_check == "even_money":
            text = "Player has blackjack against an ace or ten, the dealer has none"
            return HandJudgement("player_blackjack", Result.WIN, "player_blackjack", text, used)
    text = "Player has blackjack and the dealer has none"
    return HandJudgement("player_blackjack", Result.BLACKJACK, "player_blackjack", text, used)


def _lost_to_blackjack(
    hand: PlayerHand, options: HouseOptions, used: tuple[Used, ...]
) -> HandJudgement:
    if not hand.is_doubled:
        text = "Dealer has blackjack and player has none: the wager is lost."
        return HandJudgement("dealer_blackjack", Result.LOSE, "dealer_blackjack", text, used)
    used = (*used, ("double_v_dealer_blackjack", "R14"))
    if options.double_v_dealer_blackjack == "all":
        text = "Dealer has blackjack: the wager and its double are lost."
        return HandJudgement(
            "dealer_blackjack", Result.LOSE, "dealer_blackjack_doubled", text, used
        )
    text = "Dealer has blackjack: the original wager is lost, the double goes back."
    return HandJudgement(
        "dealer_blackjack", Result.ORIGINAL_LOST, "dealer_blackjack_doubled", text, used
    )


def _compare(
    cards: Sequence[Card], dealer: DealerHand, *, dealer_wins_ties: bool, used: tuple[Used, ...]
) -> HandJudgement:
    mine, theirs = total_of(cards), total_of(dealer.cards)
    said, dealer_said = total_words(cards), total_words(dealer.cards)
    if theirs > 21:
        text = f"Dealer busts with {theirs}, player stands on {said}"
        return HandJudgement("dealer_bust", Result.WIN, "dealer_bust", text, used)
    if mine > theirs:
        text = f"Player's {said} beats the dealer's {dealer_said}"
        return HandJudgement("player_wins", Result.WIN, "player_wins", text, used)
    if mine < theirs:
        text = f"Dealer's {dealer_said} beats player's {said}: the wager is lost."
        return HandJudgement("dealer_wins", Result.LOSE, "dealer_wins", text, used)
    return _tie(str(mine), dealer_wins_ties, used)


def _tie(total: str, dealer_wins_ties: bool, used: tuple[Used, ...]) -> HandJudgement:
    if dealer_wins_ties:
        text = f"Both have {total}, and the dealer wins ties: the wager is lost."
        return HandJudgement("tie_lost", Result.LOSE, "tie_lost", text, used)
    text = f"Both have {total}: the bet pushes."
    return HandJudgement("push", Result.PUSH, "push", text, used)
