"""Who reads a slip: by role at any time, by being asked, by a device alone."""

from __future__ import annotations

import pytest

from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.reading import (
    StepAsked,
    device_may_read,
    kinds_at,
    kinds_at_terminals,
    kinds_for,
    may_open_slip,
    may_read,
    may_read_serial,
    readers_of,
)
from pitboss.rules.flows.reading_table import reading_table
from pitboss.rules.roles import Place, Role

DEALER_AT_THE_PIT = StepAsked(frozenset({Role.DEALER}), Place.PIT)
TOLD = StepAsked(frozenset({Role.DEALER}), Place.PIT, told=frozenset({Role.SURVEILLANCE}))
ANYWHERE = StepAsked(frozenset({Role.SECURITY}), None)


@pytest.mark.parametrize("kind", list(FLOWS))
def test_every_kind_says_who_reads_it(kind: str) -> None:
    readers = readers_of(kind)
    assert readers is not None
    assert readers.roles


@pytest.mark.parametrize(
    ("role", "place", "asked", "opens"),
    [
        (Role.SUPERVISOR, None, None, True),
        (Role.DEALER, Place.PIT, None, False),
        (Role.DEALER, Place.PIT, DEALER_AT_THE_PIT, True),
        (Role.DEALER, Place.OFFICE, DEALER_AT_THE_PIT, False),
        (Role.DEALER, None, DEALER_AT_THE_PIT, False),
        (Role.SECURITY, Place.PIT, DEALER_AT_THE_PIT, False),
        (Role.SECURITY, None, ANYWHERE, True),
        (Role.SURVEILLANCE, Place.OFFICE, TOLD, True),
    ],
)
def test_a_marker_is_opened_by_its_readers_and_by_whoever_it_waits_for(
    role: Role, place: Place | None, asked: StepAsked | None, opens: bool
) -> None:
    assert may_open_slip("marker", role, place, asked) is opens


def test_an_unknown_kind_is_read_by_no_one() -> None:
    asked = StepAsked(frozenset(Role), None)
    assert not may_read("new", Role.AUDITOR)
    assert not may_open_slip("new", Role.AUDITOR, Place.OFFICE, asked)
    assert not device_may_read("new", Place.CAGE)
    assert not may_read_serial("NEW-2026-000001", Role.AUDITOR)


def test_a_number_is_opened_when_every_kind_of_its_series_is() -> None:
    assert may_read_serial("CL-2026-000001", Role.CASHIER)
    assert not may_read_serial("CL-2026-000001", Role.DEALER)


def test_auditors_read_everything_and_administrators_nothing() -> None:
    assert kinds_for(Role.AUDITOR) == set(FLOWS)
    assert kinds_for(Role.ADMINISTRATOR) == kinds_for(Role.DEALER) == frozenset()


def test_only_the_cage_reads_by_its_token_and_terminals_their_jackpots_and_big_wins() -> None:
    assert {place for place in Place if kinds_at(place)} == {Place.CAGE}
    assert kinds_at_terminals() == {"jackpot", "big_win"}
    named = {kind for kind in FLOWS if (readers := readers_of(kind)) and readers.names_patron}
    assert not named & (kinds_at(Place.CAGE) | kinds_at_terminals())


def test_whoever_is_asked_to_sign_reads_what_they_sign() -> None:
    for flow in FLOWS.values():
        for step in (*flow.steps, *flow.void, *flow.relief):
            asked = StepAsked(frozenset(step.roles), step.at)
            assert all(may_open_slip(flow.kind, role, step.at, asked) for role in step.roles)


def test_the_table_has_a_line_for_each_set_of_readers() -> None:
    table = reading_table()
    assert all(flow.title in table for flow in FLOWS.values())
    assert "| of the cage, the terminal of its table |" in table
    assert "| none |" in table
