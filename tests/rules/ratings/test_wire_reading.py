"""A question that cannot be read is refused by the name of its field, never guessed at."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.ratings import wire
from pitboss.rules.refusal import Refused

PACE = {"1": 209, "2": 139}
OPEN = {
    "table": "BJ-11", "table_open": True, "opened_at": 0, "seats": 7, "seat": 3, "taken": [],
    "patron": 41, "now": 7200, "began": 7200, "seat_free_since": 0,
}  # fmt: skip
DEPARTURE = {
    "decks": 6, "soft_17": "stand", "hands_max": 4, "hand": ["T", "6"], "up": "7", "move": "stand",
}  # fmt: skip
DAYS = {
    "began": "2026-05-02T05:10:00-04:00", "ended": "2026-05-02T06:40:00-04:00",
    "day_starts": "06:00", "zone": "America/New_York",
}  # fmt: skip
BAD: list[tuple[str, object, str]] = [
    ("points", None, "bad_case"),
    ("points", {"theo_cents": [1]}, "bad_cents_per_point"),
    ("points", {"theo_cents": [1], "cents_per_point": 0}, "bad_cents_per_point"),
    ("points", {"theo_cents": [1], "cents_per_point": True}, "bad_cents_per_point"),
    ("points", {"theo_cents": [10**30], "cents_per_point": 1}, "bad_theo_cents"),
    ("points", {"theo_cents": 5, "cents_per_point": 1}, "bad_theo_cents"),
    ("points", {"theo_cents": [0] * 100_001, "cents_per_point": 1}, "bad_theo_cents"),
    ("range", {"theo": "1.5", "basis": "told", "pace": "own"}, "bad_theo"),
    ("range", {"theo": 10**30, "basis": "told", "pace": "own"}, "bad_theo"),
    ("range", {"theo": "1/0", "basis": "told", "pace": "own"}, "bad_theo"),
    ("range", {"theo": "1", "basis": "seen", "pace": "own"}, "bad_basis"),
    ("range", {"theo": "1", "basis": 5, "pace": "own"}, "bad_basis"),
    ("range", {"theo": "1", "basis": "told", "pace": "x" * 101}, "bad_pace"),
    ("open", {**OPEN, "related": 1}, "bad_related"),
    ("main_edge", {"decks": 6, "soft_17": "stand", "blackjack_pays": "3/2"}, "bad_blackjack_pays"),
    ("main_edge", {"decks": 6, "soft_17": "stand", "blackjack_pays": 2}, "bad_blackjack_pays"),
    ("cut_days", {**DAYS, "began": "yesterday"}, "bad_began"),
    ("cut_days", {**DAYS, "ended": "2026-05-02T05:10:00"}, "bad_ended"),
    ("cut_days", {**DAYS, "zone": "Mars/Base"}, "bad_zone"),
    ("cut_days", {**DAYS, "zone": "../etc"}, "bad_zone"),
    ("cut_days", {**DAYS, "day_starts": "6 am"}, "bad_day_starts"),
    ("variance", {"categories": ["lose"]}, "bad_categories"),
    ("trips", {"theo_cents": {"May 1": 1}, "gap_days": 1}, "bad_theo_cents"),
    ("pace", {"players": [[3600]], "pace": PACE}, "bad_players"),
    ("pace", {"players": [[3600, None]], "pace": PACE}, "bad_second"),
    ("pace", {"players": [], "pace": {}}, "bad_pace"),
    ("pace", {"players": [], "pace": {"1": 209, "3": 105}}, "bad_pace"),
    ("average", {"seconds": 60, "away": [[50, 40]], "looks": []}, "bad_away"),
    ("told", {"rounds": [{"seats": [5]}]}, "bad_seats"),
    ("cash_day", {"entries": [], "matches": {"S1": 7}}, "bad_S1"),
    ("cash_day", {"entries": [], "matches": "S1"}, "bad_matches"),
    ("picked", {"digest": "07ae", "share_bp": 300}, "bad_digest"),
    ("picked", {"digest": "07AE147A", "share_bp": 300}, "bad_digest"),
    ("rebate_cost", {"rounds": 10_001, "bet_cents": 1, "edge": "0", "rate_bp": 1}, "bad_rounds"),
    ("headcount", {"hours": 24 * 366 + 1}, "bad_hours"),
    ("spread", {"players": 1, "seats": 1, "tables_most": 1001}, "bad_tables_most"),
    ("forecast", {"history": [], "target": "0", "least": 0, "most": 1}, "bad_target"),
    ("departure", {**DEPARTURE, "decks": 9}, "bad_decks"),
    ("departure", {**DEPARTURE, "soft_17": "maybe"}, "bad_soft_17"),
    ("departure", {**DEPARTURE, "hands_max": 5}, "bad_hands_max"),
    ("departure", {**DEPARTURE, "hands_max": 1}, "bad_hands_max"),
    ("departure", {**DEPARTURE, "up": "1"}, "bad_rank"),
    ("departure", {**DEPARTURE, "hand": ["10", "6"]}, "bad_rank"),
]


@pytest.mark.parametrize(("asked", "case", "code"), BAD)
def test_a_field_that_cannot_be_is_refused_by_its_name(asked: str, case: Any, code: str) -> None:
    with pytest.raises(Refused) as refused:
        wire.answer({"ask": asked, "case": case})
    assert refused.value.codes == (code,)


def test_a_question_nobody_knows_is_refused() -> None:
    for asked in ("luck", None, 5):
        with pytest.raises(Refused) as refused:
            wire.answer({"ask": asked, "case": {}})
        assert refused.value.codes == ("unknown_ask",)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
_NAMES = (
    "seconds looks away players pace main side theo basis parts in out categories began ended "
    "results entries spans limits now rounds bets seats history moves hand"
)


@given(
    st.sampled_from(sorted(set(wire.ASKS) - {"main_edge"})),
    st.dictionaries(st.sampled_from(_NAMES.split()), _JSON),
)
def test_any_json_is_answered_or_refused(asked: str, case: dict[str, Any]) -> None:
    with contextlib.suppress(Refused):
        assert isinstance(wire.answer({"ask": asked, "case": case}), dict)
