"""Which rows of a pay table a hand fits. Pure: cards in, names of rows out, best first.

Payment is elsewhere: a pay table takes the best row it pays. The exact odds use these functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pitboss.rules.book.options import DEFAULT_OPTIONS, HouseOptions
from pitboss.rules.cards.playing_cards import Card, hand_total, is_blackjack
from pitboss.rules.paytables.pays import PayTable

Rows = tuple[str, ...]
NO_ROWS: Final[Rows] = ()
_QUEEN: Final = 11
_KING: Final = 12


def _is_pair(one: Card, other: Card, options: HouseOptions) -> bool:
    if options.pair_by == "rank":
        return one.order == other.order
    return one.value == other.value


def bet_the_set_21(
    player: Sequence[Card], dealer: Sequence[Card], options: HouseOptions = DEFAULT_OPTIONS
) -> Rows:
    """Tell a pair, and whether its suits match."""
    one, other = player
    if not _is_pair(one, other, options):
        return NO_ROWS
    return ("suited_pair", "pair") if one.suit == other.suit else ("pair",)


def perfect_pair(
    player: Sequence[Card], dealer: Sequence[Card], options: HouseOptions = DEFAULT_OPTIONS
) -> Rows:
    """Tell a pair by whether its suits match."""
    one, other = player
    if not _is_pair(one, other, options):
        return NO_ROWS
    return ("suited_pair",) if one.suit == other.suit else ("non_suited_pair",)


def royal_match_21(
    player: Sequence[Card], dealer: Sequence[Card], options: HouseOptions = DEFAULT_OPTIONS
) -> Rows:
    """Tell two cards of one suit, and king and queen among them."""
    one, other = player
    if one.suit != other.suit:
        return NO_ROWS
    orders = {one.order, other.order}
    if orders == {_QUEEN, _KING}:
        return ("royal_match", "suited")
    if options.royal_match == "two_faces" and len(orders) == 2 and min(orders) >= 10:
        return ("royal_match", "suited")
    return ("suited",)


def is_straight(low: int, middle: int, high: int, options: HouseOptions) -> bool:
    """Say whether three orders, lowest first, run in sequence. An ace is 0.

    >>> is_straight(0, 11, 12, DEFAULT_OPTIONS), is_straight(0, 1, 12, DEFAULT_OPTIONS)
    (True, False)
    """
    aces = options.ace_in_straight
    if low == 0:
        if middle == 1 and high == 2:
            return aces != "high_only"
        if middle == 11 and high == 12:
            return aces != "low_only"
        return middle == 1 and high == 12 and aces == "round_the_corner"
    return middle == low + 1 and high == middle + 1


def trilux(
    player: Sequence[Card], dealer: Sequence[Card], options: HouseOptions = DEFAULT_OPTIONS
) -> Rows:
    """Tell a three-card poker hand of the player's two cards and the dealer's first.

    >>> from pitboss.rules.cards.playing_cards import cards
    >>> trilux(cards(["Ah", "Kh"]), cards(["Qh"]))
    ('mini_royal', 'straight_flush', 'straight', 'flush')
    """
    one, other, up = player[0], player[1], dealer[0]
    a, b, c = one.order, other.order, up.order
    flush = one.suit == other.suit == up.suit
    if a in (b, c) or b == c:
        if not a == b == c:
            return ("flush", "pair") if flush else ("pair",)
        if not flush:
            return ("three_of_a_kind",)
        if options.three_identical_cards == "flush":
            return ("flush",)
        return ("three_of_a_kind", "flush")
    low, middle, high = sorted((a, b, c))
    straight = is_straight(low, middle, high, options)
    royal = low == 0 and middle == 11 and (flush or options.mini_royal == "any_suits")
    if straight:
        if flush:
            if royal:
                return ("mini_royal", "straight_flush", "straight", "flush")
            return ("straight_flush", "straight", "flush")
        return ("mini_royal", "straight") if royal else ("straight",)
    if royal:
        return ("mini_royal", "flush") if flush else ("mini_royal",)
    return ("flush",) if flush else NO_ROWS


def super_3(
    player: Sequence[Card], dealer: Sequence[Card], options: HouseOptions = DEFAULT_OPTIONS
) -> Rows:
    """Tell three of a kind and straight flushes of the player's cards and the dealer's first."""
    one, other, up = player[0], player[1], dealer[0]
    a, b, c = one.order, other.order, up.order
    flush = one.suit == other.suit == up.suit
    if a == b == c:
        return ("suited_three_of_a_kind", "three_of_a_kind") if flush else ("three_of_a_kind",)
    if flush:
        low, middle, high = sorted((a, b, c))
        if is_straight(low, middle, high, options):
            return ("straight_flush",)
    return NO_ROWS


# (matches in rank and suit, matches in rank only) of the two player cards with the up card
_MATCHES: Final[Mapping[tuple[int, int], Rows]] = {
    (0, 0): NO_ROWS,
    (0, 1): ("one_non_suited",),
    (0, 2): ("two_non_suited",),
    (1, 0): ("one_suited",),
    (1, 1): ("one_non_suited_one_suited",),
    (2, 0): ("two_suited",),
}


def match_the_dealer(
    player: Sequence[Card], dealer: Sequence[Card], options: HouseOptions = DEFAULT_OPTIONS
) -> Rows:
    """Count the player's cards that match the dealer's first in rank, and in suit as well."""
    up = dealer[0]
    suited = unsuited = 0
    for held in player:
        if held is up:
            suited += 1
        elif held.order == up.order:
            unsuited += 1
    return _MATCHES[suited, unsuited]


def lucky_ladies(
    player: Sequence[Card], dealer: Sequence[Card], options: HouseOptions = DEFAULT_OPTIONS
) -> Rows:
    """Tell three queens with the dealer's first card, and a 20 in the player's own two cards.

    >>> from pitboss.rules.cards.playing_cards import cards
    >>> lucky_ladies(cards(["Qh", "Qh"]), cards(["Qd"]))
    ('three_queens_same_colour', 'three_queens', 'matched_20', 'suited_20')
    """
    one, other = player
    total = hand_total(player)[0]
    if total != 20 or (one.value != other.value and options.ace_nine == "is_not_20"):
        return NO_ROWS
    twenty: Rows = ("non_suited_20",)
    if one.suit == other.suit:
        twenty = ("matched_20", "suited_20") if one is other else ("suited_20",)
    up = dealer[0]
    if not one.order == other.order == up.order == _QUEEN:
        return twenty
    queens: Rows = ("three_queens",)
    if one.is_red == other.is_red == up.is_red:
        queens = ("three_queens_same_colour", *queens)
        if one is other is up:
            suited = "three_queens_hearts" if up.suit == "h" else "three_queens_same_suit"
            queens = (suited, *queens)
    return queens + twenty


def blazing_7s(
    player: Sequence[Card], dealer: Sequence[Card], options: HouseOptions = DEFAULT_OPTIONS
) -> Rows:
    """Count the sevens in the player's two cards, and look at the dealer's first beside two."""
    one, other, up = player[0], player[1], dealer[0]
    sevens = (one.value == 7) + (other.value == 7)
    if sevens == 2:
        if up.value != 7:
            return ("two_sevens",)
        if one is other is up:
            return ("three_sevens_same_suit",)
        if one.is_red == other.is_red == up.is_red:
            return ("three_sevens_same_colour",)
        return ("three_sevens_mixed",)
    if sevens == 1 and (up.value != 7 or options.one_seven_v_seven == "pays"):
        return ("one_seven",)
    return NO_ROWS


def two_card_bonus(
    player: Sequence[Card], dealer: Sequence[Card], options: HouseOptions = DEFAULT_OPTIONS
) -> Rows:
    """Tell everything a house may want to pay on two starting cards."""
    one, other = player
    suited = one.suit == other.suit
    low, high = sorted((one.order, other.order))
    # Next to each other, an ace beside a two or a king.
    connected = high - low == 1 or (low == 0 and high == _KING)
    total = hand_total(player)[0]
    fits = {
        "suited_blackjack": suited and is_blackjack(player),
        "blackjack": is_blackjack(player),
        "suited_pair": one is other,
        "coloured_pair": low == high and one.is_red == other.is_red,
        "pair": low == high,
        "royal_match": suited and low == _QUEEN and high == _KING,
        "suited_20": suited and total == 20,
        "total_20": total == 20,
        "suited_connectors": suited and connected,
        "suited": suited,
        "same_colour": one.is_red == other.is_red,
    }
    return tuple([row for row, fit in fits.items() if fit])


def four_card_bonus(
    player: Sequence[Card], dealer: Sequence[Card], options: HouseOptions = DEFAULT_OPTIONS
) -> Rows:
    """Tell the four-card poker hand of the player's two starting cards and the dealer's two."""
    hand = (*player, *dealer[:2])
    orders = sorted(held.order for held in hand)
    same = sorted((orders.count(order) for order in set(orders)), reverse=True)
    flush = len({held.suit for held in hand}) == 1
    straight = len(same) == 4 and (orders[3] - orders[0] == 3 or orders == [0, 10, 11, 12])
    fits = {
        "four_identical": same[0] == 4 and flush,
        "four_of_a_kind": same[0] == 4,
        "straight_flush": straight and flush,
        "three_of_a_kind": same[0] >= 3,
        "two_pair": same == [2, 2],
        "straight": straight,
        "flush": flush,
        "pair": same[0] >= 2,
        "same_colour": len({held.is_red for held in hand}) == 1,
    }
    return tuple([row for row, fit in fits.items() if fit])


def raise_the_roof(
    player: Sequence[Card], dealer: Sequence[Card], options: HouseOptions = DEFAULT_OPTIONS
) -> Rows:
    """Tell by which card the dealer's finished hand bust, and whether it is 4-5-6-7."""
    if hand_total(dealer)[0] <= 21:
        return NO_ROWS
    last: Rows = (f"bust_{dealer[-1].value}",)
    values = [held.value for held in dealer]
    special = {
        "any_order": sorted(values) == [4, 5, 6, 7],
        "in_order": values == [4, 5, 6, 7],
        "among_others": {4, 5, 6, 7} <= set(values),
    }[options.bust_4567]
    if not special:
        return last
    suits = {held.suit for held in dealer if held.value in (4, 5, 6, 7)}
    if len(suits) == 1:
        return ("bust_4567_suited", *last)
    return ("bust_4567_unsuited", *last)


