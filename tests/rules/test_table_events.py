"""Which entries of the journal are news at a table, and where a stream goes on."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules.floor.table_events import (
    BACKLOG_MAX,
    HOUSE,
    METERS,
    SAYS,
    EventName,
    FeedPlace,
    event_of,
    must_reset,
)

SLIP = {"serial": "X-2026-000001", "status": "open", "as": "A. Person TG-1", "shown_hash": "0"}
DONE = {**SLIP, "status": "done"}


@pytest.mark.parametrize(
    ("kind", "body", "name", "facts"),
    [
        (
            "floor_logged",
            {"request": 7, "outcome": "declined", "sentence": "No."},
            "approval_answered",
            {"request": 7, "state": "declined"},
        ),
        (
            "floor_withdrawn",
            {"request": 7, "kind": "buy_in", "sentence": "Cash $1,000."},
            "approval_answered",
            {"request": 7, "state": "withdrawn"},
        ),
        ("floor_logged", {"request": None, "outcome": "granted"}, "table_changed", {}),
        (
            "mismatch_settled",
            {"mismatch": 3, "check": 9, "way": "corrected"},
            "mismatch_settled",
            {"check": 9, "way": "corrected"},
        ),
        # As the journal had it before it named the check.
        (
            "mismatch_settled",
            {"mismatch": 3, "way": "left"},
            "mismatch_settled",
            {"check": None, "way": "left"},
        ),
        (
            "jackpot.verified",
            SLIP,
            "jackpot_step",
            {"serial": SLIP["serial"], "step": "verified", "status": "open"},
        ),
        (
            "big_win.paid",
            DONE,
            "jackpot_step",
            {"serial": SLIP["serial"], "step": "paid", "status": "done"},
        ),
        ("meter.rolled_up", {"meter": "Blazing 7's"}, "meter_changed", {"meter": "Blazing 7's"}),
        ("meter.contributed", {"wagers": {}}, "meter_changed", {"meter": None}),
        ("opener.verified", DONE, "table_opened", {"serial": SLIP["serial"]}),
        ("closer.locked", DONE, "table_closed", {"serial": SLIP["serial"]}),
        ("table_live_change.changed", DONE, "limits_changed", {"serial": SLIP["serial"]}),
        ("sign_changed", {"slip": "TL-1"}, "limits_changed", {"serial": "TL-1"}),
        ("table_change.approved", DONE, "limits_changed", {"serial": SLIP["serial"]}),
        ("fill.carried", SLIP, "fill_on_the_way", {"serial": SLIP["serial"]}),
        ("tapped_in", {"dealer": "2028"}, "table_changed", {}),
        ("exception_resolved", {"code": "supervisor_called"}, "table_changed", {}),
    ],
)
def test_an_entry_is_told_with_what_names_it_and_nothing_else(
    kind: str, body: dict[str, Any], name: str, facts: dict[str, Any]
) -> None:
    event = event_of(kind, body)
    assert event is not None
    assert (event.name.value, event.facts) == (name, facts)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("opener.counted", SLIP),
        ("fill.issued", SLIP),
        ("evaluation_answered", {}),
        ("exception_opened", {"code": "tax_papers", "sentence": "Tax forms."}),
        ("look", {"rating": 8, "bet_cents": 2_500}),
        ("sign_refused", {"badge": "2028"}),
        ("marker.issued", DONE),
    ],
)
def test_what_is_for_others_is_no_event(kind: str, body: dict[str, Any]) -> None:
    assert event_of(kind, body) is None


def test_a_place_moves_in_one_chain_and_never_back() -> None:
    place = FeedPlace(5, 6, 7)
    assert place.after("table:3", 9) == FeedPlace(9, 6, 7)
    assert place.after(METERS, 4) == place
    assert place.after(HOUSE, 8) == FeedPlace(5, 6, 8)
    assert [place.of(chain) for chain in ("table:3", METERS, HOUSE)] == [5, 6, 7]
    assert FeedPlace.read(str(place)) == place


def test_who_missed_too_much_reads_everything_again() -> None:
    heads = FeedPlace(BACKLOG_MAX, 50, 50)
    assert not must_reset(FeedPlace(0, 50, 50), heads)
    assert must_reset(FeedPlace(0, 50, 50), heads.after("table:3", BACKLOG_MAX + 1))
    assert must_reset(FeedPlace(0, 51, 50), heads)


def test_every_event_is_explained() -> None:
    assert set(SAYS) == set(EventName)
