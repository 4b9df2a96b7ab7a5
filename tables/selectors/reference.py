"""Reference cards of a table, made from the rules: how to cut, what it pays, how it is played."""

from __future__ import annotations

from typing import Any

from pitboss.models import Table
from pitboss.rules.cheques.cheques import BY_CENTS, STACK_CHEQUES, cutting_pattern, ordered
from pitboss.rules.floor.records import HOUSE_RULES
from pitboss.rules.games.strategy import CHART, UP_CARDS
from pitboss.rules.payouts.check import TableTerms
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.selectors.table_rules import rules_in_force
from tables.models import FloorEntry
from tables.selectors.table_read import wagers_of

# A stack at most: beyond it the same rows come again.
COUNTS = range(1, STACK_CHEQUES + 1)


def cutting_card(table: Table) -> list[dict[str, Any]]:
    """Return how each color of a table is cut out, from one cheque to a stack."""
    patterns: dict[tuple[str, ...], list[int]] = {}
    for cents in ordered(table.par_cheques):
        pattern = tuple(str(cutting_pattern(cents, count)) for count in COUNTS)
        patterns.setdefault(pattern, []).append(cents)
    return [
        {
            "colours": cents,
            "pushed_apart": BY_CENTS[cents[0]].pushed_apart,
            "rows": [
                {"count": count, "words": words}
                for count, words in zip(COUNTS, pattern, strict=True)
            ],
        }
        for pattern, cents in patterns.items()
    ]


def pay_card(table: Table, in_force: SettingsInForce) -> list[dict[str, Any]]:
    """Return what each wager of a table pays now, in the order of paying. Raises Refused."""
    return [
        {
            "name": _spoken(wager["name"]),
            "minimum_cents": wager["minimum_cents"],
            "maximum_cents": wager["maximum_cents"],
            "printed_in": wager["paytable"]["printed_in"],
            "rows": [
                {"row": _spoken(row["row"]), "pays": row["pays"]}
                for row in wager["paytable"]["rows"]
            ],
        }
        for wager in wagers_of(TableTerms.of(rules_in_force(table, in_force)))
    ]


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def posted_rules(table: Table) -> FloorEntry | None:
    """Return which version of the house rules was posted last at a table."""
    return FloorEntry.objects.filter(table=table, kind=HOUSE_RULES).order_by("-id").first()


def strategy_card() -> dict[str, Any]:
    """Return the manual's basic strategy, a row a hand and a column an up card."""
    return {
        "up_cards": UP_CARDS,
        "parts": [
            {
                "title": part.title,
                "lines": [
                    {
                        "hand": line.hand,
                        "moves": [{"word": m.value, "letter": m.letter} for m in line.moves],
                    }
                    for line in part.lines
                ],
            }
            for part in CHART
        ],
    }
