"""Stadium rounds at random, settled twice: by the rules, and by a second, independent reading."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from pitboss.rules.wagers.settle import settle_case
from tests.rules.stadium_second_opinion import second_opinion, waits

ROUNDS = 6_000
CATEGORIES = {
    "blackjack", "blackjack_push", "blackjack_insured", "blackjack_standoff_kept", "even_money",
    "win", "lose", "push", "standoff_kept", "bust", "dealer_blackjack", "surrender",
    "surrender_refused", "split",
}  # fmt: skip
FIRST = ["hit", "stand", "auto", "double", "split", "split", "surrender", "even_money"]
LATER = ["hit", "stand", "auto", "double", "split"]


def a_round(random: Random) -> dict[str, Any]:
    """Deal a round: aces, tens and pairs more often than a shoe gives them."""
    ranks = random.choice(["A23456789TJQK", "A8TK", "A8TJ5"])

    def card() -> str:
        return random.choice(ranks) + random.choice("cdhs")

    player = [card(), card()]
    if random.random() < 0.3:
        player[1] = player[0][0] + random.choice("cdhs")
    up = card()
    if random.random() < 0.2:
        player, up = ["As", "Kd"], random.choice(["Ac", "Ac", "Qh"])
    stake_cents = random.choice([1, 2, 5, 25, 777, 1_000, 2_500])
    insurance_cents = random.choice([0, random.randint(0, stake_cents // 2), stake_cents // 2])
    return {
        "wager": "stadium_blackjack",
        "paytable": random.choice(["3:2", "6:5"]),
        "stake_cents": stake_cents,
        "player_cards": player,
        "dealer_up": up,
        "extra": {
            "community": [card() for _ in range(random.choice([1, 2, 8, 12]))],
            "decisions": [random.choice(FIRST)] if random.random() < 0.3 else [],
            "insurance_cents": insurance_cents if up[0] == "A" else int(random.random() < 0.02),
            "rules": {
                "dealer_soft_17": random.choice(["hit", "stand"]),
                "surrender": random.choice(["enabled", "disabled", "not_against_blackjack"]),
                "keep_standoff_bet": random.choice(
                    ["disabled", "always", "when_not_insured", "always_but_push_insurance"]
                ),
                "double_totals": random.choice([[2, 20], [10, 11]]),
                "double_after_split": random.random() < 0.7,
                "max_split_hands": random.choice([2, 3]),
                "auto_stand": {
                    "soft": random.choice([17, 18]),
                    "hard": random.choice([12, 17]),
                },
            },
        },
    }


def test_two_readings_of_the_rules_agree_on_every_round() -> None:
    random = Random(21)
    seen: Counter[str] = Counter()
    for _ in range(ROUNDS):
        case = a_round(random)
        decisions = case["extra"]["decisions"]
        # Decisions are added until the round is over or spoilt, and now and then one too many.
        while waits(case):
            decisions.append(random.choice(LATER if decisions else FIRST))
        if random.random() < 0.05:
            decisions.append("stand")
        expected = second_opinion(case)
        answer = settle_case(case)
        if expected is None:
            assert set(answer) == {"error"}, (case, answer)
            seen["refused"] += 1
        else:
            assert (answer.get("category"), answer.get("payout_cents")) == expected, (case, answer)
            seen[expected[0]] += 1
    assert {*seen} == CATEGORIES | {"refused"}
    assert min(seen.values()) >= 10, seen
