"""The seven games of the documents, fact for fact, each with its paragraph.

Raise the Roof, Face Up and the Blazing 7's table follow the house's standard blackjack wherever
their own documents are silent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pitboss.rules.games.dealer import HIT, STAND
from pitboss.rules.games.games import (
    Doubling,
    Game,
    Hands,
    Insurance,
    PairBy,
    SideBet,
    Splitting,
    Surrender,
    Tokes,
)
from pitboss.rules.paytables.pays import Source
from pitboss.rules.paytables.printed import BET_BIGGER, FACE_UP, MANUAL, RAISE_THE_ROOF, STADIUM

_TRILUX_MANUAL: Final = SideBet(
    "trilux",
    ("MANUAL-9",),
    needs=("blackjack",),
    minimum_cents=500,
    maximum_cents=50_000,
)
_SUPER_3_MANUAL: Final = SideBet(
    "super_3",
    ("1",),
    needs=("blackjack", "trilux"),
    minimum_cents=500,
    maximum_cents=5_000,
    vip_maximum_cents=20_000,
)
_BLAZING_7S: Final = SideBet(
    "blazing_7s",
    ("A",),
    needs=("blackjack",),
    minimum_cents=500,
    maximum_cents=500,
    stakes_cents=(500,),
    dealer_bets=False,
    piggyback=False,
)

# What a house may add to a blackjack table from other documents: limits are its own to set.
_ADDED: Final = (
    SideBet("match_the_dealer", ("A",), needs=("blackjack",)),
    SideBet("perfect_pair", ("A",), needs=("blackjack",)),
    SideBet("royal_match_21", ("A",), needs=("blackjack",)),
    SideBet("bet_the_set_21", ("A",), needs=("blackjack",)),
)
_ROOF_BET: Final = SideBet(
    "raise_the_roof",
    ("H17_6_8_A", "H17_6_8_B", "S17_6_8_A", "S17_6_8_B", "H17_2_A", "H17_2_B"),
    needs=("blackjack",),
)

CLASSIC: Final = Game(
    id="classic",
    name="Classic blackjack",
    main_wager="blackjack",
    decks=(6, 8),
    soft_17=(STAND,),
    blackjack_pays=("3:2",),
    doubling=(
        Doubling(
            totals=(2, 20),
            for_less=True,
            after_split=True,
            with_ace=True,
            split_aces=False,
            meets_minimum=True,
        ),
    ),
    splitting=(Splitting(by=PairBy.VALUE, hands_max=4, aces_hands_max=2, aces_one_card=True),),
    insurance=Insurance(offered=True, even_money=True),
    surrender=(Surrender.DISABLED,),
    hands=Hands(hands_max=3, minimums={2: 2, 3: 5}),
    side_bets=(_TRILUX_MANUAL, _SUPER_3_MANUAL),
    added=(*_ADDED, _ROOF_BET),
    tokes=Tokes(percent_at_maximum=10),
    piggyback=True,
    coupons=True,
    maximum_cents=None,
    spots=(),
    flat_bet=False,
    peek=True,
    sources={
        "decks": Source(MANUAL, "Shuffling; Opening the Game 7.B"),
        "soft_17": Source(MANUAL, "Hitting the Dealer's Hand 2 (R10)"),
        "blackjack_pays": Source(MANUAL, "Blackjack Payouts 2; Wagers 5"),
        "doubling": Source(MANUAL, "Glossary, double down; Doubling Down 1 and 3"),
        "splitting": Source(MANUAL, "Splitting Pairs 1 and 3.A"),
        "insurance": Source(MANUAL, "Insurance Wagers 1, 3 and 4"),
        "surrender": Source(MANUAL, "not mentioned (R18)"),
        "hands": Source(MANUAL, "Minimum and Maximum Wagers 6"),
        "side_bets": Source(MANUAL, "Trilux 1 and paytable"),
        "tokes": Source(MANUAL, "Tokes 5, 8 and 9"),
        "piggyback": Source(MANUAL, "Tokes 10"),
        "coupons": Source(MANUAL, "Free Bet Coupons 1"),
        "maximum_cents": Source(MANUAL, "Minimum and Maximum Wagers 1"),
        "spots": Source(MANUAL, "none"),
        "flat_bet": Source(MANUAL, "none"),
        "peek": Source(MANUAL, "Use of the Ace Finder 1 and 2"),
    },
)

DOUBLE_DECK: Final = replace(
    CLASSIC,
    id="double_deck",
    name="Double deck",
    decks=(2,),
    splitting=(Splitting(by=PairBy.VALUE, hands_max=2, aces_hands_max=2, aces_one_card=True),),
    hands=Hands(hands_max=2, minimums={2: 2}),
    side_bets=(replace(_TRILUX_MANUAL, paytables=("DD-5:2",)),),
    maximum_cents=1_000_000,
    sources={
        **CLASSIC.sources,
        "decks": Source(MANUAL, "Double Deck 1"),
        "blackjack_pays": Source(MANUAL, "Double Deck 2"),
        "doubling": Source(MANUAL, "Double Deck 3"),
        "splitting": Source(MANUAL, "Double Deck 4"),
        "insurance": Source(MANUAL, "Double Deck 2"),
        "hands": Source(MANUAL, "Double Deck 5"),
        "side_bets": Source(MANUAL, "Double Deck, Trilux bonus"),
        "tokes": Source(MANUAL, "Double Deck 3 and Wagers"),
        "maximum_cents": Source(MANUAL, "Double Deck, Wagers"),
    },
)

BLAZING_SEVENS: Final = replace(
    CLASSIC,
    id="blazing_7s",
    name="Blazing 7's blackjack",
    side_bets=(_BLAZING_7S, _TRILUX_MANUAL, _SUPER_3_MANUAL),
    sources={
        **CLASSIC.sources,
        "side_bets": Source(MANUAL, "Blazing 7's, Dealing Procedures 2 and 6, paytable"),
    },
)

ROOF: Final = replace(
    CLASSIC,
    id="raise_the_roof",
    name="Raise the Roof",
    decks=(6, 8, 2),
    soft_17=(HIT, STAND),
    blackjack_pays=("3:2", "6:5"),
    side_bets=(_ROOF_BET,),
    added=(*_ADDED, _TRILUX_MANUAL, _SUPER_3_MANUAL),
    sources={
        **CLASSIC.sources,
        "decks": Source(RAISE_THE_ROOF, "Summary 2"),
        "soft_17": Source(RAISE_THE_ROOF, "Payout tables"),
        "blackjack_pays": Source(RAISE_THE_ROOF, "Summary 2.d, example"),
        "insurance": Source(RAISE_THE_ROOF, "Dealing 2"),
        "side_bets": Source(RAISE_THE_ROOF, "Summary 2.a; Dealing 1 and 3; Table Limits 1"),
    },
)

_STADIUM_DOUBLING: Final = Doubling(
    totals=(2, 20),
    for_less=False,
    after_split=True,
    with_ace=False,
    split_aces=False,
    meets_minimum=False,
)
_STADIUM_SPLITTING: Final = Splitting(
    by=PairBy.VALUE, hands_max=3, aces_hands_max=2, aces_one_card=True
)
STADIUM_GAME: Final = Game(
    id="stadium",
    name="Stadium Blackjack",
    main_wager="stadium_blackjack",
    decks=(6, 8),
    soft_17=(STAND, HIT),
    blackjack_pays=("3:2", "6:5"),
    doubling=(
        _STADIUM_DOUBLING,
        replace(_STADIUM_DOUBLING, after_split=False),
        replace(_STADIUM_DOUBLING, totals=(10, 11), after_split=False),
        replace(_STADIUM_DOUBLING, totals=(10, 11)),
    ),
    splitting=(_STADIUM_SPLITTING, replace(_STADIUM_SPLITTING, hands_max=2)),
    insurance=Insurance(offered=True, even_money=True),
    surrender=(Surrender.DISABLED, Surrender.ENABLED, Surrender.NOT_AGAINST_BLACKJACK),
    hands=Hands(hands_max=1),
    side_bets=(
        SideBet("bet_the_set_21", ("A",), needs=("stadium_blackjack",)),
        SideBet("royal_match_21", ("A",), needs=("stadium_blackjack",)),
        SideBet("trilux", ("TRI-01", "TRI-02", "TRI-03"), needs=("stadium_blackjack",)),
        SideBet("super_3", ("1",), needs=("stadium_blackjack", "trilux")),
    ),
    tokes=Tokes(),
    piggyback=False,
    coupons=False,
    maximum_cents=None,
    spots=(),
    flat_bet=False,
    peek=False,
    sources={
        "decks": Source(STADIUM, "introduction"),
        "soft_17": Source(STADIUM, "9.b"),
        "blackjack_pays": Source(STADIUM, "2.a"),
        "doubling": Source(STADIUM, "5.c (ST33)"),
        "splitting": Source(STADIUM, "5.d (ST11)"),
        "insurance": Source(STADIUM, "5.e and 5.h (ST34)"),
        "surrender": Source(STADIUM, "5.f"),
        "hands": Source(STADIUM, "2"),
        "side_bets": Source(STADIUM, "2.b to 2.e"),
        "tokes": Source(STADIUM, "3; House blackjack manual, Tokes 8"),
        "piggyback": Source(STADIUM, "2, each at a terminal of their own"),
        "coupons": Source(STADIUM, "not mentioned"),
        "maximum_cents": Source(STADIUM, "not mentioned"),
        "spots": Source(STADIUM, "none"),
        "flat_bet": Source(STADIUM, "none"),
        "peek": Source(STADIUM, "4, a single dealer card"),
    },
)

FACE_UP_GAME: Final = replace(
    CLASSIC,
    id="face_up",
    added=(),
    name="Face Up Blackjack",
    decks=(6,),
    soft_17=(HIT,),
    blackjack_pays=("face_up", "face_up_3:2"),
    doubling=(
        Doubling(
            totals=(9, 11),
            for_less=True,
            after_split=True,
            with_ace=True,
            split_aces=True,
            meets_minimum=False,
        ),
    ),
    splitting=(Splitting(by=PairBy.VALUE, hands_max=2, aces_hands_max=2, aces_one_card=False),),
    insurance=Insurance(offered=False, even_money=False),
    side_bets=(
        # No pay table is printed for either: the house defines one.
        SideBet("two_card_bonus", (), needs=("blackjack",)),
        SideBet("four_card_bonus", (), needs=("blackjack",)),
    ),
    # A coupon pushes on a tie, and this game has none.
    coupons=False,
    peek=False,
    sources={
        **CLASSIC.sources,
        "decks": Source(FACE_UP, "1"),
        "soft_17": Source(FACE_UP, "5 (R23)"),
        "blackjack_pays": Source(FACE_UP, "Overview; 6 (R20)"),
        "doubling": Source(FACE_UP, "4, Double Down (R25)"),
        "splitting": Source(FACE_UP, "4, Split"),
        "insurance": Source(FACE_UP, "not mentioned (R24)"),
        "surrender": Source(FACE_UP, "not mentioned (R24)"),
        "side_bets": Source(FACE_UP, "Overview; 2 (R26)"),
        "coupons": Source(FACE_UP, "not mentioned"),
        "peek": Source(FACE_UP, "3, both dealer cards face up"),
    },
)

BET_BIGGER_GAME: Final = Game(
    id="bet_bigger",
    name="Bet Bigger",
    main_wager="bet_bigger",
    decks=(6, 8, 2),
    soft_17=(HIT,),
    blackjack_pays=("3:2",),
    doubling=(
        Doubling(
            totals=(2, 20),
            for_less=True,
            after_split=True,
            with_ace=True,
            split_aces=False,
            meets_minimum=False,
        ),
    ),
    splitting=(Splitting(by=PairBy.RANK, hands_max=4, aces_hands_max=2, aces_one_card=True),),
    insurance=Insurance(offered=True, even_money=True, covers_each_bet_equally=True),
    surrender=(Surrender.NOT_AGAINST_BLACKJACK, Surrender.ENABLED),
    hands=Hands(hands_max=7, adjacent=True),
    side_bets=(
        SideBet(
            "match_the_dealer",
            ("A",),
            needs=("bet_bigger",),
            minimum_part=2,
            maximum_cents=1_000,
        ),
        SideBet("perfect_pair", ("A",), needs=("bet_bigger",), minimum_part=2, maximum_cents=1_000),
        SideBet(
            "lucky_ladies",
            ("A",),
            needs=("bet_bigger",),
            minimum_cents=500,
            maximum_cents=1_000,
            stakes_cents=(500, 1_000),
        ),
    ),
    tokes=None,
    piggyback=False,
    coupons=False,
    maximum_cents=1_000,
    spots=("2x", "3x", "4x"),
    flat_bet=True,
    peek=True,
    sources={
        "decks": Source(BET_BIGGER, "Rules, opening of the day"),
        "soft_17": Source(BET_BIGGER, "Rules, dealer's hand (R10)"),
        "blackjack_pays": Source(BET_BIGGER, "Rules, blackjack (R12)"),
        "doubling": Source(BET_BIGGER, "Rules, player action and double down (R32)"),
        "splitting": Source(BET_BIGGER, "Rules, split"),
        "insurance": Source(BET_BIGGER, "Rules, insurance"),
        "surrender": Source(BET_BIGGER, "Rules, surrender (R18)"),
        "hands": Source(BET_BIGGER, "Rules, multiple hands"),
        "side_bets": Source(BET_BIGGER, "Rules, placing bets; payout odds"),
        "tokes": Source(BET_BIGGER, "not mentioned"),
        "piggyback": Source(BET_BIGGER, "not mentioned"),
        "coupons": Source(BET_BIGGER, "not mentioned"),
        "maximum_cents": Source(BET_BIGGER, "Rules, placing bets"),
        "spots": Source(BET_BIGGER, "Rules, placing bets (R30, R31)"),
        "flat_bet": Source(BET_BIGGER, "Rules, flat bet"),
        "peek": Source(BET_BIGGER, "Rules, dealer's check"),
    },
)

GAMES: Final[Mapping[str, Game]] = {
    game.id: game
    for game in (
        CLASSIC,
        DOUBLE_DECK,
        BLAZING_SEVENS,
        ROOF,
        STADIUM_GAME,
        FACE_UP_GAME,
        BET_BIGGER_GAME,
    )
}
