"""A patron on file twice: both files stay, and what is summed over a person is summed over both."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import models

from inventory.models import CashEntry, Patron, SamePatron, Stranger
from inventory.selectors.cash_log import DayPerson
from inventory.selectors.patrons import files_of, root_of
from inventory.services.currency_reports import watch
from inventory.services.patrons import lock_patron
from pitboss.models import Slip
from pitboss.rules.patrons.cash_log import Direction
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.services.locks import lock_cash_of

# Says why a patron can't be the same person as another, or as someone described.
JoinCheck = Callable[[Patron, Patron | None, Stranger | None], list[Refusal]]
_CHECKS: list[JoinCheck] = []


def checks_joining(check: JoinCheck) -> JoinCheck:
    """Register what an app knows against two people being one."""
    _CHECKS.append(check)
    return check


def join_refusals(
    patron: Patron, other: Patron | None = None, stranger: Stranger | None = None
) -> list[Refusal]:
    """Return why two cannot be one person, as far as any app knows."""
    return [refusal for check in _CHECKS for refusal in check(patron, other, stranger)]


def same_refusals(patron: Patron, other: Patron | None) -> list[Refusal]:
    """Return why a file cannot point to another; none of another: why it cannot be parted."""
    if other is None:
        if root_of(patron.pk) == patron.pk:
            words = f"The file of {patron} isn’t joined to another. There is nothing to separate."
            return [Refusal("nothing_changes", words)]
        return []
    if other.pk == patron.pk:
        return [Refusal("same_file", "This is the same file. Enter the other one’s card.")]
    if root_of(patron.pk) == root_of(other.pk):
        return [
            Refusal("nothing_changes", "These files are already joined. Nothing more is needed.")
        ]
    refusals = []
    joined = Patron.objects.filter(pk__in=files_of(patron.pk)).count() > 1
    if joined or root_of(other.pk) != other.pk:
        words = "One of these files is already joined to another. Separate that one first."
        refusals.append(Refusal("already_joined", words, CONFLICT))
    return [*refusals, *join_refusals(patron, other)]


def write_same(slip: Slip, at: datetime) -> list[models.Model]:
    """Join two files, or part them, as a slip says; count their cash again. Raises Refused."""
    patron_id, other_id = slip.details["patron"], slip.details["same_as"]
    before = root_of(patron_id)
    for item in sorted({patron_id, before, other_id or patron_id}):
        lock_patron(item)
    for entry in sorted({patron_id, before, other_id or patron_id}):
        lock_cash_of(f"patron:{entry}")
    patron = Patron.objects.get(pk=patron_id)
    other = Patron.objects.get(pk=other_id) if other_id is not None else None
    refusals = same_refusals(patron, other)
    if refusals:
        raise Refused(refusals)
    row = SamePatron.objects.create(patron=patron, same_as=other, since=at, slip=slip)
    return [row, *_watch_again(other or patron, at)]


def _watch_again(patron: Patron, at: datetime) -> list[models.Model]:
    """Open every report that the cash of both files together calls for."""
    entries = CashEntry.objects.filter(patron__in=files_of(patron.pk)).order_by()
    days = sorted(entries.values_list("gaming_day", flat=True).distinct())
    return [
        row
        for day in days
        for direction in Direction
        for row in watch(DayPerson(patron), day, direction, at)
    ]
