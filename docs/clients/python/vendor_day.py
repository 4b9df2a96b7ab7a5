"""A vendor’s day: from a code to a certified terminal, against `make sandbox`.

python vendor_day.py http://127.0.0.1:8000
"""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from pitboss_client import Api, OfflineQueue, Problem
from pitboss_client.shapes import (
    AskRequest,
    CardRequest,
    CheckAnswer,
    CheckRequest,
    RoundBetRequest,
    RoundPayoutRequest,
)

SANDBOX = "/api/v1/sandbox"


def enroll(url: str, table: str) -> Api:
    """Take a code, which two people of a real house give, and trade it for a token."""
    api = Api(url)
    code = api.call("POST", f"{SANDBOX}/code", body={"table": table})["code"]
    api.device_token = api.enrol({"code": code})["token"]
    return api


def check_hands(api: Api) -> dict[str, CheckAnswer]:
    """Have every test hand checked; each must be answered as the list says."""
    answers = {}
    for hand in api.call("GET", f"{SANDBOX}/hands"):
        answer = cast("dict[str, Any]", api.check_payout(hand["check"]))
        expected = dict(hand["answer"])
        reasons = [reason["code"] for reason in answer["reasons"]]
        assert reasons == expected.pop("reasons"), hand["hand"]
        assert all(answer[name] == value for name, value in expected.items()), hand["hand"]
        answers[hand["hand"]] = cast("CheckAnswer", answer)
    return answers


def pay(api: Api, check: CheckAnswer) -> None:
    """Say what was paid: what the check found payable."""
    paid = api.confirm_paid(check["check"], {"paid_cents": check["payable_cents"] or 0})
    assert paid["mismatch"] is None


def pay_with_approval(api: Api, check: CheckAnswer) -> None:
    """Ask for the approval that a large payout needs, wait for it, and pay."""
    assert check["level"] == "approval"
    asked = api.ask_approval(check["check"])
    answer(api, asked["request"])
    while api.read_approval(check["check"])["state"] == "waiting":
        time.sleep(2)
    pay(api, check)


def answer(api: Api, request: int) -> None:
    """Be the supervisor, who in a real house answers on a tablet."""
    api.call("POST", f"{SANDBOX}/requests/{request}/answer", body={"granted": True})


def correct(api: Api, wrong: CheckAnswer, body: CheckRequest) -> None:
    """Send a check again whose cards were entered wrong."""
    told = cast("CheckRequest", {**body, "corrects": wrong["check"]})
    assert api.check_payout(told)["check"] != wrong["check"]


def send_late(api: Api, body: CheckRequest, folder: Path) -> None:
    """Enter a check while offline, and send it when the line is back."""
    queue = OfflineQueue(folder / "queue.jsonl")
    queue.keep(body, datetime.now(UTC) - timedelta(minutes=2))
    (sent,) = queue.send(api)
    assert not isinstance(sent, Problem)
    assert sent["keyed_at"] is not None
    assert queue.waiting() == 0


def play_round(api: Api, stake_cents: int) -> None:
    """Tell a round as it is dealt, from its seats to its end."""
    number = api.start_round({})["round"]
    api.tell_seats(number, {"seats": [{"seat": 3}]})
    bets: list[RoundBetRequest] = [{"wager": "blackjack", "stake_cents": stake_cents}]
    api.tell_wagers(number, {"seat": 3, "bets": bets})
    player: list[CardRequest] = [{"seat": 3, "card": "Th"}, {"seat": 3, "card": "9d"}]
    dealer: list[CardRequest] = [
        {"to": "dealer", "card": "9s"},
        {"to": "dealer", "card": "8h"},
    ]
    api.tell_cards(number, {"cards": [*player, *dealer]})
    paid: list[RoundPayoutRequest] = [{"seat": 3, "wager": "blackjack", "paid_cents": stake_cents}]
    api.tell_payouts(number, {"payouts": paid})
    ended = api.end_round(number, {})
    assert ended["verdict"] is not None
    assert ended["verdict"]["differences"] == []


def ask(api: Api) -> None:
    """Ask for a buy-in above what a dealer changes alone, and read the answer."""
    body: AskRequest = {"kind": "buy_in", "facts": {"amount_cents": 200_000}}
    asked = api.ask_supervisor(body)
    answer(api, asked["request"])
    assert api.read_request(asked["request"])["state"] == "granted"


def work(url: str, table: str = "BJ-15") -> dict[str, Any]:
    """Do everything that a certified terminal does; return its certificate."""
    api = enroll(url, table)
    api.call("POST", f"{SANDBOX}/reset")
    read = api.read_table()
    assert read["is_open"]
    stake = read["minimum_cents"] * 2
    answers = check_hands(api)
    pay(api, answers["blackjack_wins"])
    pay_with_approval(api, answers["blackjack_at_the_maximum"])
    body: CheckRequest = {
        "wager": "blackjack",
        "stake_cents": stake,
        "player_cards": ["Th", "9c"],
        "dealer_cards": ["9s", "8h"],
        "paid_cents": stake,
        "seat": 5,
    }
    correct(api, answers["blackjack_doubled"], body)
    with tempfile.TemporaryDirectory() as folder:
        send_late(api, body, Path(folder))
    play_round(api, stake)
    ask(api)
    for mark in ("shuffle", "deal", "stop"):
        api.mark_shoe({"mark": mark})
    certificate: dict[str, Any] = api.call("GET", f"{SANDBOX}/certificate")
    return certificate


if __name__ == "__main__":
    found = work(*sys.argv[1:])
    for point in found["points"]:
        sys.stdout.write(f"{'yes' if point['is_met'] else 'no '}  {point['title']}\n")
    sys.exit(0 if found["is_certified"] else 1)
