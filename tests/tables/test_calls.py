"""A dealer's call: answered once, with one tap, by who supervises that pit."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Device, FloorException, Person
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.exceptions import open_exception
from tables.services import calls
from tables.services.calls import ANSWERED, SUPERVISOR_CALLED, answer_call
from tests.floor.cast import Cast, refused
from tests.floor.tablets import signed_in, words
from tests.races import at_once, hold_before

pytestmark = pytest.mark.django_db


def called(cast: Cast) -> FloorException:
    return open_exception(
        code=SUPERVISOR_CALLED,
        sentence="BJ-11 calls the supervisor.",
        details={},
        at=house.now(),
        person=None,
        table=cast.table,
    )


def answer(cast: Cast, call: FloorException, by: Person, **more: object) -> FloorException:
    given = {"device": cast.devices[Place.PIT], "request_id": uuid4(), **more}
    return answer_call(exception_id=call.pk, by=by, **given)  # type: ignore[arg-type]


def test_one_tap_answers_a_call_and_a_second_changes_nothing(cast: Cast) -> None:
    call = called(cast)
    answered = answer(cast, call, cast.alice)
    assert (answered.resolved_by, answered.resolution) == (cast.alice, ANSWERED)
    assert not call.waits.filter(until=None).exists()
    again = answer(cast, call, cast.alice)
    assert again.resolved_at == answered.resolved_at


def test_who_came_too_late_is_told_who_answered(cast: Cast) -> None:
    call = called(cast)
    answer(cast, call, cast.alice)
    with refused("already_resolved", journal=()):
        answer(cast, call, cast.bob)


def test_a_call_is_answered_in_its_pit_on_an_enrolled_device_by_who_supervises(cast: Cast) -> None:
    call = called(cast)
    with refused("wrong_pit", journal=()):
        answer(cast, call, cast.alice, device=cast.other_pit_tablet)
    with refused("unknown_device", journal=()):
        answer(cast, call, cast.alice, device=None)
    with refused("wrong_role", journal=()):
        answer(cast, call, cast.erin)
    other = open_exception(
        code="badge_locked",
        sentence="Badge 104 is locked.",
        details={},
        at=house.now(),
        person=None,
    )
    with refused("unknown_exception", journal=()):
        answer(cast, other, cast.heidi)


def test_the_page_of_a_call_says_why_not_and_asks_for_no_essay(cast: Cast) -> None:
    call = called(cast)
    page = words(signed_in(cast.alice, cast).get(reverse("exception", args=[call.pk])))
    assert "Answer" in page
    assert 'name="reason"' not in page
    answer(cast, call, cast.bob)
    late = signed_in(cast.alice, cast).post(
        reverse("call-answer", args=[call.pk]), {"request_id": str(uuid4())}
    )
    assert late.status_code == 409
    assert f"{cast.bob} already answered it." in words(late)
    unknown = signed_in(cast.alice, cast).post(
        reverse("call-answer", args=[call.pk + 1]), {"request_id": str(uuid4())}
    )
    assert unknown.status_code == 404


def test_a_call_waits_in_the_inbox_of_its_own_pit_and_is_coming_elsewhere(cast: Cast) -> None:
    called(cast)
    here = words(signed_in(cast.alice, cast).get(reverse("inbox")))
    assert "For you <b>1</b>" in here
    assert "Answer" in here
    client = signed_in(cast.alice, cast)
    client.cookies[DEVICE_COOKIE] = _token_of(cast)
    there = words(client.get(reverse("inbox")))
    assert "For you <b>0</b>" in there
    coming = words(client.get(reverse("inbox"), {"tab": "coming"}))
    assert "Answer this on a tablet in Pit 1." in coming


def _token_of(cast: Cast) -> str:
    Device.objects.filter(pk=cast.other_pit_tablet.pk).update(token_hash=digest("elsewhere"))
    return "elsewhere"


def test_what_was_told_to_a_rank_that_cannot_sign_has_no_green_button(cast: Cast) -> None:
    slip = cast.ask()
    slip.waits.filter(until=None).update(escalated_to=["shift_manager"])
    page = words(signed_in(cast.heidi, cast, Place.OFFICE).get(reverse("inbox")))
    assert "Escalated to you <b>1</b>" in page
    assert "no cashier responded in time. Make sure one does." in page
    card = page[page.index("Escalated to you") :]
    assert "Review and sign" not in card
    assert "btn--act" not in card
    own = words(signed_in(cast.alice, cast).get(reverse("inbox"), {"tab": "coming"}))
    assert "Waiting for cashier" in own
    done = words(signed_in(cast.alice, cast).get(reverse("inbox"), {"tab": "done", "q": "fill"}))
    assert slip.serial in done
    none = words(signed_in(cast.alice, cast).get(reverse("inbox"), {"tab": "done", "q": "credit"}))
    assert slip.serial not in none


@pytest.mark.django_db(transaction=True)
def test_of_two_who_answer_at_once_one_does(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    call = called(cast)
    hold_before(monkeypatch, calls, "refusals_to_answer")
    outcomes = at_once(
        lambda: answer(cast, call, cast.alice).resolved_by,
        lambda: answer(cast, call, cast.bob).resolved_by,
    )
    assert sum(outcome == ("already_resolved",) for outcome in outcomes) == 1
    call.refresh_from_db()
    assert call.resolved_by in outcomes
