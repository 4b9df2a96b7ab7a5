"""Drills on the screen: dealt, answered once, shown to who answered, and to who coaches."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from jackpots.kinds.tax_line import TAX_LINE
from pitboss.rules.roles import Place, Role
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import DrillAnswer
from tables.services.drills import _by, answer_drill, new_drill
from tests.floor.cast import Cast, ServerClock, add_person, refused
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db


def ticket_on(page: str) -> str:
    found = re.search(r'name="ticket" value="([^"]+)"', page)
    assert found, page
    return found[1]


def test_a_dealer_answers_a_hand_and_sees_the_working(cast: Cast) -> None:
    drill, ticket = new_drill(cast.table)
    kept, again = answer_drill(
        person=cast.dan, ticket=ticket, answered_cents=drill.owed_cents + 100
    )
    assert again == drill
    assert (kept.is_right, kept.owed_cents, kept.person) == (False, drill.owed_cents, cast.dan)
    resent, _ = answer_drill(person=cast.dan, ticket=ticket, answered_cents=0)
    assert resent == kept, "one answer for one hand"
    browser = signed_in(cast.dan, cast)
    page = words(browser.get(f"/drills/?table={cast.table.name}"))
    assert "What do you pay?" in page
    assert "0 of 1 right" in page
    answer = {"ticket": ticket_on(page), "table": cast.table.name, "answer": "7,777"}
    page = words(browser.post("/drills/", answer))
    assert "you answered $7,777" in page or "Right." in page
    assert DrillAnswer.objects.count() == 2
    wrong = browser.post("/drills/", {**answer, "ticket": "x"})
    assert "Drill not found" in words(wrong)


def test_a_manager_reads_the_trend_and_others_do_not_deal_drills(cast: Cast) -> None:
    for right in (True, False):
        drill, ticket = new_drill(cast.table)
        cents = drill.owed_cents + (0 if right else 500)
        answer_drill(person=cast.dan, ticket=ticket, answered_cents=cents)
    office = signed_in(cast.carol, cast, Place.OFFICE)
    page = words(office.get("/reports/drills/"))
    for must in ("D. Danson", "50.00%", "By week", "By bet"):
        assert must in page, must
    assert signed_in(cast.erin, cast, Place.CAGE).get("/drills/").status_code == 403


def test_a_drill_is_judged_by_the_tax_lines_and_the_date_of_a_payout_there(
    cast: Cast, server_clock: ServerClock
) -> None:
    sara = add_person("sara", "919", Role.CONTROLLER)
    line = TAX_LINE.at(
        level="state", place="OH", rate=275, trigger="federal_withholding", base="net", who="all",
        payer_number="52-1", paid_from="2026-01-01", source="R.C. 5747.063",
        confirmed_by="A. Adviser, CPA",
    )  # fmt: skip
    raised = raise_kind(line, pen=cast.pen(cast.ruth, Place.OFFICE), shown=shown_before(line))
    cast.sign(raised, "approved", sara, Place.OFFICE)
    # Two in the morning in New York: the gaming day is still the day before.
    server_clock.now = datetime(2026, 5, 2, 6, tzinfo=UTC)
    by = _by(cast.table)
    assert [tax_line_terms.place for tax_line_terms in by.tax.lines] == ["OH"]
    assert by.paid_on == date(2026, 5, 2)


@pytest.mark.parametrize(("change", "code"), [("ticket", "unknown_drill"), ("cents", "bad_amount")])
def test_an_answer_that_is_none_is_not_kept(cast: Cast, change: str, code: str) -> None:
    _, ticket = new_drill(cast.table)
    given: dict[str, Any] = {"ticket": ticket, "answered_cents": 0}
    given |= {"ticket": f"{ticket}x"} if change == "ticket" else {"answered_cents": -1}
    with refused(code, journal=()):
        answer_drill(person=cast.dan, **given)
    assert not DrillAnswer.objects.exists()


def test_a_page_that_was_left_open_counts_for_nothing(
    cast: Cast, server_clock: ServerClock
) -> None:
    _, ticket = new_drill(cast.table)
    server_clock.move(minutes=11)
    with refused("drill_too_old", journal=()):
        answer_drill(person=cast.dan, ticket=ticket, answered_cents=0)


def test_the_database_keeps_answers_as_they_were(cast: Cast) -> None:
    drill, ticket = new_drill(cast.table)
    kept, _ = answer_drill(person=cast.dan, ticket=ticket, answered_cents=drill.owed_cents)
    for statement in (
        "UPDATE tables_drillanswer SET is_right = false",
        "DELETE FROM tables_drillanswer",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    other = DrillAnswer(
        person=kept.person,
        table=kept.table,
        number=1,
        wager=kept.wager,
        stake_cents=500,
        owed_cents=1_000,
        answered_cents=900,
        is_right=True,
        milliseconds=1,
        gaming_day=kept.gaming_day,
        at=datetime.now(UTC),
        request_id="6f2f1f8e-9f5e-4a57-8d0f-0f4ad3a4b0aa",
    )
    with pytest.raises(DatabaseError), transaction.atomic():
        other.save()
