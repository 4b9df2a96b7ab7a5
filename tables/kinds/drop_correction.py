"""A posted count of a drop box put right: accounting proposes each line, the cage manager approves.

From an amount on the surveillance manager has seen the video, and a closed day is restated by the
shift manager. None of them signed what is corrected. The count stays as it was signed.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models
from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.content import Note
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.drop.corrections import DROP_CORRECTION as CORRECTION_OF_A_BOX
from pitboss.rules.drop.corrections import (
    drop_of,
    hold_text,
    marks_of,
    moved_cents,
    needs_video,
    nothing_refusals,
)
from pitboss.rules.drop.figures import (
    DROP_COUNT,
    FigureLine,
    Figures,
    figure_lines,
    lines_in,
    read_figures,
)
from pitboss.rules.flows.corrections import is_of_a_closed_day, signer_refusals
from pitboss.rules.flows.flows import Need, PlanFacts, Promise, Readers, SlipStatus, Step
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import KEEPING_BOOKS, SUPERVISING, WATCHING, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.shown import FIGURES
from pitboss.slips.addresses import own_url
from pitboss.slips.correcting import signed_money
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id
from tables.reports.win import table_report
from tables.selectors.day_books import corrected_on, pull_of_count


def _original(raising: Raising) -> Slip:
    assert raising.original is not None, "a correction is of a count"
    return raising.original


def _was(raising: Raising) -> dict[str, int]:
    return read_figures(_original(raising).details[FIGURES])


def _now(raising: Raising) -> dict[str, int]:
    return read_figures(raising.given.get("figures", {}))


def _drafted(raising: Raising) -> NewSlip:
    """Draft the correction of a posted count, or of the correction before. Raises Refused."""
    original = _original(raising)
    pull, ended = pull_of_count(original)
    table = pull.table
    assert table is not None, "a box is pulled off a table"
    before = table_report(table, ended.gaming_day)
    was, now = _was(raising), _now(raising)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        original.pk,
        details={
            "pull": pull.serial,
            "box": original.details["box"],
            "table": table.name,
            "table_id": table.pk,
            "restates": ended.gaming_day.isoformat(),
            "was": was,
            FIGURES: now,
            "amount_cents": moved_cents(was, now),
            "drop_cents": before.drop_cents,
            "win_cents": before.final_cents,
        },
    )


def _facts(raising: Raising) -> PlanFacts:
    new = raising.new()
    video_from = house.settings_at(house.now())["drop.video_from"]
    _, ended = pull_of_count(_original(raising))
    is_closed = house.is_closed(ended.gaming_day)
    marks = marks_of(new.details["amount_cents"], video_from, is_closed=is_closed)
    return PlanFacts({}, marks=marks)


def _refusals(raising: Raising) -> list[Refusal]:
    original = _original(raising)
    refusals = signer_refusals(raising.badge, _signed_by(original))
    if original.status != SlipStatus.DONE.value:
        words = f"{original.serial} is {original.status}. Only a posted count can be corrected."
        return [*refusals, Refusal("not_posted", words)]
    later = _correction_of(original)
    if later is not None:
        words = (
            f"{later.serial} is pending. Approve or decline it first."
            if later.status == SlipStatus.OPEN.value
            else f"{later.serial} has corrected this. Correct that one."
        )
        refusals.append(Refusal("already_corrected", words))
    return [*refusals, *nothing_refusals(_was(raising), _now(raising))]


def _correction_of(original: Slip) -> Slip | None:
    later = original.referred_by.filter(kind=CORRECTION_OF_A_BOX)
    return later.exclude(status=SlipStatus.VOIDED).first()


def _signed_by(original: Slip) -> dict[str, str]:
    """Return who signed what is corrected, and the count at the beginning, by badge."""
    papers = {original.pk}
    while original.kind == CORRECTION_OF_A_BOX and original.refers_to is not None:
        original = original.refers_to
    papers.add(original.pk)
    # All who signed the session in which the box was counted, its third member too.
    if session := original.details.get("session"):
        papers.update(Slip.objects.filter(serial=session).values_list("pk", flat=True))
    signatures = Signature.objects.filter(slip__in=papers).select_related("person", "slip")
    return {signature.person.badge: signature.slip.serial for signature in signatures}


def _checked(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let no one sign who signed what is corrected. Raises Refused."""
    assert slip.refers_to is not None, "a correction is of a count"
    refusals = signer_refusals(signature.person.badge, _signed_by(slip.refers_to))
    if refusals:
        raise Refused(refusals)
    return []


