"""What slips about one person share: whom the address names, and who has a say over them."""

from __future__ import annotations

from dataclasses import replace

from django.shortcuts import get_object_or_404

from pitboss.middleware import PitRequest
from pitboss.models import Person, Signature, Slip
from pitboss.rules.roles import Role
from pitboss.services.locks import lock_person
from pitboss.services.staffing import demand_another, demand_rank
from pitboss.slips.addresses import id_of
from pitboss.slips.kind import Raising


def person_of(raising: Raising) -> Person:
    """Return whom a slip about to be raised is about."""
    person: Person = raising.given["person"]
    return person


def of_person(request: PitRequest, raising: Raising) -> Raising:
    """Return a slip about the person whom its address names."""
    person = get_object_or_404(Person, pk=id_of(request.GET, "person"))
    return replace(
        raising,
        given={**raising.given, "person": person},
        named={**raising.named, "person": person.pk},
    )


def managed_person(slip: Slip, signature: Signature) -> Person:
    """Return, locked, whom a slip is about. Raises Refused for a signer without a say over them."""
    person = lock_person(slip.details["person"])
    demand_another(person.pk, signature)
    demand_rank(Role(signature.role), Role(person.role), person)
    return person
