"""Moments at which a look is wanted, bets one tap away, and the sentences of every no."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.ratings.prompts import bet_ladder, prompt_moment, wanted_since
from pitboss.rules.ratings.refusing import CODES, sentences
from pitboss.rules.refusal import Refused
from pitboss.rules.settings.ratings import PACE, PaceList, rating_settings


@given(st.binary(min_size=4, max_size=32), st.integers(0, 100), st.integers(60, 3_600))
def test_a_moment_lies_in_its_window(drawn: bytes, window: int, every: int) -> None:
    assert window * every <= prompt_moment(drawn, window, every) < (window + 1) * every


@pytest.mark.parametrize(
    ("moments", "elapsed", "last_look", "wanted"),
    [
        ([300], 299, None, None),
        ([300], 300, None, 300),
        ([300], 400, 300, None),
        ([300], 400, 299, 300),
        ([300, 1_500], 1_600, 400, 1_500),
        ([], 1_600, None, None),
    ],
)
def test_a_look_is_wanted_from_its_moment_until_there_is_one(
    moments: list[int], elapsed: int, last_look: int | None, wanted: int | None
) -> None:
    assert wanted_since(moments, elapsed, last_look) == wanted


@given(st.none() | st.integers(500, 1_000_000), st.sampled_from([500, 2_500, 10_000]))
def test_the_ladder_has_six_bets_at_most_and_none_twice(last: int | None, minimum: int) -> None:
    bets = [cents for cents, _ in bet_ladder(last, minimum, 300_000)]
    assert len(bets) == len(set(bets)) <= 6
    assert all(0 < cents <= 300_000 for cents in bets)


def test_a_ladder_without_a_look_begins_at_the_minimum() -> None:
    assert bet_ladder(None, 2_500, 300_000)[0] == (2_500, "table minimum")
    assert (1_200, "half") not in bet_ladder(2_500, 2_500, 300_000)


def test_every_code_has_its_sentence() -> None:
    fields = {"table": "BJ-11", "seat": 3, "who": "A. Ruiz", "elsewhere": "BJ-12", "sign": "21:20"}
    found = sentences(sorted(CODES), **fields)
    assert [refusal.code for refusal in found] == sorted(CODES)
    assert all("{" not in refusal.message and refusal.message.endswith(".") for refusal in found)


def test_a_pace_is_read_and_said_again() -> None:
    kind = PaceList()
    assert kind.read(kind.text(list(PACE))) == list(PACE)
    assert kind.words([209, 139]) == "209, 139"
    for wrong in ("", "abc", "60 70", "0", "209;139"):
        with pytest.raises(Refused):
            kind.read(wrong)
    assert {setting.subject for setting in rating_settings()} == {
        "Players",
        "Comps",
        "Play time",
    }
