"""An outage: declared by a manager of the pit or the cage, ended by one, and closed by accounting.

Paper is used inside it only. It is closed once every form that was out has come home: entered late,
void, or returned unused.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import uuid4

from django.db import models
from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.models import PaperFormEnd, Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.day.outages import OUTAGE as KIND
from pitboss.rules.day.outages import close_refusals, start_refusals
from pitboss.rules.floor.fields import DayAndTime, Several, Words
from pitboss.rules.flows.flows import Need, Promise, Readers, SlipStatus, Step, void_witnessed
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, SUPERVISING, WATCHING, Place, Role
from pitboss.selectors.outages import down_now, holder_words, holders, missing_of
from pitboss.services import house, journal
from pitboss.services.drafts import NewSlip
from pitboss.services.signing import set_status
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.slips.late import day_and_time

DECLARING: Final = (Role.PIT_MANAGER, Role.CAGE_MANAGER)
FORM_READERS: Final = SUPERVISING | AT_THE_CAGE | KEEPING_BOOKS | WATCHING


def _scope(raising: Raising) -> list[str]:
    """Return the places that were ticked, by their numbers on the page: a name may have blanks."""
    known = [name for name, _ in holders()]
    chosen = {int(item) for item in raising.given.get("scope", ()) if item.isdecimal()}
    return [name for place, name in enumerate(known, 1) if place in chosen]


def _started_at(raising: Raising) -> datetime:
    at = datetime.fromisoformat(raising.given["started_at"])
    return (at if at.tzinfo else at.replace(tzinfo=house.the_property().zone)).astimezone(UTC)


def _drafted(raising: Raising) -> NewSlip:
    scope, started_at = _scope(raising), _started_at(raising)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "scope": scope,
            "started_at": journal.plain_time(started_at),
            "cause": raising.given["cause"],
            "says": [
                ["Down", ", ".join(holder_words(name) for name in scope) or "nothing"],
                ["Since", day_and_time(started_at)],
                ["What is down", raising.given["cause"]],
            ],
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    now = house.now()
    within_days = house.settings_at(now)["day.late_entry"]
    return start_refusals(_scope(raising), _started_at(raising), now, down_now(), within_days)


def _closed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Close an outage that no form is missing of. Raises Refused."""
    if refusals := close_refusals(missing_of(slip)):
        raise Refused(refusals)
    return []


def _voided(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Void an outage that was declared by mistake, unless paper was entered from it."""
    if PaperFormEnd.objects.filter(slip__details__outage=slip.serial).exists():
        raise refuse("forms_entered", f"Forms were entered from {slip.serial}. End it instead.")
    set_status(slip, SlipStatus.VOIDED)
    return []


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page that asks what is down, and since when."""
    given = request.POST if refused else request.GET
    chosen = {part for value in given.getlist("scope") for part in value.split()}
    return "pitboss/outage_new.html", {
        "url": own_url(raising),
        "request_id": str(uuid4()),
        "places": [
            {"value": place, "label": words, "is_chosen": str(place) in chosen}
            for place, (_, words) in enumerate(holders(), 1)
        ],
        "started_at": given.get("started_at", ""),
        "cause": given.get("cause", ""),
    }


def _shows(slip: Slip) -> Mapping[str, Any]:
    """Return the numbers that are missing, for the person who closes it."""
    return {"missing": missing_of(slip) if slip.pk else []}


OUTAGE = Kind(
    KIND,
    title="Outage",
    series="OU",
    open_to=frozenset({Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.CAGE_MANAGER}),
    lit_by="outages",
    desk="house",
    at_a_table=False,
    asked=(
        Several(name="scope", label="What is down"),
        DayAndTime(name="started_at", label="Since"),
        Words(name="cause", label="What happened", most=120),
    ),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "declared",
            done="Declared",
            do="Declare",
            by=DECLARING,
            at=None,
            attests="I declare this outage. Until it is ended, the places listed work on numbered "
            "forms from their packs.",
        ),
        Step(
            "ended",
            done="Ended",
            do="End the outage",
            by=DECLARING,
            at=None,
            may_repeat="declared",
            attests="I end this outage. From now on no form is used in the places listed.",
        ),
        Step(
            "closed",
            done="Closed",
            do="Close the outage",
            by=Role.ACCOUNTING,
            at=Place.OFFICE,
            why=Need("Accounting keeps the numbered forms. None may be missing."),
            attests="I certify that every form of these packs is accounted for as entered late, "
            "void, or returned unused.",
            then="outage_closed",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=DECLARING,
            at=None,
            may_repeat=("declared", "ended"),
            needs_reason=True,
            attests="I void this outage. I certify that no form was used in it.",
        ),
        void_witnessed(
            (Role.SHIFT_MANAGER, Role.SECURITY, Role.SURVEILLANCE), then="outage_voided"
        ),
    ),
    effects={"outage_closed": _closed, "outage_voided": _voided},
    readers=Readers(FORM_READERS),
    promises=(Promise(2, 2),),
    paper=Form(
        parts=(Part("Original", "To accounting with the forms of the outage."),),
        shows=Shows.FACTS,
    ),
    look=_look,
    heading=lambda raising: "Declare an outage",
    raised=lambda outage: f"Outage {outage.serial} declared. Use forms from the packs.",
    shows=_shows,
    goes_on=lambda outage: reverse("outage", args=[outage.serial]),
)
