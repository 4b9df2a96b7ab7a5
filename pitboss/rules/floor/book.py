"""Every kind of entry that the floor log knows, by its code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pitboss.rules.floor.closing_notice import CLOSING_NOTICES
from pitboss.rules.floor.incidents import INCIDENTS, KEYS, ORDERS
from pitboss.rules.floor.irregular_kinds import IRREGULARITIES
from pitboss.rules.floor.log import FloorKind
from pitboss.rules.floor.nods import NODS
from pitboss.rules.floor.records import RECORDS
from pitboss.rules.refusal import refuse

FLOOR_KINDS: Final[Mapping[str, FloorKind]] = {
    kind.code: kind
    for kind in (
        *NODS,
        *CLOSING_NOTICES,
        *INCIDENTS,
        *ORDERS,
        *KEYS,
        *RECORDS,
        *IRREGULARITIES,
    )
}


def floor_kind(code: object) -> FloorKind:
    """Return the kind of a code. Raises Refused.

    >>> floor_kind("dead_spread").title
    'Dead spread'
    """
    if not isinstance(code, str) or code not in FLOOR_KINDS:
        raise refuse("unknown_kind", "Floor log entry not found. Choose a type from the list.")
    return FLOOR_KINDS[code]
