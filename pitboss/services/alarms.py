"""Alarms of the record itself: what is wrong with it, or with the person who watches over it.

Each is one exception for audit and surveillance, however often it is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from pitboss.models import FloorException, JournalChain, Property
from pitboss.services import journal
from pitboss.services.exceptions import (
    BEAT_STOPPED,
    RECORD_LOST,
    RECORD_WRONG,
    SEAL_FILE,
    SEALING_FAILED,
    VERIFICATION_LATE,
    open_exception,
)

__all__ = [
    "BEAT_STOPPED",
    "RECORD_LOST",
    "RECORD_WRONG",
    "SEALING_FAILED",
    "SEAL_FILE",
    "VERIFICATION_LATE",
    "open_alarm",
    "sound",
]


@transaction.atomic
def sound(
    code: str, sentence: str, details: Mapping[str, Any], now: datetime
) -> FloorException | None:
    """Open an exception, unless one of its kind is open. None before there is a property."""
    if not Property.objects.exists():
        return None
    # Two that find the same at once take turns, on the chain that tells of it.
    JournalChain.objects.select_for_update().get(name=journal.PEOPLE)
    return open_alarm(code) or open_exception(
        code=code, sentence=sentence[:500], details=details, at=now, person=None
    )


def open_alarm(code: str) -> FloorException | None:
    """Return the open exception of a kind."""
    return FloorException.objects.filter(code=code, resolved_at=None).first()
