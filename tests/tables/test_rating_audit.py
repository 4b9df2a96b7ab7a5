"""The blind audit: drawn by a key, watched by who did not rate, compared after it is entered."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction

from pitboss.models import FloorException, JournalEntry
from pitboss.rules.ratings.rating_audit import SeenOnVideo
from pitboss.rules.roles import Place
from pitboss.services import house, seals
from pitboss.services.verification import Wrong, verify
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import PlayRating, RatingDraw, RatingSeen
from tables.services.rating_audit import draw_due, watch_rating
from tables.services.ratings import leave
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change
from tests.floor.ratings import add_patron, know_edge, left, look, open_tables, seat
from tests.floor.tablets import signed_in, words
from tests.tampering import Owner, tamper

pytestmark = pytest.mark.django_db(transaction=True)
SEEN = SeenOnVideo(minutes=50, average_cents=5_000)


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    open_tables(cast.table, cast.other_table)
    know_edge(cast.table)
    return cast


def findings() -> set[tuple[str, str]]:
    """Return what verification names, but for rows that this test wrote past the services."""
    ours = {("derived_differs", "table"), ("row_inserted", "main edge")}
    return {(finding.code.value, finding.where) for finding in verify().findings} - ours


def rated(cast: Cast, clock: ServerClock, cents: int = 5_000) -> PlayRating:
    """Fifty minutes at a bet, rated by Alice."""
    rating = seat(cast, add_patron(cast, f"Ruiz {uuid4().hex[:6]}"))
    look(cast, rating, cents)
    clock.move(minutes=25)
    look(cast, rating, cents)
    clock.move(minutes=25)
    left(cast, rating)
    rating.refresh_from_db()
    return rating


def draw(cast: Cast, clock: ServerClock, cents: int = 5_000) -> RatingDraw:
    """Draw one rating, where the house watches every one."""
    change(cast, "rating.draw_share", "100")
    clock.move(days=1)
    open_tables(cast.table)
    rating = rated(cast, clock, cents)
    clock.move(minutes=1)
    seals.write_seal(now=house.now())
    assert draw_due() == 1
    return RatingDraw.objects.get(rating=rating)


def watch(cast: Cast, drawn: RatingDraw, seen: SeenOnVideo = SEEN, **more: Any) -> RatingSeen:
    pen = more.get("pen") or cast.pen(more.get("by") or cast.ivan, Place.SURVEILLANCE)
    return watch_rating(draw_id=drawn.pk, seen=seen, pen=pen)


def test_a_rating_is_drawn_by_the_first_seal_after_its_figures_once(
    floor: Cast, server_clock: ServerClock
) -> None:
    drawn = draw(floor, server_clock)
    assert draw_due() == 0
    assert drawn.seal.at >= drawn.rating.figures.get().made_at
    assert JournalEntry.objects.filter(kind="ratings_drawn").count() == 1
    assert not findings()


def test_no_rating_is_drawn_before_a_seal_or_where_the_house_draws_none(
    floor: Cast, server_clock: ServerClock
) -> None:
    change(floor, "rating.draw_share", "0")
    server_clock.move(days=1)
    open_tables(floor.table)
    rated(floor, server_clock)
    assert draw_due() == 0
    seals.write_seal(now=house.now())
    assert draw_due() == 0
    assert not findings()


def test_a_signed_rating_is_always_drawn(floor: Cast, server_clock: ServerClock) -> None:
    change(floor, "rating.draw_share", "0")
    server_clock.move(days=1)
    open_tables(floor.table)
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 30_000)
    server_clock.move(minutes=20)
    leave(rating_id=rating.pk, hand=floor.pen(floor.alice))
    server_clock.move(minutes=1)
    seals.write_seal(now=house.now())
    assert draw_due() == 1


def test_a79_the_audit_shows_nothing_of_the_rating_until_it_is_entered(
    floor: Cast, server_clock: ServerClock
) -> None:
    drawn = draw(floor, server_clock, cents=13_700)
    client = signed_in(floor.ivan, floor, Place.SURVEILLANCE)
    zone, rating = house.the_property().zone, drawn.rating
    assert rating.ended_at is not None
    secrets = (
        "137",
        f"{rating.began_at.astimezone(zone):%H:%M}",
        f"{rating.ended_at.astimezone(zone):%H:%M}",
        str(floor.alice),
        f'"/ratings/{rating.pk}/',
    )
    list_page = client.get("/surveillance/ratings/")
    page = client.get(f"/surveillance/ratings/{drawn.pk}/")
    missing = client.get(f"/surveillance/ratings/{drawn.pk}/?not_there=yes")
    wrong = client.post(f"/surveillance/ratings/{drawn.pk}/", {"minutes": "x", "average": "1"})
    assert wrong.status_code == 422
    for answer in (list_page, page, missing, wrong):
        text = words(answer)
        assert str(rating.patron) in text
        assert not [secret for secret in secrets if secret in text], text
    # The rating itself is closed to who watches it, and no list or report shows it to them.
    assert client.get(f"/ratings/{rating.pk}/").status_code == 403
    kept = (
        f"/patrons/{rating.patron_id}/card/",
        "/reports/ratings/",
        "/reports/theo/",
        "/reports/raters/",
        "/reports/rating-changes/",
        "/reports/ratings/csv",
        f"/tables/{rating.table.name}/",
    )
    for address in kept:
        answer = client.get(address)
        assert answer.status_code == 200, address
        text = words(answer)
        assert not [secret for secret in secrets if secret in text], (address, text)
    auditor = signed_in(floor.olga, floor, Place.OFFICE)
    assert "137" in words(auditor.get("/reports/ratings/"))
    sent = {
        "request_id": str(uuid4()),
        "badge": floor.ivan.badge,
        "pin": floor.pen(floor.ivan).pin,
        "minutes": "50",
        "average": "137",
    }
    answer = client.post(f"/surveillance/ratings/{drawn.pk}/", sent, follow=True)
    assert "Agrees" in words(answer)
    assert client.get(f"/ratings/{rating.pk}/").status_code == 200
    assert "Agrees" in words(client.get("/surveillance/ratings/"))
    for address in kept[:2]:
        assert f'"/ratings/{rating.pk}/' in words(client.get(address)), address


def test_a79_a_change_of_a_drawn_rating_is_kept_from_who_watches_it(
    floor: Cast, server_clock: ServerClock
) -> None:
    drawn = draw(floor, server_clock, cents=13_700)
    raising = the_kind("rating_void").at(rating=drawn.rating)
    slip = raise_kind(
        raising, pen=floor.pen(floor.bob), shown=shown_before(raising), reason="Someone else."
    )
    client = signed_in(floor.ivan, floor, Place.SURVEILLANCE)
    for address in (f"/slips/{slip.serial}/", f"/slips/{slip.serial}/print/"):
        assert client.get(address).status_code in (403, 404), address
    assert client.get(f"/slips/{slip.serial}/").status_code == 403
    assert "137" not in words(client.get("/inbox/"))
    with refused("drawn_for_audit"):
        floor.sign(slip, "witnessed", floor.ivan, Place.SURVEILLANCE)
    watch(floor, drawn, SEEN)
    assert client.get(f"/slips/{slip.serial}/").status_code == 200
    floor.sign(slip, "witnessed", floor.ivan, Place.SURVEILLANCE)


@pytest.mark.parametrize(
    ("seen", "state", "opened"),
    [
        (SEEN, "agrees", 0),
        (SeenOnVideo(minutes=50, average_cents=2_500), "differs", 1),
        (SeenOnVideo(minutes=None, average_cents=None, not_there=True), "not_there", 1),
    ],
)
def test_what_differs_or_was_not_there_opens_an_exception(
    floor: Cast, server_clock: ServerClock, seen: SeenOnVideo, state: str, opened: int
) -> None:
    stored = watch(floor, draw(floor, server_clock), seen)
    assert stored.state == state
    assert FloorException.objects.filter(code="rating_differs").count() == opened
    assert not findings()


def test_who_is_not_surveillance_or_comes_second_is_refused(
    floor: Cast, server_clock: ServerClock
) -> None:
    drawn = draw(floor, server_clock)
    with refused("wrong_role", "rated_it", journal=("act_refused",)):
        watch(floor, drawn, by=floor.alice)
    with refused("wrong_role", journal=("act_refused",)):
        watch(floor, drawn, by=floor.bob)
    pen = floor.pen(floor.ivan, Place.SURVEILLANCE)
    first = watch(floor, drawn, pen=pen)
    assert watch(floor, drawn, pen=pen) == first
    with refused("already_seen", journal=("act_refused",)):
        watch(floor, drawn, by=floor.vera)


def test_the_database_refuses_a_watcher_who_rated_and_a_seal_before_the_figures(
    floor: Cast, server_clock: ServerClock
) -> None:
    drawn = draw(floor, server_clock)
    with pytest.raises(DatabaseError, match="who rated"), transaction.atomic():
        RatingSeen.objects.create(
            draw=drawn,
            officer=floor.alice,
            device=floor.devices[Place.SURVEILLANCE],
            seconds=60,
            average_cents=100,
            rated_seconds=60,
            rated_average_cents=100,
            differs_bp=0,
            state="agrees",
            request_id=uuid4(),
            at=house.now(),
        )
    server_clock.move(minutes=1)
    later = rated(floor, server_clock)
    with pytest.raises(DatabaseError, match="a seal after"), transaction.atomic():
        RatingDraw.objects.create(
            rating=later, seal=drawn.seal, digest="0" * 64, drawn_at=house.now()
        )


def test_a79_a_suppressed_draw_and_an_edited_or_deleted_rating_are_named(
    floor: Cast, server_clock: ServerClock, owner_connection: Owner
) -> None:
    drawn = draw(floor, server_clock)
    rating = drawn.rating_id
    tamper(
        owner_connection,
        "tables_ratingdraw",
        "UPDATE tables_ratingdraw SET digest = repeat('0', 64) WHERE id = %s",
        [drawn.pk],
    )
    found = {(finding.code, finding.where) for finding in verify().findings}
    assert (Wrong.DRAW_MISSING, "rating") in found
    tamper(
        owner_connection,
        "tables_ratingdraw",
        "DELETE FROM tables_ratingdraw WHERE id = %s",
        [drawn.pk],
    )
    # Within the hour the worker may still be at it; the journal misses the row all the same.
    assert Wrong.ROW_MISSING in {finding.code for finding in verify().findings}
    server_clock.move(minutes=61)
    assert Wrong.DRAW_MISSING in {finding.code for finding in verify().findings}
    tamper(
        owner_connection,
        "tables_playrating",
        "UPDATE tables_playrating SET by_card = NOT by_card WHERE id = %s",
        [rating],
    )
    assert Wrong.ROW_ALTERED in {finding.code for finding in verify().findings}


def test_a79_a_deleted_rating_is_named(
    floor: Cast, server_clock: ServerClock, owner_connection: Owner
) -> None:
    rating = seat(floor, add_patron(floor))
    tamper(
        owner_connection,
        "tables_seatheld",
        "DELETE FROM tables_seatheld WHERE rating_id = %s",
        [rating.pk],
    )
    tamper(
        owner_connection,
        "tables_playrating",
        "DELETE FROM tables_playrating WHERE id = %s",
        [rating.pk],
    )
    named = [(finding.where, finding.number) for finding in verify().findings]
    assert ("play rating", rating.pk) in named
