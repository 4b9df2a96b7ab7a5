"""A terminal enters a hit and follows it; sent twice it is one jackpot."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from jackpots.models import Jackpot
from pitboss.models import Device, Table
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from pitboss.services import house
from tests.floor.cast import Cast, pin_of
from tests.floor.jackpots import open_tables, reject, verify_hand

pytestmark = pytest.mark.django_db(transaction=True)


def terminal_at(table: Table) -> Client:
    """Return the terminal of a table."""
    Device.objects.create(
        name=f"Terminal {table.name}",
        place=Place.PIT.value,
        table=table,
        token_hash=digest(f"terminal of {table.name}"),
        token_ends_at=house.now() + timedelta(days=3_650),
        enrolled_at=house.now(),
    )
    return Client(headers={"authorization": f"Device terminal of {table.name}"})


def enter(cast: Cast, client: Client, key: str | None = None, **change: Any) -> Any:
    body = {
        "badge": cast.dan.badge,
        "pin": pin_of(cast.dan.badge),
        "seat": 3,
        "wager": "blazing_7s",
        "player_cards": ["7h", "7h"],
        "dealer_cards": ["7h"],
        **change,
    }
    return client.post(
        "/api/v1/jackpots",
        body,
        content_type="application/json",
        headers={"idempotency-key": key or str(uuid4())},
    )


def test_a42_a_terminal_enters_a_hit_once_and_follows_it(cast: Cast) -> None:
    open_tables(cast)
    terminal = terminal_at(cast.table)
    first = enter(cast, terminal, key="k1")
    assert first.status_code == 201, first.content
    body = first.json()
    assert (body["state"], body["award_cents"], body["due"]) == ("pending", 2_431_055, "verified")
    again = enter(cast, terminal, key="k1")
    assert (again.status_code, again.json()["serial"]) == (201, body["serial"])
    assert Jackpot.objects.count() == 1
    other = enter(cast, terminal, key="k1", seat=4)
    assert other.status_code == 409
    assert other.json()["refusals"][0]["code"] == "request_reused"
    verify_hand(cast, Jackpot.objects.get().slip)
    followed = terminal.get(f"/api/v1/jackpots/{body['serial']}").json()
    assert followed["due"] == "confirmed"
    assert [item["serial"] for item in terminal.get("/api/v1/jackpots").json()] == [body["serial"]]


def test_a_terminal_hears_why_not_and_sees_no_other_tables_jackpots(cast: Cast) -> None:
    open_tables(cast)
    terminal, other = terminal_at(cast.table), terminal_at(cast.other_table)
    for change, status, code in (
        ({"seat": 44}, 422, "unknown_seat"),
        ({"player_cards": ["7h", "8h"]}, 422, "no_jackpot"),
        ({"pin": "000000"}, 422, "wrong_pin"),
        ({"replaces": "J-2026-000099"}, 422, "unknown_slip"),
        ({"badge": cast.alice.badge, "pin": pin_of(cast.alice.badge)}, 403, "wrong_role"),
    ):
        answer = enter(cast, terminal, **change)
        assert answer.status_code == status, answer.content
        assert answer.json()["refusals"][0]["code"] == code
    assert enter(cast, terminal, seat="three").status_code == 422
    assert not Jackpot.objects.exists()
    serial = enter(cast, terminal).json()["serial"]
    assert other.get(f"/api/v1/jackpots/{serial}").status_code == 404
    assert other.get("/api/v1/jackpots").json() == []
    assert enter(cast, terminal).json()["refusals"][0]["code"] == "already_pending"


def test_a46_a_terminal_corrects_a_rejected_entry(cast: Cast) -> None:
    open_tables(cast)
    terminal = terminal_at(cast.table)
    wrong = enter(cast, terminal, player_cards=["7h", "7d"]).json()
    reject(cast, Jackpot.objects.get().slip)
    assert terminal.get(f"/api/v1/jackpots/{wrong['serial']}").json()["state"] == "rejected"
    right = enter(cast, terminal, replaces=wrong["serial"]).json()
    assert right["award_cents"] == 2_431_055


def test_the_terminal_reads_the_meters_of_its_table(cast: Cast) -> None:
    open_tables(cast)
    assert terminal_at(cast.table).get("/api/v1/table").json()["meters"] == {"JACKPOT": 2_431_055}
