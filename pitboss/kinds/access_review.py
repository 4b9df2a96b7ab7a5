"""The access review: a department head answers for everyone, and compliance signs that it was done.

Remove takes effect with the head's signature. Compliance grants no access, and this slip gives
none to anyone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import models
from django.http import Http404
from django.urls import reverse

from pitboss.kinds.of_the_house import READERS
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.floor.fields import Each
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import Need, Promise, Step
from pitboss.rules.people.access_review import (
    DEPARTMENTS,
    HEADS,
    AccessVerdict,
    Department,
    Quarter,
    ReviewLine,
    line_refusals,
    quarter_of,
    removal_refusals,
)
from pitboss.rules.people.dormant import AccountStep, Why
from pitboss.rules.people.proofs import Proved
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused
from pitboss.rules.roles import Role
from pitboss.selectors.access_reviews import KIND, people_reviewed, review_of
from pitboss.services import house
from pitboss.services.accounts import stop
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import ACCESS_CHANGE, open_exception
from pitboss.services.locks import lock_person, lock_staff
from pitboss.services.staffing import staffing_refusals_of
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising


def _department(raising: Raising) -> Department:
    department: Department = raising.given["department"]
    return department


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return the review of the department that the address names, this quarter's or the last's."""
    department = DEPARTMENTS.get(request.GET.get("department", ""))
    if department is None:
        raise Http404("Department not found.")
    now = quarter_of(request.period.gaming_day)
    quarter = now.before if request.GET.get("quarter") == str(now.before) else now
    return replace(
        raising,
        given={**raising.given, "department": department, "quarter": quarter},
        named={**raising.named, "department": department.name, "quarter": str(quarter)},
    )


def _entered(raising: Raising) -> Mapping[str, str]:
    entered: Mapping[str, str] = raising.given.get("line", {})
    return entered


def _lines(raising: Raising) -> list[tuple[ReviewLine, dict[str, str]]]:
    today, entered = house.period_at(house.now()).gaming_day, _entered(raising)
    return [
        (replace(line, verdict=entered.get(str(line.person), "")), shown)
        for line, shown in people_reviewed(_department(raising), today)
    ]


def _drafted(raising: Raising) -> NewSlip:
    department, quarter = _department(raising), raising.given["quarter"]
    lines = _lines(raising)
    return NewSlip(
        KIND,
        None,
        {},
        details={
            "about": f"{department.title}, {quarter.label}",
            "says": [
                ["Department", f"{department.title}, {quarter.label}"],
                *([f"{line.name}, {shown['badge']}", _says(line, shown)] for line, shown in lines),
            ],
            "department": department.name,
            "quarter": str(quarter),
            "lines": [
                {
                    "person": line.person,
                    "name": line.name,
                    "role": line.role.value,
                    "verdict": line.verdict,
                }
                for line, _ in lines
            ],
        },
    )


def _says(line: ReviewLine, shown: Mapping[str, str]) -> str:
    """Say what someone can do, and what becomes of it."""
    parts = [
        line.verdict.upper(),
        shown["role"],
        f"acting {shown['acting']}" if shown["acting"] else "",
        f"limits {shown['limits']}" if shown["limits"] else "",
        f"last use {shown['used']}",
        f"license {shown['licence']}",
        f"devices {shown['devices']}" if shown["devices"] else "",
    ]
    return " · ".join(part for part in parts if part)


def _refusals(raising: Raising) -> list[Refusal]:
    department, quarter = _department(raising), raising.given["quarter"]
    standing = review_of(department.name, quarter)
    refusals = line_refusals([line for line, _ in _lines(raising)], _entered(raising))
    if standing is not None:
        refusals.append(
            Refusal(
                "already_reviewed",
                f"{standing} is the review of {department.title} for {quarter.label}. "
                "Open that one.",
                CONFLICT,
            )
        )
    return refusals


def _read(details: Mapping[str, Any]) -> list[ReviewLine]:
    return [
        ReviewLine(line["person"], line["name"], Role(line["role"]), line["verdict"])
        for line in details["lines"]
    ]


def _reviewed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Remove who was removed, sessions and all, and ask for what is to change. Raises Refused."""
    department, role = DEPARTMENTS[slip.details["department"]], Role(signature.role)
    if role not in department.heads:
        heads = " or ".join(head.label for head in department.heads)
        raise Refused(
            [Refusal("wrong_role", f"{department.title} is reviewed by: {heads}.", NOT_YOURS)]
        )
    lines = _read(slip.details)
    lock_staff()
    removed = [
        lock_person(line.person)
        for line in sorted(lines, key=lambda line: line.person)
        if line.verdict == AccessVerdict.REMOVE.value
    ]
    refusals = removal_refusals(lines, role, signature.person_id)
    refusals += staffing_refusals_of([(person, None) for person in removed])
    if refusals:
        raise Refused(refusals)
    changed = [line.name for line in lines if line.verdict == AccessVerdict.CHANGE.value]
    if changed:
        open_exception(
            code=ACCESS_CHANGE,
            sentence=f"{slip.serial}: change the access of {', '.join(changed)}."[:500],
            details={"people": changed},
            at=at,
            person=signature.person,
            slip=slip,
        )
    return [stop(person, AccountStep.REMOVED, Why.REVIEWED, at, slip) for person in removed]


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    given = request.POST if refused else request.GET
    entered = _entered(raising) or {
        name.removeprefix("line_"): str(given.get(name))
        for name in given
        if name.startswith("line_")
    }
    return "pitboss/access_review.html", {
        "url": own_url(raising),
        "lines": [
            {
                **shown,
                "person": line.person,
                "name": line.name,
                "chosen": entered.get(str(line.person)),
            }
            for line, shown in _lines(raising)
        ],
        "verdicts": [
            {"value": access_verdict.value, "label": access_verdict.label}
            for access_verdict in AccessVerdict
        ],
    }


def _heading(raising: Raising) -> str:
    quarter: Quarter = raising.given["quarter"]
    return f"Access review, {_department(raising).title}, {quarter.label}"


ACCESS_REVIEW = Kind(
    KIND,
    title="Access review",
    series="AR",
    open_to=frozenset(HEADS),
    lit_by="people",
    at_a_table=False,
    desk="people",
    changes_house=True,
    begins=_begins,
    asked=(Each(name="line", label="Everyone"),),
    drafted=_drafted,
    refusals=_refusals,
    urgency=Urgency.FORM,
    proves=Proved.PEOPLE,
    steps=(
        Step(
            "reviewed",
            done="Reviewed",
            do="Sign review",
            by=HEADS,
            at=None,
            attests="I reviewed the access of everyone listed. What I marked remove ends "
            "immediately.",
            then="access_reviewed",
        ),
        Step(
            "confirmed",
            done="Confirmed",
            do="Confirm",
            why=Need("Compliance, which grants no access, signs each review."),
            by=Role.COMPLIANCE,
            at=None,
            attests="I compared this review with the records of access and confirm that it is "
            "complete. I grant no access by it.",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Returned",
            do="Return",
            by=Role.COMPLIANCE,
            at=None,
            needs_reason=True,
            attests="I return this review because it is not complete. Access that was removed "
            "stays removed.",
            then="slip_voided",
        ),
    ),
    effects={"access_reviewed": _reviewed},
    readers=READERS,
    promises=(Promise(2, 2),),
    paper=HOUSE_FORM,
    look=_look,
    heading=_heading,
    back=lambda raising: {"url": reverse("access-reviews"), "label": "Access reviews"},
    raised=lambda slip: f"{slip.serial} signed. Waiting for compliance.",
)
