"""The yield view: players by hour, what an hour brings, advice with its working and its outcome."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import DatabaseError, transaction

from pitboss.models import JournalEntry, Table
from pitboss.reports.book import BOOK
from pitboss.reports.report import ReportChoice
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from tables.models import AdviceAnswer, AdviceTaken, PlayRating, SeatHeld
from tables.selectors.yields import history_at, outcome_of, yield_of
from tables.services.advice import answer_advice
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.ratings import add_patron, know_edge, look, open_tables, seat, tap
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db
NEW_YORK = ZoneInfo("America/New_York")


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    """One open table with four players who bet $25, $50, $50 and $100, and one closed table."""
    open_tables(cast.table)
    know_edge(cast.table)
    for number, cents in enumerate((2_500, 5_000, 5_000, 10_000), start=1):
        look(cast, seat(cast, add_patron(cast, f"Player{number}"), number), cents)
    server_clock.move(minutes=10)
    return cast


def shown(cast: Cast) -> dict[str, Any]:
    now = house.now()
    return yield_of(cast.pit, now, house.settings_at(now))


def test_a_table_shows_its_players_theo_and_no_net_without_labor(floor: Cast) -> None:
    found = shown(floor)
    (row,) = found["rows"]
    assert row["strips"][-1]["players"] == 4
    # 4 players at 84 rounds an hour, $56.25 on average, at 0.4059% and 0.8% of skill.
    assert row["theo_cents"] == round(4 * 84 * 5_625 * 0.012059)
    assert found["net_cents"] is None


def test_side_bets_count_as_they_are_taken_and_a_row_opens_to_its_working(
    floor: Cast, server_clock: ServerClock
) -> None:
    main = shown(floor)["rows"][0]["theo_cents"]
    for rating in PlayRating.objects.order_by("id")[:2]:
        look(floor, rating, rating.looks.get().bet_cents, {"trilux": 500})
    (row,) = shown(floor)["rows"]
    # Two of four players with $5 on TriLux, which keeps 4,059 of 125,333.
    side = Fraction(4 * 84 * 500, 2) * Fraction(4_059, 125_333)
    assert row["theo_cents"] == pytest.approx(main + float(side), abs=1)
    working = dict(row["working"])
    assert (working["Players"], working["Rounds an hour"], working["Average bet"]) == (
        "4",
        "84",
        "$56.25",
    )
    assert working["Side bets"] == "$5 on 50% of hands at 3.239%"
    assert "Net" not in working
    text = words(signed_in(floor.carol, floor, Place.OFFICE).get(f"/yield/?pit={floor.pit.pk}"))
    assert "$5 on 50% of hands at 3.239%" in text


def test_a_higher_minimum_is_advised_with_its_working(floor: Cast) -> None:
    (advice,) = shown(floor)["advice"]
    assert advice.sentence == "Raise BJ-11 to $50."
    assert ("Turns away", "1 of 4 players") in advice.working


def test_an_answer_is_kept_once_and_hides_the_advice(
    floor: Cast, server_clock: ServerClock
) -> None:
    (advice,) = shown(floor)["advice"]
    hand = tap(floor, floor.carol)
    said: dict[str, Any] = {"pit": floor.pit, "key": advice.key, "hand": hand}
    with refused("reason_missing", journal=()):
        answer_advice(**said, answer=AdviceAnswer.NOT_NOW, reason=" ")
    row = answer_advice(**said, answer=AdviceAnswer.DONE, reason="")
    assert answer_advice(**said, answer=AdviceAnswer.DONE, reason="") == row
    assert JournalEntry.objects.filter(kind="advice_answered").count() == 1
    assert shown(floor)["advice"] == []
    assert Table.objects.get(pk=floor.table.pk).minimum_cents == 2_500
    with refused("advice_gone", journal=()):
        answer_advice(
            pit=floor.pit,
            key=advice.key,
            answer=AdviceAnswer.DONE,
            reason="",
            hand=tap(floor, floor.carol),
        )
    assert outcome_of(row, house.now()) == "too early to say"
    server_clock.move(minutes=61)
    assert outcome_of(row, house.now()) == "4 players an hour later"
    with pytest.raises(DatabaseError), transaction.atomic():
        AdviceTaken.objects.update(reason="Other")


def test_past_weeks_say_which_table_to_open(floor: Cast, server_clock: ServerClock) -> None:
    now = house.now()
    at = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    for week in (4, 3, 2, 1):
        since = at - timedelta(weeks=week)
        for number in range(1, 6):
            SeatHeld.objects.create(
                table=floor.other_table,
                seat=number,
                from_at=since,
                until=since + timedelta(hours=1),
            )
    advice = [item.sentence for item in shown(floor)["advice"]]
    assert f"Open BJ-12 by {at.astimezone(house.the_property().zone):%H:%M}." in advice


def test_past_weeks_are_of_the_same_hour_of_the_house_whatever_its_clocks_did(floor: Cast) -> None:
    # At nine in the evening in New York, a week before and the day after the clocks went back.
    before, after = (
        datetime(2026, 10, 26, 21, tzinfo=NEW_YORK),
        datetime(2026, 11, 2, 21, tzinfo=NEW_YORK),
    )
    SeatHeld.objects.create(
        table=floor.other_table, seat=1, from_at=before, until=before + timedelta(hours=1)
    )
    assert history_at([floor.other_table], after.astimezone(UTC), 1) == [1]


def test_managers_answer_on_the_page_and_others_only_read(floor: Cast) -> None:
    page = signed_in(floor.carol, floor, Place.OFFICE)
    text = words(page.get(f"/yield/?pit={floor.pit.pk}"))
    assert "Raise BJ-11 to $50." in text
    (advice,) = shown(floor)["advice"]
    said = {"advice": advice.key, "answer": "not_now", "request_id": str(uuid4())}
    url = f"/yield/?pit={floor.pit.pk}"
    assert page.post(url, said).status_code == 422
    auditor = signed_in(floor.olga, floor, Place.OFFICE)
    assert auditor.post(url, said | {"reason": "Later."}).status_code == 403
    assert page.post(url, said | {"reason": "Three regulars bet $25."}).status_code == 302
    assert "Three regulars bet $25." in words(page.get(url))
    assert signed_in(floor.alice, floor).get(url).status_code == 403
    today = house.period_at(house.now()).gaming_day
    report = BOOK["advice"].make(ReportChoice(today, today))
    assert [cell.value for cell in report.sections[0].rows[0].cells][3:6] == [
        "Raise BJ-11 to $50.",
        "Not now",
        "Three regulars bet $25.",
    ]


TRAY = {10_000: 40, 2_500: 100, 500: 100}


def mid_shift(cast: Cast, tray: dict[int, int]) -> None:
    cast.sign(cast.count("count", tray), "verified", cast.alice, entry=Entry(counted=tray))


def fills_advised(cast: Cast) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    advice = shown(cast)["advice"]
    return [(item.sentence, item.working) for item in advice if item.what.startswith("fill")]


@pytest.fixture
def played(cast: Cast, server_clock: ServerClock) -> Cast:
    """An open table whose tray lost 36 green and won 10 red in an hour, with a fill between."""
    Table.objects.filter(pk=cast.table.pk).update(par={"10000": 40, "2500": 100, "500": 100})
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(minutes=30)
    cast.deliver(cast.ask({2_500: 20}))
    server_clock.move(minutes=30)
    mid_shift(cast, {10_000: 40, 2_500: 84, 500: 110})
    return cast


def test_a_tray_that_runs_low_of_a_color_is_advised_to_be_filled_in_time(
    played: Cast, server_clock: ServerClock
) -> None:
    # 84 green less 60, at 36 an hour: 40 minutes.
    ((sentence, working),) = fills_advised(played)
    assert sentence == "Fill BJ-11 with green within 40 min."
    assert [words for words, _ in working] == ["Green in the tray", "Going out", "Low below"]
    assert (working[1][1][:10], working[2][1]) == ("36 an hour", "60")
    server_clock.move(minutes=10)
    assert fills_advised(played)[0][0] == "Fill BJ-11 with green within 30 min."
    # Low by now: the board asks for the fill.
    server_clock.move(minutes=31)
    assert fills_advised(played) == []


def test_a_fill_under_way_a_gain_or_counts_that_say_little_are_no_reason_for_a_fill(
    played: Cast, server_clock: ServerClock
) -> None:
    asked = played.ask({2_500: 20})
    assert fills_advised(played) == []
    played.deliver(asked)
    # 104 green less 60: 73 minutes.
    assert fills_advised(played)[0][0] == "Fill BJ-11 with green within 73 min."
    server_clock.move(minutes=10)
    mid_shift(played, {10_000: 40, 2_500: 80, 500: 110})
    assert fills_advised(played) == []
    server_clock.move(minutes=60)
    mid_shift(played, {10_000: 40, 2_500: 90, 500: 110})
    assert fills_advised(played) == []
