"""The exact edge of the main game for a player who follows the manual's chart.

A full shoe, a dealer who peeks, no insurance, no surrender. A player doubles on any two cards, also
after a split; aces are split once and get one card each, other pairs up to a number of hands.

The chart sees totals alone and cards are exchangeable, so a split hand is worth what one hand dealt
on its own is worth, with as many of the pair's cards gone as the other hands have drawn.

Values run from 1, the ace, to 10. Every worth is joint with "the dealer has no blackjack": the card
in the hole belongs to the same shoe as the card that the player draws next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from fractions import Fraction
from math import comb, perm
from operator import mul
from typing import Final

from pitboss.rules.games.dealer import must_draw
from pitboss.rules.games.strategy import Move, chart_move

ACE: Final = 1
TEN: Final = 10
VALUES: Final = range(ACE, TEN + 1)
STANDING: Final = range(17, 22)
# No hand holds more cards of one value: sixteen aces and an ace that shows are a hard 17.
COPIES_MAX: Final = 17

# How many cards of each value are gone from the shoe; nothing has the value 0.
Gone = tuple[int, ...]
NONE_GONE: Final[Gone] = (0,) * 11


@dataclass(frozen=True, slots=True)
class MainRules:
    """What decides the edge of the main game. A pair may always be split, up to so many hands."""

    decks: int
    soft_17: str
    blackjack_pays: Fraction
    hands_max: int

    @property
    def shoe(self) -> Gone:
        return (0, *[4 * self.decks] * 9, 16 * self.decks)


@dataclass(frozen=True, slots=True)
class Held:
    """A player's hand as the chart sees it: total, whether an ace counts 11, how many cards."""

    hard: int
    aces: int
    cards: int

    def with_card(self, value: int) -> Held:
        return Held(self.hard + value, self.aces + (value == ACE), self.cards + 1)

    @property
    def soft(self) -> bool:
        return self.aces > 0 and self.hard <= 11

    @property
    def total(self) -> int:
        return self.hard + 10 if self.soft else self.hard


