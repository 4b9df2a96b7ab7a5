"""Tell the next rank of what has waited too long, so that nothing is forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models.functions import Coalesce

from pitboss.models import Waiting
from pitboss.rules.floor.escalation import next_in_rank
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.roles import Role
from pitboss.services import house, journal


def escalate(*, now: datetime) -> int:
    """Tell the next rank of everything that has waited too long, and return how much it was.

    Safe to run twice, and on two nodes at once: each wait is looked at under its lock.
    """
    before = now - house.settings_at(now).escalates_after
    late = (
        Waiting.objects.filter(until=None)
        .annotate(told_at=Coalesce("escalated_at", "since"))
        .filter(told_at__lte=before)
        .order_by("id")
    )
    return sum(_escalate(wait_id, now, before) for wait_id in late.values_list("pk", flat=True))


@transaction.atomic(durable=True)
def _escalate(wait_id: int, now: datetime, before: datetime) -> bool:
    """Tell the next rank of one wait, unless someone signed meanwhile or no one is left to tell.

    The person who signs it right now has it locked: that one is no longer late.
    """
    locked = Waiting.objects.select_for_update(skip_locked=True, of=("self",), no_key=True)
    wait = (
        locked.select_related("slip__table", "exception__table")
        .filter(pk=wait_id, until=None)
        .first()
    )
    if wait is None or (wait.escalated_at or wait.since) > before:
        return False
    asked = [Role(role) for role in (*wait.by, *wait.escalated_to)]
    told = next_in_rank(asked)
    if not told:
        return False
    tell(wait, told, now)
    return True


def tell(wait: Waiting, roles: Sequence[Role], now: datetime) -> None:
    """Put a wait that is locked before more roles, and write that down."""
    wait.escalated_to = [*wait.escalated_to, *(role.value for role in roles)]
    wait.escalated_at = now
    wait.save(update_fields=["escalated_to", "escalated_at"])
    thing = wait.slip or wait.exception
    desk = FLOWS[wait.slip.kind].desk if wait.slip else journal.HOUSE
    journal.write(
        chain=journal.chain_of(thing.table if thing else None, desk),
        kind="escalated",
        body={
            "step": wait.step,
            "since": journal.plain_time(wait.since),
            "told": [role.value for role in roles],
            **({"exception": wait.exception.pk} if wait.exception else {}),
        },
        at=now,
        slip=wait.slip,
    )
