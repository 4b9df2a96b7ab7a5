"""Terminals: let in by a code, at one table, renewed and put out; what they ask of their table."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from drf_spectacular.drainage import GENERATOR_STATS

from pitboss import rates, refusal_codes
from pitboss.models import (
    Attempt,
    Device,
    FloorException,
    JournalEntry,
    Person,
    StoredAnswer,
    Waiting,
)
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from pitboss.services.devices import NewDevice, enrol_device, revoke_device
from pitboss.services.signing import Pen
from tables.models import Dealing, PayoutCheck
from tests.floor import tablets
from tests.floor.cast import Cast, ServerClock, let_device_in, pin_of, refused
from tests.floor.house import change
from tests.floor.tablets import words
from tests.floor.terminals import TerminalClient, make_terminal
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db

COUNTED = {10_000: 40, 2_500: 80, 500: 100, 100: 40}


def offered(cast: Cast, name: str = "Terminal 11") -> str:
    new = NewDevice(name, Place.PIT, table=cast.table)
    return let_device_in(cast, new, by=cast.carol, second=cast.alice)


def renewed(cast: Cast, device: Device) -> str:
    return let_device_in(cast, device, by=cast.carol, second=cast.alice)


def signing(page: Any, person: Person, **more: str) -> dict[str, Any]:
    return tablets.signing(words(page), person, **more)


def enrol(code: str, key: str = "") -> Any:
    headers = {"idempotency-key": key} if key else {}
    return Client().post(
        "/api/v1/enrol", {"code": code}, content_type="application/json", headers=headers
    )


@pytest.fixture
def terminal(cast: Cast) -> TerminalClient:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    return TerminalClient(make_terminal(cast.table))


def codes(answer: Any) -> list[str]:
    return [refusal["code"] for refusal in answer.json()["refusals"]]


def test_a_terminal_enrols_by_a_code_once_and_only_its_hash_is_kept(cast: Cast) -> None:
    code = offered(cast)
    answer = enrol(f"{code[:4].lower()}-{code[4:]}")
    assert answer.status_code == 201
    body = answer.json()
    assert (body["device"], body["table"]) == ("Terminal 11", "BJ-11")
    device = Device.objects.get(name="Terminal 11")
    assert (device.table, device.token_hash) == (cast.table, digest(body["token"]))
    assert TerminalClient(device, body["token"]).get("table").status_code == 200
    again = enrol(code)
    assert (again.status_code, codes(again)) == (422, ["code_unknown"])
    # Whose answer was lost sends the same once more: same token, one device, one entry.
    code, key = offered(cast, "Terminal 12"), str(uuid4())
    answers = [enrol(code, key) for _ in range(2)]
    assert [item.status_code for item in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert codes(enrol(code, str(uuid4()))) == ["code_unknown"]
    assert enrol(code, "short").status_code == 400
    assert JournalEntry.objects.filter(kind="device_enrolled").count() == 2
    entry = JournalEntry.objects.filter(kind="device_enrolled").earliest("pk")
    assert f'"table":{cast.table.pk}' in entry.text
    assert body["token"] not in entry.text


def test_a_new_token_ends_the_old_one_when_it_is_taken_and_not_before(cast: Cast) -> None:
    device, old = enrol_device(code=offered(cast))
    code = renewed(cast, device)
    assert TerminalClient(device, old).get("table").status_code == 200
    new = enrol(code).json()["token"]
    assert TerminalClient(device, old).get("table").status_code == 401
    assert TerminalClient(device, new).get("table").status_code == 200
    assert Device.objects.filter(table=cast.table).count() == 1
    kinds = JournalEntry.objects.order_by("id").values_list("kind", flat=True)
    assert list(kinds)[-3:] == ["token_offered", "device_let_in", "token_renewed"]


def test_a_terminal_that_was_put_out_is_let_in_no_more_and_gets_no_new_token(cast: Cast) -> None:
    device, token = enrol_device(code=offered(cast))
    waiting = renewed(cast, device)
    revoke_device(device_id=device.pk, actor=cast.carol)
    assert TerminalClient(device, token).get("table").status_code == 401
    assert codes(enrol(waiting)) == ["device_out"]
    with refused("device_out", journal=["act_refused"]):
        renewed(cast, device)


def test_only_a_manager_offers_a_terminal_or_a_new_token(cast: Cast) -> None:
    device, _ = enrol_device(code=offered(cast))
    mine = NewDevice("Mine", Place.PIT, table=cast.table)
    for new in (mine, device):
        with refused("wrong_role", journal=["act_refused"]):
            let_device_in(cast, new, by=cast.dan, second=cast.alice)


def test_a_browser_does_not_become_a_terminal_by_its_cookie(cast: Cast) -> None:
    code = offered(cast)
    answer = Client().post(reverse("device-enrol"), {"code": code})
    assert "terminal" in words(answer)
    device, _ = enrol_device(code=code)
    Device.objects.filter(pk=device.pk).update(token_hash=digest(device.name))
    browser = signed_in(cast.alice, device)
    body: Any = browser.get(reverse("board"), follow=True).wsgi_request
    assert body.device is None


def test_the_devices_page_offers_terminals_and_new_tokens(cast: Cast) -> None:
    manager = signed_in(cast.carol, cast.devices[Place.OFFICE])
    fields = {"name": "Terminal 11", "place": f"table:{cast.table.pk}"}
    answer = manager.post(
        reverse("devices"), signing(manager.get(reverse("devices")), cast.carol, **fields)
    )
    second = answer.headers["Location"]
    wrong = manager.post(second, signing(manager.get(second), cast.carol))
    assert "Two people must add a device" in words(wrong)
    answer = manager.post(second, signing(manager.get(second), cast.alice))
    assert "table's terminal" in words(answer)
    device = make_terminal(cast.table)
    listed = words(manager.get(reverse("devices")))
    assert f"Terminal of {cast.table}" in listed
    assert "not seen yet" in listed
    renew = reverse("device-renew", args=[device.pk])
    answer = manager.post(renew, signing(manager.get(renew), cast.carol))
    second = answer.headers["Location"]
    assert "I approve a new token for it" in words(manager.get(second))


def test_the_database_lets_no_terminal_stand_elsewhere(cast: Cast) -> None:
    with pytest.raises(IntegrityError, match="terminal_stands_at_its_table_alone"):
        Device.objects.filter(pk=cast.devices[Place.CAGE].pk).update(table=cast.table)


def test_a_terminal_sees_and_acts_on_its_own_table_only(
    cast: Cast, terminal: TerminalClient
) -> None:
    check = terminal.post(
        "checks",
        {
            "wager": "trilux",
            "stake_cents": 500,
            "player_cards": ["9c", "9d"],
            "dealer_up": "9s",
            "paid_cents": 4_500,
        },
    ).json()["check"]
    other = TerminalClient(make_terminal(cast.other_table))
    assert other.get(f"checks/{check}").status_code == 404
    assert other.get("table").json()["table"] == "BJ-12"
    fill = cast.ask()
    assert terminal.get(f"slips/{fill.serial}").status_code == 403
    assert terminal.get("cage/queue").status_code == 403
    cage = TerminalClient(cast.devices[Place.CAGE])
    assert cage.get("table").status_code == 401


def test_a_slip_of_another_table_is_not_signed_at_a_terminal(cast: Cast) -> None:
    fill = cast.ask()
    cast.carry(fill)
    device = make_terminal(cast.other_table)
    pen = Pen(cast.dan.badge, pin_of(cast.dan.badge), device, uuid4())
    with refused("wrong_table"):
        cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill), pen=pen)


def test_a_terminal_is_noted_as_seen_once_a_minute(server_clock: ServerClock, cast: Cast) -> None:
    terminal = TerminalClient(make_terminal(cast.table))

    def seen() -> Any:
        return Device.objects.get(pk=terminal.device.pk).last_seen_at

    terminal.get("table")
    first = seen()
    assert first == server_clock.now
    server_clock.move(seconds=59)
    terminal.get("table")
    assert seen() == first
    server_clock.move(seconds=1)
    terminal.get("table")
    assert seen() == server_clock.now


def test_a_terminal_that_runs_wild_is_told_to_wait_and_others_are_not(
    server_clock: ServerClock, cast: Cast
) -> None:
    change(cast, "people.terminal_requests", "60")
    rates.forget()
    terminal = TerminalClient(make_terminal(cast.table))
    other = TerminalClient(make_terminal(cast.other_table))
    assert [terminal.get("table").status_code for _ in range(61)] == [200] * 60 + [429]
    wait = terminal.get("table")
    assert (wait.headers["Retry-After"], codes(wait)) == ("1", ["throttled"])
    assert other.get("table").status_code == 200
    server_clock.move(seconds=1)
    assert [terminal.get("table").status_code for _ in range(2)] == [200, 429]


def test_a_table_is_read_with_its_rules_pay_tables_and_dealer(
    cast: Cast, terminal: TerminalClient
) -> None:
    body = terminal.get("table").json()
    assert (body["table"], body["is_open"], body["game"]["id"]) == ("BJ-11", True, "classic")
    assert body["dealer"]["badge"] == cast.dan.badge
    wagers = {wager["wager"]: wager for wager in body["wagers"]}
    assert list(wagers) == ["trilux", "super_3", "blackjack", "insurance", "free_bet_coupon"]
    assert wagers["super_3"]["paytable"]["rows"][1] == {
        "row": "straight_flush",
        "name": "Straight flush",
        "pays": "180 to 1",
        "is_jackpot": False,
        "envy_cents": 0,
    }
    assert wagers["super_3"]["cards"] == {
        "player_least": 2,
        "player_most": 2,
        "dealer_least": 1,
        "dealer_most": 1,
        "dealer_field": "dealer_up",
    }
    assert body["cheques"][5] == {
        "cents": 2_500,
        "face": "25",
        "colour": "green",
        "letters": "G",
        "spots": "",
    }
    assert "tray" not in body, "a count is blind"


def test_a_dealer_logs_in_and_out_at_the_terminal_once_for_each_key(
    cast: Cast, terminal: TerminalClient
) -> None:
    key = str(uuid4())
    body = {"badge": cast.dora.badge, "pin": pin_of(cast.dora.badge)}
    first = terminal.post("dealer/in", body, key)
    assert first.json()["dealer"]["badge"] == cast.dora.badge
    tries = Attempt.objects.count()
    again = terminal.post("dealer/in", body, key)
    assert (again.content, Attempt.objects.count()) == (first.content, tries)
    assert Dealing.objects.get(ended_at=None).dealer == cast.dora
    out = terminal.post("dealer/out", body)
    assert (out.status_code, out.json()) == (200, {"dealer": None})
    assert not Dealing.objects.filter(ended_at=None).exists()
    for stored in StoredAnswer.objects.all():
        with_pin = f"POST /api/v1/dealer/in\n{body}"
        assert stored.request_hash != digest(with_pin)


def test_a_wrong_pin_logs_nobody_in(cast: Cast, terminal: TerminalClient) -> None:
    answer = terminal.post("dealer/in", {"badge": cast.dora.badge, "pin": "000000"})
    assert codes(answer) == ["wrong_pin"]
    assert Dealing.objects.get(ended_at=None).dealer == cast.dan
    assert not StoredAnswer.objects.exists()


def test_a_call_waits_for_a_supervisor_until_somebody_came(
    cast: Cast, terminal: TerminalClient
) -> None:
    first = terminal.post("calls", {"about": "a late bet"})
    assert first.status_code == 200
    assert terminal.post("calls", {}).json() == first.json()
    call = FloorException.objects.get()
    assert (call.code, call.table) == ("supervisor_called", cast.table)
    assert Waiting.objects.get(exception=call).by == ["supervisor"]
    assert terminal.get("table").json()["supervisor_called_since"]
    inbox = signed_in(cast.alice, cast.devices[Place.PIT]).get(reverse("inbox"))
    assert "BJ-11 calls the supervisor: a late bet." in words(inbox)
    bad = terminal.post("calls", {"about": "x" * 81})
    assert bad.status_code == 422


def test_what_cannot_be_stored_or_read_is_a_problem_and_no_crash(
    terminal: TerminalClient,
) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    for body in (
        deep,
        '{"wager": "tri\\u0000lux"}',
        '{"wager": "\\ud800"}',
        '{"paid_cents": 1.5}',
        '{"paid_cents": NaN}',
        '{"paid_cents": 1e2}',
        # In UTF-16, whose bytes are ASCII as well.
        "".join(f"{sign}\0" for sign in '{"wager": "trilux"}'),
        "{",
        "\xff",
    ):
        answer = terminal.client.post(
            "/api/v1/checks",
            body.encode("latin-1"),
            content_type="application/json",
            headers={**terminal.headers, "idempotency-key": str(uuid4())},
        )
        assert answer.status_code == 400, body[:40]
        assert codes(answer) == ["parse_error"]
    odd: list[Any] = [[], "trilux", 7, None]
    for value in odd:
        answer = terminal.post("checks", json.dumps(value))
        assert answer.status_code == 422
        assert codes(answer) == ["bad_body"]
    long = terminal.post("checks", {"wager": "trilux", "note": "x" * 20_000})
    assert (long.status_code, codes(long)) == (413, ["body_too_large"])
    unknown = terminal.post("calls", {"abuot": "a late bet"})
    assert (unknown.status_code, codes(unknown)) == (422, ["unknown_field"])
    assert "about" in unknown.json()["detail"]
    assert not PayoutCheck.objects.exists()


def test_the_schema_describes_every_address_with_its_problems() -> None:
    GENERATOR_STATS.reset()
    described = Client().get("/api/v1/schema/").json()
    assert not GENERATOR_STATS, "the schema is guessed somewhere"
    frozen = json.loads((settings.BASE_DIR / "docs" / "openapi.json").read_text())
    assert described == frozen, (
        "The API changed. Raise its version in pitboss/settings.py, say it in docs/api_changes.md, "
        "and run manage.py spectacular --format openapi-json --file docs/openapi.json"
    )
    assert described["openapi"].startswith("3.")
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            answers = operation["responses"]
            assert {"400", "401", "403"} <= set(answers) or path.endswith("/enrol"), path
            # A token asked for twice is two tokens, of which one is taken up; a felt that is
            # read stores nothing.
            has_no_key = path.endswith(("/enrol", "/token", "/felt"))
            if method == "post" and "slips" not in path and not has_no_key:
                header = {parameter["name"] for parameter in operation["parameters"]}
                assert "Idempotency-Key" in header, path
    checked = described["paths"]["/api/v1/checks"]["post"]
    body = checked["requestBody"]["content"]["application/json"]
    assert body["examples"]


def test_the_readable_page_lists_every_operation_and_brings_nothing_from_elsewhere() -> None:
    answer = Client().get("/api/v1/docs/")
    page = words(answer)
    for named in ("POST /api/v1/checks", "GET /api/v1/table", "Idempotency-Key", "take_back"):
        assert named in page
    assert "https://" not in page
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


def test_every_problem_leads_to_its_code_and_every_code_has_one_status(
    terminal: TerminalClient,
) -> None:
    refused = terminal.post("checks", [])
    assert refused.json()["type"] == "/api/v1/codes/#bad_body"
    listed = words(Client().get("/api/v1/codes/"))
    for code in refusal_codes.codes():
        assert code.code in listed
        assert code.what_to_do in listed
    written = {code.code: code.status for code in refusal_codes.codes()}
    assert (written["bad_body"], written["table_closed"]) == (422, 409)
    assert (written["wrong_role"], written["table_busy"], written["database_away"]) == (
        403,
        503,
        503,
    )
    statuses: defaultdict[str, set[int]] = defaultdict(set)
    for refusal in refusal_codes.written():
        statuses[refusal.code].add(refusal.status)
    assert [code for code, found in statuses.items() if len(found) > 1] == []


def test_the_page_of_codes_is_current() -> None:
    assert (settings.BASE_DIR / "docs" / "codes.md").read_text() == refusal_codes.codes_page()


def test_answers_say_what_is_left_of_the_minute_and_where_what_was_made_is_read(
    terminal: TerminalClient,
) -> None:
    read = terminal.get("table")
    assert read.headers["RateLimit-Policy"] == '"terminal";q=600;w=60'
    assert read.headers["RateLimit"].startswith('"terminal";r=')
    made = terminal.post("rounds", {})
    where = made.headers["Location"].removeprefix("/api/v1/")
    assert terminal.get(where).json() == made.json()


def test_a_terminal_that_reads_the_same_again_gets_no_body(terminal: TerminalClient) -> None:
    first = terminal.get("table")
    again = terminal.client.get(
        "/api/v1/table", headers={**terminal.headers, "if-none-match": first.headers["ETag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    terminal.post("calls", {})
    changed = terminal.client.get(
        "/api/v1/table", headers={**terminal.headers, "if-none-match": first.headers["ETag"]}
    )
    assert changed.status_code == 200
    assert changed.headers["ETag"] != first.headers["ETag"]
