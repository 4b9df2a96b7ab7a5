"""Comps that no one redeemed in time expire: what was left of them was not given."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from inventory.selectors.credit import standing_of
from inventory.services.patrons import lock_patron
from pitboss.rules.patrons.patrons import Standing
from pitboss.services import house, journal
from tables.models import Comp, CompEntry, CompMove
from tables.services.comps import redeemed_cents, write_entry


def _standing() -> QuerySet[Comp]:
    """Return the comps that were issued and have neither been voided nor expired."""
    moves = CompEntry.objects.filter(comp=OuterRef("pk"))
    ended = moves.filter(move__in=[CompMove.VOIDED.value, CompMove.EXPIRED.value])
    return Comp.objects.filter(
        ~Exists(ended), Exists(moves.filter(move=CompMove.ISSUED.value))
    ).order_by("pk")


def expire_due() -> int:
    """Let every comp expire whose days are over and of which something is left; return how many."""
    now = house.now()
    last = house.period_at(now).gaming_day - timedelta(days=house.settings_at(now)["comp.days"])
    due = _standing().filter(gaming_day__lt=last).values_list("pk", flat=True)
    return sum(_expire(comp_id) for comp_id in due.iterator())


@transaction.atomic(durable=True)
def _expire(comp_id: int) -> bool:
    comp = Comp.objects.select_related("patron", "slip").get(pk=comp_id)
    lock_patron(comp.patron_id)
    left = comp.value_cents - redeemed_cents(comp)
    # Who is self-excluded has frozen comps: they stay as they are.
    if (
        not left
        or not _standing().filter(pk=comp_id).exists()
        or standing_of(comp.patron) is Standing.SELF_EXCLUDED
    ):
        return False
    now = house.now()
    entry = write_entry(comp, CompMove.EXPIRED, None, now, amount_cents=left)
    journal.write(
        chain=journal.HOUSE,
        kind="comp_expired",
        body={"comp": comp.slip.serial, "amount_cents": left},
        at=now,
        rows=[entry],
    )
    return True
