"""A payout checked at a table's terminal: the verdict, one row, and once for each key."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db.utils import ProgrammingError

from pitboss.models import StoredAnswer, Table
from pitboss.services import house
from pitboss.services.once import sweep_answers
from tables.api import terminals
from tables.models import PayoutCheck
from tables.services import checks
from tables.services.in_force import tray_of
from tests.floor.cast import Cast, ServerClock
from tests.floor.terminals import TerminalClient, make_terminal
from tests.races import at_once, hold_before

pytestmark = pytest.mark.django_db

COUNTED = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
SUPER_3 = {
    "wager": "super_3",
    "stake_cents": 500,
    "player_cards": ["9c", "9d"],
    "dealer_up": "9s",
    "paid_cents": 45_000,
    "seat": 5,
}


@pytest.fixture
def terminal(cast: Cast) -> TerminalClient:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    cast.table.refresh_from_db()
    return TerminalClient(make_terminal(cast.table))


def codes(answer: Any) -> list[str]:
    return [refusal["code"] for refusal in answer.json()["refusals"]]


def test_a_right_payout_is_right_with_its_rule_working_and_cheques(
    cast: Cast, terminal: TerminalClient
) -> None:
    answer = terminal.post("checks", SUPER_3)
    assert answer.status_code == 201, answer.content
    body = answer.json()
    assert (body["verdict"], body["expected_cents"], body["payable_cents"]) == (
        "right",
        45_000,
        45_000,
    )
    assert body["rule"] == "super_3.three_of_a_kind"
    assert "90 to 1" in body["working"]
    assert body["cheques"] == {"10000": 4, "2500": 2}
    assert {approval["code"] for approval in body["approvals"]} == {
        "pays_with_100",
        "sends_out_300",
    }
    assert body["tax"] is None
    row = PayoutCheck.objects.get()
    assert (row.pk, row.verdict, row.table, row.dealer) == (
        body["check"],
        "right",
        cast.table,
        cast.dan,
    )
    assert terminal.get(f"checks/{row.pk}").json() == body


def test_an_overpaid_payout_says_by_how_much_and_what_to_take_back(
    terminal: TerminalClient,
) -> None:
    body = terminal.post("checks", {**SUPER_3, "paid_cents": 90_000}).json()
    assert (body["verdict"], body["difference_cents"]) == ("overpaid", 45_000)
    assert (body["take_back"], body["add"]) == ({"10000": 5}, {"2500": 2})
    body = terminal.post("checks", {**SUPER_3, "paid_cents": 40_000}).json()
    assert (body["verdict"], body["difference_cents"]) == ("underpaid", -5_000)


def test_what_the_facts_do_not_settle_cannot_be_verified_and_is_never_right(
    terminal: TerminalClient,
) -> None:
    for change in (
        {"wager": "blazing_7s"},
        {"wager": "blackjack", "dealer_up": "9s", "stake_cents": 2_500},
        {"paytable": "7"},
        {"extra": {"options": {"pair_by": "value"}}},
    ):
        answer = terminal.post("checks", {**SUPER_3, **change})
        assert answer.status_code == 201, answer.content
        body = answer.json()
        assert body["verdict"] == "cannot_verify"
        assert body["reasons"]
        assert (body["expected_cents"], body["cheques"]) == (None, None)
    assert set(PayoutCheck.objects.values_list("verdict", flat=True)) == {"cannot_verify"}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"player_cards": ["9c", "♥9"]}, "bad_card"),
        ({"player_cards": "9c9d"}, "bad_cards"),
        ({"stake_cents": -5}, "bad_stake"),
        ({"stake_cents": 10**40}, "bad_stake"),
        ({"paid_cents": True}, "bad_amount"),
        ({"paid_cents": None}, "bad_amount"),
        ({"wager": "kéno"}, "unknown_wager"),
        ({"bet": {"7": 1}}, "unknown_denomination"),
        ({"seat": 0}, "bad_seat"),
        ({"colour_up": "black"}, "bad_colour_up"),
        ({"extra": []}, "bad_extra"),
        ({"surprise": 1}, "unknown_field"),
        ({"keyed_at": "yesterday"}, "bad_time"),
        ({"player_cards": ["9c"] * 25}, "too_many_cards"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_code_and_stored_nowhere(
    terminal: TerminalClient, change: dict[str, Any], code: str
) -> None:
    answer = terminal.post("checks", {**SUPER_3, **change})
    assert answer.status_code == 422, answer.content
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert code in codes(answer)
    assert not PayoutCheck.objects.exists()
    assert not StoredAnswer.objects.exists()


# A key that is taken ends the transaction; a test that holds one around it could not look further.
@pytest.mark.django_db(transaction=True)
def test_a_resend_gets_the_same_answer_and_makes_no_second_row(terminal: TerminalClient) -> None:
    key = str(uuid4())
    first = terminal.post("checks", SUPER_3, key)
    again = terminal.post("checks", dict(reversed(SUPER_3.items())), key)
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert PayoutCheck.objects.count() == 1
    other = terminal.post("checks", {**SUPER_3, "paid_cents": 0}, key)
    assert (other.status_code, codes(other)) == (409, ["key_reused"])
    assert PayoutCheck.objects.count() == 1


def test_a_resend_is_answered_even_when_the_act_would_be_refused_by_now(
    cast: Cast, terminal: TerminalClient
) -> None:
    key = str(uuid4())
    first = terminal.post("checks", SUPER_3, key)
    Table.objects.filter(pk=cast.table.pk).update(is_open=False)
    assert terminal.post("checks", SUPER_3, key).content == first.content
    fresh = terminal.post("checks", SUPER_3)
    assert (fresh.status_code, codes(fresh)) == (409, ["table_closed"])


def test_a_refusal_is_not_kept_but_judged_again(cast: Cast, terminal: TerminalClient) -> None:
    key = str(uuid4())
    Table.objects.filter(pk=cast.table.pk).update(is_open=False)
    assert terminal.post("checks", SUPER_3, key).status_code == 409
    Table.objects.filter(pk=cast.table.pk).update(is_open=True)
    assert terminal.post("checks", SUPER_3, key).status_code == 201


def test_an_act_without_a_key_is_refused(terminal: TerminalClient) -> None:
    for key, code in (("", "key_missing"), ("ü", "key_malformed"), ("k" * 65, "key_malformed")):
        headers = terminal.headers | ({"idempotency-key": key} if key else {})
        answer = terminal.client.post(
            "/api/v1/checks", SUPER_3, content_type="application/json", headers=headers
        )
        assert (answer.status_code, codes(answer)) == (400, [code])


def test_answers_are_kept_for_a_week_and_checks_for_ever(
    server_clock: ServerClock, terminal: TerminalClient
) -> None:
    key = str(uuid4())
    terminal.post("checks", SUPER_3, key)
    server_clock.move(days=7)
    assert sweep_answers(now=house.now()) == 0
    server_clock.move(seconds=1)
    assert sweep_answers(now=house.now()) == 1
    assert PayoutCheck.objects.count() == 1


def test_the_database_refuses_to_change_a_check(terminal: TerminalClient) -> None:
    terminal.post("checks", SUPER_3)
    with pytest.raises(ProgrammingError, match="permission denied"):
        PayoutCheck.objects.update(paid_cents=0)


def test_a_check_asks_the_database_twice(
    terminal: TerminalClient, django_assert_num_queries: Any
) -> None:
    terminal.post("checks", SUPER_3)
    # Who calls and what its table stands on; then the check and its answer, in one statement.
    with django_assert_num_queries(2):
        terminal.post("checks", SUPER_3)


@pytest.mark.django_db(transaction=True)
def test_two_that_come_at_once_under_one_key_are_one_check(
    terminal: TerminalClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are judged before either is stored; the key lets one of them through."""
    hold_before(monkeypatch, checks, "check_payout")
    other = TerminalClient(terminal.device)
    first, second = at_once(
        lambda: terminal.post("checks", SUPER_3, "one key").content,
        lambda: other.post("checks", SUPER_3, "one key").content,
    )
    assert first == second
    assert PayoutCheck.objects.count() == 1


