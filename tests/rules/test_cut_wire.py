"""A cut over the wire: what it answers, and what a case that cannot be is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.cheques.cut import answer

CASE = {
    "amount_cents": 17_500,
    "tray": {"10000": 20, "2500": 60, "500": 80},
    "bet": {"2500": 7},
    "table_minimum_cents": 2_500,
}


def test_the_wire_answer_names_cheques_approval_stacks_and_breakage() -> None:
    assert answer(CASE) == {
        "cheques": {"2500": 7},
        "approval": [],
        "approval_reasons": [],
        "stacks": {"2500": [3, 3, 1]},
        "breakage_cents": 0,
        "working": "Color for color: 7 × $25 green.",
    }


def test_the_wire_answer_colours_up_with_its_approval() -> None:
    up = answer({**CASE, "colour_up": True})
    assert up["cheques"] == {"10000": 1, "2500": 3}
    assert up["approval"] == ["supervisor"]
    assert [reason["code"] for reason in up["approval_reasons"]] == [
        "pays_with_100",
        "coloured_up_to_100",
    ]


def test_the_wire_answer_cuts_a_buy_in() -> None:
    case = {"amount_cents": 20_000, "tray": CASE["tray"], "table_minimum_cents": 500}
    assert answer({**case, "buy_in": True})["cheques"] == {"2500": 4, "500": 20}


def test_the_wire_answer_converts_a_bet() -> None:
    converted = answer({**CASE, "convert_bet": True})
    assert converted["bet_taken"] == {"2500": 7}
    assert converted["cheques"] == {"10000": 3, "2500": 2}
    assert answer({**CASE, "convert_bet": True, "colour_up": 10_000}) == converted


def test_the_wire_answer_names_the_fill_of_a_short_tray() -> None:
    short = answer({**CASE, "tray": {"2500": 1}})
    assert short["error"]["code"] == "tray_short"
    assert short["fill"] == {"2500": 20}
    assert set(short) == {"error", "fill"}


def test_an_empty_tube_of_quarters_is_filled_not_kept_as_breakage() -> None:
    case = {"amount_cents": 840, "bet": {"100": 7}}
    assert answer({**case, "tray": {"100": 20, "500": 9}})["breakage_cents"] == 40
    short = answer({**case, "tray": {"100": 20, "500": 9, "25": 0}})
    assert short["fill"] == {"25": 20}


def test_house_options_come_with_the_case() -> None:
    case = {"amount_cents": 840, "bet": {"100": 7}, "tray": {"500": 9, "250": 9, "100": 9}}
    assert answer({**case, "breakage": "up"})["breakage_cents"] == -10
    assert answer({**case, "smallest_cheque_cents": 500})["breakage_cents"] == 340


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"amount_cents": None}, "bad_amount"),
        ({"amount_cents": 1.5}, "bad_amount"),
        ({"amount_cents": True}, "bad_amount"),
        ({"amount_cents": "17500"}, "bad_amount"),
        ({"amount_cents": -1}, "bad_amount"),
        ({"amount_cents": 10**400}, "bad_amount"),
        ({"tray": None}, "bad_tray"),
        ({"tray": []}, "bad_cheques"),
        ({"tray": {"7": 1}}, "unknown_denomination"),
        ({"bet": 3}, "bad_cheques"),
        ({"table_minimum_cents": "5"}, "bad_table_minimum"),
        ({"colour_up": "yes"}, "bad_colour_up"),
        ({"colour_up": 7}, "bad_colour_up"),
        ({"buy_in": 1}, "bad_buy_in"),
        ({"breakage": "sideways"}, "bad_breakage"),
        ({"breakage": []}, "bad_breakage"),
        ({"smallest_cheque_cents": 7}, "bad_smallest_cheque"),
        ({"smallest_cheque_cents": []}, "bad_smallest_cheque"),
        ({"buy_in": True}, "buy_in_has_no_bet"),
        ({"convert_bet": True, "bet": {}}, "bet_missing"),
    ],
)
def test_a_case_that_cannot_be_is_answered_with_its_reason(
    changes: dict[str, Any], code: str
) -> None:
    error = answer({**CASE, **changes})["error"]
    assert error["code"] == code
    assert error["message"]


def test_a_buy_in_needs_the_table_minimum() -> None:
    error = answer({"amount_cents": 100, "tray": {}, "buy_in": True})["error"]
    assert error["code"] == "table_minimum_missing"


def test_every_reason_is_in_the_message() -> None:
    error = answer({"amount_cents": "x", "colour_up": "y"})["error"]
    assert error["code"] == "bad_amount"
    assert "tray" in error["message"]
    assert "colour_up" in error["message"]
    assert [reason["code"] for reason in error["reasons"]] == [
        "bad_amount",
        "bad_tray",
        "bad_colour_up",
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(JSON)
def test_json_of_any_kind_is_answered(case: Any) -> None:
    assert "error" in answer(case)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys([*CASE, "colour_up", "buy_in"], JSON)))
def test_any_value_in_any_field_is_answered(case: dict[str, Any]) -> None:
    answered = answer({**CASE, **case})
    assert "error" in answered or "cheques" in answered
