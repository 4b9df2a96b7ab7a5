"""Read a count as a dealer calls it: by stacks and odd cheques, by cheques, or by dollars."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum, unique

from pitboss.rules.cheques.cheques import (
    BY_CENTS,
    STACK_CHEQUES,
    multiple_refusal,
    parse_cheques,
    read_money,
)
from pitboss.rules.cheques.keys import SetKind, face_of, kind_of
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.said import Said

_WHOLE = re.compile(r"[0-9]{1,9}")


@unique
class CountBy(StrEnum):
    """How a tray is called out. The values are the names of a pad's fields too."""

    STACKS = "stacks"
    CHEQUES = "cheques"
    DOLLARS = "dollars"


def read_count(by: str, colours: Iterable[int], keyed: Mapping[str, str]) -> dict[int, int]:
    """Return the cheques of a pad, highest first, empty tubes left out.

    A pad has a field for each color, `stacks_2500` and `odd_2500`, or `cheques_2500`, or
    `dollars_2500`. Every color must be keyed, an empty tube as 0. Raises Refused, every reason.

    >>> read_count("stacks", [2500, 500], {"stacks_2500": "9", "odd_2500": "16",
    ...                                    "stacks_500": "0", "odd_500": "0"})
    {2500: 196}
    >>> read_count("dollars", [250], {"dollars_250": "12.50"})
    {250: 5}
    """
    if by not in list(CountBy):
        raise refuse(
            "unknown_way", "A tray is counted by stacks, by cheques, or by dollars. Choose one."
        )
    rows = {cents: read_colour(CountBy(by), cents, keyed) for cents in colours}
    refusals = [row for row in rows.values() if isinstance(row, Refusal)]
    if refusals:
        raise Refused(refusals)
    return parse_cheques(rows)


def read_colour(by: CountBy, cents: int, keyed: Mapping[str, str]) -> int | Refusal:
    """Return how many cheques of one color were keyed, or why that cannot be said."""
    if by == CountBy.DOLLARS:
        return _read_dollars(cents, keyed.get(f"dollars_{cents}", "").strip())
    parts = {"stacks": STACK_CHEQUES, "odd": 1} if by == CountBy.STACKS else {"cheques": 1}
    count = 0
    for part, worth in parts.items():
        text = keyed.get(f"{part}_{cents}", "").strip()
        if not text:
            return _not_counted(cents)
        if not _WHOLE.fullmatch(text):
            return Refusal(
                "bad_count",
                Said(
                    "{cheque}: {text} is not a whole number.",
                    cheque=Said(BY_CENTS[cents].name),
                    text=quoted(text),
                ),
            )
        count += int(text) * worth
    return count


def _read_dollars(cents: int, text: str) -> int | Refusal:
    if not text:
        return _not_counted(cents)
    amount_cents = read_money(text)
    if amount_cents is None:
        return Refusal(
            "bad_amount",
            Said(
                "{cheque}: {text} is not an amount.",
                cheque=Said(BY_CENTS[cents].name),
                text=quoted(text),
            ),
        )
    if kind_of(cents) is SetKind.NON_VALUE:
        return Refusal(
            "bad_amount",
            Said("{cheque}: enter how many, not an amount.", cheque=Said(BY_CENTS[cents].name)),
        )
    return multiple_refusal(cents, amount_cents) or amount_cents // face_of(cents)


def _not_counted(cents: int) -> Refusal:
    return Refusal(
        "not_counted",
        Said(
            "{cheque} isn’t counted. Enter 0 for an empty tube.", cheque=Said(BY_CENTS[cents].name)
        ),
    )
