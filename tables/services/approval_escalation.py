"""Put a payout's request before more people while no one answers: the game waits for it."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from pitboss.models import Waiting
from pitboss.rules.floor.escalation import told_of_approval
from pitboss.rules.floor.nods import PAYOUT
from pitboss.rules.roles import Role
from pitboss.services import house
from pitboss.services.escalation import tell
from pitboss.services.exceptions import FLOOR_REQUEST
from tables.models import FloorRequest


def escalate_approvals(*, now: datetime) -> int:
    """Tell more people of every payout that waits too long; return of how many.

    Safe to run twice, and on two nodes at once: each wait is looked at under its lock.
    """
    settings = house.settings_at(now)
    after = (
        timedelta(seconds=settings["approval.escalate"]),
        timedelta(seconds=settings["approval.escalate_manager"]),
    )
    late = Waiting.objects.filter(
        until=None, exception__code=FLOOR_REQUEST, since__lte=now - min(after)
    )
    return sum(_escalate(pk, now, after) for pk in late.values_list("pk", flat=True))


@transaction.atomic(durable=True)
def _escalate(wait_id: int, now: datetime, after: tuple[timedelta, timedelta]) -> bool:
    locked = Waiting.objects.select_for_update(skip_locked=True, of=("self",), no_key=True)
    wait = locked.select_related("exception__table").filter(pk=wait_id, until=None).first()
    if wait is None or wait.exception is None:
        return False
    asked = FloorRequest.objects.filter(
        pk=wait.exception.details["request"], kind=PAYOUT.code
    ).exists()
    told = told_of_approval(now - wait.since, [Role(item) for item in wait.escalated_to], after)
    if not asked or not told:
        return False
    tell(wait, told, now)
    return True
