"""The strategy chart says what the manual says, cell by cell."""

from __future__ import annotations

import pytest

from pitboss.rules.games.strategy import CHART, HARD, PAIRS, SOFT, UP_CARDS, ChartPart

# Keyed from the manual a second time, as a player reads it: against 2 3 4 5 6 7 8 9 10 A.
EXPECTED: list[tuple[ChartPart, str, str]] = [
    (PAIRS, "A A, 8 8", "PPPPPPPPPP"),
    (PAIRS, "9 9", "PPPPPSPPSS"),
    (PAIRS, "7 7", "PPPPPPHHHH"),
    (PAIRS, "6 6", "PPPPPHHHHH"),
    (PAIRS, "4 4", "HHHPPHHHHH"),
    (PAIRS, "3 3, 2 2", "PPPPPPHHHH"),
    (SOFT, "19 to 21", "SSSSSSSSSS"),
    (SOFT, "18", "SDDDDSSHHH"),
    (SOFT, "17", "HDDDDHHHHH"),
    (SOFT, "15, 16", "HHDDDHHHHH"),
    (SOFT, "13, 14", "HHHDDHHHHH"),
    (HARD, "17 and more", "SSSSSSSSSS"),
    (HARD, "13 to 16", "SSSSSHHHHH"),
    (HARD, "12", "HHSSSHHHHH"),
    (HARD, "11", "DDDDDDDDDH"),
    (HARD, "10", "DDDDDDDDHH"),
    (HARD, "9", "HDDDDHHHHH"),
    (HARD, "8 and less", "HHHHHHHHHH"),
]


@pytest.mark.parametrize(("part", "hand", "letters"), EXPECTED)
def test_each_line_is_the_manuals(part: ChartPart, hand: str, letters: str) -> None:
    line = next(chart_line for chart_line in part.lines if chart_line.hand == hand)
    assert "".join(line.against(up).letter for up in UP_CARDS) == letters


def test_no_line_of_the_chart_is_left_out_here() -> None:
    assert sum(len(part.lines) for part in CHART) == len(EXPECTED)
