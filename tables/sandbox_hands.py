"""Test hands for a vendor's terminal, for the wagers of one table. The rules say what is owed.

Only the hands are written here. A verdict is never: it is asked of the rules in force at the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pitboss.models import Table
from pitboss.rules.payouts.check import TableTerms, Verdict
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services import house
from tables.api.examples import CHECKS
from tables.services.checks import what_if

_SEAT: Final = 5
_MAIN: Final = "blackjack"
# A side bet that loses, by rank and suit; and one told by rank alone, as a quick dealer enters it.
_LOSES: Final[Mapping[str, Any]] = {
    "player_cards": ["2c", "9d"],
    "dealer_up": "6s",
    "dealer_cards": ["6s", "Kd"],
}


def hands_to_try(table: Table) -> list[dict[str, Any]]:
    """Return every test hand of a table: what to send to `checks`, and what must come back."""
    rules = rules_in_force(table, house.settings_at(house.now()))
    terms = TableTerms.of(rules)
    stakes = {wager: bet.minimum_cents for wager, bet in rules.side_bets.items()}
    hands: list[dict[str, Any]] = []
    for wager in terms.paytables:
        if wager not in CHECKS:
            continue
        stake = stakes.get(wager, rules.minimum_cents * 2)
        dealt = list(_dealt(wager, stake, rules.maximum_cents))
        for number, (name, words, claim) in enumerate(dealt):
            hands += _told(table, f"{wager}_{name}", words, claim, is_first=number == 0)
    return hands


def _dealt(wager: str, stake: int, most: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield hands of a wager: a name, words, and what a terminal sends but for what is paid."""
    if wager == _MAIN:
        yield from _blackjack(stake, most)
        return
    claim = {name: value for name, value in CHECKS[wager].items() if name != "paid_cents"}
    if not any(name.endswith("_cents") for name in claim.get("extra", {})):
        claim["stake_cents"] = stake
    claim = {"wager": wager, **claim}
    yield "example", "the hand of the schema’s example", claim
    if wager in ("insurance", "free_bet_coupon", "bet_bigger", "raise_the_roof"):
        return
    loses = {name: cards for name, cards in _LOSES.items() if name in claim}
    plain = {name: value for name, value in claim.items() if name != "extra"}
    if wager != "stadium_blackjack":
        yield "loses", "a hand that the pay table doesn’t have", {**plain, **loses}
    if "extra" not in claim:
        ranks = {"player_cards": [card[0] for card in claim["player_cards"]]}
        yield "by_rank", "the same cards without their suits", {**claim, **ranks}


def _blackjack(stake: int, most: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    wins, nine = ["Th", "9d"], ["9s", "8h"]
    doubled = ["5h", "6d", "9c"]
    split = [
        {"cards": ["8h", "Th"]},
        {"cards": ["8d", "3c", "Kh"], "double_cents": stake},
    ]
    hands: tuple[tuple[str, str, list[str], list[str], dict[str, Any]], ...] = (
        ("wins", "19 against 17", wins, nine, {}),
        ("natural", "a blackjack against 17", ["Ah", "Kd"], nine, {}),
        ("pushes", "17 against 17", ["Th", "7d"], nine, {}),
        ("loses", "16 against 17", ["Th", "6d"], nine, {}),
        ("busts", "a hand over 21", ["Th", "6d", "9c"], nine, {}),
        ("dealer_busts", "13 while the dealer goes over 21", ["Th", "3d"], ["9s", "6h", "Kc"], {}),
        ("dealer_natural", "20 against a blackjack", ["Th", "Kd"], ["As", "Kh"], {}),
        ("two_naturals", "a blackjack against a blackjack", ["Ah", "Kd"], ["As", "Kh"], {}),
        ("doubled", "doubled for the stake", doubled, nine, {"double_cents": stake}),
        ("doubled_for_less", "doubled for half", doubled, nine, {"double_cents": stake // 2}),
        ("split", "eights split, one doubled", ["8h", "8d"], nine, {"split_hands": split}),
        ("surrendered", "surrendered", ["Th", "6d"], nine, {"surrender": True}),
        ("by_rank", "19 against 17, without suits", ["T", "9"], ["9", "8"], {}),
        ("cannot_be", "a dealer who stopped on 12", wins, ["9s", "3h"], {}),
    )
    for name, words, player, dealer, extra in hands:
        yield name, words, _claim(stake, player, dealer, extra)
    yield "at_the_maximum", "19 against 17 with the highest bet", _claim(most, wins, nine, {})


def _claim(
    stake: int, player: list[str], dealer: list[str], extra: Mapping[str, Any]
) -> dict[str, Any]:
    claim = {
        "wager": _MAIN,
        "stake_cents": stake,
        "player_cards": player,
        "dealer_cards": dealer,
        "seat": _SEAT,
    }
    return {**claim, "extra": dict(extra)} if extra else claim


def _told(
    table: Table, name: str, words: str, claim: Mapping[str, Any], *, is_first: bool
) -> Iterator[dict[str, Any]]:
    """Yield a hand paid right; the first of each wager also paid too much and too little."""
    owed = what_if(table=table, keyed={**claim, "paid_cents": 0}, at=None)
    if owed.verdict is Verdict.CANNOT_VERIFY or owed.payable_cents is None:
        yield _hand(table, name, words, {**claim, "paid_cents": claim["stake_cents"]})
        return
    payable = owed.payable_cents
    yield _hand(table, name, words, {**claim, "paid_cents": payable})
    if is_first:
        over = payable + claim["stake_cents"]
        yield _hand(table, f"{name}_overpaid", f"{words}, overpaid", {**claim, "paid_cents": over})
        if payable:
            under = payable // 2
            fields = {**claim, "paid_cents": under}
            yield _hand(table, f"{name}_underpaid", f"{words}, underpaid", fields)


def _hand(table: Table, name: str, words: str, check: dict[str, Any]) -> dict[str, Any]:
    found = what_if(table=table, keyed=check, at=None)
    return {
        "hand": name,
        "words": words,
        "check": check,
        "answer": {
            "verdict": found.verdict.value,
            "expected_cents": found.settlement.payout_cents if found.settlement else None,
            "payable_cents": found.payable_cents,
            "level": found.level.value,
            "reasons": [reason.code for reason in found.reasons],
        },
    }
