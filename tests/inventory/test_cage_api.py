"""The API for a cage system: its queue with clocks, a slip with what is shown, and signatures."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from jackpots.models import JackpotPayment
from pitboss.models import Device, Signature, Slip
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from pitboss.services import house
from tests.floor.cage import (
    GREENS,
    ask_credit,
    begin_cage_count,
    carry_off,
    credits_in_transit,
    open_with,
    receive,
)
from tests.floor.cast import Cast, pin_of
from tests.floor.jackpots import MIXED, hit, open_tables, released
from tests.floor.tablets import words

pytestmark = pytest.mark.django_db


class CageSystem:
    """A cage system that knows one device's token."""

    def __init__(self, device: Device) -> None:
        Device.objects.filter(pk=device.pk).update(token_hash=digest("secret of the cage"))
        self.client = Client(headers={"authorization": "Device secret of the cage"})

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1/{path}")

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return self.client.post(f"/api/v1/{path}", body, content_type="application/json")


@pytest.fixture
def cage(cast: Cast) -> CageSystem:
    return CageSystem(cast.devices[Place.CAGE])


def carried(cast: Cast) -> Slip:
    open_with(cast)
    credit = ask_credit(cast)
    carry_off(cast, credit)
    return credit


def signature(cast: Cast, shown: str) -> dict[str, Any]:
    return {
        "badge": cast.erin.badge,
        "pin": pin_of(cast.erin.badge),
        "track": "main",
        "step": "acknowledged",
        "counted": {"2500": 40},
        "present_badge": cast.frank.badge,
        "shown": shown,
        "request_id": str(uuid4()),
    }


def test_the_queue_names_what_waits_for_the_cage_and_since_when(
    cast: Cast, cage: CageSystem
) -> None:
    credit = carried(cast)
    fill = cast.ask({2_500: 20})
    answer = cage.get("cage/queue").json()
    assert [(item["slip"]["serial"], item["step"]) for item in answer["items"]] == [
        (credit.serial, "acknowledged"),
        (fill.serial, "issued"),
    ]
    first = answer["items"][0]
    assert first["slip"]["cheques"] == {"2500": 40}
    assert (first["slip"]["table"], first["slip"]["total_cents"]) == ("BJ-11", 100_000)
    assert first["since"]
    assert answer["limit_seconds"] == 300


def test_the_queue_is_for_devices_of_the_cage(cast: Cast) -> None:
    answer = CageSystem(cast.devices[Place.PIT]).get("cage/queue")
    assert answer.status_code == 403
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_a_cashier_acknowledges_a_credit_through_the_api(cast: Cast, cage: CageSystem) -> None:
    credit = carried(cast)
    slip = cage.get(f"slips/{credit.serial}").json()
    assert (slip["due"]["name"], slip["due"]["counts"]) == ("acknowledged", True)
    body = signature(cast, slip["shown"])
    answer = cage.post(f"slips/{credit.serial}/sign", body)
    assert (answer.status_code, answer.json()["step"]) == (200, "acknowledged")
    assert answer.json()["slip"]["due"]["name"] == "matched"

    # A resend after a lost answer is the same signature.
    again = cage.post(f"slips/{credit.serial}/sign", body)
    assert again.json()["signed_at"] == answer.json()["signed_at"]
    assert Signature.objects.filter(slip=credit, step="acknowledged").count() == 1
    # The same request id with other figures is not.
    other = cage.post(f"slips/{credit.serial}/sign", {**body, "counted": {"2500": 39}})
    assert (other.status_code, other.json()["refusals"][0]["code"]) == (409, "request_reused")


@pytest.mark.parametrize(
    ("changes", "status", "codes"),
    [
        ({"counted": {"2500": 20, "10000": 5}}, 409, ["count_differs"]),
        ({"counted": None}, 422, ["count_missing"]),
        ({"counted": {"2501": 1}}, 422, ["unknown_denomination"]),
        ({"counted": {"2500": "40"}}, 422, ["bad_count"]),
        ({"shown": "{}"}, 409, ["stale_screen"]),
        ({"step": "matched"}, 403, ["wrong_place"]),
        ({"step": "unheard_of"}, 422, ["unknown_step"]),
        ({"present_badge": ""}, 422, ["officer_missing"]),
    ],
)
def test_each_refusal_is_a_problem_with_its_code(
    cast: Cast, cage: CageSystem, changes: dict[str, Any], status: int, codes: list[str]
) -> None:
    credit = carried(cast)
    shown = cage.get(f"slips/{credit.serial}").json()["shown"]
    answer = cage.post(f"slips/{credit.serial}/sign", signature(cast, shown) | changes)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    given = {refusal["code"] for refusal in answer.json()["refusals"]}
    assert set(codes) <= given
    assert list(credits_in_transit()) == [credit]


def test_a_wrong_pin_signs_nothing_and_its_sentence_names_no_secret(
    cast: Cast, cage: CageSystem
) -> None:
    credit = carried(cast)
    shown = cage.get(f"slips/{credit.serial}").json()["shown"]
    answer = cage.post(f"slips/{credit.serial}/sign", signature(cast, shown) | {"pin": "999999"})
    assert answer.status_code in (403, 422)
    assert "999999" not in words(answer)
    assert not Signature.objects.filter(slip=credit, step="acknowledged").exists()


@pytest.mark.parametrize("missing", ["badge", "pin", "step", "shown", "request_id"])
def test_what_is_missing_is_named(cast: Cast, cage: CageSystem, missing: str) -> None:
    credit = carried(cast)
    body = signature(cast, "{}")
    del body[missing]
    answer = cage.post(f"slips/{credit.serial}/sign", body)
    assert answer.status_code == 422
    assert [refusal["field"] for refusal in answer.json()["refusals"]] == [missing]


def test_a_device_that_was_put_out_is_let_in_no_more(cast: Cast, cage: CageSystem) -> None:
    assert cage.get("cage/queue").status_code == 200
    Device.objects.filter(pk=cast.devices[Place.CAGE].pk).update(revoked_at=house.now())
    assert cage.get("cage/queue").status_code == 401


def test_an_unknown_slip_is_404(cage: CageSystem) -> None:
    assert cage.get("slips/CR-2026-999999").status_code == 404


def test_a_count_of_the_cage_tells_nothing_of_what_is_expected(
    cast: Cast, cage: CageSystem
) -> None:
    receive(cast, {2_500: 777_777})
    count = begin_cage_count(cast, GREENS)
    assert "777777" not in words(cage.get(f"slips/{count.serial}"))
    assert "777777" not in words(cage.get("cage/queue"))


@pytest.mark.django_db(transaction=True)
def test_a_jackpot_is_paid_at_the_cage_by_a_signer_who_says_from_what(
    cast: Cast, cage: CageSystem
) -> None:
    open_tables(cast)
    jackpot = hit(cast, MIXED)
    released(cast, jackpot)
    slip = cage.get(f"slips/{jackpot.serial}").json()
    assert slip["due"]["asks"] == ["source"]
    body = signature(cast, slip["shown"]) | {"step": "paid", "counted": None, "present_badge": ""}
    # This house lets the supervisor pay; where the cage pays, its cashier signs the same.
    body |= {"badge": cast.alice.badge, "pin": pin_of(cast.alice.badge)}
    refused = cage.post(f"slips/{jackpot.serial}/sign", body)
    assert (refused.status_code, refused.json()["refusals"][0]["code"]) == (422, "source_missing")
    paid = cage.post(f"slips/{jackpot.serial}/sign", body | {"said": {"source": "cage"}})
    assert paid.status_code == 200, paid.json()
    assert JackpotPayment.objects.get().source == "cage"
