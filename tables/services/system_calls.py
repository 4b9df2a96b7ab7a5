"""Calls of other systems: kept for a week, so that a person can see what a system did last."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pitboss.models import Device
from pitboss.services import house
from tables.models import Scope, SystemCall

KEPT: Final = timedelta(days=7)


def keep_call(
    *, device: Device, scope: Scope, method: str, status: int, code: str, number: str
) -> SystemCall:
    """Keep that a system called, and what became of it; nothing that it sent."""
    return SystemCall.objects.create(
        device=device,
        scope=scope.value,
        method=method,
        status=status,
        code=code[:40],
        number=number,
        at=house.now(),
    )


def sweep_calls(*, now: datetime) -> int:
    """Forget calls that are a week old; return how many."""
    swept, _ = SystemCall.objects.filter(at__lt=now - KEPT).delete()
    return swept
