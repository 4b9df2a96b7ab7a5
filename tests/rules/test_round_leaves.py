"""Whatever stands in a field of a round, it is taken or refused: nothing that is sent breaks it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest

from pitboss.rules.games.games import table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.log import RoundPart, add_part, new_log

TABLE = table_rules(GAMES["classic"], minimum_cents=500, maximum_cents=100_000)
TOLD: dict[RoundPart, Any] = {
    RoundPart.SEATS: {"seats": [{"seat": 5, "lit": []}]},
    RoundPart.WAGERS: {
        "seat": 5,
        "bets": [{"wager": "blackjack", "stake_cents": 1_000, "for": "player"}],
    },
    RoundPart.CARDS: {
        "cards": [
            {"seat": 5, "card": "8h"},
            {"to": "dealer", "card": "9s"},
            {"seat": 5, "card": "8d"},
        ]
    },
    RoundPart.DECISIONS: {"seat": 5, "decision": "split", "amount_cents": 1_000},
    RoundPart.PAYOUTS: {
        "payouts": [{"seat": 5, "wager": "blackjack", "for": "player", "hand": 1, "paid_cents": 0}]
    },
}
ODD: tuple[Any, ...] = ({}, [], None, True, -1, 10**30, "", "x", [{}], {"a": {}})


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where every value stands, from the outside in."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for name, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*path, name))


def changed(body: Any, path: tuple[Any, ...], to: Any) -> Any:
    """Return what was told with one value in place of another."""
    copied = deepcopy(body)
    at = copied
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = to
    return copied


@pytest.mark.parametrize("part", list(TOLD))
def test_odd_values_are_taken_or_refused(part: RoundPart) -> None:
    log = new_log()
    for before in list(TOLD)[: list(TOLD).index(part)]:
        log = add_part(TABLE, log, before, TOLD[before])
    add_part(TABLE, log, part, TOLD[part])
    tried = 0
    for path in places(TOLD[part]):
        for odd in ODD:
            tried += 1
            with suppress(Refused):
                add_part(TABLE, log, part, changed(TOLD[part], path, odd))
    assert tried
