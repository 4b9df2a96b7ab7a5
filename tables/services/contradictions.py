"""Name what was done at a tray on paper and cannot all be, until the missing form is entered."""

from __future__ import annotations

from datetime import datetime

from pitboss.models import FloorException, Signature, Slip, Table
from pitboss.rules.day.late_counts import CountMade, contradictions
from pitboss.rules.day.late_papers import LATE_KINDS, LATE_MOVES
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services.exceptions import COUNTS_CONTRADICT, mark_resolved, open_exception
from pitboss.slips.late import true_time_of
from tables.selectors.tray_past import counted_at, counts_of


def name_contradictions(slip: Slip, signature: Signature, at: datetime) -> None:
    """Name what contradicts each other around the outage of a paper; what mends it ends the item.

    The paper itself is posted by now, and done with the signature that posts it.
    """
    assert slip.table is not None, "it was done at a table"
    named = contradictions(_around_the_outage(slip, slip.table))
    waiting = FloorException.objects.select_for_update(no_key=True).filter(
        code=COUNTS_CONTRADICT, table=slip.table, resolved_at=None
    )
    for exception in waiting:
        mark_resolved(exception, signature.person, f"{slip.serial} was entered.", at)
    if named:
        open_exception(
            code=COUNTS_CONTRADICT,
            sentence=f"{slip.table}: {' '.join(named)}",
            details={"contradictions": named},
            at=at,
            person=None,
            table=slip.table,
            slip=slip,
        )


def _around_the_outage(slip: Slip, table: Table) -> list[CountMade]:
    """Return what was done at a tray from the count before an outage on, in real order."""
    papers = Slip.objects.filter(
        table=table, kind__in=LATE_KINDS, details__outage=slip.details["outage"]
    )
    entered = [slip, *papers.filter(status=SlipStatus.DONE).exclude(pk=slip.pk)]
    first = min(true_time_of(item) for item in entered)
    moved = [(true_time_of(item), item.pk, item) for item in entered if item.kind in LATE_MOVES]
    counts = [(counted_at(count.slip), count.pk, count.slip) for count in counts_of(table)]
    led = [count for count in counts if count[0] < first][-1:]
    since = sorted(
        [*moved, *(count for count in counts if count[0] >= first)], key=lambda it: it[:2]
    )
    return [CountMade(item.serial, item.kind) for _, _, item in (*led, *since)]
