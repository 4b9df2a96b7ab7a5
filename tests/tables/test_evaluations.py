"""Evaluations that the dealer answers; toke boxes, coupons, and posted rules as they are read."""

from __future__ import annotations

import threading
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from pitboss.models import JournalEntry
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.services.verification import verify
from tables.models import EvaluationAnswer, FloorEntry
from tables.selectors.box_papers import copies_expected
from tables.services.evaluations import answer_evaluation
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.drop_box import count_and_post, count_tray, pull
from tests.floor.tablets import fields_of, signed_in, words
from tests.floor.terminals import TerminalClient
from tests.races import at_once, hold_before, refusals
from tests.tables.test_floor_records import GOOD, pen
from tests.tables.test_incidents import COUNTED, deal, note
from tests.tables.test_incidents import floor as floor
from tests.tables.test_incidents import terminal as terminal

pytestmark = pytest.mark.django_db


@pytest.fixture
def evaluated(floor: Cast) -> FloorEntry:
    return note(floor, "evaluation", pen(floor), badge=floor.dan.badge, **GOOD)


def test_no_rating_is_chosen_before_the_supervisor_chooses_it(floor: Cast) -> None:
    client = signed_in(floor.alice, floor)
    page = client.get(reverse("floor-enter", args=[floor.table.name, "evaluation"]))
    selects = words(page).split("<select")[1:]
    assert len(selects) == 4
    assert all(
        '<option value=""></option>' in select and "selected" not in select for select in selects
    )


def test_a_dealer_reads_an_evaluation_and_answers_it_once(
    floor: Cast, evaluated: FloorEntry
) -> None:
    own = signed_in(floor.dan, floor)
    page = words(own.get(reverse("own-payouts")))
    assert evaluated.sentence in page
    url = reverse("evaluation-answer", args=[evaluated.pk])
    assert url in page
    sent = {**fields_of(page), "words": "I was relieved twice that hour."}
    assert "Answer saved." in words(own.post(url, sent, follow=True))
    own.post(url, sent)
    answer = EvaluationAnswer.objects.get()
    assert (answer.dealer, answer.words) == (floor.dan, "I was relieved twice that hour.")
    assert JournalEntry.objects.filter(kind="evaluation_answered").count() == 1
    assert verify().is_sound
    supervisor = signed_in(floor.alice, floor)
    coached = words(supervisor.get(reverse("payouts"), {"dealer": floor.dan.badge}))
    assert "I was relieved twice that hour." in coached
    again = own.post(url, {**sent, "request_id": str(uuid4())}, follow=True)
    assert "You already answered this evaluation." in words(again)


def test_no_one_answers_for_another_dealer(floor: Cast, evaluated: FloorEntry) -> None:
    def answer(dealer: object, said: str = "No.") -> None:
        answer_evaluation(
            dealer=dealer,  # type: ignore[arg-type]
            device=None,
            entry_id=evaluated.pk,
            words=said,
            request_id=uuid4(),
        )

    with pytest.raises(Refused, match="only your own"):
        answer(floor.alice)
    for said in ("", "  ", "x" * 501, "bell\x07"):
        with refused("answer_malformed", journal=()):
            answer(floor.dan, said)
    assert not EvaluationAnswer.objects.exists()


def test_the_database_keeps_an_answer_to_its_own_dealer_and_as_it_was(
    floor: Cast, evaluated: FloorEntry
) -> None:
    stranger = note(floor, "washed", rotations=9, empty=True)
    for entry, dealer in ((evaluated, floor.alice), (stranger, floor.dan)):
        with pytest.raises(IntegrityError), transaction.atomic():
            EvaluationAnswer.objects.create(
                entry=entry, dealer=dealer, words="x", at=house.now(), request_id=uuid4()
            )


