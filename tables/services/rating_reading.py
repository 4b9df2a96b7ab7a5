"""Who reads a patron's history of play from outside the pit where they sit leaves a trace."""

from __future__ import annotations

from datetime import datetime

from inventory.models import Patron
from pitboss.models import Device, Person
from pitboss.services import journal
from tables.models import PlayRating


def note_reading(patron: Patron, person: Person, device: Device | None, now: datetime) -> None:
    """Note in the journal that someone reads the play of a patron who is not in their pit."""
    playing = PlayRating.objects.filter(patron=patron, ended_at=None).select_related("table")
    rating = playing.first()
    here = device.pit_id if device is not None else None
    if rating is not None and here is not None and rating.table.pit_id == here:
        return
    journal.write(
        chain=journal.PEOPLE,
        kind="play_history_read",
        body={"patron": patron.pk},
        at=now,
        person=person,
        device=device,
    )
