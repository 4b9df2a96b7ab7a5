"""Count sessions: who enters which count, what the main bank accepts, and a machine's file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pitboss.rules.drop.deliveries import (
    MachineRow,
    delivery_refusals,
    file_of,
    fit_refusals,
    tags_in,
)
from pitboss.rules.drop.sessions import (
    FIRST,
    OUR_COLUMNS,
    SECOND,
    THREE,
    ColumnMap,
    EntryFacts,
    TotalFacts,
    accept_refusals,
    close_refusals,
    entry_refusals,
    has_third,
    map_refusals,
    outsider_refusals,
    read_machine_file,
    second_refusals,
    sum_of,
    total_differs,
    total_refusals,
)
from pitboss.rules.flows.flows import PlanFacts
from pitboss.rules.refusal import Refused

HEAD = "box_tag,compartment,denomination_cents,pieces\n"
SECOND_COUNT = EntryFacts(
    is_open=True,
    is_tested=True,
    is_member=True,
    in_room=2,
    least=2,
    box="4011",
    is_of_session=True,
    turn=SECOND,
    has_first=True,
)


def test_another_member_counts_again_and_the_first_may_count_anew() -> None:
    assert entry_refusals(SECOND_COUNT) == []
    assert entry_refusals(replace(SECOND_COUNT, turn=FIRST, by_first=True)) == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"is_open": False}, "session_closed"),
        ({"is_member": False}, "not_a_member"),
        ({"is_away": True}, "not_in_room"),
        ({"in_room": 1}, "session_paused"),
        ({"is_tested": False}, "not_tested"),
        ({"is_of_session": False}, "not_in_session"),
        ({"is_settled": True}, "already_counted"),
        ({"has_first": False}, "first_missing"),
        ({"by_first": True}, "counted_first"),
    ],
)
def test_each_reason_why_a_count_is_not_entered(change: dict[str, Any], code: str) -> None:
    assert [refusal.code for refusal in entry_refusals(replace(SECOND_COUNT, **change))] == [code]


def test_two_counts_that_differ_name_the_lines_and_no_figure() -> None:
    first = {"cash_10000": 50_000, "cash_2000": 6_000}
    assert second_refusals("4011", first, dict(first)) == []
    (refusal,) = second_refusals("4011", first, {"cash_10000": 50_000, "cash_2000": 8_000})
    assert refusal.message == (
        "Box 4011: the counts don’t match in $20 bills. Count the box again."
    )


def test_a_session_closes_by_its_members_when_every_box_is_counted() -> None:
    assert close_refusals([], is_member=True) == []
    found = close_refusals(["4011"], is_member=False)
    assert [item.code for item in found] == ["not_a_member", "boxes_left"]


def test_f15_the_main_bank_accepts_what_it_counted_itself() -> None:
    total = 412_000 + 238_500 + 996_000
    assert accept_refusals("16,465", total) == []
    assert "$20 short" in accept_refusals("16,445", total)[0].message
    assert "$5 over" in accept_refusals("16,470", total)[0].message
    assert accept_refusals("much", total)[0].code == "bad_amount"
    assert outsider_refusals("118", ["116", "117"]) == []
    assert outsider_refusals("116", ["116", "117"])[0].code == "signed_before"


def test_three_members_where_the_house_says_so() -> None:
    assert has_third(PlanFacts({}, marks=frozenset({THREE})))
    assert not has_third(PlanFacts({}))


def test_a_good_file_adds_up_by_box_and_bill() -> None:
    text = HEAD + "4011,A,2000,3\n\n4011,B,2000,2\nb-7,A,10000,1\n"
    counts, refusals = read_machine_file(text, {("4011", ""), ("B-7", "")})
    assert refusals == []
    assert counts == {("4011", ""): {"cash_2000": 10_000}, ("B-7", ""): {"cash_10000": 10_000}}


@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        ("4099,A,2000,3\n", ["unknown_box"]),
        ("4011,A,2000,1.5\n", ["not_a_multiple"]),
        ("4011,A,3000,1\n", ["bad_denomination"]),
        ("4011,A,2000\n", ["bad_row"]),
        ("7001,B,2000,1\n", ["unknown_compartment"]),
        ("", ["file_empty"]),
        ("4099,A,2000,3\n4011,A,2000,1.5\n", ["unknown_box", "not_a_multiple"]),
    ],
)
def test_each_reason_against_a_file_is_named(rows: str, codes: list[str]) -> None:
    _, refusals = read_machine_file(HEAD + rows, {("4011", ""), ("7001", "A")})
    assert [refusal.code for refusal in refusals] == codes


@pytest.mark.parametrize("text", ["", "tag,bills\n4011,3\n"])
def test_a_file_without_its_header_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_machine_file(text, {("4011", "")})
    assert refused.value.codes == ("bad_header",)


@pytest.mark.parametrize(
    ("facts", "codes"),
    [
        (TotalFacts(in_total=True, uncounted=[], counted_first=False, is_settled=False), []),
        (
            TotalFacts(in_total=False, uncounted=[], counted_first=False, is_settled=False),
            ["second_per_box"],
        ),
        (
            TotalFacts(in_total=True, uncounted=[], counted_first=False, is_settled=True),
            ["already_counted"],
        ),
        (
            TotalFacts(in_total=True, uncounted=["4001"], counted_first=True, is_settled=False),
            ["first_missing", "counted_first"],
        ),
    ],
)
def test_each_reason_why_no_total_is_entered(facts: TotalFacts, codes: list[str]) -> None:
    assert [refusal.code for refusal in total_refusals(facts)] == codes


def test_a_total_names_its_lines_and_no_figure_of_the_first_counts() -> None:
    first = sum_of([{"cash_2000": 6_000}, {"cash_500": 500}])
    assert total_differs(first, {"cash_2000": 6_000, "cash_500": 500}) == []
    (differs,) = total_differs(first, {"cash_2000": 4_000, "cash_500": 500})
    assert differs.code == "counts_differ"
    assert "$20 bills" in differs.message
    assert "60" not in differs.message


def test_a_machine_calls_its_columns_what_it_likes_and_may_name_bills_in_dollars() -> None:
    glory = ColumnMap("Bag ID", "", "Denom", "Qty", in_dollars=True)
    text = "Time,Bag ID,Denom,Qty\n21:00,4011,20,3\n"
    assert read_machine_file(text, {("4011", "")}, glory) == (
        {("4011", ""): {"cash_2000": 6_000}},
        [],
    )
    _, refusals = read_machine_file("Bag ID,Denom,Qty\n4011,x,3\n", {("4011", "")}, glory)
    assert [refusal.code for refusal in refusals] == ["bad_denomination"]
    assert map_refusals("Glory", glory) == []
    assert [refusal.code for refusal in map_refusals("", replace(glory, pieces=" "))] == [
        "machine_name",
        "columns_missing",
    ]
    assert [refusal.code for refusal in map_refusals("Glory", replace(glory, pieces="denom"))] == [
        "columns_twice"
    ]


def test_a_delivery_is_read_without_a_session_and_fits_one_as_a_whole() -> None:
    text = HEAD + "4012,A,2000,3\n\n4011,a,500,1\n4013,A,2000\n"
    assert tags_in(text, OUR_COLUMNS) == ["4011", "4012"]
    assert [refusal.code for refusal in delivery_refusals(text, OUR_COLUMNS)] == ["bad_row"]
    rows = [MachineRow("4011", 2_000, 3, "B"), MachineRow("4,12", 500, 1)]
    told = file_of("run, 7", rows)
    assert delivery_refusals(told, OUR_COLUMNS) == []
    assert read_machine_file(told, {("4011", "B"), ("4,12", "")})[0] == {
        ("4011", "B"): {"cash_2000": 6_000},
        ("4,12", ""): {"cash_500": 500},
    }
    assert fit_refusals(["4011"], ["4011", "4012"]) == []
    (many,) = fit_refusals([str(tag) for tag in range(4011, 4019)], ["4011"])
    assert "4012, 4013, 4014, 4015, 4016 and 2 more" in many.message
