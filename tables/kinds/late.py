"""What was done on paper while the line was down: a late fill or credit, or a day restated.

The pit works on numbered forms then. What was done is entered afterwards, with the form's number
and the true time. A manager of the pit compares it with the form and its picture before anything is
posted, and a tray gives no more than its counts and slips say that it held. Into a day that was
closed nothing is entered any more; a correction, posted today, names the day that it restates.

The cheques moved long ago. Where no count has seen them since, a transfer is all there is to post.
Where one has, it took the difference for win, or for variance: the late transfer is followed by its
opposite, back to where that count took it from, so that the tray holds what was counted and the
period is restated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final

from django.db import models

from inventory.kinds.carrying import CHEQUES
from inventory.kinds.credit import CREDIT
from inventory.kinds.fill import FILL
from inventory.models import Holder
from inventory.services.ledger import lock_public
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip, Table
from pitboss.paper.content import Note
from pitboss.rules.cheques.tray_counts import CLOSER
from pitboss.rules.day import late_papers
from pitboss.rules.day.late_papers import (
    correction_refusals,
    tray_refusals,
)
from pitboss.rules.day.outages import Frame
from pitboss.rules.floor.fields import Pick, Yes
from pitboss.rules.floor.needs import high_cheques
from pitboss.rules.flows.flows import (
    Promise,
    Readers,
    Step,
    holds_high_cheques,
    void_witnessed,
)
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import (
    AT_THE_CAGE,
    GUARDING,
    KEEPING_BOOKS,
    SUPERVISING,
    WATCHING,
    Place,
    Role,
)
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.slips.late import (
    COVER,
    FROM_PAPER,
    entered_time,
    form_entered,
    on_paper,
    outage_of,
    paper_details,
    paper_notes,
    paper_refusals,
    paper_written,
    true_time_of,
)
from tables.kinds.late_page import COMPARED, late_look
from tables.selectors.tray_past import (
    TrayPast,
    cage_count_since,
    found_in_the_cage,
    tray_past,
)
from tables.services.contradictions import name_contradictions
from tables.services.restating import Since, counting_refusals, post_restated

Cheques = dict[int, int]
FILL_PAPER: Final = "fill"
CREDIT_PAPER: Final = "credit"
CODES: Final = {FILL_PAPER: "FL", CREDIT_PAPER: "CR"}
_WHATS: Final = {FILL_PAPER: "Fill", CREDIT_PAPER: "Credit"}


def _table_of(raising: Raising) -> Table:
    assert raising.table is not None, "a paper is about a table"
    return raising.table


def _what(raising: Raising) -> str:
    """Return what a paper is: a correction says it, and a late slip is it."""
    own = {late_papers.LATE_FILL: FILL_PAPER, late_papers.LATE_CREDIT: CREDIT_PAPER}
    return own.get(raising.kind.kind) or raising.given.get("what", FILL_PAPER)


def _corrects(raising: Raising) -> bool:
    """Tell whether the day of a paper is closed, and this restates it."""
    return raising.kind.kind == late_papers.CORRECTION


def _becomes(raising: Raising) -> Raising:
    """Return a paper of its kind: by what was entered that it is, and whether it corrects."""
    kind = LATE_CREDIT if raising.given.get("what") == CREDIT_PAPER else LATE_FILL
    return replace(raising, kind=CORRECTION if raising.given.get("corrects") else kind)


def _drafted(raising: Raising) -> NewSlip:
    """Draft a paper into its own day, or as a correction posted today."""
    true_time = entered_time(raising)
    details = {"what": _what(raising), **paper_details(raising)}
    if _corrects(raising):
        details["restates"] = house.period_at(true_time).gaming_day.isoformat()
    return NewSlip(
        raising.kind.kind,
        _table_of(raising).pk,
        raising.cheques,
        details=details,
        happened_at=None if _corrects(raising) else true_time,
    )


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a paper may not be entered."""
    true_time = entered_time(raising)
    refusals = paper_refusals(raising, CODES[_what(raising)])
    if not any(raising.cheques.values()):
        refusals.append(Refusal("nothing_asked", "Enter at least one cheque from the form."))
    day = house.period_at(true_time).gaming_day
    if _corrects(raising):
        refusals.extend(correction_refusals(day, house.is_closed(day)))
    elif house.is_closed(day):
        refusals.append(house.day_closed_refusal(day))
    past = tray_past(_table_of(raising), true_time)
    if _was_closed(past, outage_of(raising)):
        assert past.before is not None, "it was closed by a count"
        refusals.append(
            Refusal(
                "table_was_closed",
                f"{raising.table} was closed at that time, by {past.before.slip.serial}. "
                "Check the form.",
            )
        )
    elif _what(raising) == CREDIT_PAPER:
        refusals.extend(_not_in_the_tray(past, raising.cheques, true_time))
    return refusals


def _was_closed(past: TrayPast, outage: Frame | None) -> bool:
    """Tell whether a tray was locked then, on the site and while paper was in use.

    A table that was closed before may have been opened on paper: then its opener is to come.
    """
    if past.before is None or past.before.slip.kind != CLOSER:
        return False
    return outage is None or past.before.slip.raised_at >= outage.started_at


