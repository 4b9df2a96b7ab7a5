"""A count as a dealer calls it: three ways, and everything that is no count."""

from __future__ import annotations

import pytest

from pitboss.rules.cheques.counting import CountBy, read_count
from pitboss.rules.refusal import Refused

COLOURS = [10_000, 2_500, 250]
STACKS = {
    "stacks_10000": "5",
    "odd_10000": "1",
    "stacks_2500": "9",
    "odd_2500": "16",
    "stacks_250": "0",
    "odd_250": "0",
}


@pytest.mark.parametrize(
    ("by", "keyed", "counted"),
    [
        ("stacks", STACKS, {10_000: 101, 2_500: 196}),
        ("stacks", STACKS | {"odd_250": " 3 "}, {10_000: 101, 2_500: 196, 250: 3}),
        # Twenty odd are a stack that nobody squared up; they are there all the same.
        ("stacks", STACKS | {"odd_250": "25"}, {10_000: 101, 2_500: 196, 250: 25}),
        (
            "cheques",
            {"cheques_10000": "7", "cheques_2500": "0", "cheques_250": "41"},
            {10_000: 7, 250: 41},
        ),
        (
            "dollars",
            {"dollars_10000": "700", "dollars_2500": "0", "dollars_250": "102.50"},
            {10_000: 7, 250: 41},
        ),
        (
            "dollars",
            {"dollars_10000": "0", "dollars_2500": "$1,075.00", "dollars_250": "7.5"},
            {2_500: 43, 250: 3},
        ),
    ],
)
def test_three_ways_to_call_a_tray(by: str, keyed: dict[str, str], counted: dict[int, int]) -> None:
    assert read_count(by, COLOURS, keyed) == counted


def test_an_empty_tray_is_a_count_when_every_tube_is_keyed() -> None:
    keyed = {f"cheques_{cents}": "0" for cents in COLOURS}
    assert read_count("cheques", COLOURS, keyed) == {}


@pytest.mark.parametrize(
    ("by", "change", "code", "words"),
    [
        ("stacks", {"odd_250": ""}, "not_counted", "$2.50 pink isn’t counted"),
        ("stacks", {"stacks_250": "  "}, "not_counted", "Enter 0 for an empty tube."),
        ("stacks", {"odd_250": "-1"}, "bad_count", "'-1' is not a whole number"),
        ("stacks", {"odd_250": "1.5"}, "bad_count", "$2.50 pink"),
        ("stacks", {"odd_250": "²"}, "bad_count", "$2.50 pink"),
        ("stacks", {"odd_250": "1" * 10}, "bad_count", "$2.50 pink"),
        ("stacks", {"stacks_250": "60000"}, "count_too_large", "$2.50 pink"),
        ("stacks", {"stacks_250": "999999999"}, "count_too_large", "$2.50 pink"),
        ("cheques", {}, "not_counted", "$100 black isn’t counted"),
        ("heads", {}, "unknown_way", "by stacks, by cheques, or by dollars"),
        ("", {}, "unknown_way", "by stacks"),
    ],
)
def test_what_is_no_count_is_refused_with_the_colour(
    by: str, change: dict[str, str], code: str, words: str
) -> None:
    with pytest.raises(Refused) as caught:
        read_count(by, COLOURS, STACKS | change)
    assert code in caught.value.codes
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("keyed", "code", "words"),
    [
        (
            "30",
            "not_a_multiple",
            "$30 isn’t an exact number of $25 cheques. Did you mean $25 or $50?",
        ),
        ("25.01", "not_a_multiple", "$25 or $50?"),
        ("25.001", "bad_amount", "is not an amount"),
        ("1,00", "bad_amount", "is not an amount"),
        (".50", "bad_amount", "is not an amount"),
        ("", "not_counted", "$25 green isn’t counted"),
    ],
)
def test_dollars_that_no_cheques_make_are_refused(keyed: str, code: str, words: str) -> None:
    with pytest.raises(Refused) as caught:
        read_count("dollars", [2_500], {"dollars_2500": keyed})
    assert list(caught.value.codes) == [code]
    assert words in str(caught.value)


def test_every_colour_that_is_wrong_is_named_at_once() -> None:
    with pytest.raises(Refused) as caught:
        read_count(CountBy.CHEQUES, COLOURS, {"cheques_2500": "x"})
    assert list(caught.value.codes) == ["not_counted", "bad_count", "not_counted"]
