"""On whose behalf someone brought or took cash: it counts with both of them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import models

from inventory.models import CashBehalf, CashEntry, Patron
from inventory.selectors.cash_log import DayPerson
from inventory.services.currency_reports import lock_whose, watch
from inventory.services.exclusion import Compared, keep_comparison
from pitboss.models import Person
from pitboss.rules.patrons.cash_log import Direction
from pitboss.rules.patrons.compliance import behalf_refusals
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services import house, journal
from pitboss.services.locks import lock_request
from pitboss.services.pins import signed_act
from pitboss.services.signing import Pen


def behalf_of(entry: CashEntry) -> Patron | None:
    """Return on whose behalf an entry is said to be now."""
    newest = entry.behalves.select_related("patron").order_by("-id").first()
    return newest.patron if newest is not None else None


def tell_behalf(*, entry_id: int, patron: Patron | None, pen: Pen) -> CashBehalf:
    """Say on whose behalf cash was, or that it was the person's own. Raises Refused."""
    with signed_act(act="tell_behalf", badge=pen.badge, pin=pen.pin, device=pen.device) as person:
        lock_request(pen.request_id)
        now = house.now()
        entry = CashEntry.objects.select_related("patron", "stranger").filter(pk=entry_id).first()
        if entry is None:
            raise refuse("unknown_entry", "Entry not found. Check the log.")
        earlier = CashBehalf.objects.filter(request_id=pen.request_id).first()
        if earlier is not None:
            if (earlier.entry_id, earlier.patron) == (entry.pk, patron):
                return earlier  # A second tap, or a resend after a lost answer.
            raise refuse(
                "request_reused",
                "This form was already sent with something else in it. Reload the page.",
                CONFLICT,
            )
        by, was = lock_entry(entry, patron)
        refusals = behalf_refusals(
            house.role_in(person, house.period_at(now)),
            is_own=patron is not None and by.patron == patron,
            is_same=was == patron,
            is_standing=entry.reverses_id is None and not hasattr(entry, "reversed_by"),
        )
        if refusals:
            raise Refused(refusals)
        row, reports = write_behalf(entry, by, was, patron, person, now, pen.request_id)
        journal.write(
            chain=journal.PEOPLE,
            kind="cash_behalf_told",
            body={
                "entry": entry.pk,
                "patron": patron.pk if patron else None,
                "instead_of": was.pk if was else None,
            },
            at=now,
            person=person,
            device=pen.device,
            rows=[row, *reports],
        )
        return row


def lock_entry(entry: CashEntry, *more: Patron | None) -> tuple[DayPerson, Patron | None]:
    """Lock the cash of the person an entry counts with; return who brought it, and for whom.

    Raises Refused where that changed meanwhile.
    """
    was = behalf_of(entry)
    by = lock_whose(entry.patron, entry.stranger, was, *more)
    if behalf_of(entry) != was:
        raise refuse(
            "stale_screen", "This entry changed while you had it open. Review it.", CONFLICT
        )
    return by, was


def write_behalf(
    entry: CashEntry,
    by: DayPerson,
    was: Patron | None,
    patron: Patron | None,
    person: Person,
    at: datetime,
    request_id: UUID,
) -> tuple[CashBehalf, list[models.Model]]:
    """Keep on whose behalf cash was, and open every report that follows. The locks are held."""
    row = CashBehalf.objects.create(
        entry=entry, patron=patron, told_by=person, told_at=at, request_id=request_id
    )
    if patron is not None:
        # The cash has changed hands: nothing is stopped, but the case opens.
        keep_comparison(Compared(patron, Moment.CASH, at, entry.table), is_past=True)
    day, direction = entry.gaming_day, Direction(entry.direction)
    reports = watch(by, day, direction, at, others=True)
    for item in (was, patron):
        if item is not None:
            reports += watch(DayPerson(item), day, direction, at, others=True)
    return row, reports
