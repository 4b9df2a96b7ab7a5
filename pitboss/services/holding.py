"""From when on something holds that two people sign: read as it was keyed, and said in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pitboss.models import Property
from pitboss.rules.day.gaming_day import day_start
from pitboss.rules.refusal import refuse

# Longer ahead than this a date is a slip of the finger.
AHEAD_MAX = timedelta(days=400)
AT_ONCE = "as soon as it is approved"


def read_time(keyed: str, zone: ZoneInfo, now: datetime) -> datetime | None:
    """Return the instant of a wall time of the house, or None for at once. Raises Refused."""
    if not keyed.strip():
        return None
    try:
        wall = datetime.fromisoformat(keyed.strip())
    except ValueError:
        raise refuse("holds_from_malformed", "Choose a day and a time, or none.") from None
    if wall.tzinfo is not None:
        raise refuse("holds_from_malformed", "Choose a day and a time by the house's own clock.")
    starts = wall.replace(tzinfo=zone).astimezone(UTC)
    if starts < now:
        raise refuse(
            "holds_from_past", ("That time has passed. Choose a future time, or leave it blank.")
        )
    if starts - now > AHEAD_MAX:
        raise refuse("holds_from_too_far", f"Choose a time within {AHEAD_MAX.days} days.")
    return starts


def read_day(keyed: str, the_property: Property, now: datetime) -> date:
    """Return the gaming day from which something holds, one to come. Raises Refused."""
    try:
        day = date.fromisoformat(keyed.strip())
    except ValueError:
        raise refuse("holds_from_missing", "Choose the gaming day this takes effect.") from None
    today = the_property.period_at(now).gaming_day
    if day <= today:
        raise refuse(
            "holds_from_past",
            f"The gaming day {day:%b %-d, %Y} has begun. Choose one from "
            f"{today + timedelta(days=1):%b %-d, %Y} on.",
        )
    if day - today > AHEAD_MAX:
        raise refuse("holds_from_too_far", f"Choose a day within {AHEAD_MAX.days} days.")
    return day


def day_begins(day: date, the_property: Property, now: datetime) -> datetime:
    """Return the instant at which a gaming day to come begins, by the shifts of that day."""
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=the_property.zone)
    return day_start(the_property.clock_at(max(now, noon)), day)


def time_words(starts: datetime | None, zone: ZoneInfo) -> str:
    """Say from when on something holds."""
    return f"{starts.astimezone(zone):%a, %b %-d, %Y, %H:%M}" if starts else AT_ONCE


def time_stored(starts: datetime | None) -> str | None:
    """Return the time as a slip keeps it."""
    return starts.isoformat() if starts else None


def time_on(details: Mapping[str, Any]) -> datetime | None:
    """Return the time that stands on a slip; none is at once."""
    return datetime.fromisoformat(details["holds_from"]) if details["holds_from"] else None


def demand_ahead(details: Mapping[str, Any], at: datetime) -> datetime:
    """Return from when on a slip holds that is approved now. Raises Refused when that is past."""
    starts = time_on(details) or at
    if starts < at:
        raise refuse(
            "holds_from_past",
            "The effective time has passed. Decline this and propose a later time.",
        )
    return starts
