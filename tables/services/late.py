"""Key what was done on paper while the line was down, and restate days that are closed.

The cheques moved long ago. Where no count has seen them since, a transfer is all there is to post.
Where one has, it took the difference for win, or for variance: the late transfer is followed by its
opposite, back to where that count took it from, so that the tray holds what was counted and the
period is restated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db import models
from django.db.models import Q, Sum
from django.db.models.fields.json import KT

from inventory.models import CageCount, ChequeTransfer, Holder, TrayCount
from inventory.selectors.cheques import public_holding
from inventory.services.ledger import lock_public, move_cheques
from pitboss.models import Signature, Slip, Table
from pitboss.rules.flows import SlipStatus
from pitboss.rules.late_flows import (
    CORRECTION,
    LATE_CREDIT,
    LATE_FILL,
    LATE_KINDS,
    correction_refusals,
    read_paper_number,
    true_time_refusals,
)
from pitboss.rules.refusal import Refusal
from pitboss.rules.tray_flows import CLOSER
from pitboss.services import house, journal
from pitboss.services.effects import effect
from pitboss.services.exceptions import open_exception
from pitboss.services.locks import lock_paper
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip

Cheques = dict[int, int]
FILL_PAPER = "fill"
CREDIT_PAPER = "credit"
_LATE_KIND = {FILL_PAPER: LATE_FILL.kind, CREDIT_PAPER: LATE_CREDIT.kind}


@dataclass(frozen=True, slots=True)
class Paper:
    """A slip that was written by hand: what it is, its number, and the time that stands on it."""

    what: str
    number: str
    true_time: datetime
    cheques: Mapping[int, int]
    # Its day is closed, and this restates it.
    corrects: bool = False


def new_late(table: Table, paper: Paper) -> NewSlip:
    """Return a paper about to be keyed: into its own day, or as a correction posted today."""
    details = {
        "what": paper.what,
        "paper_number": read_paper_number(paper.number) or "",
        "true_time": journal.plain_time(paper.true_time),
    }
    if paper.corrects:
        details["restates"] = house.period_at(paper.true_time).gaming_day.isoformat()
    return NewSlip(
        CORRECTION.kind if paper.corrects else _LATE_KIND[paper.what],
        table.pk,
        paper.cheques,
        details=details,
        happened_at=None if paper.corrects else paper.true_time,
    )


def key_late(*, table: Table, paper: Paper, reason: str, pen: Pen, shown: str) -> Slip:
    """Key a paper of an outage, signed by a supervisor. Raises Refused."""
    return raise_slip(
        new_late(table, paper),
        pen=pen,
        shown=shown,
        judge=lambda locked, original: Judgement(late_refusals(locked, paper)),
        entry=Entry(reason=reason),
    )


def late_refusals(table: Table | None, paper: Paper) -> list[Refusal]:
    """Return why a paper may not be keyed."""
    assert table is not None, "a paper is about a table"
    refusals = true_time_refusals(
        paper.true_time,
        house.now(),
        house.settings_at(house.now())["day.late_entry"],
    )
    if not any(paper.cheques.values()):
        refusals.append(Refusal("nothing_asked", "Key at least one cheque from the paper."))
    number = read_paper_number(paper.number)
    if number is None:
        refusals.append(Refusal("paper_number_missing", "Key the number printed on the paper."))
    else:
        lock_paper(number)
        used = (
            Slip.objects.alias(paper=KT("details__paper_number"))
            .filter(kind__in=LATE_KINDS, paper=number)
            .exclude(status=SlipStatus.VOIDED)
            .first()
        )
        if used is not None:
            refusals.append(
                Refusal("paper_used", f"Paper {number} was keyed already, on {used.serial}.")
            )
    if paper.corrects:
        true_day = house.period_at(paper.true_time).gaming_day
        refusals.extend(correction_refusals(true_day, house.is_closed(true_day)))
    before = _counts(table).filter(slip__raised_at__lte=paper.true_time).last()
    if before is not None and before.slip.kind == CLOSER.kind:
        refusals.append(
            Refusal(
                "table_was_closed",
                f"{table} was closed at that time, by {before.slip.serial}. Look at the paper.",
            )
        )
    return refusals


def restated_day(slip: Slip) -> date:
    """Return the gaming day that a late entry or a correction belongs to."""
    restates = slip.details.get("restates")
    return date.fromisoformat(restates) if restates else slip.gaming_day


def true_time_of(slip: Slip) -> datetime:
    """Return when something that was keyed late happened."""
    return datetime.fromisoformat(slip.details["true_time"])


@effect("late_posted")
def _late_posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Post what the paper moved, and undo what counts since then made of its absence."""
    assert slip.table is not None
    cheques, true_time = slip.cheques_by_cents, true_time_of(slip)
    gave, got = Holder.CAGE, Holder.TRAY
    if slip.details["what"] == CREDIT_PAPER:
        gave, got = got, gave
    counted = {
        Holder.TRAY: _counts(slip.table).filter(slip__raised_at__gt=true_time).first(),
        Holder.CAGE: _cage_counts().filter(slip__raised_at__gt=true_time).first(),
    }
    lock_public()
    rows: list[models.Model] = []
    rows += move_cheques(slip=slip, cheques=cheques, source=gave, target=got, at=at)
    # First what goes to the public, then what is taken back from it.
    gained, lost = counted[got], counted[gave]
    if gained is not None:
        for holder, part in _taken_for(gained.slip, cheques, gained=True).items():
            rows += move_cheques(slip=slip, cheques=part, source=got, target=holder, at=at)
    if lost is not None:
        parts = _taken_for(lost.slip, cheques, gained=False)
        for holder, part in _within_the_public(slip, parts, at).items():
            rows += move_cheques(slip=slip, cheques=part, source=holder, target=gave, at=at)
    return rows


