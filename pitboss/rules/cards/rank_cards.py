"""Cards told by rank alone: what a hand proves whatever its suits are.

A dealer enters ranks; suits only where a bet turns on them. So a claim may hold a "9" that could be
any of four. It is judged in every way that its suits can fall, and verified only where all of them
come to the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, Final

from pitboss.rules.cards.playing_cards import CARDS, RANKS, SUITS
from pitboss.rules.games.game_modules import game_modules
from pitboss.rules.payouts.claims import Claim
from pitboss.rules.said import Said

# No suit decides these, so any will do.
BY_RANK: Final = frozenset(
    {"blackjack", "insurance", "free_bet_coupon", "bet_bigger", "stadium_blackjack"}
)
# Four cards fall in 256 ways. Only Raise the Roof reads more, and asks but one thing of them: is
# 4-5-6-7 of one suit? All of one suit, and suits in turn, answer that both ways.
_EACH_WAY_MOST: Final = 4
_LISTS: Final = ("player_cards", "dealer_cards")

Fill = Callable[[str], str]


def is_rank(name: object) -> bool:
    """Tell whether a card was told by its rank alone.

    >>> is_rank("9"), is_rank("9c"), is_rank("10")
    (True, False, False)
    """
    return isinstance(name, str) and len(name) == 1 and name in RANKS


def shown_hands(player: Iterable[str], dealer: Iterable[str]) -> str:
    """Say both hands as a screen draws them, cards told by rank alone without a suit.

    >>> shown_hands(["7d", "T"], ["Th"]), shown_hands(["7d", "7h"], [])
    ('7♦ 10, dealer 10♥', '7♦ 7♥')
    """
    own, theirs = (
        " ".join(name.replace("T", "10") if is_rank(name) else CARDS[name].face for name in hand)
        for hand in (player, dealer)
    )
    return f"{own}, dealer {theirs}" if own and theirs else own or f"dealer {theirs}"


def leaves_suits_open(claim: Claim) -> bool:
    """Tell whether the claim leaves suits out, or says of them only whether they are the same."""
    return claim.suited is not None or tells_by_rank(claim)


def tells_by_rank(claim: Claim) -> bool:
    """Tell whether a card of the claim has no suit."""
    return any(is_rank(name) for name in _named(claim.case))


def ways(claim: Claim) -> Iterator[Claim]:
    """Yield the claim with each of the suits that its cards can have.

    >>> from pitboss.rules.payouts.claims import read_claim
    >>> pair = read_claim({"wager": "perfect_pair", "stake_cents": 500, "paid_cents": 0,
    ...                    "player_cards": ["9", "9c"], "suited": False})
    >>> sorted({way.case["player_cards"][0] for way in ways(pair)})
    ['9d', '9h', '9s']
    """
    module = game_modules().get(claim.wager)
    if claim.wager in BY_RANK or (module is not None and not module.reads_suits):
        yield replace(claim, case=_dealt(claim.case))
        return
    bare = [name for name in _named(claim.case) if is_rank(name)]
    for suits in _suits(len(bare)):
        left = iter(suits)
        case = _filled(claim.case, lambda rank, left=left: rank + next(left))  # type: ignore[misc]
        if claim.suited is None or claim.suited is _is_suited(case):
            yield replace(claim, case=case)


def without_suits(text: str, claim: Claim, way: Claim) -> str:
    """Take out of a sentence the suits that were only supposed.

    >>> from pitboss.rules.payouts.claims import read_claim
    >>> told = {"wager": "perfect_pair", "stake_cents": 500, "paid_cents": 0}
    >>> claim = read_claim({**told, "player_cards": ["T", "Ts"]})
    >>> way = read_claim({**told, "player_cards": ["Tc", "Ts"]})
    >>> without_suits("Pair (10♣ 10♠).", claim, way)
    'Pair (10 10♠).'
    """
    told = Counter(_named(claim.case))
    supposed = {name for name in _named(way.case) if name not in told}
    if not supposed:
        return text
    return _without(text, {CARDS[name].face for name in supposed})


def _without(text: str, supposed: set[str]) -> str:
    if isinstance(text, Said):
        left = {
            name: _without(value, supposed) if isinstance(value, str) else value
            for name, value in text.names.items()
        }
        return Said(text.words, **left)
    return re.sub(rf"\b(?:{'|'.join(sorted(supposed))})", lambda found: found[0][:-1], text)


def _suits(count: int) -> Iterator[tuple[str, ...]]:
    """Yield the suits that so many cards can have.

    Suits in turn come first: of rows that pay the same, the one is said that needs no suit.
    """
    yield tuple(SUITS[place % len(SUITS)] for place in range(count))
    if count <= _EACH_WAY_MOST:
        yield from product(SUITS, repeat=count)
        return
    for suit in SUITS:
        yield (suit,) * count


def _is_suited(case: Mapping[str, Any]) -> bool:
    return len({str(name)[1:] for name in _named(case)}) <= 1


def _named(case: Mapping[str, Any]) -> list[Any]:
    """Return every card of the case, as it was told."""
    named: list[Any] = []
    for name in _LISTS:
        if isinstance(case.get(name), list):
            named += case[name]
    if "dealer_up" in case:
        named.append(case["dealer_up"])
    for hand in _split(case):
        named += hand["cards"]
    return named


def _split(case: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    extra = case.get("extra")
    hands = extra.get("split_hands") if isinstance(extra, Mapping) else None
    if not isinstance(hands, list):
        return []
    is_read = all(
        isinstance(hand, Mapping) and isinstance(hand.get("cards"), list) for hand in hands
    )
    return hands if is_read else []


def _filled(case: Mapping[str, Any], fill: Fill) -> dict[str, Any]:
    """Return the case with a suit for each card that has none."""

    def card(name: Any) -> Any:
        return fill(name) if is_rank(name) else name

    filled = dict(case)
    for field in _LISTS:
        if isinstance(filled.get(field), list):
            filled[field] = [card(name) for name in filled[field]]
    if "dealer_up" in filled:
        filled["dealer_up"] = card(filled["dealer_up"])
    return filled


def _dealt(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return the case with suits dealt out so that no card lies there more often than it must."""
    laid = Counter(name for name in _named(case) if not is_rank(name))

    def deal(rank: str) -> str:
        name = min((rank + suit for suit in SUITS), key=lambda suit: laid[suit])
        laid[name] += 1
        return name

    hands = _split(case)
    if not hands:
        return _filled(case, deal)
    split = [
        {**hand, "cards": [deal(name) if is_rank(name) else name for name in hand["cards"]]}
        for hand in hands
    ]
    # The two cards first dealt lie on the table once: they begin two of the hands.
    first = [str(hand["cards"][0]) for hand in split if hand["cards"]]
    player = case.get("player_cards")
    for name in player if isinstance(player, list) else ():
        if name in first:
            first.remove(name)

    def find(rank: str) -> str:
        begun = next((name for name in first if name[0] == rank), None)
        if begun is None:
            return deal(rank)
        first.remove(begun)
        return begun

    dealt = dict(case)
    if isinstance(player, list):
        dealt["player_cards"] = [find(name) if is_rank(name) else name for name in player]
    return {**_filled(dealt, deal), "extra": {**case["extra"], "split_hands": split}}
