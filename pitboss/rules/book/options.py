"""House options: where the documents can be read in more than one way, which reading is in force.

Each option is a named choice with a default. A property records its own choices with a date, like a
pay table; a verdict that depends on one says so in its working.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final

from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse


@dataclass(frozen=True, slots=True)
class Option:
    """One named choice: the readings it settles, what is asked, and the answers it may take.

    Each choice comes with the words that the working of a verdict uses for it.
    """

    name: str
    readings: tuple[str, ...]
    wagers: tuple[str, ...]
    question: str
    choices: Mapping[str, str]

    @property
    def default(self) -> str:
        return next(iter(self.choices))


_MAIN: Final = ("blackjack", "free_bet_coupon", "bet_bigger")
_EVERY: Final = ("every wager",)

OPTIONS: Final[tuple[Option, ...]] = (
    Option(
        "awards",
        ("R02",),
        _EVERY,
        "A hand that fits several rows of its pay table",
        {
            "highest_only": "only the highest award is paid",
            "cumulative": "every row the hand fits is paid",
        },
    ),
    Option(
        "fractions_of_a_cent",
        ("R03", "R73", "R83"),
        _EVERY,
        "A payout that is not a whole cent",
        {
            "down": "fractions of a cent are dropped",
            "nearest": "fractions of a cent go to the nearest cent, a half up",
            "up": "fractions of a cent are made up to the next cent",
        },
    ),
    Option(
        "natural_v_drawn_21",
        ("R11", "R22"),
        _MAIN,
        "A blackjack against a dealer's drawn 21",
        {"natural_wins": "a blackjack beats a drawn 21", "tie": "a blackjack only ties a drawn 21"},
    ),
    Option(
        "natural_after_check",
        ("R12",),
        ("bet_bigger",),
        "A blackjack when the dealer showed an ace or ten, checked, and has none",
        {
            "full_odds": "once the dealer has none, a blackjack is paid at full odds",
            "even_money": "against an ace or ten a blackjack is paid even money",
        },
    ),
    Option(
        "split_ace_ten",
        ("R13",),
        _MAIN,
        "Ace and ten on a split hand",
        {
            "twenty_one": "ace and ten after a split is 21, not a blackjack",
            "blackjack": "ace and ten after a split is a blackjack",
        },
    ),
    Option(
        "double_v_dealer_blackjack",
        ("R14",),
        _MAIN,
        "A doubled hand when the dealer shows blackjack",
        {
            "original_only": "only the original wager is lost to a dealer blackjack",
            "all": "a double is lost to a dealer blackjack as well",
        },
    ),
    Option(
        "split_v_dealer_blackjack",
        ("R15",),
        _MAIN,
        "Split hands when the dealer shows blackjack",
        {
            "original_and_busted": "the original and busted wagers are lost, the rest goes back",
            "original_again": "the original wager is lost again if its own hand had busted",
            "all": "every split wager is lost to a dealer blackjack",
        },
    ),
    Option(
        "insured_double_blackjack",
        ("R16",),
        ("blackjack",),
        "Both have blackjack, the bet is insured",
        {
            "push_and_insurance": "the bet pushes and insurance pays 2 to 1",
            "one_to_one": "the bet is paid 1 to 1 and the insurance goes back",
        },
    ),
    Option(
        "surrender_mode",
        ("R18",),
        ("blackjack", "bet_bigger"),
        "Surrender when the dealer has blackjack",
        {
            "late": "surrender is late: a dealer blackjack takes the whole wager",
            "early": "surrender is early: half is given back even against a dealer blackjack",
        },
    ),
    Option(
        "face_up_double_blackjack",
        ("R21",),
        ("blackjack",),
        "Face Up, player and dealer both have blackjack",
        {
            "dealer_wins": "the dealer wins every tie, blackjacks too",
            "push": "blackjack against blackjack pushes",
        },
    ),
    Option(
        "exposed_blackjack_v_natural",
        ("R27",),
        _MAIN,
        "A blackjack against a dealer's blackjack that counts as a plain 21",
        {"natural_wins": "a blackjack beats it", "push": "a blackjack pushes with it"},
    ),
    Option(
        "paid_natural_v_late_blackjack",
        ("R28",),
        ("blackjack",),
        "A blackjack already paid when a dealer blackjack comes to light",
        {
            "push": "the payout is returned and the bet pushes",
            "stays_paid": "what was paid stays paid",
        },
    ),
    Option(
        "bet_bigger_spot",
        ("R30",),
        ("bet_bigger",),
        "What a 2x, 3x, or 4x spot contains",
        {
            "one_ante": "each spot has one ante",
            "multiple": "a spot has as many antes as its name says",
        },
    ),
    Option(
        "bet_bigger_doubles",
        ("R32",),
        ("bet_bigger",),
        "Doubling several Bet Bigger spots",
        {
            "may_differ": "each spot may be doubled for its own amount",
            "equal": "every spot must be doubled for the same amount",
        },
    ),
    Option(
        "coupon_push",
        ("R33",),
        ("free_bet_coupon",),
        "A coupon on a tied hand",
        {"kept": "the player keeps the coupon", "collected": "the coupon is collected"},
    ),
    Option(
        "over_limit",
        ("R35",),
        _EVERY,
        "A bet over the limit after 'pay or take to the limit'",
        {
            "to_the_limit": "what exceeds the limit is neither paid nor taken",
            "whole_bet": "the whole bet is paid or taken",
        },
    ),
    Option(
        "bust_4567",
        ("R40",),
        ("raise_the_roof",),
        "Which bust counts as 4-5-6-7",
        {
            "any_order": "exactly a 4, 5, 6 and 7, drawn in any order",
            "in_order": "exactly 4, 5, 6, 7, drawn in that order",
            "among_others": "a 4, 5, 6 and 7 among the dealer's cards",
        },
    ),
    Option(
        "raise_multiples",
        ("R41",),
        ("raise_the_roof",),
        "How much a raise may be",
        {
            "whole": "a raise is 1, 2, 3, 4 or 5 times the ante",
            "any": "a raise is any amount from 1 to 5 times the ante",
        },
    ),
    Option(
        "ante_with_raise",
        ("R46",),
        ("raise_the_roof",),
        "What the ante pays when there is a raise",
        {
            "table_odds": "ante and raise are both paid at the table's odds",
            "even_money": "the ante is paid even money, only the raise at the table's odds",
        },
    ),
    Option(
        "pair_by",
        ("R50",),
        ("bet_the_set_21", "perfect_pair"),
        "What makes a pair",
        {
            "rank": "a pair is two cards of one printed rank",
            "value": "a pair is two cards of one value, so king and queen are a pair",
        },
    ),
    Option(
        "royal_match",
        ("R51",),
        ("royal_match_21",),
        "What a royal match is",
        {
            "king_queen": "a royal match is king and queen of one suit",
            "two_faces": "a royal match is any two different face cards of one suit",
        },
    ),
    Option(
        "ace_in_straight",
        ("R60",),
        ("trilux", "super_3"),
        "How an ace counts in a straight",
        {
            "high_or_low": "A-2-3 and Q-K-A are straights, K-A-2 is not",
            "high_only": "an ace is only high in a straight",
            "low_only": "an ace is only low in a straight",
            "round_the_corner": "a straight may run round the ace, K-A-2 as well",
        },
    ),
    Option(
        "mini_royal",
        ("R61",),
        ("trilux",),
        "What a mini royal is",
        {
            "suited": "a mini royal is ace, king and queen of one suit",
            "any_suits": "a mini royal is ace, king and queen of any suits",
        },
    ),
    Option(
        "three_identical_cards",
        ("R62",),
        ("trilux",),
        "Three identical cards",
        {
            "three_of_a_kind": "three identical cards are three of a kind",
            "flush": "three identical cards are a flush",
        },
    ),
    Option(
        "double_deck_pair",
        ("R63",),
        ("trilux",),
        "A pair on the double-deck 5 to 2 table",
        {
            "pair_loses": "the printed table has no pair, so a pair loses",
            "pair_pays_5:2": "a pair is paid 5 to 2 as well",
        },
    ),
    Option(
        "ace_nine",
        ("R70",),
        ("lucky_ladies",),
        "Ace and nine as a 20",
        {"is_20": "ace and nine is a 20", "is_not_20": "ace and nine isn’t a 20"},
    ),
    Option(
        "award_stake",
        ("R71",),
        ("lucky_ladies",),
        "The stake with an award in dollars",
        {
            "returned": "awards are profit and the stake goes back",
            "included": "an award includes the stake",
        },
    ),
    Option(
        "jackpot_shares",
        ("R72",),
        ("lucky_ladies",),
        "Several winners of one posted jackpot",
        {
            "divide_then_entitle": "the jackpot is divided by the winners, then 50% or 100% paid",
            "scale_entitlements": "each is owed 50% or 100%, scaled down if that is too much",
            "divide_and_cap": "the jackpot is divided equally, a $5 bet gets at most 50% of it",
        },
    ),
    Option(
        "one_seven_v_seven",
        ("R80",),
        ("blazing_7s",),
        "One seven in hand, a seven up",
        {
            "pays": "one seven pays whatever the dealer shows",
            "loses": "one seven does not pay when the dealer shows a seven",
        },
    ),
    Option(
        "blazing_stake",
        ("R81",),
        ("blazing_7s",),
        "The $5 collected before the deal",
        {
            "collected": "the $5 was collected before the deal and stays with the house",
            "returned": "the $5 goes back with an award",
        },
    ),
    Option(
        "same_jackpot_hand",
        ("R82",),
        ("blazing_7s",),
        "Two patrons with the same jackpot hand",
        {
            "shared": "the award is shared equally",
            "in_turn": "each is paid in turn from what the meter still has",
            "each_in_full": "each is paid in full",
        },
    ),
    Option(
        "meter_in_one_round",
        ("R85",),
        ("blazing_7s",),
        "Different jackpots in one round",
        {
            "frozen": "every hit of a round is paid on the meter frozen at its first entry",
            "reduced": "a later hit is paid on what the earlier ones left on the meter",
        },
    ),
)
OPTIONS_BY_NAME: Final[dict[str, Option]] = {option.name: option for option in OPTIONS}


@dataclass(frozen=True, slots=True)
class HouseOptions:
    """The choices in force at a property. Every field is one entry of `OPTIONS`.

    >>> HouseOptions(pair_by="value").pair_by
    'value'
    >>> HouseOptions(pair_by="colour")
    Traceback (most recent call last):
    pitboss.rules.refusal.Refused: pair_by cannot be 'colour'. Choose one of: rank, value.
    """

    awards: str = "highest_only"
    fractions_of_a_cent: str = "down"
    natural_v_drawn_21: str = "natural_wins"
    natural_after_check: str = "full_odds"
    split_ace_ten: str = "twenty_one"
    double_v_dealer_blackjack: str = "original_only"
    split_v_dealer_blackjack: str = "original_and_busted"
    insured_double_blackjack: str = "push_and_insurance"
    surrender_mode: str = "late"
    face_up_double_blackjack: str = "dealer_wins"
    exposed_blackjack_v_natural: str = "natural_wins"
    paid_natural_v_late_blackjack: str = "push"
    bet_bigger_spot: str = "one_ante"
    bet_bigger_doubles: str = "may_differ"
    coupon_push: str = "kept"
    over_limit: str = "to_the_limit"
    bust_4567: str = "any_order"
    raise_multiples: str = "whole"
    ante_with_raise: str = "table_odds"
    pair_by: str = "rank"
    royal_match: str = "king_queen"
    ace_in_straight: str = "high_or_low"
    mini_royal: str = "suited"
    three_identical_cards: str = "three_of_a_kind"
    double_deck_pair: str = "pair_loses"
    ace_nine: str = "is_20"
    award_stake: str = "returned"
    jackpot_shares: str = "divide_then_entitle"
    one_seven_v_seven: str = "pays"
    blazing_stake: str = "collected"
    same_jackpot_hand: str = "shared"
    meter_in_one_round: str = "frozen"

    def __post_init__(self) -> None:
        wrong = [
            Refusal(
                "bad_option",
                f"{field.name} cannot be {quoted(getattr(self, field.name))}. "
                f"Choose one of: {', '.join(OPTIONS_BY_NAME[field.name].choices)}.",
            )
            for field in fields(self)
            if getattr(self, field.name) not in OPTIONS_BY_NAME[field.name].choices
        ]
        if wrong:
            raise Refused(wrong)

    def words(self, name: str) -> str:
        """Say the choice in force for one option, as the working of a verdict does."""
        return OPTIONS_BY_NAME[name].choices[getattr(self, name)]

    def changed(self) -> dict[str, str]:
        """Return the choices that are not the defaults, as a case carries them.

        >>> HouseOptions(pair_by="value").changed()
        {'pair_by': 'value'}
        """
        chosen = {field.name: getattr(self, field.name) for field in fields(self)}
        return {n: choice for n, choice in chosen.items() if choice != OPTIONS_BY_NAME[n].default}


DEFAULT_OPTIONS: Final = HouseOptions()


def house_options(chosen: object) -> HouseOptions:
    """Return the defaults with the named choices in their place.

    >>> house_options({"ace_nine": "is_not_20"}).ace_nine
    'is_not_20'
    """
    if not isinstance(chosen, Mapping):
        raise refuse("bad_options", "options must name house options and their choices.")
    for name, choice in chosen.items():
        if name not in OPTIONS_BY_NAME:
            raise refuse("unknown_option", f"House option {quoted(name)} not found.")
        if not isinstance(choice, str):
            raise refuse("bad_option", f"{name} takes the name of a choice.")
    return _house_options(tuple(sorted(chosen.items())))


@lru_cache(maxsize=256)
def _house_options(chosen: tuple[tuple[str, str], ...]) -> HouseOptions:
    changes: dict[str, Any] = dict(chosen)
    return replace(DEFAULT_OPTIONS, **changes)
