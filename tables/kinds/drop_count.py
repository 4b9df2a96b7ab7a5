"""The count of a drop box: by two of the count team, and posted by accounting.

The second of the team enters every figure again without seeing the first, and must find the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models.fields.json import KT
from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.content import Note
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.cheques.sets import HouseCheques
from pitboss.rules.drop.figures import DROP_COUNT as COUNT_OF_A_BOX
from pitboss.rules.drop.figures import (
    FIGURE_LINES,
    PROMOTIONAL,
    PULLS,
    Documents,
    Figures,
    cash_cents,
    document_refusals,
    figure_lines,
    lines_in,
    read_figures,
)
from pitboss.rules.floor.fields import Number
from pitboss.rules.flows.flows import Promise, Readers, SlipStatus, Step, void_witnessed
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import KEEPING_BOOKS, SUPERVISING, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.shown import FIGURES, has_unseen_figures
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id
from tables.selectors.box_papers import copies_expected, papers_judged
from tables.selectors.count_sessions import session_of
from tables.selectors.day_books import corrected_on
from tables.services.drop_posting import box_posted, found_in


def _pull_of(raising: Raising) -> Slip:
    assert raising.original is not None, "a count is of a box that was pulled"
    return raising.original


def _figures(raising: Raising) -> dict[str, int]:
    return read_figures(raising.given.get("figures", {}))


def _documents(raising: Raising) -> tuple[str, ...]:
    return tuple(raising.given.get("documents", ()))


def _unreadable(raising: Raising) -> int:
    return int(raising.given.get("unreadable", 0))


def _drafted(raising: Raising) -> NewSlip:
    """Draft the count of a pulled box. Raises Refused for figures of no box."""
    pull = _pull_of(raising)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "pull": pull.serial,
            "box": pull.details["box"],
            FIGURES: _figures(raising),
            "documents": list(_documents(raising)),
            "unreadable": _unreadable(raising),
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    return [
        *box_count_refusals(_pull_of(raising)),
        *document_refusals(_figures(raising), _documents(raising), _unreadable(raising)),
    ]


def box_count_refusals(pull: Slip) -> list[Refusal]:
    """Return why a box may not be counted now. The pull is locked, so one team counts it."""
    if pull.kind not in PULLS:
        return [Refusal("not_a_box", f"{pull.serial} pulled no box. Choose one from the list.")]
    if pull.status != SlipStatus.DONE.value:
        return [
            Refusal(
                "box_not_pulled",
                f"{pull.serial} is {pull.status}. A supervisor signs first.",
                CONFLICT,
            )
        ]
    session = session_of(pull)
    if session is not None:
        return [Refusal("in_a_session", f"{session.serial} counts this box. Enter it there.")]
    counting = _count_of(pull)
    if counting is not None:
        return [
            Refusal(
                "already_counted",
                f"{counting.serial} is already counting this box. Finish or void it.",
                CONFLICT,
            )
        ]
    return []


def _count_of(pull: Slip) -> Slip | None:
    """Return the count of a box that stands, or None."""
    counts = Slip.objects.alias(of_pull=KT("details__pull")).filter(
        kind=COUNT_OF_A_BOX, of_pull=pull.serial
    )
    return counts.exclude(status=SlipStatus.VOIDED).first()


def _posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Compare the papers found with those that should be there; what differs is looked into."""
    box_posted([slip], signature.person, at)
    return []


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page on which what a box held is entered, line by line."""
    pull = _pull_of(raising)
    given = request.POST if refused else request.GET
    entered = {name: str(value) for name, value in given.items()}
    return "tables/drop_count.html", {
        "url": own_url(raising),
        "keep": f"box-{pull.serial}",
        "request_id": new_request_id(),
        "pull": pull,
        "panel": {
            "box": pull.details["box"],
            "key_lines": _figure_fields(entered, request.house.cheques),
        },
        "documents": entered.get("documents", ""),
        "unreadable": entered.get("unreadable", ""),
        "copies": copies_expected([pull])[pull.serial],
    }


def _figure_fields(entered: Mapping[str, str], cheques: HouseCheques) -> list[dict[str, Any]]:
    """Return the fields in which a box's count is entered."""
    return [
        {
            "name": f"figure_{line.key}",
            "title": line.title,
            "is_money": line.is_money,
            "value": entered.get(f"figure_{line.key}", ""),
        }
        for line in figure_lines(promotional=cheques.has_promotional)
    ]


