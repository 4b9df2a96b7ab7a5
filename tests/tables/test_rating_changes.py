"""Corrections and voids of ratings take two who did not rate, and never go above told rounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction

from inventory.models import Patron, Stranger, StrangerMatch
from pitboss.models import JournalEntry, Person, Slip
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import PlayRating, RatingFigures
from tables.selectors import rating_card
from tables.services.ratings import Who, sit_down
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.ratings import (
    add_patron,
    know_edge,
    left,
    look,
    open_tables,
    seat,
    tap,
    tell_round,
)
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import make_terminal

pytestmark = pytest.mark.django_db


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    open_tables(cast.table, cast.other_table)
    know_edge(cast.table)
    return cast


@pytest.fixture
def rated(floor: Cast, server_clock: ServerClock) -> PlayRating:
    """An hour at $50, rated by Alice."""
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 5_000)
    server_clock.move(minutes=25)
    look(floor, rating, 5_000)
    server_clock.move(minutes=25)
    left(floor, rating, walked_cents=10_000)
    rating.refresh_from_db()
    return rating


def propose(
    cast: Cast,
    rating: PlayRating,
    kind: str = "rating_correction",
    by: Person | None = None,
    **fields: Any,
) -> Slip:
    if kind == "rating_correction":
        fields = {"average_cents": 10_000, "minutes": 50, **fields}
    raising = the_kind(kind).at(rating=rating, **fields)
    return raise_kind(
        raising,
        pen=cast.pen(by or cast.bob),
        shown=shown_before(raising),
        reason="The looks were of another seat.",
    )


def test_a_correction_is_the_next_revision_and_the_first_figures_stay(
    floor: Cast, rated: PlayRating
) -> None:
    slip = propose(floor, rated)
    assert ["New average", "$100"] in slip.details["says"]
    floor.sign(slip, "approved", floor.carol)
    first, second = RatingFigures.objects.order_by("revision")
    assert (first.average, second.average, second.slip) == ("5000", "10000", slip)
    assert Fraction(second.theo) == 2 * Fraction(first.theo)
    assert verify().is_sound


def test_a64_no_correction_goes_above_what_was_told(floor: Cast, server_clock: ServerClock) -> None:
    rating, device = seat(floor, add_patron(floor), 3), make_terminal(floor.table)
    for _ in range(6):
        server_clock.move(minutes=2)
        tell_round(device, floor.table, server_clock.now, {3: {"blackjack": 5_000}})
    server_clock.move(seconds=1)
    left(floor, rating)
    with refused("over_told"):
        propose(floor, rating, average_cents=5_001, minutes=13)
    slip = propose(floor, rating, average_cents=4_000, minutes=12)
    floor.sign(slip, "approved", floor.carol)
    assert RatingFigures.objects.filter(revision=1, theo_cents__lt=362).count() == 1


def test_a68_who_rated_or_proposed_does_not_approve(floor: Cast, rated: PlayRating) -> None:
    slip = propose(floor, rated)
    floor.alice.role = "pit_manager"
    floor.alice.save()
    with refused("rated_it"):
        floor.sign(slip, "approved", floor.alice)
    floor.bob.role = "pit_manager"
    floor.bob.save()
    with refused("signed_before"):
        floor.sign(slip, "approved", floor.bob)
    floor.sign(slip, "approved", floor.heidi)


def test_an_old_rating_is_approved_by_a_shift_manager(
    floor: Cast, rated: PlayRating, server_clock: ServerClock
) -> None:
    server_clock.move(days=4)
    slip = propose(floor, rated)
    with refused("needs_shift_manager"):
        floor.sign(slip, "approved", floor.carol)
    floor.sign(slip, "approved", floor.heidi)


def test_a_void_is_kept_and_counts_nothing_and_one_change_is_pending_at_a_time(
    floor: Cast, rated: PlayRating
) -> None:
    slip = propose(floor, rated, "rating_void")
    with refused("already_proposed"):
        propose(floor, rated, by=floor.alice)
    floor.sign(slip, "witnessed", floor.ivan, Place.SURVEILLANCE)
    void = RatingFigures.objects.get(revision=1)
    assert (void.is_void, void.theo_cents, void.result_cents) == (True, None, None)
    with refused("already_void"):
        propose(floor, rated, by=floor.alice)
    with pytest.raises(DatabaseError, match=r"counts_nothing|slip"), transaction.atomic():
        RatingFigures.objects.create(
            rating=rated,
            revision=2,
            made_at=void.made_at,
            seconds=0,
            is_void=True,
            result_cents=5,
            slip=slip,
        )


def test_a_refused_correction_changes_nothing(floor: Cast, rated: PlayRating) -> None:
    slip = propose(floor, rated)
    entry = Entry(reason="The looks are right.")
    floor.sign(slip, "refused", floor.carol, entry=entry, track=Track.VOID)
    assert RatingFigures.objects.count() == 1


def test_what_has_no_figures_or_no_average_is_not_corrected(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    with refused("no_figures"):
        propose(floor, rating)
    server_clock.move(minutes=5)
    left(floor, rating)
    with refused("nothing_to_correct"):
        propose(floor, rating)


def test_the_card_sums_a_trip_and_opens_each_rating(
    floor: Cast, rated: PlayRating, server_clock: ServerClock
) -> None:
    patron = rated.patron
    assert patron is not None
    page = signed_in(floor.alice, floor)
    card = words(page.get(f"/patrons/{patron.pk}/card/"))
    theo = RatingFigures.objects.get().theo_cents
    assert theo is not None
    assert f"${theo / 100:.2f}" in card
    assert "Within band" in card
    assert "BJ-11, seat 1" in card
    assert JournalEntry.objects.filter(kind="play_history_read").count() == 1
    opened = words(page.get(f"/ratings/{rated.pk}/"))
    assert "4059/1000000" in opened
    assert "Correct…" in opened
    assert page.get(new_url("rating_correction", rating=rated.pk)).status_code == 200
    assert page.get(new_url("rating_void", rating=rated.pk)).status_code == 200
    slip = propose(floor, rated)
    floor.sign(slip, "approved", floor.carol)
    assert slip.serial in words(page.get(f"/ratings/{rated.pk}/"))
    # Another trip begins after two days without play.
    server_clock.move(days=3)
    again = seat(floor, patron)
    look(floor, again, 5_000)
    page = signed_in(floor.alice, floor)
    card = words(page.get(f"/patrons/{patron.pk}/card/"))
    assert "Playing" in card
    assert "1 rating" in card
    assert "1 ratings" not in card
    # Nothing has ended yet: that is not a theo of nothing, and not exact.
    assert "Exact, from rounds" not in card
    assert "No rating of this trip has a theo yet." in card
    assert words(page.get("/tables/BJ-11/?seat=1")).count("Patron card") == 1


def test_a_card_without_play_and_of_a_void_rating_says_so(floor: Cast, rated: PlayRating) -> None:
    page = signed_in(floor.alice, floor)
    other = add_patron(floor, "Kim")
    assert "No ratings yet" in words(page.get(f"/patrons/{other.pk}/card/"))
    slip = propose(floor, rated, "rating_void")
    floor.sign(slip, "witnessed", floor.carol)
    assert "void" in words(page.get(f"/patrons/{rated.patron_id}/card/"))
    assert "void" in words(page.get(f"/ratings/{rated.pk}/"))


def test_supervisors_see_theo_only_where_the_house_says_so(
    floor: Cast, rated: PlayRating, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating_card, "YES", "somebody else")
    page = signed_in(floor.alice, floor)
    assert "Theo" not in words(page.get(f"/patrons/{rated.patron_id}/card/"))
    assert "Theo" not in words(page.get(f"/ratings/{rated.pk}/"))
    manager = signed_in(floor.carol, floor)
    assert "Theo" in words(manager.get(f"/patrons/{rated.patron_id}/card/"))
    assert signed_in(floor.dan, floor).get(f"/ratings/{rated.pk}/").status_code == 403


def test_a_described_player_who_is_matched_counts_as_the_patron(
    floor: Cast, server_clock: ServerClock
) -> None:
    held = sit_down(table_id=floor.table.pk, seat=1, who=Who(declined=True), hand=tap(floor))
    rating = held.rating
    assert rating is not None
    page = signed_in(floor.alice, floor)
    assert "No name" in words(page.get(f"/ratings/{rating.pk}/"))
    patron = add_patron(floor)
    match = {
        "stranger": Stranger.objects.get(),
        "matched_by": floor.alice,
        "matched_at": server_clock.now,
        "reason": "Showed an ID.",
    }
    _match(patron=patron, **match)
    assert "No ratings yet" in words(page.get(f"/patrons/{patron.pk}/card/"))
    # Play follows once a second person has signed, as cash did with the first.
    _match(patron=patron, **{**match, "matched_by": floor.carol})
    assert "BJ-11, seat 1" in words(page.get(f"/patrons/{patron.pk}/card/"))
    _match(patron=None, **match)
    assert "No ratings yet" in words(page.get(f"/patrons/{patron.pk}/card/"))


def _match(patron: Patron | None, **values: Any) -> None:
    StrangerMatch.objects.create(patron=patron, request_id=uuid4(), **values)
