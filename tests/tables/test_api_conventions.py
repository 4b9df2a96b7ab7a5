"""What the API promises at every address: numbers, limits, ETags, fields, places, one status."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.test import Client

from pitboss import rates
from pitboss.models import Device
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from tests.floor.cast import Cast
from tests.floor.house import change
from tests.floor.payouts import SUPER_3, UNKNOWN, checked, open_with_terminal
from tests.floor.terminals import TerminalClient
from tests.other_systems import grant
from tests.tables.test_rounds import CARDS, WAGERS
from tests.tables.test_statements import SEED, sign_with

pytestmark = pytest.mark.django_db(transaction=True)
SCHEMA = json.loads((settings.BASE_DIR / "docs" / "openapi.json").read_text())
ODD = {"no_such_field": 1}
# Paths that begin so are a cage system's, those of other systems say so by their security.
AT_THE_CAGE = ("/api/v1/cage", "/api/v1/slips")


@pytest.fixture
def terminal(cast: Cast) -> TerminalClient:
    rates.forget()
    return open_with_terminal(cast)


def device_client(cast: Cast, place: Place) -> TerminalClient:
    """Return a program with the token of a device of the cage or the office."""
    device = cast.devices[place]
    Device.objects.filter(pk=device.pk).update(token_hash=digest(device.name))
    return TerminalClient(device)


@pytest.fixture
def office(cast: Cast) -> TerminalClient:
    for scope in ("ratings.read", "staff.read", "staff.write", "bookmarks.read", "counts.write"):
        grant(cast, scope)
    for scope in ("comps.redeem", "patrons.write", "comps.read", "ledger.read", "group.read"):
        grant(cast, scope)
    return device_client(cast, Place.OFFICE)


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in SCHEMA["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def caller_of(
    path: str, operation: dict[str, Any], cast: Cast, terminal: TerminalClient, office: Any
) -> TerminalClient:
    if {"terminal": []} in operation["security"]:
        return terminal
    return device_client(cast, Place.CAGE) if path.startswith(AT_THE_CAGE) else office


def relative(path: str) -> str:
    return path.removeprefix("/api/v1/")


def codes(answer: Any) -> list[str]:
    return [refusal["code"] for refusal in answer.json()["refusals"]]


def test_what_is_read_again_is_answered_without_a_body_and_with_what_is_left(
    cast: Cast, terminal: TerminalClient, office: TerminalClient, settings: Any
) -> None:
    sign_with(settings, SEED)
    read = []
    for method, path, operation in operations():
        if method != "get" or "{" in path or path.endswith("/events"):
            continue
        client = caller_of(path, operation, cast, terminal, office)
        first = client.get(relative(path))
        assert first.status_code == 200, path
        again = client.client.get(
            path, headers={**client.headers, "if-none-match": first.headers["ETag"]}
        )
        assert (again.status_code, again.content) == (304, b""), path
        for answer in (first, again):
            assert answer.headers["Request-Id"], path
            policy, left = answer.headers["RateLimit-Policy"], answer.headers["RateLimit"]
            assert policy.endswith(";q=600;w=60"), path
            assert left.partition(";r=")[2].partition(";")[0].isdecimal(), path
        read.append(relative(path))
    assert {"table", "requests", "jackpots", "cage/queue", "staff", "feed"} <= set(read)


def test_refusals_too_have_a_number_and_say_what_is_left(
    cast: Cast, terminal: TerminalClient, office: TerminalClient
) -> None:
    cage = device_client(cast, Place.CAGE)
    for answer, status in (
        (terminal.get("checks/999999"), 404),
        (terminal.post("checks", {}), 422),
        (terminal.client.delete("/api/v1/table", headers=terminal.headers), 405),
        (cage.get("slips/F-2026-999999"), 404),
        (office.get("ledger/soon"), 400),
        (office.get("counts/999999"), 404),
    ):
        assert answer.status_code == status
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.headers["Request-Id"]
        assert answer.headers["RateLimit-Policy"]


def test_another_system_that_runs_wild_is_told_to_wait(
    cast: Cast, office: TerminalClient, terminal: TerminalClient
) -> None:
    change(cast, "people.terminal_requests", "60")
    answers = [office.get("staff") for _ in range(61)]
    assert [answer.status_code for answer in answers[:60]] == [200] * 60
    wait = answers[60]
    assert (wait.status_code, wait.headers["Retry-After"], codes(wait)) == (
        429,
        "1",
        ["throttled"],
    )
    assert terminal.get("table").status_code == 200


def test_a_field_that_no_one_reads_is_refused_at_every_address(
    cast: Cast, terminal: TerminalClient, office: TerminalClient
) -> None:
    fill = cast.ask()
    check = checked(terminal, SUPER_3)
    unpaid = checked(terminal, {**UNKNOWN, "seat": 1})
    asked = {"kind": "buy_in", "facts": {"amount_cents": 200_000}}
    request = terminal.post("requests", asked).json()["request"]
    # Sent whole, no round may be open.
    whole = terminal.put(f"rounds/{uuid4()}", ODD)
    assert (whole.status_code, codes(whole)) == (422, ["unknown_field"])
    round_ = terminal.post("rounds", {}).json()["round"]
    rating = terminal.post("ratings", {"seat": 2, "taken": True})
    assert rating.status_code == 201, rating.content
    numbers = {
        "check_id": unpaid,
        "request_id": request,
        "round_id": round_,
        "serial": fill.serial,
        "line_id": 1,
        "rating_id": rating.json().get("rating") or 1,
        "comp": "CO-2026-000001",
        "card": "70014412",
        "employee_number": "E1",
    }
    refused = {}
    for method, path, operation in operations():
        if method not in ("post", "put") or path.endswith(("/token", "/enrol")):
            continue
        if (method, path.rpartition("/")[2]) == ("put", "{round_id}"):
            continue
        filled = relative(path).format(**numbers)
        client = caller_of(path, operation, cast, terminal, office)
        send = client.put if method == "put" else client.post
        answer = send(filled, ODD)
        refused[f"{method} {path}"] = (answer.status_code, codes(answer))
    wrong = {
        where: said
        for where, said in refused.items()
        if said[0] != 422 or "unknown_field" not in said[1]
    }
    assert wrong == {}
    enrol = Client().post("/api/v1/enrol", {"code": "X", **ODD}, "application/json")
    assert (enrol.status_code, codes(enrol)) == (422, ["unknown_field"])
    assert terminal.get(f"checks/{check}").status_code == 200


def test_only_what_is_kept_by_its_own_time_takes_keyed_at(terminal: TerminalClient) -> None:
    """Where a terminal could have been offline, what was entered is dated; elsewhere refused."""
    takes = set()
    for _, path, operation in operations():
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        text = json.dumps(body.get("schema", {}))
        named = [
            name
            for name, shape in SCHEMA["components"]["schemas"].items()
            if "keyed_at" in shape.get("properties", {}) and f'/{name}"' in text
        ]
        union = SCHEMA["components"]["schemas"].get(text.rpartition("/")[2].rstrip('"}'), {})
        if named or "CheckRequest" in json.dumps(union.get("oneOf", "")):
            takes.add(relative(path))
    assert takes == {"checks", "checks/{check_id}/paid", "felt/paid"}
    said = {"kind": "buy_in", "facts": {"amount_cents": 1}, "keyed_at": "2026-05-01T20:00:00+00:00"}
    assert codes(terminal.post("requests", said)) == ["unknown_field"]


def test_what_was_made_is_where_location_says(terminal: TerminalClient) -> None:
    check = terminal.post("checks", {**SUPER_3, "paid_cents": 45_000})
    asked = terminal.post(f"checks/{check.json()['check']}/approval", {})
    paid = terminal.post(
        f"checks/{check.json()['check']}/paid", {"paid_cents": 45_000, "already_paid": True}
    )
    request = terminal.post("requests", {"kind": "equipment", "facts": {"what": "shuffler"}})
    round_ = terminal.post("rounds", {})
    for made in (check, asked, paid, request, round_):
        assert made.status_code == 201, made.content
        found = terminal.get(relative(made.headers["Location"]))
        assert found.status_code == 200
        assert found.json().keys() == made.json().keys()
    promised = {
        relative(path)
        for _, path, operation in operations()
        if "Location" in operation["responses"].get("201", {}).get("headers", {})
    }
    assert promised == {
        "checks",
        "checks/{check_id}/approval",
        "checks/{check_id}/big-win",
        "checks/{check_id}/paid",
        "counts",
        "jackpots",
        "requests",
        "rounds",
    }


def test_one_fault_has_one_status_wherever_it_is_sent(terminal: TerminalClient) -> None:
    where = f"rounds/{terminal.post('rounds', {}).json()['round']}"
    nothing: dict[str, Any] = {"seat": 5, "bets": [{"wager": "no such", "stake_cents": 500}]}
    payouts = f"{where}/payouts"
    # What is refused on the way from the start of a round to its payouts, and what is told.
    for path, body, status in (
        ("checks", {**SUPER_3, "wager": "no such"}, 422),
        ("checks", {**SUPER_3, "wager": {}}, 422),
        ("requests", {"kind": "no such", "facts": {}}, 422),
        ("requests", {"kind": {}, "facts": {}}, 422),
        ("envy", {"wager": "no such", "row": "x"}, 422),
        ("jackpots", {"wager": "no such", "badge": "104", "pin": "104104"}, 422),
        (f"{where}/seats", {"seats": [{"seat": "five"}]}, 422),
        (f"{where}/seats", {"seats": [{"seat": 5}]}, 200),
        (f"{where}/wagers", nothing, 422),
        (f"{where}/wagers", {"seat": 5, "bets": [{"wager": {}, "stake_cents": 5}]}, 422),
        (f"{where}/wagers", WAGERS, 200),
        (f"{where}/cards", {"cards": [{"to": {}, "card": 7}]}, 422),
        (f"{where}/cards", CARDS, 200),
        (payouts, {"payouts": [{"seat": 5, "wager": {}, "paid_cents": 5}]}, 422),
        (payouts, {"payouts": [{"seat": {}, "wager": "trilux", "paid_cents": []}]}, 422),
        (payouts, {"payouts": {}}, 422),
    ):
        answer = terminal.post(path, body)
        assert answer.status_code == status, (path, body, answer.content)
        if status == 422:
            assert answer.headers["Content-Type"] == "application/problem+json"


def test_a_fault_of_the_house_is_a_problem_that_says_nothing_of_what_broke(
    terminal: TerminalClient, owner_connection: psycopg.Connection[tuple[object, ...]]
) -> None:
    owner_connection.execute("ALTER TABLE tables_floorrequest RENAME TO put_away")
    terminal.client.raise_request_exception = False
    try:
        answer = terminal.get("requests")
    finally:
        owner_connection.execute("ALTER TABLE put_away RENAME TO tables_floorrequest")
    assert (answer.status_code, answer.headers["Content-Type"]) == (500, "application/problem+json")
    problem = answer.json()
    assert [refusal["code"] for refusal in problem["refusals"]] == ["broken"]
    assert problem["type"].endswith("#broken")
    assert answer.headers["Request-Id"]
    assert "floorrequest" not in answer.content.decode()
    assert terminal.get("requests").status_code == 200


def test_the_keys_of_an_answer_come_in_the_order_of_the_schema(terminal: TerminalClient) -> None:
    shapes = SCHEMA["components"]["schemas"]
    texts = [
        terminal.post("checks", SUPER_3),
        terminal.post("checks", {**SUPER_3, "paid_cents": 45_500, "seat": 4}),
        terminal.post("checks", {**UNKNOWN, "seat": 3}),
    ]
    orders = [list(json.loads(answer.content)) for answer in texts]
    assert orders[0] == orders[1] == orders[2]
    number = texts[0].json()["check"]
    assert terminal.get(f"checks/{number}").content == texts[0].content
    listed = terminal.get("checks").json()["items"]
    assert [list(item) for item in listed] == orders
    assert set(orders[0]) == set(shapes["CheckAnswer"]["properties"])


def test_what_will_go_is_announced_in_the_schema_and_the_list_of_changes() -> None:
    """Nothing goes today; what is marked some day has its headers and its day."""
    going = [path for _, path, operation in operations() if operation.get("deprecated")]
    policy = (settings.BASE_DIR / "docs" / "api_changes.md").read_text()
    assert ("Nothing has either today." in policy) is (going == [])
    assert "`Deprecation`" in policy
    assert "`Sunset`" in policy
    assert f"## {SCHEMA['info']['version']}\n" in policy
