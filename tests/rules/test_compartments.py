"""Compartments of drop boxes: locked in turn, and what each holds when its box is pulled."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pitboss.rules.drop.compartments import (
    Actor,
    BoxStanding,
    Segment,
    compartment_refusals,
    enable_refusals,
    lock_refusals,
    segments,
)

A = BoxStanding("BJ-11", "4011", 3, "A", is_locked=False)
LAST = replace(A, letter="C")
LOCKED = replace(A, is_locked=True)
ALICE = Actor(is_supervisor=True, is_here=True)
FIRST = Segment("A", "SC-1", datetime(2026, 5, 1, 14, tzinfo=UTC))


@pytest.mark.parametrize(
    ("standing", "letter", "actor", "is_counted", "codes"),
    [
        (A, "A", ALICE, True, []),
        (A, "A", ALICE, False, ["count_first"]),
        (A, "B", ALICE, True, ["not_in_use"]),
        (LOCKED, "A", ALICE, True, ["not_in_use"]),
        (LAST, "C", ALICE, True, ["last_compartment"]),
        (None, "A", ALICE, True, ["no_compartments"]),
        (
            A,
            "A",
            Actor(is_supervisor=False, is_here=False, pull="D-1"),
            True,
            ["wrong_role", "wrong_place", "pull_under_way"],
        ),
    ],
)
def test_a_compartment_is_locked_on_a_count_by_a_supervisor(
    standing: BoxStanding | None, letter: str, actor: Actor, is_counted: bool, codes: list[str]
) -> None:
    found = lock_refusals(standing, letter, actor, is_counted=is_counted, minutes=60)
    assert [refusal.code for refusal in found] == codes


@pytest.mark.parametrize(
    ("standing", "letter", "codes"),
    [
        (LOCKED, "B", []),
        (A, "B", ["not_locked"]),
        (LOCKED, "C", ["not_the_next"]),
        (LAST, "D", ["last_compartment"]),
        (None, "B", ["no_compartments"]),
    ],
)
def test_the_next_one_is_enabled_once_the_one_before_is_locked(
    standing: BoxStanding | None, letter: str, codes: list[str]
) -> None:
    assert [refusal.code for refusal in enable_refusals(standing, letter, ALICE)] == codes


def test_each_compartment_ends_with_its_own_count() -> None:
    second = replace(A, letter="B")
    assert segments(A, [], "CT-1", is_open=True) == [Segment("A", "CT-1")]
    assert segments(second, [FIRST], "CT-2", is_open=True) == [FIRST, Segment("B", "CT-2")]
    # Nothing was counted since: of a house that does without, or of a table that closed.
    assert segments(second, [FIRST], "SC-1", is_open=True) == [FIRST, Segment("B", None)]
    assert segments(second, [FIRST], "SC-1", is_open=False) == [FIRST]
    assert segments(LOCKED, [FIRST], "SC-1", is_open=False) == [FIRST]


@pytest.mark.parametrize(
    ("standing", "count", "is_open", "needs_count", "codes"),
    [
        (replace(A, letter="B"), "CT-2", True, True, []),
        (replace(A, letter="B"), "SC-1", True, True, ["count_first"]),
        (replace(A, letter="B"), "SC-1", True, False, []),
        (LOCKED, "SC-1", True, True, ["compartment_locked"]),
        (LOCKED, "SC-1", False, True, []),
    ],
)
def test_a_box_leaves_an_open_table_once_its_last_compartment_has_a_count(
    standing: BoxStanding, count: str, is_open: bool, needs_count: bool, codes: list[str]
) -> None:
    found = compartment_refusals(standing, [FIRST], count, is_open=is_open, needs_count=needs_count)
    assert [refusal.code for refusal in found] == codes
