"""Random tables, seats and splits through the API: a round, the felt and single checks agree.

The main bet has a second opinion besides, written without the rules package: whoever calls a
payout right must come to the same amount.
"""

from __future__ import annotations

import os
from random import Random
from time import monotonic
from typing import Any
from uuid import uuid4

import pytest

from pitboss.rules.games.printed import GAMES
from tests.floor.big_wins import opened
from tests.floor.cast import Cast
from tests.floor.dealt_rounds import round_at_random, second_opinion, set_up_at_random
from tests.floor.terminals import TerminalClient

pytestmark = pytest.mark.django_db

ROUNDS = 6
SEED = int(os.environ.get("PITBOSS_RANDOM_SEED", "21"))
# A slow machine plays fewer rounds, but always one.
SECONDS_MOST = 30
CHECKS_A_ROUND = 8


def agreed(terminal: TerminalClient, game_id: str, setup: dict[str, Any], random: Random) -> int:
    """Play one round through the API every way; return how many payouts were called right."""
    dealer, seats = round_at_random(game_id, setup, random)
    response = terminal.post(
        "felt", {"dealer": dealer, "seats": [seat.on_the_felt() for seat in seats]}
    )
    assert response.status_code == 200, response.content
    lines = [line for seat in response.json()["seats"] for line in seat["lines"]]
    sent = {"dealer_cards": dealer, "seats": [seat.in_a_round() for seat in seats]}
    whole = terminal.put(f"rounds/{uuid4()}", sent)
    assert whole.status_code == 200, (whole.content, sent)
    settled = {
        (line["seat"], line["wager"]): line["pushes"] for line in whole.json()["verdict"]["lines"]
    }
    by_number = {seat.number: seat for seat in seats}
    checks = set(random.sample(range(len(lines)), min(CHECKS_A_ROUND, len(lines))))
    right = 0
    for place, line in enumerate(lines):
        owed = line["payable_cents"]
        where = (game_id, setup, dealer, line)
        if owed is None:
            # Nobody calls right what another cannot verify.
            assert line["verdict"] == "cannot_verify", where
            continue
        hand = (line["hand"] or 1) - 1
        pushes = settled[line["seat"], line["wager"]]
        assert 0 <= pushes[hand] - owed < 100, (where, pushes)
        if line["wager"] == "blackjack" and game_id != "face_up":
            seat = by_number[line["seat"]]
            assert owed == second_opinion(seat, hand, dealer, setup["blackjack_pays"]), where
        if place not in checks:
            continue
        for paid, verdict in ((owed, "right"), (owed + 500, "overpaid"), (owed - 100, "underpaid")):
            if paid < 0:
                continue
            answer = terminal.post("checks", {**line["claim"], "paid_cents": paid})
            assert answer.status_code == 201, (where, answer.content)
            found = answer.json()
            assert (found["verdict"], found["payable_cents"]) == (verdict, owed), where
            right += verdict == "right"
    return right


@pytest.mark.parametrize("game_id", [game for game in GAMES if game != "stadium"])
def test_no_random_table_calls_right_what_its_rules_do_not_owe(cast: Cast, game_id: str) -> None:
    random = Random(f"{SEED} {game_id}")
    terminal = opened(cast)
    until, right = monotonic() + SECONDS_MOST, 0
    for _ in range(ROUNDS):
        setup = set_up_at_random(cast, game_id, random)
        right += agreed(terminal, game_id, setup, random)
        if monotonic() > until:
            break
    assert right