def _not_in_the_tray(
    past: TrayPast, cheques: Mapping[int, int], true_time: datetime
) -> list[Refusal]:
    return tray_refusals(
        cheques,
        counted=past.counted,
        moves=past.moves,
        true_time=true_time,
        found=found_in_the_cage(cage_count_since(true_time)),
    )


def _late_posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Post what the paper moved, and undo what counts since then made of its absence."""
    assert slip.table is not None
    cheques, true_time = slip.cheques_by_cents, true_time_of(slip)
    past = tray_past(slip.table, true_time)
    lock_public()
    cage = cage_count_since(true_time)
    refusals = counting_refusals(cage)
    gave, got = Holder.CAGE, Holder.TRAY
    if slip.details["what"] == CREDIT_PAPER:
        gave, got = got, gave
        # Asked again: what was there when the paper was entered may have left meanwhile.
        refusals += _not_in_the_tray(past, cheques, true_time)
    if refusals:
        raise Refused(refusals)
    moved = post_restated(
        slip, cheques, gave, got, since=Since(past.after, cage), signature=signature, at=at
    )
    name_contradictions(slip, signature, at)
    return [*moved, *form_entered(slip, at)]


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page on which a paper is entered: its cheques, what it is, number and time."""
    given = request.POST if refused else request.GET
    what, corrects = given.get("what", _what(raising)), given.get("corrects") == "yes"
    template, page = late_look(request, raising, refused)
    return template, {
        **page,
        "whats": [
            {"value": value, "label": label, "is_current": what == value}
            for value, label in _WHATS.items()
        ],
        "corrects": corrects,
        "day_is_closed": corrects or bool(refused and "day_closed" in refused.codes),
    }


def _writes(slip: Slip) -> list[tuple[str, str]]:
    written = paper_written(slip)
    if slip.details.get("restates"):
        day = date.fromisoformat(slip.details["restates"])
        written.append(("Restates", f"gaming day {day:%a, %b %-d, %Y}"))
    return written


def _notes(slip: Slip) -> list[Note]:
    return paper_notes(slip, _writes(slip))


def _tells(slip: Slip) -> dict[str, Any]:
    return {
        "template": "tables/_written.html",
        "comes_first": True,
        "is_late": True,
        "written": _writes(slip),
    }


def _review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    draft = Slip(kind=new.kind, details=dict(new.details), raised_at=house.now())
    return {"panel": _tells(draft)}


_KEYED: Final = Step(
    "keyed",
    done="Entered late",
    do="Enter late",
    by=Role.SUPERVISOR,
    at=Place.PIT,
    needs_reason=True,
    reason_label="Why it was done on paper",
    attests="I certify that I entered this slip from the form exactly, including the "
    "time written on it.",
)
_TOP_SIGNED: Final = Step(
    "top_signed",
    done="Top-signed",
    do="Top-sign",
    by=Role.PIT_MANAGER,
    at=None,
    when=holds_high_cheques,
    why=high_cheques,
    attests="I approve this form, including the high-denomination cheques listed.",
)
LATE_FILL = Kind(
    late_papers.LATE_FILL,
    title="Late fill",
    series="L",
    is_late=True,
    open_to=SUPERVISING,
    lit_by="board",
    asked=(
        CHEQUES,
        Pick(name="what", label="The form is a", choices=_WHATS, is_needed=False),
        *FROM_PAPER,
        Yes(name="corrects", label="Its day is closed: correct it, with a shift manager"),
    ),
    becomes=_becomes,
    refusals=_refusals,
    drafted=_drafted,
    steps=(_KEYED, _TOP_SIGNED, COMPARED),
    # Someone of another desk may look on: the pit's managers may all have signed by then.
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat="keyed",
            needs_reason=True,
            attests="I void this slip. I certify that it was entered wrong and that the paper "
            "slip is to be entered again on a new slip.",
        ),
        void_witnessed(
            (Role.PIT_MANAGER, Role.SECURITY, Role.SURVEILLANCE),
            attests="I certify that I compared this slip with the form and witnessed it "
            "being voided.",
        ),
    ),
    effects={"late_posted": _late_posted},
    readers=Readers(SUPERVISING | AT_THE_CAGE | GUARDING | WATCHING | KEEPING_BOOKS),
    promises=(Promise(2, 1), Promise(3, 1, having="top_signed")),
    paper=COVER,
    look=_look,
    heading=lambda raising: f"From a form, {raising.table}",
    review=_review,
    on_paper=on_paper(CODES[FILL_PAPER], FILL),
    raised=lambda late: f"{late.serial} entered from form {late.details['paper_number']}.",
    writes=_writes,
    notes=_notes,
    tells=_tells,
)

LATE_CREDIT = replace(
    LATE_FILL,
    kind=late_papers.LATE_CREDIT,
    title="Late credit",
    on_paper=on_paper(CODES[CREDIT_PAPER], CREDIT),
)

_RESTATED: Final = replace(
    COMPARED,
    by=Role.SHIFT_MANAGER,
    needs_reason=True,
    attests="The gaming day is closed. I compared this slip with the form and restate the day.",
)
CORRECTION = replace(
    LATE_FILL,
    kind=late_papers.CORRECTION,
    title="Correction",
    on_paper=None,
    series="K",
    steps=(_KEYED, _TOP_SIGNED, _RESTATED),
)