def _figures_panel(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a box as a slip shows them."""
    figures = details[FIGURES]
    return {
        "template": "tables/_figures.html",
        "has_lines": True,
        "box": details["box"],
        "lines": [
            {
                "title": line.title,
                "words": format_money(figures[line.key])
                if line.is_money
                else str(figures[line.key]),
                "is_none": not figures[line.key],
            }
            for line in lines_in(figures)
        ],
        "cash_cents": cash_cents(figures),
        "documents": details["documents"],
        "unreadable": details.get("unreadable", 0),
    }


def _tells(slip: Slip) -> dict[str, Any]:
    """Return the figures of a box; before the second count only the fields to enter them in."""
    if not has_unseen_figures(slip):
        return {
            **_figures_panel(slip.details),
            "papers": _papers_said(slip),
            "corrected_on": corrected_on(slip),
        }
    if slip.status == SlipStatus.OPEN.value:
        return {
            "template": "tables/_figure_fields.html",
            "has_lines": True,
            "form": "sign-pad",
            "box": slip.details["box"],
            "key_lines": _figure_fields({}, house.cheques_now()),
        }
    return {"template": "tables/_written.html", "has_lines": True, "written": _writes(slip)}


def _papers_said(slip: Slip) -> list[dict[str, str]]:
    """Say of the papers of a box what accounting looks at before it posts them."""
    pull = Slip.objects.select_related("table").get(serial=slip.details["pull"])
    papers, titles = papers_judged([pull], {pull.serial: found_in(slip.details)})[pull.serial]
    said = [{"word": "Here", "code": code, "title": titles[code]} for code in papers.here]
    said += [
        {"word": "Note", "code": code, "title": f"{titles[code]}, dropped near a pull"}
        for code in papers.notes
    ]
    said += [{"word": "Missing", "code": code, "title": titles[code]} for code in papers.missing]
    said += [{"word": "Foreign", "code": code, "title": where} for code, where in papers.foreign]
    said += [
        {"word": "Double", "code": code, "title": f"also on {other}" if other else "found twice"}
        for code, other in papers.double
    ]
    return said


def _writes(slip: Slip) -> list[tuple[str, str]]:
    written = [("Box", f"{slip.details['box']}, pulled on {slip.details['pull']}")]
    if has_unseen_figures(slip):
        return [*written, ("Figures", "Not shown until two have counted.")]
    figures = slip.details[FIGURES]
    bills = [
        f"{line.title} {format_money(figures[line.key])}"
        for line in FIGURE_LINES
        if line.key.startswith("cash_") and figures[line.key]
    ]
    return [
        *written,
        ("Cash", f"{format_money(cash_cents(figures))}: {', '.join(bills) or 'no bills'}"),
        ("Coupons", format_money(figures["coupons"])),
        ("Other houses", format_money(figures["foreign_cheques"])),
        *(
            [("Promotional cheques", format_money(figures[PROMOTIONAL]))]
            if PROMOTIONAL in figures
            else []
        ),
        ("Documents", _documents_named(slip.details)),
    ]


def _notes(slip: Slip) -> list[Note]:
    notes = [Note("Box", f"{slip.details['box']}, pulled on {slip.details['pull']}")]
    if has_unseen_figures(slip):
        unseen = "Figures and documents are not shown until two have counted."
        return [*notes, Note("BLIND", unseen, is_grave=True)]
    return [*notes, Note("Documents", _documents_named(slip.details))]


def _documents_named(details: Mapping[str, Any]) -> str:
    found = found_in(details)
    unread = [f"{found.unreadable} unreadable"] if found.unreadable else []
    return ", ".join([*found.documents, *unread]) or "none"


DROP_COUNT = Kind(
    COUNT_OF_A_BOX,
    title="Drop count",
    series="DC",
    open_to=frozenset({Role.COUNT_TEAM}),
    lit_by="count_room",
    desk="house",
    at_a_table=False,
    refers_to=tuple(sorted(PULLS)),
    must_refer=True,
    asked=(
        Figures(name="figures", label="Figures"),
        Documents(name="documents", label="Codes of the documents"),
        Number(name="unreadable", label="Unreadable documents", is_needed=False, most=99),
    ),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "counted",
            done="Counted",
            do="Count",
            by=Role.COUNT_TEAM,
            at=Place.OFFICE,
            attests="I certify that I emptied this box and counted everything in it.",
        ),
        Step(
            "verified",
            done="Verified",
            do="Verify",
            by=Role.COUNT_TEAM,
            at=Place.OFFICE,
            figures=True,
            attests="I certify that I counted the contents again on my own and that the box is "
            "empty.",
        ),
        Step(
            "posted",
            done="Posted",
            do="Post",
            by=Role.ACCOUNTING,
            at=Place.OFFICE,
            attests="I certify that I took no part in the count. I reviewed it and post it.",
            then="drop_posted",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.COUNT_TEAM,
            at=Place.OFFICE,
            may_repeat="counted",
            needs_reason=True,
            attests="I void this count. The box is to be counted again on a new slip.",
        ),
        void_witnessed(
            (Role.ACCOUNTING, Role.SECURITY),
            attests="I certify that I took no other part in this count and witnessed it being "
            "voided.",
        ),
    ),
    effects={"drop_posted": _posted},
    readers=Readers(SUPERVISING | KEEPING_BOOKS | {Role.COUNT_TEAM}),
    promises=(Promise(3, 2),),
    paper=Form(
        parts=(Part("Original", "To accounting with the documents from the box."),),
        original_at=Place.OFFICE,
        shows=Shows.FIGURES,
        caption="Count room",
        refers_as="Counts",
        referred_as="Counted by",
    ),
    look=_look,
    heading=lambda raising: f"Count box {_pull_of(raising).details['box']}",
    review=lambda raising, new: {"panel": _figures_panel(new.details)},
    raised=lambda count: f"{count.serial} counted. Another of the team counts again.",
    writes=_writes,
    notes=_notes,
    tells=_tells,
    goes_on=lambda count: reverse("count-room"),
)