def test_what_was_keyed_while_the_line_was_down_is_judged_by_its_own_time_and_marked(
    server_clock: ServerClock, cast: Cast, terminal: TerminalClient
) -> None:
    keyed_at = server_clock.now + timedelta(minutes=10)
    server_clock.move(minutes=30)
    # The table has closed meanwhile; it was open when this was keyed.
    Table.objects.filter(pk=cast.table.pk).update(is_open=False)
    late = terminal.post("checks", {**SUPER_3, "keyed_at": keyed_at.isoformat()}).json()
    assert (late["verdict"], late["keyed_at"]) == ("right", keyed_at.isoformat())
    assert PayoutCheck.objects.get().keyed_at == keyed_at
    for moved, code in (
        (timedelta(hours=1), "keyed_in_the_future"),
        (-timedelta(hours=25), "keyed_too_long_ago"),
    ):
        at = (server_clock.now + moved).isoformat()
        assert codes(terminal.post("checks", {**SUPER_3, "keyed_at": at})) == [code]


def test_what_was_keyed_while_the_table_was_closed_is_refused(
    server_clock: ServerClock, cast: Cast, terminal: TerminalClient
) -> None:
    server_clock.move(minutes=10)
    played_at = server_clock.now
    server_clock.move(minutes=10)
    cast.close_table(COUNTED)
    server_clock.move(minutes=10)
    closed_at = server_clock.now
    server_clock.move(minutes=10)
    cast.open_table(COUNTED)
    server_clock.move(minutes=10)
    opened_at = server_clock.now
    server_clock.move(minutes=10)
    shut = terminal.post("checks", {**SUPER_3, "keyed_at": closed_at.isoformat()})
    assert (shut.status_code, codes(shut)) == (409, ["table_closed_then"])
    for at in (played_at, opened_at):
        late = terminal.post("checks", {**SUPER_3, "keyed_at": at.isoformat()})
        assert late.json()["verdict"] == "right", late.content


