"""What may be done with a set of cards: one allowed act of each kind, and every single change."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from inventory.kinds.card_cancellation import CARD_CANCELLATION
from inventory.kinds.card_to_table import CARD_TO_TABLE
from pitboss.rules.cards.judging import (
    Bringing,
    Cancelling,
    SetFacts,
    act_refusals,
    bringing_refusals,
    cancelling_refusals,
    closing_refusals,
    opening_refusals,
    retention_refusals,
)
from pitboss.rules.cards.par import LINES_MAX, CardPar
from pitboss.rules.cards.sets import (
    AT_TABLE,
    CANCELLED_FOR_GOOD,
    EDGES,
    ON_THE_GAME,
    SLOTS,
    BackColour,
    CardAct,
    CardState,
    is_mark,
    place_words,
)
from pitboss.rules.flows.flows import PlanFacts
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.refusal import Refusal, Refused

NOW = datetime(2026, 5, 1, 13, tzinfo=UTC)
NEW = SetFacts(
    "06-R-0001",
    BackColour.RED,
    6,
    CardState.IN_PIT,
    "in the cabinet of Pit 1",
    seal="77-1",
    pit_id=1,
)
OLD_RED = SetFacts(
    "06-R-0009", BackColour.RED, 6, CardState.SHUFFLER, "in the shuffler of BJ-11", table_id=11
)
BLUE = SetFacts("06-B-0001", BackColour.BLUE, 6, CardState.IN_PLAY, "in play", table_id=11)
FIRST_HALF = Bringing(
    table="BJ-11",
    table_id=11,
    pit_id=1,
    decks=6,
    profile=CardProfile.SHUFFLER,
    slot=CardState.SHUFFLER,
    brought=NEW,
    seal="77-1",
    seal_is_whole=True,
    counted=None,
    on_the_game=(OLD_RED, BLUE),
    takes_out=OLD_RED,
    taken_from=CardState.SHUFFLER,
)


def codes(refusals: list[Refusal]) -> list[str]:
    assert all(refusal.message.endswith(".") for refusal in refusals)
    return [refusal.code for refusal in refusals]


def test_no_edge_leads_back_from_a_cancelled_state() -> None:
    edges = {edge for edges in EDGES.values() for edge in edges}
    back = {(a, b) for a, b in edges if a in CANCELLED_FOR_GOOD and b not in CANCELLED_FOR_GOOD}
    assert back == set()
    assert {b for _, b in edges} == set(CardState), "every state can be reached"
    ends = {state for state in CardState if not any(a == state for a, _ in edges)}
    assert ends == {CardState.DESTROYED}, "nothing is stuck but what is shredded"


def test_every_state_has_words_for_its_place_and_itself() -> None:
    words = {place_words(state, table="BJ-11", pit="Pit 1", bag="B-1") for state in CardState}
    assert len(words) == len(CardState) == len({state.label for state in CardState})
    assert {colour.letter for colour in BackColour} == {"R", "B", "G", "K"}
    assert AT_TABLE > ON_THE_GAME >= {slot for slots in SLOTS.values() for slot in slots}


@pytest.mark.parametrize(
    ("mark", "is_one"), [("B-0091", True), ("AB", False), ("b-1234", False), ("X" * 21, False)]
)
def test_a_mark_is_what_a_scanner_reads(mark: str, is_one: bool) -> None:
    assert is_mark(mark) is is_one


def test_the_first_half_of_a_change_brings_the_other_colour_than_what_is_in_play() -> None:
    assert bringing_refusals(FIRST_HALF) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"brought": replace(NEW, state=CardState.VAULTED)}, ["card_elsewhere"]),
        ({"brought": replace(NEW, state=CardState.BAGGED)}, ["card_cancelled"]),
        ({"brought": replace(NEW, pit_id=2)}, ["card_elsewhere"]),
        ({"brought": replace(NEW, named_on="KI-2026-000001")}, ["card_slip_open"]),
        ({"brought": replace(NEW, is_in_question=True)}, ["seal_in_question"]),
        ({"brought": replace(NEW, decks=8)}, ["wrong_decks"]),
        ({"brought": replace(NEW, colour=BackColour.BLUE)}, ["same_colour"]),
        ({"seal": "77-2"}, ["seal_differs"]),
        ({"seal": ""}, ["seal_differs"]),
        ({"seal_is_whole": False}, ["seal_broken"]),
        ({"takes_out": None, "taken_from": None}, ["same_colour", "slot_taken"]),
        ({"taken_from": None}, ["slot_missing"]),
        ({"takes_out": replace(OLD_RED, named_on="KT-1")}, ["card_slip_open"]),
        ({"takes_out": replace(OLD_RED, table_id=12)}, ["card_elsewhere"]),
        ({"profile": CardProfile.HAND}, ["no_such_slot"]),
        ({"profile": CardProfile.NONE}, ["no_such_slot"]),
        ({"profile": CardProfile.CONTINUOUS}, []),
    ],
)
def test_one_change_is_one_reason_to_leave_it_in_the_cabinet(
    change: dict[str, Any], expected: list[str]
) -> None:
    assert codes(bringing_refusals(replace(FIRST_HALF, **change))) == expected


def test_the_second_half_brings_the_shufflers_set_into_play() -> None:
    new_red = replace(OLD_RED, number="06-R-0001")
    second = replace(
        FIRST_HALF,
        brought=replace(NEW, number="06-B-0002", colour=BackColour.BLUE),
        on_the_game=(new_red, BLUE),
        takes_out=BLUE,
        taken_from=CardState.IN_PLAY,
        brings_out=new_red,
    )
    assert bringing_refusals(second) == []
    assert codes(bringing_refusals(replace(second, brings_out=None))) == ["slot_taken"]
    # The dealer had exchanged them already: the record is put right, and nothing is in the way.
    exchanged = replace(second, taken_from=CardState.SHUFFLER)
    assert bringing_refusals(exchanged) == []
    assert bringing_refusals(replace(exchanged, brings_out=None)) == []


def test_a_spare_is_opened_at_its_own_table_only() -> None:
    spare = replace(NEW, state=CardState.SPARE, table_id=11)
    opened = replace(
        FIRST_HALF,
        brought=spare,
        slot=CardState.IN_PLAY,
        on_the_game=(spare,),
        takes_out=None,
        taken_from=None,
    )
    assert bringing_refusals(opened) == []
    assert codes(bringing_refusals(replace(opened, slot=CardState.SPARE)))[0] == "card_elsewhere"
    elsewhere = replace(spare, table_id=12)
    away = replace(opened, brought=elsewhere, on_the_game=())
    assert codes(bringing_refusals(away)) == ["card_elsewhere"]


def test_cards_are_counted_where_there_is_no_shuffler() -> None:
    by_hand = replace(
        FIRST_HALF,
        profile=CardProfile.HAND,
        slot=CardState.IN_PLAY,
        on_the_game=(),
        takes_out=None,
        taken_from=None,
    )
    assert codes(bringing_refusals(by_hand)) == ["count_required"]
    assert bringing_refusals(replace(by_hand, counted=312)) == []
    assert bringing_refusals(replace(by_hand, slot=CardState.SPARE)) == []


CLOSING = Cancelling(
    table="BJ-11",
    table_id=11,
    leaving=BLUE,
    taken_from=CardState.IN_PLAY,
    on_the_game=(OLD_RED, BLUE),
    bag="B-0091",
    counted=312,
    shuffler_shows=None,
)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"counted": 311}, []),
        ({"counted": None}, ["count_required"]),
        ({"counted": None, "shuffler_shows": 312}, ["count_required"]),
        ({"counted": None, "taken_from": CardState.SHUFFLER}, ["count_required"]),
        # The two were exchanged at the last shoe: what is in the shuffler need not be counted.
        ({"counted": None, "shuffler_shows": 312, "taken_from": CardState.SHUFFLER}, []),
        (
            {"counted": None, "shuffler_shows": 311, "taken_from": CardState.SHUFFLER},
            ["shuffler_differs"],
        ),
        ({"taken_from": CardState.SHUFFLER, "on_the_game": (BLUE,)}, ["not_there"]),
        ({"taken_from": CardState.SPARE}, ["not_there"]),
        (
            {"taken_from": CardState.SPARE, "on_the_game": (replace(NEW, state=CardState.SPARE),)},
            ["not_there"],
        ),
        ({"taken_from": None}, ["slot_missing"]),
        ({"taken_from": CardState.HELD}, ["slot_missing"]),
        ({"leaving": replace(BLUE, state=CardState.REMOVED), "taken_from": None}, []),
        ({"leaving": replace(BLUE, state=CardState.HELD)}, ["card_elsewhere"]),
        ({"leaving": replace(BLUE, table_id=12)}, ["card_elsewhere"]),
        ({"leaving": replace(BLUE, named_on="KX-1")}, ["card_slip_open"]),
        ({"bag": "!"}, ["bag_malformed"]),
        ({"bags_used": {"B-0091"}}, ["bag_used"]),
    ],
)
def test_what_comes_off_a_game_is_counted_and_bagged(
    change: dict[str, Any], expected: list[str]
) -> None:
    assert codes(cancelling_refusals(replace(CLOSING, **change))) == expected


def test_a_set_off_another_game_is_not_bagged_here() -> None:
    away = replace(BLUE, state=CardState.REMOVED, table_id=12)
    assert codes(cancelling_refusals(replace(CLOSING, leaving=away))) == ["card_elsewhere"]


@pytest.mark.parametrize(
    ("marks", "steps"),
    [
        ({"cancelled_at_table"}, ["bag_signed", "cancelled"]),
        (set(), ["bag_signed", "bagged"]),
        ({"short"}, ["bag_signed", "held"]),
        ({"short", "cancelled_at_table"}, ["bag_signed", "held"]),
    ],
)
def test_a36_a_short_set_is_never_planned_to_be_cancelled(
    marks: set[str], steps: list[str]
) -> None:
    plan = CARD_CANCELLATION.plan(PlanFacts({}, marks=frozenset(marks)))
    assert [step["name"] for step in plan if step["track"] == "main"] == steps


def test_a_sealed_spare_is_not_inspected() -> None:
    plan = CARD_TO_TABLE.plan(PlanFacts({}))
    assert [step["name"] for step in plan if step["track"] == "main"] == ["brought"]


@pytest.mark.parametrize("act", [act for act in CardAct if act != CardAct.RECEIVED])
def test_an_act_is_refused_wherever_the_life_of_a_set_does_not_have_it(act: CardAct) -> None:
    for state in CardState:
        facts = replace(NEW, state=state, where="somewhere")
        is_allowed = any(start == state for start, _ in EDGES[act])
        got = codes(act_refusals(act, facts))
        cancelled = state in CANCELLED_FOR_GOOD
        wanted = [] if is_allowed else ["card_cancelled" if cancelled else "card_elsewhere"]
        assert got == wanted
    held = act_refusals(CardAct.HELD, replace(NEW, is_in_question=True))
    assert held == []


def test_collected_cards_are_kept_for_the_days_of_the_house() -> None:
    kept = replace(NEW, collected_at=NOW - timedelta(days=7, seconds=-1))
    gone = replace(NEW, collected_at=NOW - timedelta(days=7))
    assert codes(retention_refusals([kept, gone, NEW], days=7, now=NOW)) == ["kept_longer"]


INSPECTED = replace(OLD_RED, is_inspected=True)


@pytest.mark.parametrize(
    ("profile", "sets", "expected"),
    [
        (CardProfile.NONE, [], []),
        (CardProfile.SHUFFLER, [], ["cards_missing"]),
        (CardProfile.SHUFFLER, [INSPECTED], []),
        (CardProfile.SHUFFLER, [OLD_RED, BLUE], ["cards_not_inspected"] * 2),
        (CardProfile.SHUFFLER, [replace(INSPECTED, state=CardState.SPARE)], ["cards_missing"]),
        (CardProfile.CONTINUOUS, [INSPECTED], []),
        (CardProfile.HAND, [INSPECTED], ["cards_missing"]),
        (CardProfile.HAND, [replace(BLUE, is_inspected=True)], []),
    ],
)
def test_a_table_opens_with_inspected_cards(
    profile: CardProfile, sets: list[SetFacts], expected: list[str]
) -> None:
    assert codes(opening_refusals("BJ-11", profile, sets)) == expected


@pytest.mark.parametrize(
    ("profile", "sets", "expected"),
    [
        (CardProfile.SHUFFLER, [], []),
        (CardProfile.SHUFFLER, [OLD_RED, BLUE], ["cards_at_table"]),
        (CardProfile.NONE, [OLD_RED], ["cards_at_table"]),
        (CardProfile.CONTINUOUS, [OLD_RED], []),
        (CardProfile.CONTINUOUS, [OLD_RED, BLUE], ["cards_at_table"]),
    ],
)
def test_a_table_closes_when_its_cards_are_bagged(
    profile: CardProfile, sets: list[SetFacts], expected: list[str]
) -> None:
    assert codes(closing_refusals("BJ-11", profile, sets)) == expected


def test_one_deck_is_said_as_one() -> None:
    one = replace(FIRST_HALF, decks=1)
    assert "deals from 1 deck." in bringing_refusals(one)[0].message


@pytest.mark.parametrize(
    "keyed",
    [
        "Pit 1 6 red",
        "Pit 1: 6 pink of 6",
        "Pit 1: 6 red of 3",
        "Pit 1: 6 red of 6\nPit 1: 7 red of 6",
    ],
)
def test_a_par_that_cannot_be_is_refused_line_by_line(keyed: str) -> None:
    with pytest.raises(Refused, match="isn’t a valid par"):
        CardPar().read(keyed)


def test_pars_are_read_as_they_are_written() -> None:
    par = CardPar()
    value = par.read("Pit 1: 6 red of 6\n\n Pit 2: 0 blue of 8 ")
    assert par.read(par.text(value)) == value
    with pytest.raises(Refused, match="up to"):
        par.read("x\n" * (LINES_MAX + 1))
