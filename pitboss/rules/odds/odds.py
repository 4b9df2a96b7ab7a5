"""Exact odds by case: the probability of every row of a pay table, and what the house keeps.

    answer(case: Mapping[str, Any]) -> dict[str, Any]          raises Refused

A game that is a module of its own answers for its own bets. Else the case names a `wager`, its
`paytable` (an id, or rows with odds of the house's own) and `decks`. `extra` may carry what is on
the meters (`jackpot_cents`, or `jackpots_cents` by name) and the `stake_cents` where a table prints
dollars, the dealer's `soft_17` for a Raise the Roof table of the house's own, the cards `seen` for
insurance, and house `options`. Figures are fractions in lowest terms, on a full shoe; `edge` is per
unit staked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pitboss.rules.book.options import DEFAULT_OPTIONS, HouseOptions, house_options
from pitboss.rules.facts import Case, amount, choice, extra_of, hand
from pitboss.rules.games.dealer import SOFT_17
from pitboss.rules.games.game_modules import game_modules
from pitboss.rules.odds.deal_counting import DEALS
from pitboss.rules.odds.raise_the_roof_odds import raise_the_roof_odds
from pitboss.rules.odds.side_bet_odds import insurance_odds, side_bet_odds
from pitboss.rules.odds.wager_odds import WagerOdds
from pitboss.rules.paytables.pays import PayTable
from pitboss.rules.paytables.paytables import METERS, house_pay_table, pay_table, read_by
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import refuse

DECKS_MAX: Final = 8
_SIDE_BET_EXTRA: Final = frozenset({"options", "jackpot_cents", "jackpots_cents", "stake_cents"})


def answer(case: Case) -> dict[str, Any]:
    """Return the odds of one wager as they are written on the wire.

    >>> found = answer({"wager": "trilux", "paytable": "TRI-01", "decks": 6})
    >>> found["edge"], found["categories"]["straight_flush"]
    ('4059/125333', {'probability': '1296/626665', 'pays': '9'})
    """
    return odds_of(case).as_answer()


def odds_of(case: Case) -> WagerOdds:
    """Return the odds of one wager. Raises Refused for a case that has none."""
    wager, decks, paytable = case.get("wager"), case.get("decks"), case.get("paytable")
    if isinstance(wager, str) and wager in game_modules():
        return game_modules()[wager].odds(case)
    if type(decks) is not int or not 1 <= decks <= DECKS_MAX:
        raise refuse("bad_decks", f"decks must be a whole number from 1 to {DECKS_MAX}.")
    if wager == "insurance":
        extra = extra_of(case, frozenset({"seen"}))
        seen = hand(extra.get("seen", ()), "seen")
        return insurance_odds(pay_table(wager, paytable), decks, seen=seen)
    if wager == "raise_the_roof":
        extra = extra_of(case, frozenset({"options", "soft_17"}))
        table = raise_the_roof_table(paytable, choice(extra, "soft_17", SOFT_17))
        return raise_the_roof_odds(table, decks, options=_options(extra))
    if not isinstance(wager, str) or wager not in DEALS:
        raise refuse(
            "no_odds",
            f"{quoted(wager)} has no odds of its own. Choose a side bet, insurance, or "
            "raise_the_roof. The main game depends on how it is played.",
        )
    extra = extra_of(case, _SIDE_BET_EXTRA)
    options = _options(extra)
    table = read_by(pay_table(wager, paytable), options)
    return side_bet_odds(
        table,
        decks,
        options=options,
        meters=_meters(wager, extra),
        stake_cents=_stake(table, extra),
    )


def _options(extra: Mapping[str, Any]) -> HouseOptions:
    return house_options(extra["options"]) if "options" in extra else DEFAULT_OPTIONS


def raise_the_roof_table(paytable: object, soft_17: str | None) -> PayTable:
    """Return the printed table, or the house's own with what its dealer does on a soft 17."""
    if isinstance(paytable, Mapping):
        return house_pay_table("raise_the_roof", paytable, soft_17=soft_17)
    table = pay_table("raise_the_roof", paytable)
    if soft_17 not in (None, table.soft_17):
        raise refuse(
            "soft_17_differs", f"Table {table.id} is for a dealer who must {table.soft_17} soft 17."
        )
    return table


def _meters(wager: str, extra: Mapping[str, Any]) -> dict[str, int]:
    """Read what is on the meters; one that is not named is empty."""
    known = METERS.get(wager, ())
    given: dict[str, object] = {}
    if "jackpot_cents" in extra:
        if len(known) != 1:
            raise refuse("unknown_meter", f"{wager} has no single meter: use jackpots_cents.")
        given[known[0]] = extra["jackpot_cents"]
    by_name = extra.get("jackpots_cents", {})
    if not isinstance(by_name, Mapping):
        raise refuse("bad_meters", "jackpots_cents must name meters and their cents.")
    given.update(by_name)
    unknown = [quoted(name) for name in given if name not in known]
    if unknown:
        raise refuse("unknown_meter", f"{wager} has no meter {', '.join(unknown[:5])}.")
    return {name: amount(cents, name) for name, cents in given.items()}


def _stake(table: PayTable, extra: Mapping[str, Any]) -> int | None:
    if "stake_cents" not in extra:
        return None
    stake_cents = amount(extra["stake_cents"], "stake_cents", least=1)
    if table.stakes_cents and stake_cents not in table.stakes_cents:
        allowed = " or ".join(str(stake) for stake in table.stakes_cents)
        raise refuse("stake_not_taken", f"{table.wager} takes {allowed} cents only.")
    return stake_cents