def test_counted_toke_boxes_are_pooled_with_the_envy_list(floor: Cast) -> None:
    note(floor, "toke_count", pen(floor), badge=floor.dan.badge, cheques={"2500": 4, "500": 2})
    page = words(signed_in(floor.alice, floor).get(reverse("report", args=["tip-pool"])))
    assert "Toke boxes counted" in page
    assert "$110 was counted into the pool." in page


def test_a_count_of_tokes_comes_after_the_envy_that_it_is_compared_with(
    floor: Cast, terminal: TerminalClient
) -> None:
    deal(floor, "blazing_7s", decks=6)
    paid = terminal.post("envy", {"wager": "blazing_7s", "row": "two_sevens"})
    assert paid.status_code == 201, paid.json()
    note(floor, "toke_count", pen(floor), badge=floor.dan.badge, cheques={"100": 2})
    page = words(signed_in(floor.alice, floor).get(reverse("report", args=["tip-pool"])))
    assert "have $2 of envy from the trays." in page
    assert "$2 was counted into the pool." in page
    assert page.index("Every line") < page.index("Toke boxes counted")


def coupons_listed(cast: Cast) -> str:
    day = house.period_at(house.now()).gaming_day.isoformat()
    coupon = {"coupon_initials": "AA", "coupon_badge": "101", "dated": day, "bet": "even"}
    note(cast, "coupon", face_cents=2_500, **coupon)
    return words(signed_in(cast.alice, cast).get(reverse("report", args=["coupons"])))


def test_coupons_that_no_box_had_are_named(floor: Cast) -> None:
    assert "1 of 1 don’t match." in coupons_listed(floor)


@pytest.mark.parametrize(
    ("in_box", "finding"),
    [(2_500, "All coupons that were counted match the log."), (5_000, "1 of 1 don’t match.")],
)
def test_coupons_logged_agree_with_coupons_dropped(
    floor: Cast, server_clock: ServerClock, in_box: int, finding: str
) -> None:
    server_clock.move(minutes=20)
    count_tray(floor, COUNTED)
    box = pull(floor)
    papers = [copy.code for copy in copies_expected([box])[box.serial]]
    count_and_post(floor, box, {"cash_10000": 900_000, "coupons": in_box}, papers)
    assert finding in coupons_listed(floor)


def test_posted_house_rules_are_read_with_the_cards_of_the_table(floor: Cast) -> None:
    posted = {"approved_by": "Lottery Commission", "dated": "2026-01-02"}
    for version in ("11", "12"):
        note(floor, "house_rules", version=version, **posted)
    page = words(signed_in(floor.alice, floor).get(reverse("reference", args=[floor.table.name])))
    assert "version on the sign 12" in page
    assert "version on the sign 11" not in page


@pytest.mark.django_db(transaction=True)
def test_of_two_answers_at_once_one_is_kept(
    floor: Cast, evaluated: FloorEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(said: str) -> EvaluationAnswer:
        return answer_evaluation(
            dealer=floor.dan, device=None, entry_id=evaluated.pk, words=said, request_id=uuid4()
        )

    hold_before(monkeypatch, house, "now")
    results = at_once(lambda: answer("First."), lambda: answer("Second."))
    assert refusals(results) == [("already_answered",)]
    (kept,) = EvaluationAnswer.objects.all()
    assert kept in results
    assert JournalEntry.objects.filter(kind="evaluation_answered").count() == 1


@pytest.mark.django_db(transaction=True)
def test_past_the_service_two_answers_at_once_are_one(floor: Cast, evaluated: FloorEntry) -> None:
    meeting = threading.Barrier(2)

    def write() -> str:
        try:
            with transaction.atomic():
                meeting.wait(timeout=10)
                EvaluationAnswer.objects.create(
                    entry=evaluated,
                    dealer=floor.dan,
                    words="Twice.",
                    at=house.now(),
                    request_id=uuid4(),
                )
        except IntegrityError as error:
            return str(error)
        return ""

    first, second = sorted(at_once(write, write))
    assert first == ""
    assert "entry_id" in second
    assert EvaluationAnswer.objects.count() == 1
