"""Cheques: denominations, counts, cutting patterns of the manual, suggested fills."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.cheques import cheques
from pitboss.rules.cheques.cheques import DENOMINATIONS, STACK_CHEQUES
from pitboss.rules.refusal import Refused

ALL_CENTS = [denomination.cents for denomination in DENOMINATIONS]
COUNTS = st.dictionaries(st.sampled_from(ALL_CENTS), st.integers(0, 400))

# Manual, chapter 1, "Cheque handling": each colour with the value of its stack of twenty.
STACK_DOLLARS = {
    "blue": 5,
    "white": 20,
    "pink": 50,
    "red": 100,
    "green": 500,
    "black": 2_000,
    "purple": 10_000,
    "orange": 20_000,
    "gray": 100_000,
    "teal": 400_000,
}
FIVES = {
    1: "1", 2: "2", 3: "3", 4: "4", 5: "5", 6: "3-3", 7: "3-3-1", 8: "4-4", 9: "4-4-1",
    10: "5-5", 11: "5-5-1", 12: "5-5-2", 13: "5-5-3", 14: "5-5-4", 15: "5-5-5", 16: "5-5-5-1",
    17: "5-5-5-2", 18: "5-5-5-3", 19: "5-5-5-4", 20: "5-5-5-5",
}  # fmt: skip
FOURS = {
    1: "1", 2: "2", 3: "3", 4: "4", 5: "4-1", 6: "3-3", 7: "3-3-1", 8: "4-4", 9: "4-4-1",
    10: "4-4-2", 11: "4-4-3", 12: "4-4-4", 13: "4-4-4-1", 14: "4-4-4-2", 15: "4-4-4-3",
    16: "4-4-4-4", 17: "4-4-4-4-1", 18: "4-4-4-4-2", 19: "4-4-4-4-3", 20: "4-4-4-4-4",
}  # fmt: skip
CUT_IN_FIVES = {100, 500, 10_000, 100_000, 2_000_000}


def row_text(row: tuple[int, ...]) -> str:
    return "-".join(map(str, row))


def test_the_ten_colours_have_the_stack_values_of_the_manual() -> None:
    assert {denomination.colour: denomination.stack_cents for denomination in DENOMINATIONS} == {
        colour: dollars * 100 for colour, dollars in STACK_DOLLARS.items()
    }


def test_every_cheque_has_its_own_letter_label_and_name() -> None:
    assert "".join(denomination.letter for denomination in reversed(DENOMINATIONS)) == "BWPRGKVOYT"
    assert len({denomination.label for denomination in DENOMINATIONS}) == 10
    assert [denomination.name for denomination in DENOMINATIONS][-3:] == [
        "$2.50 pink",
        "$1 white",
        "$0.25 blue",
    ]


def test_denominations_run_from_the_highest_as_they_are_called() -> None:
    assert sorted(ALL_CENTS, reverse=True) == ALL_CENTS


@pytest.mark.parametrize("cents", ALL_CENTS)
@pytest.mark.parametrize("count", range(1, 21))
def test_cheque_handling_cuts_one_to_twenty_as_the_manual_does(cents: int, count: int) -> None:
    expected = (FIVES if cents in CUT_IN_FIVES else FOURS)[count]
    cut = cheques.cutting_pattern(cents, count)
    assert [row_text(row) for row in cut.rows] == [expected]


@pytest.mark.parametrize("cents", [100_000, 2_000_000])
def test_cheque_handling_proves_the_last_five_orange_and_teal(cents: int) -> None:
    proofs = {count: cheques.cutting_pattern(cents, count).proof for count in range(1, 21)}
    assert {count for count, proof in proofs.items() if proof == (2, 2, 1)} == {5, 10, 15, 20}
    assert {count for count, proof in proofs.items() if proof} == {5, 10, 15, 20}


def test_cheque_handling_proves_the_last_four_gray() -> None:
    proofs = {count: cheques.cutting_pattern(500_000, count).proof for count in range(1, 21)}
    assert {count for count, proof in proofs.items() if proof == (2, 2)} == {4, 8, 12, 16, 20}
    assert {count for count, proof in proofs.items() if proof} == {4, 8, 12, 16, 20}


@pytest.mark.parametrize("cents", [25, 100, 250, 500, 2_500, 10_000, 50_000])
def test_the_lower_colours_need_no_proof(cents: int) -> None:
    assert not any(cheques.cutting_pattern(cents, count).proof for count in range(1, 21))


def test_only_gray_and_teal_rows_are_pushed_apart() -> None:
    apart = [cents for cents in ALL_CENTS if cheques.cutting_pattern(cents, 2).pushed_apart]
    assert apart == [2_000_000, 500_000]
    assert not cheques.cutting_pattern(500_000, 0).pushed_apart


def test_no_cheques_make_no_row_and_no_proof() -> None:
    cut = cheques.cutting_pattern(2_000_000, 0)
    assert (cut.rows, cut.proof) == ((), ())


@given(st.sampled_from(DENOMINATIONS), st.integers(0, 300))
def test_a_cut_lays_out_every_cheque_in_rows_of_at_most_twenty(
    denomination: cheques.Denomination, count: int
) -> None:
    cut = cheques.cutting_pattern(denomination.cents, count)
    assert sum(map(sum, cut.rows)) == count
    assert all(sum(row) <= STACK_CHEQUES for row in cut.rows)
    assert all(height <= denomination.unit for row in cut.rows for height in row)


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "$0"),
        (25, "$0.25"),
        (250, "$2.50"),
        (205, "$2.05"),
        (670_000, "$6,700"),
        (3_291_150, "$32,911.50"),
        (-500, "−$5"),
        (-1, "−$0.01"),
        (123_456_789_00, "$123,456,789"),
    ],
)
def test_money_is_written_as_the_floor_reads_it(cents: int, text: str) -> None:
    assert cheques.format_money(cents) == text


def test_cheques_are_written_highest_first_without_empty_rows() -> None:
    assert cheques.format_cheques({500: 1_040, 10_000: 0, 2_500: 3}) == (
        "3 × $25 green, 1,040 × $5 red"
    )


def test_cheques_are_read_from_text_or_numbers_and_empty_rows_are_left_out() -> None:
    assert cheques.parse_cheques({500: 2, "10000": 1, "25": 0}) == {10_000: 1, 500: 2}
    assert cheques.parse_cheques({}) == {}


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (None, "bad_cheques"),
        ([500, 3], "bad_cheques"),
        ("500", "bad_cheques"),
        ({"501": 1}, "unknown_denomination"),
        ({"0500": 1}, "unknown_denomination"),
        ({"٥٠٠": 1}, "unknown_denomination"),
        ({"9" * 5000: 1}, "unknown_denomination"),
        ({"-500": 1}, "unknown_denomination"),
        ({500.0: 1}, "unknown_denomination"),
        ({True: 1}, "unknown_denomination"),
        ({("5",): 1}, "unknown_denomination"),
        ({500: 1, "500": 1}, "denomination_twice"),
        ({"500": -1}, "negative_count"),
        ({"500": 1.0}, "bad_count"),
        ({"500": "3"}, "bad_count"),
        ({"500": True}, "bad_count"),
        ({"500": None}, "bad_count"),
        ({"500": [1]}, "bad_count"),
        ({"500": cheques.COUNT_MAX + 1}, "count_too_large"),
    ],
)
def test_what_is_no_count_of_cheques_is_refused(raw: Any, code: str) -> None:
    with pytest.raises(Refused) as refused:
        cheques.parse_cheques(raw)
    assert refused.value.codes == (code,)
    assert all(len(refusal.message) < 200 for refusal in refused.value.refusals)


def test_every_wrong_row_is_named_at_once() -> None:
    with pytest.raises(Refused) as refused:
        cheques.parse_cheques({"501": 1, "500": -1, "2500": "x", "100": 3})
    assert refused.value.codes == ("unknown_denomination", "negative_count", "bad_count")


def test_the_largest_count_is_taken() -> None:
    assert cheques.parse_cheques({"25": cheques.COUNT_MAX}) == {25: cheques.COUNT_MAX}


def test_an_amount_between_two_cheques_is_told_its_neighbours() -> None:
    with pytest.raises(Refused) as refused:
        cheques.count_of(2_500, 3_000)
    assert refused.value.codes == ("not_a_multiple",)
    assert (
        str(refused.value) == "$30 isn’t an exact number of $25 cheques. Did you mean $25 or $50?"
    )
    assert cheques.multiple_refusal(250, 400) is not None
    assert cheques.count_of(250, 0) == 0


def test_a_negative_amount_is_no_number_of_cheques() -> None:
    refusal = cheques.multiple_refusal(2_500, -2_500)
    assert refusal is not None
    assert refusal.code == "negative_amount"


@given(COUNTS, COUNTS)
def test_a_difference_added_to_what_was_expected_is_what_was_counted(
    expected: dict[int, int], counted: dict[int, int]
) -> None:
    change = cheques.difference(expected, counted)
    assert cheques.combined(expected, change) == cheques.combined(counted)
    assert 0 not in change.values()
    assert cheques.total_cents(change) == (
        cheques.total_cents(counted) - cheques.total_cents(expected)
    )


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0"), (7, "7"), (20, "1 stack"), (27, "1 stack + 7 odd"), (20_000, "1,000 stacks")],
)
def test_a_count_is_read_as_stacks_and_odd_cheques(count: int, text: str) -> None:
    split = cheques.stacks(count)
    assert str(split) == text
    assert split.count == count


def test_fewer_than_no_cheques_cannot_be_stacked() -> None:
    with pytest.raises(ValueError, match="cannot stack -1"):
        cheques.stacks(-1)


def test_fills_4_and_credits_5_need_the_pit_manager_from_five_thousand() -> None:
    assert cheques.needs_top_sign({2_000_000: 1})
    assert cheques.needs_top_sign({500_000: 1, 25: 1})
    assert not cheques.needs_top_sign({100_000: 200, 500_000: 0})


def test_a_fill_to_par_asks_for_whole_stacks() -> None:
    tray = {100_000: 8, 50_000: 18, 10_000: 61, 2_500: 96, 500: 118, 250: 31, 100: 44}
    par = {100_000: 10, 50_000: 20, 10_000: 100, 2_500: 200, 500: 160, 250: 40, 100: 60}
    assert cheques.suggest_to_par(tray, par) == {10_000: 40, 2_500: 100, 500: 40}


def test_high_cheques_come_in_the_fours_and_fives_they_are_cut_in() -> None:
    par = {500_000: 4, 100_000: 10, 50_000: 20}
    assert cheques.suggest_to_par({}, par) == {500_000: 4, 100_000: 10, 50_000: 20}
    assert cheques.suggest_to_par({100_000: 4, 50_000: 11}, par) == {
        500_000: 4,
        100_000: 5,
        50_000: 8,
    }


def test_a_full_tray_asks_for_nothing() -> None:
    assert cheques.suggest_to_par({2_500: 300}, {2_500: 200}) == {}
    assert cheques.suggest_to_par({2_500: 200}, {2_500: 200}) == {}
    # Within the tolerance of par, a fill would be a walk for one cheque.
    assert cheques.suggest_credit_to_par({2_500: 200}, {2_500: 200}) == {}


def test_a_colour_without_par_is_left_in_the_tray() -> None:
    assert cheques.suggest_credit_to_par({50_000: 40, 2_500: 250}, {2_500: 200}) == {2_500: 60}


@given(COUNTS, COUNTS)
def test_a_suggestion_never_passes_par_by_more_than_a_twentieth(
    tray: dict[int, int], par: dict[int, int]
) -> None:
    for cents, count in cheques.suggest_to_par(tray, par).items():
        assert tray.get(cents, 0) + count <= par[cents] + par[cents] // cheques.PAR_TOLERANCE
    for cents, count in cheques.suggest_credit_to_par(tray, par).items():
        left = tray[cents] - count
        assert left >= max(0, par[cents] - par[cents] // cheques.PAR_TOLERANCE)
