"""Was a round paid as it was settled? Hand by hand, bet by bet, and winners that went unpaid."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pitboss.rules.games.eligibility import Whose
from pitboss.rules.games.games import TableRules
from pitboss.rules.rounds.log import INSURANCE_BET, STADIUM, Log

# Seat, wager, and for whom.
_BetKey = tuple[int, str, str]


def paid_differently(
    table: TableRules, log: Log, lines: Sequence[Mapping[str, Any]], payable: Callable[[int], int]
) -> list[dict[str, Any]]:
    """Return each bet that was paid otherwise than it was settled.

    `lines` are those of a written verdict, of which a bet may have several. Once any payout of a
    round is told, a winner that was not told as paid was not paid. Of a round without payouts
    nothing is known, and nothing differs; nor is anything known of a seat without lines.
    """
    if not log["payouts"]:
        return []
    judged = {line["seat"] for line in lines}
    due = _due(table, log, lines)
    different = []
    for paid in log["payouts"]:
        if paid["seat"] not in judged:
            continue
        payable_cents = payable(_taken(due, paid))
        if paid["paid_cents"] != payable_cents:
            different.append(_difference(paid, payable_cents))
    for (seat, wager, whose), pushes in due.items():
        for hand, owed_cents in enumerate(pushes, 1):
            if payable_cents := payable(owed_cents):
                unpaid = {"seat": seat, "wager": wager, "for": whose, "paid_cents": 0}
                by_hand = {"hand": hand} if len(pushes) > 1 else {}
                different.append(_difference({**unpaid, **by_hand}, payable_cents))
    return different


def _due(
    table: TableRules, log: Log, lines: Sequence[Mapping[str, Any]]
) -> dict[_BetKey, list[int]]:
    """Return what goes out to each hand of each bet.

    Insurance is a bet of its own where its payout was told by itself; else the dealer pushed it
    with the bet that it insured, and it counts as one hand more.
    """
    insured = {seat["seat"] for seat in log["seats"] if seat.get("insurance_cents")}
    apart = {paid["seat"] for paid in log["payouts"] if paid["wager"] == INSURANCE_BET[0]}
    due: dict[_BetKey, list[int]] = {}
    for line in lines:
        key = (line["seat"], line["wager"], line["for"])
        # A bet that went back by a ruling has no hands.
        pushes = list(line.get("pushes", [0]))
        is_own_main = key[1:] == (table.game.main_wager, Whose.PLAYER.value)
        has_insurance = line["seat"] in insured or table.game.main_wager == STADIUM
        if is_own_main and has_insurance and line["seat"] in apart:
            due[line["seat"], *INSURANCE_BET] = [pushes.pop()]
        due.setdefault(key, []).extend(pushes)
    return due


def _taken(due: dict[_BetKey, list[int]], paid: Mapping[str, Any]) -> int:
    """Take from what is due the hand or bet that a payout is of, and return what was owed on it."""
    key: _BetKey = (paid["seat"], paid["wager"], paid["for"])
    pushes = due.setdefault(key, [])
    if "hand" not in paid:
        owed_cents = sum(pushes)
        pushes.clear()
        return owed_cents
    index = int(paid["hand"]) - 1
    if index >= len(pushes):
        return 0
    owed_cents, pushes[index] = pushes[index], 0
    return owed_cents


def _difference(paid: Mapping[str, Any], payable_cents: int) -> dict[str, Any]:
    return {
        **paid,
        "payable_cents": payable_cents,
        "difference_cents": paid["paid_cents"] - payable_cents,
    }
