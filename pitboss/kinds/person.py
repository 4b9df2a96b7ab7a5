"""People: added, changed and imported by two managers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final

from django.conf import settings
from django.db import models
from django.shortcuts import get_object_or_404
from django.urls import reverse

from pitboss.kinds.of_the_house import GRANTING, READERS, pending_words
from pitboss.middleware import PitRequest
from pitboss.models import Person, Signature, Slip
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.floor.fields import Text, Words
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, SlipStatus, Step
from pitboss.rules.flows.house_flows import PEOPLE_MANAGERS, PERSON_CHANGE, REFUSED
from pitboss.rules.people.proofs import Proved
from pitboss.rules.people.sign_in import SUBJECT_MAX, subject_in
from pitboss.rules.people.staffing import (
    COLUMNS,
    IMPORT_MAX,
    SUBJECT,
    PersonFields,
    read_people,
    read_person,
)
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import GRANTS_NO_ACCESS, Role
from pitboss.selectors.accounts import standing_of
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.locks import lock_person, lock_staff
from pitboss.services.pin_offers import live_offers
from pitboss.services.staff_words import compare_told
from pitboss.services.staffing import (
    demand_another,
    demand_granting,
    demand_rank,
    fields_of,
    staffing_refusals_of,
)
from pitboss.services.standing import set_status
from pitboss.slips.addresses import new_url, row_id
from pitboss.slips.kind import Kind, Look, Raising

# On the wire each column has a name of its own, since the pad's badge is the signer's.
_NEW: Final = "new_"
# What no two people share, as it is called.
_OWN = {
    "badge": "badge",
    "employee_number": "employee number",
    "identity": "provider sign-in",
}


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return a change of the person whom its address names, or people to be added."""
    number = request.GET.get("person") or request.POST.get("person")
    if number:
        person = get_object_or_404(Person, pk=row_id(number))
        return replace(
            raising,
            given={**raising.given, "person": person},
            named={**raising.named, "person": person.pk},
        )
    if request.GET.get("by") == "list" or request.POST.get("list"):
        return replace(
            raising,
            given={**raising.given, "by": "list"},
            named={**raising.named, "by": "list"},
        )
    return raising


def _columns() -> tuple[str, ...]:
    """Return what is entered about a person; the provider's name for them where there is one."""
    return (*COLUMNS, SUBJECT) if settings.OIDC_ISSUER else COLUMNS


def _drafted(raising: Raising) -> NewSlip:
    """Draft what was entered. Raises Refused for what cannot be read."""
    given, issuer = raising.given, settings.OIDC_ISSUER
    if "by" in given:
        return new_people(read_people(given.get("list", ""), issuer=issuer))
    entered = {column: given.get(f"{_NEW}{column}", "") for column in _columns()}
    person: Person | None = given.get("person")
    if person is None:
        return new_people([read_person(entered, issuer=issuer)])
    return new_change(person, read_person(entered, issuer=issuer, identity=person.identity))


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why people may not be added or changed so, what cannot be read included."""
    try:
        return people_refusals(raising.new().details)
    except Refused as refused:
        return list(refused.refusals)


def new_people(people: Sequence[PersonFields]) -> NewSlip:
    """Return the addition of people who do not work here yet, about to be proposed."""
    names = [f"{person.first_name} {person.last_name}" for person in people]
    says = (
        [[name, words] for name, words in people[0].words().items()]
        if len(people) == 1
        else [["People", str(len(people))]]
        + [
            [person.badge, f"{name}, {person.role.label}"]
            for person, name in zip(people, names, strict=True)
        ]
    )
    return NewSlip(
        PERSON_CHANGE,
        None,
        {},
        details={
            "about": f"add {names[0] if len(names) == 1 else f'{len(names)} people'}",
            "says": says,
            "people": [{"id": None, "was": None, "is": person.stored()} for person in people],
        },
    )


def new_change(person: Person, changed: PersonFields) -> NewSlip:
    """Return a change of one person, about to be proposed."""
    was = fields_of(person)
    before, after = was.words(), changed.words()
    says = [
        [name, f"{after.get(name, 'none')}, instead of {before.get(name, 'none')}"]
        for name in {**before, **after}
        if after.get(name) != before.get(name)
    ]
    return NewSlip(
        PERSON_CHANGE,
        None,
        {},
        details={
            "about": f"{person.first_name} {person.last_name}",
            "says": says,
            "people": [{"id": person.pk, "was": was.stored(), "is": changed.stored()}],
        },
    )


def people_refusals(details: Mapping[str, Any]) -> list[Refusal]:
    """Return why people may not be added or changed so: every reason, for each of them."""
    refusals = staffing_refusals_of(
        [
            (Person.objects.get(pk=person["id"]), Role(person["is"]["role"]))
            for person in details["people"]
            if person["id"] is not None and person["is"]["role"] != person["was"]["role"]
        ]
    )
    for person in details["people"]:
        wanted = person["is"]
        if wanted == person["was"]:
            refusals.append(Refusal("nothing_changes", "Nothing is different. Change something."))
        others = Person.objects.exclude(pk=person["id"])
        for column, what in _OWN.items():
            value = wanted.get(column, "")
            holder = others.filter(**{column: value}).first() if value else None
            if holder is not None:
                refusals.append(
                    Refusal(f"{column}_taken", f"{holder} has the {what} {value}. Use another.")
                )
        if (
            person["id"] is not None
            and fields_of(Person.objects.get(pk=person["id"])).stored() != person["was"]
        ):
            refusals.append(
                Refusal(
                    "person_changed",
                    "This person was changed while you had the page open. Review the changes.",
                )
            )
    return refusals


def _person_change_begins(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    for person in slip.details["people"]:
        _demand_manager_of(person, signature)
    return []


def _person_changed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Add and change people as the slip says, all of them or none."""
    lock_staff()
    for person in slip.details["people"]:
        _demand_manager_of(person, signature)
        if person["id"] is not None:
            lock_person(person["id"])
    refusals = people_refusals(slip.details)
    if refusals:
        raise Refused(refusals)
    for item in slip.details["people"]:
        values = dict(item["is"])
        ends = values.pop("licence_ends")
        values["licence_ends"] = date.fromisoformat(ends) if ends else None
        values.setdefault("identity", "")
        if item["id"] is None:
            # Without PIN and password: both are set by the person, before a witness.
            Person.objects.create(**values)
        else:
            Person.objects.filter(pk=item["id"]).update(**values)
        numbers = {version["employee_number"] for version in (item["was"], item["is"]) if version}
        for number in sorted(numbers):
            compare_told(number, at=at, signature=signature)
    return []