@unique
class _Second(StrEnum):
    """The second card of a hand that was split."""

    ANY = "any"
    OTHER = "other than the pair's"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One order in which the second cards of split hands may fall.

    `pair_cards` made further hands, `forced` hands got another card before the last split, and
    `free` hands take whatever comes, since no hand may be split any more.
    """

    pair_cards: int
    forced: int
    free: int


def held(values: Sequence[int]) -> Held:
    """Return a hand of cards.

    >>> hand = held([1, 7])
    >>> hand.total, hand.soft
    (18, True)
    """
    return Held(sum(values), sum(value == ACE for value in values), len(values))


def without(gone: Gone, *values: int) -> Gone:
    """Return what is gone when these cards are, too."""
    counts = list(gone)
    for value in values:
        counts[value] += 1
    return tuple(counts)


def main_edge(rules: MainRules) -> Fraction:
    """Return what the house keeps of a unit first staked.

    Six decks take some seconds: it is worked out once for a set of rules.
    """
    worth = Fraction(0)
    for up in VALUES:
        worth += _worth_against(rules, up)
    return -worth


def _worth_against(rules: MainRules, up: int) -> Fraction:
    """Return what a player wins on average of a unit, times the chance of this up card."""
    play = OddsPlay(rules, up)
    worth = Fraction(0)
    for first in VALUES:
        for second in range(first, TEN + 1):
            gone = without(NONE_GONE, up, first, second)
            orders = 1 if first == second else 2
            chance = Fraction(orders * _ways(rules.shoe, gone), perm(sum(rules.shoe), 3))
            if not chance:
                continue
            if (first, second) == (ACE, TEN):
                won = rules.blackjack_pays * play.no_blackjack(gone)
            else:
                # A dealer who has blackjack takes the first wager and no more.
                won = play.chart(first, second) - (1 - play.no_blackjack(gone))
            worth += chance * won
    return worth


def _ways(shoe: Gone, gone: Gone) -> int:
    """Return in how many ways these cards can be drawn in one order."""
    ways = 1
    for value in VALUES:
        ways *= perm(shoe[value], gone[value])
    return ways


class OddsPlay:
    """What hands are worth against one up card, under one set of rules; each is worked out once."""

    def __init__(self, rules: MainRules, up: int) -> None:
        self.rules = rules
        self.up = up
        self._cards = sum(rules.shoe)
        self._dealer = _DealerSets(up, rules.soft_17)
        self._totals: dict[Gone, list[Fraction]] = {}
        self._played: dict[tuple[Held, Gone], Fraction] = {}

    def chart(self, first: int, second: int) -> Fraction:
        """Return what two cards are worth that are played by the chart."""
        gone = without(NONE_GONE, self.up, first, second)
        hand = held([first, second])
        pair_of = first if first == second else None
        return self.worth(hand, gone, self.chart_says(hand, pair_of))

    def chart_says(self, hand: Held, pair_of: int | None) -> Move:
        """Return the chart's move for a hand, as far as it can be made.

        A hand of more than two cards cannot double: a soft 18 then stands, any other takes a card.
        """
        move = chart_move(hand.total, soft=hand.soft, pair_of=pair_of, up=self.up)
        if move is Move.DOUBLE and hand.cards > 2:
            return Move.STAND if hand.soft and hand.total == 18 else Move.HIT
        return move

    def worth(self, hand: Held, gone: Gone, move: Move) -> Fraction:
        """Return what a hand is worth if this move is made, and the chart is followed after it."""
        if move is Move.STAND:
            return self._stand(hand, gone)
        if move is Move.SPLIT:
            return self._split(hand.hard // 2)
        if move is Move.DOUBLE:
            return 2 * self._after_a_card(hand, gone, self._stand)
        return self._after_a_card(hand, gone, self._play)

    def no_blackjack(self, gone: Gone) -> Fraction:
        """Return the chance that the dealer's hole card makes no blackjack."""
        wanted = {ACE: TEN, TEN: ACE}.get(self.up)
        if wanted is None:
            return Fraction(1)
        return 1 - Fraction(self._left(wanted, gone), self._cards - sum(gone))

    def _left(self, value: int, gone: Gone) -> int:
        return self.rules.shoe[value] - gone[value]

    def _drawn(self, gone: Gone) -> Iterator[tuple[int, Fraction, Gone]]:
        """Yield each card that may come next, its chance, and what is gone then."""
        cards = self._cards - sum(gone)
        for value in VALUES:
            left = self._left(value, gone)
            if left > 0:
                yield value, Fraction(left, cards), without(gone, value)

    def _after_a_card(
        self, hand: Held, gone: Gone, then: Callable[[Held, Gone], Fraction]
    ) -> Fraction:
        """Return what a hand is worth that draws a card and then goes on like this."""
        return sum(
            (
                chance * then(hand.with_card(value), left)
                for value, chance, left in self._drawn(gone)
            ),
            Fraction(0),
        )

    def _play(self, hand: Held, gone: Gone) -> Fraction:
        """Return what a hand is worth that is played by the chart and cannot be split."""
        if hand.total > 21:
            return -self.no_blackjack(gone)
        key = (hand, gone)
        if key not in self._played:
            self._played[key] = self.worth(hand, gone, self.chart_says(hand, None))
        return self._played[key]

    def _stand(self, hand: Held, gone: Gone) -> Fraction:
        """Return what a hand is worth against everything that the dealer may draw."""
        total = hand.total
        if total > 21:
            return -self.no_blackjack(gone)
        if gone not in self._totals:
            shoe = [self._left(value, gone) for value in range(11)]
            self._totals[gone] = self._dealer.totals(shoe, self._cards - sum(gone))
        totals = self._totals[gone]
        as_good = sum(totals[max(total - STANDING[0], 0) :], Fraction(0))
        better = sum(totals[max(total + 1 - STANDING[0], 0) :], Fraction(0))
        # What is neither as good as the hand nor a blackjack is less than the hand, or bust.
        return self.no_blackjack(gone) - as_good - better

    def _split(self, pair: int) -> Fraction:
        """Return what a pair is worth, split as often as the rules allow."""
        most = 2 if pair == ACE else self.rules.hands_max
        worth = Fraction(0)
        for pattern, orders in Counter(_patterns(most)).items():
            drawn, forced = pattern.pair_cards, pattern.forced
            if forced:
                each = self._split_hand(pair, _Second.OTHER, drew=drawn, did_not=forced - 1)
                worth += orders * forced * each
            if pattern.free:
                each = self._split_hand(pair, _Second.ANY, drew=drawn, did_not=forced)
                worth += orders * pattern.free * each
        return worth

    def _split_hand(self, pair: int, second: _Second, *, drew: int, did_not: int) -> Fraction:
        """Return what one split hand is worth, joint with what the others drew as second cards.

        So many of them drew one of the pair's cards, so many did not. "Did not" is reckoned as all
        orders, less those in which one did, and so on: inclusion and exclusion.
        """
        worth = Fraction(0)
        for others in range(did_not + 1):
            chance = self._drew_pair_cards(pair, drew + others)
            if chance:
                sign = -1 if others % 2 else 1
                alone = self._lone_hand(pair, second, pair_cards_gone=drew + others)
                worth += sign * comb(did_not, others) * chance * alone
        return worth

    def _drew_pair_cards(self, pair: int, hands: int) -> Fraction:
        """Return the chance that so many hands each draw one of the pair's cards."""
        gone = without(NONE_GONE, self.up, pair, pair)
        return Fraction(perm(self._left(pair, gone), hands), perm(self._cards - 3, hands))

    def _lone_hand(self, pair: int, second: _Second, *, pair_cards_gone: int) -> Fraction:
        """Return what a hand is worth that begins with one card of a pair that was split."""
        gone = without(NONE_GONE, self.up, pair, pair, *[pair] * pair_cards_gone)
        worth = Fraction(0)
        for value, chance, left in self._drawn(gone):
            if second is _Second.OTHER and value == pair:
                continue
            hand = held([pair, value])
            # Each of two aces gets one card and stands on it.
            then = self._stand if pair == ACE else self._play
            worth += chance * then(hand, left)
        return worth


