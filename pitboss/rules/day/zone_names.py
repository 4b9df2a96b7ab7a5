"""How a zone is named where an instant is written: on papers, at the head of a report."""

from __future__ import annotations

from datetime import datetime

# Zones that have no place: only their distance from Greenwich, which no one on a floor knows.
_PLACELESS = "Etc/"


def zone_name(moment: datetime) -> str:
    """Name the zone of an instant: an hour comes twice on one night a year.

    >>> from zoneinfo import ZoneInfo
    >>> day = datetime(2026, 5, 1, 21)
    >>> zone_name(day.replace(tzinfo=ZoneInfo("America/New_York")))
    'EDT'
    >>> zone_name(day.replace(tzinfo=ZoneInfo("Etc/GMT-4")))
    'house time'
    """
    key = getattr(moment.tzinfo, "key", "")
    return "house time" if key.startswith(_PLACELESS) and key != "Etc/UTC" else f"{moment:%Z}"
