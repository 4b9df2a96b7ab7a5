"""Notices are acknowledged in one batch, with one PIN; nothing else is."""

from __future__ import annotations

import pytest
from django.urls import reverse

from pitboss.models import FloorException, JournalEntry, Person, Waiting
from pitboss.rules.floor.acknowledging import NOTED
from pitboss.rules.roles import Role
from pitboss.selectors.waiting import waiting_for
from pitboss.services import acknowledging, house
from pitboss.services.acknowledging import acknowledge
from pitboss.services.exceptions import open_exception
from pitboss.services.verification import verify
from tests.floor.cast import Cast, refused
from tests.floor.tablets import signed_in, signing, words
from tests.races import at_once, hold_before

pytestmark = pytest.mark.django_db


def notice(cast: Cast, words: str, code: str = "supervisor_called", **more: object) -> Waiting:
    trouble = open_exception(
        code=code,
        sentence=words,
        details={"words": words},
        at=house.now(),
        person=None,
        **({"table": cast.table} | more),  # type: ignore[arg-type]
    )
    return Waiting.objects.get(exception=trouble)


def ids(*waits: Waiting) -> list[int]:
    return [wait.pk for wait in waits]


@pytest.mark.django_db(transaction=True)
def test_one_pin_notes_several_notices_and_the_journal_has_each(cast: Cast) -> None:
    calls = [notice(cast, "BJ-11 calls."), notice(cast, "BJ-12 calls.", table=cast.other_table)]
    acknowledge(wait_ids=ids(*calls), pen=cast.pen(cast.alice))
    assert waiting_for(cast.alice, Role.SUPERVISOR) == []
    noted = FloorException.objects.all()
    assert {
        (floor_exception.resolved_by, floor_exception.resolution) for floor_exception in noted
    } == {(cast.alice, NOTED)}
    written = JournalEntry.objects.filter(kind="exception_resolved")
    assert {entry.chain.table for entry in written} == {cast.table, cast.other_table}
    assert verify().is_sound


def test_a_resend_notes_nothing_twice(cast: Cast) -> None:
    call, pen = notice(cast, "BJ-11 calls."), cast.pen(cast.alice)
    for _ in range(2):
        assert len(acknowledge(wait_ids=ids(call), pen=pen)) == 1
    assert JournalEntry.objects.filter(kind="exception_resolved").count() == 1


def test_cheques_and_slips_are_never_in_a_batch_and_nothing_of_it_is_noted(cast: Cast) -> None:
    call = notice(cast, "BJ-11 calls.")
    fill = Waiting.objects.get(slip=cast.ask({500_000: 1}))
    short = notice(cast, "A count differs.", "count_differs")
    with refused("signed_alone", "explained_alone", journal=["act_refused"]):
        acknowledge(wait_ids=ids(call, fill, short), pen=cast.pen(cast.carol))
    assert fill.slip is not None
    assert fill.slip.signatures.count() == 1


def test_who_may_not_note(cast: Cast) -> None:
    call = notice(cast, "BJ-11 calls.")
    locked = notice(cast, "Badge 104 is locked.", "badge_locked", table=None)
    with refused("nothing_ticked", journal=["act_refused"]):
        acknowledge(wait_ids=[], pen=cast.pen(cast.alice))
    with refused("unknown_wait", journal=["act_refused"]):
        acknowledge(wait_ids=[*ids(call), 999_999], pen=cast.pen(cast.alice))
    with refused("wrong_role", journal=["act_refused"]):
        acknowledge(wait_ids=ids(call, locked), pen=cast.pen(cast.alice))
    assert call.exception_id is not None
    FloorException.objects.filter(pk=call.exception_id).update(opened_by=cast.alice)
    with refused("signed_before", journal=["act_refused"]):
        acknowledge(wait_ids=ids(call), pen=cast.pen(cast.alice))
    acknowledge(wait_ids=ids(call), pen=cast.pen(cast.bob))
    with refused("already_resolved", journal=["act_refused"]):
        acknowledge(wait_ids=ids(call), pen=cast.pen(cast.carol))


@pytest.mark.django_db(transaction=True)
def test_two_who_note_the_same_at_once_note_it_once(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_before(monkeypatch, acknowledging, "refusals_to_answer")
    one = notice(cast, "BJ-11 calls.")
    two = notice(cast, "BJ-12 calls.", table=cast.other_table)

    def note(person: Person) -> int:
        return len(acknowledge(wait_ids=ids(two, one), pen=cast.pen(person)))

    told = at_once(lambda: note(cast.alice), lambda: note(cast.bob))
    assert sorted(told, key=str) == [("already_resolved",), 2]
    assert JournalEntry.objects.filter(kind="exception_resolved").count() == 2


def test_the_inbox_says_which_rule_asks_and_offers_the_way_to_refuse(cast: Cast) -> None:
    fill = cast.ask({500_000: 1})
    page = words(signed_in(cast.carol, cast).get(reverse("inbox")))
    assert (
        "Includes a $5,000 cheque. A pit manager must top-sign a $5,000 cheque or higher." in page
    )
    assert "Cheque value that needs the pit manager’s top-sign" in page
    assert f"{reverse('slip', args=[fill.serial])}?track=void" in page


def test_ticked_notices_are_signed_for_on_one_pad(cast: Cast) -> None:
    call = notice(cast, "Badge 104 is locked.", "badge_locked")
    other = notice(cast, "Badge 105 is locked.", "badge_locked")
    tablet = signed_in(cast.heidi, cast)
    assert f'name="item" value="{call.pk}"' in words(tablet.get(reverse("inbox")))
    assert tablet.get(reverse("acknowledge")).status_code == 302
    page = words(tablet.get(reverse("acknowledge"), {"item": ids(call)}))
    assert "Badge 104 is locked." in page
    assert "Badge 105" not in page
    wrong = tablet.post(reverse("acknowledge"), signing(page, cast.heidi, pin="000000"))
    assert wrong.status_code in (403, 422)
    answer = tablet.post(reverse("acknowledge"), signing(page, cast.heidi))
    assert answer.headers["Location"] == reverse("inbox")
    assert waiting_for(cast.heidi, Role.SHIFT_MANAGER) == [other]
