"""Rounds told by a terminal: in order, ended once, in ink, and not while a jackpot is pending."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from jackpots.kinds.jackpot import JACKPOT_KIND
from pitboss.models import JournalEntry, Slip
from pitboss.rules.flows.flows import PlanFacts
from tables.models import Round
from tests.floor.cast import Cast
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = pytest.mark.django_db

COUNTED = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
WAGERS = {
    "seat": 5,
    "bets": [
        {"wager": "blackjack", "stake_cents": 5_000},
        {"wager": "trilux", "stake_cents": 1_000},
    ],
}
CARDS = {
    "cards": [
        {"seat": 5, "card": "9c"},
        {"to": "dealer", "card": "9s"},
        {"seat": 5, "card": "9d"},
        {"to": "dealer", "card": "8h"},
    ]
}


@pytest.fixture
def terminal(cast: Cast) -> TerminalClient:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    return TerminalClient(make_terminal(cast.table))


def codes(answer: Any) -> list[str]:
    return [refusal["code"] for refusal in answer.json()["refusals"]]


def started(terminal: TerminalClient) -> int:
    answer = terminal.post("rounds", {})
    assert answer.status_code == 201, answer.content
    return int(answer.json()["round"])


def dealt(terminal: TerminalClient) -> int:
    round_ = started(terminal)
    for part, told in (
        ("seats", {"seats": [{"seat": 5}]}),
        ("wagers", WAGERS),
        ("cards", CARDS),
        ("decisions", {"seat": 5, "decision": "stand"}),
    ):
        answer = terminal.post(f"rounds/{round_}/{part}", told)
        assert answer.status_code == 200, answer.content
    return round_


def pend_a_jackpot(cast: Cast) -> None:
    """Raise what a progressive raises, by the database alone: an open slip of that kind."""
    fill = cast.ask()
    Slip.objects.create(
        kind="jackpot",
        series="J",
        year=2026,
        number=1,
        serial="J-2026-000001",
        table=cast.table,
        gaming_day=fill.gaming_day,
        shift=fill.shift,
        raised_at=fill.raised_at,
        total_cents=0,
        plan=JACKPOT_KIND.plan(PlanFacts({})),
    )


@pytest.mark.parametrize("wager", [{}, {"name": "trilux"}, [], ["trilux"], 7, True, None, "\u0130"])
def test_a_wager_that_is_no_name_is_refused_and_the_round_goes_on(
    terminal: TerminalClient, wager: object
) -> None:
    round_ = dealt(terminal)
    before = terminal.get(f"rounds/{round_}").json()
    paid = {"payouts": [{"seat": 5, "wager": wager, "paid_cents": 9_000}]}
    for told in (paid, {"wager": wager}):
        refused = terminal.post(f"rounds/{round_}/payouts", told)
        assert refused.status_code == 422, refused.content
        assert refused.json()["refusals"]
    assert terminal.get(f"rounds/{round_}").json() == before
    paid["payouts"][0]["wager"] = "trilux"
    assert terminal.post(f"rounds/{round_}/payouts", paid).status_code == 200


def test_a_round_is_told_settled_and_ended_with_one_entry_of_the_journal(
    cast: Cast, terminal: TerminalClient
) -> None:
    round_ = dealt(terminal)
    paid = {"payouts": [{"seat": 5, "wager": "trilux", "paid_cents": 9_500}]}
    assert terminal.post(f"rounds/{round_}/payouts", paid).status_code == 200
    before = JournalEntry.objects.count()
    ended = terminal.post(f"rounds/{round_}/end", {}).json()
    assert [(line["wager"], line["payout_cents"]) for line in ended["verdict"]["lines"]] == [
        ("trilux", 9_000),
        ("blackjack", 5_000),
    ]
    assert ended["verdict"]["differences"][0]["difference_cents"] == 500
    assert terminal.get(f"rounds/{round_}").json() == ended
    assert JournalEntry.objects.count() == before + 1
    assert JournalEntry.objects.latest("id").kind == "round_ended"


def test_what_comes_out_of_turn_is_refused_with_its_code(
    cast: Cast, terminal: TerminalClient
) -> None:
    round_ = started(terminal)
    for part, told, code, status in (
        ("cards", CARDS, "no_wagers", 409),
        ("decisions", {"seat": 5, "decision": "hit"}, "seat_empty", 422),
        ("wagers", WAGERS, "seat_empty", 422),
        ("wagers", {**WAGERS, "odds": 2}, "unknown_field", 422),
    ):
        answer = terminal.post(f"rounds/{round_}/{part}", told)
        assert (answer.status_code, codes(answer)) == (status, [code])
    again = terminal.post("rounds", {})
    assert (again.status_code, codes(again)) == (409, ["round_open"])
    assert terminal.post(f"rounds/{round_}/end", {}).status_code == 200, "nobody bet"
    late = terminal.post(f"rounds/{round_}/end", {})
    assert (late.status_code, codes(late)) == (409, ["round_ended"])
    assert terminal.post(f"rounds/{round_}/dance", {}).status_code == 404
    other = TerminalClient(make_terminal(cast.other_table))
    assert codes(other.post(f"rounds/{round_}/end", {})) == ["unknown_round"]
    assert other.get(f"rounds/{round_}").status_code == 404
    assert codes(other.post("rounds", {})) == ["table_closed"]


def test_a_round_of_which_no_card_was_told_ends_unverified(terminal: TerminalClient) -> None:
    round_ = started(terminal)
    terminal.post(f"rounds/{round_}/seats", {"seats": [{"seat": 5}]})
    terminal.post(f"rounds/{round_}/wagers", WAGERS)
    answer = terminal.post(f"rounds/{round_}/end", {})
    assert answer.status_code == 200
    assert answer.json()["outcome"] == "unverified"
    assert Round.objects.get().log["seats"][0]["bets"] == WAGERS["bets"], "what was bet counts"


def test_a_resend_adds_its_part_once(terminal: TerminalClient) -> None:
    key = str(uuid4())
    first = terminal.post("rounds", {}, key)
    assert terminal.post("rounds", {}, key).content == first.content
    round_ = first.json()["round"]
    terminal.post(f"rounds/{round_}/seats", {"seats": [{"seat": 5}]})
    terminal.post(f"rounds/{round_}/wagers", WAGERS)
    one = str(uuid4())
    response = terminal.post(f"rounds/{round_}/cards", {"cards": [{"seat": 5, "card": "9c"}]}, one)
    again = terminal.post(f"rounds/{round_}/cards", {"cards": [{"seat": 5, "card": "9c"}]}, one)
    assert again.content == response.content
    assert Round.objects.get().log["seats"][0]["cards"] == ["9c"]


def test_no_round_ends_while_a_jackpot_is_pending(cast: Cast, terminal: TerminalClient) -> None:
    round_ = dealt(terminal)
    pend_a_jackpot(cast)
    for path in (f"rounds/{round_}/end", "rounds"):
        answer = terminal.post(path, {})
        assert answer.status_code == 409
        assert "jackpot_pending" in codes(answer)
    assert Round.objects.get().ended_at is None


def test_the_database_keeps_a_round_that_has_ended_and_one_open_at_a_table(
    cast: Cast, terminal: TerminalClient
) -> None:
    round_ = dealt(terminal)
    terminal.post(f"rounds/{round_}/end", {})
    first = Round.objects.get(pk=round_)
    started(terminal)
    second = Round(table=cast.table, terminal=terminal.device, started_at=first.started_at, log={})
    with pytest.raises(IntegrityError, match="one_open_round_a_table"), transaction.atomic():
        second.save()
    with pytest.raises(IntegrityError, match="never changed"):
        Round.objects.filter(pk=round_).update(log={})


def test_a_terminal_that_forgot_reads_the_rounds_after_the_one_it_knows(
    terminal: TerminalClient,
) -> None:
    first = dealt(terminal)
    terminal.post(f"rounds/{first}/end", {})
    second = started(terminal)
    listed = terminal.get("rounds").json()
    assert [item["round"] for item in listed["items"]] == [first, second]
    assert listed["items"][0] == terminal.get(f"rounds/{first}").json()
    assert [item["round"] for item in terminal.get(f"rounds?after={first}").json()["items"]] == [
        second
    ]
