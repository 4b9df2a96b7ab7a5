"""The sandbox of vendors: test hands by the rules, a table reset by acts, and nowhere but there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client, override_settings

from pitboss.models import FloorException, Table
from pitboss.selectors.table_rules import setup_now
from pitboss.services import house
from pitboss.services.verification import verify
from tables.api.examples import CHECKS
from tables.models import FloorRequest, Mismatch, PlayRating, Round, SeatHeld
from tables.sandbox_hands import hands_to_try
from tests.floor.sandbox import make_sandbox, sandbox_settings
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESSES = (
    ("POST", "sandbox/code"),
    ("POST", "sandbox/system"),
    ("GET", "sandbox/hands"),
    ("POST", "sandbox/reset"),
    ("POST", "sandbox/requests/1/answer"),
    ("GET", "sandbox/certificate"),
)


@pytest.fixture
def table() -> Iterator[Table]:
    with sandbox_settings():
        yield make_sandbox()


@pytest.fixture
def terminal(table: Table) -> TerminalClient:
    return TerminalClient(make_terminal(table))


def told(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.content
    return answer.json()


def test_no_site_but_a_sandbox_has_its_addresses(table: Table) -> None:
    device = make_terminal(table)
    for urls in ("pitboss.urls", "tests.sandbox_addresses"):
        with override_settings(IS_SANDBOX=False, ROOT_URLCONF=urls):
            for method, path in ADDRESSES:
                answer = Client().generic(
                    method,
                    f"/api/v1/{path}",
                    "{}",
                    content_type="application/json",
                    headers={"authorization": f"Device {device.name}"},
                )
                assert answer.status_code == 404, (urls, path)


def test_the_schema_promises_nothing_of_the_sandbox(table: Table) -> None:
    paths = told(Client().get("/api/v1/schema/"))["paths"]
    assert "/api/v1/table" in paths
    assert not [path for path in paths if "sandbox" in path]


def test_a_code_enrolls_a_terminal_of_the_table_that_is_named(table: Table) -> None:
    client = Client()
    for body in ({}, {"table": "BJ-15"}):
        code = told(client.post("/api/v1/sandbox/code", body, "application/json"), 201)["code"]
        enrolled = told(client.post("/api/v1/enrol", {"code": code}, "application/json"), 201)
        assert enrolled["table"] == "BJ-15"
    nowhere = client.post("/api/v1/sandbox/code", {"table": "BJ-99"}, "application/json")
    assert nowhere.status_code == 404


def test_another_system_gets_its_token_and_the_scopes_it_names(table: Table) -> None:
    client, path = Client(), "/api/v1/sandbox/system"
    answer = client.post(path, {"scopes": ["staff.read", "staff.write"]}, "application/json")
    given = told(answer, 201)
    assert given["scopes"] == ["staff.read", "staff.write"]
    headers = {"authorization": f"Device {given['token']}"}
    assert told(client.get("/api/v1/staff", headers=headers))["items"]
    refused = client.get("/api/v1/feed", headers=headers)
    assert told(refused, 403)["refusals"][0]["code"] == "no_scope"
    for scopes in ([], ["all"], "staff.read"):
        assert client.post(path, {"scopes": scopes}, "application/json").status_code == 422
    assert verify().is_sound


def test_every_test_hand_is_answered_by_a_check_as_the_list_says(terminal: TerminalClient) -> None:
    hands = told(terminal.get("sandbox/hands"))
    assert len({hand["hand"] for hand in hands}) == len(hands) > 20
    for hand in hands:
        answer = told(terminal.post("checks", hand["check"]), 201)
        expected = hand["answer"]
        reasons = [reason["code"] for reason in answer["reasons"]]
        assert {**{name: answer[name] for name in expected}, "reasons": reasons} == expected, hand
    # Every verdict, and a payout that waits for approval, is among them.
    assert {hand["answer"]["verdict"] for hand in hands} == {
        "right",
        "overpaid",
        "underpaid",
        "cannot_verify",
    }
    assert "approval" in {hand["answer"]["level"] for hand in hands}


def test_the_verdicts_follow_the_rules_of_the_table() -> None:
    """The same hand at the same table: other terms, another amount."""
    with sandbox_settings():
        table = make_sandbox("raise_the_roof", minimum_cents=2_000, maximum_cents=50_000)
        table.setup = setup_now(table, house.settings_at(house.now()))
        for terms, owed in (("3:2", 6_000), ("6:5", 4_800)):
            table.setup["blackjack_pays"] = terms
            natural = next(h for h in hands_to_try(table) if h["hand"] == "blackjack_natural")
            assert natural["answer"]["payable_cents"] == owed


@pytest.mark.parametrize("game", ["bet_bigger", "raise_the_roof", "blazing_7s", "face_up"])
def test_every_game_has_test_hands_for_each_of_its_wagers(game: str) -> None:
    with sandbox_settings():
        table = make_sandbox(game, minimum_cents=500, maximum_cents=1_000)
        terminal = TerminalClient(make_terminal(table))
        offered = {wager["wager"] for wager in told(terminal.get("table"))["wagers"]}
        assert {hand["check"]["wager"] for hand in hands_to_try(table)} == offered & CHECKS.keys()


def test_a_reset_ends_all_that_is_open_and_erases_nothing(
    table: Table, terminal: TerminalClient
) -> None:
    round_ = told(terminal.post("rounds", {"seats": [{"seat": 2}]}), 201)["round"]
    told(terminal.post("requests", {"kind": "buy_in", "facts": {"amount_cents": 200_000}}), 201)
    told(terminal.post("requests", {"kind": "equipment", "facts": {"what": "shuffler"}}), 201)
    told(terminal.post("calls", {"about": "Color change"}))
    told(terminal.post("seats", {"taken": [1, 4]}))
    told(terminal.post("shoe", {"mark": "shuffle"}))
    wins = next(h for h in hands_to_try(table) if h["hand"] == "blackjack_wins_overpaid")["check"]
    check = told(terminal.post("checks", wins), 201)["check"]
    told(terminal.post(f"checks/{check}/paid", {"paid_cents": wins["paid_cents"]}), 201)
    done = told(terminal.post("sandbox/reset", {}))["done"]
    assert f"Round {round_} aborted." in done
    assert Round.objects.get(pk=round_).outcome == "aborted"
    assert not FloorRequest.objects.filter(answer=None).exists()
    assert FloorRequest.objects.count() == 2
    assert not Mismatch.objects.filter(settlement=None).exists()
    assert not SeatHeld.objects.filter(until=None).exists()
    assert not PlayRating.objects.filter(ended_at=None).exists()
    assert not FloorException.objects.filter(code="supervisor_called", resolved_at=None).exists()
    assert told(terminal.post("rounds", {}), 201)["round"] == round_ + 1
    told(terminal.post("sandbox/reset", {}))
    assert told(terminal.post("sandbox/reset", {}))["done"] == []
    assert verify().is_sound


def test_a_closed_table_is_not_reset(table: Table, terminal: TerminalClient) -> None:
    Table.objects.filter(pk=table.pk).update(is_open=False)
    answer = told(terminal.post("sandbox/reset", {}), 409)
    assert answer["refusals"][0]["code"] == "table_closed"


def test_the_sandboxs_supervisor_answers_requests_of_its_own_table(
    terminal: TerminalClient,
) -> None:
    buy_in = {"kind": "buy_in", "facts": {"amount_cents": 200_000}}
    first = told(terminal.post("requests", buy_in), 201)["request"]
    answer = told(terminal.post(f"sandbox/requests/{first}/answer", {"granted": True}))
    assert answer["state"] == "granted"
    again = terminal.post(f"sandbox/requests/{first}/answer", {"granted": True})
    assert told(again, 409)["refusals"][0]["code"] == "already_answered"
    second = told(terminal.post("requests", buy_in, str(uuid4())), 201)["request"]
    declined = {"granted": False, "reason": "No ID."}
    answer = told(terminal.post(f"sandbox/requests/{second}/answer", declined))
    assert (answer["state"], answer["reason"]) == ("declined", "No ID.")
    assert terminal.post("sandbox/requests/999/answer", {"granted": True}).status_code == 404


def test_a_terminal_that_has_shown_nothing_is_not_certified(terminal: TerminalClient) -> None:
    certificate = told(terminal.get("sandbox/certificate"))
    assert certificate["is_certified"] is False
    assert not any(point["is_met"] for point in certificate["points"])
    assert all(point["to_do"] for point in certificate["points"])
