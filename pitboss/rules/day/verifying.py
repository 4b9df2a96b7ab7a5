"""When the record is verified by itself: what is new each hour, all of it each night."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from enum import StrEnum, unique
from typing import Final

EVERY: Final = timedelta(hours=1)


@unique
class Reach(StrEnum):
    """How much of the record a verification looks at."""

    WHOLE = "whole"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Begun:
    """When verifications last began: one of the whole record, and one of either kind."""

    whole: datetime | None
    either: datetime | None


def due_reach(now: datetime, zone: tzinfo, hour: int, begun: Begun) -> Reach | None:
    """Return which verification is due now, None when none is.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    >>> due_reach(noon, UTC, 5, Begun(None, None))
    <Reach.WHOLE: 'whole'>
    >>> due_reach(noon, UTC, 5, Begun(noon, noon)) is None
    True
    """
    if begun.whole is None or begun.whole < last_night(now, zone, hour):
        return Reach.WHOLE
    if begun.either is None or now - begun.either >= EVERY:
        return Reach.NEW
    return None


def last_night(now: datetime, zone: tzinfo, hour: int) -> datetime:
    """Return when it was last that hour on the house's clock."""
    here = now.astimezone(zone)
    then = here.replace(hour=hour, minute=0, second=0, microsecond=0)
    return then if then <= here else then - timedelta(days=1)
