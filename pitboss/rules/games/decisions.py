"""May this hand be doubled, split, surrendered, insured or raised here? Every reason why not.

The documents differ from game to game (R29), so each answer is asked of the table's own rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pitboss.rules.cards.playing_cards import Card, is_blackjack, total_of
from pitboss.rules.games.eligibility import Bet, RoundMoment, raise_refusals
from pitboss.rules.games.games import PairBy, Surrender, TableRules
from pitboss.rules.refusal import Refusal
from pitboss.rules.said import Said


class Decision(StrEnum):
    """What a player may decide besides to hit and to stand."""

    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    INSURANCE = "insurance"
    EVEN_MONEY = "even_money"
    RAISE = "raise"


@dataclass(frozen=True, slots=True)
class Situation:
    """The hand before the decision.

    `stake_cents` is its original wager and `added_cents` what the decision would add (the ante and
    the raise of a Bust Ante for a raise). `hands` is how many hands the box holds already.
    """

    cards: tuple[Card, ...]
    stake_cents: int
    dealer_up: Card | None
    added_cents: int = 0
    hands: int = 1
    dealer_has_blackjack: bool = False
    spot_insurance_cents: Sequence[int] = ()

    @property
    def is_split(self) -> bool:
        return self.hands > 1

    @property
    def has_blackjack(self) -> bool:
        return is_blackjack(self.cards) and not self.is_split


def decision_refusals(table: TableRules, decision: Decision, situation: Situation) -> list[Refusal]:
    """Return every reason to refuse a decision; an empty list allows it.

    >>> from pitboss.rules.cards.playing_cards import card, cards
    >>> from pitboss.rules.games.games import table_rules
    >>> from pitboss.rules.games.printed import GAMES
    >>> table = table_rules(GAMES["bet_bigger"], minimum_cents=500, maximum_cents=1_000)
    >>> kings = Situation(cards(["Kh", "Qd"]), 500, card("6c"), added_cents=500)
    >>> [each.code for each in decision_refusals(table, Decision.SPLIT, kings)]
    ['split_not_pair']
    """
    return list(_REFUSALS[decision](table, situation))


def _double(table: TableRules, now: Situation) -> Iterator[Refusal]:
    rule = table.doubling
    name = table.game.name
    if len(now.cards) != 2:
        yield Refusal(
            "double_not_two_cards",
            "Only the first two cards of a hand are doubled. Return the added bet.",
        )
    total = total_of(now.cards)
    low, high = rule.totals
    if now.has_blackjack:
        yield Refusal("double_on_blackjack", "You can’t double a blackjack. Return the added bet.")
    elif not low <= total <= high:
        yield Refusal(
            "double_total",
            Said(
                "{name} doubles totals of {low} to {high}, not {total}. Return the added bet.",
                name=name,
                low=low,
                high=high,
                total=total,
            ),
        )
    if not rule.with_ace and any(card.is_ace for card in now.cards):
        yield Refusal(
            "double_with_ace",
            Said(
                "In {name}, a hand with an ace can’t be doubled. Return the added bet.", name=name
            ),
        )
    if now.is_split and not rule.after_split:
        yield Refusal(
            "double_after_split",
            Said("{name} does not double after a split here. Return the added bet.", name=name),
        )
    elif now.is_split and now.cards[0].is_ace and not rule.split_aces:
        yield Refusal(
            "double_split_aces",
            "A split ace takes one card and is not doubled. Return the added bet.",
        )
    yield from _double_amount(table, now)


def _double_amount(table: TableRules, now: Situation) -> Iterator[Refusal]:
    rule = table.doubling
    if now.added_cents > now.stake_cents:
        yield Refusal(
            "double_above_wager",
            Said(
                "A double is at most the wager: {stake_cents}, not {added_cents}. Return the "
                "extra.",
                stake_cents=now.stake_cents,
                added_cents=now.added_cents,
            ),
        )
    elif now.added_cents <= 0:
        yield Refusal("double_without_money", "A double adds money. Ask the player how much.")
    elif now.added_cents < now.stake_cents and not rule.for_less:
        yield Refusal(
            "double_for_less",
            Said(
                "{game} doubles for the whole wager of {stake_cents}. Ask the player for all of "
                "it, or return it.",
                game=table.game.name,
                stake_cents=now.stake_cents,
            ),
        )
    # A bet that itself was under the minimum, found out too late, may still be doubled in full.
    floor_cents = min(table.minimum_cents, now.stake_cents)
    if rule.meets_minimum and 0 < now.added_cents < floor_cents:
        yield Refusal(
            "double_under_minimum",
            Said(
                "A double must meet the table minimum of {minimum_cents}. Ask the player for "
                "more, or return it.",
                minimum_cents=table.minimum_cents,
            ),
        )


def _split(table: TableRules, now: Situation) -> Iterator[Refusal]:
    rule = table.splitting
    pair = len(now.cards) == 2
    if pair:
        one, other = now.cards
        by_rank = rule.by is PairBy.RANK
        pair = one.rank == other.rank if by_rank else one.value == other.value
    if not pair:
        yield Refusal(
            "split_not_pair",
            "Only two cards of one printed rank are split here. Return the added bet."
            if rule.by is PairBy.RANK
            else "Only two cards of one value are split here. Return the added bet.",
        )
    aces = all(card.is_ace for card in now.cards)
    most = rule.aces_hands_max if aces else rule.hands_max
    if now.hands >= most:
        yield Refusal(
            "split_too_many",
            Said("Aces are split to at most {most} hands here. Return the added bet.", most=most)
            if aces
            else Said(
                "Hands are split to at most {most} hands here. Return the added bet.", most=most
            ),
        )
    if now.added_cents != now.stake_cents:
        yield Refusal(
            "split_not_matched",
            Said(
                "A split hand carries the wager again: {stake_cents}, not {added_cents}. Ask the "
                "player to match it.",
                stake_cents=now.stake_cents,
                added_cents=now.added_cents,
            ),
        )


def _surrender(table: TableRules, now: Situation) -> Iterator[Refusal]:
    if table.surrender is Surrender.DISABLED:
        yield Refusal(
            "surrender_disabled",
            Said("{game} has no surrender here. Play the hand out.", game=table.game.name),
        )
    if len(now.cards) != 2 or now.is_split:
        yield Refusal(
            "surrender_too_late", "Only the first two cards are surrendered. Play the hand out."
        )
    if now.has_blackjack:
        yield Refusal(
            "surrender_blackjack", "A blackjack can’t be surrendered. Settle it as a blackjack."
        )


def _insurance(table: TableRules, now: Situation) -> Iterator[Refusal]:
    yield from _ace_up(table, now)
    if now.added_cents <= 0:
        yield Refusal(
            "insurance_without_money", ("Insurance needs an amount. Ask the player how much.")
        )
    amounts = (now.added_cents, *now.spot_insurance_cents)
    if any(amount_cents * 2 > now.stake_cents for amount_cents in amounts):
        yield Refusal(
            "insurance_over_half",
            Said(
                "Insurance is at most half the wager: {stake_cents}. Return the extra.",
                stake_cents=now.stake_cents // 2,
            ),
        )
    if table.game.insurance.covers_each_bet_equally and len(set(amounts)) > 1:
        yield Refusal(
            "insurance_not_equal",
            "Every spot is insured for the same amount, or none. Ask the player to make them "
            "equal.",
        )


def _even_money(table: TableRules, now: Situation) -> Iterator[Refusal]:
    yield from _ace_up(table, now)
    if table.game.insurance.offered and not table.game.insurance.even_money:
        yield Refusal(
            "even_money_not_offered",
            Said(
                "{game} offers no even money here. Settle the blackjack against the dealer's hand.",
                game=table.game.name,
            ),
        )
    if not now.has_blackjack:
        yield Refusal(
            "even_money_without_blackjack",
            "Even money is for a player's blackjack. Check the cards.",
        )


def _ace_up(table: TableRules, now: Situation) -> Iterator[Refusal]:
    if not table.game.insurance.offered:
        yield Refusal(
            "insurance_not_offered",
            Said("{game} offers no insurance. Return the bet.", game=table.game.name),
        )
    if now.dealer_up is None or not now.dealer_up.is_ace:
        yield Refusal(
            "insurance_without_ace",
            "The dealer does not show an ace, so insurance is not open. Return the bet.",
        )


def _raise(table: TableRules, now: Situation) -> Iterator[Refusal]:
    if "raise_the_roof" not in table.side_bets:
        yield Refusal(
            "raise_not_offered",
            Said("{game} has no raise here. Return the raise.", game=table.game.name),
        )
        return
    if now.stake_cents <= 0:
        yield Refusal(
            "raise_without_ante",
            "A raise needs a Bust Ante placed before the deal. Return the raise.",
        )
        return
    if now.dealer_has_blackjack:
        yield Refusal(
            "raise_against_dealer_blackjack",
            "The dealer has blackjack, so no raise is accepted. Return it.",
        )
    if now.added_cents <= 0:
        yield Refusal("raise_without_money", "A raise adds money. Ask the player how much.")
        return
    bet = Bet("raise_the_roof", now.stake_cents, raise_cents=now.added_cents)
    yield from raise_refusals(table, bet, RoundMoment.AFTER_DEAL)


_REFUSALS: Mapping[Decision, Callable[[TableRules, Situation], Iterator[Refusal]]] = {
    Decision.DOUBLE: _double,
    Decision.SPLIT: _split,
    Decision.SURRENDER: _surrender,
    Decision.INSURANCE: _insurance,
    Decision.EVEN_MONEY: _even_money,
    Decision.RAISE: _raise,
}
