"""What late entries of a table share on the screen and on paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from inventory.kinds.of_a_patron import patron_of
from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.day.outages import form_number
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Step, void_witnessed
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, SUPERVISING, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.effects import Effect
from pitboss.slips.addresses import own_url
from pitboss.slips.fields import drawn
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.slips.late import COVER, FROM_PAPER, entered_time, paper_notes, paper_written
from pitboss.views.forms import new_request_id

_ON_THE_PAGE: Final = frozenset({"cheques", "what", "corrects", *(f.name for f in FROM_PAPER)})


def late_look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page on which a form is entered: its cheques, number, time and signers."""
    given = request.POST if refused else request.GET
    return "tables/late_new.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "paper_number": given.get("paper_number", ""),
        "example": form_number(raising.kind.on_paper.code if raising.kind.on_paper else "FL", 31),
        "true_time": given.get("true_time", ""),
        "signers": given.get("signers", ""),
        "fields": [
            drawn(field, given) for field in raising.kind.asked if field.name not in _ON_THE_PAGE
        ],
        "rows": [
            {"cents": cents, "value": given.get(f"cheques_{cents}", "")}
            for cents in request.house.cheques.begun_at(raising.table.name if raising.table else "")
        ]
        if any(field.name == "cheques" for field in raising.kind.asked)
        else [],
        "then": "A manager compares it with the form and approves.",
    }


def late_look_of_patron(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page of a form that a patron signed: it names who was chosen."""
    template, page = late_look(request, raising, refused)
    return template, {**page, "patron": str(patron_of(raising))}


def closed_day(raising: Raising) -> list[Refusal]:
    """Return why nothing is entered into a day: it was closed."""
    day = house.period_at(entered_time(raising)).gaming_day
    return [house.day_closed_refusal(day)] if house.is_closed(day) else []


def late_tells(slip: Slip) -> dict[str, Any]:
    """Return what the page of a late slip says of its form."""
    return {
        "template": "tables/_written.html",
        "comes_first": True,
        "is_late": True,
        "written": paper_written(slip),
    }


def late_review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    draft = Slip(kind=new.kind, details=dict(new.details), raised_at=house.now())
    return {"panel": late_tells(draft)}


ENTERED: Final = Step(
    "keyed",
    done="Entered late",
    do="Enter late",
    by=Role.SUPERVISOR,
    at=Place.PIT,
    attests="I certify that I entered this from the form exactly, including the time and the "
    "signatures written on it.",
)
COMPARED: Final = Step(
    "approved",
    done="Approved",
    do="Compare and approve",
    why=BY_ANOTHER,
    by=Role.PIT_MANAGER,
    at=None,
    attests="I certify that I compared this with the form, its picture and its signatures, and "
    "that they agree.",
    then="late_posted",
)
LATE_VOID: Final = (
    Step(
        "voided",
        done="Voided",
        do="Void",
        by=Role.SUPERVISOR,
        at=Place.PIT,
        may_repeat="keyed",
        needs_reason=True,
        attests="I void this slip. I certify that it was entered wrong and that the form is to be "
        "entered again on a new slip.",
    ),
    void_witnessed(
        (Role.PIT_MANAGER, Role.SECURITY, Role.SURVEILLANCE),
        attests="I certify that I compared this slip with the form and witnessed it being voided.",
    ),
)


# What the cage did at its windows is entered by a cashier, and compared by the cage manager.
OF_THE_CAGE: Final[Mapping[str, Any]] = {
    "open_to": AT_THE_CAGE,
    "lit_by": "cage",
    "at_a_table": False,
    "steps": (
        replace(ENTERED, by=Role.CASHIER, at=Place.CAGE),
        replace(COMPARED, by=Role.CAGE_MANAGER),
    ),
    "void": (
        replace(LATE_VOID[0], by=Role.CASHIER, at=Place.CAGE),
        void_witnessed(
            (Role.CAGE_MANAGER, Role.SECURITY, Role.SURVEILLANCE),
            attests=LATE_VOID[1].attests,
        ),
    ),
}


def late_kind(kind: str, *, posted: Effect, **own: Any) -> Kind:
    """Return a kind that is entered late from a form: what all share, and its own.

    A supervisor enters the form, a manager compares it, and `posted` is what it does then.
    """
    shared: dict[str, Any] = {
        "series": "L",
        "is_late": True,
        "open_to": SUPERVISING,
        "lit_by": "board",
        "steps": (ENTERED, COMPARED),
        "void": LATE_VOID,
        "effects": {"late_posted": posted},
        "promises": (Promise(2, 1),),
        "paper": COVER,
        "look": late_look,
        "review": late_review,
        "raised": lambda late: f"{late.serial} entered from form {late.details['paper_number']}.",
        "notes": lambda slip: paper_notes(slip, paper_written(slip)),
        "tells": late_tells,
    }
    return Kind(kind, **{**shared, **own})