def _counts(table: Table) -> models.QuerySet[TrayCount]:
    return (
        TrayCount.objects.filter(table=table).select_related("slip").order_by("tray_sequence", "id")
    )


def _cage_counts() -> models.QuerySet[CageCount]:
    return (
        CageCount.objects.exclude(slip__status=SlipStatus.VOIDED)
        .select_related("slip")
        .order_by("id")
    )


def _taken_for(count: Slip, cheques: Cheques, *, gained: bool) -> dict[Holder, Cheques]:
    """Part late cheques by what the first count after them took them, or their absence, for.

    A count posts what it cannot explain against variance, the rest against the public. The late
    cheques explain as much of the variance as it found in their direction.
    """
    side = Q(source=Holder.VARIANCE) if gained else Q(target=Holder.VARIANCE)
    found = dict(
        ChequeTransfer.objects.filter(side, slip=count)
        .values_list("denomination_cents")
        .annotate(total=Sum("count"))
        .order_by()
    )
    variance = {cents: min(n, found.get(cents, 0)) for cents, n in cheques.items()}
    public = {cents: n - variance[cents] for cents, n in cheques.items()}
    return {
        Holder.VARIANCE: {cents: n for cents, n in variance.items() if n},
        Holder.PUBLIC: {cents: n for cents, n in public.items() if n},
    }


def _within_the_public(
    slip: Slip, parts: dict[Holder, Cheques], at: datetime
) -> dict[Holder, Cheques]:
    """Take back from the public no more than it holds; the rest is variance, and looked into."""
    held = public_holding()
    public = parts[Holder.PUBLIC]
    short = {
        cents: n - max(0, held.get(cents, 0))
        for cents, n in public.items()
        if n > max(0, held.get(cents, 0))
    }
    if not short:
        return parts
    open_exception(
        code="more_than_exists",
        sentence=f"{slip.serial}: nobody outside holds the cheques that this restates. "
        "Look at the counts since then.",
        details={"cheques": {str(cents): n for cents, n in short.items()}},
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )
    return {
        Holder.VARIANCE: {
            cents: parts[Holder.VARIANCE].get(cents, 0) + short.get(cents, 0)
            for cents in parts[Holder.VARIANCE].keys() | short.keys()
        },
        Holder.PUBLIC: {
            cents: n - short.get(cents, 0) for cents, n in public.items() if n > short.get(cents, 0)
        },
    }
