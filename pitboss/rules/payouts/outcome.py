"""How a bet came out, in a few words that are read in every language of a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pitboss.rules.cards.playing_cards import CARDS, total_of
from pitboss.rules.cards.rank_cards import is_rank
from pitboss.rules.games.table_orders import RETURNED
from pitboss.rules.payouts.claims import Claim
from pitboss.rules.payouts.verdict import PayoutVerdict
from pitboss.rules.paytables.pays import LOSE
from pitboss.rules.said import Said, joined
from pitboss.rules.wagers.settle import WAGERS
from pitboss.rules.wagers.working import row_words

_SAID: Final = {
    "dealer_bust": "Dealer busts",
    "player_bust": "Bust",
    "dealer_blackjack": "Dealer blackjack",
    "push_blackjack": "Both blackjack",
    "tie_lost": "Tie, dealer wins",
    "surrender": "Surrendered",
    "surrender_refused_dealer_blackjack": "Dealer blackjack, no surrender",
    "even_money": "Even money",
    "split": "Split hands",
    "insurance_loses": "Insurance loses",
    "coupon_lose": "Coupon loses",
    "coupon_push": "Coupon pushes",
    "no_bust": "Dealer doesn’t bust",
    RETURNED: "Bet returned",
    LOSE: "No win",
}
_COMPARED: Final = {
    "player_wins": "{mine} beats {theirs}",
    "dealer_wins": "{mine} loses to {theirs}",
    "push": "{mine} ties {theirs}",
}
_BLACKJACK: Final = "Blackjack, {pays}"
# How a bet comes out, besides the rows of its pay table.
OUTCOMES: Final = (*_SAID.values(), *_COMPARED.values(), _BLACKJACK)


def outcome_words(claim: Claim, verdict: PayoutVerdict) -> str:
    """Say in a few words how a bet came out; nothing of one that was not judged."""
    settled = verdict.settlement
    if settled is None:
        return ""
    category = settled.category
    pays = verdict.paytable.pays if verdict.paytable else {}
    if category == "player_blackjack" and "blackjack" in pays:
        return Said(_BLACKJACK, pays=pays["blackjack"].said)
    if category in _COMPARED:
        mine, theirs = _total(hand_of(claim)["cards"]), _total(_dealer(claim))
        return Said(_COMPARED[category], mine=mine, theirs=theirs)
    row = Said(_SAID.get(category) or row_words(category))
    return Said("{row}, {pays}", row=row, pays=pays[category].said) if category in pays else row


def outcome_sentence(claim: Claim, verdict: PayoutVerdict) -> str:
    """Say how a bet came out and what that comes to, where its working is read in English alone."""
    settled = verdict.settlement
    if settled is None or claim.wager not in WAGERS:
        return verdict.working
    said = [Said("{outcome}.", outcome=outcome_words(claim, verdict))]
    won_cents = settled.pushed_cents
    if won_cents:
        stake_cents = claim.stake_cents + claim.raise_cents
        said.append(
            Said("{stake_cents} wins {won_cents}.", stake_cents=stake_cents, won_cents=won_cents)
        )
    elif settled.payout_cents < 0:
        said.append(Said("{lost_cents} is taken.", lost_cents=-settled.payout_cents))
    return joined(said)


def hand_of(claim: Claim) -> Mapping[str, Any]:
    """Return the hand that a claim is of, among those of a split."""
    if claim.hand is None:
        return {"cards": claim.case.get("player_cards", [])}
    hand: Mapping[str, Any] = claim.case["extra"]["split_hands"][claim.hand - 1]
    return hand


def _dealer(claim: Claim) -> list[str]:
    dealt: list[str] = claim.case.get("dealer_cards", [])
    return dealt


def _total(names: list[str]) -> int:
    """Return what cards come to, told by rank or by rank and suit."""
    return total_of(CARDS[f"{name}c" if is_rank(name) else name] for name in names)
