"""What every late entry shares: the form it comes from, when it happened, who signed, and its end.

A kind that is entered from paper says with `on_paper` which form it is; what is asked of that form,
why it is refused, and what stands on the slip is here.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from django.db import models

from pitboss.models import Slip
from pitboss.paper.content import Note
from pitboss.paper.forms import Form, OnPaper, Part
from pitboss.rules.day.outages import THE_CAGE, FormEnd, Frame, read_form_number
from pitboss.rules.floor.fields import DayAndTime, Words
from pitboss.rules.flows.flows import Step
from pitboss.rules.refusal import Refusal, Refused
from pitboss.selectors.outages import form_numbered
from pitboss.services import house, journal
from pitboss.services.outages import end_form, entry_refusals, frame_for_entry
from pitboss.slips.kind import Kind, Raising, the_kind

NUMBER: Final = Words(
    name="paper_number", label="Form number", hint="like P-FL-000031-5", is_needed=False
)
TRUE_TIME: Final = DayAndTime(name="true_time", label="Day and time on the form")
SIGNERS: Final = Words(
    name="signers", label="Signed on the form by", hint="as written, in order", is_needed=False
)
FROM_PAPER: Final = (NUMBER, TRUE_TIME, SIGNERS)
# The paper of the outage is the document; the slip says where it was entered.
COVER: Final = Form(
    parts=(Part("Cover", "Pinned to the form it was entered from, to accounting."),)
)


def on_paper(code: str, kind: Kind, *, writes: Iterable[str] = (), **more: Any) -> OnPaper:
    """Return the blank form of a kind: its parts, and a line for each of its steps."""
    return OnPaper(
        code=code,
        title=more.pop("title", kind.title),
        form=kind.paper,
        signers=tuple((step.done, _role_of(step)) for step in kind.steps),
        writes=tuple(writes),
        at_a_table=more.pop("at_a_table", kind.at_a_table),
        **more,
    )


def _role_of(step: Step) -> str:
    roles = " or ".join(role.label for role in step.roles)
    return f"patron, seen by {roles}" if step.drawn else roles


def entered_time(raising: Raising) -> datetime:
    """Return the instant that stands on a form, by the property's clock.

    Of an hour that comes twice the first is meant; who means the other enters it with its offset.
    """
    at = datetime.fromisoformat(raising.given["true_time"])
    return (at if at.tzinfo else at.replace(tzinfo=house.the_property().zone)).astimezone(UTC)


def outage_of(raising: Raising) -> Frame | None:
    """Return the outage in which a form was used; none where it was none."""
    try:
        form = form_numbered(read_form_number(raising.given.get("paper_number", "")))
        return frame_for_entry(form, entered_time(raising)) if form is not None else None
    except Refused:
        # It is told to the person who enters it, with every other reason.
        return None


def paper_details(raising: Raising) -> dict[str, Any]:
    """Return what a late slip keeps of its form."""
    true_time = entered_time(raising)
    outage = outage_of(raising)
    return {
        "paper_number": _one_form(raising.given.get("paper_number", "")),
        "true_time": journal.plain_time(true_time),
        "signers": raising.given.get("signers", ""),
        "outage": outage.serial if outage is not None else "",
    }


def _one_form(entered: str) -> str:
    try:
        return str(read_form_number(entered))
    except Refused:
        return entered.strip().upper()[:20]


def paper_refusals(raising: Raising, code: str) -> list[Refusal]:
    """Return why a form may not be entered late, whatever it says."""
    at = raising.table.pit.name if raising.table is not None else None
    # The cage keeps its own part of what it does at a table.
    holders = (at, THE_CAGE) if at is not None else ()
    refusals = entry_refusals(
        raising.given.get("paper_number", ""), code, entered_time(raising), holders
    )
    if not raising.given.get("signers", "").strip():
        refusals.append(
            Refusal("signers_missing", "Enter who signed the form, as it is written there.")
        )
    return refusals


def form_entered(slip: Slip, at: datetime) -> list[models.Model]:
    """End the form of a late slip once it is approved: its number is used."""
    paper = the_kind(slip.kind).on_paper
    return [end_form(slip, FormEnd.ENTERED, at, is_money=bool(paper and paper.is_money))]


def true_time_of(slip: Slip) -> datetime:
    """Return when something that was entered late happened."""
    return datetime.fromisoformat(slip.details["true_time"])


def paper_written(slip: Slip) -> list[tuple[str, str]]:
    """Return what a late slip says of its form."""
    written = [
        ("LATE", f"Form {slip.details['paper_number']}"),
        ("True time", day_and_time(true_time_of(slip))),
        ("Entered", day_and_time(slip.raised_at)),
    ]
    if slip.details.get("outage"):
        written.append(("Outage", slip.details["outage"]))
    if slip.details.get("signers"):
        written.append(("Signed on the form by", slip.details["signers"]))
    return written


def day_and_time(at: datetime) -> str:
    return f"{at.astimezone(house.the_property().zone):%a, %b %-d, %Y, %H:%M}"


def paper_notes(slip: Slip, written: Iterable[tuple[str, str]]) -> list[Note]:
    """Say in a frame that a slip was entered late: from which form, and when it happened."""
    (heading, paper), *rest = written
    times = [f"{name}: {words}." for name, words in rest]
    return [Note(heading, " ".join([f"{paper}.", *times]), is_grave=True)]
