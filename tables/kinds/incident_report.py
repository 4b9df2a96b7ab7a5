"""The report on an incident, and what is added to it later: nothing that was written is changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import models
from django.shortcuts import get_object_or_404
from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.floor.fields import Words
from pitboss.rules.flows.flows import Promise, Readers, Step
from pitboss.rules.refusal import CONFLICT, Refusal, refuse
from pitboss.rules.roles import GUARDING, KEEPING_BOOKS, SUPERVISING, WATCHING, Role
from pitboss.services.drafts import NewSlip
from pitboss.services.locks import lock_desk
from pitboss.slips.addresses import id_of
from pitboss.slips.kind import Kind, Raising
from tables.models import Incident, IncidentReport
from tables.services.incident_reports import end_unwritten, place_words

_WRITERS: Final = (Role.SUPERVISOR, Role.SECURITY, Role.SURVEILLANCE)
_LONG: Final = 500
_READERS: Final = Readers(
    SUPERVISING | GUARDING | WATCHING | KEEPING_BOOKS | {Role.COMPLIANCE}, names_patron=True
)
_PAPER: Final = Form(
    parts=(Part("Original", "To compliance, with the recordings."),),
    shows=Shows.FACTS,
    caption="Incident",
)
_ASKED: Final = (
    Words(name="happened", label="What happened", most=_LONG),
    Words(name="people", label="People involved", is_needed=False, most=_LONG),
    Words(name="witnesses", label="Witnesses", is_needed=False),
    Words(name="recordings", label="Recordings", is_needed=False),
    Words(name="action", label="Action taken", most=_LONG),
    Words(name="notified", label="Notified", hint="Who was notified, and when.", is_needed=False),
)


def _incident(raising: Raising) -> Incident:
    incident: Incident = raising.given["incident"]
    return incident


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return the report on the incident that the address names."""
    incident = get_object_or_404(Incident, pk=id_of(request.GET, "incident"))
    return replace(
        raising,
        given={**raising.given, "incident": incident},
        named={**raising.named, "incident": incident.pk},
    )


def _drafted(raising: Raising) -> NewSlip:
    incident, given = _incident(raising), raising.given
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{incident.title}, {place_words(incident)}",
            "says": [
                ["Incident", incident.title],
                ["Where and when", place_words(incident)],
                ["Saved by", str(incident.by)],
                *([field.label, given[field.name]] for field in _ASKED if field.name in given),
            ],
            "incident": incident.pk,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    report = IncidentReport.objects.filter(incident=_incident(raising)).first()
    if report is None:
        return []
    words = f"{report.slip} is the report on this incident. Add a supplement to it."
    return [Refusal("already_written", words, CONFLICT)]


def _written(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    lock_desk("incidents")
    incident = Incident.objects.get(pk=slip.details["incident"])
    if IncidentReport.objects.filter(incident=incident).exists():
        raise refuse(
            "already_written", "The report is already written. Add a supplement.", CONFLICT
        )
    end_unwritten(incident, slip.serial, signature.person, signature.device)
    return [IncidentReport.objects.create(incident=incident, slip=slip)]


INCIDENT_REPORT = Kind(
    "incident_report",
    title="Incident",
    series="IN",
    open_to=SUPERVISING | GUARDING | WATCHING,
    lit_by="incidents",
    at_a_table=False,
    desk="house",
    begins=_begins,
    asked=_ASKED,
    drafted=_drafted,
    refusals=_refusals,
    refuses_at_once=True,
    steps=(
        Step(
            "written",
            done="Written",
            do="Sign report",
            by=_WRITERS,
            at=None,
            attests="I certify that this report states what I know of this incident.",
            then="incident_written",
        ),
    ),
    effects={"incident_written": _written},
    readers=_READERS,
    promises=(Promise(1, 1),),
    paper=_PAPER,
    heading=lambda raising: f"Report: {_incident(raising).title}",
    back=lambda raising: {"url": reverse("incidents"), "label": "Incidents"},
    raised=lambda slip: f"{slip.serial} signed. Later text is a supplement.",
)


def _supplement_drafted(raising: Raising) -> NewSlip:
    report = raising.original
    assert report is not None, "a supplement is of a report"
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        report.pk,
        details={
            "about": f"supplement to {report.serial}",
            "says": [["Supplement to", report.serial], ["Text", raising.given["text"]]],
        },
    )


INCIDENT_SUPPLEMENT = Kind(
    "incident_supplement",
    title="Incident supplement",
    series="IS",
    open_to=SUPERVISING | GUARDING | WATCHING | {Role.COMPLIANCE},
    lit_by="incidents",
    at_a_table=False,
    desk="house",
    refers_to=("incident_report",),
    must_refer=True,
    offers="Add a supplement",
    comes_again=True,
    asked=(Words(name="text", label="Text", most=_LONG),),
    drafted=_supplement_drafted,
    steps=(
        Step(
            "written",
            done="Written",
            do="Sign supplement",
            by=(*_WRITERS, Role.COMPLIANCE),
            at=None,
            attests="I certify that this supplement states what I know of this incident.",
        ),
    ),
    readers=_READERS,
    promises=(Promise(1, 1),),
    paper=replace(_PAPER, refers_as="Supplements", referred_as="Supplemented by"),
    heading=lambda raising: "Incident supplement",
    back=lambda raising: {"url": reverse("incidents"), "label": "Incidents"},
    raised=lambda slip: f"{slip.serial} signed.",
)
