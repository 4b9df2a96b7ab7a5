"""Acknowledge notices in one batch, with one PIN: all of them, or none."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from pitboss.models import FloorException, Person, Waiting
from pitboss.rules.floor.acknowledging import NOTED, Ticked, batch_refusals
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.services import house
from pitboss.services.exceptions import chain_for, close_exception
from pitboss.services.explaining import refusals_to_answer
from pitboss.services.locks import lock_request
from pitboss.services.pins import signed_act
from pitboss.services.signing import Pen


def acknowledge(*, wait_ids: Collection[int], pen: Pen) -> list[FloorException]:
    """Acknowledge what was ticked in an inbox. Raises Refused, with every reason and none closed.

    Slips are never among them: each is signed by itself, with what its signer was shown.
    """
    with signed_act(act="acknowledge", badge=pen.badge, pin=pen.pin, device=pen.device) as person:
        lock_request(pen.request_id)
        now = house.now()
        waits = list(
            Waiting.objects.filter(pk__in=wait_ids)
            .select_related("slip", "exception")
            .order_by("id")
        )
        if len(waits) < len({*wait_ids}):
            raise refuse("unknown_wait", "Entry not found. Check the inbox.")
        if refusals := batch_refusals([_ticked(wait) for wait in waits]):
            raise Refused(refusals)
        notices = _locked(waits)
        # A second tap, or a resend after a lost answer: what this person noted stays noted.
        still_open = [notice for notice in notices if not _is_noted_by(notice, person)]
        if refusals := [refusal for one in still_open for refusal in _refusals(one, person, now)]:
            raise Refused(refusals)
        # Chains in one order, so that two batches never wait for each other's heads.
        for notice in sorted(still_open, key=chain_for):
            close_exception(notice, NOTED, person, pen.device, now)
    return notices


def _ticked(wait: Waiting) -> Ticked:
    if wait.exception is not None:
        found = wait.exception
        return Ticked(found.sentence, code=found.code, details=found.details)
    assert wait.slip is not None, "something waits that is neither slip nor exception"
    return Ticked(wait.slip.title, serial=wait.slip.serial)


def _locked(waits: Collection[Waiting]) -> list[FloorException]:
    """Lock what was ticked in the order of ids, so that two batches never wait for each other."""
    return list(
        FloorException.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk__in=[wait.exception_id for wait in waits])
        .select_related("table", "slip", "resolved_by")
        .order_by("id")
    )


def _is_noted_by(notice: FloorException, person: Person) -> bool:
    return (notice.resolved_by_id, notice.resolution) == (person.pk, NOTED)


def _refusals(notice: FloorException, person: Person, now: datetime) -> list[Refusal]:
    if notice.resolved_at is not None:
        return [
            Refusal(
                "already_resolved",
                f"{notice.resolved_by} already answered this: {notice.sentence}",
                CONFLICT,
            )
        ]
    return refusals_to_answer(notice, person, now)
