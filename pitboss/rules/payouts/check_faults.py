"""Can a payout's hand have been played so at its table? The same judges as for a whole round.

A bet outside the limits is played once cards are out, so it is a warning. A third hand where two
are allowed, a double under the minimum or a card that the decks do not hold is no hand of this
table: nothing is verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pitboss.rules.cards.playing_cards import Card, cards
from pitboss.rules.games.eligibility import Bet, RoundMoment, Whose, judge_wagers
from pitboss.rules.games.games import TableRules
from pitboss.rules.payouts.claims import Claim
from pitboss.rules.refusal import Refusal
from pitboss.rules.rounds.play import MAIN, PlayedBox, box_faults, shoe_faults
from pitboss.rules.rounds.seats import Hand
from pitboss.rules.wagers.bet_bigger import ANTE, bets_laid

# Their decisions are told as words and judged by the stadium's own settlement.
_STADIUM: Final = "stadium_blackjack"


def play_faults(claim: Claim, table: TableRules) -> list[Refusal]:
    """Return why nothing can be verified: a hand that this table cannot have dealt or played.

    The claim has been settled, so its facts are of the right types.
    """
    faults = list(shoe_faults(table.decks, _shown(claim)))
    if claim.wager == table.game.main_wager and claim.wager != _STADIUM:
        faults += box_faults(table, _box(claim, table))
    return faults


def limit_warnings(claim: Claim, table: TableRules) -> tuple[Refusal, ...]:
    """Return in what a bet is outside the limits of its table; it is paid all the same."""
    extra = _extra(claim)
    whose = Whose.DEALER if extra.get("dealer_bet") is True else Whose.PLAYER
    bet = Bet(claim.wager, claim.stake_cents, whose)
    return judge_wagers(table.at_seat(claim.seat), [bet], moment=RoundMoment.AFTER_DEAL).flags


def _extra(claim: Claim) -> Mapping[str, Any]:
    return claim.case.get("extra") or {}


def _shown(claim: Claim) -> Iterator[Card]:
    """Yield every card that the claim says lies on the table."""
    extra = _extra(claim)
    yield from _dealer(claim)
    yield from cards(extra.get("community", ()))
    if "split_hands" in extra:
        for hand in extra["split_hands"]:
            yield from cards(hand["cards"])
    else:
        yield from cards(claim.case.get("player_cards", ()))


def _dealer(claim: Claim) -> tuple[Card, ...]:
    dealt = cards(claim.case.get("dealer_cards", ()))
    return dealt or cards([claim.case[name] for name in ("dealer_up",) if name in claim.case])


def _box(claim: Claim, table: TableRules) -> PlayedBox:
    extra = _extra(claim)
    first = cards(claim.case.get("player_cards", ()))
    dealer = _dealer(claim)
    if "split_hands" in extra:
        hands = tuple(Hand(cards(each["cards"]), _doubles(each)) for each in extra["split_hands"])
        held = len(hands)
    else:
        hands = (Hand(first, _doubles(extra)),)
        held = 2 if extra.get("from_split") is True else 1
    laid = bets_laid(claim.stake_cents, extra.get("spots", ()), table.options)
    return PlayedBox(
        cards=first[:2],
        stakes={MAIN if bet == ANTE else bet: cents for bet, cents in laid.items()},
        hands=hands,
        hands_held=held,
        dealer_up=dealer[0] if dealer else None,
        insurance_cents=extra.get("insurance_cents") or extra.get("insurance_each_cents") or 0,
        takes_even_money=extra.get("even_money") is True,
        surrenders=extra.get("surrender") is True,
    )


def _doubles(fields: Mapping[str, Any]) -> dict[str, int]:
    """Return what was put beside each bet, by the names that a round gives them."""
    if fields.get("double_cents"):
        return {MAIN: fields["double_cents"]}
    by_bet = fields.get("double_cents_by_bet") or {}
    return {MAIN if bet == ANTE else bet: cents for bet, cents in by_bet.items() if cents}