@dataclass(frozen=True, slots=True)
class Categoriser:
    """How a side bet reads the cards, and how many of the player's and the dealer's it needs.

    `dealer_cards` of 1 is the dealer's first card; None is the dealer's finished hand.
    """

    rows: Callable[[Sequence[Card], Sequence[Card], HouseOptions], Rows]
    player_cards: int
    dealer_cards: int | None


CATEGORISERS: Final[Mapping[str, Categoriser]] = {
    "bet_the_set_21": Categoriser(bet_the_set_21, 2, 0),
    "royal_match_21": Categoriser(royal_match_21, 2, 0),
    "perfect_pair": Categoriser(perfect_pair, 2, 0),
    "two_card_bonus": Categoriser(two_card_bonus, 2, 0),
    "trilux": Categoriser(trilux, 2, 1),
    "super_3": Categoriser(super_3, 2, 1),
    "match_the_dealer": Categoriser(match_the_dealer, 2, 1),
    "lucky_ladies": Categoriser(lucky_ladies, 2, 1),
    "blazing_7s": Categoriser(blazing_7s, 2, 1),
    "four_card_bonus": Categoriser(four_card_bonus, 2, 2),
    "raise_the_roof": Categoriser(raise_the_roof, 0, None),
}


def category(
    table: PayTable,
    player: Sequence[Card],
    dealer: Sequence[Card] = (),
    options: HouseOptions = DEFAULT_OPTIONS,
) -> str:
    """Return the row of this table that a hand is paid by, or "lose".

    >>> from pitboss.rules.cards.playing_cards import cards
    >>> from pitboss.rules.paytables.paytables import PAY_TABLES
    >>> category(PAY_TABLES["trilux"]["TRI-01"], cards(["Ah", "Kh"]), cards(["Qh"]))
    'straight_flush'
    """
    return table.best(CATEGORISERS[table.wager].rows(player, dealer, options))
