"""Accept a seal file that is not as it was left: an auditor's signed act, with a reason."""

from __future__ import annotations

import json
from datetime import datetime

from pitboss.models import Device, FloorException, JournalSeal, Person
from pitboss.rules.refusal import Refused, refuse
from pitboss.services import house, journal
from pitboss.services.exceptions import SEAL_FILE, close_exception
from pitboss.services.explaining import refusals_to_answer
from pitboss.services.pins import signed_act
from pitboss.services.seals import SEAL_FILE_ACCEPTED
from pitboss.services.watchers import reason_given


def accept_seal_file(*, reason: str, badge: str, pin: str, device: Device | None) -> int:
    """Accept that the file goes on without what it lost; return the seal that it goes on from.

    What the file lost stays lost: a copy in a second place may still have it. Raises Refused.
    """
    with signed_act(act="accept_seal_file", badge=badge, pin=pin, device=device) as person:
        exception = (
            FloorException.objects.select_for_update(of=("self",), no_key=True)
            .filter(code=SEAL_FILE, resolved_at=None)
            .first()
        )
        if exception is None:
            raise refuse(
                "nothing_to_accept", "The seal file wasn’t changed. There is nothing to accept."
            )
        now = house.now()
        if refusals := refusals_to_answer(exception, person, now):
            raise Refused(refusals)
        reason = reason_given(reason, "Enter what happened to the file.")
        seal = keep_acceptance(exception, reason, person, device, now)
        close_exception(exception, reason, person, device, now)
        return seal


def keep_acceptance(
    exception: FloorException,
    reason: str,
    person: Person,
    device: Device | None,
    now: datetime,
) -> int:
    """Write into the journal that the file is accepted; verification goes by it.

    The caller has judged the act and ends the exception.
    """
    seal = _newest_finding()
    journal.write(
        chain=journal.PEOPLE,
        kind=SEAL_FILE_ACCEPTED,
        body={"seal": seal, "reason": reason, "exception": exception.pk},
        at=now,
        person=person,
        device=device,
    )
    return seal


def _newest_finding() -> int:
    """Return the newest seal that found the file not as it was left."""
    found = JournalSeal.objects.filter(text__contains='"found":').order_by("-number")
    return next(seal.number for seal in found if "found" in json.loads(seal.text)["file"])