def _patterns(most: int, hands: int = 2, forced: int = 0) -> Iterator[_Pattern]:
    """Yield the orders in which second cards make further hands, until all have one or none may."""
    if hands == most:
        yield _Pattern(hands - 2, forced, hands - forced)
        return
    yield from _patterns(most, hands + 1, forced)
    if forced + 1 == hands:
        yield _Pattern(hands - 2, hands, 0)
    else:
        yield from _patterns(most, hands, forced + 1)


class _DealerSets:
    """Every set of cards with which a dealer stands, from one up card.

    Orders of one set are counted, not walked: a place in the tree is the set at another place and
    one card more of the same or a higher value, so that each costs one multiplication.
    """

    def __init__(self, up: int, soft_17: str) -> None:
        # Of each place but the first: the place it comes from, and the card that is drawn there.
        self._steps: list[tuple[int, int]] = []
        # By total and size: places where it is reached, and in how many orders of the cards each.
        self._reached: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
        places: dict[Gone, int] = {NONE_GONE: 0}
        for (drawn, total), orders in sorted(_standing(up, soft_17).items()):
            reached = self._reached.setdefault((total, sum(drawn)), ([], []))
            reached[0].append(self._place(drawn, places))
            reached[1].append(orders)
        self._size_max = max(size for _, size in self._reached)

    def _place(self, drawn: Gone, places: dict[Gone, int]) -> int:
        if drawn not in places:
            highest = max(value for value in VALUES if drawn[value])
            copy = drawn[highest] - 1
            fewer = (*drawn[:highest], copy, *drawn[highest + 1 :])
            before = self._place(fewer, places)
            self._steps.append((before, highest * COPIES_MAX + copy))
            places[drawn] = len(self._steps)
        return places[drawn]

    def totals(self, shoe: Sequence[int], cards: int) -> list[Fraction]:
        """Return the chances that the dealer stands on 17 to 21, blackjack left out."""
        left = [max(0, shoe[value] - copy) for value in range(11) for copy in range(COPIES_MAX)]
        ways = [1]
        for before, card in self._steps:
            ways.append(ways[before] * left[card])
        found = [0] * len(STANDING)
        for (total, size), (places, orders) in self._reached.items():
            # Sets of different sizes get one denominator.
            scale = perm(cards - size, self._size_max - size)
            reached = sum(map(mul, map(ways.__getitem__, places), orders))
            found[total - STANDING[0]] += scale * reached
        whole = perm(cards, self._size_max)
        return [Fraction(number, whole) for number in found]


def _standing(up: int, soft_17: str) -> Counter[tuple[Gone, int]]:
    """Return the sets on which the dealer stands without blackjack, and in how many orders each."""
    orders: Counter[tuple[Gone, int]] = Counter()
    waiting: Counter[Gone] = Counter({NONE_GONE: 1})
    while waiting:
        further: Counter[Gone] = Counter()
        for drawn, ways in waiting.items():
            for value in VALUES:
                after = without(drawn, value)
                hand = held([up, *(value for value in VALUES for _ in range(after[value]))])
                if must_draw(hand.total, hand.soft, soft_17):
                    further[after] += ways
                elif hand.total <= 21 and not (hand.total == 21 and hand.cards == 2):
                    orders[after, hand.total] += ways
        waiting = further
    return orders
