"""Random acts with cards, legal and illegal, by every role: no set is ever in two places.

An auditor written here from the rows of the passports alone follows every set. PITBOSS_SEED
chooses the seed; a run says it.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from inventory.kinds.card_at_table import CARD_REPLACEMENT, CARD_UNUSED
from inventory.kinds.card_batches import CARD_COLLECTION as COLLECT
from inventory.kinds.card_batches import CARD_DESTRUCTION as DESTROY
from inventory.kinds.card_batches import CARD_ISSUE as ISSUE
from inventory.kinds.card_batches import CARD_LATE_CANCELLATION as CANCEL_LATE
from inventory.kinds.card_batches import CARD_PUT_BACK as PUT_BACK
from inventory.kinds.card_hold import CARD_RELEASE
from inventory.models import CardMove, CardPlace
from pitboss.models import Person, Slip, Table
from pitboss.rules.flows.book import kinds_of_desk
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services.journal import CARDS
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, sign
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cards import (
    IN_PLAY,
    SHUFFLER,
    SPARE,
    TEN_RED,
    begin,
    begin_bagging,
    begin_vaulting,
    bring,
    hold,
    receive_cards,
    seal_of,
    state_of,
)
from tests.floor.cast import Cast, ServerClock
from tests.floor.house import change

SEED = int(os.environ.get("PITBOSS_SEED", "20260501"))
ACTS = 400
DEAD = {"cancelled", "bagged", "collected", "destroyed"}
ON_THE_GAME = {"spare", "shuffler", "in_play"}


class Auditor:
    """Follows every set by the rows that were added, and knows nothing of the rules."""

    def __init__(self) -> None:
        self.where: dict[int, tuple[str, int | None]] = {}
        self.last = 0
        self.ever_dead: set[int] = set()
        self.acts: Counter[str] = Counter()

    def look(self) -> None:
        for move in CardMove.objects.filter(pk__gt=self.last).order_by("pk"):
            before = self.where.get(move.card_set_id)
            assert move.source == (before[0] if before else ""), f"{move} began elsewhere"
            if move.card_set_id in self.ever_dead:
                assert move.target in DEAD, f"{move} came back to life"
            if move.target in DEAD:
                self.ever_dead.add(move.card_set_id)
            self.where[move.card_set_id] = (move.target, move.table_id)
            self.acts[move.act] += 1
            self.last = move.pk
        slots = [at for at in self.where.values() if at[0] in ON_THE_GAME]
        assert len(slots) == len(set(slots)), "two sets in one slot"
        places = {
            place.card_set_id: (place.state, place.table_id) for place in CardPlace.objects.all()
        }
        assert places == self.where, "a set is not where its steps say"


@pytest.mark.django_db
def test_random_acts_never_find_a_set_in_two_places_or_alive_after_cancellation(
    cast: Cast, server_clock: ServerClock
) -> None:
    sys.stderr.write(f"seed {SEED}\n")
    random = Random(SEED)
    # Cards are cancelled here or there: both roads are walked.
    change(cast, "cards.retention", "0")
    numbers = receive_cards(cast)
    auditor = Auditor()
    refused = Counter[str]()
    for turn in range(ACTS):
        server_clock.move(minutes=1)
        if turn == ACTS // 2:
            change(cast, "signing.card_cancellation", "after_collection")
        if turn % 12 == 0 and len(numbers) < 14:
            colour = random.choice(["red", "blue"])
            numbers += receive_cards(cast, replace(TEN_RED, colour=colour))
        try:
            _act(cast, random, numbers, turn)()
        except Refused as error:
            refused.update(error.codes)
        auditor.look()
    assert verify().is_sound
    assert len(refused) > 6, f"too few kinds of refusals: {refused}"
    assert set(auditor.acts) >= {"vaulted", "to_pit", "to_table", "removed", "held"}, auditor.acts
    assert auditor.ever_dead, "nothing was ever cancelled"


def _act(cast: Cast, random: Random, numbers: list[str], turn: int) -> Callable[[], Any]:
    """Choose one act: most often the next signature of an open slip, by somebody who may."""
    # Half of the time one that has come far already: else few would see the end of their life.
    far = [number for number in numbers if state_of(number) not in ("received", "vaulted")]
    number = random.choice(far if far and random.random() < 0.5 else numbers)
    anybody = random.choice(cast.people)
    table = random.choice([cast.table, cast.other_table])
    slips = list(Slip.objects.filter(kind__in=kinds_of_desk(CARDS), status="open"))
    if slips and random.random() < 0.55:
        return lambda: _sign_next(cast, random, random.choice(slips))
    state = state_of(number)
    right = {
        "received": lambda: begin_vaulting(cast, [number]),
        "vaulted": lambda: begin(cast, ISSUE, [number], pit=cast.pit),
        "in_pit": lambda: bring(
            cast, number, random.choice([SHUFFLER, IN_PLAY, SPARE]), table=table
        ),
        "bagged": lambda: begin(cast, COLLECT, [number]),
        "bagged_uncancelled": lambda: begin(cast, COLLECT, [number]),
        "collected": lambda: begin(cast, DESTROY, [number], by=cast.frank, place=Place.SECURITY),
        "collected_uncancelled": lambda: begin(
            cast, CANCEL_LATE, [number], by=cast.frank, place=Place.SECURITY
        ),
    }.get(state, lambda: _off(cast, random, number, turn))
    wrong: list[Callable[[], Any]] = [
        lambda: bring(cast, number, random.choice([SHUFFLER, IN_PLAY]), table=table, by=anybody),
        lambda: bring(cast, number, seal=random.choice([seal_of(number), "99-999"]), table=table),
        lambda: begin(cast, random.choice([ISSUE, PUT_BACK, DESTROY]), [number], pit=cast.pit),
        lambda: begin_vaulting(cast, [number], by=anybody),
        lambda: hold(cast, number, by=anybody),
        lambda: _release(cast, number),
        lambda: _spare_back(cast, number, table),
        lambda: _replace(cast, number, table),
        lambda: _off(cast, random, number, turn, by=anybody),
    ]
    return right if random.random() < 0.75 else random.choice(wrong)


def _off(cast: Cast, random: Random, number: str, turn: int, by: Person | None = None) -> Slip:
    place = CardPlace.objects.select_related("table").get(card_set__number=number)
    counted = random.choice([312, 312, 312, 311, None])
    return begin_bagging(
        cast,
        number,
        f"B-{turn:04d}",
        random.choice([IN_PLAY, SHUFFLER]),
        table=place.table or cast.table,
        by=by,
        counted=counted,
        shuffler_shows=312 if counted is None else None,
    )


def _release(cast: Cast, number: str) -> Slip:
    let_go = CARD_RELEASE.at(set=number)
    shown = shown_before(let_go)
    return raise_kind(let_go, pen=cast.pen(cast.ivan), shown=shown, reason="Nothing was found.")


def _spare_back(cast: Cast, number: str, table: Table) -> Slip:
    table = Table.objects.get(pk=table.pk)
    back = CARD_UNUSED.at(table, set=number)
    return raise_kind(back, pen=cast.pen(cast.alice), shown=shown_before(back))


def _replace(cast: Cast, number: str, table: Table) -> Slip:
    table = Table.objects.get(pk=table.pk)
    bad = CARD_REPLACEMENT.at(table, set=number, card="8h")
    pen, shown = cast.pen(cast.alice), shown_before(bad)
    return raise_kind(bad, pen=pen, shown=shown, reason="Bent.")


def _sign_next(cast: Cast, random: Random, slip: Slip) -> Any:
    """Sign what a slip waits for; now and then its way out, or by whoever comes along."""
    track = Track.VOID if random.random() < 0.15 else Track.MAIN
    signed = set(slip.signatures.values_list("track", "step"))
    if any(item == Track.VOID for item, _ in signed):
        track = Track.VOID
    due = next(
        (
            step
            for step in slip.plan
            if step["track"] == track and (track, step["name"]) not in signed
        ),
        None,
    )
    if due is None:
        return None
    able = [person for person in cast.people if person.role in due["roles"]]
    person = random.choice(able if random.random() < 0.9 else cast.people)
    place = Place(due["at"]) if due["at"] else Place.PIT
    return sign(
        slip_id=slip.pk,
        step=due["name"],
        pen=cast.pen(person, place),
        shown=slip_shown(slip),
        entry=Entry(reason="Because."),
        track=track,
    )
