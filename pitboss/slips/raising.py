"""Raise a slip of any kind: what its kind says, through `raise_slip`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pitboss.models import Slip, Table
from pitboss.rules.refusal import Refused
from pitboss.services.drafts import Entry, Judgement, Pen
from pitboss.services.locks import lock_desk, lock_slip
from pitboss.services.shown import request_shown
from pitboss.services.signing import raise_slip
from pitboss.slips.kind import Raising


def shown_before(raising: Raising) -> str:
    """Return the one text of what a person sees before raising a slip."""
    return request_shown(raising.new(), raising.table)


def raise_kind(
    raising: Raising,
    *,
    pen: Pen,
    shown: str,
    reason: str = "",
    said: Mapping[str, str] | None = None,
) -> Slip:
    """Raise a slip with the first signature on it. Raises Refused.

    Where the first signer counts, what they entered is what they counted.
    """
    kind, new = raising.kind, raising.new()

    def judge(table: Table | None, original: Slip | None) -> Judgement:
        if table is None:
            # Acts at a desk are serial where its slips are raised, as acts at a table are.
            lock_desk(kind.desk)
        if original is None and raising.original is not None:
            # What a slip is about it may name in its details alone.
            original = lock_slip(raising.original.pk)
        locked = replace(raising, table=table, original=original, badge=pen.badge, draft=new)
        if kind.locks is not None:
            locked = kind.locks(locked)
        return Judgement(kind.refusals(locked), kind.facts(locked) if kind.facts else None)

    counted = raising.cheques if kind.steps[0].counts else None
    entry = Entry(counted=counted, reason=reason, said=said or {})
    try:
        return raise_slip(new, pen=pen, shown=shown, judge=judge, entry=entry)
    except Refused as refused:
        if kind.when_refused is not None:
            kind.when_refused(replace(raising, draft=new), refused, pen)
        raise
