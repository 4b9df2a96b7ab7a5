"""Save an incident with three taps: surveillance gets a bookmark, the regulator's clock runs."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db import transaction

from pitboss.models import Device, FloorException, Person
from pitboss.rules.floor.incident_reports import incident_refusals
from pitboss.rules.refusal import Refused
from pitboss.services import house, journal
from pitboss.services.exceptions import (
    INCIDENT_BOOKMARK,
    INCIDENT_NOTICE,
    INCIDENT_UNWRITTEN,
    close_exception,
    open_exception,
)
from pitboss.services.locks import lock_request
from tables.models import Incident


@transaction.atomic(durable=True)
def save_incident(
    *,
    table_id: int,
    kind: str,
    seat: int | None,
    by: Person,
    device: Device | None,
    request_id: UUID,
) -> Incident:
    """Store what was seen, and tell who must know of it. Raises Refused.

    It takes no PIN. Nothing of it is written in the journal of the table, so nothing there moves.
    """
    lock_request(request_id)
    earlier = Incident.objects.filter(request_id=request_id).first()
    if earlier is not None:
        return earlier
    if refusals := incident_refusals(kind, seat):
        raise Refused(refusals)
    now = house.now()
    when = house.period_at(now)
    incident = Incident.objects.create(
        kind=kind,
        table_id=table_id,
        seat=seat,
        at=now,
        gaming_day=when.gaming_day,
        shift=when.shift,
        by=by,
        device=device,
        request_id=request_id,
    )
    _tell(incident, int((when.ends - now).total_seconds()))
    journal.write(
        chain=journal.HOUSE,
        kind="incident_saved",
        body={"incident": incident.pk, "kind": kind, "table": table_id, "seat": seat},
        at=now,
        person=by,
        device=device,
        rows=[incident],
    )
    return incident


def place_words(incident: Incident) -> str:
    """Say where and when an incident was."""
    at = incident.at.astimezone(house.the_property().zone)
    seat = f", seat {incident.seat}" if incident.seat else ""
    return f"{incident.table}{seat}, {at:%b %-d, %H:%M:%S}"


def _tell(incident: Incident, shift_seconds: int) -> None:
    minutes = house.settings_at(incident.at).incident_minutes(incident.kind)
    where = place_words(incident)
    told = [
        (INCIDENT_BOOKMARK, f"{incident.title}, {where}. Save the recording.", None),
        (
            INCIDENT_UNWRITTEN,
            f"{incident.title}, {where}. Write the report before the shift ends.",
            max(60, shift_seconds),
        ),
    ]
    if minutes:
        words = f"{incident.title}, {where}. Notify the regulator within {minutes} min."
        told.append((INCIDENT_NOTICE, words, minutes * 60))
    for code, sentence, limit in told:
        # Of no table: its page, its tile and its terminal say nothing.
        open_exception(
            code=code,
            sentence=sentence,
            details={
                "incident": incident.pk,
                "table": incident.table.name,
                "seat": incident.seat,
                **_due(incident, code, limit),
            },
            at=incident.at,
            person=incident.by,
            limit_seconds=limit,
        )


def _due(incident: Incident, code: str, limit: int | None) -> dict[str, str]:
    """Return by when the regulator must know, for what is answered by telling them."""
    if code != INCIDENT_NOTICE or limit is None:
        return {}
    return {"due_at": (incident.at + timedelta(seconds=limit)).isoformat()}


def end_unwritten(incident: Incident, serial: str, by: Person, device: Device | None) -> None:
    """Close the reminder about an incident whose report is written."""
    reminders = FloorException.objects.select_for_update(of=("self",), no_key=True).filter(
        code=INCIDENT_UNWRITTEN, details__incident=incident.pk, resolved_at=None
    )
    for reminder in reminders.select_related("table", "slip"):
        close_exception(reminder, f"Written on {serial}.", by, device, house.now())
