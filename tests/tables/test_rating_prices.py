"""A stay is priced by the rules, the stake and the meter of each of its rounds."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

import pytest
from django.db import DatabaseError, transaction

from inventory.models import DepositEntry
from jackpots.models import Meter
from pitboss.models import Table
from pitboss.reports.book import BOOK
from pitboss.reports.report import ReportChoice
from pitboss.rules.odds.odds import odds_of
from pitboss.rules.ratings.theo import Skill
from pitboss.services import house
from pitboss.services.verification import verify
from tables.models import MoneyKind, RatingFigures, RatingMoney, SkillSeen
from tables.selectors.rating_figures import chance_of, chances_of
from tables.selectors.ratings import seat_panel, seats_at
from tables.services.rating_ends import write_due_figures
from tables.services.rating_skill import see_skill
from tests.floor.cage import open_with
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.deposits import deposit
from tests.floor.house import change as set_to
from tests.floor.live_changes import change
from tests.floor.live_changes import tap as change_sign
from tests.floor.markers import TRAY, make_patron
from tests.floor.meters import SEVENS, approve, propose, sevens
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
from tests.floor.terminals import make_terminal
from tests.inventory.test_front_draw import draw, sign_out
from tests.tables.test_incidents import note
from tests.tables.test_live_changes import LEANER

pytestmark = pytest.mark.django_db
TRILUX = Fraction(4059, 125333)


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    open_with(cast, TRAY)
    open_tables(cast.table, cast.other_table)
    know_edge(cast.table)
    return cast


def tell(cast: Cast, clock: ServerClock, rounds: int, bets: dict[int, dict[str, int]]) -> None:
    device = make_terminal(cast.table, f"Terminal {clock.now:%H%M}")
    for _ in range(rounds):
        clock.move(minutes=2)
        tell_round(device, cast.table, clock.now, bets)


def figures() -> RatingFigures:
    return RatingFigures.objects.order_by("-id")[0]


def test_each_round_is_priced_by_the_pay_table_of_its_time(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    tell(floor, server_clock, 3, {1: {"blackjack": 5_000, "trilux": 500}})
    server_clock.move(minutes=1)
    slip = change(floor, **LEANER)
    floor.sign(slip, "approved", floor.heidi)
    change_sign(floor, slip)
    tell(floor, server_clock, 2, {1: {"blackjack": 5_000, "trilux": 1_000}})
    left(floor, rating)
    rows = {"straight_flush": "20:1", "flush": "8:1"}
    leaner = odds_of({"wager": "trilux", "paytable": rows, "decks": 6}).edge
    row = figures().edges["trilux"]
    assert row["parts"] == [["1500", str(TRILUX)], ["2000", str(leaner)]]
    worth = 1_500 * TRILUX + 2_000 * leaner
    assert Fraction(row["edge"]) * 3_500 == worth
    main = 25_000 * (Fraction(4_059, 1_000_000) + Fraction(80, 10_000))
    assert Fraction(figures().theo) == main + worth
    assert verify().is_sound


def test_looks_are_priced_by_how_long_each_rule_held(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 5_000, {"trilux": 500})
    server_clock.move(minutes=20)
    slip = change(floor, **LEANER)
    floor.sign(slip, "approved", floor.heidi)
    change_sign(floor, slip)
    server_clock.move(minutes=10)
    left(floor, rating)
    # A third of the rounds by the leaner table: 209 an hour for thirty minutes.
    (first, _), (later, _) = figures().edges["trilux"]["parts"]
    assert Fraction(first) == 500 * Fraction(209, 3)
    assert Fraction(later) == 500 * Fraction(209, 6)


def test_a_metered_bet_keeps_less_by_its_rate_and_its_seed(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_tables(cast.table)
    sevens(cast)
    open_tables(cast.table)
    know_edge(cast.table)
    rating = seat(cast, add_patron(cast))
    tell(cast, server_clock, 2, {1: {"blackjack": 5_000, "blazing_7s": 500}})
    left(cast, rating)
    assert figures().edges["blazing_7s"]["edge"] == "180372/626665"
    day = rating.gaming_day
    section = BOOK["side-bets"].make(ReportChoice(day, day)).sections[0]
    names = [column.key for column in section.columns]
    lines = [dict(zip(names, row.cells, strict=True)) for row in section.rows]
    taken = next(line for line in lines if line["wagers"].value)
    assert taken["theo"].value == round(1_000 * Fraction(180372, 626665))


def test_a_metered_bet_is_priced_by_the_rate_of_its_round(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_tables(cast.table)
    meter = sevens(cast)
    open_tables(cast.table)
    rating = seat(cast, add_patron(cast))
    tell(cast, server_clock, 2, {1: {"blackjack": 5_000, "blazing_7s": 500}})
    server_clock.move(minutes=1)
    approve(cast, propose(cast, SEVENS | {"rate": "10%"}, meter))
    tell(cast, server_clock, 3, {1: {"blackjack": 5_000, "blazing_7s": 500}})
    left(cast, rating)
    # The edge of the main game is still being worked out, and the rate changes once more.
    assert not RatingFigures.objects.exists()
    server_clock.move(minutes=1)
    approve(cast, propose(cast, SEVENS | {"rate": "5%"}, Meter.objects.get()))
    know_edge(cast.table)
    assert write_due_figures() == 1
    first = Fraction(180372, 626665)
    assert figures().edges["blazing_7s"]["parts"] == [
        ["1000", str(first)],
        ["1500", str(first + Fraction(1, 10))],
    ]
    # Who sits down after all of that is priced by what holds now.
    again = seat(cast, add_patron(cast, "Kim"))
    tell(cast, server_clock, 1, {1: {"blackjack": 5_000, "blazing_7s": 500}})
    left(cast, again)
    assert figures().edges["blazing_7s"]["edge"] == str(first + Fraction(15, 100))


def test_the_band_counts_side_bets_and_hands_against_one_dealer(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    seat(floor, rating.patron, 2)  # type: ignore[arg-type]
    tell(floor, server_clock, 4, {1: {"blackjack": 5_000, "trilux": 500}, 2: {"blackjack": 3_000}})
    left(floor, rating)
    main = chance_of(figures(), "blackjack")
    assert (main.variance, main.squares) == (Fraction(33, 25), 4 * (5_000**2 + 3_000**2))
    assert (main.covariance, main.crosses) == (Fraction(12, 25), 4 * 2 * 5_000 * 3_000)
    side = chance_of(figures(), "trilux")
    assert side.variance == Fraction(137288959344, 15708360889)
    assert (side.squares, side.crosses) == (4 * 500**2, 0)
    assert len(chances_of(figures())) == 2


def test_looks_at_two_seats_are_two_hands(floor: Cast, server_clock: ServerClock) -> None:
    rating = seat(floor, add_patron(floor))
    seat(floor, rating.patron, 2)  # type: ignore[arg-type]
    look(floor, rating, 10_000)
    server_clock.move(minutes=30)
    left(floor, rating)
    main = chance_of(figures(), "blackjack")
    # 104.5 rounds of $100 over two hands: half of the square is each hand's, half is shared.
    assert main.squares == main.crosses == 10_000**2 * 209 // 4


def test_rounds_that_are_counted_without_bets_are_not_guessed(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 5_000)
    tell(floor, server_clock, 9, {})
    left(floor, rating)
    assert (figures().basis, figures().pace_basis, figures().decisions) == (
        "looked",
        "counted",
        "9",
    )


def test_rounds_counted_for_a_while_give_the_tables_own_pace(
    floor: Cast, server_clock: ServerClock
) -> None:
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 5_000)
    server_clock.move(minutes=30)
    look(floor, rating, 5_000)
    counted = {"badge": floor.dan.badge, "rounds": 50, "minutes": 20, "players": 1}
    note(floor, "pace_check", **counted)
    server_clock.move(minutes=10)
    left(floor, rating)
    # Fifty rounds in twenty minutes are 150 an hour, where the table's pace says 209.
    assert (figures().pace_basis, figures().decisions) == ("own", "100")
    assert figures().theo_cents == round(500_000 * Fraction(12_059, 1_000_000))


def test_pace_is_set_by_game_and_skill_is_seen(floor: Cast, server_clock: ServerClock) -> None:
    set_to(floor, "pace.classic", "120 100 80")
    set_to(floor, "rating.skill_weak", "2%")
    server_clock.move(minutes=1)
    rating = seat(floor, add_patron(floor))
    look(floor, rating, 5_000)
    for level in (Skill.CHART, Skill.WEAK):
        see_skill(rating_id=rating.pk, level=level, hand=tap(floor))
    server_clock.move(minutes=30)
    left(floor, rating)
    assert (figures().decisions, figures().skill_bp) == ("60", 200)
    with refused("rating_ended", journal=("rating_refused",)):
        see_skill(rating_id=rating.pk, level=Skill.CHART, hand=tap(floor))
    late = SkillSeen.objects.all()[0]
    late.pk, late.request_id = None, tap(floor).request_id
    with pytest.raises(DatabaseError, match="while they play"), transaction.atomic():
        late.save()


def test_a_second_tap_on_a_skill_does_nothing_twice(floor: Cast) -> None:
    rating, hand = seat(floor, add_patron(floor)), tap(floor)
    first = see_skill(rating_id=rating.pk, level=Skill.WEAK, hand=hand)
    assert see_skill(rating_id=rating.pk, level=Skill.WEAK, hand=hand) == first
    with refused("request_reused", journal=("rating_refused",)):
        see_skill(rating_id=rating.pk, level=Skill.CHART, hand=hand)
    assert SkillSeen.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_front_money_drawn_at_the_table_is_part_of_the_result(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_with(cast, TRAY)
    know_edge(cast.table)
    ana = make_patron(cast, tax_id="123-45-6789", tax_id_kind="ssn")
    deposit(cast, ana, 500_000)
    rating = seat(cast, ana)
    look(cast, rating, 5_000)
    sign_out(cast, draw(cast, ana, 300_000))
    server_clock.move(minutes=20)
    left(cast, rating, walked_cents=120_000)
    assert figures().result_cents == 180_000
    money = RatingMoney.objects.get(kind=MoneyKind.FRONT_MONEY.value)
    assert (money.amount_cents, money.drawn) == (300_000, DepositEntry.objects.get(move="drawn"))
    money.pk = None
    with pytest.raises(DatabaseError, match="drawn"), transaction.atomic():
        money.save()
    put_in = DepositEntry.objects.get(move="deposited")
    other = RatingMoney(
        rating=rating, kind="front_money", amount_cents=500_000, drawn=put_in, at=put_in.at
    )
    with pytest.raises(DatabaseError, match="that of the day"), transaction.atomic():
        other.save()


def test_a_seat_that_a_terminal_tells_asks_for_no_look(
    floor: Cast, server_clock: ServerClock
) -> None:
    play_rating, looked = (
        seat(floor, add_patron(floor), 1),
        seat(floor, add_patron(floor, "Kim"), 2),
    )
    tell(floor, server_clock, 3, {1: {"blackjack": 5_000}})
    now, in_force = house.now(), house.settings_at(house.now())
    table = Table.objects.get(pk=floor.table.pk)
    first, second = seats_at(table, now, in_force)[:2]
    assert (first["state"], first["bet"], first["small"]) == ("rated", "$50", "6 min, from rounds")
    assert second["state"] == "look"
    panel = seat_panel(table, 1, now, in_force)
    assert panel is not None
    assert (panel["wanted"], panel["average"], panel["known_from"]) == (False, "$50", "3 rounds")
    assert (play_rating.began_at, looked.looks.count()) == (now - timedelta(minutes=6), 0)
