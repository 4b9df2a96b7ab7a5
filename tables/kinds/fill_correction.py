"""A finished fill or credit put right: a supervisor proposes what went, a shift manager approves.

The cheques that should have gone the other way go now; what counts since then made of them is
undone. The slip itself stays as it was signed.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import models

from inventory.kinds.carrying import CARRIED_READERS, CHEQUES
from inventory.models import Holder
from inventory.selectors.cheques import tray_holding
from inventory.services.ledger import lock_public
from pitboss.models import Signature, Slip, Table
from pitboss.rules.cheques.cheques import BY_CENTS, ordered, total_cents
from pitboss.rules.day.late_papers import LATE_CREDIT, LATE_FILL
from pitboss.rules.flows.corrections import FILL_CORRECTION as CORRECTION_OF_CHEQUES
from pitboss.rules.flows.corrections import parted
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import SUPERVISING, Place, Role
from pitboss.services.drafts import NewSlip
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
from tables.selectors.tray_past import cage_count_after, count_that_saw, place_in_tray
from tables.services.restated import figures_of, restated_days, win_change, win_lines
from tables.services.restating import Since, counting_refusals, post_restated

_CREDITS: Final = frozenset({"credit", LATE_CREDIT})


def _table_of(raising: Raising) -> Table:
    table = original_of(raising).table
    assert table is not None, "a fill or a credit is of a table"
    return table


def _figure_of(root: Slip) -> str:
    return "credits" if root.kind in _CREDITS else "fills"


def _drafted(raising: Raising) -> NewSlip:
    original, table = original_of(raising), _table_of(raising)
    root, was, now = root_of(original), original.cheques_by_cents, dict(raising.cheques)
    figures = {_figure_of(root): total_cents(now) - total_cents(was)}
    days = restated_days(table, root, place_in_tray(root))
    restated = win_lines(table, dict.fromkeys(days, win_change(figures)))
    return NewSlip(
        raising.kind.kind,
        table.pk,
        now,
        original.pk,
        details={
            **details_of(raising, cheque_lines(was, now), days, restated),
            **figures_of(table, root, figures),
        },
    )


def _short_refusals(table: Table, leave: dict[int, int]) -> list[Refusal]:
    """Return that a tray is counted first, where by its slips it has not what should leave it."""
    held = tray_holding(table)
    short = [cents for cents in ordered(leave) if leave[cents] > held.get(cents, 0)]
    return [
        Refusal(
            "tray_does_not_hold",
            f"The tray isn’t expected to have that many {BY_CENTS[cents].name}. Count the tray, "
            "then approve this.",
            CONFLICT,
        )
        for cents in short
    ]


def _posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Move the difference between what the slip said and what it should have said."""
    checked(slip, signature, at)
    assert slip.refers_to is not None, "a correction is of a finished slip"
    assert slip.table is not None, "a fill or a credit is of a table"
    root = root_of(slip)
    lock_public()
    since = Since(count_that_saw(slip.table, root), cage_count_after(root))
    gave, got = Holder.CAGE, Holder.TRAY
    if root.kind in _CREDITS:
        gave, got = got, gave
    more, less = parted(slip.refers_to.cheques_by_cents, slip.cheques_by_cents)
    refusals = counting_refusals(since.cage)
    if since.tray is None:
        refusals += _short_refusals(slip.table, more if gave == Holder.TRAY else less)
    if refusals:
        raise Refused(refusals)
    return [
        *post_restated(slip, more, gave, got, since=since, signature=signature, at=at),
        *post_restated(slip, less, got, gave, since=since, signature=signature, at=at),
    ]


FILL_CORRECTION = correcting_kind(
    CORRECTION_OF_CHEQUES,
    title="Fill or credit correction",
    open_to=SUPERVISING,
    lit_by="board",
    refers_to=("fill", "credit", LATE_FILL, LATE_CREDIT, CORRECTION_OF_CHEQUES),
    asked=(CHEQUES,),
    facts=lambda raising: facts_of(days_of(raising)),
    refusals=cheques_refused,
    drafted=_drafted,
    steps=steps_of(Role.SUPERVISOR, Role.SHIFT_MANAGER, at=Place.PIT),
    void=declined_by(Role.SHIFT_MANAGER, Role.SUPERVISOR),
    at_end="fill_correction_posted",
    effects={CHECKED: checked, "fill_correction_posted": _posted},
    readers=CARRIED_READERS,
    promises=promises_of(Role.SHIFT_MANAGER),
    look=cheques_corrected("The shift manager approves it."),
    raised=lambda slip: f"{slip.serial} proposed. The shift manager approves it.",
)
