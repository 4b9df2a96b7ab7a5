"""Every number of every pay table, typed from the documents and not from the code.

Each cell is a case and what it must pay. `python tests/mutate_paytables.py` changes the pay tables
one number at a time and shows that a cell notices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.rules.cases import case


@dataclass(frozen=True)
class Cell:
    """One printed number: the hand that is paid by it, and the payout it must give."""

    wager: str
    table: str
    row: str
    case: dict[str, Any]
    payout_cents: int
    envy_cents: int | None = None

    def __str__(self) -> str:
        return f"{self.wager} {self.table} {self.row} on {self.case['stake_cents']}"


def _cell(
    wager: str,
    table: str,
    row: str,
    payout_cents: int,
    *,
    player: str = "",
    dealer: str = "",
    stake_cents: int = 1000,
    envy_cents: int | None = None,
    **extra: Any,
) -> Cell:
    written = case(wager, table, player, dealer, stake_cents, **extra)
    return Cell(wager, table, row, written, payout_cents, envy_cents)


BUSTS = {
    "bust_10": "Td 6c Kh",
    "bust_9": "Td 6c 9h",
    "bust_8": "Td 6c 8h",
    "bust_7": "Td 6c 7h",
    "bust_6": "Td 6c 6h",
    "bust_4567_unsuited": "4d 5c 6h 7s",
    "bust_4567_suited": "4d 5d 6d 7d",
}
# Busts with a 10, 9, 8, 7, 6, then 4-5-6-7 unsuited, 4-5-6-7 suited.
RAISE_THE_ROOF = {
    "H17_6_8_A": (1, 1, 2, 5, 10, 40, 200),
    "H17_6_8_B": (1, 1, 2, 4, 10, 50, 500),
    "S17_6_8_A": (1, 1, 2, 5, 10, 50, 200),
    "S17_6_8_B": (1, 1, 2, 5, 10, 40, 500),
    "H17_2_A": (1, 1, 2, 5, 10, 30, 300),
    "H17_2_B": (1, 1, 2, 5, 10, 25, 500),
}
TRILUX_HANDS = {
    "mini_royal": ("Ah Kh", "Qh"),
    "straight_flush": ("5h 7h", "6h"),
    "three_of_a_kind": ("7h 7d", "7c"),
    "straight": ("5h 7d", "6c"),
    "flush": ("2h 9h", "Jh"),
}
# Mini royal, straight flush, three of a kind, straight, flush; on a bet of $10, in cents.
TRILUX = {
    "TRI-01": (None, 9000, 9000, 9000, 9000),
    "TRI-02": (100000, 35000, 33000, 10000, 5000),
    "TRI-03": (None, 30000, 20000, 10000, 5000),
    "MANUAL-9": (None, 9000, 9000, 9000, 9000),
    "DD-5:2": (None, 2500, 2500, 2500, 2500),
}
METERS = {"MEGA": 5_000_000, "MAJOR": 1_500_000, "MINOR": 250_000}
LUCKY_LADIES = (
    ("three_queens_hearts", "Qh Qh", "Qh", 2_500_000, 5_000_000),
    ("three_queens_same_suit", "Qc Qc", "Qc", 750_000, 1_500_000),
    ("three_queens_same_colour", "Qh Qd", "Qh", 125_000, 250_000),
    ("three_queens", "Qh Qd", "Qc", 25_000, 50_000),
    ("matched_20", "Kd Kd", "8s", 12_500, 25_000),
    ("suited_20", "Kd Td", "8s", 5_000, 10_000),
    ("non_suited_20", "Kd Ts", "8s", 2_000, 4_000),
)
BLAZING_7S = (
    ("one_seven", "7h 9d", "Kc", 1_000, 100),
    ("two_sevens", "7h 7d", "Kc", 12_500, 200),
    ("three_sevens_mixed", "7h 7d", "7c", 100_000, 500),
    ("three_sevens_same_colour", "7h 7d", "7h", 1_000_000, 2_500),
    ("three_sevens_same_suit", "7h 7h", "7h", 10_000_000, 10_000),
)


def _main_game() -> list[Cell]:
    natural, win = ("Ah Kd", "9c 8d"), ("Th 9d", "9c 8d")
    cells = []
    for wager, table, blackjack_cents in (
        ("blackjack", "3:2", 1500),
        ("blackjack", "6:5", 1200),
        ("blackjack", "1:1", 1000),
        ("blackjack", "face_up", 1000),
        ("blackjack", "face_up_3:2", 1500),
        ("bet_bigger", "3:2", 1500),
    ):
        cells.append(
            _cell(wager, table, "blackjack", blackjack_cents, player=natural[0], dealer=natural[1])
        )
        cells.append(_cell(wager, table, "win", 1000, player=win[0], dealer=win[1]))
    for table in ("3:2", "6:5", "1:1"):
        for player, dealer in (natural, win):
            cells.append(
                _cell("free_bet_coupon", table, "coupon_win", 1000, player=player, dealer=dealer)
            )
    cells.append(
        _cell("insurance", "2:1", "insurance_wins", 2000, dealer="As Kc", main_stake_cents=2000)
    )
    rules = {
        "dealer_soft_17": "stand",
        "surrender": "enabled",
        "keep_standoff_bet": "disabled",
        "double_totals": [2, 20],
        "double_after_split": True,
        "max_split_hands": 3,
        "auto_stand": {"soft": 17, "hard": 17},
    }
    for table, blackjack_cents in (("3:2", 1500), ("6:5", 1200)):
        cells.append(
            _cell(
                "stadium_blackjack", table, "blackjack", blackjack_cents,
                player="Ah Kd", dealer="9c", community=[], decisions=[], rules=rules,
            )
        )  # fmt: skip
        cells.append(
            _cell(
                "stadium_blackjack", table, "win", 1000,
                player="Th 9d", dealer="9c", community=["8d"], decisions=["stand"], rules=rules,
            )
        )  # fmt: skip
    return cells


def _side_bets() -> list[Cell]:
    cells = []
    for table, odds in RAISE_THE_ROOF.items():
        for (row, dealer), to in zip(BUSTS.items(), odds, strict=True):
            # $10 on the ante, $20 on the raise: both at the table's odds.
            cells.append(
                _cell("raise_the_roof", table, row, 3000 * to, dealer=dealer, raise_cents=2000)
            )
            cells.append(_cell("raise_the_roof", table, row, 1000, dealer=dealer))
    for table, payouts in TRILUX.items():
        for (row, (player, up)), cents in zip(TRILUX_HANDS.items(), payouts, strict=True):
            if cents is not None:
                cells.append(_cell("trilux", table, row, cents, player=player, dealer=up))
    for wager, table, row, player, up, cents in (
        ("bet_the_set_21", "A", "suited_pair", "8h 8h", "", 15000),
        ("bet_the_set_21", "A", "pair", "8h 8d", "", 10000),
        ("royal_match_21", "A", "royal_match", "Kd Qd", "", 25000),
        ("royal_match_21", "A", "suited", "7c 4c", "", 2500),
        ("perfect_pair", "A", "suited_pair", "Jh Jh", "", 12000),
        ("perfect_pair", "A", "non_suited_pair", "4c 4s", "", 10000),
        ("super_3", "1", "suited_three_of_a_kind", "5c 5c", "5c", 270000),
        ("super_3", "1", "straight_flush", "5h 7h", "6h", 180000),
        ("super_3", "1", "three_of_a_kind", "4s 4c", "4d", 90000),
        ("match_the_dealer", "A", "one_non_suited", "Kh Td", "Kc", 4000),
        ("match_the_dealer", "A", "two_non_suited", "Tc Td", "Th", 8000),
        ("match_the_dealer", "A", "one_suited", "9d 7c", "7c", 11000),
        ("match_the_dealer", "A", "one_non_suited_one_suited", "7d 7c", "7c", 15000),
        ("match_the_dealer", "A", "two_suited", "8s 8s", "8s", 22000),
    ):
        cells.append(_cell(wager, table, row, cents, player=player, dealer=up))
    for ladies, hand, ace, *ladies_cents in LUCKY_LADIES:
        for stake_cents, lady_cents in zip((500, 1000), ladies_cents, strict=True):
            cells.append(
                _cell(
                    "lucky_ladies", "A", ladies, lady_cents,
                    player=hand, dealer=ace, stake_cents=stake_cents, jackpots_cents=METERS,
                )
            )  # fmt: skip
    for row, player, up, cents, envy_cents in BLAZING_7S:
        cells.append(
            _cell(
                "blazing_7s", "A", row, cents, player=player, dealer=up,
                stake_cents=500, envy_cents=envy_cents, jackpot_cents=10_000_000,
            )
        )  # fmt: skip
    return cells


CELLS: list[Cell] = _main_game() + _side_bets()
