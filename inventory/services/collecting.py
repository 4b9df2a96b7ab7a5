"""Contacts with patrons who owe: each is logged once, and the journal keeps it."""

from __future__ import annotations

from datetime import date
from uuid import UUID

from django.db import transaction

from inventory.models import CollectionContact, Patron
from inventory.selectors.checks import checks_owed
from pitboss.models import Device, Person
from pitboss.rules.patrons.checks import CheckState
from pitboss.rules.patrons.collecting import ContactBy, contact_refusals
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services import house, journal
from pitboss.services.locks import lock_request


@transaction.atomic(durable=True)
def log_contact(
    *,
    patron: Patron,
    how: str,
    says: str,
    next_on: date | None,
    person: Person,
    device: Device | None,
    request_id: UUID,
) -> CollectionContact:
    """Log that a patron was asked for what they owe. Raises Refused.

    No money moves, so no PIN is asked: the tap keeps person, device and time.
    """
    lock_request(request_id)
    earlier = CollectionContact.objects.filter(request_id=request_id).first()
    says = " ".join(says.split())
    if earlier is not None:
        if (earlier.patron_id, earlier.how, earlier.says) == (patron.pk, how, says):
            return earlier  # A second tap, or a resend after a lost answer.
        raise refuse(
            "request_reused",
            "This form was already sent with something else in it. Reload the page.",
            CONFLICT,
        )
    if how not in tuple(ContactBy):
        raise refuse("contact_way_missing", "Choose how you contacted the patron.")
    now = house.now()
    when = house.period_at(now)
    owes = any(
        check_owed.check.state is not CheckState.HELD or check_owed.check.due_on < when.gaming_day
        for check_owed in checks_owed(when.gaming_day, patron)
    )
    role = house.role_in(person, when)
    if refusals := contact_refusals(role, says, next_on, when.gaming_day, owes=owes):
        raise Refused(refusals)
    contact = CollectionContact.objects.create(
        patron=patron,
        how=how,
        says=says,
        next_on=next_on,
        made_by=person,
        at=now,
        request_id=request_id,
    )
    journal.write(
        chain=journal.CAGE,
        kind="patron_contacted",
        body={"patron": patron.pk, "how": how},
        at=now,
        person=person,
        device=device,
        rows=[contact],
    )
    return contact