def _words(line: FigureLine, figures: Mapping[str, int]) -> str:
    amount = figures.get(line.key, 0)
    return format_money(amount) if line.is_money else str(amount)


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page on which each line is put right, beside what was posted."""
    given = request.POST if refused else request.GET
    was = _was(raising)
    lines = []
    for line in figure_lines(promotional=request.house.cheques.has_promotional):
        name = f"figure_{line.key}"
        posted = _words(line, was)
        lines.append(
            {
                "name": name,
                "title": line.title,
                "is_money": line.is_money,
                "was": posted,
                "value": given.get(name, posted if was.get(line.key) else ""),
            }
        )
    return "pitboss/correction_new.html", {
        "url": own_url(raising),
        "keep": f"correct-{_original(raising).serial}",
        "request_id": new_request_id(),
        "original": _original(raising),
        "about": f"Box {_original(raising).details['box']}",
        "approves": "The cage manager approves it.",
        "lines": lines,
    }


def _panel(details: Mapping[str, Any]) -> dict[str, Any]:
    was, now = details["was"], details[FIGURES]
    drop, win = details["drop_cents"], details["win_cents"]
    change = drop_of(now) - drop_of(was)
    restated = []
    if drop is not None and win is not None:
        restated = [
            _restated("Drop", format_money(drop), format_money(drop + change)),
            _restated("Win", signed_money(win), signed_money(win + change)),
            _restated("Hold", hold_text(win, drop), hold_text(win + change, drop + change)),
        ]
    return {
        "template": "pitboss/_corrected.html",
        "has_lines": True,
        "about": f"Box {details['box']}, {details['table']}",
        "lines": [
            {
                "title": line.title,
                "was": _words(line, was),
                "now": _words(line, now),
                "changes": was.get(line.key, 0) != now.get(line.key, 0),
            }
            for line in lines_in(was, now)
        ],
        "restated": restated,
    }


def _restated(title: str, was: str, now: str) -> dict[str, str]:
    return {"title": title, "was": was, "now": now}


def _writes(slip: Slip) -> list[tuple[str, str]]:
    details = slip.details
    was, now = details["was"], details[FIGURES]
    written = [("Box", f"{details['box']}, pulled on {details['pull']}")]
    written += [
        (line.title, f"{_words(line, was)}, corrected to {_words(line, now)}")
        for line in lines_in(was, now)
        if was.get(line.key, 0) != now.get(line.key, 0)
    ]
    return written + [
        (line["title"], f"{line['was']}, corrected to {line['now']}")
        for line in _panel(details)["restated"]
    ]


DROP_CORRECTION = Kind(
    CORRECTION_OF_A_BOX,
    title="Drop count correction",
    series="K",
    open_to=frozenset({Role.ACCOUNTING}),
    lit_by="count_room",
    desk="house",
    at_a_table=False,
    refers_to=(DROP_COUNT, CORRECTION_OF_A_BOX),
    must_refer=True,
    offers="Correct…",
    corrects=True,
    asked=(Figures(name="figures", label="Figures"),),
    facts=_facts,
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=Role.ACCOUNTING,
            at=Place.OFFICE,
            needs_reason=True,
            reason_label="What is wrong, and the evidence",
            attests="I certify that I took no part in this count, that its posted figures are "
            "wrong, and that these are right by the evidence I entered.",
        ),
        Step(
            "confirmed",
            done="Video confirmed",
            do="Confirm the video",
            by=Role.SURVEILLANCE_MANAGER,
            at=None,
            when=needs_video,
            why=Need(
                "A correction of this amount needs the video of the count.", "drop.video_from"
            ),
            needs_reason=True,
            reason_label="What the video shows",
            attests="I certify that I reviewed the video of this count and that it shows the "
            "corrected figures.",
            then="drop_correction_checked",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            by=Role.CAGE_MANAGER,
            at=None,
            why=Need("A posted count is corrected by two people who did not sign it."),
            attests="I took no part in this count. I reviewed the evidence and approve this "
            "correction. The posted figures stay on record.",
            then="drop_correction_checked",
        ),
        Step(
            "restated",
            done="Restated",
            do="Restate the day",
            by=Role.SHIFT_MANAGER,
            at=None,
            when=is_of_a_closed_day,
            why=Need("The gaming day is closed. A shift manager must restate it."),
            attests="The gaming day is closed. I reviewed this correction and restate the day.",
            then="drop_correction_checked",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=(Role.CAGE_MANAGER, Role.ACCOUNTING, Role.SURVEILLANCE_MANAGER),
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I decline this correction for the reason I entered. The drop as counted stays "
            "in effect.",
            then="slip_voided",
        ),
    ),
    effects={"drop_correction_checked": _checked},
    readers=Readers(SUPERVISING | KEEPING_BOOKS | WATCHING | {Role.COUNT_TEAM, Role.CAGE_MANAGER}),
    promises=(
        Promise(2, 2),
        Promise(3, 3, having="confirmed"),
        Promise(3, 3, having="restated"),
    ),
    paper=Form(
        parts=(Part("Original", "To accounting with the count that it corrects."),),
        original_at=Place.OFFICE,
        shows=Shows.FACTS,
        caption="Count room",
        reason_as="Evidence",
    ),
    look=_look,
    heading=lambda raising: f"Correct {_original(raising).serial}",
    back=lambda raising: {
        "url": reverse("slip", args=[_original(raising).serial]),
        "label": _original(raising).title,
    },
    review=lambda raising, new: {
        "panel": _panel(new.details),
        "inputs": ({"name": "reason", "label": "What is wrong, and the evidence"},),
    },
    raised=lambda slip: f"{slip.serial} proposed. The cage manager approves it.",
    writes=_writes,
    notes=lambda slip: [Note(heading, words) for heading, words in _writes(slip)[:1]],
    tells=lambda slip: {**_panel(slip.details), "corrected_on": corrected_on(slip)},
)
