"""A finished count of a tray put right: a supervisor with a recount or the video, a pit manager.

What an opener or a recount should have found goes to variance, what a count of play should have
found to the win of its period; and the next count is undone by as much.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime

from django.db import models
from django.db.models import Q

from inventory.kinds.carrying import CHEQUES
from inventory.models import Holder, TrayCount
from inventory.services.ledger import lock_public
from pitboss.models import Signature, Slip, Table
from pitboss.rules.cheques.cheques import total_cents
from pitboss.rules.cheques.tray_counts import COMPARED_COUNTS, ENDING, EVERY_COUNT
from pitboss.rules.flows.corrections import COUNT_CORRECTION as CORRECTION_OF_A_COUNT
from pitboss.rules.flows.corrections import parted
from pitboss.rules.roles import SUPERVISING, Place, Role
from pitboss.services.drafts import NewSlip
from pitboss.services.journal import plain_time
from pitboss.slips.correcting import (
    CHECKED,
    checked,
    cheque_lines,
    cheques_corrected,
    cheques_refused,
    correcting_kind,
    days_of,
    declined_by,
    details_of,
    facts_of,
    original_of,
    promises_of,
    root_of,
    steps_of,
)
from pitboss.slips.kind import Raising
from tables.kinds.counting import TRAY_READERS
from tables.selectors.tray_past import counts_of
from tables.services.restated import win_lines
from tables.services.restating import Since, post_restated


def _table_of(slip: Slip) -> Table:
    assert slip.table is not None, "a count is of a table's tray"
    return slip.table


def _count_of(root: Slip) -> TrayCount:
    return TrayCount.objects.select_related("slip").get(slip=root)


def _next_count(count: TrayCount) -> TrayCount | None:
    later = Q(tray_sequence__gt=count.tray_sequence) | Q(tray_sequence=count.tray_sequence) & (
        Q(at__gt=count.at) | Q(at=count.at, pk__gt=count.pk)
    )
    return counts_of(count.table).filter(later).first()


def _changes_by_day(count: TrayCount, change_cents: int) -> Counter[date]:
    """Return by how much the win of each day changes: of the play that it ended, and began."""
    changes: Counter[date] = Counter()
    if count.slip.kind in ENDING:
        changes[count.slip.gaming_day] += change_cents
    later = _next_count(count)
    if later is not None and later.slip.kind in ENDING:
        changes[later.slip.gaming_day] -= change_cents
    return changes


def _drafted(raising: Raising) -> NewSlip:
    original = original_of(raising)
    root, table = root_of(original), _table_of(original)
    was, now = original.cheques_by_cents, dict(raising.cheques)
    change_cents = total_cents(now) - total_cents(was)
    count = _count_of(root)
    changes = _changes_by_day(count, change_cents)
    # A count within one day cancels out there, and is restated there all the same.
    days = list(changes) or [root.gaming_day]
    return NewSlip(
        raising.kind.kind,
        table.pk,
        now,
        original.pk,
        details={
            **details_of(raising, cheque_lines(was, now), days, win_lines(table, changes)),
            "table_id": table.pk,
            "of_count": root.pk,
            "true_time": plain_time(count.at),
            "change_cents": change_cents,
            "figures": {},
        },
    )


def _posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Bring the tray to what was there, and the next count to what it found then."""
    checked(slip, signature, at)
    assert slip.refers_to is not None, "a correction is of a finished slip"
    root = root_of(slip)
    against = Holder.VARIANCE if root.kind in COMPARED_COUNTS else Holder.PUBLIC
    lock_public()
    since = Since(_next_count(_count_of(root)))
    more, less = parted(slip.refers_to.cheques_by_cents, slip.cheques_by_cents)
    return [
        *post_restated(slip, less, Holder.TRAY, against, since=since, signature=signature, at=at),
        *post_restated(slip, more, against, Holder.TRAY, since=since, signature=signature, at=at),
    ]


COUNT_CORRECTION = correcting_kind(
    CORRECTION_OF_A_COUNT,
    title="Count correction",
    open_to=SUPERVISING,
    lit_by="board",
    refers_to=(*sorted(EVERY_COUNT), CORRECTION_OF_A_COUNT),
    asked=(CHEQUES,),
    facts=lambda raising: facts_of(days_of(raising)),
    refusals=cheques_refused,
    drafted=_drafted,
    steps=steps_of(Role.SUPERVISOR, Role.PIT_MANAGER, at=Place.PIT),
    void=declined_by(Role.PIT_MANAGER, Role.SUPERVISOR),
    at_end="count_correction_posted",
    effects={CHECKED: checked, "count_correction_posted": _posted},
    readers=TRAY_READERS,
    promises=promises_of(Role.PIT_MANAGER),
    look=cheques_corrected("The pit manager approves it."),
    raised=lambda slip: f"{slip.serial} proposed. The pit manager approves it.",
)
