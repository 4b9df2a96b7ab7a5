"""Players who may not play on, or asked to be spoken to: barred ends, own loss limits, photos."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from inventory.models import ExclusionCase, Patron
from inventory.services.patrons import NewDocument, add_document
from pitboss.models import FloorException, JournalEntry
from pitboss.rules.patrons.patrons import DocumentKind, Standing
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from tables.models import LossLimit, PlayRating, RatingMoney
from tables.services.play_watch import own_loss_limit, watch_play
from tables.services.rating_ends import end_due
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.comps import assign_host, raise_about
from tests.floor.exclusion import RUIZ, confirm_case, put_on
from tests.floor.markers import stop
from tests.floor.ratings import add_patron, know_edge, left, look, open_tables, seat
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n" + bytes(24)


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    """The cast, with both tables open and the edge of their game known."""
    open_tables(cast.table, cast.other_table)
    know_edge(cast.table)
    return cast


def test_who_is_self_excluded_ends_every_stay_at_that_moment_and_security_is_notified(
    floor: Cast, server_clock: ServerClock
) -> None:
    ana = add_patron(floor)
    rating = seat(floor, ana, 4)
    look(floor, rating, 2_500)
    server_clock.move(minutes=10)
    stop(floor, ana, Standing.SELF_EXCLUDED)
    barred_at = house.now()
    server_clock.move(minutes=1)
    assert end_due() == 1
    rating.refresh_from_db()
    assert (rating.end, rating.ended_at, rating.ended_by) == ("barred", barred_at, None)
    assert rating.figures.get().seconds == 600
    told = {
        floor_exception.code: floor_exception.details
        for floor_exception in FloorException.objects.all()
    }
    assert told == {
        code: {"seat": 4, "patron": ana.pk} for code in ("excluded_at_table", "excluded_watched")
    }
    page = signed_in(floor.alice, floor)
    # Whichever list they are on, the table is not told.
    assert "person who may not play is at seat 4. Do not deal" in words(page.get("/tables/BJ-11/"))
    assert "barred" in words(page.get(f"/ratings/{rating.pk}/"))
    assert end_due() == 0
    assert FloorException.objects.count() == 2


def test_who_is_suspended_from_credit_alone_plays_on(
    floor: Cast, server_clock: ServerClock
) -> None:
    ana = add_patron(floor)
    look(floor, seat(floor, ana), 2_500)
    stop(floor, ana, Standing.SUSPENDED)
    server_clock.move(minutes=1)
    assert end_due() == 0


def test_a_stay_that_ended_before_its_player_was_barred_ended_for_its_own_reason(
    floor: Cast, server_clock: ServerClock
) -> None:
    ana = add_patron(floor)
    rating = seat(floor, ana)
    look(floor, rating, 2_500)
    server_clock.move(minutes=31)
    stop(floor, ana, Standing.SELF_EXCLUDED)
    server_clock.move(minutes=1)
    assert end_due() == 1
    rating.refresh_from_db()
    assert rating.end == "unattended"
    assert not FloorException.objects.filter(code="excluded_at_table").exists()


def test_who_is_confirmed_to_be_on_a_list_ends_their_stay_and_a_match_alone_does_not(
    floor: Cast, server_clock: ServerClock
) -> None:
    ana = Patron.objects.get(pk=add_patron(floor).pk)
    rating = seat(floor, ana)
    look(floor, rating, 2_500)
    put_on(floor, RUIZ)
    with pytest.raises(Refused):
        seat(floor, ana, 2, table=floor.other_table)
    _compared_with_the_lists(floor, ana)
    case = ExclusionCase.objects.get(patron=ana)
    server_clock.move(minutes=1)
    assert end_due() == 0
    confirm_case(floor, case)
    server_clock.move(minutes=1)
    assert end_due() == 1
    rating.refresh_from_db()
    assert (rating.end, rating.ended_at) == ("barred", case.end.at)


def _compared_with_the_lists(floor: Cast, patron: Patron) -> None:
    """Open the case as a look of the cage at the patron would."""
    from inventory.services.exclusion import Compared, keep_comparison
    from pitboss.rules.patrons.exclusion import Moment

    with transaction.atomic():
        keep_comparison(Compared(patron, Moment.PATRON_FILE, house.now()), is_past=True)


def test_what_is_walked_with_by_color_adds_up_or_is_refused_below(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 2_500)
    server_clock.move(minutes=5)
    left(floor, rating, cheques={10_000: 3, 2_500: 2, 500_002_500: 4, 500: 0})
    walked = RatingMoney.objects.get()
    # Promotional cheques are no money.
    assert (walked.kind, walked.amount_cents) == ("walked", 35_000)
    assert walked.cheques == {"10000": 3, "2500": 2, "500002500": 4}
    other = seat(floor, add_patron(floor, "Diaz"), 2)
    for kind, cents, cheques in (
        ("walked", 35_100, '{"10000": 3, "2500": 2}'),
        ("cheques", 500, '{"500": 1}'),
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO tables_ratingmoney (rating_id, kind, amount_cents, cheques, at)"
                " VALUES (%s, %s, %s, %s, now())",
                [other.pk, kind, cents, cheques],
            )


def test_a_lower_own_loss_limit_counts_at_once_and_a_higher_one_waits_for_a_second_person(
    floor: Cast,
) -> None:
    ana = add_patron(floor)
    slip = raise_about(floor, "loss_limit", ana, by=floor.alice, loss_cents=50_000)
    assert own_loss_limit(ana) == 50_000
    floor.sign(slip, "confirmed", floor.petra, Place.OFFICE)
    assert LossLimit.objects.count() == 1
    higher = raise_about(floor, "loss_limit", ana, by=floor.mike, loss_cents=90_000)
    assert own_loss_limit(ana) == 50_000
    with refused("signed_before"):
        floor.sign(higher, "confirmed", floor.mike, Place.OFFICE)
    floor.sign(higher, "confirmed", floor.petra, Place.OFFICE)
    assert own_loss_limit(ana) == 90_000
    ended = raise_about(floor, "loss_limit", ana, by=floor.alice)
    assert own_loss_limit(ana) == 90_000
    with pytest.raises(DatabaseError, match="no slip signed"), transaction.atomic():
        LossLimit.objects.create(patron=ana, loss_cents=None, since=house.now(), slip=ended)
    floor.sign(ended, "confirmed", floor.petra, Place.OFFICE)
    assert own_loss_limit(ana) is None
    with pytest.raises(DatabaseError), transaction.atomic():
        LossLimit.objects.update(loss_cents=1)


def test_a_loss_over_the_patrons_own_limit_alerts_where_the_house_has_none(
    floor: Cast, server_clock: ServerClock
) -> None:
    ana = add_patron(floor)
    raise_about(floor, "loss_limit", ana, by=floor.alice, loss_cents=50_000)
    for name, carried, alerts in (("under", 49_900, 0), ("over", 50_000, 1)):
        rating = seat(floor, ana)
        look(floor, rating, 2_500)
        with transaction.atomic():
            RatingMoney.objects.create(
                rating=rating, kind="cheques", amount_cents=carried, at=house.now()
            )
        server_clock.move(minutes=5)
        left(floor, rating, walked_cents=0 if name == "under" else 49_900)
        assert watch_play() == alerts, name
    alert = FloorException.objects.get()
    assert alert.details["alert"] == "play_loss"
    shown = words(signed_in(floor.alice, floor).get(f"/patrons/{ana.pk}/card/"))
    assert "Own loss limit" in shown
    assert "$500" in shown


def test_the_photo_on_file_stands_on_the_card_and_each_look_is_in_the_journal(
    floor: Cast,
) -> None:
    ana = add_patron(floor)
    page = signed_in(floor.alice, floor)
    assert "/photo/" not in page.get(f"/patrons/{ana.pk}/card/").content.decode()
    assert page.get(f"/patrons/{ana.pk}/photo/").status_code == 404
    new = NewDocument(DocumentKind.PHOTO, content=PNG)
    add_document(patron_id=ana.pk, new=new, pen=floor.pen(floor.erin, Place.CAGE))
    with CaptureQueriesContext(connection) as queries:
        shown = page.get(f"/patrons/{ana.pk}/card/")
    # The card asks whether there is a photo; the picture is read once, where it is shown.
    said = [captured_query["sql"] or "" for captured_query in queries.captured_queries]
    assert not [sql for sql in said if 'content_cipher",' in sql]
    assert f'src="/patrons/{ana.pk}/photo/"' in shown.content.decode()
    assert "img-src 'self' data:" in shown.headers["Content-Security-Policy"]
    photo = page.get(f"/patrons/{ana.pk}/photo/")
    assert photo.content == PNG
    assert (photo.headers["Content-Type"], photo.headers["Cache-Control"]) == (
        "image/png",
        "no-store",
    )
    read = JournalEntry.objects.filter(kind="patron_document_read")
    assert [journal_entry.person for journal_entry in read] == [floor.alice]


def test_a_host_sees_the_photo_of_their_own_patrons_and_a_dealer_of_nobody(floor: Cast) -> None:
    ana = add_patron(floor)
    new = NewDocument(DocumentKind.PHOTO, content=PNG)
    add_document(patron_id=ana.pk, new=new, pen=floor.pen(floor.erin, Place.CAGE))
    url = f"/patrons/{ana.pk}/photo/"
    assert signed_in(floor.dan, floor).get(url).status_code == 403
    host = signed_in(floor.hugo, floor, Place.OFFICE)
    assert host.get(url).status_code == 403
    assign_host(floor, ana, floor.hugo)
    assert host.get(url).status_code == 200
    assert PlayRating.objects.count() == 0
