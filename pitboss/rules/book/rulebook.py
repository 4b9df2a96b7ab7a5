"""The rule book: every rule id a verdict may carry, where it is written, and what it says.

The ids are public and stable: slips, reports and disputes quote them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pitboss.rules.paytables.pays import LOSE, Source
from pitboss.rules.paytables.printed import (
    BET_BIGGER,
    FACE_UP,
    MANUAL,
    PAY_TABLES,
    RAISE_THE_ROOF,
    STADIUM,
)
from pitboss.rules.stadium import stadium


@dataclass(frozen=True, slots=True)
class Rule:
    """One clause that can decide a wager, in our own words."""

    id: str
    wager: str
    source: Source
    text: str
    readings: tuple[str, ...] = ()


# In which order a table is paid, as a dealer does it.
PAYING_ORDER: Final[tuple[tuple[Source, str], ...]] = (
    (
        Source(MANUAL, "Trilux Procedures 4; Taking and Paying 1"),
        "Side bets are settled before anyone draws, hand by hand from the dealer's right "
        "(third base) to the left.",
    ),
    (
        Source(MANUAL, "Trilux Procedures 5; Blazing 7's Dealing Procedures 6"),
        "At each hand a Blazing 7's award is paid before TriLux and Super 3 are taken "
        "or paid. A jackpot hand is entered immediately and paid after it is confirmed.",
    ),
    (
        Source(MANUAL, "Trilux Procedures 7"),
        "After the player's award comes the envy bonus for the dealers, from the cheque tray, and "
        "then the dealer bets of that hand.",
    ),
    (
        Source(MANUAL, "Insurance Wagers 2; Use of the Ace Finder"),
        "Only when all side bets are settled is insurance offered and the hole card checked.",
    ),
    (
        Source(FACE_UP, "4"),
        "In Face Up the 2-Card and 4-Card Bonus are settled before the first decision.",
    ),
    (
        Source(MANUAL, "Taking and Paying 1, 2; Tokes 5"),
        "When the dealer's hand is finished, the main bets are settled from right to "
        "left, one hand at a time: the player's bet first, then the dealer bet next to "
        "it.",
    ),
    (
        Source(RAISE_THE_ROOF, "Dealing the Game 5"),
        "Raise the Roof is settled once the dealer's hand is finished.",
    ),
    (
        Source(MANUAL, "Tokes 2, 5"),
        "A winning dealer bet and its payoff come down; a tied dealer bet stays up.",
    ),
)

_WAGERS: Final = Source(MANUAL, "Wagers 1, 2, 5")
_BLACKJACK: Final[Mapping[str, tuple[Source, str, tuple[str, ...]]]] = {
    "player_blackjack": (
        Source(MANUAL, "Blackjack Payouts 1, 2"),
        "An ace and a ten-value card as the first two cards win at the table's blackjack odds "
        "unless the dealer has the same.",
        ("R11", "R12", "R20", "R22"),
    ),
    "push_blackjack": (
        Source(MANUAL, "Blackjack Payouts 2"),
        "Blackjack against blackjack pushes.",
        ("R16", "R21"),
    ),
    "dealer_blackjack": (
        Source(MANUAL, "Use of the Ace Finder 1, 2"),
        "A dealer's blackjack beats every other hand, a drawn 21 included.",
        (),
    ),
    "dealer_blackjack_doubled": (
        Source(MANUAL, "Irregularities 2"),
        "When a dealer's blackjack comes to light after a double, the original wager is lost and "
        "the double goes back.",
        ("R14",),
    ),
    "player_bust": (
        _WAGERS,
        "A hand over 21 loses all that is wagered on it, whatever the dealer makes.",
        (),
    ),
    "dealer_bust": (_WAGERS, "When the dealer busts, every hand still in play wins 1 to 1.", ()),
    "player_wins": (_WAGERS, "The higher total wins 1 to 1.", ("R13",)),
    "dealer_wins": (_WAGERS, "A hand lower than the dealer's loses.", ()),
    "push": (_WAGERS, "Equal totals push.", ("R11", "R13")),
    "tie_lost": (
        Source(FACE_UP, "Overview 2; 6"),
        "In Face Up the dealer wins equal totals.",
        ("R21", "R22"),
    ),
    "even_money": (
        Source(MANUAL, "Insurance Wagers 4"),
        "A blackjack against an ace may be paid 1 to 1 immediately.",
        (),
    ),
    "surrender": (
        Source(STADIUM, "5.f"),
        "A hand given up on its first two cards loses half its wager.",
        ("R03", "R18"),
    ),
    "surrender_refused_dealer_blackjack": (
        Source(STADIUM, "5.f"),
        "Where surrender is late, a dealer's blackjack takes the whole wager.",
        ("R18",),
    ),
    "split": (
        Source(MANUAL, "Splitting Pairs 1-4"),
        "Each hand of a split pair is settled on its own; ace and ten are 21, paid 1 to 1.",
        ("R13",),
    ),
    "split_dealer_blackjack": (
        Source(MANUAL, "Irregularities 2"),
        "A dealer's blackjack takes busted hands whole and the original wager once; what was added "
        "to split or double goes back.",
        ("R14", "R15"),
    ),
    "exposed_hole_card": (
        Source(MANUAL, "Irregularities 1"),
        "When the hole card was shown by mistake, a dealer's blackjack counts as a plain 21.",
        ("R27",),
    ),
    "paid_natural_reversed": (
        Source(MANUAL, "Irregularities 2"),
        "A blackjack paid before the dealer's came to light becomes a push: the payout "
        "is returned.",
        ("R28",),
    ),
    "paid_natural_stays": (
        Source(MANUAL, "Irregularities 2"),
        "A house may leave a blackjack paid although the dealer's came to light later.",
        ("R28",),
    ),
}
_NOT_IN_BET_BIGGER: Final = frozenset(
    {"tie_lost", "exposed_hole_card", "paid_natural_reversed", "paid_natural_stays"}
)

_INSURANCE_AND_COUPONS: Final[Mapping[str, tuple[Source, str, tuple[str, ...]]]] = {
    "insurance.insurance_wins": (
        Source(MANUAL, "Insurance Wagers 1.A; Wagers 5"),
        "Insurance wins 2 to 1 when the dealer's ace has a ten-value card with it.",
        ("R17",),
    ),
    "insurance.insurance_loses": (
        Source(MANUAL, "Insurance Wagers 1.B"),
        "Insurance loses when the dealer's second card isn’t a ten.",
        ("R17",),
    ),
    "free_bet_coupon.coupon_win": (
        Source(MANUAL, "Free Bet Coupons 1"),
        "A winning coupon is paid its face value, even money, also on a blackjack.",
        ("R33",),
    ),
    "free_bet_coupon.coupon_lose": (
        Source(MANUAL, "Free Bet Coupons 1"),
        "A losing coupon is collected; no cash is lost.",
        ("R33",),
    ),
    "free_bet_coupon.coupon_push": (
        Source(MANUAL, "Free Bet Coupons 1"),
        "A tied coupon pays nothing and stays with the player.",
        ("R33",),
    ),
}

_BUST: Final = "When the dealer's last card, {card}, makes a bust, an ante alone wins 1 to 1, and "
_BOTH: Final = "ante and raise win at the table's odds."
_SIDE_BETS: Final[Mapping[str, Mapping[str, tuple[str, tuple[str, ...]]]]] = {
    "raise_the_roof": {
        "bust_4567_suited": (
            "A bust with exactly a 4, 5, 6 and 7 of one suit, in any order.",
            ("R02", "R40", "R43", "R46"),
        ),
        "bust_4567_unsuited": (
            "A bust with exactly a 4, 5, 6 and 7 not all of one suit, in any order.",
            ("R02", "R40", "R43", "R46"),
        ),
        "bust_6": (_BUST.format(card="a 6") + _BOTH, ("R41", "R42", "R46")),
        "bust_7": (_BUST.format(card="a 7") + _BOTH, ("R41", "R42", "R43", "R46")),
        "bust_8": (_BUST.format(card="an 8") + _BOTH, ("R41", "R42", "R46")),
        "bust_9": (_BUST.format(card="a 9") + _BOTH, ("R41", "R42", "R46")),
        "bust_10": (_BUST.format(card="a ten or face card") + _BOTH, ("R41", "R42", "R46")),
        "no_bust": (
            "When the dealer does not bust, ante and raise lose. The dealer plays the hand out for "
            "this bet even when every blackjack hand has ended.",
            ("R49",),
        ),
        "dealer_blackjack": (
            "A dealer's blackjack isn’t a bust: the ante loses, and no raise can have been made.",
            ("R48",),
        ),
    },
    "bet_the_set_21": {
        "suited_pair": ("Two identical first cards.", ("R52",)),
        "pair": ("Two first cards of one rank.", ("R50",)),
        LOSE: ("Two first cards that are no pair.", ("R50",)),
    },
    "royal_match_21": {
        "royal_match": ("King and queen of one suit as the first two cards.", ("R51",)),
        "suited": ("Any other two first cards of one suit.", ("R51",)),
        LOSE: ("Two first cards of different suits.", ()),
    },
    "perfect_pair": {
        "suited_pair": ("Two identical first cards.", ("R52",)),
        "non_suited_pair": ("Two first cards of one rank, of different suits.", ("R50",)),
        LOSE: ("Two first cards of different ranks.", ("R50",)),
    },
    "trilux": {
        "mini_royal": ("Ace, king and queen of one suit, where the table has the row.", ("R61",)),
        "straight_flush": ("Three cards in sequence and of one suit.", ("R60", "R61")),
        "three_of_a_kind": ("Three cards of one rank, identical ones too.", ("R62",)),
        "straight": ("Three cards in sequence; an ace is high or low.", ("R60",)),
        "flush": ("Three cards of one suit.", ("R62",)),
        "pair": ("Two cards of one rank, only where the house's table pays it.", ("R63",)),
        LOSE: ("No row fits the player's two cards and the dealer's first.", ("R60", "R63")),
    },
    "super_3": {
        "suited_three_of_a_kind": ("Three identical cards.", ()),
        "straight_flush": ("Three cards in sequence and of one suit.", ("R60",)),
        "three_of_a_kind": ("Three cards of one rank.", ()),
        LOSE: ("Less than three of a kind, and no straight flush.", ("R60", "R65")),
    },
    "match_the_dealer": {
        "two_suited": ("Both first cards match the dealer's in rank and suit.", ()),
        "one_non_suited_one_suited": (
            "Both first cards match the dealer's in rank, one of them in suit too.",
            (),
        ),
        "one_suited": ("One first card matches the dealer's in rank and suit.", ()),
        "two_non_suited": ("Both first cards match the dealer's in rank only.", ()),
        "one_non_suited": ("One first card matches the dealer's in rank only.", ()),
        LOSE: ("Neither first card matches the dealer's in rank.", ("R75",)),
    },
    "lucky_ladies": {
        "three_queens_hearts": (
            "Two queens of hearts and a third with the dealer: half the MEGA jackpot for $5, all "
            "of it for $10; several winners share.",
            ("R71", "R72", "R73"),
        ),
        "three_queens_same_suit": (
            "Three queens of one suit other than hearts: half or all of the MAJOR jackpot.",
            ("R71", "R72", "R73"),
        ),
        "three_queens_same_colour": (
            "Three queens of one color: half or all of the MINOR jackpot.",
            ("R71", "R72", "R73"),
        ),
        "three_queens": ("Any three queens.", ("R71",)),
        "matched_20": ("Two identical cards that make 20.", ("R02", "R71")),
        "suited_20": ("Two cards of one suit that make 20.", ("R70", "R71")),
        "non_suited_20": ("Two cards of different suits that make 20.", ("R70", "R71")),
        LOSE: ("First cards that do not make 20.", ("R70",)),
    },
    "blazing_7s": {
        "three_sevens_same_suit": (
            "Three sevens of one suit: the whole meter; the same hand twice shares it.",
            ("R81", "R82", "R83", "R85"),
        ),
        "three_sevens_same_colour": (
            "Three sevens of one color: a tenth of the meter; the same hand twice shares it.",
            ("R81", "R82", "R83", "R85"),
        ),
        "three_sevens_mixed": ("Three sevens of both colors.", ("R81",)),
        "two_sevens": ("Two sevens in hand, no seven up.", ("R81",)),
        "one_seven": ("One seven in hand, whatever the dealer shows.", ("R80", "R81")),
        LOSE: ("No seven in hand; the $5 was collected before the deal.", ("R80", "R81")),
    },
    "two_card_bonus": {
        "suited_blackjack": ("An ace and a ten-value card of one suit.", ("R26",)),
        "blackjack": ("An ace and a ten-value card.", ("R26",)),
        "suited_pair": ("Two identical cards.", ("R26",)),
        "coloured_pair": ("Two cards of one rank and one color.", ("R26",)),
        "pair": ("Two cards of one rank.", ("R26",)),
        "royal_match": ("King and queen of one suit.", ("R26",)),
        "suited_20": ("Two cards of one suit that make 20.", ("R26",)),
        "total_20": ("Two cards that make 20.", ("R26",)),
        "suited_connectors": ("Two neighbouring cards of one suit.", ("R26",)),
        "suited": ("Two cards of one suit.", ("R26",)),
        "same_colour": ("Two cards of one color.", ("R26",)),
        LOSE: ("No row of the house's table fits the two starting cards.", ("R26",)),
    },
    "four_card_bonus": {
        "four_identical": ("Four identical cards.", ("R26",)),
        "four_of_a_kind": ("Four cards of one rank.", ("R26",)),
        "straight_flush": ("Four cards in sequence and of one suit.", ("R26",)),
        "three_of_a_kind": ("Three cards of one rank.", ("R26",)),
        "two_pair": ("Two pairs.", ("R26",)),
        "straight": ("Four cards in sequence.", ("R26",)),
        "flush": ("Four cards of one suit.", ("R26",)),
        "pair": ("Two cards of one rank.", ("R26",)),
        "same_colour": ("Four cards of one color.", ("R26",)),
        LOSE: ("No row of the house's table fits the four starting cards.", ("R26",)),
    },
}
# Where a side bet's rows are written, if no printed table says so.
_SOURCES: Final[Mapping[str, Source]] = {
    "raise_the_roof": Source(RAISE_THE_ROOF, "Dealing the Game 3, 5; payout tables"),
    "two_card_bonus": Source(FACE_UP, "Overview, 2 Card Bonus; the house's own pay table"),
    "four_card_bonus": Source(FACE_UP, "Overview, 4 Card Bonus; the house's own pay table"),
}


def _rules() -> dict[str, Rule]:
    rules: list[Rule] = []
    for clause, (source, text, readings) in _BLACKJACK.items():
        rules.append(Rule(f"blackjack.{clause}", "blackjack", source, text, readings))
    for name, (source, text, readings) in _INSURANCE_AND_COUPONS.items():
        rules.append(Rule(name, name.split(".")[0], source, text, readings))
    source = Source(BET_BIGGER, "Rules of the game")
    for clause, (_, text, readings) in _BLACKJACK.items():
        if clause not in _NOT_IN_BET_BIGGER:
            rules.append(
                Rule(
                    f"bet_bigger.{clause}",
                    "bet_bigger",
                    source,
                    f"For the ante and each spot: {text}",
                    (*readings, "R30", "R31", "R32"),
                )
            )
    for wager, rows in _SIDE_BETS.items():
        source = _SOURCES.get(wager) or next(iter(PAY_TABLES[wager].values())).source
        for row, (text, readings) in rows.items():
            rules.append(Rule(f"{wager}.{row}", wager, source, text, readings))
    for category, (source, text) in stadium.RULES.items():
        rules.append(Rule(f"stadium.{category}", "stadium_blackjack", source, text))
    return {rule.id: rule for rule in rules}


RULES: Final[Mapping[str, Rule]] = _rules()
