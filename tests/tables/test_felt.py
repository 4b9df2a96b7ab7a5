"""The felt over the API: judged whole without a trace, and stored bet by bet when it was paid."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from pitboss.models import FloorException, Table
from tables.models import Mismatch, PayoutCheck, PayoutConfirmation, PayoutWord
from tests.floor.cast import Cast, ServerClock
from tests.floor.house import change
from tests.floor.payouts import open_with_terminal
from tests.floor.terminals import TerminalClient

pytestmark = pytest.mark.django_db


@pytest.fixture
def terminal(cast: Cast) -> TerminalClient:
    return open_with_terminal(cast)


def seat(number: int, hand: str, *bets: dict[str, Any]) -> dict[str, Any]:
    return {"seat": number, "bets": list(bets), "hands": [{"cards": hand.split()}]}


MAIN = {"wager": "blackjack", "bet": {"2500": 1}}
FELT = {
    "dealer": ["9", "2", "7"],
    "seats": [
        seat(5, "T 9", MAIN),
        seat(4, "7 8 5", MAIN, {"wager": "trilux", "stake_cents": 4_500}),
        seat(1, "T 6 Q", MAIN),
    ],
}
PAID = [
    {"seat": 5, "wager": "blackjack", "paid_cents": 2_500},
    {"seat": 4, "wager": "blackjack", "paid_cents": 2_500},
]


def codes(answer: Any) -> list[str]:
    return [refusal["code"] for refusal in answer.json()["refusals"]]


def test_a_felt_is_judged_whole_and_leaves_no_trace(terminal: TerminalClient) -> None:
    answer = terminal.post("felt", FELT)
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert {item["seat"]: item["owed_cents"] for item in body["seats"]} == {
        5: 2_500,
        4: 43_000,
        1: 0,
    }
    assert body["owed_cents"] == 45_500
    assert not PayoutCheck.objects.exists()


def test_what_a_felt_says_is_owed_a_check_of_the_same_claim_calls_right(
    terminal: TerminalClient,
) -> None:
    body = terminal.post("felt", FELT).json()
    for line in (line for item in body["seats"] for line in item["lines"]):
        checked = terminal.post("checks", {**line["claim"], "paid_cents": line["payable_cents"]})
        assert checked.json()["verdict"] == "right"
        more = {**line["claim"], "paid_cents": line["payable_cents"] + 500}
        assert terminal.post("checks", more).json()["verdict"] == "overpaid"


def test_what_was_paid_is_stored_once_with_a_check_and_a_confirmation_each(
    cast: Cast, terminal: TerminalClient
) -> None:
    for _ in range(2):
        answer = terminal.post("felt/paid", {**FELT, "paid": PAID}, key="round-1")
        assert answer.status_code == 201, answer.content
    assert [(item["seat"], item["verdict"]) for item in answer.json()["paid"]] == [
        (5, "right"),
        (4, "right"),
    ]
    assert (PayoutCheck.objects.count(), PayoutConfirmation.objects.count()) == (2, 2)
    check = PayoutCheck.objects.earliest("pk")
    # As it was told: no suit is in ink that nobody saw.
    assert check.claim["player_cards"] == ["T", "9"]
    assert (check.stake_cents, check.dealer) == (2_500, cast.dan)
    assert not Mismatch.objects.exists()


def test_what_was_paid_otherwise_differs_like_any_other_payout(terminal: TerminalClient) -> None:
    paid = [{**PAID[0], "paid_cents": 5_000}]
    answer = terminal.post("felt/paid", {**FELT, "paid": paid}).json()["paid"][0]
    assert (answer["verdict"], answer["mismatch"]["difference_cents"]) == ("overpaid", 2_500)
    assert FloorException.objects.filter(code="payout_differs").count() == 1


def test_cards_that_the_decks_do_not_hold_leave_nothing_on_the_felt_verified(
    cast: Cast, terminal: TerminalClient
) -> None:
    # Each seat by itself could be; seven 2♥ of six decks cannot.
    seats = [seat(number, "2h 9s 9c", MAIN) for number in range(1, 8)]
    felt = {"dealer": ["9d", "8d"], "seats": seats}
    body = terminal.post("felt", felt).json()
    assert {line["verdict"] for item in body["seats"] for line in item["lines"]} == {
        "cannot_verify"
    }
    paid = [{"seat": 3, "wager": "blackjack", "paid_cents": 2_500}]
    answer = terminal.post("felt/paid", {**felt, "paid": paid}).json()["paid"][0]
    assert answer["verdict"] == "cannot_verify"
    assert answer["mismatch"]
    check = PayoutCheck.objects.get()
    assert {reason["code"] for reason in check.answer["reasons"]} == {"too_many_of_a_card"}
    fewer = {**felt, "seats": seats[:6], "paid": paid}
    assert terminal.post("felt/paid", fewer).json()["paid"][0]["verdict"] == "right"


def test_what_needs_approval_is_not_paid_with_the_rest(terminal: TerminalClient) -> None:
    trilux = {"seat": 4, "wager": "trilux", "paid_cents": 40_500}
    answer = terminal.post("felt/paid", {**FELT, "paid": [*PAID, trilux]})
    assert (answer.status_code, codes(answer)) == (409, ["approval_missing"])
    assert not PayoutCheck.objects.exists()
    # What is out is out: stored, and flagged.
    fields = {**FELT, "paid": [*PAID, trilux], "already_paid": True}
    assert terminal.post("felt/paid", fields).status_code == 201
    assert PayoutWord.objects.get().approval is None
    assert FloorException.objects.filter(code="paid_without_approval").count() == 1


def test_a_felt_that_comes_late_is_judged_by_its_own_time_and_marked(
    server_clock: ServerClock, cast: Cast, terminal: TerminalClient
) -> None:
    keyed_at = server_clock.now + timedelta(minutes=10)
    server_clock.move(minutes=30)
    # The table has closed meanwhile; it was open when this was entered.
    Table.objects.filter(pk=cast.table.pk).update(is_open=False)
    trilux = {"seat": 4, "wager": "trilux", "paid_cents": 40_500}
    fields = {**FELT, "paid": [*PAID, trilux], "keyed_at": keyed_at.isoformat()}
    answer = terminal.post("felt/paid", fields)
    assert answer.status_code == 201, answer.content
    assert {item["verdict"] for item in answer.json()["paid"]} == {"right"}
    assert set(PayoutCheck.objects.values_list("keyed_at", flat=True)) == {keyed_at}
    # It went out on the dealer's word, and the pit manager hears of it.
    assert FloorException.objects.filter(code="paid_without_approval").count() == 1


@pytest.mark.parametrize(
    ("paid", "code"),
    [
        ([{"seat": 2, "wager": "blackjack", "paid_cents": 0}], "no_such_bet"),
        ([{"seat": 5, "wager": "trilux", "paid_cents": 0}], "no_such_bet"),
        ([PAID[0], PAID[0]], "no_such_bet"),
        ([{**PAID[0], "hand": 2}], "no_such_bet"),
        ([{**PAID[0], "seat": [5]}], "no_such_bet"),
        ([{**PAID[0], "paid_cents": -1}], "bad_amount"),
        ([{**PAID[0], "odd": 1}], "unknown_field"),
        ("all", "bad_round"),
    ],
)
def test_what_cannot_have_been_paid_so_is_refused_and_nothing_is_stored(
    terminal: TerminalClient, paid: object, code: str
) -> None:
    answer = terminal.post("felt/paid", {**FELT, "paid": paid})
    assert codes(answer) == [code]
    assert not PayoutCheck.objects.exists()


def test_a_closed_table_has_no_felt(cast: Cast, terminal: TerminalClient) -> None:
    Table.objects.filter(pk=cast.table.pk).update(is_open=False)
    assert codes(terminal.post("felt", FELT)) == ["table_closed"]
    assert codes(terminal.post("felt/paid", {**FELT, "paid": PAID})) == ["table_closed"]


def test_a_felt_that_is_no_felt_is_refused(terminal: TerminalClient) -> None:
    for told in ({"seats": "all"}, {"seats": [5]}, {"seats": [{"bets": [5]}]}, {"odd": 1}):
        assert terminal.post("felt", told).status_code == 422


@pytest.mark.parametrize(
    ("must", "hand", "is_refused"),
    [
        ("nothing", "", False),
        ("side_bets", "T 4", True),
        ("side_bets", "7 8", False),
        ("all", "T 4", True),
        ("all", "7 8 T", False),
    ],
)
def test_a_round_ends_unchecked_only_where_the_house_lets_it_or_is_told(
    cast: Cast, terminal: TerminalClient, must: str, hand: str, is_refused: bool
) -> None:
    if must != "nothing":
        change(cast, "felt.must_check", must)
    fields = {
        "dealer": ["9", "2", "7"],
        "seats": [seat(4, hand, MAIN, {"wager": "trilux", "stake_cents": 500})],
        "paid": [],
    }
    answer = terminal.post("felt/paid", fields)
    assert (answer.status_code == 422) is is_refused
    if is_refused:
        assert codes(answer) == ["bets_unchecked"]
        assert terminal.post("felt/paid", {**fields, "unchecked": True}).status_code == 201
    floor_exceptions = FloorException.objects.filter(code="bets_unchecked").values_list(
        "sentence", flat=True
    )
    assert (
        list(floor_exceptions) == [f"{cast.table}: a round ended unchecked. Seat 4."] * is_refused
    )
