"""Outage sheets that were not printed again in time: asked for until someone prints them.

A house that prints none is asked for none: the page of outages says that it never did.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from pitboss.models import Device, FloorException, Person
from pitboss.rules.day.outages import THE_CAGE
from pitboss.selectors.outages import holders, sheets_printed
from pitboss.services import house, journal
from pitboss.services.exceptions import (
    SHEET_DUE_AT_CAGE,
    SHEET_DUE_IN_PIT,
    close_exception,
    open_exception,
)

_CODES: Final = (SHEET_DUE_IN_PIT, SHEET_DUE_AT_CAGE)


@transaction.atomic(durable=True)
def find_overdue_sheets(*, now: datetime) -> None:
    """Ask for each outage sheet that is older than the house allows, once for each printing."""
    hours = house.settings_at(now)["outage.sheet_every"]
    words, asked = dict(holders()), FloorException.objects.filter(code__in=_CODES)
    for place, printed in sheets_printed().items():
        details = {"place": place, "printed": journal.plain_time(printed)}
        if now - printed <= timedelta(hours=hours) or asked.filter(details=details).exists():
            continue
        at = printed.astimezone(house.the_property().zone)
        open_exception(
            code=SHEET_DUE_AT_CAGE if place == THE_CAGE else SHEET_DUE_IN_PIT,
            sentence=f"{words[place]}: the outage sheet was printed at {at:%H:%M}. Print it again.",
            details=details,
            at=now,
            person=None,
        )


def sheet_printed(
    pit: str, by: str, *, person: Person, device: Device | None, at: datetime
) -> None:
    """Take the sheets off the list that someone prints: of a pit, of every pit, or of the cage."""
    waiting = FloorException.objects.select_for_update(of=("self",), no_key=True).filter(
        code=SHEET_DUE_AT_CAGE if by == THE_CAGE else SHEET_DUE_IN_PIT, resolved_at=None
    )
    if by != THE_CAGE and pit:
        waiting = waiting.filter(details__place=pit)
    for exception in waiting.select_related("table", "slip").order_by("id"):
        close_exception(exception, "The outage sheet was printed.", person, device, at)
