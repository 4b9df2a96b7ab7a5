"""Roulette: settle any bet on one spin, with its odds and its proof.

A case has the pay table and, in `extra`, the `bet`, the `numbers` of an inside bet or `which` dozen
or column, and the `result`, the number in which the ball came to rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.facts import LIMITED_BET, Case, Terms, extra_of, stake, terms, whole
from pitboss.rules.games.game_modules import BetRule, GameModule, decided
from pitboss.rules.odds.wager_odds import RowOdds, WagerOdds
from pitboss.rules.paytables.pays import LOSE, Odds, Source
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import refuse
from pitboss.rules.roulette.layout import OUTSIDE, ZEROS, Numbers, Wheel, inside, spoken_number
from pitboss.rules.rounding import to_cents
from pitboss.rules.said import Said
from pitboss.rules.wagers.settlement import Settlement
from pitboss.rules.wagers.working import sentence, toke_notes

COMMON: Final = Source("Common rules", "Roulette")
PAYS: Final[Mapping[str, Odds]] = {
    "straight": Odds(35),
    "split": Odds(17),
    "street": Odds(11),
    "corner": Odds(8),
    "first_four": Odds(8),
    "five_number": Odds(6),
    "six_line": Odds(5),
    "column": Odds(2),
    "dozen": Odds(2),
    **dict.fromkeys(("red", "black", "odd", "even", "low", "high"), Odds(1)),
}
_EVEN: Final = frozenset(bet for bet, odds in PAYS.items() if odds == Odds(1))
_NAMES: Final[Mapping[str, str]] = {
    "straight": "Straight up",
    "six_line": "Six line",
    "first_four": "First four",
    "five_number": "Five number",
    "low": "1 to 18",
    "high": "19 to 36",
}
_TEXTS: Final[Mapping[str, str]] = {
    "straight": "One number.",
    "split": "Two numbers that touch on the layout.",
    "street": "Three numbers of one row, or three that meet at a zero.",
    "corner": "Four numbers that meet at one point.",
    "first_four": "0, 1, 2 and 3, with one zero.",
    "five_number": "0, 00, 1, 2 and 3, with two zeros.",
    "six_line": "Two rows next to each other.",
    "column": "Twelve numbers of one column. Zeros lose.",
    "dozen": "1 to 12, 13 to 24, or 25 to 36. Zeros lose.",
    "red": "The eighteen red numbers. Zeros lose, or half comes back.",
    "black": "The eighteen black numbers. Zeros lose, or half comes back.",
    "odd": "The eighteen odd numbers. Zeros lose, or half comes back.",
    "even": "The eighteen even numbers, zeros not among them.",
    "low": "1 to 18. Zeros lose, or half comes back.",
    "high": "19 to 36. Zeros lose, or half comes back.",
}


@dataclass(frozen=True, slots=True)
class Style:
    """A wheel, and whether an even-money bet gets half back on a zero."""

    name: str
    wheel: Wheel
    half_back: bool


STYLES: Final[Mapping[str, Style]] = {
    "double_zero": Style("double zero", Wheel.DOUBLE, False),
    "double_zero_surrender": Style("double zero with surrender", Wheel.DOUBLE, True),
    "single_zero": Style("single zero", Wheel.SINGLE, False),
    "single_zero_la_partage": Style("single zero with la partage", Wheel.SINGLE, True),
}
# How many numbers an inside bet names.
_NUMBERS: Final[Mapping[str, int]] = {
    "straight": 1,
    "split": 2,
    "street": 3,
    "corner": 4,
    "first_four": 4,
    "five_number": 5,
    "six_line": 6,
}
_CASE: Final = LIMITED_BET | {"bet", "numbers", "which", "result"}


def bet_name(bet: str) -> str:
    """Return what a bet is called.

    >>> bet_name("six_line"), bet_name("red")
    ('Six line', 'Red')
    """
    return _NAMES.get(bet, bet.capitalize())


def _pocket(value: object, wheel: Wheel, name: str) -> str:
    pocket = str(value) if type(value) is int else value
    if isinstance(pocket, str) and pocket in wheel.pockets:
        return pocket
    raise refuse(
        f"bad_{name}",
        Said(
            "{name}: {value} isn’t a number of a {wheel} zero wheel. Enter it again.",
            name=name,
            value=quoted(value),
            wheel=wheel.value,
        ),
    )


def covered(style: Style, bet: str, extra: Mapping[str, Any]) -> Numbers:
    """Return the numbers that a bet covers. Raises Refused for a bet that no layout has."""
    if "which" in extra and len(OUTSIDE.get(bet, ())) < 2:
        raise refuse(
            "bad_which", Said("{bet} is one bet. Leave out which.", bet=Said(bet_name(bet)))
        )
    if bet in OUTSIDE:
        sets = OUTSIDE[bet]
        if "numbers" in extra:
            raise refuse("bad_numbers", Said("{bet} names no numbers.", bet=Said(bet_name(bet))))
        if len(sets) == 1:
            return sets[0]
        return sets[whole(extra, "which", least=1, most=len(sets), default=0) - 1]
    if bet not in inside(style.wheel):
        raise refuse(
            "bet_not_offered",
            Said(
                "{bet} isn’t offered in {style}. Return the bet.",
                bet=Said(bet_name(bet)),
                style=style.name,
            ),
        )
    listed = extra.get("numbers")
    if not isinstance(listed, list | tuple):
        raise refuse("bad_numbers", "numbers must be a list of numbers of the layout.")
    numbers = frozenset(_pocket(item, style.wheel, "numbers") for item in listed)
    if len(numbers) != len(listed) or numbers not in inside(style.wheel)[bet]:
        raise refuse(
            "bad_numbers",
            Said(
                "No {bet} bet covers these numbers. Check the numbers.", bet=bet_name(bet).lower()
            ),
        )
    return numbers


def settle(case: Case) -> Settlement:
    """Settle one bet on one spin.

    >>> settle({"wager": "roulette", "paytable": "double_zero", "stake_cents": 500,
    ...         "extra": {"bet": "split", "numbers": [17, 20], "result": 17}}).working
    '17 black. Split (17, 20) pays 17 to 1, double zero. $5 wins $85.'
    """
    stake_cents, extra = stake(case), extra_of(case, _CASE)
    style, bet = STYLES[GAME.paytable(case)], GAME.bet(extra)
    numbers = covered(style, bet, extra)
    result = _pocket(extra.get("result"), style.wheel, "result")
    agreed = terms(stake_cents, {key: extra[key] for key in extra if key in LIMITED_BET})
    called = spoken_number(result).split(",")[0]
    named = bet_name(bet)
    if bet not in OUTSIDE:
        order = sorted(numbers, key=style.wheel.pockets.index)
        named = f"{named} ({', '.join(order)})"
    elif "which" in extra:
        named = f"{named} {extra['which']}"
    detail = {"result": result, "proof": prove(case)}
    if result in numbers:
        text = f"{called}. {named} pays {PAYS[bet]}, {style.name}."
        return decided(
            agreed, PAYS[bet], category=bet, rule=f"roulette.{bet}", text=text, detail=detail
        )
    if style.half_back and bet in _EVEN and result in ZEROS:
        return _half_back(agreed, called, named, style, detail)
    text = f"{called}. {named} loses."
    return decided(agreed, None, category=LOSE, rule="roulette.lose", text=text, detail=detail)


def _half_back(
    agreed: Terms, called: str, named: str, style: Style, detail: Mapping[str, Any]
) -> Settlement:
    """Give half of an even-money bet back on a zero."""
    stake_cents, options = agreed.stake_cents, agreed.options
    back_cents = to_cents(Fraction(stake_cents, 2), options.fractions_of_a_cent)
    used = [("fractions_of_a_cent", "R03")] if stake_cents % 2 else []
    text = (
        f"{called}. {named} gets half back, {style.name}. "
        f"{format_money(stake_cents)} gives back {format_money(back_cents)}."
    )
    payout_cents = back_cents - stake_cents
    notes = agreed.notes + toke_notes(agreed.is_dealer_bet, payout_cents)
    return Settlement(
        "half_back",
        payout_cents,
        None,
        "roulette.half_back",
        sentence(text, options=options, used=used, notes=notes),
        (*agreed.readings, *(reading for _, reading in used)),
        detail,
    )


def odds(case: Case) -> WagerOdds:
    """Return the exact odds of a bet, whichever of its numbers it covers.

    >>> str(odds({"paytable": "double_zero", "extra": {"bet": "five_number"}}).edge)
    '3/38'
    """
    extra = extra_of(case, frozenset({"bet"}))
    style, bet = STYLES[GAME.paytable(case)], GAME.bet(extra)
    sets = OUTSIDE.get(bet) or tuple(inside(style.wheel).get(bet, ()))
    if not sets:
        raise refuse(
            "bet_not_offered",
            Said(
                "{bet} isn’t offered in {style}. Return the bet.",
                bet=Said(bet_name(bet)),
                style=style.name,
            ),
        )
    pockets = style.wheel.pockets
    won = Fraction(len(sets[0]), len(pockets))
    rows = {bet: RowOdds(won, Fraction(PAYS[bet].to))}
    half = Fraction(0)
    if style.half_back and bet in _EVEN:
        half = Fraction(sum(pocket in ZEROS for pocket in pockets), len(pockets))
        rows["half_back"] = RowOdds(half, Fraction(-1, 2))
    rows[LOSE] = RowOdds(1 - won - half, Fraction(-1))
    kept = -sum((row.probability * row.pays for row in rows.values()), Fraction(0))
    return WagerOdds(kept, rows)


def prove(case: Case) -> list[str]:
    """Say what the number is and what the bet covers."""
    extra = extra_of(case, _CASE)
    style, bet = STYLES[GAME.paytable(case)], GAME.bet(extra)
    numbers = covered(style, bet, extra)
    result = _pocket(extra.get("result"), style.wheel, "result")
    listed = ", ".join(sorted(numbers, key=style.wheel.pockets.index))
    verb = "is" if result in numbers else "is not"
    return [
        f"The ball came to rest in {spoken_number(result)}.",
        f"{bet_name(bet)} covers {listed}.",
        f"{result} {verb} one of them.",
    ]


GAME: Final = GameModule(
    id="roulette",
    name="Roulette",
    paytables={key: style.name for key, style in STYLES.items()},
    bets={
        bet: BetRule(
            bet,
            bet_name(bet),
            _TEXTS[bet],
            COMMON,
            numbers=_NUMBERS.get(bet, 0),
            which=len(OUTSIDE[bet]) if len(OUTSIDE.get(bet, ())) > 1 else 0,
        )
        for bet in PAYS
    },
    settle=settle,
    odds=odds,
    prove=prove,
    main_bet="red",
    asks={
        "numbers": ("the numbers of an inside bet", {"type": "array", "items": {"type": "string"}}),
        "which": ("which dozen or column, from 1", {"type": "integer", "minimum": 1, "maximum": 3}),
        "result": ("the number in which the ball came to rest", {"type": "string"}),
    },
    without={
        key: frozenset({"five_number" if style.wheel is Wheel.SINGLE else "first_four"})
        for key, style in STYLES.items()
    },
)
