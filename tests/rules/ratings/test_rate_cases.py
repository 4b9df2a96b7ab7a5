"""Every question about a rating, against cases that an independent reference answered."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from pitboss.rules.__main__ import answer_lines
from pitboss.rules.ratings import wire

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "ratings.jsonl").read_text().splitlines()
]
# Six decks take many seconds while branches are counted: `python -m pitboss.rules rate` is asked by
# hand. Two decks and split hands dealt in table order go the same ways.
SLOW = {"R173", "R174"}


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["id"] not in SLOW], ids=lambda case: str(case["id"])
)
def test_the_answer_is_the_references(case: dict[str, Any]) -> None:
    assert wire.answer({"ask": case["ask"], "case": case["case"]}) == case["answer"]


def test_every_question_has_a_case() -> None:
    assert {case["ask"] for case in CASES} == set(wire.ASKS)


def test_the_command_line_answers_by_the_line_and_goes_on_after_a_bad_one() -> None:
    quick = [case for case in CASES if case["ask"] != "main_edge"]
    source = io.BytesIO(
        b"".join(json.dumps(case).encode() + b"\n" for case in quick) + b'{"ask": "luck"}\n'
    )
    sink = io.BytesIO()
    answer_lines(wire.answer, source, sink)
    *answers, last = (json.loads(line) for line in sink.getvalue().splitlines())
    assert answers == [case["answer"] for case in quick]
    assert last["error"]["code"] == "unknown_ask"
