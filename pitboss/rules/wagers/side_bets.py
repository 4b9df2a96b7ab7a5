"""Settle the side bets that pay odds on two, three or four cards.

The verdict on a hand does not depend on the stake, so verdicts are remembered by table and cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from pitboss.rules.book.options import DEFAULT_OPTIONS, HouseOptions
from pitboss.rules.cards.playing_cards import CARDS, Card, check_decks, hand_words
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.facts import (
    LIMITED_BET,
    NO_EXTRA,
    Case,
    dealer_hand,
    extra_of,
    player_hand,
    stake,
    terms,
)
from pitboss.rules.paytables.categories import CATEGORISERS
from pitboss.rules.paytables.paytables import LOSE, PAY_TABLES, Odds, PayTable, pay_table, read_by
from pitboss.rules.refusal import refuse
from pitboss.rules.rounding import odds_cents
from pitboss.rules.said import Said
from pitboss.rules.wagers.settlement import Settlement
from pitboss.rules.wagers.working import Used, row_words, sentence, toke_notes

NAMES: Final[Mapping[str, str]] = {
    "bet_the_set_21": "Bet the Set 21",
    "royal_match_21": "Royal Match 21",
    "trilux": "TriLux",
    "super_3": "Super 3",
    "match_the_dealer": "Match the Dealer",
    "perfect_pair": "Perfect Pair",
    "two_card_bonus": "2-Card Bonus",
    "four_card_bonus": "4-Card Bonus",
}
# The rules of these bets name their own limit, whatever the table's.
STAKE_CENTS_MAX: Final[Mapping[str, int]] = {"match_the_dealer": 1000, "perfect_pair": 1000}


class HandVerdict(NamedTuple):
    """The verdict on a hand, before the stake: the row, its odds, and the words.

    `options_words` say which house options decided it; they come after the money.
    """

    category: str
    odds: tuple[Odds, ...]
    rule: str
    text: str
    options_words: str
    readings: tuple[str, ...]


def settle(case: Case) -> Settlement:
    """Settle one side bet.

    >>> settle({"wager": "trilux", "paytable": "TRI-01", "stake_cents": 500,
    ...         "player_cards": ["7h", "7d"], "dealer_up": "7c"}).payout_cents
    4500
    """
    stake_cents = stake(case)
    wager = case["wager"]
    if case.get("extra", NO_EXTRA) == NO_EXTRA and "dealer_cards" not in case:
        verdict = _usual_verdict(case)
        if verdict is not None and stake_cents <= STAKE_CENTS_MAX.get(wager, stake_cents):
            return _pay(verdict, stake_cents, DEFAULT_OPTIONS)
    table = pay_table(wager, case.get("paytable"))
    extra = extra_of(case, LIMITED_BET)
    agreed = terms(stake_cents, extra)
    printed_cents = STAKE_CENTS_MAX.get(wager, agreed.stake_cents)
    # A table of another game takes more where its house says so.
    if agreed.stake_cents > printed_cents and extra.get("table_max_cents", 0) <= printed_cents:
        raise refuse(
            "stake_above_limit",
            Said(
                "{wager} is at most {most_cents} by its rules. Return the extra.",
                wager=NAMES[wager],
                most_cents=STAKE_CENTS_MAX[wager],
            ),
        )
    player, dealer = starting_cards(case, wager)
    verdict = judge(read_by(table, agreed.options), player, dealer, agreed.options)
    settled = _pay(verdict, agreed.stake_cents, agreed.options)
    notes = agreed.notes + toke_notes(agreed.is_dealer_bet, settled.payout_cents)
    return Settlement(
        settled.category,
        settled.payout_cents,
        settled.stake_returned,
        settled.rule,
        sentence(settled.working, options=agreed.options, notes=notes),
        settled.readings + agreed.readings,
    )


def starting_cards(case: Case, wager: str) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the two starting cards of the player and as many of the dealer's as the bet reads."""
    reads = CATEGORISERS[wager]
    player = player_hand(case)
    if len(player) != reads.player_cards:
        raise refuse("two_cards_needed", "Enter exactly the player's first two cards.")
    dealer = dealer_hand(case)
    wanted = reads.dealer_cards or 0
    if len(dealer) < wanted:
        raise refuse(
            "missing_dealer_cards",
            "Enter the dealer's first card: this bet depends on it."
            if wanted == 1
            else "Enter the dealer's first two cards: this bet depends on them.",
        )
    check_decks(player, dealer)
    return player, dealer[:wanted]


def _usual_verdict(case: Case) -> HandVerdict | None:
    """Look up a printed table and plain cards; anything unusual is left to the full reading."""
    table = case.get("paytable")
    hand = case.get("player_cards")
    if type(table) is not str or type(hand) is not list or len(hand) != 2:
        return None
    one, other = hand
    up = case.get("dealer_up", "")
    if type(one) is str and type(other) is str and type(up) is str:
        return _remembered(case["wager"], table, one, other, up)
    return None


