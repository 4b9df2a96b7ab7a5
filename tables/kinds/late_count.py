"""An opener, a closer or a count of a tray that was made on paper in an outage.

Dealer and supervisor signed the form; it is entered as they wrote it, whatever is known of the
table by then. A closer may come before its opener: trays are as if all had come in real order, and
counts that contradict each other are named until the missing one is entered.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from pitboss.rules.cheques.tray_counts import (
    LATE_CLOSER,
    LATE_COUNT,
    LATE_OPENER,
    LATE_SHIFT_COUNT,
)
from pitboss.rules.floor.fields import Count
from pitboss.rules.refusal import Refusal
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Raising
from pitboss.slips.late import (
    FROM_PAPER,
    entered_time,
    on_paper,
    paper_details,
    paper_refusals,
)
from tables.kinds.closer import CLOSER
from tables.kinds.count import COUNT, SHIFT_COUNT
from tables.kinds.counting import TRAY_READERS, table_of
from tables.kinds.late_page import (
    closed_day,
    late_kind,
)
from tables.kinds.opener import OPENER
from tables.services.late_counts import post_late_count
from tables.services.trays import openings_today

_COUNTED: Final = Count(name="cheques", label="Count")


def _drafted(raising: Raising) -> NewSlip:
    true_time = entered_time(raising)
    details: dict[str, Any] = {"what": "count", **paper_details(raising)}
    if raising.kind.kind == LATE_OPENER:
        details["sequence"] = openings_today(table_of(raising), true_time) + 1
    return NewSlip(
        raising.kind.kind,
        table_of(raising).pk,
        raising.cheques,
        details=details,
        happened_at=true_time,
    )


def _refusals(raising: Raising) -> list[Refusal]:
    paper = raising.kind.on_paper
    assert paper is not None, "it is entered from a form"
    return [*paper_refusals(raising, paper.code), *closed_day(raising)]


LATE_COUNT_KIND = late_kind(
    LATE_COUNT,
    title="Late count",
    asked=(_COUNTED, *FROM_PAPER),
    refusals=_refusals,
    drafted=_drafted,
    posted=post_late_count,
    readers=TRAY_READERS,
    heading=lambda raising: f"{raising.kind.title}, {raising.table}",
    on_paper=on_paper("CT", COUNT),
)
LATE_SHIFT_COUNT_KIND = replace(
    LATE_COUNT_KIND,
    kind=LATE_SHIFT_COUNT,
    title="Late shift-change count",
    on_paper=on_paper("SC", SHIFT_COUNT),
)
LATE_OPENER_KIND = replace(
    LATE_COUNT_KIND, kind=LATE_OPENER, title="Late opener", on_paper=on_paper("OP", OPENER)
)
LATE_CLOSER_KIND = replace(
    LATE_COUNT_KIND, kind=LATE_CLOSER, title="Late closer", on_paper=on_paper("CL", CLOSER)
)
