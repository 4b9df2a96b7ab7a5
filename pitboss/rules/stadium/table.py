"""A stadium round as the terminal records it, read from a case and checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pitboss.rules import facts
from pitboss.rules.cards.playing_cards import Card, cards, is_blackjack
from pitboss.rules.paytables.pays import Odds
from pitboss.rules.paytables.printed import PAY_TABLES
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.stadium.play import DECISIONS
from pitboss.rules.stadium.selected import StadiumRules, stadium_rules

Read = TypeVar("Read")

_EXTRA: Final = frozenset({"community", "decisions", "insurance_cents", "rules", "dealer_bet"})


@dataclass(frozen=True, slots=True)
class StadiumTable:
    """A case, read and checked."""

    odds: tuple[int, int]
    stake_cents: int
    player: tuple[Card, ...]
    up: Card
    community: tuple[Card, ...]
    decisions: tuple[str, ...]
    insurance_cents: int
    rules: StadiumRules
    is_dealer_bet: bool

    @property
    def up_may_be_blackjack(self) -> bool:
        return self.up.is_ace or self.up.is_ten


def read_table(case: Mapping[str, Any]) -> StadiumTable:
    """Check every part of a case and refuse it with all its faults."""
    refusals: list[Refusal] = []

    def attempt(read: Callable[[], Read]) -> Read | None:
        try:
            return read()
        except Refused as refused:
            refusals.extend(refused.refusals)
            return None

    extra = facts.extra_of(case, _EXTRA)
    odds = attempt(lambda: _read_odds(case.get("paytable")))
    stake_cents = attempt(lambda: facts.stake(case))
    player = attempt(lambda: _read_cards("player_cards", case.get("player_cards"), 2))
    up = attempt(lambda: _read_up(case))
    community = attempt(lambda: _read_cards("community", extra.get("community")))
    decisions = attempt(lambda: _read_decisions(extra.get("decisions")))
    insurance = attempt(lambda: _read_insurance(extra.get("insurance_cents", 0)))
    rules = attempt(lambda: stadium_rules(extra.get("rules")))
    is_dealer_bet = attempt(lambda: facts.flag(extra, "dealer_bet"))
    if (
        odds is None
        or stake_cents is None
        or player is None
        or up is None
        or community is None
        or decisions is None
        or insurance is None
        or rules is None
        or is_dealer_bet is None
    ):
        raise Refused(refusals)
    table = StadiumTable(
        odds, stake_cents, player, up, community, decisions, insurance, rules, is_dealer_bet
    )
    refusals += _table_faults(table)
    if refusals:
        raise Refused(refusals)
    return table


def _read_odds(name: object) -> tuple[int, int]:
    table = PAY_TABLES["stadium_blackjack"].get(name) if isinstance(name, str) else None
    if table is None:
        raise refuse("unknown_paytable", "A stadium blackjack pays 3:2 or 6:5.")
    pay = table.pays["blackjack"]
    assert isinstance(pay, Odds)
    return pay.to, pay.per


def _read_cards(name: str, value: object, count: int | None = None) -> tuple[Card, ...]:
    if not isinstance(value, list) or (count is not None and len(value) != count):
        wanted = "a list of cards" if count is None else f"{count} cards"
        raise refuse("bad_cards", f"{name} must be {wanted}.")
    return cards(value)


def _read_up(case: Mapping[str, Any]) -> Card:
    dealt = facts.dealer_hand(case)
    if not dealt:
        raise refuse("missing_dealer_cards", "Add the dealer's card as dealer_up.")
    if len(dealt) > 1:
        raise refuse(
            "bad_cards", "A stadium dealer is dealt one card. The cards that follow are community."
        )
    return dealt[0]


def _read_decisions(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise refuse("bad_decision", "decisions must be a list.")
    for decision in value:
        if decision not in DECISIONS:
            raise refuse(
                "bad_decision",
                f"{quoted(decision)} isn’t a decision. Use one of: {', '.join(DECISIONS)}.",
            )
    return tuple(value)


def _read_insurance(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise refuse("bad_insurance", "insurance_cents must be a whole number from 0.")
    return value


def _table_faults(table: StadiumTable) -> list[Refusal]:
    faults = []
    if table.insurance_cents and not table.up.is_ace:
        faults.append(
            Refusal(
                "insurance_without_ace",
                "Insurance is offered only against an ace. Check the up card.",
            )
        )
    if table.insurance_cents * 2 > table.stake_cents:
        faults.append(
            Refusal("insurance_over_half", "Insurance is at most half the wager. Return the extra.")
        )
    counted = Counter((*table.player, table.up, *table.community))
    faults += [
        Refusal(
            "too_many_of_a_card",
            f"{held.face} appears {count} times; the shoe has {table.rules.decks}. "
            "Check the cards.",
        )
        for held, count in counted.items()
        if count > table.rules.decks
    ]
    if is_blackjack(table.player):
        faults += _blackjack_decision_faults(table)
    return faults


def _blackjack_decision_faults(table: StadiumTable) -> list[Refusal]:
    faults = []
    if len(table.decisions) > 1:
        faults.append(Refusal("surplus_decision", "A blackjack is asked at most once."))
    for decision in sorted({*table.decisions} & {"hit", "double", "split", "surrender"}):
        faults.append(
            Refusal("blackjack_complete", f"A blackjack is complete: no {decision} on it.")
        )
    if "even_money" in table.decisions:
        if not table.up.is_ace:
            faults.append(
                Refusal(
                    "even_money_without_ace",
                    "Even money is offered only against an ace. Check the up card.",
                )
            )
        if table.insurance_cents:
            faults.append(Refusal("even_money_insured", "Take even money or insurance, not both."))
    return faults
