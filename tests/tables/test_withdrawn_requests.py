"""A request is withdrawn at the terminal until a supervisor answers it, and never both."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import Error, connection, transaction

from pitboss.models import FloorException, JournalEntry
from pitboss.rules.roles import Place
from pitboss.services.verification import verify
from tables.models import FloorEntry, FloorRequest, RequestWithdrawal
from tables.services import floor_log, withdrawals
from tables.services.floor_log import Tap, answer
from tables.services.terminals import terminal_by_token
from tests.floor.cast import Cast, refused
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import TerminalClient, make_terminal
from tests.races import refusals, while_held
from tests.tampering import columns_of

COUNTED = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
BUY_IN = {"kind": "buy_in", "facts": {"amount_cents": 100_000}}


@pytest.fixture
def floor(cast: Cast) -> Cast:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    return cast


@pytest.fixture
def terminal(floor: Cast) -> TerminalClient:
    terminal = TerminalClient(make_terminal(floor.table))
    pen = floor.pen(floor.dan)
    tapped = terminal.post("dealer/in", {"badge": pen.badge, "pin": pen.pin})
    assert tapped.status_code == 200, tapped.content
    return terminal


def ask(terminal: TerminalClient, body: dict[str, Any] = BUY_IN) -> FloorRequest:
    return FloorRequest.objects.get(pk=terminal.post("requests", body).json()["request"])


def withdraw(terminal: TerminalClient, asked: FloorRequest, key: str = "") -> Any:
    return terminal.post(f"requests/{asked.pk}/withdraw", {}, key)


def tap(cast: Cast) -> Tap:
    return Tap(cast.alice, cast.devices[Place.PIT], uuid4())


def codes(answer: Any) -> list[str]:
    return [refusal["code"] for refusal in answer.json()["refusals"]]


@pytest.mark.django_db(transaction=True)
def test_a_request_is_withdrawn_once_and_leaves_the_list(
    floor: Cast, terminal: TerminalClient
) -> None:
    floor_request = ask(terminal)
    waiting = FloorException.objects.filter(code="floor_request", resolved_at=None)
    assert waiting.count() == 1
    first = withdraw(terminal, floor_request, "one")
    assert (first.status_code, first.json()["state"]) == (200, "withdrawn")
    again = withdraw(terminal, floor_request, "one")
    assert again.content == first.content
    assert again.headers["Idempotent-Replayed"] == "true"
    assert not waiting.exists()
    assert terminal.get(f"requests/{floor_request.pk}").json()["state"] == "withdrawn"
    assert terminal.get("requests").json()[0]["state"] == "withdrawn"
    journal_entry = JournalEntry.objects.get(kind="floor_withdrawn")
    assert journal_entry.person == floor.dan
    assert verify().is_sound
    tablet = signed_in(floor.alice, floor)
    page = words(tablet.get(f"/floor-log/requests/{floor_request.pk}/"))
    assert "There is nothing to answer" in page
    assert "Send $1,000" not in page
    log = words(tablet.get("/reports/floor/"))
    assert "Asked and withdrawn" in log


@pytest.mark.django_db(transaction=True)
def test_what_was_answered_or_reported_or_is_another_tables_is_not_withdrawn(
    floor: Cast, terminal: TerminalClient
) -> None:
    granted = ask(terminal)
    answer(asked=granted, is_granted=True, hand=tap(floor))
    late = withdraw(terminal, granted)
    assert (late.status_code, codes(late)) == (409, ["already_answered"])
    report = ask(terminal, {"kind": "equipment", "facts": {"what": "shuffler"}})
    stays = withdraw(terminal, report)
    assert (stays.status_code, codes(stays)) == (409, ["report_stays"])
    floor_request = ask(terminal)
    assert withdraw(terminal, floor_request).status_code == 200
    twice = withdraw(terminal, floor_request)
    assert (twice.status_code, codes(twice)) == (409, ["request_withdrawn"])
    with refused("request_withdrawn", journal=()):
        answer(asked=floor_request, is_granted=True, hand=tap(floor))
    body = terminal.post(f"requests/{floor_request.pk}/withdraw", {"why": "x"})
    assert (body.status_code, codes(body)) == (422, ["unknown_field"])
    other = TerminalClient(make_terminal(floor.other_table))
    assert withdraw(other, floor_request).status_code == 404


@pytest.mark.django_db
def test_someone_deals_who_withdraws(floor: Cast, terminal: TerminalClient) -> None:
    pen = floor.pen(floor.dan)
    out = terminal.post("dealer/out", {"badge": pen.badge, "pin": pen.pin})
    assert out.status_code == 200
    refusal = withdraw(terminal, ask(terminal))
    assert (refusal.status_code, codes(refusal)) == (409, ["dealer_missing"])


@pytest.mark.django_db(transaction=True)
def test_a_payout_whose_approval_was_withdrawn_is_asked_again(
    floor: Cast, terminal: TerminalClient
) -> None:
    check = terminal.post(
        "checks",
        {
            "wager": "blackjack",
            "stake_cents": 40_000,
            "player_cards": ["Ts", "9s"],
            "dealer_cards": ["Th", "8h"],
            "paid_cents": 40_000,
        },
    ).json()["check"]
    first = terminal.post(f"checks/{check}/approval", {}).json()
    assert first["state"] == "waiting"
    assert withdraw(terminal, FloorRequest.objects.get(pk=first["request"])).status_code == 200
    second = terminal.post(f"checks/{check}/approval", {}).json()
    assert (second["state"], second["request"] != first["request"]) == ("waiting", True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_answered", [True, False])
def test_a_supervisor_answers_while_the_dealer_withdraws_and_the_first_of_them_does(
    floor: Cast, terminal: TerminalClient, monkeypatch: pytest.MonkeyPatch, is_answered: bool
) -> None:
    floor_request = ask(terminal)
    known = terminal_by_token(terminal.device.name)
    assert known is not None
    acts = [
        lambda: answer(asked=floor_request, is_granted=True, hand=tap(floor)),
        lambda: withdrawals.withdraw(terminal=known, asked=floor_request),
    ]
    first, second = acts if is_answered else acts[::-1]
    # Whoever comes first has read that the request is open, and has not written.
    results = while_held(monkeypatch, floor_log, "demand_open", first, second)
    assert refusals(results) == [("already_answered" if is_answered else "request_withdrawn",)]
    assert FloorEntry.objects.filter(answers=floor_request).exists() is is_answered
    assert RequestWithdrawal.objects.filter(asked=floor_request).exists() is not is_answered


@pytest.mark.django_db(transaction=True)
def test_the_database_keeps_a_request_answered_or_withdrawn_and_no_withdrawal_changes(
    floor: Cast, terminal: TerminalClient
) -> None:
    granted, asked = ask(terminal), ask(terminal)
    entry = answer(asked=granted, is_granted=True, hand=tap(floor))
    withdraw(terminal, asked)
    row = RequestWithdrawal.objects.get(asked=asked)
    columns = columns_of(FloorEntry)
    instead = {"request_id": "gen_random_uuid()", "answers_id": str(asked.pk)}
    taken = ", ".join(instead.get(column, column) for column in columns)
    broken = [
        (
            f"INSERT INTO tables_floorentry ({', '.join(columns)}) SELECT {taken} "
            f"FROM tables_floorentry WHERE id = {entry.pk}",
            "was withdrawn",
        ),
        (
            "INSERT INTO tables_requestwithdrawal (asked_id, by_id, terminal_id, at) "
            f"SELECT {granted.pk}, by_id, terminal_id, at FROM tables_requestwithdrawal",
            "was answered",
        ),
        (f"UPDATE tables_requestwithdrawal SET at = now() WHERE id = {row.pk}", "permission"),
        (f"DELETE FROM tables_requestwithdrawal WHERE id = {row.pk}", "permission"),
    ]
    for sql, said in broken:
        with pytest.raises(Error, match=said), transaction.atomic():
            connection.cursor().execute(sql)
