"""Explain an exception: who answers for it closes it in their own words, signed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from pitboss.models import Device, FloorException, Person
from pitboss.rules.canonical import is_plain
from pitboss.rules.flows.flows import REASON_MAX, SlipStatus
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import Role, may_act_as
from pitboss.services import house
from pitboss.services.exceptions import (
    ACTING_MANAGER,
    ANSWERED_ON,
    INCIDENT_NOTICE,
    RECORD_LOST,
    REGULATOR_NOTICE,
    SEAL_FILE,
    answered_by,
    close_exception,
    closes_with_slip,
)
from pitboss.services.locks import lock_request
from pitboss.services.pins import signed_act


@dataclass(frozen=True, slots=True)
class Told:
    """Whom someone told of a thing, and when."""

    whom: str
    at: datetime


def resolve_exception(
    *,
    exception_id: int,
    resolution: str,
    badge: str,
    pin: str,
    request_id: UUID,
    device: Device | None,
    told: Told | None = None,
) -> FloorException:
    """Close an exception with an explanation, signed by the person who answers for it.

    A notice to the regulator names whom was told and when; a void slip needs no notice.
    Raises Refused.
    """
    with signed_act(act="resolve_exception", badge=badge, pin=pin, device=device) as person:
        return _resolve(exception_id, resolution, person, request_id, device, told)


def needs_notice(exception: FloorException) -> bool:
    """Tell whether an exception is answered by telling the regulator."""
    voided = exception.slip is not None and exception.slip.status == SlipStatus.VOIDED.value
    return exception.code in (REGULATOR_NOTICE, INCIDENT_NOTICE) and not voided


def _notice(exception: FloorException, told: Told | None, now: datetime) -> str:
    """Return who of the regulator was told and when, as the record says it. Raises Refused."""
    if told is None or not told.whom.strip():
        raise refuse("notice_missing", "Enter who you notified at the regulator and when.")
    if told.at > now:
        raise refuse(
            "told_in_the_future", ("That time is in the future. Enter when you notified them.")
        )
    if told.at < exception.opened_at.replace(second=0, microsecond=0):
        raise refuse("told_too_early", ("That’s before this was found. Enter the time again."))
    at = told.at.astimezone(house.the_property().zone)
    return f"Notified {told.whom.strip()} at {at:%H:%M on %b %-d, %Y}."


def _resolve(
    exception_id: int,
    resolution: str,
    person: Person,
    request_id: UUID,
    device: Device | None,
    told: Told | None,
) -> FloorException:
    lock_request(request_id)
    now = house.now()
    exception = (
        FloorException.objects.select_for_update(no_key=True).filter(pk=exception_id).first()
    )
    if exception is None:
        raise refuse("unknown_exception", "Entry not found. Check the list.")
    exception.require_seal()
    if exception.code in ANSWERED_ON:
        raise refuse("answered_elsewhere", "This is answered on a page of its own. Open it there.")
    if exception.code == RECORD_LOST:
        raise refuse(
            "loss_needs_two",
            "An auditor and surveillance accept a loss together. Ask the administrator to run "
            "accept_loss on the server.",
        )
    if not is_plain(resolution) or (told is not None and not is_plain(told.whom)):
        raise refuse(
            "text_malformed", ("The explanation has characters that can’t be saved. Remove them.")
        )
    resolution = resolution.strip()
    if needs_notice(exception):
        resolution = f"{_notice(exception, told, now)} {resolution}".strip()
    if exception.resolved_at is not None:
        if (exception.resolved_by_id, exception.resolution) == (person.pk, resolution):
            return exception  # A second tap, or a resend after a lost answer.
        raise refuse(
            "already_resolved",
            f"{exception.resolved_by} has already explained this. Reload the page.",
            CONFLICT,
        )
    if refusals := refusals_to_answer(exception, person, now):
        raise Refused(refusals)
    if not resolution:
        raise refuse("reason_missing", "Explain it in a few words.")
    if len(resolution) > REASON_MAX:
        raise refuse(
            "reason_too_long", f"Explanation is too long. Use {REASON_MAX} characters or fewer."
        )
    if exception.code == SEAL_FILE:
        # Acceptance asks who may answer, and so knows this module already.
        from pitboss.services.seal_acceptance import keep_acceptance

        keep_acceptance(exception, resolution, person, device, now)
    close_exception(exception, resolution, person, device, now)
    return exception


def refusals_to_answer(exception: FloorException, person: Person, now: datetime) -> list[Refusal]:
    """Return why someone may not answer for an exception that is open."""
    if closes_with_slip(exception):
        return [Refusal("sign_the_slip", f"Sign {exception.slip} to close this.")]
    refusals = []
    role = house.role_in(person, house.period_at(now))
    answering = answered_by(exception)
    if not any(may_act_as(role, wanted) for wanted in answering):
        wanted_roles = " or ".join(wanted.label for wanted in answering)
        refusals.append(
            Refusal("wrong_role", f"You can’t explain this. It needs: {wanted_roles}.", NOT_YOURS)
        )
    if exception.opened_by_id == person.pk or person.badge in exception.details.get("badges", ()):
        refusals.append(
            Refusal(
                "signed_before",
                f"{person} is part of this exception. Someone else must explain it.",
                CONFLICT,
            )
        )
    if exception.code == ACTING_MANAGER and Role(person.role) != Role.SHIFT_MANAGER:
        refusals.append(
            Refusal(
                "acting_manager",
                "Only a shift manager who isn’t acting can review this.",
                NOT_YOURS,
            )
        )
    return refusals
