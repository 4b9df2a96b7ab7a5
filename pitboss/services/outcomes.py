"""What became of a form whose answer was lost: done, not done, or still under way."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from django.db import OperationalError, connection, transaction

from pitboss.faults import is_locked_out
from pitboss.models import Device, RequestMark, Signature
from pitboss.rules.refusal import NOT_YOURS, refuse


class State(StrEnum):
    """What is known of a form that was sent."""

    DONE = "done"
    UNDER_WAY = "under_way"
    NOT_DONE = "not_done"


@dataclass(frozen=True, slots=True)
class FormOutcome:
    """What became of a form, when, and the signature that it made, if it made one."""

    state: State
    at: datetime | None = None
    signature: Signature | None = None


def outcome_of(request_id: UUID, *, device: Device | None, now: datetime) -> FormOutcome:
    """Return what became of a form, for the device that sent it. Raises Refused.

    A form that was not done is given up here: its act cannot be done later, whatever still carries
    it. One that is under way holds its mark, which no one else can have until it has ended.
    """
    try:
        with transaction.atomic(durable=True):
            _give_up(request_id, device, now)
            mark = RequestMark.objects.get(pk=request_id)
    except OperationalError as error:
        if not is_locked_out(error):
            raise
        return FormOutcome(State.UNDER_WAY)
    if mark.device_id != (device.pk if device else None):
        raise refuse(
            "wrong_device", "This form was sent from another device. Ask there.", NOT_YOURS
        )
    if mark.is_given_up:
        return FormOutcome(State.NOT_DONE)
    signatures = Signature.objects.filter(request_id=request_id).select_related("slip")
    return FormOutcome(State.DONE, mark.at, signatures.first())


def _give_up(request_id: UUID, device: Device | None, now: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '1s'")
        cursor.execute(
            "INSERT INTO pitboss_requestmark (request_id, device_id, is_given_up, at)"
            " VALUES (%s, %s, true, %s) ON CONFLICT DO NOTHING",
            [request_id, device.pk if device else None, now],
        )
