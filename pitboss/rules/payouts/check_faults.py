"""Can a payout's hand have been played so at its table? The same judges as for a whole round.

A bet outside the limits is played once cards are out, so it is a warning. A third hand where two
are allowed, a double under the minimum or a card that the decks do not hold is no hand of this
table: nothing is verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from pitboss.rules.cards.playing_cards import Card, cards
from pitboss.rules.cheques.cheques import staked_cents
from pitboss.rules.cheques.keys import stake_of
from pitboss.rules.games.eligibility import (
    Bet,
    RoundMoment,
    WagerVerdict,
    Whose,
    judge_wagers,
)
from pitboss.rules.games.games import TableRules
from pitboss.rules.payouts.claims import Claim
from pitboss.rules.refusal import Refusal
from pitboss.rules.rounds.play import MAIN, PlayedBox, box_faults, shoe_faults
from pitboss.rules.rounds.seats import Hand
from pitboss.rules.said import Said
from pitboss.rules.wagers.bet_bigger import ANTE, bets_laid
from pitboss.rules.wagers.splits import split_ace_drew

_NOTHING_AGAINST: Final = WagerVerdict((), (), ())
# What only the other bets of the hand could say, which a single check does not tell.
_BESIDE: Final = frozenset({"toke_needs_own_bet"})
# Their decisions are told as words and judged by the stadium's own settlement.
_STADIUM: Final = "stadium_blackjack"


class Played(NamedTuple):
    """What stands against a payout: why it is not verified, and in what its bet breaks a limit.

    A bet outside the limits is paid all the same.
    """

    faults: list[Refusal]
    warnings: tuple[Refusal, ...]


def judge_play(claim: Claim, table: TableRules) -> Played:
    """Say whether this table can have taken, dealt and played what a claim tells.

    The claim has been settled, so its facts are of the right types.
    """
    bet = _judged(claim, table)
    faults = [
        *shoe_faults(table.decks, _shown(claim)),
        *(refusal for refusal in bet.refusals if refusal.code not in _BESIDE),
        *_bet_faults(claim, table),
    ]
    if claim.wager != _STADIUM:
        faults += _hand_faults(claim, table)
    return Played(faults, bet.flags)


def _hand_faults(claim: Claim, table: TableRules) -> Iterator[Refusal]:
    """Yield what of a hand cannot have been decided so, one of a split by itself too."""
    if _extra(claim).get("from_split") is True and table.splitting.aces_one_card:
        hand = cards(claim.case.get("player_cards", ()))
        if hand[0].is_ace and len(hand) > 2:
            yield split_ace_drew()
    if claim.wager == table.game.main_wager:
        yield from box_faults(table, _box(claim, table))


def _bet_faults(claim: Claim, table: TableRules) -> Iterator[Refusal]:
    """Yield that the cheques on the spot are not the bet that is to be paid.

    They may be the stake alone, or all that lies there with what was added since. What a piece
    without a value of its own stands for is said by its marker.
    """
    if not claim.bet or not all(map(stake_of, claim.bet)):
        return
    lies_cents = staked_cents(claim.bet)
    if lies_cents not in (claim.stake_cents, _all_wagered_cents(claim, table)):
        yield Refusal(
            "bet_differs",
            Said(
                "The cheques on the bet are {lies_cents}, but the bet entered is {stake_cents}. "
                "Count the bet again.",
                lies_cents=lies_cents,
                stake_cents=claim.stake_cents,
            ),
        )


def _all_wagered_cents(claim: Claim, table: TableRules) -> int:
    """Return the stake with its further hands, spots and doubles, and a raise."""
    box = _box(claim, table)
    doubles_cents = sum(sum(hand.doubles.values()) for hand in box.hands)
    return sum(box.stakes.values()) * len(box.hands) + doubles_cents + claim.raise_cents


def _judged(claim: Claim, table: TableRules) -> WagerVerdict:
    """Judge the bet of a claim as a round would; insurance by the bet that it insures."""
    extra = _extra(claim)
    wager, stake_cents, main = claim.wager, claim.stake_cents, table.game.main_wager
    if wager == "insurance":
        wager, stake_cents = main, extra["main_stake_cents"]
    elif wager not in (main, table.game.id, *table.side_bets):
        # A coupon is of the house, whatever it says.
        return _NOTHING_AGAINST
    laid = bets_laid(stake_cents, extra.get("spots", ()), table.options)
    del laid[ANTE]
    offer = table.offers.get(wager)
    whose = Whose.DEALER if extra.get("dealer_bet") is True else Whose.PLAYER
    bet = Bet(wager, stake_cents, whose, raise_cents=claim.raise_cents, spots=laid)
    return judge_wagers(
        table.at_seat(claim.seat),
        [bet],
        moment=RoundMoment.AFTER_DEAL,
        beside=offer.needs if offer is not None else (),
    )


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
        hands = tuple(
            Hand(cards(split_hand["cards"]), _doubles(split_hand))
            for split_hand in extra["split_hands"]
        )
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
