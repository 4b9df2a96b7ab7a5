"""Drills: hands of the house's own games, dealt to practice what each bet is owed.

A drill is a number: the same number at the same table deals the same hand, so nothing but it is
kept until it is answered. Hands that win come up more often than in a shoe; losing ones are quick
to learn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from pitboss.rules.cards.playing_cards import DECK, Card, hand_total, is_blackjack
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.games.dealer import must_draw
from pitboss.rules.games.games import TableRules, spoken
from pitboss.rules.payouts.check import PayoutVerdict, TableNow, check_payout
from pitboss.rules.payouts.claims import read_claim
from pitboss.rules.payouts.jackpots import is_entered
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.wagers.wager_cards import cards_of

NUMBER_MAX: Final = 2**31
# A hand that wins is looked for so often; then what was dealt last is asked.
_TRIES: Final = 40
_MAIN: Final = "blackjack"
_LOSES_ONE_IN: Final = 5
_STAKES_CENTS: Final = (500, 1_000, 1_500, 2_500, 4_000, 5_000, 7_500, 10_000, 15_000, 22_500)


@dataclass(frozen=True, slots=True)
class Drill:
    """One question: a bet with its cards, and the verdict that answers it."""

    number: int
    wager: str
    stake_cents: int
    raise_cents: int
    player: tuple[str, ...]
    dealer: tuple[str, ...]
    owed_cents: int
    working: str

    @property
    def question(self) -> str:
        """Ask what is owed, in the words of the table."""
        raised = f" and a raise of {format_money(self.raise_cents)}" if self.raise_cents else ""
        name = spoken(self.wager)
        bet = format_money(self.stake_cents)
        return f"{name[0].upper()}{name[1:]}, {bet}{raised}. What do you pay?"


def wagers_drilled(now: TableNow) -> list[str]:
    """Return the bets of a table that are drilled: what its dealer pays without a meter."""
    return [
        wager
        for wager in now.terms.paytables
        if wager == _MAIN or wager in now.terms.rules.side_bets
    ]


def deal_drill(now: TableNow, number: int) -> Drill:
    """Deal the drill of a number at a table. Raises Refused where the table has nothing to drill.

    >>> from datetime import date
    >>> from pitboss.rules.games.games import table_rules
    >>> from pitboss.rules.games.printed import GAMES
    >>> from pitboss.rules.payouts.check import TableTerms
    >>> rules = table_rules(GAMES["classic"], minimum_cents=2_500, maximum_cents=200_000)
    >>> now = TableNow(TableTerms.of(rules), {}, date(2026, 5, 1))
    >>> deal_drill(now, 7) == deal_drill(now, 7)
    True
    """
    wagers = wagers_drilled(now)
    if not wagers:
        raise refuse("nothing_to_drill", "This table has no bet to practice. Choose another.")
    # No secret and no money hangs on it: the same number must deal the same hand.
    deal = Random(number)
    wager = deal.choice(wagers)
    may_lose = deal.randrange(_LOSES_ONE_IN) == 0
    found: Drill | None = None
    for _ in range(_TRIES):
        dealt = _deal(now, wager, number, deal)
        if dealt is None:
            continue
        found = dealt
        if dealt.owed_cents or may_lose:
            break
    if found is None:
        raise refuse("nothing_to_drill", "This table has no bet to practice. Choose another.")
    return found


def _deal(now: TableNow, wager: str, number: int, deal: Random) -> Drill | None:
    """Deal one hand; none where it is a jackpot's, or no one can say what it is owed."""
    rules = now.terms.rules
    shoe = list(DECK) * rules.decks
    deal.shuffle(shoe)
    player, dealer = _hands(wager, shoe, rules, deal)
    stake_cents = _stake(now, wager, deal)
    raise_cents = stake_cents * deal.randrange(6) if wager == "raise_the_roof" else 0
    if is_blackjack(dealer):
        raise_cents = 0
    claim = {
        "wager": wager,
        "stake_cents": stake_cents,
        "paid_cents": 0,
        **_shown(wager, player, dealer),
        **({"extra": {"raise_cents": raise_cents}} if raise_cents else {}),
    }
    try:
        verdict = check_payout(read_claim(claim), now)
    except Refused:
        return None
    settled, owed_cents = verdict.settlement, verdict.payable_cents
    if settled is None or owed_cents is None or _is_jackpot(verdict):
        return None
    return Drill(
        number,
        wager,
        stake_cents,
        raise_cents,
        tuple(card.name for card in player),
        tuple(card.name for card in dealer),
        owed_cents,
        settled.working,
    )


def _is_jackpot(verdict: PayoutVerdict) -> bool:
    assert verdict.paytable is not None, "what is settled is settled by a pay table"
    assert verdict.settlement is not None, "only what is settled is asked"
    return is_entered(verdict.paytable, verdict.settlement.category)


def _hands(
    wager: str, shoe: list[Card], rules: TableRules, deal: Random
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Deal as many cards as decide the bet, and play both hands where it is decided by them."""
    cards = cards_of(wager)
    least_player, least_dealer = cards.player[0], cards.dealer[0]
    is_side_bet = wager in rules.side_bets and cards.player[1] == least_player > 0
    together = _near(shoe, least_player + least_dealer, deal) if is_side_bet else []
    player = together[:least_player] or [shoe.pop() for _ in range(least_player)]
    dealer = together[least_player:] or [shoe.pop() for _ in range(least_dealer)]
    if cards.player[1] > least_player:
        while hand_total(player)[0] < 17 and not is_blackjack(dealer):
            player.append(shoe.pop())
    if cards.dealer[1] > least_dealer and (wager != _MAIN or hand_total(player)[0] <= 21):
        while must_draw(*hand_total(dealer), rules.soft_17):
            dealer.append(shoe.pop())
    return tuple(player), tuple(dealer)


def _near(shoe: list[Card], count: int, deal: Random) -> list[Card]:
    """Take cards that go together more often than a shoe would deal them: such hands pay."""
    taken = [shoe.pop()]
    while len(taken) < count:
        first = taken[0]
        near = [
            place
            for place, card in enumerate(shoe)
            if card.order == first.order
            or (card.suit == first.suit and abs(card.order - first.order) <= count)
        ]
        is_near = near and deal.randrange(3) > 0
        taken.append(shoe.pop(deal.choice(near) if is_near else -1))
    return taken


def _shown(wager: str, player: tuple[Card, ...], dealer: tuple[Card, ...]) -> Mapping[str, Any]:
    names = [card.name for card in dealer]
    fields: dict[str, Any] = {}
    if player:
        fields["player_cards"] = [card.name for card in player]
    if names:
        field = cards_of(wager).dealer_field
        fields[field] = names[0] if field == "dealer_up" else names
    return fields


def _stake(now: TableNow, wager: str, deal: Random) -> int:
    table = now.terms.paytables[wager]
    side_bet = now.terms.rules.side_bets.get(wager)
    least = side_bet.minimum_cents if side_bet else now.terms.rules.minimum_cents
    most = now.terms.maximum_cents(wager)
    stakes = table.stakes_cents or [item for item in _STAKES_CENTS if least <= item <= most]
    return deal.choice(stakes or [least])
