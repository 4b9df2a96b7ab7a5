"""A request is taken back by one supervisor of its pit before it is issued, and not after."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from pitboss.models import Slip, Table, Waiting
from pitboss.rules.roles import Place
from pitboss.services.verification import verify
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cage import ask_credit, open_with, prove
from tests.floor.cast import Cast, refused
from tests.floor.tablets import signed_in, words
from tests.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def cancel(cast: Cast, request: Slip, by: object = None) -> Slip:
    table = Table.objects.get(pk=cast.table.pk)
    slip = Slip.objects.get(pk=request.pk)
    raising = the_kind("request_cancellation").at(table, original=slip)
    return raise_kind(
        raising,
        pen=cast.pen(by or cast.bob),  # type: ignore[arg-type]
        shown=shown_before(raising),
        reason="Wrong table.",
    )


def test_a122_the_pit_cancels_its_own_request_with_one_pin(cast: Cast) -> None:
    request = cast.ask({2_500: 100})
    canceled = cancel(cast, request)
    request.refresh_from_db()
    assert (request.status, canceled.status) == ("voided", "done")
    assert canceled.signatures.count() == 1
    assert verify().findings == []
    assert not Waiting.objects.filter(slip=request, until=None).exists()
    with refused("slip_closed"):
        cast.sign(request, "issued", cast.erin, Place.CAGE)
    assert cast.ask({2_500: 100}).number == request.number + 1, "the number stays used"


def test_a122_after_issue_its_cancel_is_rejected(cast: Cast) -> None:
    request = cast.ask({2_500: 100})
    cast.issue(request)
    with refused("already_issued"):
        cancel(cast, request)
    other = cast.ask({2_500: 10})
    with refused("wrong_role"):
        cancel(cast, other, cast.dan)


def test_a_credit_is_canceled_until_the_dealer_has_proved_it(cast: Cast) -> None:
    open_with(cast)
    first = ask_credit(cast)
    cancel(cast, first)
    second = ask_credit(cast)
    prove(cast, second)
    with refused("already_issued"):
        cancel(cast, second)


def test_the_database_voids_no_request_without_a_cancellation(cast: Cast) -> None:
    request = cast.ask({2_500: 100})
    with pytest.raises(IntegrityError, match="a signature is missing"), transaction.atomic():
        Slip.objects.filter(pk=request.pk).update(status="voided")


def test_a_request_is_canceled_or_issued_never_both(cast: Cast) -> None:
    request = cast.ask({2_500: 100})
    results = at_once(
        lambda: cancel(cast, request),
        lambda: cast.sign(request, "issued", cast.erin, Place.CAGE),
    )
    request.refresh_from_db()
    is_canceled = isinstance(results[0], Slip)
    assert is_canceled == (request.status == "voided")
    assert request.signatures.filter(step="issued").exists() != is_canceled


def test_the_way_to_cancel_is_on_the_request(cast: Cast) -> None:
    request = cast.ask({2_500: 100})
    pit = signed_in(cast.bob, cast, Place.PIT)
    address = f"/slips/new/request_cancellation/?of={request.serial}"
    assert address in words(pit.get(f"/slips/{request.serial}/"))
    assert "Cancel" in words(pit.get(address))
    cast.issue(request)
    assert address not in words(pit.get(f"/slips/{request.serial}/"))
