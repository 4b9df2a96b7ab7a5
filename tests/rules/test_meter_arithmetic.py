"""Meters: terms as a manager keys them, and arithmetic that loses no part of a cent."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pitboss.rules.payouts.meters import (
    MICROCENTS,
    Cause,
    Contribution,
    MeterSource,
    MeterStanding,
    adjustment_refusals,
    changes_between,
    read_terms,
    rolled_up,
    standing_of,
    stored_terms,
)
from pitboss.rules.refusal import Refused

KEYED = {
    "name": " Blazing  7's ",
    "bet": "blazing_7s:JACKPOT",
    "source": "controller",
    "start": "24,310.55",
    "reset": "10,000",
    "rate": "20%",
    "reserve": "",
    "maximum": "250,000",
    "tables": "BJ-16, BJ-15 BJ-16",
}
POSTED = {"name": "MEGA", "bet": "lucky_ladies:MEGA", "source": "posted", "start": "50,000"}
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def codes(keyed: dict[str, str]) -> list[str]:
    with pytest.raises(Refused) as caught:
        read_terms(keyed)
    return list(caught.value.codes)


def test_terms_are_kept_and_read_back_and_said_in_words() -> None:
    terms = read_terms(KEYED)
    assert stored_terms(terms.stored()) == terms
    assert terms.name == "Blazing 7's"
    assert terms.tables == ("BJ-15", "BJ-16")
    words = terms.words()
    assert words["Of each wager"] == "20% on the meter, 0% into the reserve"
    assert words["At most"] == "$250,000"
    assert read_terms(KEYED | {"maximum": "none"}).words()["At most"] == "no limit"


def test_a_posted_jackpot_has_an_amount_and_nothing_else() -> None:
    terms = read_terms(POSTED | {"tables": "BJ-17", "rate": "20%", "maximum": "1"})
    assert (terms.source, terms.rate_ppm, terms.maximum_cents) == (MeterSource.POSTED, 0, None)
    assert terms.words() == {
        "Bet": "lucky ladies, MEGA",
        "Counted by": "posted and paid by the house, whatever was wagered",
        "Posted": "$50,000",
        "Tables": "BJ-17",
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"name": " "}, ["name_malformed"]),
        ({"name": "x" * 41}, ["name_malformed"]),
        ({"bet": "trilux:MEGA"}, ["unknown_meter"]),
        ({"bet": "blazing_7s:MEGA"}, ["unknown_meter"]),
        ({"source": "abacus"}, ["unknown_source"]),
        ({"source": "posted"}, ["wrong_source"]),
        ({"bet": "lucky_ladies:MEGA"}, ["wrong_source"]),
        ({"start": "much"}, ["amount_malformed"]),
        ({"rate": "a lot"}, ["rate_malformed"]),
        ({"rate": "20.12345"}, ["rate_malformed"]),
        ({"rate": "0"}, ["rate_missing"]),
        ({"rate": "90%", "reserve": "10.0001%"}, ["rate_too_high"]),
        ({"maximum": "24,000"}, ["maximum_too_low"]),
        ({"tables": " "}, ["no_tables"]),
        ({"name": "", "reset": "x"}, ["name_malformed", "amount_malformed"]),
    ],
)
def test_one_change_is_one_reason_to_refuse(change: dict[str, str], expected: list[str]) -> None:
    assert codes(KEYED | change) == expected


def test_nothing_rolled_up_is_lost_at_the_maximum() -> None:
    parts = Contribution(5 * MICROCENTS, 7)
    for balance, most in ((0, None), (0, 100), (97 * MICROCENTS, 100), (100 * MICROCENTS, 100)):
        added = rolled_up(balance, parts, most)
        assert added.amount_microcents + added.reserve_microcents == 5 * MICROCENTS + 7
    # A meter that stands above a lowered maximum takes nothing more.
    assert rolled_up(101 * MICROCENTS, parts, 100).amount_microcents == 0


def test_a_hit_takes_whole_cents_and_what_exceeds_the_meter_is_the_reserves() -> None:
    tenth = standing_of(2_431_055, [243_105], empties=False, reset_cents=1_000_000)
    assert tenth == MeterStanding(243_105 * MICROCENTS, 0, 0)
    both = standing_of(2_431_055, [243_105, 2_431_055], empties=True, reset_cents=1_000_000)
    assert both == MeterStanding(
        2_431_055 * MICROCENTS, 243_105 * MICROCENTS, 1_000_000 * MICROCENTS
    )


def test_changes_lead_from_one_standing_to_another_and_back_to_nothing() -> None:
    tenth, both = MeterStanding(10, 0, 0), MeterStanding(100, 10, 50)
    there = changes_between(tenth, both)
    assert [(c.cause, c.amount_microcents, c.reserve_microcents) for c in there] == [
        (Cause.WON, -90, -10),
        (Cause.SEEDED, 50, -50),
    ]
    back = changes_between(both, MeterStanding())
    assert [c.cause for c in back] == [Cause.RESTORED, Cause.SEED_RECOVERY]
    every = [*changes_between(MeterStanding(), tenth), *there, *back]
    assert sum(c.amount_microcents for c in every) == 0
    assert sum(c.reserve_microcents for c in every) == 0
    assert changes_between(both, both) == []
    # A hit that the meter itself had nothing for is all the reserve's.
    assert [c.cause for c in changes_between(both, MeterStanding(100, 20, 50))] == [Cause.WON]
    assert [c.cause for c in changes_between(both, MeterStanding(100, 0, 50))] == [Cause.RESTORED]


def adjusted(keyed: dict[str, str] = KEYED, **change: Any) -> list[str]:
    facts: dict[str, Any] = {
        "cause": Cause.MALFUNCTION,
        "before_cents": 2_431_055,
        "after_cents": 2_430_555,
        "last_posted_at": None,
        "last_won_at": None,
        "mid_game": (),
        "now": NOW,
    }
    terms = read_terms(keyed | {"tables": "BJ-15"})
    return [refusal.code for refusal in adjustment_refusals(terms, **facts | change)]


def test_the_baseline_is_allowed() -> None:
    assert adjusted() == []
    assert adjusted(after_cents=2_500_000) == []
    assert adjusted(cause=Cause.CORRECTION, after_cents=2_500_000) == []
    assert adjusted(after_cents=25_000_000) == []
    # Only what is posted waits for a day and for the end of a game.
    assert adjusted(mid_game=("BJ-15",), last_posted_at=NOW) == []


@pytest.mark.parametrize("cause", [Cause.OVER_MAXIMUM, Cause.RESERVE, Cause.SEED_RECOVERY])
def test_a_listed_reason_lets_a_meter_fall_and_never_rise(cause: Cause) -> None:
    assert adjusted(cause=cause) == []
    assert adjusted(cause=cause, after_cents=2_500_000) == ["meter_would_rise"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"cause": Cause.CORRECTION}, ["meter_would_fall"]),
        ({"cause": Cause.WON}, ["wrong_cause"]),
        ({"cause": Cause.POSTED}, ["wrong_cause"]),
        ({"after_cents": 2_431_055}, ["nothing_changes"]),
        ({"after_cents": 25_000_001}, ["over_maximum"]),
    ],
)
def test_one_change_is_one_reason_not_to_adjust(
    change: dict[str, Any], expected: list[str]
) -> None:
    assert adjusted(**change) == expected


def test_a_posted_jackpot_changes_once_in_24_hours_and_after_a_win_and_between_games() -> None:
    posted: dict[str, Any] = {"cause": Cause.POSTED, "keyed": POSTED}
    hour = timedelta(hours=1)
    assert adjusted(**posted) == []
    assert adjusted(POSTED) == ["wrong_cause"]
    assert adjusted(**posted, last_posted_at=NOW - 24 * hour) == []
    assert adjusted(**posted, last_posted_at=NOW - 23 * hour) == ["posted_today"]
    won: dict[str, Any] = {"last_posted_at": NOW - 3 * hour, "last_won_at": NOW - 2 * hour}
    assert adjusted(**posted, **won) == []
    won["last_won_at"] = NOW - 4 * hour
    assert adjusted(**posted, **won) == ["posted_today"]
    assert adjusted(**posted, mid_game=("BJ-17", "BJ-18")) == ["mid_game", "mid_game"]


def test_the_terms_know_whether_they_are_posted() -> None:
    terms = read_terms(KEYED)
    assert not terms.is_posted
    assert replace(terms, source=MeterSource.POSTED).is_posted
