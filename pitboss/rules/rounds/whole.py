"""A round that equipment sends whole, once it is over: read into the log of one told bit by bit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pitboss.rules.games.games import TableRules
from pitboss.rules.rounds.log import Log, new_log, with_payouts
from pitboss.rules.rounds.reading import read_object, read_round
from pitboss.rules.rounds.seats import DealtRound
from pitboss.rules.rounds.told import RoundSent, fields_of

_FIELDS: Final = fields_of(RoundSent)


class Whole(NamedTuple):
    """A round that was sent whole: as its log, and as it is settled where nothing was ruled."""

    log: Log
    round: DealtRound


def read_whole(table: TableRules, raw: object) -> Whole:
    """Read a round that was sent whole. Raises Refused for what cannot be read.

    >>> from pitboss.rules.games.games import table_rules
    >>> from pitboss.rules.games.printed import GAMES
    >>> table = table_rules(GAMES["classic"], minimum_cents=500, maximum_cents=100_000)
    >>> log, _ = read_whole(table, {"dealer_cards": ["9s", "8h"], "seats": [
    ...     {"seat": 5, "cards": ["9c", "9d"], "bets": [{"wager": "trilux", "stake_cents": 500}]}]})
    >>> log["seats"][0]["hands"]
    [{'cards': ['9c', '9d']}]
    """
    fields = read_object(raw, "A round", _FIELDS)
    body = {name: value for name, value in fields.items() if name != "payouts"}
    round_ = read_round(body)
    log = {**new_log(), **body, "seats": [_seat(seat) for seat in body.get("seats", [])]}
    if payouts := fields.get("payouts"):
        log = with_payouts(table, log, {"payouts": payouts})
    return Whole(log, round_)


def _seat(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return a seat as a log has it: what was only stood on is one hand."""
    seat = {"player": "", "bets": [], "cards": [], "hands": [], "decisions": [], **told}
    if not seat["hands"] and seat["cards"]:
        seat["hands"] = [{"cards": list(seat["cards"])}]
    return seat