def test_a_tray_is_known_as_it_is_now(cast: Cast, terminal: TerminalClient) -> None:
    def held() -> dict[int, int]:
        return dict(tray_of(Table.objects.get(pk=cast.table.pk)))

    before = held()
    cast.deliver(cast.ask({100_000: 3}))
    assert held() == {**before, 100_000: 3}


def test_a_terminal_that_forgot_reads_its_checks_page_by_page(
    cast: Cast, terminal: TerminalClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [terminal.post("checks", {**SUPER_3, "seat": seat}).json() for seat in range(1, 6)]
    other = TerminalClient(make_terminal(cast.other_table))
    monkeypatch.setattr(terminals, "PAGE", 2)
    read: list[Any] = []
    after: int | None = 0
    pages = 0
    while after is not None:
        page = terminal.get(f"checks?after={after}").json()
        read += page["items"]
        after = page["next"]
        pages += 1
    assert read == made
    assert pages == 3
    assert terminal.get(f"checks?after={made[3]['check']}").json() == {
        "items": [made[4]],
        "next": None,
    }
    assert other.get("checks").json() == {"items": [], "next": None}


def test_checks_are_listed_for_seven_days(
    terminal: TerminalClient, server_clock: ServerClock
) -> None:
    terminal.post("checks", SUPER_3)
    server_clock.move(days=7)
    assert len(terminal.get("checks").json()["items"]) == 1
    server_clock.move(seconds=1)
    assert terminal.get("checks").json()["items"] == []


@pytest.mark.parametrize("after", ["-1", "x", "", "1.5", "٣", str(2**63)])
def test_a_page_after_what_is_no_number_is_refused(terminal: TerminalClient, after: str) -> None:
    answer = terminal.get(f"checks?after={after}")
    assert (answer.status_code, codes(answer)) == (400, ["bad_after"])
