"""What an act costs: its trips to the database, of what a floor does all day, under a ceiling.

An act has 150 ms at the server with fifty tables busy. What it asks the database is most of it
besides the PIN's hash, and creeps up one line at a time: whoever raises a ceiling says why here.
No act makes more than eighteen. Four of each are the beginnings and ends of its two transactions.
A trip may carry two statements where the second must see what the first waited for. An issue makes
two more: it looks for the offer of a part, which it ends before the pit can answer it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pitboss.models import Person, Signature, Slip, Table
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services.shown import slip_shown
from pitboss.services.signing import NOTHING_MORE, Entry, sign
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.count import COUNT
from tests.floor.cast import Cast
from tests.floor.ratings import add_patron, know_edge, seat
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 40}
Made = TypeVar("Made")


@pytest.fixture
def floor(cast: Cast) -> Cast:
    """The cast, with the first table open on a stocked tray."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    return cast


def asks_at_most(ceiling: int, act: Callable[[], Made]) -> Made:
    """Do an act and hold it to its ceiling. What the signer is shown was read before."""
    with CaptureQueriesContext(connection) as captured:
        made = act()
    asked = [item["sql"][:150] for item in captured]
    assert len(asked) <= ceiling, f"{len(asked)} trips:\n" + "\n".join(asked)
    return made


def signing(
    floor: Cast,
    slip: Slip,
    step: str,
    person: Person,
    place: Place = Place.PIT,
    entry: Entry = NOTHING_MORE,
    track: Track = Track.MAIN,
) -> Callable[[], Signature]:
    shown, pen = slip_shown(Slip.objects.get(pk=slip.pk)), floor.pen(person, place)
    return lambda: sign(slip_id=slip.pk, step=step, pen=pen, shown=shown, entry=entry, track=track)


def counting(floor: Cast, counted: dict[int, int]) -> Callable[[], Slip]:
    table, pen = Table.objects.get(pk=floor.table.pk), floor.pen(floor.dan)
    count = COUNT.at(table, counted)
    shown = shown_before(count)
    return lambda: raise_kind(count, pen=pen, shown=shown)


def test_every_step_of_a_fill_stays_under_its_ceiling(floor: Cast) -> None:
    shown, pen = floor.shown_to_ask(TRAY), floor.pen(floor.alice)
    fill = asks_at_most(17, lambda: floor.ask(TRAY, pen=pen, shown=shown))
    asks_at_most(15, signing(floor, fill, "issued", floor.erin, Place.CAGE))
    asks_at_most(15, signing(floor, fill, "carried", floor.frank, Place.CAGE))
    asks_at_most(13, signing(floor, fill, "agreed", floor.dan, entry=floor.agreement(fill)))
    asks_at_most(14, signing(floor, fill, "received", floor.alice))


def test_a_count_and_its_verification_stay_under_their_ceilings(floor: Cast) -> None:
    lost = {10_000: 18, 2_500: 40}
    count = asks_at_most(18, counting(floor, lost))
    asks_at_most(16, signing(floor, count, "verified", floor.alice, entry=Entry(counted=lost)))
    # A tray that gained draws on the public, which is one at a time and asks what it holds.
    gained = {10_000: 20, 2_500: 40}
    count = asks_at_most(18, counting(floor, gained))
    asks_at_most(18, signing(floor, count, "verified", floor.alice, entry=Entry(counted=gained)))


def test_a_slip_of_many_signatures_costs_no_more_than_one_of_few(floor: Cast) -> None:
    fill = floor.ask(TRAY)
    floor.carry(fill)
    floor.relieve(fill)
    entry = floor.agreement(fill, present=floor.grace)
    asks_at_most(13, signing(floor, fill, "agreed", floor.dan, entry=entry))


def test_a_look_at_a_terminal_is_stored_with_its_answer_in_two_trips_under_its_lock(
    floor: Cast,
) -> None:
    know_edge(floor.table)
    terminal = TerminalClient(make_terminal(floor.table))
    rating = seat(floor, add_patron(floor))

    def look() -> None:
        said = {"bet_cents": 5_000}
        answer = terminal.post(f"ratings/{rating.pk}/looks", said, key=str(uuid4()))
        assert (answer.status_code, answer.json()["state"]) == (201, "rated")

    # The first reads settings and rules, which are kept under their versions.
    look()
    # Who calls, the beginning, the lock with all that is read, what is stored, the end.
    asks_at_most(5, look)
