"""The pay tables printed in the house's documents, number for number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pitboss.rules.paytables.pays import Award, MeterShare, Odds, Pay, PayTable, Source

RAISE_THE_ROOF: Final = "Raise the Roof procedures"
STADIUM: Final = "Stadium Blackjack rules"
FACE_UP: Final = "Face Up Blackjack rules"
MANUAL: Final = "House blackjack manual"
BET_BIGGER: Final = "Bet Bigger with Lucky Ladies rules"

EVEN_MONEY: Final = Odds(1)


def _main_game(
    wager: str, id: str, name: str, blackjack: Odds, source: Source, *, ties_lost: bool = False
) -> PayTable:
    pays = {"blackjack": blackjack, "win": EVEN_MONEY}
    return PayTable(wager, id, name, pays, source, dealer_wins_ties=ties_lost)


def _raise_the_roof(
    id: str, name: str, soft_17: str, decks: tuple[int, ...], by_row: tuple[int, ...]
) -> PayTable:
    """Build a table from its raise column, read downwards from a bust with a 10."""
    rows = (
        "bust_10",
        "bust_9",
        "bust_8",
        "bust_7",
        "bust_6",
        "bust_4567_unsuited",
        "bust_4567_suited",
    )
    pays: dict[str, Pay] = {row: Odds(to) for row, to in zip(rows, by_row, strict=True)}
    return PayTable(
        "raise_the_roof",
        id,
        name,
        # Best row first, like every table.
        dict(reversed(pays.items())),
        Source(RAISE_THE_ROOF, "payout tables"),
        ante_pays={
            "bust_4567_suited": Odds(1),
            "bust_4567_unsuited": Odds(1),
            "bust_6": Odds(1),
            "bust_7": Odds(1),
            "bust_8": Odds(1),
            "bust_9": Odds(1),
            "bust_10": Odds(1),
        },
        soft_17=soft_17,
        decks=decks,
    )


_SHOE: Final = (6, 8)
_TABLES: Final[tuple[PayTable, ...]] = (
    # The main game
    _main_game(
        "blackjack", "3:2", "blackjack pays 3 to 2", Odds(3, 2),
        Source(MANUAL, "Blackjack Payouts 2, Wagers 5"),
    ),
    _main_game(
        "blackjack", "6:5", "blackjack pays 6 to 5", Odds(6, 5), Source(STADIUM, "2.a"),
    ),
    _main_game(
        "blackjack", "1:1", "blackjack pays even money", EVEN_MONEY, Source(FACE_UP, "Overview; 6"),
    ),
    _main_game(
        "blackjack", "face_up", "Face Up, every win pays even money", EVEN_MONEY,
        Source(FACE_UP, "Overview; 6"), ties_lost=True,
    ),
    _main_game(
        "blackjack", "face_up_3:2", "Face Up, blackjack pays 3 to 2", Odds(3, 2),
        Source(FACE_UP, "Overview; 6"), ties_lost=True,
    ),
    PayTable(
        "stadium_blackjack", "3:2", "blackjack pays 3 to 2", {"blackjack": Odds(3, 2)},
        Source(STADIUM, "2.a"),
    ),
    PayTable(
        "stadium_blackjack", "6:5", "blackjack pays 6 to 5", {"blackjack": Odds(6, 5)},
        Source(STADIUM, "2.a"),
    ),
    _main_game(
        "bet_bigger", "3:2", "blackjack pays 3 to 2", Odds(3, 2),
        Source(BET_BIGGER, "rules, blackjack"),
    ),
    PayTable(
        "insurance", "2:1", "insurance pays 2 to 1", {"insurance_wins": Odds(2)},
        Source(MANUAL, "Insurance Wagers; Wagers 5"),
    ),
    PayTable(
        "free_bet_coupon", "3:2", "coupon on a 3 to 2 game", {"coupon_win": EVEN_MONEY},
        Source(MANUAL, "Free Bet Coupons 1"),
    ),
    PayTable(
        "free_bet_coupon", "6:5", "coupon on a 6 to 5 game", {"coupon_win": EVEN_MONEY},
        Source(MANUAL, "Free Bet Coupons 1"),
    ),
    PayTable(
        "free_bet_coupon", "1:1", "coupon on an even money game", {"coupon_win": EVEN_MONEY},
        Source(MANUAL, "Free Bet Coupons 1"),
    ),
    # Raise the Roof: busts with 10, 9, 8, 7, 6, then 4-5-6-7 unsuited and suited
    _raise_the_roof("H17_6_8_A", "table A, hits soft 17", "hit", _SHOE, (1, 1, 2, 5, 10, 40, 200)),
    _raise_the_roof("H17_6_8_B", "table B, hits soft 17", "hit", _SHOE, (1, 1, 2, 4, 10, 50, 500)),
    _raise_the_roof(
        "S17_6_8_A", "table A, stands on soft 17", "stand", _SHOE, (1, 1, 2, 5, 10, 50, 200)
    ),
    _raise_the_roof(
        "S17_6_8_B", "table B, stands on soft 17", "stand", _SHOE, (1, 1, 2, 5, 10, 40, 500)
    ),
    _raise_the_roof(
        "H17_2_A", "two-deck table A, hits soft 17", "hit", (2,), (1, 1, 2, 5, 10, 30, 300)
    ),
    _raise_the_roof(
        "H17_2_B", "two-deck table B, hits soft 17", "hit", (2,), (1, 1, 2, 5, 10, 25, 500)
    ),
    # Two cards
    PayTable(
        "bet_the_set_21", "A", "table A", {"suited_pair": Odds(15), "pair": Odds(10)},
        Source(STADIUM, "2.b and Bet the Set 21 paytable"),
    ),
    PayTable(
        "royal_match_21", "A", "table A", {"royal_match": Odds(25), "suited": Odds(5, 2)},
        Source(STADIUM, "2.c and Royal Match 21 paytable"),
    ),
    PayTable(
        "perfect_pair", "A", "table A", {"suited_pair": Odds(12), "non_suited_pair": Odds(10)},
        Source(BET_BIGGER, "Perfect Pair payout odds"),
    ),
    # Two cards and the dealer's first
    PayTable(
        "trilux", "TRI-01", "table TRI-01",
        {
            "straight_flush": Odds(9), "three_of_a_kind": Odds(9),
            "straight": Odds(9), "flush": Odds(9),
        },
        Source(STADIUM, "2.d and TriLux paytables"),
    ),
    PayTable(
        "trilux", "TRI-02", "table TRI-02",
        {
            "mini_royal": Odds(100), "straight_flush": Odds(35), "three_of_a_kind": Odds(33),
            "straight": Odds(10), "flush": Odds(5),
        },
        Source(STADIUM, "2.d and TriLux paytables"),
    ),
    PayTable(
        "trilux", "TRI-03", "table TRI-03",
        {
            "straight_flush": Odds(30), "three_of_a_kind": Odds(20),
            "straight": Odds(10), "flush": Odds(5),
        },
        Source(STADIUM, "2.d and TriLux paytables"),
    ),
    PayTable(
        "trilux", "MANUAL-9", "the manual's 9 to 1 table",
        {
            "straight_flush": Odds(9), "three_of_a_kind": Odds(9),
            "straight": Odds(9), "flush": Odds(9),
        },
        Source(MANUAL, "Trilux paytable"),
    ),
    PayTable(
        "trilux", "DD-5:2", "the double-deck 5 to 2 table",
        {
            "straight_flush": Odds(5, 2), "three_of_a_kind": Odds(5, 2),
            "straight": Odds(5, 2), "flush": Odds(5, 2),
        },
        Source(MANUAL, "Double Deck, Trilux bonus"),
    ),
    PayTable(
        "super_3", "1", "paytable 1",
        {
            "suited_three_of_a_kind": Odds(270), "straight_flush": Odds(180),
            "three_of_a_kind": Odds(90),
        },
        Source(STADIUM, "2.e and TriLux Super 3 paytable"),
    ),
    PayTable(
        "match_the_dealer", "A", "table A",
        {
            "two_suited": Odds(22), "one_non_suited_one_suited": Odds(15), "one_suited": Odds(11),
            "two_non_suited": Odds(8), "one_non_suited": Odds(4),
        },
        Source(BET_BIGGER, "Match the Dealer payout odds"),
    ),
    PayTable(
        "lucky_ladies", "A", "table A",
        {
            "three_queens_hearts": MeterShare("MEGA", {500: 50, 1000: 100}),
            "three_queens_same_suit": MeterShare("MAJOR", {500: 50, 1000: 100}),
            "three_queens_same_colour": MeterShare("MINOR", {500: 50, 1000: 100}),
            "three_queens": Award({500: 25000, 1000: 50000}),
            "matched_20": Award({500: 12500, 1000: 25000}),
            "suited_20": Award({500: 5000, 1000: 10000}),
            "non_suited_20": Award({500: 2000, 1000: 4000}),
        },
        Source(BET_BIGGER, "Lucky Ladies payout odds"),
        stakes_cents=(500, 1000),
    ),
    PayTable(
        "blazing_7s", "A", "the Blazing 7's table",
        {
            "three_sevens_same_suit": MeterShare("JACKPOT", {500: 100}),
            "three_sevens_same_colour": MeterShare("JACKPOT", {500: 10}),
            "three_sevens_mixed": Award({500: 100000}),
            "two_sevens": Award({500: 12500}),
            "one_seven": Award({500: 1000}),
        },
        Source(MANUAL, "Blazing 7's paytable"),
        envy_cents={
            "three_sevens_same_suit": 10000, "three_sevens_same_colour": 2500,
            "three_sevens_mixed": 500, "two_sevens": 200, "one_seven": 100,
        },
        stakes_cents=(500,),
    ),
)  # fmt: skip


def _by_wager() -> dict[str, dict[str, PayTable]]:
    found: dict[str, dict[str, PayTable]] = {}
    for table in _TABLES:
        found.setdefault(table.wager, {})[table.id] = table
    return found


PAY_TABLES: Final[Mapping[str, Mapping[str, PayTable]]] = _by_wager()
