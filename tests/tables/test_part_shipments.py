"""The cage ships a part of a fill: offered, taken with a tap, and the rest stays a request."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError
from django.urls import reverse

from inventory.selectors.cheques import tray_holding
from pitboss.models import FloorException, JournalEntry, Person, Signature, Slip, Table, Waiting
from pitboss.rules.roles import Place
from pitboss.services.covering import Covered
from pitboss.services.exceptions import PART_OFFERED
from pitboss.services.verification import verify
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.services import part_shipments
from tables.services.floor_log import Tap
from tables.services.part_shipments import PartTaken, answer_part, offer_part
from tests.floor.cast import Cast
from tests.floor.cast import refused as refused_in_journal
from tests.floor.tablets import signed_in, words
from tests.races import at_once, hold_before, refusals, while_held

pytestmark = pytest.mark.django_db(transaction=True)

GREEN = 2_500


def refused(code: str) -> AbstractContextManager[None]:
    """Demand that a tap is refused: nothing is written at all."""
    return refused_in_journal(code, journal=())


def tap(cast: Cast, person: Person, place: Place) -> Tap:
    return Tap(person, cast.devices[place], uuid4())


def offered(cast: Cast, fill: Slip, ships: dict[int, int] | None = None) -> FloorException:
    return offer_part(
        fill=fill,
        ships={GREEN: 60} if ships is None else ships,
        reason="Green is being counted.",
        hand=tap(cast, cast.erin, Place.CAGE),
    )


def taken(cast: Cast, offer: FloorException) -> PartTaken:
    parts = answer_part(offer=offer, is_taken=True, hand=tap(cast, cast.bob, Place.PIT))
    assert parts is not None
    return parts


def cancel(cast: Cast, request: Slip) -> Slip:
    table = Table.objects.get(pk=cast.table.pk)
    original = Slip.objects.get(pk=request.pk)
    raising = the_kind("request_cancellation").at(table, original=original)
    return raise_kind(
        raising, pen=cast.pen(cast.bob), shown=shown_before(raising), reason="No need any more."
    )


def test_a122_sixty_of_a_hundred_ship_and_forty_stay_requested(cast: Cast) -> None:
    request = cast.ask({GREEN: 100})
    signed_before = Signature.objects.count()
    parts = taken(cast, offered(cast, request))
    request.refresh_from_db()
    assert request.status == "voided"
    assert parts.ships.cheques == {"2500": 60}
    assert parts.rest.cheques == {"2500": 40}
    # Nobody signed once more: each part carries what was given on the request.
    given = Signature.objects.filter(pk__gt=signed_before).exclude(slip=request)
    assert {
        (signature.step, signature.person_id, signature.facts["on"]) for signature in given
    } == {("requested", cast.alice.pk, request.serial)}
    asked = request.signatures.get(step="requested")
    assert {(signature.shown_hash, signature.signed_at) for signature in given} == {
        (asked.shown_hash, asked.signed_at)
    }
    waits = Waiting.objects.filter(until=None, slip__kind="fill")
    assert set(waits.values_list("slip", "step")) == {
        (parts.ships.pk, "issued"),
        (parts.rest.pk, "issued"),
    }
    cast.deliver(parts.ships)
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == {GREEN: 60}
    canceled = cancel(cast, parts.rest)
    parts.rest.refresh_from_db()
    assert (parts.rest.status, canceled.signatures.count()) == ("voided", 1)


def test_a122_the_rest_is_not_canceled_after_its_issue(cast: Cast) -> None:
    parts = taken(cast, offered(cast, cast.ask({GREEN: 100})))
    cast.issue(parts.rest)
    with refused_in_journal("already_issued"):
        cancel(cast, parts.rest)


def test_the_pit_waits_and_the_request_stays_whole(cast: Cast) -> None:
    request = cast.ask({GREEN: 100})
    offer = offered(cast, request)
    hand = tap(cast, cast.bob, Place.PIT)
    assert answer_part(offer=offer, is_taken=False, hand=hand) is None
    assert answer_part(offer=offer, is_taken=False, hand=hand) is None, "a second tap"
    with refused("already_answered"):
        taken(cast, offer)
    assert not Slip.objects.exclude(pk=request.pk).filter(kind="fill").exists()
    # The cage may offer again, and find all of it meanwhile.
    offered(cast, request, {GREEN: 80})
    cast.deliver(request)
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == {GREEN: 100}


@pytest.mark.parametrize(
    ("ships", "code"),
    [
        ({GREEN: 100}, "ships_in_full"),
        ({GREEN: 0}, "nothing_ships"),
        ({GREEN: 101}, "more_than_requested"),
        ({GREEN: 60, 500: 1}, "more_than_requested"),
    ],
)
def test_a_part_is_less_of_what_was_requested(cast: Cast, ships: dict[int, int], code: str) -> None:
    request = cast.ask({GREEN: 100})
    with refused(code):
        offered(cast, request, ships)


def test_only_a_cashier_at_the_cage_offers_and_only_a_supervisor_of_the_pit_takes(
    cast: Cast,
) -> None:
    request = cast.ask({GREEN: 100})
    for hand in (tap(cast, cast.bob, Place.CAGE), tap(cast, cast.erin, Place.PIT)):
        with refused("wrong_role" if hand.person == cast.bob else "wrong_place"):
            offer_part(fill=request, ships={GREEN: 60}, reason="Short.", hand=hand)
    with refused("reason_missing"):
        offer_part(
            fill=request, ships={GREEN: 60}, reason=" ", hand=tap(cast, cast.erin, Place.CAGE)
        )
    offer = offered(cast, request)
    with refused("already_offered"):
        offered(cast, request, {GREEN: 50})
    with refused("wrong_role"):
        answer_part(offer=offer, is_taken=True, hand=tap(cast, cast.dan, Place.PIT))
    with refused("wrong_place"):
        answer_part(offer=offer, is_taken=True, hand=tap(cast, cast.bob, Place.CAGE))


def test_an_issue_a_void_or_a_cancellation_ends_the_offer(cast: Cast) -> None:
    def issued(fill: Slip) -> object:
        return cast.sign(fill, "issued", cast.erin, Place.CAGE)

    for end, code in (
        (issued, "already_issued"),
        (cast.void, "slip_closed"),
        (lambda fill: cancel(cast, fill), "slip_closed"),
    ):
        request = cast.ask({GREEN: 100})
        offer = offered(cast, request)
        end(request)
        offer.refresh_from_db()
        assert offer.resolution.startswith("Not answered.")
        assert not offer.waits.filter(until=None).exists()
        with refused("already_answered"):
            taken(cast, offer)
        with refused(code):
            offered(cast, request)


def test_a_part_is_offered_once_the_top_sign_is_there_and_carries_it_where_it_must(
    cast: Cast,
) -> None:
    request = cast.ask({500_000: 2, GREEN: 100})
    with refused("not_due"):
        offered(cast, request)
    cast.sign(request, "top_signed", cast.carol, Place.PIT)
    parts = taken(cast, offered(cast, request, {GREEN: 100}))
    assert [signature.step for signature in parts.ships.signatures.all()] == ["requested"]
    assert [signature.step for signature in parts.rest.signatures.all()] == [
        "requested",
        "top_signed",
    ]


def test_a_resend_splits_once(cast: Cast) -> None:
    request = cast.ask({GREEN: 100})
    hand = tap(cast, cast.erin, Place.CAGE)
    offers = [
        offer_part(fill=request, ships={GREEN: 60}, reason="Short.", hand=hand) for _ in range(2)
    ]
    assert offers[0] == offers[1]
    with refused("request_reused"):
        offer_part(fill=request, ships={GREEN: 61}, reason="Short.", hand=hand)
    answer = tap(cast, cast.bob, Place.PIT)
    first, again = (answer_part(offer=offers[0], is_taken=True, hand=answer) for _ in range(2))
    assert first == again
    assert Slip.objects.filter(kind="fill").count() == 3
    assert JournalEntry.objects.filter(kind="part_taken").count() == 1


def test_a_part_is_taken_or_the_fill_issued_never_both(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = cast.ask({GREEN: 100})
    offer = offered(cast, request)
    results = while_held(
        monkeypatch,
        part_shipments,
        "write_begun",
        lambda: taken(cast, offer),
        lambda: cast.sign(request, "issued", cast.erin, Place.CAGE),
    )
    request.refresh_from_db()
    assert isinstance(results[0], PartTaken)
    assert "slip_closed" in results[1]
    assert request.status == "voided"
    assert not request.signatures.filter(step="issued").exists()


def test_of_two_supervisors_one_takes_the_part(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    offer = offered(cast, cast.ask({GREEN: 100}))
    hold_before(monkeypatch, part_shipments, "unissued_refusals")
    results = at_once(
        lambda: taken(cast, offer),
        lambda: answer_part(offer=offer, is_taken=True, hand=tap(cast, cast.alice, Place.PIT)),
    )
    assert refusals(results) == [("already_answered",)]
    assert Slip.objects.filter(kind="fill").count() == 3


def test_of_two_cashiers_one_offers(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    request = cast.ask({GREEN: 100})
    hold_before(monkeypatch, part_shipments, "unissued_refusals")
    results = at_once(lambda: offered(cast, request), lambda: offered(cast, request, {GREEN: 50}))
    assert refusals(results) == [("already_offered",)]
    assert FloorException.objects.filter(code=PART_OFFERED).count() == 1


@pytest.mark.parametrize("rest", [{GREEN: 39}, {GREEN: 41}, {GREEN: 40, 500: 1}, {500: 40}])
def test_the_database_ends_no_request_by_parts_that_do_not_add_up(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, rest: dict[int, int]
) -> None:
    offer = offered(cast, cast.ask({GREEN: 100}))
    monkeypatch.setattr(part_shipments, "left_over", lambda requested, ships: rest)
    with pytest.raises(IntegrityError, match="a signature is missing"):
        taken(cast, offer)
    assert Slip.objects.filter(kind="fill").count() == 1


def test_the_database_ends_no_request_by_parts_that_another_signed(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer = offered(cast, cast.ask({GREEN: 100}))

    def of_another(*args: Any) -> Covered:
        covered = part_of(*args)
        return replace(covered, given=[replace(given, person=cast.bob) for given in covered.given])

    part_of = part_shipments._part
    monkeypatch.setattr(part_shipments, "_part", of_another)
    with pytest.raises(IntegrityError, match="a signature is missing"):
        taken(cast, offer)


def test_the_journal_vouches_for_both_parts(cast: Cast) -> None:
    parts = taken(cast, offered(cast, cast.ask({GREEN: 100})))
    assert verify().findings == []
    cast.deliver(parts.ships)
    assert verify().findings == []


def test_the_cashier_and_the_supervisor_see_it_on_their_screens(cast: Cast) -> None:
    cast.open_table({GREEN: 20})
    request = cast.ask({GREEN: 100})
    address = reverse("part-shipment", args=[request.serial])
    cage = signed_in(cast.erin, cast, Place.CAGE)
    assert "Ship less…" in words(cage.get(reverse("slip", args=[request.serial])))
    response = cage.post(
        address, {"request_id": uuid4(), "cheques_2500": "60", "reason": "Counting."}, follow=True
    )
    assert "Wait for the supervisor’s answer." in words(response)
    pit = signed_in(cast.bob, cast)
    inbox = words(pit.get(reverse("inbox")))
    assert "the cage can ship 60 × $25 green, $1,500, of $2,500 now" in inbox
    page = words(pit.get(address))
    assert "Take part" in page
    assert "Counting." in page
    done = pit.post(address, {"request_id": uuid4(), "answer": "take"}, follow=True)
    parts = Slip.objects.filter(kind="fill").order_by("id")[1:]
    assert f"{parts[0].serial} ships now. {parts[1].serial} has the rest." in words(done)
    shown = words(pit.get(reverse("slip", args=[parts[1].serial])))
    assert f"<dt>Rest of</dt><dd>{request.serial}</dd>" in shown
    assert FloorException.objects.get(code=PART_OFFERED).resolved_by == cast.bob
