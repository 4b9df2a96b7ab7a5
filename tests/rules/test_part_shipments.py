"""What a cashier may offer of a fill, and what is left of it."""

from __future__ import annotations

import pytest

from pitboss.rules.cheques.part_shipments import left_over, part_refusals

ASKED = {10_000: 20, 2_500: 100}


@pytest.mark.parametrize(
    ("ships", "reason", "codes"),
    [
        ({2_500: 60}, "Short.", []),
        ({10_000: 20, 2_500: 99}, "Short.", []),
        (ASKED, "Short.", ["ships_in_full"]),
        ({}, "Short.", ["nothing_ships"]),
        ({2_500: 0}, "", ["nothing_ships", "reason_missing"]),
        ({2_500: 101}, "Short.", ["more_than_requested"]),
        ({500: 1}, "Short.", ["more_than_requested"]),
        ({2_500: 60}, "x" * 501, ["reason_too_long"]),
    ],
)
def test_a_part_is_less_and_says_why(ships: dict[int, int], reason: str, codes: list[str]) -> None:
    assert [refusal.code for refusal in part_refusals(ASKED, ships, reason)] == codes


def test_part_and_rest_are_the_whole() -> None:
    assert left_over(ASKED, {2_500: 60}) == {10_000: 20, 2_500: 40}
    assert left_over(ASKED, ASKED) == {}
