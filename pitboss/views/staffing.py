"""Add, change and import people, put somebody out, and see who may do what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Person
from pitboss.rules.house_flows import MANAGERS, PERSON_CHANGE, PERSON_LEAVES
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.roles import Role
from pitboss.rules.staffing import COLUMNS, IMPORT_MAX, read_people, read_person
from pitboss.selectors.powers import matrix, opens_of, signs_of
from pitboss.services.shown import request_shown
from pitboss.services.signing import NewSlip
from pitboss.services.staffing import (
    fields_of,
    new_change,
    new_leaving,
    new_people,
    people_refusals,
    propose_people,
    put_out,
)
from pitboss.views.forms import TEXT_MAX, pen_of, text
from pitboss.views.pads import pad_of

_BACK = {"label": "People"}
# On the wire each column has a name of its own, since the pad's badge is the signer's.
_NEW = "new_"


@require_GET
@page("people")
def person_new(request: PitRequest) -> HttpResponse:
    """Key somebody new; with ?new_badge=, look at it and sign."""
    return _person_form(request, None, "New person")


@require_GET
@page("people")
def person_edit(request: PitRequest, person_id: int) -> HttpResponse:
    """Show somebody's papers; with ?new_badge=, the change about to be signed."""
    person = get_object_or_404(Person, pk=person_id)
    return _person_form(request, person, f"{person.first_name} {person.last_name}")


@require_http_methods(["GET", "POST"])
@page("people")
def people_import(request: PitRequest) -> HttpResponse:
    """Send or paste a list of people, look at it, then sign. It stores nothing."""
    keyed = {"list": request.POST.get("list", "")}
    file = request.FILES.get("file")
    if file is not None:
        try:
            keyed["list"] = _text_of(file)
        except Refused as refused:
            return _render(request, "Import people", "list", keyed, refused=refused)
    if not keyed["list"]:
        return _render(request, "Import people", "list", keyed)
    posted = QueryDict(mutable=True)
    posted["list"] = keyed["list"]
    return _looked_at(request, "Import people", "list", keyed, lambda: _change_of(posted))


def _text_of(file: UploadedFile[bytes]) -> str:
    """Return what a file of people says. Raises Refused for what is no text."""
    try:
        return str(file.read(TEXT_MAX + 1), "utf-8-sig")
    except UnicodeDecodeError:
        raise refuse(
            "file_no_text", "This file is no text in UTF-8. Save it as CSV again."
        ) from None


def _person_form(request: PitRequest, person: Person | None, heading: str) -> HttpResponse:
    if f"{_NEW}badge" in request.GET:
        keyed = {
            f"{_NEW}{column}": request.GET.get(f"{_NEW}{column}", "")[:60] for column in COLUMNS
        }
        if person is not None:
            keyed["person"] = str(person.pk)
        posted = QueryDict(mutable=True)
        posted.update(keyed)
        return _looked_at(request, heading, "person", keyed, lambda: _change_of(posted), person)
    stored: dict[str, Any] = fields_of(person).stored() if person is not None else {}
    keyed = {f"{_NEW}{column}": stored.get(column) or "" for column in COLUMNS}
    return _render(request, heading, "person", keyed, person=person)


def _change_of(posted: QueryDict) -> NewSlip:
    """Return the change that a form holds. Raises Refused."""
    if posted.get("list"):
        return new_people(read_people(text(posted, "list")))
    fields = read_person({column: text(posted, f"{_NEW}{column}") for column in COLUMNS})
    number = posted.get("person", "")
    if not number:
        return new_people([fields])
    person = Person.objects.filter(pk=number).first() if number.isdigit() else None
    if person is None:
        raise refuse("unknown_person", "Nobody here has this number. Look the person up again.")
    return new_change(person, fields)