def _person_change_refused(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    for person in slip.details["people"]:
        _demand_manager_of(person, signature)
    set_status(slip, SlipStatus.VOIDED)
    return []


def _demand_manager_of(each: Mapping[str, Any], signature: Signature) -> None:
    """Refuse a signer who has no say over someone's old role or new one, or who is that person."""
    if each["id"] is not None:
        demand_another(each["id"], signature)
    if each["was"] is None or each["was"]["role"] != each["is"]["role"]:
        demand_granting(Role(signature.role))
    for version in (each["was"], each["is"]):
        if version is not None:
            name = f"{version['first_name']} {version['last_name']}"
            is_new = each["id"] is None
            demand_rank(Role(signature.role), Role(version["role"]), name, is_new=is_new)


def person_shown(
    request: PitRequest, person: Person | None, entered: Mapping[str, str], by: str = ""
) -> dict[str, Any]:
    """Return the page of a person, a new one, or a list, with what was entered there."""
    stored: dict[str, Any] = fields_of(person).stored() if person is not None else {}
    held = {f"{_NEW}{column}": stored.get(column) or "" for column in COLUMNS}
    held[f"{_NEW}{SUBJECT}"] = subject_in(stored.get("identity", ""))
    keyed = {name: entered.get(name, value) for name, value in held.items()}
    return {
        "heading": _title(person, by),
        "back": {"url": reverse("people"), "label": "People"},
        "url": new_url(PERSON_CHANGE, person=person.pk if person else "", by=by),
        "form": by or "person",
        "keyed": {**keyed, "list": entered.get("list", "")},
        "person": person,
        "has_offer": person is not None
        and live_offers(house.now()).filter(person=person, by_keys=False).exists(),
        "roles": [{"value": role.value, "label": role.label} for role in Role],
        "columns": ", ".join(_columns()),
        "has_provider": bool(settings.OIDC_ISSUER),
        "import_max": IMPORT_MAX,
        "may_propose": request.role in PEOPLE_MANAGERS
        and (person is not None or request.role not in GRANTS_NO_ACCESS),
        "standing": standing_of(person.pk) if person is not None else None,
        "may_restore": request.role in GRANTING,
    }


def _title(person: Person | None, by: str) -> str:
    if person is not None:
        return f"{person.first_name} {person.last_name}"
    return "Import people" if by else "New person"


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    entered, given = request.POST if refused else request.GET, raising.given
    shown = person_shown(request, given.get("person"), entered, given.get("by", ""))
    return "pitboss/staffing.html", shown


PERSON_KIND = Kind(
    PERSON_CHANGE,
    title="People",
    series="HP",
    open_to=frozenset(PEOPLE_MANAGERS),
    lit_by="people",
    at_a_table=False,
    desk="people",
    changes_house=True,
    begins=_begins,
    asked=(
        *(
            Words(name=f"{_NEW}{column}", label=column, most=SUBJECT_MAX, is_needed=False)
            for column in (*COLUMNS, SUBJECT)
        ),
        Text(name="list", label="People, one a line", is_needed=False),
    ),
    drafted=_drafted,
    refusals=_refusals,
    urgency=Urgency.FORM,
    proves=Proved.PEOPLE,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=PEOPLE_MANAGERS,
            at=None,
            needs_reason=True,
            attests="I know these people and certify that the information shown about them is "
            "true.",
            then="person_change_begins",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=PEOPLE_MANAGERS,
            at=None,
            attests="I compared this information with their documents and approve it.",
            then="person_changed",
        ),
    ),
    void=(replace(REFUSED[0], by=PEOPLE_MANAGERS, then="person_change_refused"),),
    effects={
        "person_change_begins": _person_change_begins,
        "person_changed": _person_changed,
        "person_change_refused": _person_change_refused,
    },
    readers=READERS,
    promises=(Promise(2, 1),),
    paper=HOUSE_FORM,
    look=_look,
    heading=lambda raising: _title(raising.given.get("person"), raising.given.get("by", "")),
    raised=pending_words,
)
