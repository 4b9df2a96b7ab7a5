"""What was done at a tray on paper: which of it cannot have been."""

from __future__ import annotations

from pitboss.rules.day.late_counts import CountMade, contradictions


def made(*kinds: str) -> list[CountMade]:
    return [CountMade(f"S-{place}", kind) for place, kind in enumerate(kinds, 1)]


def test_what_follows_in_order_contradicts_nothing() -> None:
    assert contradictions([]) == []
    every = made("closer", "late_opener", "late_fill", "count", "late_closer", "recount", "opener")
    assert contradictions(every) == []
    assert contradictions(made("late_fill", "late_closer")) == []


def test_play_counted_at_a_closed_table_names_both() -> None:
    named = contradictions(made("recount", "late_count"))
    assert named == [
        "S-2 counts play after S-1, which left the table closed. An opener is missing."
    ]


def test_a_locked_tray_of_an_open_table_names_both() -> None:
    named = contradictions(made("opener", "recount"))
    assert named == [
        "S-2 recounts a locked tray after S-1, which left it open. A closer is missing."
    ]


def test_cheques_that_moved_at_a_closed_table_are_named_once() -> None:
    missing = ["S-2 is of a table that S-1 left closed. An opener is missing."]
    assert contradictions(made("late_closer", "late_fill")) == missing
    assert contradictions(made("closer", "late_fill", "late_opener")) == missing
    # The count of that play says the same of all that moved in it.
    named = contradictions(made("closer", "late_fill", "late_closer"))
    assert named == [
        "S-3 counts play after S-1, which left the table closed. An opener is missing."
    ]
