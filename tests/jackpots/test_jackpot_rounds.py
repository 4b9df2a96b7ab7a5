"""Rounds and jackpots at one terminal: wagers feed the meter, and a pending hit holds the round."""

from __future__ import annotations

from typing import Any

import pytest

from jackpots.models import Jackpot, MeterContribution, MeterFreeze
from pitboss.models import Slip
from pitboss.rules.payouts.meters import Cause
from pitboss.services.verification import verify
from tests.floor.cast import Cast, pin_of, refused
from tests.floor.jackpots import open_tables, pay, released
from tests.floor.meters import MEGA, adjust, play, shows, start
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = pytest.mark.django_db(transaction=True)
START = 2_431_055


def bets(seat: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "bets": [
            {"wager": "blackjack", "stake_cents": 5_000},
            {"wager": "blazing_7s", "stake_cents": 500},
        ],
    }


def dealt(terminal: TerminalClient) -> int:
    """Deal a round in which seats 5 and 2 hold three sevens of two colours with the dealer's."""
    round_ = int(terminal.post("rounds", {}).json()["round"])
    cards = [
        {"seat": 2, "card": "7h"},
        {"seat": 5, "card": "7h"},
        {"to": "dealer", "card": "7d"},
        {"seat": 2, "card": "7s"},
        {"seat": 5, "card": "7c"},
        {"to": "dealer", "card": "Ts"},
    ]
    for part, told in (
        ("seats", {"seats": [{"seat": 2}, {"seat": 5}]}),
        ("wagers", bets(2)),
        ("wagers", bets(5)),
        ("cards", {"cards": cards[:3]}),
        ("cards", {"cards": cards[3:]}),
        ("decisions", {"seat": 2, "decision": "stand"}),
        ("decisions", {"seat": 5, "decision": "stand"}),
    ):
        answer = terminal.post(f"rounds/{round_}/{part}", told)
        assert answer.status_code == 200, answer.content
    return round_


def press(cast: Cast, terminal: TerminalClient, seat: int, cards: list[str]) -> Slip:
    body = {
        "badge": cast.dan.badge,
        "pin": pin_of(cast.dan.badge),
        "seat": seat,
        "wager": "blazing_7s",
        "player_cards": cards,
        "dealer_cards": ["7d"],
    }
    answer = terminal.post("jackpots", body)
    assert answer.status_code == 201, answer.content
    return Slip.objects.get(serial=answer.json()["serial"])


def test_a47_a_round_neither_ends_nor_begins_while_its_jackpot_is_pending(cast: Cast) -> None:
    meter = open_tables(cast)
    terminal = TerminalClient(make_terminal(cast.table))
    round_ = dealt(terminal)
    # Two wagers at a fifth of $5, told once although the cards came in two parts.
    assert MeterContribution.objects.get().wagers == 2
    assert shows(meter) == START + 200
    first = press(cast, terminal, 5, ["7h", "7c"])
    for path in (f"rounds/{round_}/end", "rounds"):
        answer = terminal.post(path, {})
        assert answer.status_code == 409
        assert "jackpot_pending" in [refusal["code"] for refusal in answer.json()["refusals"]]
    released(cast, first)
    pay(cast, first, by=cast.bob)
    # Another hit of the same round, entered after the first was paid, is of the same round.
    second = press(cast, terminal, 2, ["7h", "7s"])
    assert first.details["round"] == second.details["round"] == f"round:{round_}"
    released(cast, second)
    pay(cast, second, by=cast.bob)
    ended = terminal.post(f"rounds/{round_}/end", {})
    assert ended.status_code == 200, ended.content
    assert Jackpot.objects.count() == 2
    assert verify().is_sound


def test_a_round_is_settled_on_the_meter_that_its_hit_froze(cast: Cast) -> None:
    open_tables(cast, start="5,000", reset="1,000")
    terminal = TerminalClient(make_terminal(cast.table))
    round_ = int(terminal.post("rounds", {}).json()["round"])
    cards = [{"seat": 5, "card": "7h"}, {"to": "dealer", "card": "7d"}]
    cards += [{"seat": 5, "card": "7d"}, {"to": "dealer", "card": "Ts"}]
    for part, told in (
        ("seats", {"seats": [{"seat": 5}]}),
        ("wagers", bets(5)),
        ("cards", {"cards": cards}),
        ("decisions", {"seat": 5, "decision": "stand"}),
    ):
        assert terminal.post(f"rounds/{round_}/{part}", told).status_code == 200
    tenth = press(cast, terminal, 5, ["7h", "7d"])
    released(cast, tenth)
    pay(cast, tenth, by=cast.bob)
    assert MeterFreeze.objects.get().round_key == f"round:{round_}"
    lines = terminal.post(f"rounds/{round_}/end", {}).json()["verdict"]["lines"]
    paid = {line["wager"]: line["payout_cents"] for line in lines}
    assert paid["blazing_7s"] == 50_010


def test_a_posted_jackpot_is_not_changed_in_the_middle_of_a_game(cast: Cast) -> None:
    play("bet_bigger", cast.table)
    meter = start(cast, MEGA, tables="BJ-11")
    cast.table.is_open = True
    cast.table.save(update_fields=["is_open"])
    terminal = TerminalClient(make_terminal(cast.table))
    assert terminal.post("rounds", {}).status_code == 201
    with refused("mid_game", journal=("sign_refused", "meter.adjustment_refused")):
        adjust(cast, meter, Cause.POSTED, 6_000_000)
