"""An open table changes its limits and terms from a moment on, and keeps everything else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pitboss.rules.games.live_changes import (
    PRESETS,
    Facts,
    SetupChange,
    Until,
    When,
    begins_at,
    change_of,
    change_refusals,
    kept_by,
    notice_of,
    without_seat,
)
from pitboss.rules.games.table_setup import CardProfile, TableSetup, keyed_setup, read_setup
from tests.rules.test_table_setup import BJ_50, STADIUM

NOW = datetime(2026, 5, 1, 20, 52, tzinfo=UTC)
WAS = replace(read_setup(BJ_50), cards=CardProfile.SHUFFLER)


def changed(**keyed: str) -> TableSetup:
    return read_setup({**keyed_setup(WAS.stored()), **keyed})


def refused(wanted: TableSetup, was: TableSetup = WAS, **more: Any) -> list[str]:
    facts = {
        "table": "BJ-50", "is_open": True, "players": 0, "when": When.NEXT_ROUND, "at": None,
        "now": NOW, "preset": PRESETS["house"], **more,
    }  # fmt: skip
    return [refusal.code for refusal in change_refusals(was, wanted, Facts(**facts))]


def said(change: SetupChange) -> tuple[list[str], list[str]]:
    return (
        [f"{line.label}: {line.words}" for line in change.limits],
        [f"{line.label}: {line.words}" for line in change.terms],
    )


def test_limits_are_told_from_terms_and_from_what_stays() -> None:
    assert said(change_of(WAS, changed(minimum="50", bet_trilux_maximum="100"))) == (
        ["Minimum: $25 → $50", "TriLux maximum: $500 → $100"],
        [],
    )
    # Hands and mid-shoe entry are limits: the pit manager signs them alone.
    assert said(change_of(WAS, changed(hands_each="2", mid_shoe="no"))) == (
        ["Hands of one player: 3 → 2", "Mid-shoe entry: allowed → not before the next shoe"],
        [],
    )
    assert said(change_of(WAS, changed(together_maximum="2,000"))) == (
        ["All bets of a hand: none → $2,000"],
        [],
    )
    rows = {"bet_trilux": "house", "bet_trilux_rows": "flush 8:1"}
    assert said(change_of(WAS, changed(**rows)))[1] == [
        "TriLux: pay table MANUAL-9 → the house's own table: flush 8:1"
    ]
    assert said(change_of(WAS, changed(is_vip="yes", bet_super_3="1")))[1] == [
        "VIP: no → yes",
        "Super 3: not taken → pay table 1",
    ]
    assert change_of(WAS, changed(decks="8", par_500="1", pit="Pit 9")).fixed == (
        "pit",
        "decks",
        "par",
    )


def test_a_set_up_is_read_as_it_would_be_keyed() -> None:
    own = changed(bet_trilux="house", bet_trilux_rows="straight flush 20:1\nflush 8:1")
    assert read_setup(keyed_setup(own.stored())) == own


def test_a_stadium_changes_its_own_terms() -> None:
    was = read_setup(STADIUM)
    wanted = read_setup({**keyed_setup(was.stored()), "auto_stand": "18/17"})
    assert said(change_of(was, wanted))[1] == ["Expired timer: soft 17, hard 12 → soft 18, hard 17"]


@pytest.mark.parametrize(
    ("keyed", "more", "codes"),
    [
        ({"minimum": "50"}, {}, []),
        ({}, {}, ["nothing_changes"]),
        ({"minimum": "50"}, {"is_open": False}, ["table_closed"]),
        ({"minimum": "50", "decks": "8"}, {}, ["closed_table_only"]),
        ({"minimum": "50"}, {"when": When.END_OF_SHOE}, []),
        ({"minimum": "50"}, {"when": When.AT_TIME}, ["bad_moment"]),
        ({"minimum": "50"}, {"when": When.AT_TIME, "at": NOW}, ["bad_moment"]),
        ({"minimum": "50"}, {"when": When.AT_TIME, "at": NOW + timedelta(days=2)}, ["bad_moment"]),
        ({"minimum": "50"}, {"when": When.AT_TIME, "at": NOW + timedelta(hours=1)}, []),
        ({"minimum": "50"}, {"preset": PRESETS["MD"], "players": 1}, ["players_seated"]),
        ({"minimum": "50"}, {"preset": PRESETS["MD"]}, []),
        ({"minimum": "10"}, {"preset": PRESETS["MD"], "players": 1}, []),
    ],
)
def test_what_an_open_table_takes(
    keyed: dict[str, str], more: dict[str, Any], codes: list[str]
) -> None:
    assert refused(changed(**keyed), **more) == codes


def test_a_continuous_shuffler_ends_no_shoe() -> None:
    was = replace(WAS, cards=CardProfile.CONTINUOUS)
    wanted = replace(was, minimum_cents=5_000)
    assert refused(wanted, was, when=When.END_OF_SHOE) == ["no_shoe"]


def test_players_are_told_before_limits_change_and_nobody_where_nobody_sits() -> None:
    limits, terms = change_of(WAS, changed(minimum="10")), change_of(WAS, changed(is_vip="yes"))
    assert notice_of(limits, 2, PRESETS["MD"]) == timedelta(minutes=30)
    assert notice_of(limits, 0, PRESETS["MD"]) == timedelta()
    assert notice_of(terms, 2, PRESETS["MD"]) == timedelta()
    assert notice_of(limits, 2, PRESETS["OH"]) == timedelta()


def test_a_change_begins_at_the_later_of_its_moment_the_notice_and_the_sign() -> None:
    tapped = NOW + timedelta(minutes=12)
    later = NOW + timedelta(minutes=30)
    begins = begins_at(When.NEXT_ROUND, at=None, told_until=NOW, tapped_at=tapped)
    assert begins == tapped
    assert begins_at(When.NEXT_ROUND, at=None, told_until=later, tapped_at=tapped) == later
    assert begins_at(When.AT_TIME, at=later, told_until=NOW, tapped_at=tapped) == later
    assert begins_at(When.AT_TIME, at=NOW, told_until=NOW, tapped_at=tapped) == tapped
    assert begins_at(When.END_OF_SHOE, at=None, told_until=NOW, tapped_at=tapped) is None


def test_who_is_seated_keeps_what_the_house_says() -> None:
    up, down = changed(minimum="50"), changed(maximum="1,000")
    kept = {"until": "shoe", "seats": {"2": [2_500, 300_000]}}
    house, ohio, kansas = PRESETS["house"], PRESETS["OH"], PRESETS["KS"]
    assert kept_by([2, 2], WAS, up, house, When.NEXT_ROUND, {}) == kept
    assert kept_by([2], WAS, up, house, When.END_OF_SHOE, {}) == {}
    assert kept_by([], WAS, up, house, When.NEXT_ROUND, {}) == {}
    assert kept_by([2], WAS, changed(minimum="10"), house, When.NEXT_ROUND, {}) == {}
    assert kept_by([2], WAS, up, PRESETS["MD"], When.NEXT_ROUND, {}) == {}
    assert kept_by([2], WAS, down, kansas, When.NEXT_ROUND, {}) == {}
    assert kept_by([2], WAS, down, ohio, When.END_OF_SHOE, {}) == {
        "until": "leave", "seats": {"2": [2_500, 300_000]},
    }  # fmt: skip
    older = {"until": "leave", "seats": {"2": [500, 300_000]}}
    assert kept_by([1, 2], WAS, up, ohio, When.NEXT_ROUND, older)["seats"] == {
        "1": [2_500, 300_000], "2": [500, 300_000],
    }  # fmt: skip
    both = {"1": [1, 2], "2": [2_500, 300_000]}
    assert without_seat({"until": "shoe", "seats": both}, 1) == kept


def test_moments_and_presets_are_said() -> None:
    assert [when.label for when in When] == ["Next round", "Next shoe", "At a time"]
    assert PRESETS["OH"].keeps(When.END_OF_SHOE) is Until.THEY_LEAVE


def test_a_seat_that_keeps_its_limits_is_judged_by_them() -> None:
    rules = replace(WAS.rules(), kept={2: (1_500, 50_000)})
    assert rules.at_seat(1) is rules.at_seat(None) is rules
    assert (rules.at_seat(2).minimum_cents, rules.at_seat(2).maximum_cents) == (1_500, 50_000)
