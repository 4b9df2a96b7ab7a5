"""The pages of people: someone's own, a new one, a list to import, and who may do what."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import page
from pitboss.kinds.person import person_shown
from pitboss.middleware import PitRequest
from pitboss.models import Person
from pitboss.rules.roles import Role
from pitboss.selectors.powers import matrix, opens_of, signs_of


@require_GET
@page("people")
def person_new(request: PitRequest) -> HttpResponse:
    """Ask about someone new."""
    return render(request, "pitboss/staffing.html", person_shown(request, None, request.GET))


@require_GET
@page("people")
def person_edit(request: PitRequest, person_id: int) -> HttpResponse:
    """Show what the house knows of someone, and what can be done for them."""
    person = get_object_or_404(Person, pk=person_id)
    return render(request, "pitboss/staffing.html", person_shown(request, person, request.GET))


@require_GET
@page("people")
def people_import(request: PitRequest) -> HttpResponse:
    """Ask for a list of people."""
    shown = person_shown(request, None, request.GET, by="list")
    return render(request, "pitboss/staffing.html", shown)


@require_GET
@page("people")
def roles(request: PitRequest) -> HttpResponse:
    """Show who may sign what and open which page, as the flows and pages themselves say.

    Everyone side by side, or with ?role= one role alone.
    """
    wanted = request.GET.get("role", "")
    role = Role(wanted) if wanted in {item.value for item in Role} else None
    context = {
        "heading": "Who may do what",
        "back": {"url": reverse("people"), "label": "People"},
        "role": role.label if role else "",
        "roles": [
            {
                "label": item.label,
                "url": f"{reverse('roles')}?role={item.value}",
                "is_current": item == role,
            }
            for item in Role
        ],
        "signs": signs_of(role) if role else (),
        "opens": opens_of(role) if role else (),
        "matrix": matrix() if role is None else (),
    }
    return render(request, "pitboss/roles.html", context)
