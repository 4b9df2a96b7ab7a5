"""Ratings: who sits where, what was seen, when it ends, and what is refused, here and below."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from inventory.models import CashEntry, ChequeTransfer, Stranger
from pitboss.models import FloorException, JournalEntry, Slip, Table
from pitboss.reports.book import BOOK
from pitboss.reports.report import ReportChoice
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services.verification import verify
from tables.models import Away, Look, PlayRating, RatingFigures, RatingMoney, SeatHeld
from tables.selectors.rating_figures import chance_of, main_of
from tables.services import ratings
from tables.services.floor_log import Tap
from tables.services.looks import see
from tables.services.rating_ends import end_due
from tables.services.ratings import (
    Who,
    come_back,
    free_seat,
    leave,
    move,
    sit_down,
    step_away,
    take_seat,
)
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change
from tests.floor.markers import stop
from tests.floor.ratings import (
    add_patron,
    know_edge,
    left,
    look,
    open_tables,
    seat,
    tap,
    tell_round,
    tells_every_round,
)
from tests.floor.terminals import TerminalClient, make_terminal
from tests.races import at_once, hold_before

pytestmark = pytest.mark.django_db
REFUSED = ("rating_refused",)


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    """The cast, with both tables open and the edge of their game known."""
    open_tables(cast.table, cast.other_table)
    know_edge(cast.table)
    return cast


def test_a_stay_of_looks_gets_its_average_rounds_theo_and_range(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 2_500)
    server_clock.move(minutes=20)
    look(floor, rating, 5_000)
    server_clock.move(minutes=30)
    look(floor, rating, 10_000)
    server_clock.move(minutes=10)
    left(floor, rating, walked_cents=62_500)
    figures = RatingFigures.objects.get()
    assert (figures.average, figures.seconds, figures.looks) == ("5000", 3_600, 3)
    assert (figures.basis, figures.pace_basis, figures.decisions) == ("looked", "table", "209")
    assert figures.edges["blackjack"] == {
        "edge": "4059/1000000",
        "from": "exact",
        "variance": "33/25",
        "covariance": "12/25",
    }
    worth = 5_000 * 209 * (Fraction(4_059, 1_000_000) + Fraction(80, 10_000))
    assert Fraction(figures.theo) == worth
    assert figures.theo_cents == 12_602
    assert (figures.low_cents, figures.high_cents) == (8_140, 17_970)
    assert figures.result_cents == -62_500
    assert not SeatHeld.objects.filter(until=None).exists()
    assert verify().is_sound


def test_a61_a_closed_table_and_a_beginning_long_ago_are_refused(
    floor: Cast, server_clock: ServerClock
) -> None:
    patron = add_patron(floor)
    with refused("begun_too_early", journal=REFUSED):
        seat(floor, patron, ago=15)
    assert seat(floor, patron, ago=10).began_at == server_clock.now - timedelta(minutes=10)
    Table.objects.filter(pk=floor.other_table.pk).update(is_open=False)
    other = add_patron(floor, "Moreau")
    with refused("table_closed", journal=REFUSED):
        seat(floor, other, table=floor.other_table)
    with pytest.raises(DatabaseError, match="closed table"), transaction.atomic():
        _raw_rating(floor, patron_id=add_patron(floor, "Kim").pk, table_id=floor.other_table.pk)


def _raw_rating(cast: Cast, **values: Any) -> PlayRating:
    now = datetime(2026, 5, 1, 13, tzinfo=UTC)
    return PlayRating.objects.create(
        **{"table_id": cast.table.pk, "began_at": now, "gaming_day": now.date(), "shift": "Day"}
        | values
    )


@pytest.mark.django_db(transaction=True)
def test_a62_two_supervisors_rate_one_patron_at_two_tables_and_one_succeeds(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tables(cast.table, cast.other_table)
    patron = add_patron(cast)
    hold_before(monkeypatch, ratings, "open_refusals")
    results = at_once(
        lambda: seat(cast, patron, by=cast.alice),
        lambda: seat(cast, patron, table=cast.other_table, by=cast.bob),
    )
    assert sorted(type(result).__name__ for result in results) == ["PlayRating", "tuple"]
    assert ("rated_elsewhere",) in results
    assert PlayRating.objects.filter(ended_at=None).count() == 1


def test_a62_the_database_keeps_one_open_rating_a_person(floor: Cast) -> None:
    patron = add_patron(floor)
    seat(floor, patron)
    with pytest.raises(DatabaseError, match="one_open_rating_a_patron"), transaction.atomic():
        _raw_rating(floor, patron_id=patron.pk, table_id=floor.other_table.pk)
    with pytest.raises(DatabaseError, match="a_rating_is_of_one_person"), transaction.atomic():
        _raw_rating(floor)


@pytest.mark.django_db(transaction=True)
def test_two_supervisors_seat_two_patrons_on_one_seat_and_one_succeeds(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tables(cast.table)
    first, second = add_patron(cast), add_patron(cast, "Moreau")
    hold_before(monkeypatch, ratings, "open_refusals")
    results = at_once(
        lambda: seat(cast, first, by=cast.alice), lambda: seat(cast, second, by=cast.bob)
    )
    assert ("seat_taken",) in results
    assert SeatHeld.objects.count() == 1


def test_a63_three_hours_without_a_sign_earn_nothing(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    server_clock.move(hours=3)
    with refused("no_sign_of_play", journal=REFUSED):
        left(floor, rating)
    assert end_due() == 1
    rating.refresh_from_db()
    assert (rating.ended_at, rating.end) == (rating.began_at, "unattended")
    assert RatingFigures.objects.get().theo_cents == 0


def test_a64_told_rounds_beat_what_a_rater_saw(floor: Cast, server_clock: ServerClock) -> None:
    rating, device = seat(floor, add_patron(floor), 3), make_terminal(floor.table)
    look(floor, rating, 50_000)
    for _ in range(6):
        server_clock.move(minutes=2)
        tell_round(
            device,
            floor.table,
            server_clock.now,
            {3: {"blackjack": 5_000}, 5: {"blackjack": 90_000}},
        )
    left(floor, rating)
    figures = RatingFigures.objects.get()
    assert (figures.basis, figures.average, figures.decisions) == ("told", "5000", "6")
    assert (figures.low_cents, figures.theo_cents, figures.high_cents) == (361, 362, 362)
    assert figures.action == {"blackjack": "30000"}
    # By the look alone theo were ten times what the rounds say, and the rater's bias shows it.
    day = rating.gaming_day
    assert _line_of_rater(day) == {"compared": 1, "bias": 90_000, "line": "too few ratings"}
    change(floor, "rater.least", "1")
    assert _line_of_rater(day)["line"] == "out of line"
    said = BOOK["raters"].make(ReportChoice(day, day)).finding
    assert said is not None
    assert said.words == f"Out of line: {floor.alice}. Compare looks with rounds."
    change(floor, "rater.most", "100")
    assert _line_of_rater(day)["line"] == "out of line"


def test_a112_a_rating_counts_the_bets_told_of_a_seat_that_could_not_be_judged(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor), 6)
    terminal = TerminalClient(make_terminal(floor.table))
    tells_every_round(terminal.device)
    bet = {"wager": "blackjack", "stake_cents": 5_000}
    for _ in range(3):
        server_clock.move(minutes=2)
        round_ = terminal.post("rounds", {"seats": [{"seat": 5}, {"seat": 6}]}).json()["round"]
        for number in (5, 6):
            terminal.post(f"rounds/{round_}/wagers", {"seat": number, "bets": [bet]})
        fallen = [{"seat": 5, "card": card} for card in ("Tc", "9d")]
        dealer = [{"to": "dealer", "card": card} for card in ("9s", "8h")]
        terminal.post(f"rounds/{round_}/cards", {"cards": [*fallen, *dealer]})
        ended = terminal.post(f"rounds/{round_}/end", {}).json()
        assert ended["outcome"] == "partly_settled"
        assert [item["seat"] for item in ended["verdict"]["unverified"]] == [6]
    left(floor, rating)
    figures = RatingFigures.objects.get()
    assert (figures.basis, figures.decisions) == ("told", "3")
    assert figures.action == {"blackjack": "15000"}


def test_a_rater_who_sees_what_rounds_say_is_in_line(
    floor: Cast, server_clock: ServerClock
) -> None:
    change(floor, "rater.least", "1")
    unseen, rating = seat(floor, add_patron(floor), 3), seat(floor, add_patron(floor, "Kim"), 5)
    device = make_terminal(floor.table)
    look(floor, rating, 5_500)
    for _ in range(3):
        server_clock.move(minutes=2)
        bets = {3: {"blackjack": 5_000}, 5: {"blackjack": 5_000, "trilux": 500}}
        tell_round(device, floor.table, server_clock.now, bets)
    left(floor, unseen)
    left(floor, rating)
    day = rating.gaming_day
    # The band is that of the main bets, whatever the database puts first.
    figures = RatingFigures.objects.get(rating=rating)
    assert chance_of(figures, main_of(figures)).squares == 3 * 5_000**2
    # Who was never looked at is compared with nothing.
    assert _line_of_rater(day) == {"compared": 1, "bias": 1_000, "line": "in line"}
    change(floor, "rater.most", "5")
    assert _line_of_rater(day)["line"] == "out of line"


def _line_of_rater(day: date) -> dict[str, Any]:
    (section,) = BOOK["raters"].make(ReportChoice(day, day)).sections
    (row,) = section.rows
    said = dict(zip((column.key for column in section.columns), row.cells, strict=True))
    return {key: said[key].value for key in ("compared", "bias", "line")}


def test_rounds_that_leave_a_gap_give_way_to_looks(floor: Cast, server_clock: ServerClock) -> None:
    rating, device = seat(floor, add_patron(floor), 3), make_terminal(floor.table)
    tell_round(device, floor.table, server_clock.now, {3: {"blackjack": 5_000}})
    server_clock.move(minutes=11)
    tell_round(device, floor.table, server_clock.now, {3: {"blackjack": 5_000}})
    look(floor, rating, 10_000)
    left(floor, rating)
    assert RatingFigures.objects.get().basis == "looked"


def test_a65_a_look_over_the_maximum_is_refused_by_seat(floor: Cast) -> None:
    patron = add_patron(floor)
    rating = seat(floor, patron)
    with refused("over_maximum", journal=REFUSED):
        look(floor, rating, 300_100)
    seat(floor, patron, 2)
    assert look(floor, rating, 300_100).seats == 2


def test_a67_leaving_an_hour_after_the_last_told_bet_is_refused_with_its_time(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating, device = seat(floor, add_patron(floor), 3), make_terminal(floor.table)
    told = tell_round(device, floor.table, server_clock.now, {3: {"blackjack": 5_000}})
    server_clock.move(hours=1)
    with refused("after_last_bet", journal=REFUSED):
        left(floor, rating)
    left(floor, rating, at_last_sign=True)
    rating.refresh_from_db()
    assert rating.ended_at == told.started_at


def test_a67_a_stay_that_ends_at_its_last_look_ends_on_the_look_and_not_in_the_second_before(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor), 3)
    server_clock.move(minutes=10, milliseconds=400)
    seen = look(floor, rating, 5_000)
    server_clock.move(hours=1)
    left(floor, rating, at_last_sign=True)
    # What guards the end is asked when the transaction ends.
    connection.check_constraints()
    rating.refresh_from_db()
    assert rating.ended_at == seen.at


def test_a72_a_self_excluded_patron_is_not_seated_and_security_is_notified(floor: Cast) -> None:
    patron = add_patron(floor)
    stop(floor, patron, Standing.SELF_EXCLUDED)
    with pytest.raises(Refused) as caught:
        seat(floor, patron, 4)
    assert caught.value.codes == ("self_excluded",)
    assert "Ruiz" not in str(caught.value)
    told = FloorException.objects.order_by("code")
    assert [floor_exception.code for floor_exception in told] == [
        "excluded_at_table",
        "excluded_watched",
    ]
    assert not PlayRating.objects.exists()
    with pytest.raises(DatabaseError, match="excluded"), transaction.atomic():
        _raw_rating(floor, patron_id=patron.pk)


def test_a76_cash_of_a_rating_is_the_days_cash_and_stands_on_one(floor: Cast) -> None:
    rating = seat(floor, add_patron(floor))
    for wrong in ({"kind": "cash"}, {"kind": "marker"}):
        with pytest.raises(DatabaseError, match="a_rating"), transaction.atomic():
            RatingMoney.objects.create(
                rating=rating, amount_cents=100_000, at=rating.began_at, **wrong
            )


def test_a_second_tap_does_nothing_twice_and_another_form_under_one_id_is_refused(
    floor: Cast,
) -> None:
    patron, hand = add_patron(floor), tap(floor)
    taken: dict[str, Any] = {
        "table_id": floor.table.pk,
        "seat": 1,
        "who": Who(patron_id=patron.pk),
        "hand": hand,
    }
    assert sit_down(**taken) == sit_down(**taken)
    with refused("request_reused", journal=REFUSED):
        sit_down(**{**taken, "seat": 2})
    rating, hand = PlayRating.objects.get(), tap(floor)
    assert see(rating_id=rating.pk, bet_cents=2_500, hand=hand) == see(
        rating_id=rating.pk, bet_cents=2_500, hand=hand
    )
    with refused("request_reused", journal=REFUSED):
        see(rating_id=rating.pk, bet_cents=5_000, hand=hand)
    hand = tap(floor)
    assert leave(rating_id=rating.pk, hand=hand) == leave(rating_id=rating.pk, hand=hand)
    with refused("rating_ended", journal=REFUSED):
        leave(rating_id=rating.pk, hand=tap(floor, floor.bob))
    with refused("rating_ended", journal=REFUSED):
        look(floor, rating, 2_500)


def test_only_a_supervisor_of_the_pit_rates(floor: Cast) -> None:
    patron = add_patron(floor)
    who: dict[str, Any] = {"table_id": floor.table.pk, "seat": 1, "who": Who(patron_id=patron.pk)}
    with refused("wrong_role", journal=REFUSED):
        sit_down(**who, hand=tap(floor, floor.dan))
    with refused("wrong_place", journal=REFUSED):
        sit_down(**who, hand=tap(floor, place=Place.CAGE))
    with refused("wrong_pit", journal=REFUSED):
        sit_down(**who, hand=Tap(floor.alice, floor.other_pit_tablet, uuid4()))
    with refused("unknown_device", journal=REFUSED):
        sit_down(**who, hand=Tap(floor.alice, None, uuid4()))


def test_a_seat_that_is_none_or_taken_and_nobody_to_sit_there_are_refused(floor: Cast) -> None:
    patron = add_patron(floor)
    with refused("bad_seat", journal=REFUSED):
        seat(floor, patron, 8)
    take_seat(table_id=floor.table.pk, seat=1, hand=tap(floor))
    with refused("seat_taken", journal=REFUSED):
        seat(floor, patron, 1)
    with refused("seat_taken", journal=REFUSED):
        take_seat(table_id=floor.table.pk, seat=1, hand=tap(floor))
    with refused("who_missing", journal=REFUSED):
        sit_down(table_id=floor.table.pk, seat=2, who=Who(), hand=tap(floor))
    with refused("unknown_stranger", journal=REFUSED):
        sit_down(table_id=floor.table.pk, seat=2, who=Who(stranger_id=0), hand=tap(floor))


def test_a_seat_taken_without_a_name_is_freed_and_a_rated_one_is_not(floor: Cast) -> None:
    hand = tap(floor)
    held = take_seat(table_id=floor.table.pk, seat=1, hand=hand)
    assert take_seat(table_id=floor.table.pk, seat=1, hand=hand) == held
    assert free_seat(seat_id=held.pk, hand=tap(floor)).until is not None
    assert free_seat(seat_id=held.pk, hand=tap(floor)).until is not None
    rating = seat(floor, add_patron(floor), 1)
    with refused("seat_is_rated", journal=REFUSED):
        free_seat(seat_id=rating.seats.get().pk, hand=tap(floor))


def test_who_declines_a_name_is_a_stranger_who_declined(floor: Cast) -> None:
    held = sit_down(table_id=floor.table.pk, seat=1, who=Who(declined=True), hand=tap(floor))
    assert held.rating is not None
    assert held.rating.declined_name
    assert held.rating.stranger == Stranger.objects.get()
    again = sit_down(
        table_id=floor.table.pk,
        seat=2,
        who=Who(stranger_id=Stranger.objects.get().pk),
        hand=tap(floor),
    )
    assert again.rating == held.rating
    with refused("description_too_short", journal=REFUSED):
        sit_down(table_id=floor.table.pk, seat=3, who=Who(description="x"), hand=tap(floor))


def test_time_away_counts_in_neither_sum_and_no_look_is_taken_then(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 5_000)
    server_clock.move(minutes=15)
    assert step_away(rating_id=rating.pk, hand=tap(floor)) == step_away(
        rating_id=rating.pk, hand=tap(floor)
    )
    with refused("look_while_away", journal=REFUSED):
        look(floor, rating, 5_000)
    server_clock.move(minutes=10)
    come_back(rating_id=rating.pk, hand=tap(floor))
    assert JournalEntry.objects.latest("pk").kind == "came_back"
    assert come_back(rating_id=rating.pk, hand=tap(floor)) is None
    look(floor, rating, 10_000)
    server_clock.move(minutes=15)
    left(floor, rating)
    figures = RatingFigures.objects.get()
    assert (figures.seconds, figures.average) == (1_800, "7500")


def test_a_move_ends_here_and_begins_there_with_the_cheques(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 5_000)
    server_clock.move(minutes=10)
    hand = tap(floor)
    to = {"to_table_id": floor.other_table.pk, "seat": 2, "cheques_cents": 40_000}
    held = move(rating_id=rating.pk, hand=hand, **to)
    assert move(rating_id=rating.pk, hand=hand, **to) == held
    rating.refresh_from_db()
    assert rating.end == "moved"
    assert held.rating is not None
    assert held.rating.continues == rating
    kinds = RatingMoney.objects.order_by("id").values_list("rating", "kind", "amount_cents")
    assert list(kinds) == [(rating.pk, "moved_on", 40_000), (held.rating.pk, "cheques", 40_000)]
    assert RatingFigures.objects.get().result_cents == -40_000
    assert told_lately(2) == [
        {"rating": rating.pk, "end": "moved", "looks": 1},
        {"rating": held.rating.pk, "seat": 2, "by_card": False},
    ]
    other = seat(floor, add_patron(floor, "Moreau"))
    with refused("seat_taken", journal=REFUSED):
        move(rating_id=other.pk, to_table_id=floor.other_table.pk, seat=2, hand=tap(floor))


def told_lately(count: int) -> list[dict[str, Any]]:
    """Return what the last entries of the journal say, oldest first."""
    entries = JournalEntry.objects.order_by("-pk")[:count]
    return [json.loads(entry.text)["body"] for entry in reversed(entries)]


def test_a_player_changes_seats_at_one_table_and_the_stay_goes_on(floor: Cast) -> None:
    rating = seat(floor, add_patron(floor))
    seat(floor, add_patron(floor, "Moreau"), 2)
    to = {"rating_id": rating.pk, "to_table_id": floor.table.pk}
    for taken in (2, 8):
        with refused("seat_taken" if taken == 2 else "bad_seat", journal=REFUSED):
            move(**to, seat=taken, hand=tap(floor))
    moved = move(**to, seat=5, hand=tap(floor))
    assert (moved.rating, moved.seat, moved.until) == (rating, 5, None)
    assert told_lately(1) == [{"rating": rating.pk, "seat": 5}]
    assert list(rating.seats.filter(until=None).values_list("seat", flat=True)) == [5]
    assert PlayRating.objects.count() == 2


def test_a_large_stay_is_ended_by_badge_and_pin(floor: Cast, server_clock: ServerClock) -> None:
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 25_000)
    server_clock.move(minutes=5)
    with refused("signature_needed", journal=REFUSED):
        left(floor, rating)
    leave(rating_id=rating.pk, hand=floor.pen(floor.alice))
    rating.refresh_from_db()
    assert (rating.is_signed, rating.ended_by) == (True, floor.alice)


def test_a_bet_that_someone_remembers_is_a_guess(floor: Cast, server_clock: ServerClock) -> None:
    rating = seat(floor, add_patron(floor))
    server_clock.move(minutes=6)
    left(floor, rating, guess_cents=5_000)
    figures = RatingFigures.objects.get()
    assert (figures.basis, figures.average, figures.looks) == ("guessed", "5000", 0)
    unseen = seat(floor, add_patron(floor, "Kim"))
    server_clock.move(minutes=6)
    left(floor, unseen)
    assert RatingFigures.objects.get(rating=unseen).theo_cents is None


def test_the_day_turns_and_the_stay_goes_on_under_its_own_day(
    floor: Cast, server_clock: ServerClock
) -> None:
    server_clock.now = datetime(2026, 5, 2, 9, 50, tzinfo=UTC)  # 05:50 in New York.
    patron = add_patron(floor)
    rating = seat(floor, patron, 2)
    look(floor, rating, 5_000)
    step_away(rating_id=rating.pk, hand=tap(floor))
    server_clock.move(minutes=11)
    assert end_due() == 1
    rating.refresh_from_db()
    assert (rating.end, rating.ended_at) == ("day_turned", datetime(2026, 5, 2, 10, tzinfo=UTC))
    on = PlayRating.objects.get(ended_at=None)
    assert (on.continues, on.patron, on.gaming_day.day) == (rating, patron, 2)
    assert on.seats.get().seat == 2
    assert Away.objects.filter(rating=on, until=None).exists()
    assert verify().is_sound


def test_a_table_that_closes_ends_its_stays_and_frees_its_seats(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    take_seat(table_id=floor.table.pk, seat=4, hand=tap(floor))
    server_clock.move(minutes=10)
    look(floor, rating, 5_000)
    server_clock.move(minutes=10)
    Table.objects.filter(pk=floor.table.pk).update(is_open=False)
    assert end_due() == 1
    rating.refresh_from_db()
    assert (rating.end, rating.ended_at) == ("table_closed", server_clock.now)
    assert not SeatHeld.objects.filter(until=None).exists()


def test_a_side_bet_seen_is_priced_by_its_own_pay_table(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 5_000, {"trilux": 500})
    server_clock.move(minutes=30)
    left(floor, rating)
    figures = RatingFigures.objects.get()
    assert figures.edges["trilux"]["from"] == "exact"
    assert Fraction(figures.action["trilux"]) == 500 * Fraction(209, 2)


def test_a_rating_touches_neither_ledger_nor_tray_nor_slips(
    floor: Cast, server_clock: ServerClock
) -> None:
    before = Table.objects.get(pk=floor.table.pk).tray_sequence
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 5_000)
    left(floor, rating, walked_cents=10_000)
    assert Table.objects.get(pk=floor.table.pk).tray_sequence == before
    assert not ChequeTransfer.objects.exists()
    assert not CashEntry.objects.exists()
    assert not Slip.objects.exists()


def test_what_ended_or_was_seen_is_never_changed(floor: Cast, server_clock: ServerClock) -> None:
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 5_000)
    server_clock.move(minutes=5)
    left(floor, rating)
    for sql in (
        "UPDATE tables_playrating SET ended_at = began_at",
        "UPDATE tables_playrating SET began_at = began_at - interval '1 hour'",
        "DELETE FROM tables_playrating",
        "UPDATE tables_seatheld SET seat = 7",
        "UPDATE tables_look SET bet_cents = 90000",
        "UPDATE tables_ratingfigures SET theo_cents = 900000",
        "DELETE FROM tables_look",
        "UPDATE tables_mainedge SET ppm = 1",
        f"INSERT INTO tables_look (rating_id, at, bet_cents, seats, side, prompted, by_id,"
        f" device_id, request_id, request_hash) SELECT rating_id, at, 900000, 1, '{{}}', true,"
        f" by_id, device_id, '{uuid4()}', '' FROM tables_look",
    ):
        with (
            pytest.raises(DatabaseError),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(sql)
    with pytest.raises(DatabaseError, match="taken then"), transaction.atomic():
        SeatHeld.objects.create(table=floor.table, seat=1, from_at=rating.began_at)
    with pytest.raises(DatabaseError, match="own table"), transaction.atomic():
        SeatHeld.objects.create(
            table=floor.other_table, seat=1, rating=rating, from_at=rating.began_at
        )
    other = seat(floor, add_patron(floor, "Kim"))
    with pytest.raises(DatabaseError, match="follow"), transaction.atomic():
        RatingFigures.objects.create(
            rating=other,
            revision=0,
            made_at=server_clock.now,
            seconds=1,
        )


def test_an_unknown_edge_leaves_the_figures_to_the_worker(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_tables(cast.table)
    rating = seat(cast, add_patron(cast))
    look(cast, rating, 5_000)
    server_clock.move(minutes=10)
    left(cast, rating)
    assert not RatingFigures.objects.exists()


def test_a_look_counts_as_prompted_only_at_a_moment_that_was_drawn(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 5_000)
    server_clock.move(minutes=20)
    first = look(floor, rating, 5_000)
    again = look(floor, rating, 5_000)
    assert (first.prompted, again.prompted) == (True, False)
    assert JournalEntry.objects.filter(kind="look").count() == 3
    assert Look.objects.count() == 3