@lru_cache(maxsize=16384)
def _remembered(wager: str, table_id: str, one: str, other: str, up: str) -> HandVerdict | None:
    if CATEGORISERS[wager].dealer_cards and not up:
        return None
    try:
        table = PAY_TABLES[wager][table_id]
        player = CARDS[one], CARDS[other]
        dealer = (CARDS[up],) if up else ()
    except KeyError:
        return None
    return judge(table, player, dealer, DEFAULT_OPTIONS)


def judge(
    table: PayTable, player: tuple[Card, ...], dealer: tuple[Card, ...], options: HouseOptions
) -> HandVerdict:
    """Decide which row of the table a hand is paid by, and say why."""
    wager = table.wager
    rows = CATEGORISERS[wager].rows(player, dealer, options)
    category = table.best(rows)
    hand = player + dealer
    used = _OPTIONS_USED[wager](table, hand)
    held = hand_words(hand)
    name = NAMES[wager]
    if category == LOSE:
        paid: tuple[Odds, ...] = ()
        text = f"{held} fits no row of {name}, {table.name}."
    else:
        best = table.pays[category]
        assert isinstance(best, Odds)
        paid = (best,)
        if options.awards == "cumulative":
            fitting = [pay for row in rows if isinstance(pay := table.pays.get(row), Odds)]
            if len(fitting) > 1:
                paid = tuple(fitting)
                used.append(("awards", "R02"))
        odds = " and ".join([str(pay) for pay in paid])
        text = f"{row_words(category)} ({held}): {name} pays {odds}, {table.name}."
    return HandVerdict(
        category,
        paid,
        f"{wager}.{category}",
        text,
        sentence("", options=options, used=used) if used else "",
        tuple([reading for _, reading in used]) if used else (),
    )


def _pay(verdict: HandVerdict, stake_cents: int, options: HouseOptions) -> Settlement:
    odds = verdict.odds
    if not odds:
        return Settlement(
            verdict.category,
            -stake_cents,
            False,
            verdict.rule,
            f"{verdict.text} {format_money(stake_cents)} is taken.{verdict.options_words}",
            verdict.readings,
        )
    payout_cents, is_rounded = 0, False
    for pay in odds:
        cents, rounded = odds_cents(pay, stake_cents, options.fractions_of_a_cent)
        payout_cents += cents
        is_rounded = is_rounded or rounded
    won = f"{format_money(stake_cents)} wins {format_money(payout_cents)}."
    working = f"{verdict.text} {won}{verdict.options_words}"
    readings = verdict.readings
    if is_rounded:
        working = sentence(working, options=options, used=[("fractions_of_a_cent", "R03")])
        readings = (*readings, "R03")
    return Settlement(
        verdict.category,
        payout_cents,
        True,
        verdict.rule,
        working,
        readings,
    )


def _poker_options(table: PayTable, hand: tuple[Card, ...]) -> list[Used]:
    """List the house options without which this three-card hand might be read otherwise."""
    one, other, up = hand
    used: list[Used] = []
    is_flush = one.suit == other.suit == up.suit
    is_trilux = table.wager == "trilux"
    if one.value == 1 or other.value == 1 or up.value == 1:
        orders = sorted([one.order, other.order, up.order])
        if orders in _ACE_STRAIGHTS and (is_trilux or is_flush):
            used.append(("ace_in_straight", "R60"))
            if orders[1] == 11 and "mini_royal" in table.pays:
                used.append(("mini_royal", "R61"))
    if is_trilux:
        if one is other is up:
            used.append(("three_identical_cards", "R62"))
        elif table.id == "DD-5:2" and not is_flush and len({one.rank, other.rank, up.rank}) == 2:
            used.append(("double_deck_pair", "R63"))
    return used


def _pair_options(table: PayTable, hand: tuple[Card, ...]) -> list[Used]:
    """A pair by value alone is a pair only if the house says so."""
    one, other = hand[:2]
    unlike = one.value == other.value and one.order != other.order
    return [("pair_by", "R50")] if unlike else []


def _royal_options(table: PayTable, hand: tuple[Card, ...]) -> list[Used]:
    """Two different faces of one suit are a royal match or not by the house's word."""
    one, other = hand[:2]
    faces = one.suit == other.suit and one is not other and min(one.order, other.order) >= 10
    return [("royal_match", "R51")] if faces else []


def _no_options(table: PayTable, hand: tuple[Card, ...]) -> list[Used]:
    """These documents leave nothing open."""
    return []


# A-2-3, Q-K-A and K-A-2, by the places of their ranks.
_ACE_STRAIGHTS: Final = ([0, 1, 2], [0, 11, 12], [0, 1, 12])
_OPTIONS_USED: Final[Mapping[str, Callable[[PayTable, tuple[Card, ...]], list[Used]]]] = {
    "trilux": _poker_options,
    "super_3": _poker_options,
    "bet_the_set_21": _pair_options,
    "perfect_pair": _pair_options,
    "royal_match_21": _royal_options,
    "match_the_dealer": _no_options,
    "two_card_bonus": _no_options,
    "four_card_bonus": _no_options,
}


def forget_verdicts() -> None:
    """Forget every remembered verdict, as one must when a printed table is replaced."""
    _remembered.cache_clear()
