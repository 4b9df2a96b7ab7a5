"""Two people at once: each act is held between its reading and its writing."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction

from inventory.models import ChequeTransfer, Holder
from inventory.selectors.cheques import holding_of, tray_holding
from pitboss.models import Attempt, FloorException, JournalEntry, SeriesCounter, Signature, Slip
from pitboss.rules.flows.flows import Track
from pitboss.rules.flows.signing import sign_refusals
from pitboss.rules.people import lockout
from pitboss.rules.roles import Place
from pitboss.services import journal, pins, signing
from pitboss.services.numbering import next_number
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry
from tests.floor.cast import LOCKOUT, SOME_CHEQUES, Cast, make_cast
from tests.races import at_once, hold_before, refusals

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def floor(transactional_db: None) -> Cast:
    """The cast, committed, so that every thread sees it."""
    return make_cast()


def test_two_people_sign_the_same_step_and_one_is_taken(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = floor.ask()
    floor.issue(fill)
    hold_before(monkeypatch, signing, "sign_refusals")
    results = at_once(
        lambda: floor.sign(fill, "carried", floor.frank, Place.CAGE),
        lambda: floor.sign(fill, "carried", floor.grace, Place.CAGE),
    )
    assert refusals(results) == [("already_signed", "stale_screen")]
    assert fill.signatures.filter(step="carried").count() == 1
    assert holding_of(Holder.CARRIER) == SOME_CHEQUES
    assert JournalEntry.objects.filter(kind="sign_refused").count() == 1


def test_a18_a_double_tap_raises_one_slip(floor: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    pen, shown = floor.pen(floor.alice), floor.shown_to_ask()
    hold_before(monkeypatch, signing, "_earlier")
    first, second = at_once(*[lambda: floor.ask(pen=pen, shown=shown)] * 2)
    assert first == second == Slip.objects.get()
    assert Signature.objects.count() == 1
    assert SeriesCounter.objects.get().last_number == 1


def test_a18_a_double_tap_signs_a_step_once(floor: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    fill = floor.ask()
    floor.issue(fill)
    pen = floor.pen(floor.frank, Place.CAGE)
    shown = slip_shown(Slip.objects.get(pk=fill.pk))
    hold_before(monkeypatch, signing, "_earlier")
    act = lambda: floor.sign(fill, "carried", floor.frank, pen=pen, shown=shown)  # noqa: E731
    first, second = at_once(act, act)
    assert first == second == fill.signatures.get(step="carried")
    assert ChequeTransfer.objects.count() == len(SOME_CHEQUES)


def test_a_fill_is_received_or_sent_back_but_not_both(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = floor.ask()
    floor.carry(fill)
    floor.sign(fill, "agreed", floor.dan, entry=floor.agreement(fill))
    hold_before(monkeypatch, signing, "sign_refusals")
    results = at_once(
        lambda: floor.sign(fill, "received", floor.alice),
        lambda: floor.send_back(fill, by=floor.bob),
    )
    assert refusals(results) == [("slip_closed", "stale_screen")]
    fill.refresh_from_db()
    in_the_tray = tray_holding(floor.table)
    assert (fill.status, in_the_tray) in [("done", SOME_CHEQUES), ("returning", {})]


def test_a20_a_slip_leaves_or_is_voided_but_not_both(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = floor.ask()
    floor.issue(fill)
    hold_before(monkeypatch, signing, "sign_refusals")
    void = Entry(reason="Asked for twice.")
    results = at_once(
        lambda: floor.sign(fill, "carried", floor.frank, Place.CAGE),
        lambda: floor.sign(fill, "voided", floor.trent, Place.CAGE, entry=void, track=Track.VOID),
    )
    assert refusals(results) in (
        [("already_dispatched", "stale_screen")],
        [("out_of_order", "stale_screen")],
    )
    assert fill.signatures.filter(step__in=["carried", "voided"]).count() == 1


def test_a20_a_void_witnessed_while_the_cheques_are_carried_leaves_none_under_way(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = floor.ask()
    floor.issue(fill)
    void = Entry(reason="Asked for twice.")
    floor.sign(fill, "voided", floor.erin, Place.CAGE, entry=void, track=Track.VOID)
    hold_before(monkeypatch, signing, "sign_refusals")
    results = at_once(
        lambda: floor.sign(fill, "void_witnessed", floor.ivan, track=Track.VOID),
        lambda: floor.sign(fill, "carried", floor.frank, Place.CAGE),
    )
    (codes,) = refusals(results)
    assert "out_of_order" in codes or "slip_closed" in codes
    fill.refresh_from_db()
    assert fill.status == "voided"
    assert not ChequeTransfer.objects.exists()


def test_a19_first_requests_at_two_tables_get_two_numbers(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tables do not wait for each other; the counter, which is not there yet, must."""
    other = Cast(**(vars(floor) | {"table": floor.other_table}))
    hold_before(monkeypatch, signing, "next_number")
    slips = at_once(lambda: floor.ask(), lambda: other.ask(by=other.bob))
    assert sorted(slip.number for slip in slips) == [1, 2]
    assert SeriesCounter.objects.get().last_number == 2


