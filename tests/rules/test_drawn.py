"""A signature drawn by hand: read whole, or refused."""

from __future__ import annotations

import json

import pytest

from pitboss.rules.flows.drawn import HEIGHT, POINTS_MAX, WIDTH, Drawn, read_strokes, svg_path
from pitboss.rules.refusal import Refused

HAND = [
    [[100, 100], [150, 60], [200, 140], [260, 80]],
    [[300, 90], [360, 120], [420, 70], [480, 9]],
]


def test_a_hand_is_kept_as_it_was_drawn() -> None:
    strokes = read_strokes(json.dumps([*HAND, []]))
    kept = Drawn(strokes, 7, "passport …5678").stored()
    assert kept == {"strokes": HAND, "matched_with": "passport …5678", "document": 7}
    assert svg_path(kept).startswith("M100 100L150 60")


def test_nothing_drawn_is_nothing() -> None:
    assert read_strokes(" ") == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[", "drawing_malformed"),
        ("[" * 100_000, "drawing_malformed"),
        ("{}", "drawing_malformed"),
        ("[7]", "drawing_malformed"),
        ("[[[1]]]", "drawing_malformed"),
        ("[[[1, true]]]", "drawing_malformed"),
        ("[[[1.5, 2]]]", "drawing_malformed"),
        (f"[[[{WIDTH + 1}, 2]]]", "drawing_malformed"),
        (f"[[[1, {HEIGHT + 1}]]]", "drawing_malformed"),
        ("[[[-1, 2]]]", "drawing_malformed"),
        (json.dumps([[[1, 1]] * (POINTS_MAX + 1)]), "drawing_malformed"),
        ("[]", "drawing_too_small"),
        ("[[[1, 1], [900, 9]]]", "drawing_too_small"),
        (json.dumps([[[n, n] for n in range(20)]]), "drawing_too_small"),
    ],
)
def test_what_is_no_signature_is_refused(text: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        read_strokes(text)
    assert caught.value.codes == (code,)