def _looked_at(
    request: PitRequest,
    heading: str,
    form: str,
    keyed: dict[str, str],
    change: Callable[[], NewSlip],
    person: Person | None = None,
) -> HttpResponse:
    try:
        new = change()
        refusals = people_refusals(new.details)
        if refusals:
            raise Refused(refusals)
    except Refused as refused:
        return _render(request, heading, form, keyed, person=person, refused=refused)
    return _render(request, heading, form, keyed, person=person, new=new)


@require_POST
@page("people")
def people_propose(request: PitRequest) -> HttpResponse:
    """Propose an addition, a change or an import with the badge and PIN on the pad."""
    new = None
    try:
        new = _change_of(request.POST)
        slip = propose_people(
            new,
            reason=text(request.POST, "reason"),
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
        )
    except Refused as refused:
        names = [*(f"{_NEW}{column}" for column in COLUMNS), "person", "list"]
        keyed = {name: request.POST.get(name, "") for name in names}
        form = "list" if keyed["list"] else "person"
        return _render(request, "People", form, keyed, new=new, refused=refused)
    messages.success(request, f"{slip.serial} waits for another manager.")
    return redirect("slip", serial=slip.serial)


def _render(
    request: PitRequest,
    heading: str,
    form: str,
    keyed: dict[str, str],
    *,
    person: Person | None = None,
    new: NewSlip | None = None,
    refused: Refused | None = None,
) -> HttpResponse:
    pad = None
    if new is not None:
        pad = pad_of(
            request,
            url=reverse("people-propose"),
            sentence=PERSON_CHANGE.steps[0].attests,
            button="Propose",
            refused=refused,
            inputs=({"name": "reason", "label": "Reason"},),
            fields={name: value for name, value in keyed.items() if value},
            shown=request_shown(new, None),
        )
    context: dict[str, Any] = {
        "heading": heading,
        "back": {**_BACK, "url": reverse("people")},
        "form": form,
        "keyed": keyed,
        "person": person,
        "roles": [{"value": role.value, "label": role.label} for role in Role],
        "columns": ", ".join(COLUMNS),
        "import_max": IMPORT_MAX,
        "says": new.details["says"] if new else None,
        "may_propose": request.role in MANAGERS,
        "pad": pad,
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/staffing.html", context, status=http_status(refused) if refused else 200
    )


@require_http_methods(["GET", "POST"])
@page("people")
def person_leave(request: PitRequest, person_id: int) -> HttpResponse:
    """Put somebody out at once, signed by a manager."""
    person = get_object_or_404(Person, pk=person_id)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            slip = put_out(
                person,
                reason=text(request.POST, "reason"),
                pen=pen_of(request),
                shown=text(request.POST, "shown"),
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{person} is out. {slip.serial} waits to be confirmed.")
            return redirect("slip", serial=slip.serial)
    context = {
        "heading": f"{person} leaves",
        "back": {**_BACK, "url": reverse("people")},
        "pad": pad_of(
            request,
            url=request.path,
            sentence=PERSON_LEAVES.steps[0].attests,
            button="Put out now",
            refused=refused,
            inputs=({"name": "reason", "label": "Reason"},),
            shown=request_shown(new_leaving(person), None),
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "pitboss/signed_act.html", context, status=http_status(refused) if refused else 200
    )


@require_GET
@page("people")
def roles(request: PitRequest) -> HttpResponse:
    """Show who may sign what and open which page, as the flows and pages themselves say.

    Everybody side by side, or with ?role= one role alone.
    """
    wanted = request.GET.get("role", "")
    role = Role(wanted) if wanted in {each.value for each in Role} else None
    context = {
        "heading": "Who may do what",
        "back": {**_BACK, "url": reverse("people")},
        "role": role.label if role else "",
        "roles": [
            {
                "label": each.label,
                "url": f"{reverse('roles')}?role={each.value}",
                "is_current": each == role,
            }
            for each in Role
        ],
        "signs": signs_of(role) if role else (),
        "opens": opens_of(role) if role else (),
        "matrix": matrix() if role is None else (),
    }
    return render(request, "pitboss/roles.html", context)