def test_a19_later_requests_at_two_tables_get_two_numbers(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Cast(**(vars(floor) | {"table": floor.other_table}))
    floor.ask()
    hold_before(monkeypatch, SeriesCounter, "save")
    slips = at_once(lambda: floor.ask(), lambda: other.ask(by=other.bob))
    assert sorted(slip.number for slip in slips) == [2, 3]


def test_a_fill_asked_for_by_two_supervisors_at_once_is_asked_for_once(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = floor.shown_to_ask()
    hold_before(monkeypatch, signing, "sign_refusals")
    results = at_once(
        lambda: floor.ask(by=floor.alice, shown=shown),
        lambda: floor.ask(by=floor.bob, shown=shown),
    )
    assert refusals(results) == [("stale_screen",)]
    assert Slip.objects.count() == 1


def test_a55_guesses_sent_side_by_side_get_no_more_tries_than_one_after_the_other(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []
    is_right = pins._is_right

    def count_then_check(*args: Any) -> bool:
        checked.append(threading.current_thread().name)
        return is_right(*args)

    monkeypatch.setattr(pins, "_is_right", count_then_check)
    hold_before(monkeypatch, lockout, "door_locked_until", parties=20)
    device = floor.devices[Place.PIT]
    results = at_once(
        *[
            lambda guess=guess: pins.prove_pin(
                badge="104", pin=f"{guess:06}", device=device, policy=LOCKOUT
            )
            for guess in range(20)
        ]
    )
    assert len(checked) == 5
    assert sorted(results) == [("locked",)] * 15 + [("wrong_pin",)] * 5
    assert Attempt.objects.filter(badge="104").count() == 5
    assert FloorException.objects.filter(code="badge_locked").count() == 1


def test_one_pin_sent_with_many_badges_at_once_gets_no_more_tries_than_one_after_the_other(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_before(monkeypatch, lockout, "door_locked_until", parties=19)
    device = floor.devices[Place.PIT]
    results = at_once(
        *[
            lambda badge=badge: pins.prove_pin(
                badge=str(badge), pin="000000", device=device, policy=LOCKOUT
            )
            for badge in range(101, 120)
        ]
    )
    assert sorted(results) == [("door_locked",)] * 7 + [("wrong_pin",)] * 12
    assert FloorException.objects.get().code == "many_badges_tried"


def test_the_same_wrong_count_from_two_sides_opens_one_exception(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = floor.ask()
    floor.carry(fill)
    entry = floor.agreement(fill, {2_500: 1})
    hold_before(monkeypatch, signing, "open_exception")
    results = at_once(
        lambda: floor.sign(fill, "agreed", floor.dan, entry=entry),
        lambda: floor.sign(fill, "agreed", floor.dora, entry=entry),
    )
    assert results == [("count_differs",)] * 2
    assert FloorException.objects.filter(code="count_differs").count() == 1


def test_a_refusal_being_journalled_and_a_signature_do_not_wait_for_each_other(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal holds the journal's head and names the slip; the signature holds the slip."""
    fill = floor.ask()
    head_is_held, slip_is_held = threading.Event(), threading.Event()
    write, judge = journal.write, sign_refusals

    def write_then_wait(**what: Any) -> Any:
        entry = write(**what)
        if what["kind"] == "sign_refused":
            head_is_held.set()
            slip_is_held.wait(timeout=5)
        return entry

    def wait_then_judge(facts: Any) -> Any:
        assert head_is_held.wait(timeout=5)
        slip_is_held.set()
        return judge(facts)

    monkeypatch.setattr(journal, "write", write_then_wait)
    monkeypatch.setattr(signing, "sign_refusals", wait_then_judge)
    stray = signing.Pen("999", "1", floor.devices[Place.CAGE], uuid4())
    results = at_once(
        lambda: floor.sign(fill, "issued", floor.erin, Place.CAGE),
        lambda: floor.sign(fill, "issued", floor.trent, pen=stray),
    )
    assert [result for result in results if isinstance(result, tuple)] == [("unknown_badge",)]
    assert fill.signatures.filter(step="issued").exists()


def test_a_rollback_gives_the_number_back(floor: Cast) -> None:
    with suppress(RuntimeError), transaction.atomic():
        next_number("F", 2026)
        raise RuntimeError
    assert floor.ask().number == 1
