"""Questions about ratings by case: `python -m pitboss.rules rate`.

    answer({"ask": "theo", "case": {…}}) -> {"lines": {…}, "theo": "28413/10", "theo_cents": 2841}

Fractions are in lowest terms. Where nothing can be reckoned the answer is an `error` with its code,
where something may not be, `refusals` with every code. A question that cannot be read is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pitboss.rules.quoting import quoted
from pitboss.rules.ratings import wire_comps, wire_edges, wire_play, wire_stay, wire_yields
from pitboss.rules.ratings.reckoning import Unreckoned
from pitboss.rules.ratings.wire_reading import Answer, Ask, Fields
from pitboss.rules.refusal import refuse

ASKS: Final[Mapping[str, Ask]] = {
    **wire_stay.ASKS,
    **wire_play.ASKS,
    **wire_edges.ASKS,
    **wire_comps.ASKS,
    **wire_yields.ASKS,
}


def answer(question: Mapping[str, Any]) -> Answer:
    """Return the answer to one question. Raises Refused for one that cannot be read.

    >>> answer({"ask": "points", "case": {"theo_cents": [10500, 14207], "cents_per_point": 100}})
    {'points': 247}
    """
    ask = question.get("ask")
    if not isinstance(ask, str) or ask not in ASKS:
        raise refuse("unknown_ask", f"{quoted(ask)} is not a question: ask {', '.join(ASKS)}.")
    try:
        return ASKS[ask](Fields(question.get("case")))
    except Unreckoned as nothing:
        return {"error": {"code": nothing.code}}
